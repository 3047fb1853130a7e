"""The price of cards at the museum: the best that any number of one treasure can be sold for, and in which sets."""

from __future__ import annotations

from functools import lru_cache


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


@lru_cache(maxsize=4096)
def largest_set(prices: tuple[int, ...], cards: int) -> int:
    """The size of the first set to sell when so many cards (at least 1) are all to be sold for the most.

    >>> largest_set((2, 5, 10, 18, 30), 6)
    5
    """
    most = revenue(prices, cards)
    sizes = range(min(len(prices), cards), 0, -1)
    return next(size for size in sizes if prices[size - 1] + most[cards - size] == most[cards])
