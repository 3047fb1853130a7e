"""The final value of cards kept till the next turn, to a player who plans turns exactly.

How this was found: least squares over temporal differences, from some thirty thousand matches that experts played
among themselves, gave a worth to every number of every treasure in hand and in the market, by the seats, the length
of the rest of the match, the Sandstorms in it and the cards known in others' hands. The learnt function is nearly this:
- In hand a part of a set is worth its share of the whole, in proportion. Cards can be swapped at their trade value,
  which all sets repay at nearly the same rate, so no card of a set waits in vain for the others.
- Each card is worth a little more as such: small change, and one that a Sandstorm or a Thief may take in place of a
  better one.
- What the market then offers others, what they are known to collect, and how many storms still lurk move this by less
  than a dollar. Good cards left to others are matched by what others leave.
The formula of that kind plays as well as the learnt tables with two seats, and better with three and four.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from engine.archaeology_family.agents.museum import revenue
from engine.archaeology_family.card_list import MAP

Worths = tuple[tuple[float, ...], ...]
"""By treasure, what 0, 1, 2, ... `HELD` - 1 cards of it are worth, in dollars."""

HELD: Final = 42
"""A card list has at most 40 cards of a treasure, and a Thief's gain is one more."""

SHARE: Final = 0.65
"""The part of its share of a set's price that a part of the set is worth. The rest is lost to Thieves, Sandstorms, and
sets that are never completed.
"""
CHANGE: Final = 0.9
"""Dollars that each card is worth, whatever it is."""
WHOLE: Final = 0.8
"""The part of its price that a whole set is worth which is kept instead of being sold at once."""
DRY: Final = 0.9
"""The part of what cards would bring now that they are worth when the dig site is empty and waiting brings nothing."""
# Tuned one at a time around the values above in duels and in matches of four, 500 and 200 at a time. Worse by four
# in a hundred or more: SHARE 0.55 and 0.75, CHANGE 0.3 and 1.2. No difference: SHARE 0.6 to 0.7, DRY 0.8 to 1.0, a
# share that grows with the part's size, a worth that changes over the match.


@lru_cache(maxsize=256)
def kept_worth(
    prices: tuple[tuple[int, ...], ...], dry: bool, map_worth: float, change: float = CHANGE
) -> Worths:
    """The value of kept cards, with these sale prices; `dry` where the dig site is empty.

    `map_worth` is a Map's, which may still explore; `change` a card's as such.

    >>> [round(worth, 1) for worth in kept_worth(((2, 15),), dry=False, map_worth=8.0)[0][:4]]
    [0.0, 5.8, 12.0, 17.8]
    """
    return tuple(_curve(steps, kind, dry, map_worth, change) for kind, steps in enumerate(prices))


def _curve(
    steps: tuple[int, ...], kind: int, dry: bool, map_worth: float, change: float
) -> tuple[float, ...]:
    sold = revenue(steps, HELD - 1)
    if kind == MAP:
        return tuple(map_worth * n for n in range(HELD))
    if dry:
        return tuple(DRY * price for price in sold)
    whole = len(steps)
    card = SHARE * steps[-1] / whole + change
    return tuple(WHOLE * sold[n - n % whole] + card * (n % whole) for n in range(HELD))
