"""Fair queues: the next item is that of the queue key with the least recent use."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Generic, TypeVar

T = TypeVar("T")

QueueKey = tuple[int, int]
"""The ids of the server and the person for which an item waits. The id 0 stands for nobody; its use is not counted.

Use is counted for both ids. An account with tables on many servers therefore gets no larger share, nor does a server
with many accounts.
"""
NOBODY: Final[QueueKey] = (0, 0)
HALF_LIFE: Final = 10.0
"""Seconds after which past use counts for half."""
_FORGOTTEN: Final = 0.01
"""Past use that has come to count for less than this is forgotten."""
_REBASED_AFTER: Final = 300.0
"""Seconds after which the figures of past use are scaled down, before their weights grow too large."""
LONGEST_WAITING: Final = 8
"""Every eighth turn goes to the queue key that was served longest ago, so that nobody waits for ever."""


class Usage:
    """The recent use by each server and each person. `now` is in seconds, always on the same clock."""

    def __init__(self) -> None:
        self._servers: dict[int, float] = {}
        self._people: dict[int, float] = {}
        self._base = 0.0
        """The time at which one use has the weight 1. Later uses get a greater weight, instead of lowering all earlier
        figures as time passes: the result of a comparison is the same, and the figures need not be updated."""

    def charge(self, queue_key: QueueKey, now: float, amount: float = 1.0) -> None:
        """Counts `amount` as used by the server and the person of this key; a negative amount was released.

        A release weighs more than the earlier use that it cancels, but no figure falls below 0.
        """
        if now - self._base > _REBASED_AFTER:
            self._rebase(now)
        weight = amount * 2.0 ** ((now - self._base) / HALF_LIFE)
        for had, key in zip((self._servers, self._people), queue_key, strict=True):
            if key:
                had[key] = max(0.0, had.get(key, 0.0) + weight)

    def _rebase(self, now: float) -> None:
        factor = 2.0 ** ((self._base - now) / HALF_LIFE)
        for had in (self._servers, self._people):
            kept = {key: each * factor for key, each in had.items() if each * factor > _FORGOTTEN}
            had.clear()
            had.update(kept)
        self._base = now

    def of(self, queue_key: QueueKey) -> float:
        """The use by the key's server and its person together; the figure serves only to compare keys."""
        return self._servers.get(queue_key[0], 0.0) + self._people.get(queue_key[1], 0.0)


class FairQueue(Generic[T]):
    """Waiting items, each under a queue key. The items of one key are taken in the order of their arrival."""

    def __init__(self, usage: Usage) -> None:
        self._usage = usage
        self._longest_waiting = LONGEST_WAITING
        # The order of both dicts matters: items are ordered by arrival, keys by when they
        # were last served or first added.
        self._items_of: dict[QueueKey, dict[T, None]] = {}
        self._key_of: dict[T, QueueKey] = {}
        self._taken = 0

    def __len__(self) -> int:
        return len(self._key_of)

    def __iter__(self) -> Iterator[T]:
        return iter(self._key_of)

    def put(self, queue_key: QueueKey, item: T) -> None:
        """Adds the item, which must not be waiting yet, under this key."""
        assert item not in self._key_of
        self._key_of[item] = queue_key
        self._items_of.setdefault(queue_key, {})[item] = None

    def remove(self, item: T) -> None:
        """Removes the item, if it is waiting."""
        queue_key = self._key_of.pop(item, None)
        if queue_key is not None:
            items = self._items_of[queue_key]
            del items[item]
            if not items:
                del self._items_of[queue_key]

    def take(self) -> tuple[QueueKey, T]:
        """Removes the next item; returns its key and the item. The queue must not be empty."""
        self._taken += 1
        queue_key = next(iter(self._items_of))
        if self._taken % self._longest_waiting:
            least = self._usage.of(queue_key)
            for other in self._items_of:
                had = self._usage.of(other)
                if had < least:
                    queue_key, least = other, had
        items = self._items_of.pop(queue_key)
        item = next(iter(items))
        del items[item], self._key_of[item]
        if items:
            self._items_of[queue_key] = items  # the key's other items go behind all other keys
        return queue_key, item
