"""Host time, which stands still while nobody could be served, and the grace periods in which nobody's time runs out."""

from __future__ import annotations

from collections.abc import Collection

from bot.clock import Clock
from bot.fleet.fleet import Fleet


class HostTime:
    """The difference between the clock and host time, and until when nobody's time runs out."""

    def __init__(self, clock: Clock, fleet: Fleet) -> None:
        self._clock = clock
        self._fleet = fleet
        self.downtime = 0.0
        """The seconds during which no host was up, in all, minus those by which the clock was set back meanwhile. Known
        once the host has started."""
        self.grace_ends = 0.0
        """Nobody's time runs out before this moment, in host time, because the host has just started."""
        self._taken_over: dict[int | None, float] = {}
        """By shard that this process took over: nobody's time runs out there before this moment, in host time."""

    def start(self, downtime: float, grace_ends: float) -> None:
        """Called when the host starts or time is given back."""
        self.downtime, self.grace_ends = downtime, grace_ends

    def take_over(self, shards: Collection[int], grace_ends: float) -> None:
        """Notes until when nobody's time runs out on these shards."""
        self._taken_over |= dict.fromkeys(shards, grace_ends)

    def grace_of(self, guild_id: int) -> float:
        """Before when nobody's time runs out at the tables of this server, in host time."""
        return max(self.grace_ends, self._taken_over.get(self._fleet.shard_of(guild_id), 0.0))

    @property
    def shown_later(self) -> float:
        """The seconds to add to a moment in host time to get the time that people are shown."""
        return self.downtime + self._clock.correction
