"""The session of this process whose locks tell all others that it lives, and what it works for.

All that processes agree on stands in PostgreSQL's table of locks, and the server takes it back with the session: at
once when the process dies, and after `SESSION_ENDS` seconds in which the process says nothing, because it is frozen or
its network is gone. No row is written and no clock is compared.

Nothing may ever LISTEN on this session: the server does not end a session while it waits to send something to it.
"""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Awaitable, Callable, Collection, Iterable
from enum import IntEnum
from typing import Final

from bot.clock import ELAPSED
from bot.fleet.alone import ProcessState
from bot.fleet.plan import View
from bot.store.model import StoreRefused
from bot.store.postgres.driver import Connection, DriverError, connect, own_name, sqlstate_of
from bot.store.postgres.faults import BEHIND_A_PROXY
from bot.store.postgres.layout import HERE, USE_LOCK
from bot.store.postgres.layout import KEY as STORE_KEY

SESSION_ENDS: Final = 6
"""Seconds of silence after which the server ends the session and frees its locks."""
ANSWERS_WITHIN: Final = 4.0
"""Seconds that the server may take to answer on this session. After that the process counts its locks as lost."""
SETTLED: Final = 3.0
"""Seconds after which a session shows that the database has not just restarted: until then each retakes its own."""
KEY: Final = 0x44494773
"""The first key of the locks; each kind adds its number. All programs of one database share these keys."""
_DIFFERING: Final = 0.05
"""Seconds until a process whose number of shards differs from another's, told at the same time, looks again."""


class Kind(IntEnum):
    """What a lock says. Its second key is the number of a shard, or the number of shards, or 0."""

    OWNER = 0
    STANDBY = 1
    CONNECTED = 2
    MEMBER = 3
    COUNT = 4


SHARED: Final = frozenset({Kind.CONNECTED, Kind.MEMBER, Kind.COUNT})
"""Locks that several processes hold at a time."""

_OURS: Final = f"""
    FROM pg_locks WHERE {HERE} AND classid::bigint BETWEEN {KEY} AND {KEY + max(Kind)}"""
_VIEW: Final = f"""
    SELECT pg_backend_pid(), (SELECT json_agg(json_build_array(classid::bigint - {KEY}, objid::bigint, pid)) {_OURS}),
        (SELECT min(backend_start) < clock_timestamp() - $1 * interval '1 second' FROM pg_stat_activity
         WHERE pid IN (SELECT pid {_OURS}))"""
_END_MINE: Final = """
    SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
    WHERE pid = $1 AND application_name = current_setting('application_name')"""
"""Ends a session of this process whose end the server has not noticed: its locks would be taken for somebody else's."""
_NAMES: Final = f"""
    SELECT pid, application_name FROM pg_stat_activity WHERE pid IN (SELECT pid {_OURS}) ORDER BY backend_start, pid"""
"""The processes that hold locks, oldest session first, and what their sessions are called."""


class SessionLost(Exception):
    """The session has ended, or does not answer, so that its locks are free or will be. A new one can be opened."""


class WrongShardCount(StoreRefused):
    """This process is told another number of shards than the others have."""

    def __init__(self, told: int, shared: int) -> None:
        super().__init__(
            f"SHARD_COUNT is {told}, but the processes that run on this database have {shared} shards. Remove "
            "SHARD_COUNT, or give it the same value for all; to change it, stop all processes first."
        )


class Locks:
    """Opens the session, and takes, frees and reads locks on it. Only one statement runs at a time."""

    def __init__(self, url: str, elapsed: Callable[[], float] = ELAPSED) -> None:
        """`elapsed` is a clock that nobody sets and that runs on while the machine sleeps."""
        self._url, self._elapsed = url, elapsed
        self._connection: Connection | None = None
        self._opened = 0.0
        self._answered = 0.0
        """When the last statement that was answered was asked."""
        self._one_at_a_time = asyncio.Lock()
        self.process = 0
        """The number by which others see this process; a new session has another one."""

    @property
    def is_open(self) -> bool:
        return self._connection is not None

    @property
    def age(self) -> float:
        """Seconds since the session was opened."""
        return self._elapsed() - self._opened

    @property
    def silence(self) -> float:
        """Seconds since the server was last asked something that it has answered."""
        return self._elapsed() - self._answered

    @property
    def certain(self) -> bool:
        """Whether the locks that this process took are certainly still its own."""
        return self._connection is not None and self.silence < ANSWERS_WITHIN

    async def open(self) -> None:
        """Opens a new session, which holds no lock of the fleet. Raises `SessionLost`, and `StoreRefused`."""
        self.close()
        asked, before = self._elapsed(), self.process
        try:
            connection = await connect(self._url, name=own_name(), answering=ANSWERS_WITHIN)
            try:
                self.process = await self._pid_of(connection)
                await connection.fetchval(_END_MINE, before)
                await connection.execute(f"SET idle_session_timeout = '{SESSION_ENDS}s'")
                if not await connection.fetchval(
                    f"SELECT pg_try_advisory_lock_shared({STORE_KEY}, {USE_LOCK})"
                ):
                    raise ConnectionError("a process that shares it with nobody has the database")
            except BaseException:
                connection.terminate()
                raise
        except DriverError as error:
            raise SessionLost(str(error) or type(error).__name__) from None
        self._connection, self._opened, self._answered = connection, self._elapsed(), asked

    async def _pid_of(self, connection: Connection) -> int:
        """The server's number of this session. Raises `StoreRefused` where it is not one session all the time."""
        try:
            number = int(await connection.fetchval("SELECT pg_backend_pid()"))
            if number == connection.get_server_pid():
                return number  # nothing lies between this process and the server
            other = await connect(self._url, name=own_name(), answering=ANSWERS_WITHIN)
            try:
                # A proxy that shares sessions gives the transaction the one that was used last.
                await other.execute("BEGIN")
                await other.fetchval("SELECT pg_backend_pid()")
                if number == int(await connection.fetchval("SELECT pg_backend_pid()")):
                    return number
            finally:
                other.terminate()
        except DriverError as error:
            # A statement that another session has prepared, or has not.
            if sqlstate_of(error) not in ("26000", "42P05"):
                raise
        raise StoreRefused(BEHIND_A_PROXY)

    def close(self) -> None:
        """Ends the session; the server frees all of its locks."""
        if self._connection is not None:
            self._connection.terminate()
        self._connection = None

    async def view(self) -> View:
        """What all processes hold now. It tells the server that this one lives, too. Raises `SessionLost`."""
        [(process, locks, settled)] = await self._ask(_VIEW, SETTLED)
        if process != self.process:
            raise self._lost("another session answers")
        return view_of(_read(locks), settled=bool(settled))

    async def processes(self) -> list[ProcessState]:
        """The processes that live, oldest session first. Raises `SessionLost`."""
        view, found = await self.view(), list[ProcessState]()
        for pid, called in await self._ask(_NAMES):
            process = int(str(pid))
            # As `own_name` has put it together; a proxy may have cut it short.
            _program, version, name = (*str(called).split(" "), "", "")[:3]
            found.append(ProcessState(name, version, len(view.owned_by(process)), process in view.members))
        return found

    async def take(self, kind: Kind, numbers: Iterable[int]) -> frozenset[int]:
        """Takes locks that this process does not hold; returns those that it got. Raises `SessionLost`."""
        way = "_shared" if kind in SHARED else ""
        query = f"SELECT number FROM unnest($1::int[]) AS number WHERE pg_try_advisory_lock{way}({KEY + kind}, number)"
        wanted = sorted(numbers)
        return (
            frozenset(int(str(row[0])) for row in await self._ask(query, wanted)) if wanted else frozenset()
        )

    async def free(self, kind: Kind, numbers: Iterable[int]) -> None:
        """Frees locks that this process holds. Raises `SessionLost`."""
        way = "_shared" if kind in SHARED else ""
        held = sorted(numbers)
        if held:
            await self._ask(
                f"SELECT pg_advisory_unlock{way}({KEY + kind}, number) FROM unnest($1::int[]) AS number", held
            )

    async def give(self, shards: Collection[int]) -> None:
        """Frees what this process holds of shards that it owns, all at once. Raises `SessionLost`."""
        await self._ask(
            f"SELECT pg_advisory_unlock_shared({KEY + Kind.CONNECTED}, number), "
            f"pg_advisory_unlock({KEY + Kind.OWNER}, number) FROM unnest($1::int[]) AS number",
            sorted(shards),
        )

    async def agree_on_count(self, wanted: int | None, advised: Callable[[], Awaitable[int]]) -> int:
        """The number of shards of the processes that live, else the one that is wanted or advised.

        Raises `SessionLost`, and `WrongShardCount` if the others have another number than is wanted.
        """
        while True:
            counts = await self._counts()
            count = max(counts) if counts else wanted or await advised()
            if wanted not in (None, count):
                raise WrongShardCount(wanted or 0, count)
            await self.take(Kind.COUNT, [count])
            if len(await self._counts()) == 1:
                return count
            # Another process has told another number at the same time. Both take theirs back, and one is first.
            await self.free(Kind.COUNT, [count])
            await asyncio.sleep(_DIFFERING * (1 + self.process % 8))

    async def _counts(self) -> set[int]:
        """The numbers of shards that processes hold."""
        [(_process, locks, _settled)] = await self._ask(_VIEW, SETTLED)
        return {number for kind, number, _holder in _read(locks) if kind is Kind.COUNT}

    async def _ask(self, query: str, *values: object) -> list[tuple[object, ...]]:
        async with self._one_at_a_time:
            if self._connection is None:
                raise SessionLost("there is no session")
            asked = self._elapsed()
            try:
                rows = await self._connection.fetch(query, *values)
            except DriverError as error:
                raise self._lost(str(error) or type(error).__name__) from None
            except BaseException:
                self.close()  # a statement that was broken off leaves it open which locks are held
                raise
            self._answered = asked
            return [tuple(row) for row in rows]

    def _lost(self, why: str) -> SessionLost:
        self.close()
        return SessionLost(why)


def _read(locks: object) -> list[tuple[Kind, int, int]]:
    return [(Kind(kind), number, process) for kind, number, process in json.loads(str(locks or "[]"))]


def view_of(locks: Iterable[tuple[Kind, int, int]], *, settled: bool = True) -> View:
    """The view that these locks give: each is its kind, its second key and its process."""
    holders = defaultdict[Kind, dict[int, set[int]]](lambda: defaultdict(set))
    for kind, number, process in locks:
        holders[kind][number].add(process)
    counts = holders[Kind.COUNT]
    return View(
        max(counts, default=0),
        frozenset[int]().union(*holders[Kind.MEMBER].values()),
        {shard: min(owner) for shard, owner in holders[Kind.OWNER].items()},
        {shard: min(standby) for shard, standby in holders[Kind.STANDBY].items()},
        {shard: frozenset(there) for shard, there in holders[Kind.CONNECTED].items()},
        frozenset[int]().union(*counts.values()),
        settled,
    )
