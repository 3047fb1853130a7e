"""The six monuments: how their chambers are laid out, explored and looked into.

Each is a small strategy that `engine.expedition.rules` plays by. An instance knows the card list's numbers
and nothing of any match. It is called after the Maps are spent; where it asks for more, it sets the state's
phase, and sets it back to ACT once it is answered.
"""

from __future__ import annotations

from random import Random
from typing import Any, ClassVar, Final

from engine.archaeology_family.card_list import MAP, Bundles, bundles
from engine.archaeology_family.moves import Explore, weigh
from engine.archaeology_family.sampling import sample_discard
from engine.archaeology_family.state import ACT
from engine.archaeology_family.turns import EACH, lay_chamber, take_all
from engine.chance import draw, shuffle
from engine.errors import IllegalMove
from engine.expedition.moves import Guess, Keep, Stop, TurnUp
from engine.expedition.state import KEEP, MINE, ExpeditionState, MonumentKey
from engine.game import Event

KEPT: Final = 2
"""Cards that an exploration of the Tomb keeps."""
SAFE: Final = 5
"""The trade value that cards turned up in the Mine may reach."""
TURNED: Final = 5
"""Cards that the Sphinx turns up."""
PILE: Final = 12
"""Cards that lie beside the Ruins at the start."""


class Monument:
    """A monument with chambers of face-down cards, which are taken all at once and unseen by the others.

    `sizes` are the cards laid into each chamber, `costs` its Maps. `once`: each chamber is explored once.
    `grants_look`: who sells may look into a chamber.
    """

    key: ClassVar[MonumentKey]
    sizes: ClassVar[tuple[int, ...]]
    costs: ClassVar[tuple[int, ...]]
    once: ClassVar[bool] = True
    grants_look: ClassVar[bool] = False

    def __init__(self, trade: tuple[int, ...]) -> None:
        self.trade = trade

    def lay_out(self, state: ExpeditionState, cards: list[int]) -> None:
        """Takes its cards from the end of `cards`."""
        for size in self.sizes:
            state.chambers.append(lay_chamber(cards, size, state.kinds))
            state.within.append([0] * state.kinds)
            state.privy.append([])

    def opening(self, state: ExpeditionState) -> list[Event]:
        """The events that tell what lies open after the lay-out."""
        return []

    def chamber_of(self, state: ExpeditionState, move: Explore | Guess) -> int:
        """The chamber that a move explores. Raises `IllegalMove`."""
        if not isinstance(move, Explore):
            raise IllegalMove("no-sphinx")
        return self.check_chamber(state, move.chamber)

    def check_chamber(self, state: ExpeditionState, number: int) -> int:
        """The number, if there is such a chamber and cards lie in it. Raises `IllegalMove`."""
        if not 0 <= number < len(self.sizes):
            raise IllegalMove("no-such-chamber")
        if not any(state.chambers[number]):
            raise IllegalMove("chamber-explored" if self.once else "chamber-empty")
        return number

    def explore(self, state: ExpeditionState, seat: int, move: Any) -> list[Event]:
        """The events of an exploration, its Maps spent."""
        number = move.chamber
        found = _empty(state, seat, number)
        return [Event("explored", seat, self._facts(number, found), {"cards": found}, (seat,), True)]

    def _facts(self, number: int, cards: Bundles) -> dict[str, Any]:
        return {"chamber": number, "maps": self.costs[number], "count": sum([n for _, n in cards])}

    def reply(self, state: ExpeditionState, seat: int, move: Any) -> list[Event]:
        """The answer to what this monument asks. Raises `IllegalMove`."""
        raise AssertionError(f"{self.key} asks nothing")

    def look(self, state: ExpeditionState, seat: int, number: int) -> list[Event]:
        """Shows the seat a chamber's cards. Raises `IllegalMove`."""
        raise AssertionError(f"{self.key} grants no look")

    def strike(self, state: ExpeditionState, seat: int) -> list[Event]:
        """The effect here of a Sandstorm that this seat dug, before anyone loses anything."""
        return []

    def sample(self, state: ExpeditionState, seat: int, rng: Random) -> Explore | Guess | None:
        """A random exploration, or None where the chamber that was tried first cannot be explored."""
        number = int(rng.random() * len(self.sizes))
        if state.hands[seat][MAP] < self.costs[number] or not any(state.chambers[number]):
            return None
        return Explore(number)

    def sample_reply(self, state: ExpeditionState, rng: Random) -> Any:
        """A random answer to what this monument asks."""
        raise AssertionError(f"{self.key} asks nothing")


class GreatPyramid(Monument):
    """Three chambers; a larger one costs more Maps."""

    key: ClassVar[MonumentKey] = "great_pyramid"
    sizes: ClassVar[tuple[int, ...]] = (2, 5, 8)
    costs: ClassVar[tuple[int, ...]] = (1, 2, 3)


class Temple(Monument):
    """Three equal chambers.

    A player who sells may look into one (R10), and knows its cards as long as they lie there (R16).
    """

    key: ClassVar[MonumentKey] = "temple"
    sizes: ClassVar[tuple[int, ...]] = (5, 5, 5)
    costs: ClassVar[tuple[int, ...]] = (2, 2, 2)
    grants_look: ClassVar[bool] = True

    def look(self, state: ExpeditionState, seat: int, number: int) -> list[Event]:
        self.check_chamber(state, number)
        state.moves += 1
        state.privy[number] = sorted({seat, *state.privy[number]})
        seen = bundles(state.chambers[number])
        return [Event("looked", seat, {"chamber": number}, {"cards": seen}, (seat,), True)]


class Tomb(Monument):
    """Two chambers to choose cards from, again and again."""

    key: ClassVar[MonumentKey] = "tomb"
    sizes: ClassVar[tuple[int, ...]] = (7, 8)
    costs: ClassVar[tuple[int, ...]] = (1, 1)
    once: ClassVar[bool] = False

    def explore(self, state: ExpeditionState, seat: int, move: Explore) -> list[Event]:
        """Shows all the cards to the player who explores.

        If there are no more than two, all are kept without a question.
        """
        number = move.chamber
        chamber = state.chambers[number]
        if sum(chamber) <= KEPT:
            return super().explore(state, seat, move)
        state.privy[number] = [seat]  # R16: who explored here before does not know any longer what lies here
        state.opened = number
        state.phase = KEEP
        seen = bundles(chamber)
        return [Event("opened", seat, self._facts(number, seen), {"cards": seen}, (seat,), True)]

    def reply(self, state: ExpeditionState, seat: int, move: Keep) -> list[Event]:
        number = state.opened
        assert number is not None
        chamber = state.chambers[number]
        chosen = weigh(chamber, move.cards, EACH, "not-in-chamber")
        if chosen != KEPT:
            raise IllegalMove("keep-count", due=KEPT, chosen=chosen)
        state.moves += 1
        hand = state.hands[seat]
        for kind, n in move.cards:
            chamber[kind] -= n
            hand[kind] += n
        state.opened = None
        state.phase = ACT
        facts = {"chamber": number, "count": KEPT, "left": sum(chamber)}
        return [Event("kept", seat, facts, {"cards": move.cards}, (seat,))]

    def sample_reply(self, state: ExpeditionState, rng: Random) -> Keep:
        return Keep(sample_discard(state.chambers[state.opened or 0], KEPT, rng))


class Mine(Monument):
    """One chamber to turn cards up from, until one stops or they are worth too much (R11)."""

    key: ClassVar[MonumentKey] = "mine"
    sizes: ClassVar[tuple[int, ...]] = (15,)
    costs: ClassVar[tuple[int, ...]] = (1,)
    once: ClassVar[bool] = False

    def explore(self, state: ExpeditionState, seat: int, move: Explore) -> list[Event]:
        entered = Event("entered", seat, {"chamber": move.chamber, "maps": self.costs[move.chamber]})
        return [entered, *self._turn_up(state, seat)]

    def reply(self, state: ExpeditionState, seat: int, move: TurnUp | Stop) -> list[Event]:
        state.moves += 1
        if isinstance(move, TurnUp):
            return self._turn_up(state, seat)
        return [self._take(state, seat)]

    def sample_reply(self, state: ExpeditionState, rng: Random) -> TurnUp | Stop:
        return TurnUp() if rng.random() < 0.5 else Stop()

    def worth(self, state: ExpeditionState) -> int:
        """The trade values turned up, in all."""
        return sum([self.trade[kind] for kind in state.turned])

    def _turn_up(self, state: ExpeditionState, seat: int) -> list[Event]:
        """Turns up one of the chamber's cards at random: as if it had been shuffled before the first."""
        chamber, within = state.chambers[0], state.within[0]
        left = draw(state.key, state.counters, "mine", sum(chamber))
        kind = 0
        while left >= chamber[kind]:
            left -= chamber[kind]
            kind += 1
        chamber[kind] -= 1
        within[kind] = max(0, within[kind] - 1)
        state.turned.append(kind)
        worth = self.worth(state)
        events = [Event("turned_up", seat, {"treasure": kind, "worth": worth}, reveals=True)]
        if worth > SAFE:
            events.append(self._collapse(state, seat))
        elif worth == SAFE or not any(chamber):
            events.append(self._take(state, seat))
        else:
            state.phase = MINE
        return events

    def _take(self, state: ExpeditionState, seat: int) -> Event:
        for kind in state.turned:
            _gain(state, seat, kind, 1)
        return self._end(state, seat, "mined")

    def _collapse(self, state: ExpeditionState, seat: int) -> Event:
        """All cards go back, and all know that they lie there."""
        for kind in state.turned:
            state.chambers[0][kind] += 1
            state.within[0][kind] += 1
        return self._end(state, seat, "collapsed")

    def _end(self, state: ExpeditionState, seat: int, event: str) -> Event:
        facts = {"cards": _bundled(state.turned), "worth": self.worth(state)}
        state.turned = []
        state.phase = ACT
        return Event(event, seat, facts)


class Sphinx(Monument):
    """One chamber that gives, of five random cards, those of two treasures named before (R9)."""

    key: ClassVar[MonumentKey] = "sphinx"
    sizes: ClassVar[tuple[int, ...]] = (15,)
    costs: ClassVar[tuple[int, ...]] = (1,)
    once: ClassVar[bool] = False

    def chamber_of(self, state: ExpeditionState, move: Explore | Guess) -> int:
        if not isinstance(move, Guess):
            raise IllegalMove("sphinx-needs-names")
        first, second = move.treasures
        if not (0 <= first < state.kinds and 0 <= second < state.kinds):
            raise IllegalMove("no-such-treasure")
        if first == second:
            raise IllegalMove("names-must-differ")
        return self.check_chamber(state, 0)

    def explore(self, state: ExpeditionState, seat: int, move: Guess) -> list[Event]:
        chamber, within = state.chambers[0], state.within[0]
        cards = [kind for kind, n in enumerate(chamber) for _ in range(n)]
        shuffle(state.key, state.counters, "sphinx", cards)
        shown = _bundled(cards[-TURNED:])
        taken = tuple([(kind, n) for kind, n in shown if kind in move.treasures])
        for kind, n in shown:
            within[kind] = max(within[kind], n)
        for kind, n in taken:
            chamber[kind] -= n
            within[kind] -= n
            _gain(state, seat, kind, n)
        return [
            Event("named", seat, {"chamber": 0, "maps": self.costs[0], "treasures": move.treasures}),
            Event("revealed", seat, {"cards": shown, "taken": taken}, reveals=True),
        ]

    def sample(self, state: ExpeditionState, seat: int, rng: Random) -> Guess | None:
        if not any(state.chambers[0]) or not state.hands[seat][MAP]:
            return None
        first = int(rng.random() * state.kinds)
        second = int(rng.random() * (state.kinds - 1))
        return Guess((first, second + (second >= first)))


class Ruins(Monument):
    """Three chambers that lie open, and that Sandstorms fill from a pile (R12). `within` is all that is there."""

    key: ClassVar[MonumentKey] = "ruins"
    sizes: ClassVar[tuple[int, ...]] = (1, 1, 1)
    costs: ClassVar[tuple[int, ...]] = (1, 1, 1)
    once: ClassVar[bool] = False

    def lay_out(self, state: ExpeditionState, cards: list[int]) -> None:
        super().lay_out(state, cards)
        state.within = [chamber.copy() for chamber in state.chambers]
        state.pile = [cards.pop() for _ in range(PILE)]

    def opening(self, state: ExpeditionState) -> list[Event]:
        treasures = [kind for chamber in state.chambers for kind, _ in bundles(chamber)]
        return [self._uncovered(state, None, treasures)]

    def strike(self, state: ExpeditionState, seat: int) -> list[Event]:
        if not state.pile:
            return []
        treasures: list[int] = []
        for chamber, within in zip(state.chambers, state.within, strict=True):
            kind = state.pile.pop()
            chamber[kind] += 1
            within[kind] += 1
            treasures.append(kind)
        return [self._uncovered(state, seat, treasures)]

    def explore(self, state: ExpeditionState, seat: int, move: Explore) -> list[Event]:
        number = move.chamber
        found = _empty(state, seat, number)
        for kind, n in found:
            state.known[seat][kind] += n
        return [Event("explored", seat, {**self._facts(number, found), "cards": found})]

    def _uncovered(self, state: ExpeditionState, seat: int | None, treasures: list[int]) -> Event:
        """One more treasure face up in each chamber, in the chambers' order."""
        return Event("uncovered", seat, {"treasures": treasures, "pile": len(state.pile)}, reveals=True)


def _empty(state: ExpeditionState, seat: int, number: int) -> Bundles:
    """All the cards of a chamber go into the hand; from then on nobody knows a card that lies there."""
    state.within[number] = [0] * state.kinds
    state.privy[number] = []
    return take_all(state.chambers[number], state.hands[seat])


def _gain(state: ExpeditionState, seat: int, kind: int, n: int) -> None:
    """Cards come into a hand before all eyes (R15)."""
    state.hands[seat][kind] += n
    state.known[seat][kind] += n


def _bundled(cards: list[int]) -> Bundles:
    return tuple([(kind, cards.count(kind)) for kind in sorted(set(cards))])


MONUMENT_TYPES: Final = (GreatPyramid, Temple, Tomb, Mine, Sphinx, Ruins)
