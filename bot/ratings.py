"""Ratings of players, by the Plackett–Luce model of the library openskill, which knows several players and ties.

docs/ratings.md says what players read about it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

from openskill.models import PlackettLuce

PROVISIONAL: Final = 10
"""A rating is provisional before so many matches."""
POINTS: Final = 40
"""The points of a rating for one unit of openskill, so that players see whole numbers."""

START: Final = 667
"""The points that are added, so that a new player begins at 1,000."""

_MODEL: Final = PlackettLuce()


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


def rate(before: Sequence[Rating], ranks: Sequence[int]) -> list[Rating]:
    """The ratings after a match, in the order of `before`. Equal ranks are ties; rank 1 has won.

    >>> [each.points for each in rate([NEW, NEW], [1, 2])]
    [1127, 916]
    """
    teams = [[_MODEL.rating(mu=each.mu, sigma=each.sigma)] for each in before]
    after = _MODEL.rate(teams, ranks=[float(rank) for rank in ranks])
    return [Rating(each.mu, each.sigma) for (each,) in after]
