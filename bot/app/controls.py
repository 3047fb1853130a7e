"""The operator's controls: the blocked people and servers, and the notice that every table message shows."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Final, Literal

from bot.clock import Clock
from bot.fleet.fleet import Fleet
from bot.store.model import Job
from bot.store.store import Store
from bot.tables.draft import REDRAW
from bot.tables.refusals import Refused
from engine.plain import plain

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
        await self._change(
            lambda blocked: {
                **blocked,
                scope: {each: at for each, at in blocked[scope].items() if each != number},
            }
        )

    async def _change(self, change: Callable[[Blocked], Blocked]) -> None:
        kept = await self._store.change_fact(BLOCKED, lambda text: json.dumps(change(read_blocked(text))))
        self._blocked = read_blocked(kept)
        await self._fleet.publish_with_retry("controls")


NOTICE: Final = "notice"
"""The fact that holds the notice."""
LONGEST_NOTICE: Final = 300
"""The most characters of a notice. A full table message has room for them."""


class Notice:
    """A copy of the notice in memory. Each process reads the fact again when another process has changed it."""

    def __init__(self, store: Store, clock: Clock, fleet: Fleet) -> None:
        self._store = store
        self._clock = clock
        self._fleet = fleet
        self.text = ""
        """Empty if there is no notice."""
        fleet.on("controls", self._reload)

    async def load(self) -> None:
        """Reads the notice from the store. Raises `StoreError`."""
        self.text = await self._store.fact(NOTICE) or ""

    async def _reload(self) -> None:
        shown = self.text
        await self.load()
        if self.text != shown:
            await self._redraw_all()

    async def set(self, text: str) -> None:
        """Stores another notice, or none if the text is empty, and schedules a redraw of all live tables.

        Raises `Refused`, `StoreError`.
        """
        notice = plain(text)
        if len(notice) > LONGEST_NOTICE:
            raise Refused("notice-long", number=len(notice), most=LONGEST_NOTICE)
        await self._store.set_fact(NOTICE, notice)
        self.text = notice
        await self._fleet.publish_with_retry("controls")
        await self._redraw_all()

    async def _redraw_all(self) -> None:
        """Schedules redraws of live tables: of all tables in the leader, else of those on the owned shards."""
        now = self._clock.now()
        for table_id, server in await self._store.live_table_ids():
            if self._fleet.is_leader or self._fleet.owns(server):
                await self._store.set_job(Job(table_id, REDRAW, now))
