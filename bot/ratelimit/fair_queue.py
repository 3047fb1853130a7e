"""Decides who is next where many wait for something scarce.

It is the turn of the server and the person that have had the least of it lately.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Generic, TypeVar

T = TypeVar("T")

Lane = tuple[int, int]
"""On whose behalf something waits: a server's id and a person's id. The id 0 stands for nobody; its use is not counted.

Use is counted for both. An account therefore gets no more by spreading its tables over many servers, and a server gets
no more by having many accounts.
"""
NOBODY: Final[Lane] = (0, 0)


@dataclass(frozen=True, slots=True)
class FairnessLimits:
    """Fair queues: how past use counts."""

    half_life: float = 10.0
    """Seconds after which past use counts for half."""
    forgotten: float = 0.01
    """Past use that has come to count for less than this is forgotten."""
    rebased_after: float = 300.0
    """Seconds after which the figures of past use are scaled down, before their weights grow too large."""
    longest_waiting: int = 8
    """Every eighth turn goes to the queue key that was served longest ago, so that nobody waits for ever."""


FAIRNESS: Final = FairnessLimits()


class Usage:
    """How much each server and each person has used lately. `now` is in seconds, always by the same clock."""

    def __init__(self, limits: FairnessLimits = FAIRNESS) -> None:
        self._limits = limits
        self._servers: dict[int, float] = {}
        self._people: dict[int, float] = {}
        self._base = 0.0
        """The time at which one use has the weight 1. Instead of lowering all earlier figures as time passes, later
        uses get a greater weight: the comparison comes out the same, and the figures need not be touched."""

    def __len__(self) -> int:
        return len(self._servers) + len(self._people)

    def charge(self, lane: Lane, now: float, amount: float = 1.0) -> None:
        """Counts `amount` as used on behalf of this lane; a negative amount was given back.

        What is given back weighs more than it did when it was taken, but nobody comes to have used less than nothing.
        """
        if now - self._base > self._limits.rebased_after:
            self._rebase(now)
        weight = amount * 2.0 ** ((now - self._base) / self._limits.half_life)
        for had, key in zip((self._servers, self._people), lane, strict=True):
            if key:
                had[key] = max(0.0, had.get(key, 0.0) + weight)

    def _rebase(self, now: float) -> None:
        factor = 2.0 ** ((self._base - now) / self._limits.half_life)
        for had in (self._servers, self._people):
            kept = {key: each * factor for key, each in had.items() if each * factor > self._limits.forgotten}
            had.clear()
            had.update(kept)
        self._base = now

    def of(self, lane: Lane) -> float:
        """What the lane's server and its person have used together; the figure only serves to compare lanes."""
        return self._servers.get(lane[0], 0.0) + self._people.get(lane[1], 0.0)


class FairQueue(Generic[T]):
    """Items that wait for one thing, each in a lane. Within a lane they are taken in the order of their arrival."""

    def __init__(self, usage: Usage, limits: FairnessLimits = FAIRNESS) -> None:
        self._usage = usage
        self._longest_waiting = limits.longest_waiting
        # The order in both dicts matters: items stand by arrival, lanes by when they were last served or first came.
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
        """Adds the item, which must not be waiting yet, to this lane."""
        assert item not in self._lane_of
        self._lane_of[item] = lane
        self._lanes.setdefault(lane, {})[item] = None

    def remove(self, item: T) -> None:
        """Removes the item, if it is waiting."""
        lane = self._lane_of.pop(item, None)
        if lane is not None:
            items = self._lanes[lane]
            del items[item]
            if not items:
                del self._lanes[lane]

    def take(self) -> tuple[Lane, T]:
        """Removes the item whose turn it is, and returns it after its lane. The queue must not be empty."""
        self._taken += 1
        lane = next(iter(self._lanes))
        if self._taken % self._longest_waiting:
            least = self._usage.of(lane)
            for other in self._lanes:
                had = self._usage.of(other)
                if had < least:
                    lane, least = other, had
        items = self._lanes.pop(lane)
        item = next(iter(items))
        del items[item], self._lane_of[item]
        if items:
            self._lanes[lane] = items  # its other items go behind all other lanes
        return lane, item
