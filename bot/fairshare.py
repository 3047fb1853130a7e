"""Who comes next where many wait for something scarce: the server and the person that have had least of it of late."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, Generic, TypeVar

T = TypeVar("T")

Lane = tuple[int, int]
"""On whose behalf somebody waits: a server's id and a person's. 0 is nobody's, and what is had for it counts for none.

Both count: an account is not served more for spreading its tables over many servers, nor a server for having many
accounts.
"""
NOBODY: Final[Lane] = (0, 0)

HALF_LIFE: Final = 10.0
"""Seconds after which what somebody has had counts for half."""
FORGOTTEN: Final = 0.01
"""What has come to count for less than this is forgotten."""
REBASED_AFTER: Final = 30 * HALF_LIFE
LONGEST_WAITING: Final = 8
"""Every so manieth time it is the turn of the lane that was served longest ago: so nobody waits for ever."""


class Usage:
    """How much each server and each person has had of late. `now` is in seconds, on any one clock."""

    def __init__(self) -> None:
        self._servers: dict[int, float] = {}
        self._people: dict[int, float] = {}
        self._base = 0.0
        """When one of something counted for one. What is had later counts for more, which comes to the same as if
        all that was had before counted for less, and leaves those figures alone."""

    def __len__(self) -> int:
        return len(self._servers) + len(self._people)

    def charge(self, lane: Lane, now: float, amount: float = 1.0) -> None:
        """Notes that so much was had (or, below 0, given back) on behalf of this lane."""
        if now - self._base > REBASED_AFTER:
            self._rebase(now)
        weight = amount * 2.0 ** ((now - self._base) / HALF_LIFE)
        for had, key in zip((self._servers, self._people), lane, strict=True):
            if key:
                had[key] = had.get(key, 0.0) + weight

    def _rebase(self, now: float) -> None:
        factor = 2.0 ** ((self._base - now) / HALF_LIFE)
        for had in (self._servers, self._people):
            kept = {key: each * factor for key, each in had.items() if each * factor > FORGOTTEN}
            had.clear()
            had.update(kept)
        self._base = now

    def of(self, lane: Lane) -> float:
        """What the lane's server and its person have had together: a figure to compare with other lanes'."""
        return self._servers.get(lane[0], 0.0) + self._people.get(lane[1], 0.0)


class FairQueue(Generic[T]):
    """Those who wait for one thing, each in a lane; in a lane they come in the order of arrival."""

    def __init__(self, usage: Usage) -> None:
        self._usage = usage
        # Both in an order that means something: items by arrival, lanes by when they were served last or came.
        self._lanes: dict[Lane, dict[T, None]] = {}
        self._lane_of: dict[T, Lane] = {}
        self._taken = 0

    def __len__(self) -> int:
        return len(self._lane_of)

    def __contains__(self, item: T) -> bool:
        return item in self._lane_of

    def __iter__(self) -> Iterator[T]:
        return iter(self._lane_of)

    def put(self, lane: Lane, item: T) -> None:
        """Has the item, which must not wait yet, wait in this lane."""
        assert item not in self._lane_of
        self._lane_of[item] = lane
        self._lanes.setdefault(lane, {})[item] = None

    def remove(self, item: T) -> None:
        """The item, if it waits, waits no longer."""
        lane = self._lane_of.pop(item, None)
        if lane is not None:
            items = self._lanes[lane]
            del items[item]
            if not items:
                del self._lanes[lane]

    def take(self) -> tuple[Lane, T]:
        """Whose turn it is, with its lane: it waits no longer. Somebody must wait."""
        self._taken += 1
        lane = next(iter(self._lanes))
        if self._taken % LONGEST_WAITING:
            least = self._usage.of(lane)
            for other in self._lanes:
                had = self._usage.of(other)
                if had < least:
                    lane, least = other, had
        items = self._lanes.pop(lane)
        item = next(iter(items))
        del items[item], self._lane_of[item]
        if items:
            self._lanes[lane] = items  # behind all others
        return lane, item
