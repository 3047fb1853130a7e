"""How likely rolls are won: exact, by counting the dice; for screens and agents.

An *ability roll* is a six-sided die and a sum of abilities and Aids, its `bonus`. A Challenge sets two six-sided dice
against it, a fight another ability roll.
"""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from functools import cache
from itertools import product
from typing import Final, NamedTuple

_FACES: Final = range(1, 7)
_CHALLENGE: Final = Counter(one + other for one, other in product(_FACES, repeat=2))
"""In how many of 36 ways two dice show a sum."""


@cache
def challenge_odds(bonus: int, printed: bool = False) -> Fraction:
    """The chance to overcome a Challenge with this bonus.

    The ability roll must be equal or higher (R40); to the letter (`printed`) the Challenge roll must be higher.

    >>> challenge_odds(0), challenge_odds(0, printed=True)
    (Fraction(35, 216), Fraction(181, 216))
    """
    ways = sum(n for die in _FACES for roll, n in _CHALLENGE.items() if die + bonus >= roll)
    overcome = Fraction(ways, len(_FACES) ** 3)
    return 1 - overcome if printed else overcome


class FightOdds(NamedTuple):
    """The chances of the three ends of a fight, to one side."""

    win: Fraction
    tie: Fraction
    lose: Fraction


@cache
def fight_odds(bonus: int, other: int) -> FightOdds:
    """The chances in a fight with this bonus against the other's.

    >>> fight_odds(2, 2)
    FightOdds(win=Fraction(5, 12), tie=Fraction(1, 6), lose=Fraction(5, 12))
    """
    leads = [one + bonus - die - other for one, die in product(_FACES, repeat=2)]
    wins, ties = sum(lead > 0 for lead in leads), leads.count(0)
    ways = len(leads)
    return FightOdds(Fraction(wins, ways), Fraction(ties, ways), Fraction(ways - wins - ties, ways))
