"""Ratings of players, by the Plackett–Luce model of the library openskill, which knows several players and ties.

docs/ratings.md says what players read about it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from statistics import mean
from typing import Final, NamedTuple, TypeVar

from openskill.models import PlackettLuce

PROVISIONAL: Final = 10
"""A rating is provisional before so many matches."""
POINTS: Final = 40
"""The points of a rating for one unit of openskill, so that players see whole numbers."""

START: Final = 667
"""The points that are added, so that a new player begins at 1,000."""

ENOUGH: Final = 5
"""An opponent counts in full after meeting so many other people, and a place on a board needs so many opponents.

`python -m tests.bench second_accounts` shows what this number and `HALF` do to an honest league and to its attackers.
"""
HALF: Final = 2
"""After so many matches with the same person in a season, the next one counts half; after twice as many, a third."""

Person = TypeVar("Person", int, int | None)
Meetings = Mapping[Person, Counter[Person]]
"""The numbers of earlier rated matches of each person with each other one in a season."""

_MODEL: Final = PlackettLuce(
    limit_sigma=True
)  # without this limit, a favourite's victory can lower the points
_FIRST_MODEL: Final = PlackettLuce()


class Rating(NamedTuple):
    """The estimate of a player's skill: a normal distribution with this mean and standard deviation."""

    mu: float
    sigma: float

    @property
    def points(self) -> int:
        """The careful value, mu − 2 sigma, in points: with a probability of 98 % the skill is higher."""
        return max(0, START + round(POINTS * (self.mu - 2 * self.sigma)))

    @property
    def up_to(self) -> int:
        """The value mu + 2 sigma, in points: with a probability of 98 % the skill is lower."""
        return max(0, START + round(POINTS * (self.mu + 2 * self.sigma)))


NEW: Final = Rating(25.0, 25.0 / 3)
"""The rating of a player before the first match."""


def rate(
    before: Sequence[Rating], ranks: Sequence[int], weights: Sequence[float] | None = None
) -> list[Rating]:
    """The ratings after a match, in the order of `before`. Equal ranks are ties; rank 1 has won.

    `weights` are the parts of the change that count, from 0 to 1. None: the match is from before there were weights,
    when the model could also make a rating less certain.

    >>> [each.points for each in rate([NEW, NEW], [1, 2], [1.0, 0.5])]
    [1127, 958]
    """
    model = _FIRST_MODEL if weights is None else _MODEL
    teams = [[model.rating(mu=each.mu, sigma=each.sigma)] for each in before]
    after = [Rating(one.mu, one.sigma) for (one,) in model.rate(teams, ranks=[float(rank) for rank in ranks])]
    if weights is None:
        return after
    return [
        Rating(*(was + weight * (now - was) for was, now in zip(old, new, strict=True)))
        for old, new, weight in zip(before, after, weights, strict=True)
    ]


def weights_of(people: Sequence[Person], earlier: Meetings[Person]) -> list[float]:
    """The weight of a match for each of its people: the mean of what the match with each opponent counts.

    It counts less the more often the two have met in the season (`HALF`), and less if the opponent has met few others
    (`ENOUGH`).

    >>> weights_of([1, 2], {1: Counter({2: 2}), 2: Counter({1: 2, 3: 1, 4: 1, 5: 1, 6: 1})})
    [0.5, 0.1]
    """

    def counts(person: Person, other: Person) -> float:
        others = {*earlier[other], *people} - {person, other}
        return min(1.0, (1 + len(others)) / ENOUGH) / (1 + earlier[person][other] / HALF)

    seats = range(len(people))
    return [mean(counts(people[seat], people[each]) for each in seats if each != seat) for seat in seats]


class Places(NamedTuple):
    """The people who have a place on a board, and the number of opponents that a place needs."""

    people: Collection[int]
    needed: int


def places_of(opponents: Mapping[int, Collection[int]]) -> Places:
    """The places on a board. `opponents` are the different opponents of each person in the season.

    A place needs `ENOUGH` opponents who have a place themselves, or half as many as there are people, if that is less.
    Only the largest circle of people who have met has places, because ratings of circles that never met cannot be
    compared.

    >>> places_of({1: {2}, 2: {1}, 3: {4, 5}, 4: {3, 5}, 5: {3, 4}})
    Places(people={3, 4, 5}, needed=1)
    """
    circles: list[set[int]] = []
    for person in opponents:
        if not any(person in circle for circle in circles):
            circle, new = {person}, {person}
            while new := {other for one in new for other in opponents[one]} - circle:
                circle |= new
            circles.append(circle)
    most = max(map(len, circles), default=0)
    people = {person for circle in circles if len(circle) == most for person in circle}
    needed = max(1, min(ENOUGH, most // 2))
    while few := {person for person in people if len(people.intersection(opponents[person])) < needed}:
        people -= few
    return Places(people, needed)
