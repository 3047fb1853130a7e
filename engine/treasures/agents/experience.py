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
Curve = tuple[float, ...]
"""A worth in dollars at each of an experience's `digs`."""

HELD: Final = 19
"""No hand or market holds more cards of a treasure than this many less one (18 Pot Shards)."""

SAFE: Final = 0.8
"""What Thieves, Sandstorms and bad luck leave of a set that is kept or being gathered."""
GROWTH: Final = 1.1
"""A part of a set is worth (part / whole) ** GROWTH of the whole: nearly in proportion, for cards can be swapped at
their trade value, which sets repay at nearly the same rate."""
SWAP: Final = 2.0
"""Dollars that a card is worth for each dollar of trade value at least."""


@dataclass(frozen=True, slots=True, eq=False)
class Experience:
    """What cards are worth at the end of one's turn, by how long the match still goes on.

    `digs` are numbers of cards in the dig site for each seat, ascending from 0, between which worth is interpolated.
    `kept[kind][n]` is what n cards in hand bring in the end, `offered[kind][n]` what n cards in the market do to the
    lead; beyond the last n a hand gains another whole set, a market nothing.
    """

    seats: int
    prices: Prices
    digs: tuple[float, ...]
    kept: tuple[tuple[Curve, ...], ...]
    offered: tuple[tuple[Curve, ...], ...]

    def fits(self, view: View) -> bool:
        """Whether this was learnt in a match like this one."""
        return self.seats == view.seats and self.prices == view.prices


class Worths:
    """What 0, 1, ... `HELD` - 1 cards of each kind are worth at one moment of a match."""

    __slots__ = ("kept", "offered")

    def __init__(self, experience: Experience, site: int) -> None:
        place, share = _between(experience.digs, site / experience.seats)
        self.kept = [
            _more_sets([_at(curve, place, share) for curve in curves], prices)
            for curves, prices in zip(experience.kept, experience.prices, strict=True)
        ]
        self.offered = [
            _padded([_at(curve, place, share) for curve in curves]) for curves in experience.offered
        ]


def _between(digs: Sequence[float], x: float) -> tuple[int, float]:
    """The place in `digs` below x, and how far x lies on the way to the next."""
    place = max(i for i in range(len(digs) - 1) if digs[i] <= x)
    return place, min(1.0, (x - digs[place]) / (digs[place + 1] - digs[place]))


def _at(curve: Curve, place: int, share: float) -> float:
    return (1 - share) * curve[place] + share * curve[place + 1]


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
    kept: list[tuple[Curve, ...]] = []
    for kind, (steps, value) in enumerate(zip(prices, trade, strict=True)):
        whole = len(steps)
        sold = revenue(steps, whole + 3)
        curves: list[Curve] = []
        for n in range(whole + 4):
            part = n % whole
            gathering = max(SAFE * steps[-1] * (part / whole) ** GROWTH, SWAP * value * part)
            digging = 2.0 * value * n if kind == MAP else SAFE * sold[n - part] + gathering
            curves.append((0.9 * sold[n], digging, digging))
        kept.append(tuple(curves))
    nothing: tuple[Curve, ...] = ((0.0, 0.0, 0.0),)
    return Experience(seats, prices, (0.0, 1.0, 30.0), tuple(kept), (nothing,) * len(prices))


@lru_cache(maxsize=4096)
def worths(experience: Experience, site: int) -> Worths:
    """What cards are worth with so many cards in the dig site."""
    return Worths(experience, site)
