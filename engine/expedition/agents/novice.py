"""A sensible player of The New Expedition that does not look far ahead: rules of thumb for Tents and monuments."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from engine.archaeology_family.agents.novice import Novice, estimates
from engine.archaeology_family.agents.worth import Offer
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.moves import Explore
from engine.archaeology_family.state import View
from engine.expedition.agents.explorations import contents, look
from engine.expedition.monuments import KEPT, SAFE
from engine.expedition.moves import Guess, Keep, Stop, TurnUp, UseTent
from engine.expedition.state import ExpeditionView

SHELTER: Final = 3
"""A Tent is used when at least so many cards would be lost."""


class RulesOfThumb:
    """The offer of each monument, by the trade value that should lie there."""

    def offers(self, view: View) -> Sequence[Offer]:
        assert isinstance(view, ExpeditionView)
        return [offer for number in view.explorable if (offer := self._offer(view, number))]

    def map_worth(self, view: View) -> float:
        return float(view.prices[MAP][0])

    def _offer(self, view: ExpeditionView, number: int) -> Offer | None:
        """The offer of a chamber.

        None for one of the Ruins that holds less than its Map is worth, while more cards may come.
        """
        cost, cards = view.costs[number], contents(view, number)
        if view.monument == "sphinx":
            return Offer(cost, 1.0, _likeliest(view, cards))
        value = sum(trade * n for trade, n in zip(view.trade, cards, strict=True))
        poor = view.monument == "ruins" and value <= view.trade[MAP] and not view.dry
        return None if poor else Offer(cost, value, Explore(number))


class ExpeditionNovice(Novice):
    """The family's novice in the six monuments."""

    def __init__(self, margin: float) -> None:
        super().__init__(RulesOfThumb(), margin)

    def choose(self, view: View, rng: Random) -> Any:
        assert isinstance(view, ExpeditionView)
        match view.phase:
            case "tent":
                return UseTent(_wants_tent(view))
            case "keep":
                return Keep(_best_of(view))
            case "mine":
                return TurnUp() if _worth_a_risk(view) else Stop()
            case _:
                return look(view) or super().choose(view, rng)


def _wants_tent(view: ExpeditionView) -> bool:
    """Whether many cards would be lost, or this is the last Sandstorm."""
    return view.sizes[view.asked] // 2 >= SHELTER or not view.sandstorms


def _best_of(view: ExpeditionView) -> tuple[tuple[int, int], ...]:
    """The cards of the Tomb's chamber that raise the hand's worth most, one after the other."""
    hand, left = list(view.hand or ()), list(view.choice or ())
    kept = [0] * view.kinds
    for _ in range(KEPT):
        worth = [estimates(view, kind, n + 1) for kind, n in enumerate(hand)]
        kind = max(
            (kind for kind, n in enumerate(left) if n),
            key=lambda kind: worth[kind][hand[kind] + 1] - worth[kind][hand[kind]],
        )
        hand[kind] += 1
        left[kind] -= 1
        kept[kind] += 1
    return tuple((kind, n) for kind, n in enumerate(kept) if n)


def _worth_a_risk(view: ExpeditionView) -> bool:
    """Whether one more card is likely to bring more trade value than it puts at stake."""
    at_stake = view.worth_turned
    room = SAFE - at_stake
    cards = zip(view.trade, contents(view, 0), strict=True)
    return sum(n * (value if value <= room else -at_stake) for value, n in cards) > 0


def _likeliest(view: ExpeditionView, cards: Sequence[float]) -> Guess:
    """The two treasures of which the most trade value should lie there."""
    first, second, *_ = sorted(range(view.kinds), key=lambda kind: -cards[kind] * view.trade[kind])
    return Guess((first, second))
