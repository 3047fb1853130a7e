"""The people and servers that the operator has blocked."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Final, Literal

from bot.clock import Clock
from bot.fleet.fleet import Fleet
from bot.store.store import Store
from bot.tables.refusals import Refused

Scope = Literal["person", "server"]

BLOCKED: Final = "blocked"
"""The fact that holds the blocked ids."""

Blocked = dict[Scope, dict[int, float]]
"""The blocked ids, and since when each is blocked."""


def read_blocked(text: str | None) -> Blocked:
    """The blocked ids that a fact holds."""
    kept: Mapping[str, Mapping[str, float]] = json.loads(text or "{}")
    return {
        "person": {int(each): at for each, at in kept.get("person", {}).items()},
        "server": {int(each): at for each, at in kept.get("server", {}).items()},
    }


class Blocklist:
    """A copy of the blocked ids in memory. Each process reads the fact again when another process has changed it."""

    def __init__(self, store: Store, clock: Clock, fleet: Fleet) -> None:
        self._store = store
        self._clock = clock
        self._fleet = fleet
        self._blocked = read_blocked(None)
        fleet.on("controls", self.load)

    async def load(self) -> None:
        """Reads the blocked ids from the store. Raises `StoreError`."""
        self._blocked = read_blocked(await self._store.fact(BLOCKED))

    def check(self, user_id: int, guild_id: int) -> None:
        """Raises `Refused` if this person may not sit down at a table, or nobody may on this server."""
        if self.blocks(user_id):
            raise Refused("blocked-person")
        if guild_id in self._blocked["server"]:
            raise Refused("blocked-server")

    def blocks(self, user_id: int) -> bool:
        """Whether this person is blocked, so may not sit down at any table."""
        return user_id in self._blocked["person"]

    async def block(self, scope: Scope, number: int) -> None:
        """Blocks an id. Raises `StoreError`."""
        now = self._clock.now()
        await self._change(lambda blocked: {**blocked, scope: {number: now, **blocked[scope]}})

    async def allow(self, scope: Scope, number: int) -> None:
        """Unblocks an id. Raises `StoreError`."""

        def allow(blocked: Blocked) -> Blocked:
            return {**blocked, scope: {other: at for other, at in blocked[scope].items() if other != number}}

        await self._change(allow)

    async def _change(self, change: Callable[[Blocked], Blocked]) -> None:
        kept = await self._store.change_fact(BLOCKED, lambda text: json.dumps(change(read_blocked(text))))
        self._blocked = read_blocked(kept)
        await self._fleet.publish_with_retry("controls")
