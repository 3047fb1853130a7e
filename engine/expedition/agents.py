"""Agents to play with until The New Expedition has its own: the family's, with rules of thumb for what is new."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

from engine.expedition.monuments import KEPT, SAFE
from engine.expedition.moves import Guess, Keep, LookAt, Stop, TurnUp, UseTent
from engine.expedition.state import ExpeditionView
from engine.game import Agent
from engine.treasures.agents.explore import Expeditions, Offer
from engine.treasures.agents.novice import Novice, estimates
from engine.treasures.agents.veteran import Veteran
from engine.treasures.moves import Explore
from engine.treasures.state import View
from engine.treasures.table import MAP

CARD_FOUND: Final = 4.0
"""Dollars that an unknown card brings in the end."""
CARDS_MINED: Final = 1.6
"""Cards that the Mine and the Sphinx bring on average."""
SHELTER: Final = 3
"""So many cards to lose make a Tent worth its use."""


class MonumentExpeditions:
    """What each monument offers, by the number of cards."""

    def offers(self, view: View) -> Sequence[Offer]:
        assert isinstance(view, ExpeditionView)
        return [self._offer(view, number) for number in view.explorable]

    def _offer(self, view: ExpeditionView, number: int) -> Offer:
        cost = view.costs[number]
        match view.monument:
            case "sphinx":
                return Offer(cost, CARDS_MINED * CARD_FOUND, _best_guess(view))
            case "mine":
                return Offer(cost, CARDS_MINED * CARD_FOUND, Explore(number))
            case "tomb":
                return Offer(cost, 1.5 * KEPT * CARD_FOUND, Explore(number))
            case _:
                return Offer(cost, view.chambers[number] * CARD_FOUND, Explore(number))


class Stopgap:
    """Plays what the family has as `family` does, and the rest by rules of thumb."""

    slow = False

    def __init__(self, family: Agent[View, Any]) -> None:
        self._family = family

    def choose(self, view: ExpeditionView, rng: Random) -> Any:
        match view.phase:
            case "tent":
                return UseTent(_wants_tent(view))
            case "look":
                return LookAt(_unknown_chamber(view))
            case "keep":
                return Keep(_best_of(view))
            case "mine":
                return TurnUp() if _worth_a_risk(view) else Stop()
            case _:
                return self._family.choose(view, rng)


def _wants_tent(view: ExpeditionView) -> bool:
    """Before many losses, or while there is no later Sandstorm to wait for."""
    return view.sizes[view.asked] // 2 >= SHELTER or not view.sandstorms


def _unknown_chamber(view: ExpeditionView) -> int | None:
    chambers = enumerate(zip(view.chambers, view.within, strict=True))
    return next((number for number, (size, seen) in chambers if size > sum(seen)), None)


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
    room = SAFE - view.worth_turned
    unseen = _unseen(view)
    gain = 0.0
    for kind, n in enumerate(unseen):
        value = view.trade[kind]
        gain += n * (value if value <= room else -view.worth_turned)
    return gain > 0


def _best_guess(view: ExpeditionView) -> Guess:
    """The two treasures of which most trade value is unseen; Maps lie in no chamber."""
    unseen = _unseen(view)
    kinds = [kind for kind in range(view.kinds) if kind != MAP]
    first, second, *_rest = sorted(kinds, key=lambda kind: -unseen[kind] * view.trade[kind])
    return Guess((first, second))


def _unseen(view: ExpeditionView) -> list[int]:
    """How many cards of each treasure lie where the viewer cannot see them: the Mine or Sphinx perhaps."""
    unseen = list(view.copies)
    for kind, n in (bundle for sets in view.sold for bundle in sets):
        unseen[kind] -= n
    for counts in (view.market, view.hand or ()):
        for kind, n in enumerate(counts):
            unseen[kind] -= n
    for kind in view.turned:
        unseen[kind] -= 1
    unseen[MAP] = 0
    return unseen


_FAMILY: Final[Expeditions] = MonumentExpeditions()

AGENTS: Final[Mapping[str, Agent[ExpeditionView, Any]]] = {
    "novice": Stopgap(Novice(_FAMILY)),
    "veteran": Stopgap(Veteran(_FAMILY)),
}
