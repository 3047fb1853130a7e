"""The connections of this process to Discord: shows them to the other processes, and detects a partition."""

from __future__ import annotations

from bot.fleet.fleet import Partitioned
from bot.fleet.locks import LockKind, Locks
from bot.fleet.plan import FleetState
from bot.fleet.shard_states import ShardHandler, ShardStates


class Connectivity:
    """Holds the lock CONNECTED for each connected shard, and detects that this process is partitioned from Discord."""

    def __init__(self, handler: ShardHandler, locks: Locks, shards: ShardStates) -> None:
        self._handler, self._locks, self._shards = handler, locks, shards
        self.shown: set[int] = set()
        """The shards for which this process holds CONNECTED."""
        self._partitioned_since: float | None = None

    async def show(self, state: FleetState, me: int) -> None:
        """Takes and releases CONNECTED to match the connections. A shard given away does not count as connected."""
        wanted = self._shards.wanted(state, me) - self._shards.given.keys()
        connected = {shard for shard in wanted if self._handler.connected(shard)}
        await self._locks.free(LockKind.CONNECTED, self.shown - connected)
        self.shown &= connected
        new = connected - self.shown - self._shards.given.keys()  # a shard may have been given away meanwhile
        self.shown |= await self._locks.take(LockKind.CONNECTED, new)

    def check(self, state: FleetState, me: int) -> None:
        """Raises `Partitioned` if this process has no connection to Discord while another member has one."""
        now, after = self._locks.elapsed(), self._locks.timing.partitioned_after
        others = any(there & state.members - {me} for there in state.connected.values())
        if self.shown or not self._shards.own or not others or self._handler.waits_in_turn():
            self._partitioned_since = None
            return
        self._partitioned_since = self._partitioned_since or now
        if now - self._partitioned_since >= after:
            raise Partitioned(
                f"This process has had no connection to Discord for {after:.0f} s, while others have. It ends, "
                "so that they take its shards. Check this machine's network, firewall and clock."
            )
