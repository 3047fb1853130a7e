"""This process among those that have the database open: its number there, and whether it has lost its place."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from bot.store.migrate import scripts
from bot.store.model import Deposed, ProcessName, StoreError, StoreInUse, StoreLost
from bot.store.postgres.driver import Connection, DriverError, sqlstate_of
from bot.store.postgres.faults import gone, write_failed
from bot.store.postgres.layout import (
    alone_migrating,
    bring_up_to_date,
    check_is_ours,
    check_server,
    commit_safely,
)
from bot.store.postgres.owner import Owner
from bot.store.postgres.roll import check_nobody_is_older, enrol, lock, name_of

T = TypeVar("T")

_PAUSE: Final = 0.1
"""Seconds between two attempts to take the owner's lock."""


class Process:
    """Has the database open, alone or beside others, until it ends or another process has taken its place."""

    def __init__(self, url: str, where: str, name: ProcessName, *, shared: bool) -> None:
        """`where` names the database without the secrets of its URL."""
        self._where, self._name, self._shared = where, name, shared
        self._owner = Owner(url, shared=shared)
        self._identity: object = None
        self.era = 0
        """The number of this process in the database."""
        self.left = False
        """Whether this process has given up all it held, because it ends."""
        self._lost: StoreLost | None = None

    @property
    def name(self) -> str:
        """What the server calls the connections of this process."""
        return name_of(self.era)

    async def begin(self, patience: float) -> bool:
        """Takes the owner's lock and brings the layout up to date; returns whether the database was empty.

        Waits up to `patience` seconds for a process that does not share the database. Raises `StoreRefused`, and what
        the driver raises.
        """
        self.left, self._lost = False, None
        owner, migrations = await self._owner.connect(), scripts("postgres")
        await check_server(owner, self._where)
        await check_is_ours(owner, self._where, len(migrations))
        loop = asyncio.get_running_loop()
        until = loop.time() + patience
        while not await lock(owner, shared=self._shared):
            if loop.time() >= until:
                raise StoreInUse(
                    f"{self._where} is in use by another Digsite that runs now. "
                    "Nothing was changed; stop that one first, or name another database for this one."
                )
            await asyncio.sleep(_PAUSE)
        async with alone_migrating(owner):
            if self._shared:
                await check_nobody_is_older(owner, self._where, len(migrations))
            made = await bring_up_to_date(owner, self._where, migrations)
            await commit_safely(owner)
            self._identity = await owner.fetchval("SELECT identity FROM store")
            self.era = await enrol(owner, self._name, shared=self._shared)
        await self._owner.keep(self.era, self.prepare)
        return made

    async def end(self) -> None:
        """Closes the owner's connection, which frees the lock."""
        await self._owner.close()

    async def prepare(self, connection: Connection) -> None:
        """Makes sure that a new connection leads to the same database as before, and that its commits are durable.

        Raises `StoreLost` if it does not, or if this process is no longer among those that have the database open.
        """
        try:
            [(identity, enrolled)] = await connection.fetch(
                "SELECT identity, EXISTS (SELECT FROM digsite.processes WHERE id = $1) FROM digsite.store",
                self.era,
            )
        except DriverError as error:
            if sqlstate_of(error) in ("42P01", "3F000"):
                raise self._is_lost(gone()) from None
            raise
        if identity != self._identity:
            raise self._is_lost(
                StoreLost(
                    f"Another database was put in the place of {self._where} while the bot ran. Nothing more is "
                    "kept, so the bot stops. Put the right one back, then start it again."
                )
            )
        if not enrolled and not self.left:
            raise self.taken_over()
        await commit_safely(connection)

    # -- the owner's connection

    async def listen(self, heard: Callable[[str | None], None]) -> None:
        """Has `heard` called with what processes tell, and with None whenever something may have been missed."""
        await self._owner.listen(heard)

    async def as_owner(self, act: Callable[[Connection], Awaitable[T]], within: float) -> T:
        """What `act` returns, which may be run several times. Raises `StoreError`, also after so many seconds."""
        self.must_not_be_lost()
        try:
            async with asyncio.timeout(within):
                return await self._owner.run(act)
        except Exception as error:  # noqa: BLE001 - it is translated
            raise self.noted(write_failed(error)) from None

    # -- lost

    def taken_over(self) -> StoreError:
        """The error for a process that is no longer on the roll."""
        if self.left:
            return StoreError("This process has given up its shards. Nothing was written; others go on.")
        if self._shared:
            return self._is_lost(
                Deposed(
                    f"The leases of this process at {self._where} have run out, and another process has taken it off "
                    "the roll. So this one stops. All that was acknowledged is kept."
                )
            )
        return self._is_lost(
            StoreLost(
                f"Another Digsite has opened {self._where} since. This one writes nothing more, so it stops. All that "
                "was acknowledged is kept."
            )
        )

    def must_not_be_lost(self) -> None:
        if self._lost is not None:
            raise self._is_lost(self._lost)

    def noted(self, error: BaseException) -> BaseException:
        """This error; if the database is lost, that is remembered."""
        return self._is_lost(error) if isinstance(error, StoreLost) else error

    def _is_lost(self, lost: StoreLost) -> StoreLost:
        if self._lost is None:
            self._lost = lost
        return type(self._lost)(str(self._lost))
