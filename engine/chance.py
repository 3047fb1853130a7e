"""Chance that anyone can replay: numbers drawn from named streams of HMAC-SHA256, and the starting seat by dice.

A stream is a name under a match's key. Its n-th block is HMAC-SHA256(key, name ‖ ":" ‖ n); a state keeps only
how many blocks of each stream are used, so the same moves meet the same chance everywhere. Every call starts
at a fresh block and takes 32-bit words from it, from the left; words that would favour small numbers are rejected.
To draw otherwise would be another scheme of fairness (`engine.fairness`).

A *roll* is a seat with what its dice show: `(seat, die)` or `(seat, die, die)`, of which the sum counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from hashlib import sha256
from itertools import chain
from operator import mod
from struct import Struct, unpack
from typing import TYPE_CHECKING, Final, TypeVar

if TYPE_CHECKING:
    from _hashlib import HASH


LARGEST: Final = 255
"""The largest bound of a draw, and the most cards of a shuffle."""

Counters = dict[str, int]
"""Blocks used so far, by the stream's name."""

T = TypeVar("T")

_WORDS: Final = 8
_RANGE: Final = 1 << 32
_LIMITS: Final = tuple(_RANGE - _RANGE % (bound or 1) for bound in range(LARGEST + 1))
"""By the bound of a draw, the smallest word that is rejected. (For bound 0 none is, and the draw then fails.)"""
_SUSPECT: Final = b"\xff\xff\xff"
"""Every word that any bound rejects begins with these bytes.

To search for them is quicker than to look at each word.
"""

_unpack_block: Final = Struct(f">{_WORDS}I").unpack

_INNER: Final = bytes(byte ^ 0x36 for byte in range(256))
_OUTER: Final = bytes(byte ^ 0x5C for byte in range(256))


@lru_cache(maxsize=256)
def _started(key: bytes) -> tuple[HASH, HASH]:
    """The inner and the outer hash of HMAC-SHA256 (RFC 2104) after they have taken in this key.

    Copy them before use.
    """
    block = (key if len(key) <= 64 else sha256(key).digest()).ljust(64, b"\0")
    return sha256(block.translate(_INNER)), sha256(block.translate(_OUTER))


def _take(key: bytes, counters: Counters, stream: str, blocks: int) -> bytes:
    used = counters.get(stream, 0)
    counters[stream] = used + blocks
    started = _started(key)
    if blocks == 1:
        return _block(started, stream, used)
    return b"".join([_block(started, stream, n) for n in range(used, used + blocks)])


def _block(started: tuple[HASH, HASH], stream: str, n: int) -> bytes:
    """A block. (HMAC is spelt out: `hmac.digest` takes twice the time.)"""
    inner, outer = started[0].copy(), started[1].copy()
    inner.update(f"{stream}:{n}".encode())
    outer.update(inner.digest())
    return outer.digest()


def draw(key: bytes, counters: Counters, stream: str, bound: int) -> int:
    """A number from 0 to `bound` - 1, each equally likely. `bound` is 1 to 255.

    >>> draw(b"key", {}, "die", 6) == draw(b"key", {}, "die", 6)
    True
    """
    limit = _LIMITS[bound]
    while True:
        for word in unpack(">8I", _take(key, counters, stream, 1)):
            if word < limit:
                return word % bound


def draws(key: bytes, counters: Counters, stream: str, bound: int, count: int) -> list[int]:
    """Draws `count` numbers at once, each from 0 to `bound` - 1, as for a roll of several dice.

    >>> draws(b"key", {}, "dice", 6, 3)[0] == draw(b"key", {}, "dice", 6)
    True
    """
    limit = _LIMITS[bound]
    numbers: list[int] = []
    while len(numbers) < count:
        words = unpack(">8I", _take(key, counters, stream, 1))
        numbers += [word % bound for word in words if word < limit]
    return numbers[:count]


def words(key: bytes, counters: Counters, stream: str) -> Iterator[int]:
    """The stream's words from a fresh block on, for what is thrown one after another within one call (see `below`).

    A block counts as used once a word of it has been asked for.
    """
    return chain.from_iterable(_blocks(key, counters, stream))


def _blocks(key: bytes, counters: Counters, stream: str) -> Iterator[tuple[int, ...]]:
    started = _started(key)
    while True:
        n = counters.get(stream, 0)
        counters[stream] = n + 1
        yield _unpack_block(_block(started, stream, n))


def below(source: Iterator[int], bound: int) -> int:
    """A number from 0 to `bound` - 1 (1 to 255) from the next of these words that favours none.

    >>> below(words(b"key", {}, "dice"), 6) == draw(b"key", {}, "dice", 6)
    True
    """
    limit = _LIMITS[bound]
    for word in source:
        if word < limit:
            return word % bound
    raise ValueError("the words have come to an end")


def shuffle(key: bytes, counters: Counters, stream: str, cards: list[T]) -> None:
    """Puts at most 255 `cards` in a random order, in place (Fisher–Yates, from the last place down).

    >>> cards = [1, 2, 3]
    >>> shuffle(b"key", {}, "deal", cards)
    >>> sorted(cards)
    [1, 2, 3]
    """
    if len(cards) > LARGEST:
        raise ValueError(f"{len(cards)} cards are too many for one shuffle")
    bounds = range(len(cards), 1, -1)
    if not bounds:
        return
    blocks = (len(bounds) + _WORDS - 1) // _WORDS
    drawn = _take(key, counters, stream, blocks)
    taken = unpack(f">{_WORDS * blocks}I", drawn)
    if _SUSPECT in drawn:  # happens in about one shuffle of 60,000
        taken = _accepted(taken, bounds, key, counters, stream)
    last = len(cards)
    for other in map(mod, taken, bounds):
        last -= 1
        cards[last], cards[other] = cards[other], cards[last]


def _accepted(
    taken: Sequence[int], bounds: range, key: bytes, counters: Counters, stream: str
) -> tuple[int, ...]:
    """For each bound the next word that it does not reject, from these words and then from further blocks."""
    supply = chain(taken, words(key, counters, stream))
    return tuple(next(word for word in supply if word < _LIMITS[bound]) for bound in bounds)


R = TypeVar("R", bound=tuple[int, ...])


def roll_for_first(seats: int, throw: Callable[[Sequence[int]], Sequence[R]]) -> tuple[tuple[R, ...], int]:
    """All rolls in the order in which they fell, and the seat that begins.

    `throw` gives the rolls of the seats that it is given.

    >>> roll_for_first(2, lambda seats: [(seat, 3 + seat) for seat in seats])
    (((0, 3), (1, 4)), 1)
    """
    tied: Sequence[int] = range(seats)
    rolls: list[R] = []
    while len(tied) > 1:
        thrown = throw(tied)
        rolls += thrown
        tied = _highest(thrown)
    return tuple(rolls), tied[0]


def _highest(rolls: Sequence[Sequence[int]]) -> list[int]:
    """The seats that are tied for the highest of these rolls, or the only one."""
    best = max(sum(dice) for _, *dice in rolls)
    return [seat for seat, *dice in rolls if sum(dice) == best]
