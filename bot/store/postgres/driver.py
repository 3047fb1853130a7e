"""asyncpg, of which the rest of the store sees only what it uses, with types."""

from __future__ import annotations

import asyncio
import os
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from typing import Any, Final, Protocol, cast

import asyncpg  # pyright: ignore[reportMissingTypeStubs]
from asyncpg import exceptions  # pyright: ignore[reportMissingTypeStubs]

from bot.version import own_version

CONNECTING: Final = 5
"""Seconds after which an attempt to connect has failed."""
ANSWERING: Final = 10.0
"""Seconds after which a statement has failed that gets no answer."""
IDLE_IN_TRANSACTION: Final = 5
"""Seconds after which the server ends a transaction whose client says nothing more, so that its locks are freed."""

Row = Sequence[Any]
"""A row of an answer: its columns in their order."""


class Connection(Protocol):
    """A connection to a database. `timeout` is in seconds; None means `ANSWERING`."""

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
        """Runs a statement once for each of these rows of values, in one round trip."""
        ...

    async def fetch(self, query: str, *values: object, timeout: float | None = None) -> list[Row]: ...  # noqa: ASYNC109

    async def fetchval(self, query: str, *values: object, timeout: float | None = None) -> Any: ...  # noqa: ASYNC109

    async def copy_records_to_table(
        self, table_name: str, *, records: Sequence[Row], columns: Sequence[str], schema_name: str
    ) -> str:
        """Adds rows quickly."""
        ...

    async def add_listener(self, channel: str, callback: Callable[[object, int, str, object], None]) -> None:
        """Has `callback` called with the connection, a number, the channel and the text of each notification."""
        ...

    def add_termination_listener(self, callback: Callable[[object], None]) -> None:
        """Has `callback` called when the connection ends, however it does."""
        ...

    def get_server_pid(self) -> int: ...

    def is_closed(self) -> bool: ...

    def terminate(self) -> None:
        """Drops the connection at once."""
        ...

    async def close(self, *, timeout: float | None = None) -> None: ...  # noqa: ASYNC109


NAME: Final = "digsite"
"""What a connection is called on the server. Those of a process that has the store open add which one that is."""
_LONGEST_NAME: Final = 63
"""The server cuts longer names off."""

SCHEMA: Final = "digsite"
_SESSION: Final = {
    "search_path": SCHEMA,
    "default_transaction_isolation": "read committed",
    "client_min_messages": "warning",
    "idle_in_transaction_session_timeout": str(IDLE_IN_TRANSACTION * 1000),
    "jit": "off",
    # Where the server can, it notices soon that a client's machine is gone, and frees what that client had locked.
    "tcp_keepalives_idle": "10",
    "tcp_keepalives_interval": "5",
    "tcp_keepalives_count": "3",
}


def own_name() -> str:
    """What the server calls this process's connections: the version, the machine and the number, for people to read.

    As in `digsite 0.1.0+b64bec4 host-1234`.
    """
    release, _, build = own_version().replace(" ", "-").partition("+")
    version = f"{release}+{build.rpartition('.')[2][:7]}" if build else release
    number = f"-{os.getpid()}"
    beginning = f"{NAME} {version} "
    host = socket.gethostname().replace(" ", "-")
    return beginning + host[-(_LONGEST_NAME - len(beginning) - len(number)) :] + number


async def connect(url: str, *, name: str = NAME, answering: float = ANSWERING) -> Connection:
    """A connection of its own. Raises what asyncpg raises; `bot.store.postgres.faults` translates it."""
    session = {**_SESSION, "application_name": name}
    made: object = await asyncpg.connect(  # pyright: ignore[reportUnknownMemberType, reportUnknownVariableType]
        url,
        timeout=CONNECTING,
        command_timeout=answering,
        server_settings=session,
    )
    return cast("Connection", made)


class Pool:
    """At most `size` connections, which are made when they are needed and made anew when they were lost."""

    def __init__(
        self, url: str, size: int, name: str, prepare: Callable[[Connection], Awaitable[None]]
    ) -> None:
        """`prepare` is called with each new connection; `name` is what the server is to call them."""
        self._url, self._size, self._name, self._prepare = url, size, name, prepare
        self._pool: Any = None

    async def open(self) -> None:
        self._pool = await cast(
            "Awaitable[Any]",
            asyncpg.create_pool(  # pyright: ignore[reportUnknownMemberType]
                self._url,
                min_size=0,  # otherwise asyncpg would try in the background, and log each failure at length
                max_size=self._size,
                init=self._prepare,
                reset=_leave_as_it_is,
                timeout=CONNECTING,
                command_timeout=ANSWERING,
                server_settings={**_SESSION, "application_name": self._name},
            ),
        )

    @asynccontextmanager
    async def connection(self) -> AsyncGenerator[Connection]:
        """A connection for the time of the block. If the block raises, the connection is dropped."""
        connection = await self._pool.acquire(timeout=2 * CONNECTING)
        try:
            yield cast("Connection", connection)
        except BaseException:
            connection.terminate()
            raise
        finally:
            await self._pool.release(connection)

    async def close(self, within: float) -> None:
        """Closes all connections; after so many seconds it drops them."""
        if self._pool is not None:
            try:
                await asyncio.wait_for(self._pool.close(), within)
            except (TimeoutError, OSError, exceptions.PostgresError, exceptions.InterfaceError):
                self._pool.terminate()


async def _leave_as_it_is(_connection: object) -> None:
    """No session is changed by its use, so nothing has to be reset, which would cost a round trip a write."""


def sqlstate_of(error: BaseException) -> str | None:
    """The code of an error that the server reported; None if it is another error."""
    code = getattr(error, "sqlstate", None)
    return code if isinstance(error, exceptions.PostgresError) and isinstance(code, str) else None


def constraint_of(error: BaseException) -> str | None:
    """The name of the constraint or unique index that forbade a row."""
    return getattr(error, "constraint_name", None)


def lost_connection(error: BaseException) -> bool:
    """Whether the error comes from the way to the server, and not from what was asked of it."""
    if isinstance(error, exceptions.InterfaceError):
        return not isinstance(error, ValueError)  # which tells of a wrong value
    return isinstance(error, OSError | TimeoutError | exceptions.InternalClientError)


DatabaseError = exceptions.PostgresError
DriverError = (exceptions.PostgresError, exceptions.InterfaceError, exceptions.InternalClientError, OSError)
"""What asyncpg raises. TimeoutError is an OSError."""
UniqueViolation = exceptions.UniqueViolationError
