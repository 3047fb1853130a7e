"""A typed interface to the part of asyncpg that the store uses."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from asyncio.staggered import staggered_race
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from typing import Any, Final, Protocol, cast
from weakref import WeakSet

import asyncpg  # pyright: ignore[reportMissingTypeStubs]
from asyncpg import exceptions  # pyright: ignore[reportMissingTypeStubs]

from bot.database_url import READ_WRITE, single_hosts, where
from bot.store.engine import NotUnique, Value
from bot.store.postgres.timing import POSTGRES, PostgresTiming
from bot.version import own_version

_LOG = logging.getLogger(__name__)

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

    def get_settings(self) -> Any:
        """The settings that the server has reported, as attributes."""
        ...

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
    url: str,
    *,
    name: str = NAME,
    answering: float | None = None,
    timing: PostgresTiming = POSTGRES,
    target: str = READ_WRITE,
) -> Connection:
    """Connects to the first of the URL's hosts that is of the kind `target` (libpq's `target_session_attrs`).

    `answering`: the timeout of its statements in seconds, if not `timing.statement`. Raises asyncpg's errors (with
    several hosts, that of the first); `bot.store.postgres.errors` translates them.
    """

    async def dial(host: str) -> object:
        return await asyncpg.connect(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
            host,
            timeout=timing.connect,
            command_timeout=timing.statement if answering is None else answering,
            server_settings=_session(name, timing),
            target_session_attrs=target,
        )

    # asyncpg has one timeout for all hosts, which a host that never answers would use up.
    dials = [partial(dial, host) for host in single_hosts(url)]
    made, _, errors = await staggered_race(dials, timing.next_host)
    if made is None:
        raise next(error for error in errors if error is not None)
    return cast("Connection", made)


class Primary:
    """The server that takes writes, and all connections of a running process to it.

    After a failover, no connection may stay on the old server, even if that server still answers: its data is out of
    date, and its locks exclude no process on the new one. So all connections are dropped as soon as one of them shows
    that its server takes no writes, or a new one leads to another server.
    """

    def __init__(self, url: str, timing: PostgresTiming = POSTGRES) -> None:
        self._url, self._timing = url, timing
        self._started: object = None
        """The start of the server's present run, which tells servers apart."""
        self._open = WeakSet[Connection]()
        self._ask_again = 0.0
        """The time from which a server that can only be read is asked again."""

    async def connect(self, answering: float | None = None) -> Connection:
        """Opens a connection. Raises asyncpg's errors.

        `answering`: the timeout of its statements in seconds, if not `PostgresTiming.statement`.
        """
        loop = asyncio.get_running_loop()
        await asyncio.sleep(max(0.0, self._ask_again - loop.time()))
        try:
            connection = await connect(self._url, name=own_name(), answering=answering, timing=self._timing)
        except DriverError as error:
            if is_read_only(error):
                self._ask_again = loop.time() + self._timing.read_only_again
            self.failed(error)
            raise
        try:
            started = await connection.fetchval("SELECT pg_postmaster_start_time()")
        except BaseException:
            connection.terminate()
            raise
        if started != self._started:
            self._leave("another server, or a restarted one, has taken its place")
            self._started = started
        self._open.add(connection)
        return connection

    def failed(self, error: BaseException) -> None:
        """Drops all connections if the error shows that their server takes no writes."""
        if is_read_only(error) or sqlstate_of(error) == CANNOT_CONNECT_NOW:
            self._leave("it takes no writes")

    def _leave(self, why: str) -> None:
        left = [connection for connection in self._open if not connection.is_closed()]
        self._open.clear()
        if left:
            _LOG.warning("leaving the server of %s (%s) and connecting anew", where(self._url), why)
        for connection in left:
            connection.terminate()


class Pool:
    """Connections for `timing.writes` and `timing.reads`, opened on demand and reopened after a loss."""

    def __init__(
        self, primary: Primary, prepare: Callable[[Connection], Awaitable[None]], timing: PostgresTiming
    ) -> None:
        """`prepare` is called with each new connection."""
        self._primary, self._prepare, self._timing = primary, prepare, timing
        self._pool: Any = None

    async def open(self) -> None:
        self._pool = await cast(
            "Awaitable[Any]",
            asyncpg.create_pool(  # pyright: ignore[reportUnknownMemberType]
                min_size=0,  # asyncpg would otherwise connect in the background and log each failure at length
                max_size=self._timing.writes + self._timing.reads,
                connect=self._connect,
                init=self._prepare,
                reset=_no_reset,
            ),
        )

    async def _connect(self, *_given: object, **_named: object) -> Connection:
        return await self._primary.connect()

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Connection]:
        """A connection for the time of the block. Dropped if the block raises."""
        connection = await self._pool.acquire(timeout=2 * self._timing.connect)
        try:
            yield cast("Connection", connection)
        except BaseException as error:
            connection.terminate()
            self._primary.failed(error)
            raise
        finally:
            await self._pool.release(connection)

    async def close(self) -> None:
        """Closes all connections; drops them after `timing.close` seconds."""
        if self._pool is not None:
            try:
                async with asyncio.timeout(self._timing.close):
                    await self._pool.close()
            except (TimeoutError, OSError, exceptions.PostgresError, exceptions.InterfaceError):
                self._pool.terminate()


async def _no_reset(_connection: object) -> None:
    """Does nothing: a reset would cost a round trip per write, and no user of a connection changes its session."""


def sqlstate_of(error: BaseException) -> str | None:
    """The SQLSTATE of a server error; None for other errors."""
    code = getattr(error, "sqlstate", None)
    return code if isinstance(error, exceptions.PostgresError) and isinstance(code, str) else None


def is_read_only(error: BaseException) -> bool:
    """Whether the error says that the server, or each server of the URL, can only be read."""
    return sqlstate_of(error) == READ_ONLY or isinstance(
        error, ServerReadOnly | exceptions.TargetServerAttributeNotMatched
    )


def check_writable(connection: Connection) -> None:
    """Raises `ServerReadOnly` if the server has reported that this session can only read since it was opened.

    A session on a server that became read-only reads on without an error. The server reports the change with the next
    result. A transaction that is read-only by itself is not meant.
    """
    if getattr(connection.get_settings(), "default_transaction_read_only", "off") == "on":
        raise ServerReadOnly


def constraint_of(error: BaseException) -> str | None:
    """The name of the violated constraint or unique index."""
    return getattr(error, "constraint_name", None)


class ServerReadOnly(ConnectionError):
    """The server of an open session takes no writes any more."""


READ_ONLY: Final = "25006"
CANNOT_CONNECT_NOW: Final = "57P03"


def lost_connection(error: BaseException) -> bool:
    """Whether the error is a failure of the connection, and not of the statement."""
    if isinstance(error, exceptions.InterfaceError):
        return not isinstance(error, ValueError)  # a wrong value
    return isinstance(error, OSError | TimeoutError | exceptions.InternalClientError)


DatabaseError = exceptions.PostgresError
DriverError = (exceptions.PostgresError, exceptions.InterfaceError, exceptions.InternalClientError, OSError)
"""The errors of asyncpg. TimeoutError is an OSError."""
UniqueViolation = exceptions.UniqueViolationError


# -- transactions

_SERIALISE: Final = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"


class PostgresTx:
    """`bot.store.engine.Tx` on a connection. `timeout`: seconds per statement, if not the default."""

    __slots__ = ("_connection", "_timeout", "again")
    numbers = "SELECT CAST(value AS bigint) FROM json_array_elements_text(CAST({} AS json))"

    def __init__(self, connection: Connection, *, again: bool = False, timeout: float | None = None) -> None:
        self._connection, self.again, self._timeout = connection, again, timeout

    async def execute(self, query: str, *values: Value) -> int:
        try:
            tag = await self._connection.execute(query, *values, timeout=self._timeout)
        except UniqueViolation as error:
            raise NotUnique(constraint_of(error) or "") from None
        return int(tag.rpartition(" ")[2])

    async def many(self, query: str, rows: Sequence[Sequence[Value]]) -> None:
        try:
            await self._connection.executemany(query, rows, timeout=self._timeout)
        except UniqueViolation as error:
            raise NotUnique(constraint_of(error) or "") from None

    async def fetch(self, query: str, *values: Value) -> Sequence[Row]:
        try:
            return await self._connection.fetch(query, *values, timeout=self._timeout)
        except UniqueViolation as error:
            raise NotUnique(constraint_of(error) or "") from None

    async def serialise(self, what: str, number: int = 0) -> None:
        await self._connection.execute(_SERIALISE, f"{what} {number}")
