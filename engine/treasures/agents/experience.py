"""What an experienced player knows cards to be worth: those kept in hand, and those left in the market for others.

Learnt from matches that agents played among themselves (tests/engine/agents/learn.py), a table for each number of
seats; for cards with other prices than the learnt ones there is an estimate.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from engine.treasures.agents.museum import revenue
from engine.treasures.state import View
from engine.treasures.table import MAP

Prices = tuple[tuple[int, ...], ...]
Rows = tuple[tuple[float, ...], ...]
"""Dollars: a row for each of an experience's `digs`, in it the worth of 0, 1, 2, ... cards."""

HELD: Final = 42
"""Worths are made for 0 to 41 cards: a card table has at most 40 of a treasure, and a Thief's gain is one more."""

SAFE: Final = 0.8
"""What Thieves, Sandstorms and bad luck leave of a set that is kept or being gathered."""
GROWTH: Final = 1.1
"""A part of a set is worth (part / whole) ** GROWTH of the whole: nearly in proportion, for cards can be swapped at
their trade value, which sets repay at nearly the same rate."""
SWAP: Final = 2.0
"""Dollars that a card is worth for each dollar of trade value at least."""
DRY: Final = 0.9
"""What keeping is worth beside selling at the dry end: whoever has nothing to wait for sells."""
BEYOND: Final = 3
"""So many cards more than a whole set are still told apart."""


@dataclass(frozen=True, slots=True, eq=False)
class Experience:
    """What cards are worth at the end of one's turn, by how long the match still goes on.

    `digs` are numbers of cards in the dig site for each seat, ascending from 0; between them worth is interpolated.
    `kept[kind]` is what cards in hand bring in the end, `offered[kind]` what cards in the market do to one's lead.
    Past its last number a hand gains a whole set's price for each further set, a market nothing.
    """

    seats: int
    prices: Prices
    digs: tuple[float, ...]
    kept: tuple[Rows, ...]
    offered: tuple[Rows, ...]

    def fits(self, view: View) -> bool:
        """Whether this was learnt in a match like this one."""
        return self.seats == view.seats and self.prices == view.prices


class Worths:
    """What 0, 1, ... `HELD` - 1 cards of each kind are worth at one moment of a match."""

    __slots__ = ("kept", "offered")

    def __init__(self, experience: Experience, site: int) -> None:
        place, share = between(experience.digs, site / experience.seats)
        self.kept = [
            _more_sets(_at(rows, place, share), prices)
            for rows, prices in zip(experience.kept, experience.prices, strict=True)
        ]
        self.offered = [_padded(_at(rows, place, share)) for rows in experience.offered]


def between(digs: Sequence[float], x: float) -> tuple[int, float]:
    """The place in `digs` below x, and how far x lies on the way to the next."""
    place = max(i for i in range(len(digs) - 1) if digs[i] <= x)
    return place, min(1.0, (x - digs[place]) / (digs[place + 1] - digs[place]))


def _at(rows: Rows, place: int, share: float) -> list[float]:
    return [(1 - share) * a + share * b for a, b in zip(rows[place], rows[place + 1], strict=True)]


def _more_sets(worths: list[float], prices: tuple[int, ...]) -> list[float]:
    whole = min(len(prices), len(worths) - 1)
    while len(worths) < HELD:
        worths.append(prices[-1] + worths[-whole])
    return worths


def _padded(worths: list[float]) -> list[float]:
    return worths + worths[-1:] * (HELD - len(worths))


@lru_cache(maxsize=16)
def estimated(seats: int, prices: Prices, trade: tuple[int, ...]) -> Experience:
    """An experience for any prices: parts of sets are worth nearly their share of the set."""
    kept: list[Rows] = []
    for kind, (steps, value) in enumerate(zip(prices, trade, strict=True)):
        counts = range(len(steps) + BEYOND + 1)
        dry = tuple(DRY * price for price in revenue(steps, len(counts) - 1))
        digging = tuple(SWAP * value * n if kind == MAP else _gathered(steps, value, n) for n in counts)
        kept.append((dry, digging, digging))
    nothing: Rows = ((0.0,), (0.0,), (0.0,))
    return Experience(seats, prices, (0.0, 1.0, 30.0), tuple(kept), (nothing,) * len(prices))


def _gathered(steps: tuple[int, ...], value: int, cards: int) -> float:
    """What cards of one treasure are worth while there is still digging: whole sets, and a part of one."""
    whole, part = len(steps), cards % len(steps)
    gathering = max(SAFE * steps[-1] * (part / whole) ** GROWTH, SWAP * value * part)
    return SAFE * revenue(steps, cards)[cards - part] + gathering


@lru_cache(maxsize=4096)
def worths(experience: Experience, site: int) -> Worths:
    """What cards are worth with so many cards in the dig site."""
    return Worths(experience, site)
