"""Chambers of the Archaeology family: counts of cards by treasure. Both games lay them out and empty them alike."""

from __future__ import annotations

from engine.archaeology_family.card_list import Bundles, bundles


def lay_chamber(cards: list[int], size: int, kinds: int) -> list[int]:
    """A chamber of so many cards, taken from the end of `cards`."""
    chamber = [0] * kinds
    for _ in range(size):
        chamber[cards.pop()] += 1
    return chamber


def take_all(chamber: list[int], hand: list[int]) -> Bundles:
    """Moves all the cards of a chamber into a hand, and returns them.

    >>> chamber, hand = [0, 2], [1, 1]
    >>> take_all(chamber, hand)
    ((1, 2),)
    >>> chamber, hand
    ([0, 0], [1, 3])
    """
    found = bundles(chamber)
    for kind, n in found:
        hand[kind] += n
        chamber[kind] = 0
    return found
