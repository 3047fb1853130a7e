"""The worth of cards: sold at the museum, kept till the next turn, explored, and to a Thief.

The part that explores is the one in which the games of the Archaeology family differ. The worth of cards kept till the
next turn is that to a player who plans turns exactly.

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

from collections.abc import Sequence
from functools import lru_cache
from math import comb
from typing import Any, Final, NamedTuple, Protocol

from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.moves import Explore
from engine.archaeology_family.state import View


@lru_cache(maxsize=1024)
def revenue(prices: tuple[int, ...], cards: int) -> tuple[int, ...]:
    """The most that 0, 1, ... `cards` cards of one treasure bring, sold in any sets.

    >>> revenue((2, 15), 5)
    (0, 2, 15, 17, 30, 32)
    """
    most = [0]
    for n in range(1, cards + 1):
        most.append(max(price + most[n - size] for size, price in enumerate(prices[:n], 1)))
    return tuple(most)


def brings(hand: Sequence[int], prices: Sequence[tuple[int, ...]]) -> int:
    """The most dollars that the cards of a hand bring if all are sold now, in the best sets.

    >>> brings((2, 3), ((1, 5), (2, 15)))
    22
    """
    return sum([revenue(each, n)[n] for each, n in zip(prices, hand, strict=True)])


@lru_cache(maxsize=4096)
def largest_set(prices: tuple[int, ...], cards: int) -> int:
    """The size of the first set to sell when so many cards (at least 1) are all to be sold for the most.

    >>> largest_set((2, 5, 10, 18, 30), 6)
    5
    """
    most = revenue(prices, cards)
    sizes = range(min(len(prices), cards), 0, -1)
    return next(size for size in sizes if prices[size - 1] + most[cards - size] == most[cards])


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


@lru_cache(maxsize=1024)
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


HARM: Final = 0.5
"""The value of a dollar taken from the leader relative to one gained: the other opponents profit from it too."""


def digs(view: View) -> int:
    """The most treasures that the viewer may still dig up."""
    assert view.viewer is not None
    turns = (view.viewer - view.active) % view.seats or view.seats  # until its next dig
    return min((view.site + view.seats - turns) // view.seats, view.site - view.thieves - view.sandstorms)


def dig_chance(view: View, kind: int, n: int) -> int:
    """The chance that the viewer still digs up so many cards of a treasure, in hundredths."""
    held, treasures = view.unseen, view.site - view.thieves - view.sandstorms
    if n > min(held[kind], digs(view)):
        return 0
    each = digs(view) * treasures / max(1, view.site * sum(held))
    fewer = sum([comb(held[kind], i) * each**i * (1 - each) ** (held[kind] - i) for i in range(n)])
    return min(99, max(1, round(100 * (1 - fewer))))


def best_victim(view: View, kept: Worths) -> int:
    """The opponent whose random card gains the most; the one most likely to win is also harmed by its loss."""
    unseen = view.unseen
    total = max(1, sum(unseen))
    average = [n / total for n in unseen]
    held = {seat: enumerate(_shares(view, average, seat)) for seat in view.victims}
    stakes = {seat: view.sizes[seat] * sum(n * kept[kind][1] for kind, n in held[seat]) for seat in held}
    leader = max(view.victims, key=lambda seat: view.money[seat] + stakes[seat])

    def gain(seat: int) -> float:
        lost = stakes[seat] / view.sizes[seat]
        return _gain(view, kept, average, seat) + (HARM * lost if seat == leader else 0.0)

    return max(view.victims, key=gain)


def _shares(view: View, average: list[float], seat: int) -> list[float]:
    size, public = view.sizes[seat], view.known[seat]
    unknown = size - sum(public)
    return [(n + unknown * share) / size for n, share in zip(public, average, strict=True)]


def _gain(view: View, kept: Worths, average: list[float], seat: int) -> float:
    hand = view.own_hand
    shares = _shares(view, average, seat)
    return sum(
        share * (kept[kind][hand[kind] + 1] - kept[kind][hand[kind]]) for kind, share in enumerate(shares)
    )


CARD_FOUND: Final = 5.0
"""Dollars that an unknown card brings in the end: its mean share of a largest set.

So an expert explores wherever it can. In 500 matches each against the value 4, the value 3 won 41 in a hundred and the
value 5 won 52; 6 and 8 play like 5.
"""

MAP_WORTH: Final = 8.0
"""Dollars for a Map kept till the next turn. To trade with, it would be worth about 6. The value 6.5 plays worse, 10
does not.
"""


class Offer(NamedTuple):
    """An exploration: the Maps it costs, what it should bring in dollars, and the move."""

    maps: int
    gain: float
    move: Any


class Explorations(Protocol):
    """A game's explorations, as agents see them."""

    def offers(self, view: View) -> Sequence[Offer]:
        """The chambers that could be explored this turn with enough Maps, even if the viewer does not have them."""
        ...

    def map_worth(self, view: View) -> float:
        """Dollars for a Map that is kept till the next turn."""
        ...


class PyramidExplorations:
    """Chambers of unknown cards, each explored once: chamber n costs n + 1 Maps."""

    def offers(self, view: View) -> Sequence[Offer]:
        return [
            Offer(number + 1, cards * CARD_FOUND, Explore(number))
            for number, cards in enumerate(view.chambers)
            if cards
        ]

    def map_worth(self, view: View) -> float:
        return MAP_WORTH if view.site else DRY * view.prices[MAP][0]
