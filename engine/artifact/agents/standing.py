"""The worth of a position of Artifact to a party: its chance to win, as far as a simple model tells it.

The model is the pursuit of two parties (`pursuit`), the own one and its most dangerous rival. Abilities and Aids count
for what they add to the fights to come, so the worth of an Aid that is kept and the price of a wound are chances to
win as well, and can be set against what a move gains.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from engine.artifact import state as s
from engine.artifact.agents.pursuit import delayed, holding, racing
from engine.artifact.catalogue import Scenario
from engine.artifact.choices import scenario
from engine.artifact.odds import FightOdds, fight_odds
from engine.artifact.party import ABILITIES, GONE, LEADER, WELL
from engine.artifact.state import Keys, View

KEPT: Final = 0.6
"""The worth of a point of an Aid in the fights to come, where an ability counts 1: it is spent once.

From 0.5 to 1 the strength is the same as far as 4,500 matches can tell.
"""
_AMBUSH: Final = 4
"""So many squares before the holder a party is most dangerous to it."""
_TURN: Final = 3
"""The squares that a turn is worth on the way out."""
_LAST: Final = s.END - 1
_CERTAIN: Final = 6
"""A lead of so many points wins any fight."""


def lead(odds: FightOdds) -> float:
    """The chance to win less that to lose."""
    return float(odds.win - odds.lose)


_LEADS: Final = tuple(lead(fight_odds(points, 0)) for points in range(_CERTAIN + 1))
"""The lead with so many points more than the other, and what each point adds to it."""
_SLOPES: Final = tuple(after - before for before, after in pairwise(_LEADS))


class Side:
    """A party as far as fights are concerned, so many points an ability."""

    __slots__ = ("_leads", "aids", "counts", "points")

    def __init__(self, known: Scenario, counts: Sequence[float], aids: Keys) -> None:
        self.counts = counts
        self.aids = aids
        points = list(counts)
        for key in aids:
            aid = known.aids[key]
            points[aid.ability] += KEPT * aid.worth
        self.points = points
        self._leads: dict[Side, float] = {}

    def lead(self, other: Side) -> float:
        """The mean lead in fights to come: each ability is rolled alike."""
        if other not in self._leads:
            self._leads[other] = self._lead(other)
        return self._leads[other]

    def _lead(self, other: Side) -> float:
        """Points may be fractions; what lies between whole ones is interpolated."""
        total = 0.0
        for own, against in zip(self.points, other.points, strict=True):
            more = own - against
            size = more if more > 0 else -more
            whole = int(size)
            lead = _LEADS[whole] + (size - whole) * _SLOPES[whole] if whole < _CERTAIN else 1.0
            total += lead if more > 0 else -lead
        return total / len(ABILITIES)


class Standing:
    """A view, judged for one seat against a rival: the most dangerous one, where none is given."""

    def __init__(self, view: View, seat: int, rival: int | None = None) -> None:
        self.view = view
        self.seat = seat
        self.known = scenario(view)
        self.rival = _rival(view, seat) if rival is None else rival
        self.at = view.at[seat]
        self._sides: dict[tuple[int, Keys], Side] = {}
        self._wounded: dict[Side, Side] = {}
        self._after: dict[int, list[float]] = {}

    def side(self, seat: int, aids: Keys) -> Side:
        """A party with these Aids left."""
        key = seat, aids
        if key not in self._sides:
            self._sides[key] = Side(self.known, self.view.counts[seat], aids)
        return self._sides[key]

    def wounded(self, side: Side, seat: int) -> Side:
        """The party after one wound more, as it is on average."""
        if side not in self._wounded:
            if seat not in self._after:
                self._after[seat] = _after_wound(self.view, seat)
            self._wounded[side] = Side(self.known, self._after[seat], side.aids)
        return self._wounded[side]

    def worth(
        self,
        own: Side,
        rival: Side,
        holder: int,
        squares: tuple[int, int],
        own_next: bool,
        skips: int = s.NOBODY,
    ) -> float:
        """The chance to win with these parties, this holder and these squares, the own party's first.

        `skips` is a seat that loses its next turn.
        """
        at, rival_at = squares
        ahead = own.lead(rival)
        if holder == s.NOBODY:
            return self._racing(ahead, at, rival_at, own_next, skips)
        mine = holder == self.seat
        square, other = (at, rival_at) if mine else (rival_at, at)
        if skips != s.NOBODY:
            return delayed(ahead, mine, square, other, holder_skips=skips == holder)
        return holding(ahead, mine, square, other, holder_next=own_next == mine)

    def _racing(self, ahead: float, at: int, rival_at: int, own_next: bool, skips: int) -> float:
        """The chance while nobody holds the Artifact; one that has fallen is taken to lie at the trail's end."""
        if skips != s.NOBODY:
            own_next = skips == self.rival
            at += _TURN * own_next
            rival_at += _TURN * (not own_next)
        return racing(ahead, min(at, _LAST), min(rival_at, _LAST), own_next)


def _rival(view: View, seat: int) -> int:
    """The party to reckon with: the holder; for the holder, who lies in wait; else who is nearest to the Artifact."""
    others = [one for one, square in enumerate(view.at) if square != s.GONE and one != seat]
    if view.holder in others:
        return view.holder
    if view.holder == seat:
        ahead = max(s.HOME, view.at[seat] - _AMBUSH)
        return min(others, key=lambda one: abs(view.at[one] - ahead))
    return min(others, key=lambda one: abs(view.at[one] - view.lies))


def _after_wound(view: View, seat: int) -> list[float]:
    """How often the party has each ability after one wound more, on average (R43, R58)."""
    party, wounds = view.members[seat], view.wounds[seat]
    exposed = [n for n, wound in enumerate(wounds) if n != LEADER and wound != GONE] or [LEADER]
    left = [float(count) for count in view.counts[seat]]
    for member in exposed:
        abilities = party[member]
        if not abilities:
            continue
        share = (1 / len(abilities) if wounds[member] == WELL else 1.0) / len(exposed)
        for ability in abilities:
            left[ability] -= share
    return left
