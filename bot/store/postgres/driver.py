"""A typed interface to the part of asyncpg that the store uses."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol, cast

import asyncpg  # pyright: ignore[reportMissingTypeStubs]
from asyncpg import exceptions  # pyright: ignore[reportMissingTypeStubs]

from bot.store.postgres.timing import POSTGRES, PostgresTiming
from bot.version import own_version

Row = Sequence[Any]
"""A row of a result: its columns in order."""


class Connection(Protocol):
    """A connection to a database. `timeout` is in seconds; None means `PostgresTiming.statement`."""

    async def execute(self, query: str, *values: object, timeout: float | None = None) -> str:  # noqa: ASYNC109
        """Runs a statement; returns its tag, such as "UPDATE 1"."""
        ...

    async def executemany(
        self,
        command: str,
        args: Sequence[Row],
        *,
        timeout: float | None = None,  # noqa: ASYNC109
    ) -> None:
        """Runs a statement once for each row of values, in one round trip."""
        ...

    async def fetch(self, query: str, *values: object, timeout: float | None = None) -> list[Row]: ...  # noqa: ASYNC109

    async def fetchval(self, query: str, *values: object, timeout: float | None = None) -> Any: ...  # noqa: ASYNC109

    async def copy_records_to_table(
        self, table_name: str, *, records: Sequence[Row], columns: Sequence[str], schema_name: str
    ) -> str:
        """Inserts rows by COPY."""
        ...

    async def add_listener(self, channel: str, callback: Callable[[object, int, str, object], None]) -> None:
        """Calls `callback` with connection, process id, channel and payload of each notification."""
        ...

    def add_termination_listener(self, callback: Callable[[object], None]) -> None:
        """Calls `callback` when the connection ends."""
        ...

    def get_server_pid(self) -> int: ...

    def is_closed(self) -> bool: ...

    def terminate(self) -> None:
        """Drops the connection immediately."""
        ...

    async def close(self, *, timeout: float | None = None) -> None: ...  # noqa: ASYNC109


NAME: Final = "digsite"
"""The `application_name` of commands. Processes that have the store open append version, host and process id."""
_LONGEST_NAME: Final = 63
"""The server truncates longer names."""

SCHEMA: Final = "digsite"
_SESSION: Final = {
    "search_path": SCHEMA,
    "default_transaction_isolation": "read committed",
    "client_min_messages": "warning",
    "jit": "off",
    # The server soon detects that a client has vanished, and releases its locks.
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}


def own_name() -> str:
    """The `application_name` of this process's connections, as in `digsite 0.1.0+b64bec4 host-1234`."""
    release, _, build = own_version().replace(" ", "-").partition("+")
    version = f"{release}+{build.rpartition('.')[2][:7]}" if build else release
    number = f"-{os.getpid()}"
    beginning = f"{NAME} {version} "
    host = socket.gethostname().replace(" ", "-")
    return beginning + host[-(_LONGEST_NAME - len(beginning) - len(number)) :] + number


def _session(name: str, timing: PostgresTiming) -> dict[str, str]:
    idle = str(round(timing.idle_in_transaction * 1000))
    return {**_SESSION, "idle_in_transaction_session_timeout": idle, "application_name": name}


async def connect(
    url: str, *, name: str = NAME, answering: float | None = None, timing: PostgresTiming = POSTGRES
) -> Connection:
    """Opens a connection outside the pool. Raises asyncpg's errors; `bot.store.postgres.errors` translates them.

    `answering`: the timeout of its statements in seconds, if not `timing.statement`.
    """
    made: object = await asyncpg.connect(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        url,
        timeout=timing.connect,
        command_timeout=timing.statement if answering is None else answering,
        server_settings=_session(name, timing),
    )
    return cast("Connection", made)


class Pool:
    """Connections for `timing.writes` and `timing.reads`, opened on demand and reopened after a loss."""

    def __init__(
        self,
        url: str,
        name: str,
        prepare: Callable[[Connection], Awaitable[None]],
        timing: PostgresTiming = POSTGRES,
    ) -> None:
        """`prepare` is called with each new connection; `name` is their `application_name`."""
        self._url, self._name, self._prepare, self._timing = url, name, prepare, timing
        self._pool: Any = None

    async def open(self) -> None:
        self._pool = await cast(
            "Awaitable[Any]",
            asyncpg.create_pool(  # pyright: ignore[reportUnknownMemberType]
                self._url,
                min_size=0,  # asyncpg would otherwise connect in the background and log each failure at length
                max_size=self._timing.writes + self._timing.reads,
                init=self._prepare,
                reset=_no_reset,
                timeout=self._timing.connect,
                command_timeout=self._timing.statement,
                server_settings=_session(self._name, self._timing),
            ),
        )

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Connection]:
        """A connection for the time of the block. Dropped if the block raises."""
        connection = await self._pool.acquire(timeout=2 * self._timing.connect)
        try:
            yield cast("Connection", connection)
        except BaseException:
            connection.terminate()
            raise
        finally:
            await self._pool.release(connection)

    async def close(self) -> None:
        """Closes all connections; drops them after `timing.close` seconds."""
        if self._pool is not None:
            try:
                await asyncio.wait_for(self._pool.close(), self._timing.close)
            except (TimeoutError, OSError, exceptions.PostgresError, exceptions.InterfaceError):
                self._pool.terminate()


async def _no_reset(_connection: object) -> None:
    """Does nothing: a reset would cost a round trip per write, and no user of a connection changes its session."""


def sqlstate_of(error: BaseException) -> str | None:
    """The SQLSTATE of a server error; None for other errors."""
    code = getattr(error, "sqlstate", None)
    return code if isinstance(error, exceptions.PostgresError) and isinstance(code, str) else None


def constraint_of(error: BaseException) -> str | None:
    """The name of the violated constraint or unique index."""
    return getattr(error, "constraint_name", None)


def lost_connection(error: BaseException) -> bool:
    """Whether the error is a failure of the connection, and not of the statement."""
    if isinstance(error, exceptions.InterfaceError):
        return not isinstance(error, ValueError)  # a wrong value
    return isinstance(error, OSError | TimeoutError | exceptions.InternalClientError)


DatabaseError = exceptions.PostgresError
DriverError = (exceptions.PostgresError, exceptions.InterfaceError, exceptions.InternalClientError, OSError)
"""The errors of asyncpg. TimeoutError is an OSError."""
UniqueViolation = exceptions.UniqueViolationError
