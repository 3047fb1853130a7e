"""States of Archaeology made to measure, all cards accounted for, for what chance would seldom bring about."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from engine.archaeology import create
from engine.archaeology.rules import CHAMBERS
from engine.archaeology_family.card_list import MAP, SANDSTORM, THIEF, TREASURES
from engine.archaeology_family.state import ACT, DIG, STEAL, STORM, State

GAME = create()
KEY = bytes(range(32))
COPIES: dict[str, int] = dict(zip(TREASURES, GAME.copies, strict=False))

Cards = Mapping[str, int]


def cards(**counts: int) -> Cards:
    """Cards by their treasures' keys: `cards(coin=2, map=1)`."""
    return counts


def craft(
    hands: Sequence[Cards],
    *,
    market: Cards | None = None,
    site: Sequence[str] = (),
    sold: Sequence[Sequence[tuple[str, int]]] = (),
    active: int = 0,
    phase: str = DIG,
    asked: int | None = None,
    queue: Sequence[int] = (),
    explored: bool = False,
    rest: str = "site",
) -> State:
    """A state in which each seat holds what is said, and the dig site's next cards are `site` ("thief" among them).

    The treasures not spoken of lie below those in the dig site, in the market, or (`rest="sold"`) are sold by the
    last seat, one at a time.
    """
    seats = len(hands)
    left: Counter[str] = Counter(COPIES)
    state = State(seats=seats, kinds=GAME.card_list.kinds(seats), key=KEY)
    state.hands = [_take(left, hand) for hand in hands]
    state.market = _take(left, market or {})
    state.sold = [[(TREASURES.index(key), n) for key, n in sets] for sets in sold] or [[] for _ in hands]
    for sets in sold:
        left.subtract(dict(_sum(sets)))
    top = [
        THIEF if name == "thief" else SANDSTORM if name == "sandstorm" else TREASURES.index(name)
        for name in site
    ]
    left.subtract(name for name in site if name in COPIES)
    assert min(left.values()) >= 0, f"there are not so many: {left}"
    for size in CHAMBERS:
        state.chambers.append([0] * state.kinds if explored else _chamber(left, size))
    others = [TREASURES.index(key) for key, n in sorted(left.items()) for _ in range(n)]
    if rest == "sold":
        state.sold[-1] += [(kind, 1) for kind in others]
        others = []
    elif rest == "market":
        for kind in others:
            state.market[kind] += 1
        others = []
    state.site = [*others, *reversed(top)]
    state.thieves = GAME.card_list.thieves.by_seats[seats] - state.site.count(THIEF)
    state.sandstorms = GAME.card_list.sandstorms.by_seats[seats] - state.site.count(SANDSTORM)
    state.active, state.phase = active, phase
    state.asked = active if asked is None else asked
    state.queue = list(queue)
    state.dry = phase == ACT and not state.site
    state.moves = 40
    return GAME.load(GAME.dump(state))


def _sum(sets: Sequence[tuple[str, int]]) -> Counter[str]:
    total: Counter[str] = Counter()
    for key, n in sets:
        total[key] += n
    return total


def _take(left: Counter[str], wanted: Cards) -> list[int]:
    left.subtract(dict(wanted))
    counts = [0] * len(COPIES)
    for key, n in wanted.items():
        counts[TREASURES.index(key)] = n
    return counts


def _chamber(left: Counter[str], size: int) -> list[int]:
    counts = [0] * len(COPIES)
    for _ in range(size):
        key = max((key for key in left if TREASURES.index(key) != MAP), key=lambda key: left[key])
        left[key] -= 1
        counts[TREASURES.index(key)] += 1
    return counts


def everything(**fewer: int) -> dict[str, Any]:
    """All treasures there are, less some."""
    return {key: n - fewer.get(key, 0) for key, n in COPIES.items() if n > fewer.get(key, 0)}


__all__ = ["ACT", "COPIES", "DIG", "GAME", "STEAL", "STORM", "cards", "craft", "everything"]
