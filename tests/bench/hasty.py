"""Players to be measured against who never trade: simple ones, but no fools."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from engine.archaeology_family.agents.worth import largest_set
from engine.archaeology_family.card_list import MAP, Bundles
from engine.archaeology_family.moves import Dig, Discard, EndTurn, Explore, Sell, Steal
from engine.archaeology_family.state import ACT, DIG, STORM, View
from engine.expedition.moves import Guess, Keep, Stop, TurnUp, UseTent
from engine.expedition.state import KEEP, MINE, TENT, ExpeditionView
from engine.game import Agent

HASTY: Final = "hasty"


class Hasty:
    """Sells each largest set the moment it is whole, explores as soon as it can, and never trades.

    To a Sandstorm it loses the cards of the least trade value, a Thief it sends to the fullest hand, and when the
    dig site is empty it sells all it holds.
    """

    slow = False

    def choose(self, view: Any, rng: Random) -> Any:
        hand = view.hand
        assert hand is not None
        if view.phase == DIG:
            return Dig()
        if view.phase == ACT:
            return self._explore(view, hand) or _sale(view, hand) or EndTurn()
        if view.phase == STORM:
            cheapest = sorted(range(len(hand)), key=lambda kind: view.trade[kind])
            return Discard(first_cards(hand, cheapest, view.to_lose))
        return Steal(max(view.victims, key=lambda seat: view.sizes[seat]))

    def _explore(self, view: Any, hand: Sequence[int]) -> Any:
        reach = range(min(hand[MAP], len(view.chambers)))
        chambers = [number for number in reach if view.chambers[number]]
        return Explore(chambers[-1]) if chambers else None


class HastyExpedition(Hasty):
    """The same in The New Expedition.

    It uses its Tent against the first Sandstorm, looks at no chamber, keeps the Tomb's cards of the most trade
    value, stops in the Mine at 3, and names to the Sphinx the treasures of the most copies.
    """

    def choose(self, view: ExpeditionView, rng: Random) -> Any:
        if view.phase == TENT:
            return UseTent(True)
        if view.phase == KEEP:
            choice = view.choice
            assert choice
            return Keep(first_cards(choice, sorted(range(view.kinds), key=lambda kind: -view.trade[kind]), 2))
        if view.phase == MINE:
            return Stop() if view.worth_turned >= 3 else TurnUp()
        return super().choose(view, rng)

    def _explore(self, view: ExpeditionView, hand: Sequence[int]) -> Any:
        chambers = [number for number in view.explorable if view.costs[number] <= hand[MAP]]
        if not chambers:
            return None
        if view.monument == "sphinx":
            first, second, *_ = sorted(range(view.kinds), key=lambda kind: -view.copies[kind])
            return Guess((first, second))
        return Explore(chambers[-1])


def first_cards(counts: Sequence[int], kinds: Sequence[int], due: int) -> Bundles:
    """The first `due` of some cards, in the order of `kinds`."""
    chosen: dict[int, int] = {}
    for kind in kinds:
        chosen[kind] = min(counts[kind], due - sum(chosen.values()))
    return tuple(sorted((kind, n) for kind, n in chosen.items() if n))


def _sale(view: View, hand: Sequence[int]) -> Sell | None:
    for kind, n in enumerate(hand):
        largest = len(view.prices[kind])
        if n >= largest and kind != MAP:
            return Sell(kind, largest)
        if n and view.dry:
            return Sell(kind, largest_set(view.prices[kind], n))
    return None


BASELINES: Final[Mapping[str, Mapping[str, Agent[Any, Any]]]] = {
    "archaeology": {HASTY: Hasty()},
    "expedition": {HASTY: HastyExpedition()},
}
"""By game and name."""
