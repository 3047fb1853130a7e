"""The worth of a position to a seat at the end of its turn, as a guess at the match's result.

Everything is counted in reputation at the end of the match: what a seat has, what its dollars, artifacts and cards
will become in the turns that are left, and the majorities that it can expect (`prospects`).
"""

from __future__ import annotations

from math import exp, log1p, sqrt
from typing import Final, NamedTuple

from engine.artifacts_inc.agents.box import Box, Company, Museums
from engine.artifacts_inc.agents.income import NO_LEANING
from engine.artifacts_inc.agents.prospects import Expected, Prospects
from engine.artifacts_inc.agents.table import Course, Table
from engine.artifacts_inc.catalogue import NO_PILE
from engine.artifacts_inc.company import MOST_DICE
from engine.artifacts_inc.state import GOAL, Position

_TIES: Final = 0.001
"""The part of the own value that decides between positions in which victory is as sure."""

_Rivals = tuple[tuple[float, float], ...]
"""For each of the others the value to be reached, and by how much less or more is still in doubt."""


class _Outlook(NamedTuple):
    """All that the value of positions with the same company, museums, dives and reputation has in common.

    `tied` says whether the dollars of the turn may break a tie with one of the others.
    """

    expected: Expected
    rivals: _Rivals
    tied: bool


class Standing:
    """Judges the positions that the active seat can reach in its turn from where the table stands.

    It follows from the table alone, so it serves for all rolls at the same table.
    """

    def __init__(self, table: Table, box: Box) -> None:
        self.table, self.seat = table, table.seat
        self.prospects = prospects = Prospects(table, box)
        self.weights, self.leaning, self.catalogue = prospects.weights, prospects.leaning, prospects.catalogue
        self._again, self._others = prospects.after, list(prospects.after)
        self._leans = self.leaning != NO_LEANING
        self._lead = max(table.reputation[other] for other in self._others)
        self._judged: dict[object, tuple[float, float, _Rivals]] = {}
        self._outlooks: dict[object, _Outlook] = {}
        self._values: dict[object, float] = {}
        self._leanings: dict[Company, float] = {}

    def begun(self, position: Position) -> Course:
        """Where the turn stands."""
        table, prospects, seat = self.table, self.prospects, self.seat
        company = prospects.companies[seat]
        return Course(
            tuple(position.dice),
            company.covered(position.covered),
            company.used(position.used),
            -1,
            table.dollars[seat],
            table.artifacts[seat],
            company,
            prospects.museums,
            prospects.taken,
            table.reputation[seat],
        )

    def judged(self, course: Course, hoped: float) -> tuple[float, float]:
        """The chance of winning as its logarithm, roughly; and with so much more reputation that is hoped for."""
        key = course[4:]  # as `kept`, without a call
        judged = self._judged.get(key)
        if judged is None:
            dollars, artifacts, company, museums, taken, reputation = key
            rest = key[2:]
            outlook = self._outlooks.get(rest)
            if outlook is None:
                outlook = self._outlooks[rest] = self._outlook(company, museums, taken, reputation)
            expected, rivals, tied = outlook
            own = self.prospects.value(expected, museums, reputation, dollars, artifacts)
            if self._leans:
                own += self._leaning(course)
            if tied:
                rivals = self._untied(course, rivals)
            judged = self._judged[key] = (_chance(own, rivals), own, rivals)
        worth, own, rivals = judged
        return worth, _chance(own + hoped, rivals) if hoped else worth

    def outlook(self, course: Course) -> tuple[float, float, float]:
        """The chance of winning if the turn ends here, the lead over the best of the others, and the seat's own score,
        all as expected.
        """
        self.judged(course, 0.0)
        _, own, rivals = self._judged[course.kept]
        return exp(_chance(own, rivals) - _TIES * own), own - max([value for value, _ in rivals]), own

    def _outlook(self, company: Company, museums: Museums, taken: int, reputation: int) -> _Outlook:
        prospects, lead = self.prospects, max(self._lead, reputation)
        turns = 0.0 if lead >= GOAL or self.table.last else prospects.rounds(lead)
        expected = prospects.expected(self.seat, company, museums, taken, turns)
        rivals: list[tuple[float, float]] = []
        for other in self._others:
            theirs = turns + prospects.after[other]
            value = self._other(other, museums, taken, theirs)
            rivals.append((value, 0.4 + self.weights.spread * sqrt(theirs)))
        return _Outlook(expected, tuple(rivals), not turns and not all(self._again.values()))

    def _other(self, other: int, museums: Museums, taken: int, turns: float) -> float:
        """Of another seat's value only orders, dives and the turns left change within a turn."""
        key = (other, museums, taken, turns)
        value = self._values.get(key)
        if value is None:
            table, prospects = self.table, self.prospects
            expected = prospects.expected(other, prospects.companies[other], museums, taken, turns)
            has = table.reputation[other], table.dollars[other], table.artifacts[other]
            value = self._values[key] = prospects.value(expected, museums, *has)
        return value

    def _untied(self, course: Course, rivals: _Rivals) -> _Rivals:
        """The values of the others, who are a little behind or ahead where a tie is broken so (R24)."""
        return tuple(
            [
                (value if self._again[other] else value - 0.2 * self._before(course, other), doubt)
                for other, (value, doubt) in zip(self._others, rivals, strict=True)
            ]
        )

    def _before(self, course: Course, other: int) -> int:
        """How a tie in reputation is broken (R24): 1 for the seat, -1 for the other."""
        dollars = self.table.dollars[other]
        if course.dollars != dollars:
            return 1 if course.dollars > dollars else -1
        own, theirs = course.museums.filled_by[self.seat], course.museums.filled_by[other]
        return (own > theirs) - (own < theirs)

    def _leaning(self, course: Course) -> float:
        """The seat's leanings, counted as reputation."""
        leaning, seat, company = self.leaning, self.seat, course.company
        dives = self.table.divers.count(seat) + course.taken - self.prospects.taken
        total = leaning.museums * course.museums.filled_by[seat] + leaning.dives * dives
        bought = self._leanings.get(company)
        if bought is None:
            start = sum([self.catalogue.side(2 * card).dice for card in self.catalogue.start])
            bought = leaning.adventurers * (min(MOST_DICE, company.dice) - start)
            for number in company.sides:
                card = self.catalogue.cards[number >> 1]
                purchases = (card.pile != NO_PILE) + (number & 1)
                bought += purchases * leaning.purchase(card.dollars, 0)
            self._leanings[company] = bought
        return total + bought


def _chance(own: float, rivals: _Rivals) -> float:
    """How surely this value is above those of the others, as a logarithm."""
    total = _TIES * own
    for value, doubt in rivals:
        total -= log1p(exp(min(50.0, (value - own) / doubt)))
    return total
