"""Players to be measured against who know what the lessons teach (`cogs/*/lesson.toml`), and nothing else.

A pupil stands for an adult who has just played the lesson: each of its rules is a sentence of it, and where the lesson
says nothing, it does what is simplest. It remembers nothing. A child is a pupil who overlooks half of what it could
trade, sell, buy or spend. One sentence of a lesson is left out, for it changes no result: that without its Tent a
player of The New Expedition sells before its hand grows large (200 matches against each of two levels).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final

from engine.archaeology_family.agents.worth import revenue
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.moves import Discard, Trade
from engine.archaeology_family.state import ACT, STORM, View
from engine.artifact import choices as artifact
from engine.artifact import moves as am
from engine.artifact import state as parties
from engine.artifacts_inc import choices as company
from engine.artifacts_inc import moves as im
from engine.artifacts_inc.state import ARRANGE, GOAL
from engine.expedition.moves import UseTent
from engine.expedition.state import TENT, ExpeditionView
from engine.game import Agent
from tests.bench.hasty import Hasty, HastyExpedition, first_cards

PUPIL: Final = "pupil"
CHILD: Final = "child"
OVERLOOKS: Final = 0.5
"""Probability that a child overlooks what it could do, each time it looks."""


class _Pupil:
    """A player who overlooks things with this probability."""

    slow = False

    def __init__(self, overlooks: float = 0.0) -> None:
        self._overlooks = overlooks

    def sees(self, rng: Random) -> bool:
        """Whether the player thinks of a possibility now."""
        return rng.random() >= self._overlooks


class Pupil(_Pupil, Hasty):
    """Explores, trades for the cards that complete a set, sells complete sets, and lets all others grow.

    To a Sandstorm it loses what a trade gets back most cheaply, of equal trade values the rarer in its hand. It may
    overlook trades.
    """

    def choose(self, view: Any, rng: Random) -> Any:
        hand = view.hand
        assert hand is not None
        if view.phase == ACT and (move := self._explore(view, hand) or self._trade(view, hand, rng)):
            return move
        if view.phase == STORM:
            cheapest = sorted(range(len(hand)), key=lambda kind: (view.trade[kind], hand[kind]))
            return Discard(first_cards(hand, cheapest, view.to_lose))
        return super().choose(view, rng)

    def _trade(self, view: View, hand: Sequence[int], rng: Random) -> Trade | None:
        return completion(view, hand) if self.sees(rng) else None


class PupilExpedition(Pupil, HastyExpedition):
    """The same in The New Expedition, where the Tent is for a large hand."""

    large = 7
    """The cards of a hand for which the lesson uses the Tent."""

    def choose(self, view: ExpeditionView, rng: Random) -> Any:
        if view.phase == TENT:
            return UseTent(view.sizes[view.asked] >= self.large)
        return super().choose(view, rng)


def completion(view: View, hand: Sequence[int]) -> Trade | None:
    """The trade that completes a set and gains most, by what the cards would sell for; None if none gains."""
    best, gain = None, 0
    for kind, n in enumerate(hand):
        due = len(view.prices[kind]) - n
        if kind == MAP or not n or not 0 < due <= view.market[kind]:
            continue
        if (given := _payment(view, hand, kind, view.trade[kind] * due)) is None:
            continue
        gained = view.prices[kind][-1] - revenue(view.prices[kind], n)[n]
        gained -= sum(
            _sold(view, each, hand[each]) - _sold(view, each, hand[each] - count) for each, count in given
        )
        if gained > gain:
            best, gain = Trade(given, ((kind, due),)), gained
    return best


def _payment(view: View, hand: Sequence[int], wanted: int, due: int) -> tuple[tuple[int, int], ...] | None:
    """Cards of other treasures of at least this trade value, those that sell for least by it first."""
    left = list(hand)
    while due > 0:
        others = [kind for kind, n in enumerate(left) if n and kind != wanted]
        if not others:
            return None
        kind = min(
            others,
            key=lambda kind: (
                (_sold(view, kind, left[kind]) - _sold(view, kind, left[kind] - 1))
                / min(due, view.trade[kind])
            ),
        )
        left[kind] -= 1
        due -= view.trade[kind]
    return tuple((kind, n - left[kind]) for kind, n in enumerate(hand) if n > left[kind])


def _sold(view: View, kind: int, cards: int) -> int:
    return revenue(view.prices[kind], cards)[cards]


class PupilCompany(_Pupil):
    """Dives first, sells several of a kind, buys what scores most at once, and places every die.

    It dives with at most two dice, as the lesson does. It sells two or more artifacts at a time, one only where that
    takes the lead or in the last round. It collects most of the kind that it has most of, and turns a die that fits
    nowhere. It may overlook sales and purchases.
    """

    def choose(self, view: Any, rng: Random) -> Any:
        if view.phase == ARRANGE:
            return im.Roll()
        trades = [each for each in (self._order, self._purchase) if self.sees(rng)]
        for found in (self._dive, *trades, self._artifact, self._turned, self._dollars):
            if move := found(view):
                return move
        return im.PASS

    def _dive(self, view: Any) -> im.Dive | None:
        dice = company.cheapest_dive(view)
        return im.Dive(dice) if dice and len(dice) <= 2 else None

    def _order(self, view: Any) -> im.FillOrder | None:
        """The largest order, of those where the cube takes the lead if there are any."""
        found: list[tuple[bool, int, im.FillOrder]] = []
        last = max(view.reputation) >= GOAL
        for die, space, slot in _uses(view, "museum"):
            for museum, order in company.fillable(view, slot.action.artifact):
                sizes = view.catalogue.orders(museum, view.seats)
                cubes = [*view.orders[museum]]
                cubes[order] = view.active
                leads = company.majority(view, museum) != view.active
                leads = leads and company.majority_of(cubes, sizes) == view.active
                if leads or last or sizes[order] > 1:
                    found.append((leads, sizes[order], im.FillOrder(die, space, museum, order)))
        return max(found, key=lambda each: each[:2])[2] if found else None

    def _purchase(self, view: Any) -> im.Move | None:
        """A card or an upgrade with the most reputation at once, of equal ones the dearest."""
        found: list[tuple[int, int, Callable[[int, Any], im.Move]]] = []
        cards = view.catalogue.cards
        for card in company.purchases(view):
            place, score = max(company.scored_places(view, card), key=lambda each: each[1].total)
            found.append(
                (
                    score.total,
                    cards[card].dollars,
                    lambda die, on, card=card, place=place: im.Buy(die, on, card, place),
                )
            )
        for own in company.turnable(view):
            score, dollars = company.turning_score(view, own), cards[own.card].dollars
            found.append((score.total, dollars, lambda die, on, own=own: im.TurnCard(die, on, own)))
        if not found:
            return None
        *_, buy = max(found, key=lambda each: each[:2])
        return next((buy(die, space) for die, space, _slot in _uses(view, "buy")), None)

    def _artifact(self, view: Any) -> im.Move | None:
        """An artifact of the kind of which the player has most, with the lowest die that gets it."""
        held = view.artifacts[view.active]
        found: list[tuple[int, int, im.Move]] = []
        for die, space, slot in _uses(view, "gain"):
            found.append((held[slot.action.artifact], -die, im.PlaceDie(die, space)))
        for die, space, _slot in _uses(view, "gather"):
            found += [(held[each], -die, im.Gather(die, space, each)) for each in company.gatherable(view)]
        return max(found, key=lambda each: each[:2])[2] if found else None

    def _turned(self, view: Any) -> im.TurnDie | None:
        """A die turned to a face that gets an artifact."""
        fits = {
            face
            for _space, slot in company.free_slots(view)
            if slot.action.do in ("gain", "gather") and company.possible(view, slot.action)
            for face in range(1, 7)
            if slot.faces >> face & 1
        }
        for own, ability, _left in company.abilities(view):
            for die in sorted(set(view.dice)):
                for face in company.faces(ability, die):
                    if face in fits and die not in fits:
                        return im.TurnDie(own, die, face)
        return None

    def _dollars(self, view: Any) -> im.Move | None:
        return next((im.PlaceDie(die, space) for die, space, _slot in _uses(view, "earn")), None)


def _uses(view: Any, do: str) -> Iterator[tuple[int, Any, Any]]:
    """The dice, the lowest first, with the slots whose action is this one and can be carried out."""
    for die in sorted(set(view.dice)):
        for space, slot in company.spaces(view, die):
            if slot.action.do == do:
                yield die, space, slot


class PupilParty(_Pupil):
    """Goes for the Artifact, waits for its holder, and spends Boons where failing costs much.

    It keeps the party that is proposed. It goes on to the Artifact, and once another party has it, to a square with the
    holder one to six squares ahead. In a fight it spends Boons only for the Artifact, and then all that fit. It may
    overlook its Boons.
    """

    def choose(self, view: Any, rng: Random) -> Any:
        match view.phase:
            case parties.PARTY:
                return artifact.proposal(view)
            case parties.DIRECTION:
                return max(artifact.ways(view), key=lambda way: self._worth(view, way)).move
            case parties.OPPONENT:
                others = artifact.opponents(view)
                return am.Meet(view.holder if view.holder in others else others[0])
            case parties.ABILITY:
                own, other = view.counts[view.active], view.counts[view.opponent]
                return am.Name(max(range(len(own)), key=lambda ability: own[ability] - other[ability]))
            case parties.CHALLENGE:
                return am.Use(self._spent(view) if self.sees(rng) else ())
            case parties.ATTACK | parties.DEFEND:
                at_stake = view.holder in (view.active, view.opponent) and self.sees(rng)
                return am.Use(artifact.aid_sets(view)[-1] if at_stake else ())
            case parties.GIVE_UP:
                return am.GiveUp(min(view.aids[view.active], key=lambda key: _usefulness(view, key)))
            case _:
                return am.ROLL

    def _worth(self, view: Any, way: Any) -> tuple[int, ...]:
        """The order of squares: the Artifact, its holder, the holder within reach, and else the nearest to it."""
        if view.holder == parties.NOBODY:
            return (int(way.square == view.lies), -abs(way.square - view.lies))
        if view.holder in way.meets:
            return (2, 0)
        ahead = view.at[view.holder] - way.square
        return (1, 0) if 1 <= ahead <= 6 else (0, -abs(ahead))

    def _spent(self, view: Any) -> tuple[str, ...]:
        """The Boons for a Challenge: none where failing costs squares alone, else the fewest with the best chance."""
        faced = artifact.encounter(view)
        if faced is None or faced.challenge is None or faced.challenge.penalty == "squares_lost":
            return ()
        return max(
            artifact.aid_sets(view),
            key=lambda each: (artifact.chance(view, each), -artifact.worth(view, each)),
        )


PUPILS: Final[Mapping[str, Mapping[str, Agent[Any, Any]]]] = {
    key: {PUPIL: pupil(), CHILD: pupil(OVERLOOKS)}
    for key, pupil in {
        "archaeology": Pupil,
        "artifact": PupilParty,
        "artifacts-inc": PupilCompany,
        "expedition": PupilExpedition,
    }.items()
}
"""By game and name."""


def _usefulness(view: Any, key: str) -> tuple[int, int, str]:
    """The worth of an Aid, and how often its ability is asked for."""
    aid = artifact.scenario(view).aids[key]
    return aid.worth, artifact.named(view)[aid.ability], key
