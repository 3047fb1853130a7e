"""Chance that anyone can replay: numbers drawn from named streams of HMAC-SHA256.

A stream is a name under a match's key. Its n-th block is HMAC-SHA256(key, name ‖ ":" ‖ n); a state keeps only
how many blocks of each stream are used, so the same moves meet the same chance everywhere. Every call starts
at a fresh block, and takes 32-bit words from it, from the left, rejecting what would favour small numbers.
"""

from __future__ import annotations

from collections.abc import Iterator
from hmac import digest
from itertools import chain
from struct import unpack
from typing import TypeVar

SCHEME = 1
"""The version of this way of drawing; a match's record names it."""

Counters = dict[str, int]
"""Blocks used so far, by the stream's name."""

T = TypeVar("T")

_WORDS = 8
_RANGE = 1 << 32
_LIMITS = tuple(_RANGE - _RANGE % bound if bound else 0 for bound in range(256))


def _block(key: bytes, counters: Counters, stream: str) -> tuple[int, ...]:
    used = counters.get(stream, 0)
    counters[stream] = used + 1
    return unpack(">8I", digest(key, f"{stream}:{used}".encode(), "sha256"))


def draw(key: bytes, counters: Counters, stream: str, bound: int) -> int:
    """A number from 0 to `bound` - 1, each equally likely. `bound` is 1 to 255.

    >>> draw(b"key", {}, "die", 6) == draw(b"key", {}, "die", 6)
    True
    """
    limit = _LIMITS[bound]
    while True:
        for word in _block(key, counters, stream):
            if word < limit:
                return word % bound


def shuffle(key: bytes, counters: Counters, stream: str, cards: list[T]) -> None:
    """Puts at most 255 `cards` in a random order, in place (Fisher–Yates, from the last place down)."""
    words: list[int] = []
    for _ in range((len(cards) + _WORDS - 2) // _WORDS):
        words += _block(key, counters, stream)
    supply = chain(words, _further(key, counters, stream))
    for last in range(len(cards) - 1, 0, -1):
        bound = last + 1
        word = next(supply)
        while word >= _LIMITS[bound]:
            word = next(supply)
        other = word % bound
        cards[last], cards[other] = cards[other], cards[last]


def _further(key: bytes, counters: Counters, stream: str) -> Iterator[int]:
    """Words for the rare shuffle in which rejections have used up those at hand."""
    while True:
        yield from _block(key, counters, stream)
