"""Host time, which stands still while nobody can be served, and the grace periods in which nobody's time runs out."""

from __future__ import annotations

from collections.abc import Collection

from bot.clock import Clock
from bot.fleet.fleet import Fleet


class HostTime:
    """The difference between the clock and host time, and the ends of grace periods."""

    def __init__(self, clock: Clock, fleet: Fleet) -> None:
        self._clock = clock
        self._fleet = fleet
        self.downtime = 0.0
        """All seconds during which no host was up, minus those by which the clock was set back meanwhile. Valid once
        the host has started."""
        self.grace_ends = 0.0
        """The end, in host time, of the grace period after a start of the host or a downtime."""
        self._taken_over: dict[int | None, float] = {}
        """The end of the grace period, in host time, by shard that this process took over."""

    def start(self, downtime: float, grace_ends: float) -> None:
        """Sets both values. Called when the host starts or the downtime has changed."""
        self.downtime, self.grace_ends = downtime, grace_ends

    def take_over(self, shards: Collection[int], grace_ends: float) -> None:
        """Starts a grace period on these shards."""
        self._taken_over |= dict.fromkeys(shards, grace_ends)

    def grace_of(self, guild_id: int) -> float:
        """The end of the grace period at the tables of this server, in host time."""
        return max(self.grace_ends, self._taken_over.get(self._fleet.shard_of(guild_id), 0.0))

    @property
    def shown_later(self) -> float:
        """The seconds to add to a moment in host time for the time that people are shown."""
        return self.downtime + self._clock.correction
