"""The chance of each of two parties to bring the Artifact home: solved exactly for a simple model of the match.

The model has two parties, *own* and *rival*, that move as the rules say; who has no Artifact goes where its chances are
best. In every fight the own party's chance to win less that to lose is the same, its `lead`. There are no encounters.
Without them the holder only ever comes nearer to home, so that every square can be solved from those before it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from engine.artifact.state import END, HOME

_FACES: Final = range(1, 7)
_TIE: Final = 0.12
"""How often a fight is drawn; it changes little with what the parties are like."""
_LEADS: Final = (0.0, 0.45, 0.9)
"""The leads that are solved. Leads between them are interpolated, leads below 0 are the rival's."""

Grid = list[list[float]]
"""The own party's chance by the holder's square and the other's; on the way out by the own and the rival's."""


class Pursuit:
    """The own party's chances with one lead.

    `held[who][turn]`: the own party (0) or the rival (1) has the Artifact, and the holder (0) or the other (1) moves
    next. `out[turn]`: nobody has it yet, and the own party (0) or the rival (1) moves next.
    """

    __slots__ = ("_falls", "held", "out")

    def __init__(self, lead: float) -> None:
        winning = (1 - _TIE + lead) / 2
        self._falls = (1 - _TIE - winning, winning)
        """How likely the holder loses a fight, by who it is."""
        self.held: tuple[tuple[Grid, Grid], ...] = ((_grid(), _grid()), (_grid(), _grid()))
        self.out: tuple[Grid, Grid] = (_grid(), _grid())
        for square in range(HOME, END + 1):
            self._solve(square)
        for one in range(END - 1, HOME - 1, -1):
            for other in range(END - 1, HOME - 1, -1):
                # The party farther back is solved with the other's moves still to come, which all lead forward.
                self.out[0][one][other] = self._race(0, one, other)
                self.out[1][one][other] = self._race(1, one, other)

    def _solve(self, square: int) -> None:
        """All positions with the holder on this square."""
        for who in (0, 1):
            for other in range(HOME, END + 1):
                self.held[who][0][square][other] = self.holder_moves(who, square, other, 1)
        for who in (0, 1):
            self.held[who][1][square][square] = self.other_moves(who, square, square, 0)
        for who in (0, 1):
            for other in range(HOME, END + 1):
                if other != square:
                    self.held[who][1][square][other] = self.other_moves(who, square, other, 0)

    def holder_moves(self, who: int, square: int, other: int, following: int) -> float:
        """The own party's chance when the holder moves and then the holder (0) or the other (1) does."""
        total = 0.0
        for die in _FACES:
            to = square - die
            if to <= HOME:
                return (total + (7 - die) * (1 - who)) / 6
            kept = self.held[who][following][to][other]
            if to == other:
                # The new holder is the one that has not moved.
                taken = self.held[1 - who][1 - following][to][to]
                kept += self._falls[who] * (taken - kept)
            total += kept
        return total / 6

    def other_moves(self, who: int, square: int, other: int, following: int) -> float:
        """The own party's chance when the one without the Artifact moves and then the holder (0) or it again (1)."""
        table = self.held[who][following][square]
        best = min if who == 0 else max
        total = 0.0
        for die in _FACES:
            found: list[float] = []
            for to in _landings(other, die):
                chance = table[to]
                if to == square and square != HOME:
                    taken = self.held[1 - who][1 - following][square][square]
                    chance += self._falls[who] * (taken - chance)
                found.append(chance)
            total += best(found)
        return total / 6

    def _race(self, turn: int, one: int, other: int) -> float:
        """On the way out, where fights change little."""
        total = 0.0
        for die in _FACES:
            to = (other if turn else one) + die
            if to >= END:
                stays = one if turn else other
                total += (7 - die) * self.held[turn][1][END][stays]
                break
            total += self.out[0][one][to] if turn else self.out[1][to][other]
        return total / 6


def _grid() -> Grid:
    return [[0.5] * (END + 1) for _ in range(END + 1)]


@cache
def _landings(square: int, die: int) -> tuple[int, ...]:
    """Where a party may end that can choose its direction; at the ends of the trail it cannot (R50)."""
    if square == HOME:
        return (HOME + die,)
    if square == END:
        return (END - die,)
    return (min(END, square + die), max(HOME, square - die))


@cache
def solved(number: int) -> Pursuit:
    """The pursuit with one of the leads."""
    return Pursuit(_LEADS[number])


def chance(lead: float, ask: Callable[[Pursuit, int], float]) -> float:
    """The own party's chance with this lead, between those that are solved.

    `ask` looks a position up for the own party as 0 or, where the lead is the rival's, as 1.
    """
    swapped = int(lead < 0)
    size = min(abs(lead), _LEADS[-1])
    number = 0 if size < _LEADS[1] else 1
    low, high = ask(solved(number), swapped), ask(solved(number + 1), swapped)
    share = (size - _LEADS[number]) / (_LEADS[number + 1] - _LEADS[number])
    found = low + share * (high - low)
    return 1 - found if swapped else found


def holding(lead: float, own: bool, square: int, other: int, holder_next: bool) -> float:
    """The chance where the own party (or else the rival) has the Artifact on `square`."""
    turn = int(not holder_next)
    return chance(lead, lambda found, swapped: found.held[int(not own) ^ swapped][turn][square][other])


def delayed(lead: float, own: bool, square: int, other: int, holder_skips: bool) -> float:
    """As `holding`, but one of the two is next to move, and then again, as the other loses a turn."""

    def ask(found: Pursuit, swapped: int) -> float:
        who = int(not own) ^ swapped
        if holder_skips:
            return found.other_moves(who, square, other, 1)
        return found.holder_moves(who, square, other, 0)

    return chance(lead, ask)


def racing(lead: float, own: int, rival: int, own_next: bool) -> float:
    """The chance where the Artifact has not been taken yet."""

    def ask(found: Pursuit, swapped: int) -> float:
        turn = int(not own_next) ^ swapped
        return found.out[turn][rival][own] if swapped else found.out[turn][own][rival]

    return chance(lead, ask)
