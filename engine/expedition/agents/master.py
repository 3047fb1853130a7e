"""The Expert of The New Expedition, and the Master, which tries a few moves in imagined worlds: Tents, what to keep,
when to stop, too.

In these worlds it plays on by a quickened Expert. It takes an exploration to bring what it brings on average, where the
Expert weighs every card.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import combinations
from operator import sub
from random import Random
from typing import Any, Final

from engine.agents.advice import Past, Reason
from engine.agents.search import Tried
from engine.archaeology_family.agents.expert import MARGIN, Expert
from engine.archaeology_family.agents.master import Master
from engine.archaeology_family.agents.playouts import Ends, Playouts, ends_of, storm
from engine.archaeology_family.agents.reasons import left_by_storm
from engine.archaeology_family.agents.reasons import worths as sales
from engine.archaeology_family.agents.worth import CARD_FOUND, Offer, Worths, brings, kept_worth
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.moves import Explore, Sell
from engine.archaeology_family.state import View
from engine.expedition.agents.explorations import CHANGE as CHANGE_OF_MAPS
from engine.expedition.agents.explorations import LATER, MAP_WORTH, Shaft, Surveys, best_two, contents, look
from engine.expedition.agents.worths import CHANGE, gains_of, worth_saving, worths
from engine.expedition.monuments import KEPT, SAFE, TURNED, Tomb
from engine.expedition.moves import Guess, Keep, LookAt, Stop, TurnUp, UseTent
from engine.expedition.state import KEEP, TENT, ExpeditionState, ExpeditionView

CHOSEN: Final = 8.0
"""Dollars for a card chosen from a chamber of the Tomb."""
PICKED: Final = 0.6
"""Dollars less for every card that was chosen there before."""
MINED: Final = 7.0
"""Dollars that the Mine brings."""


@lru_cache(maxsize=4096)
def _largest_left(
    copies: tuple[int, ...], largest: tuple[int, ...], gone: tuple[int, ...]
) -> tuple[int, ...]:
    """By treasure, the largest set that can still come together."""
    return tuple(map(min, map(sub, copies, gone), largest))


class ExpeditionExpert(Expert):
    """Plans each turn exactly, and weighs Tents and explorations by expected worth."""

    def __init__(self, margin: float = MARGIN, patience: float = 1.0) -> None:
        super().__init__(Surveys(), margin, patience)

    def choose(self, view: View, rng: Random) -> Any:
        """A legal move for the viewer's pending decision."""
        assert isinstance(view, ExpeditionView)
        match view.phase:
            case "tent":
                return UseTent(self.storm_loss(view) >= worth_saving(view.sandstorms))
            case "keep":
                assert view.choice
                return Keep(best_two(view.choice, gains_of(view, self.kept(view))))
            case "mine":
                return self._mine(view)
            case _:
                return look(view) or super().choose(view, rng)

    def _kept(self, view: View) -> Worths:
        assert isinstance(view, ExpeditionView)
        return worths(view, self._explorations.map_worth(view))

    def storm_loss(self, view: View) -> float:
        assert isinstance(view, ExpeditionView)
        assert view.viewer is not None
        spared = view.tents[view.viewer] and view.phase != TENT
        return 0.0 if spared else super().storm_loss(view)

    def shaft(self, view: ExpeditionView) -> Shaft:
        """The Mine in which the viewer stands."""
        turned = [view.turned.count(kind) for kind in range(view.kinds)]
        return Shaft(gains_of(view, self.kept(view)), view.trade, contents(view, 0), turned)

    def _mine(self, view: ExpeditionView) -> TurnUp | Stop:
        shaft = self.shaft(view)
        return TurnUp() if shaft.prospect() > shaft.taken() else Stop()


class ExpeditionPlayouts(Playouts[ExpeditionState]):
    """Plays matches on in the six monuments."""

    # -- what cards and explorations are worth

    def situation(self, state: ExpeditionState) -> Hashable:
        monument, game = state.monument, self.game
        return (
            (monument, state.seats, not state.site, state.dry, state.explored, not state.pile),
            tuple(map(sum, state.chambers)),
            tuple(map(tuple, state.within)) if monument == "ruins" or monument == "sphinx" else None,
            _largest_left(game.copies, game.largest, tuple(state.gone)),
        )

    def make_ends(self, state: ExpeditionState) -> Ends:
        prices = self.game.prices[: state.kinds]
        left = [steps[: max(1, n)] for steps, n in zip(prices, self._unsold(state), strict=False)]
        offers = list(self._offers(state, self._kept(state, left, MAP_WORTH)))
        kept = self._kept(state, left, self._map_worth(state, offers))
        offers = () if state.explored else offers
        return ends_of(prices, self.game.trade[: state.kinds], kept, offers, dry=state.dry)

    def worth(self, state: ExpeditionState) -> list[float]:
        worth = super().worth(state)
        if state.site:
            tent = worth_saving(self._storms(state))
            return [dollars + tent * has for dollars, has in zip(worth, state.tents, strict=True)]
        return worth

    def _kept(self, state: ExpeditionState, prices: Sequence[tuple[int, ...]], map_worth: float) -> Worths:
        return kept_worth(tuple(prices), not state.site, round(map_worth, 1), CHANGE / state.seats)

    def _map_worth(self, state: ExpeditionState, offers: Sequence[Offer]) -> float:
        if state.site:
            return MAP_WORTH if offers or state.pile else CHANGE_OF_MAPS
        return max(
            [0.9 * self.game.prices[MAP][0], *(LATER * offer.gain for offer in offers if offer.maps == 1)]
        )

    def _unsold(self, state: ExpeditionState) -> list[int]:
        return list(map(sub, self.game.copies, state.gone))

    def _storms(self, state: ExpeditionState) -> int:
        return self.game.card_list.sandstorms.by_seats[state.seats] - state.sandstorms

    def _offers(self, state: ExpeditionState, kept: Worths) -> Iterator[Offer]:
        each = [values[1] for values in kept]
        costs = self.game.monuments[state.monument].costs
        for number, chamber in enumerate(state.chambers):
            if size := sum(chamber):
                move: Any = Explore(number)
                match state.monument:
                    case "tomb":
                        gain = min(KEPT, size) * (CHOSEN - PICKED * (Tomb.sizes[number] - size))
                    case "mine":
                        gain = MINED * min(1.0, size / SAFE)
                    case "sphinx":
                        gain, move = self._guess(state, each, size)
                    case "ruins":
                        gain = sum([n * value for n, value in zip(chamber, each, strict=True)])
                    case _:
                        gain = size * CARD_FOUND
                yield Offer(costs[number], gain, move)

    def _guess(self, state: ExpeditionState, each: Sequence[float], size: int) -> tuple[float, Guess]:
        """The two treasures that should bring the most, by what everybody knows of the Sphinx."""
        seen, copies = state.within[0], self.game.copies[: state.kinds]
        share = (size - sum(seen)) / (sum(copies) - copies[MAP])
        likely = [
            (n + share * more * (kind != MAP)) * value
            for kind, (n, more, value) in enumerate(zip(seen, copies, each, strict=True))
        ]
        first, second = sorted(sorted(range(state.kinds), key=lambda kind: -likely[kind])[:2])
        return (likely[first] + likely[second]) * min(1.0, TURNED / size), Guess((first, second))

    # -- answers

    def answer(self, state: ExpeditionState, seat: int) -> Any:
        if state.phase == TENT:
            _, loss = storm(self.ends(state), tuple(state.hands[seat]))
            return UseTent(loss >= worth_saving(self._storms(state)))
        if state.phase == KEEP:
            return Keep(best_two(state.chambers[state.opened or 0], self.gains(state, seat)))
        return self._mine(state, seat)

    def gains(self, state: ExpeditionState, seat: int) -> list[list[float]]:
        """By treasure, what no, one and two more cards of it add to the seat's hand."""
        return [
            [prospect.worth[n + more] - prospect.worth[n] for more in range(KEPT + 1)]
            for prospect, n in zip(self.ends(state).prospects, state.hands[seat], strict=True)
        ]

    def _mine(self, state: ExpeditionState, seat: int) -> TurnUp | Stop:
        """Goes on while another card should bring more than it may bury."""
        trade = self.game.trade
        gains = self.gains(state, seat)
        taken = sum([gains[kind][1] for kind in state.turned])
        room = SAFE - sum([trade[kind] for kind in state.turned])
        unsold = self._unsold(state)
        prospect = sum(
            unsold[kind] * (gains[kind][1] if trade[kind] <= room else -taken)
            for kind in range(state.kinds)
            if kind != MAP
        )
        return TurnUp() if prospect > 0 else Stop()


class ExpeditionMaster(Master[ExpeditionState, ExpeditionView]):
    """The family's master in the six monuments."""

    playouts: ExpeditionPlayouts
    _expert: ExpeditionExpert

    def advised(
        self, view: ExpeditionView, ranked: Sequence[Tried[Any]], rng: Random, past: Past
    ) -> Tried[Any]:
        """The plan ends with the first sale that grants a look, which is advice of its own. Of Tents the Expert's
        choice is advised, for which there are plain figures.
        """
        if view.phase == TENT:
            ranked = [Tried(self._expert.choose(view, rng), 0.0, 0.0, 0.0, 0)]
        advised = super().advised(view, ranked, rng, past)
        looks = view.monument == "temple" and look(replace(view, look=True))
        sale = next((n for n, move in enumerate(advised.line, 1) if looks and isinstance(move, Sell)), None)
        return advised._replace(line=advised.line[:sale])

    def moves(self, view: ExpeditionView, rng: Random) -> list[Any]:
        if chosen := look(view):  # playouts cannot tell what knowledge is worth
            return [chosen]
        return super().moves(view, rng)

    def others(self, view: ExpeditionView, world: ExpeditionState) -> Iterator[Any]:
        match view.phase:
            case "tent":
                yield from (UseTent(True), UseTent(False))
            case "mine":  # the Expert's sum is exact
                return
            case "keep":
                yield from self._picks(view, world)
            case _:
                yield from super().others(view, world)

    def reason(self, view: ExpeditionView, best: Tried[Any], rival: Any | None) -> Reason:
        match best.move:
            case UseTent(use):
                facts = {"cards": view.sizes[view.asked] // 2, "storms": view.sandstorms, **sales(view)}
                facts["then"] = brings(left_by_storm(view), view.prices)
                facts["saved"] = round(worth_saving(view.sandstorms))
                facts["loss"] = round(self._expert.storm_loss(view))
                return Reason("spares-cards" if use else "saves-tent", facts)
            case Keep(cards):
                return Reason("keeps-best", {"cards": cards, **sales(view, cards)})
            case TurnUp() | Stop():
                shaft = self._expert.shaft(view)
                facts = {"more": round(shaft.prospect()), "stop": round(shaft.taken())}
                # Moves without parts are equal to each other, so the class tells them apart.
                return Reason("risks-more" if isinstance(best.move, TurnUp) else "takes-what-lies", facts)
            case LookAt(chamber):
                return Reason("looks", {"cards": view.chambers[chamber]})
            case Guess(treasures):
                facts = {"treasures": treasures, **sales(view, [(kind, 1) for kind in treasures])}
                facts |= {"there": tuple([(kind, view.within[0][kind]) for kind in sorted(treasures)])}
                facts |= {"unseen": tuple([(kind, view.unseen[kind]) for kind in sorted(treasures)])}
                return Reason("names-likeliest", {**facts, "of": sum(view.unseen)})
            case _:
                code, facts = super().reason(view, best, rival)
                assert view.viewer is not None
                return Reason(code, {**facts, "tent": view.tents[view.viewer]} if "storm" in facts else facts)

    def _picks(self, view: ExpeditionView, world: ExpeditionState) -> Iterator[Keep]:
        assert view.choice
        gains = self.playouts.gains(world, world.asked)
        cards = [kind for kind, n in enumerate(view.choice) for _ in range(min(n, 2))]
        pairs = {((a, 2),) if a == b else ((a, 1), (b, 1)) for a, b in combinations(cards, 2)}
        yield from map(Keep, sorted(pairs, key=lambda pair: (-sum(gains[kind][n] for kind, n in pair), pair)))
