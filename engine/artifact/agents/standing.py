"""The worth of a position of Artifact to a party: its chance to win, as far as a simple model tells it.

The model is the pursuit of two parties (`Pursuit`), the own one and its most dangerous rival. Abilities and Aids count
for what they add to the fights to come, so the worth of an Aid that is kept and the price of a wound are chances to
win as well, and can be set against what a move gains.

The model has two parties, *own* and *rival*, that move as the rules say; who has no Artifact goes where its chances are
best. In every fight the own party's chance to win less that to lose is the same, its `lead`. There are no encounters.
Without them the holder only ever comes nearer to home, so that every square can be solved from those before it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from itertools import pairwise
from typing import Final

from engine.artifact import state as s
from engine.artifact.card_list import Scenario
from engine.artifact.choices import FightOdds, fight_odds, scenario
from engine.artifact.party import ABILITIES, GONE, LEADER, WELL
from engine.artifact.state import END, HOME, Keys, View

_FACES: Final = range(1, 7)
_TIE: Final = 0.12
"""How often a fight is drawn; it changes little with what the parties are like."""
_SOLVED_LEADS: Final = (0.0, 0.45, 0.9)
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
    return Pursuit(_SOLVED_LEADS[number])


def chance(lead: float, ask: Callable[[Pursuit, int], float]) -> float:
    """The own party's chance with this lead, between those that are solved.

    `ask` looks a position up for the own party as 0 or, where the lead is the rival's, as 1.
    """
    swapped = int(lead < 0)
    size = min(abs(lead), _SOLVED_LEADS[-1])
    number = 0 if size < _SOLVED_LEADS[1] else 1
    low, high = ask(solved(number), swapped), ask(solved(number + 1), swapped)
    share = (size - _SOLVED_LEADS[number]) / (_SOLVED_LEADS[number + 1] - _SOLVED_LEADS[number])
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


KEPT: Final = 0.6
"""The worth of a point of an Aid in the fights to come, where an ability counts 1: it is spent once.

From 0.4 to 1 the strength is the same as far as 8,000 matches can tell, and below it is less. With penalties weighed
twice, a party spends Boons in 15 instead of 10 of 100 Challenges, and wins 0.8 of 100 matches less.
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
