"""The acts of this process on the shards that it owns in a fleet (`bot.fleet.shard_states.ShardHandler`)."""

from __future__ import annotations

from bot.app.connectivity import Connectivity
from bot.app.host import Host
from bot.gateway.shards import Shards
from bot.ratelimit.limiter import RateLimiter


class ShardKeeper:
    """Does the jobs of the shards that this process owns, connects them, and sets its share of the requests."""

    def __init__(self, host: Host, gateway: Shards, limiter: RateLimiter, connectivity: Connectivity) -> None:
        self._host = host
        self._gateway = gateway
        self._limiter = limiter
        self._connectivity = connectivity

    async def gained(self, shards: frozenset[int]) -> None:
        await self._host.took_over(shards)
        self._connectivity.expect()

    def lost(self, shards: frozenset[int]) -> None:
        self._host.gave_up(shards)

    async def finish(self, shards: frozenset[int], within: float) -> None:
        await self._host.finish(shards, within)

    def connect_only(self, shards: frozenset[int]) -> None:
        self._gateway.want(shards)

    def connected(self, shard: int) -> bool:
        return self._gateway.is_connected(shard)

    def waits_in_turn(self) -> bool:
        return self._gateway.waits_in_turn()

    def shared_by(self, processes: int, at: float) -> None:
        self._limiter.share(max(1, processes), at)
