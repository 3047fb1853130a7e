"""The fleet session: a database connection whose advisory locks show the state of this process to all others.

All shared state of the fleet is in PostgreSQL's lock table. The server releases the locks with the session: immediately
when the process dies, and after `FleetTiming.session_ends` seconds of silence when it is frozen or partitioned. No row
is written and no clocks are compared.

Never LISTEN on this session: the server does not end a session while data waits to be sent to it.
"""

from __future__ import annotations

import asyncio
import json
from collections import defaultdict
from collections.abc import Awaitable, Callable, Iterable
from enum import IntEnum
from typing import Final

from bot.clock import ELAPSED
from bot.fleet.fleet import FLEET_TIMING, FleetTiming, ProcessState
from bot.fleet.plan import FleetState
from bot.store.model import StoreRefused
from bot.store.postgres.driver import Connection, DriverError, Primary, check_writable, sqlstate_of
from bot.store.postgres.errors import BEHIND_A_PROXY
from bot.store.postgres.layout import HERE, USE_LOCK
from bot.store.postgres.layout import KEY as STORE_KEY

KEY: Final = 0x44494773
"""The first key of the locks; each kind adds its number. All versions of the program share these keys."""
_DISAGREED: Final = 0.05
"""Until a process that was told another shard count than one that starts at the same time tries again."""


class LockKind(IntEnum):
    """The kind of a lock. The second key of the lock is a shard number, the shard count (COUNT), or 0 (MEMBER)."""

    OWNER = 0
    STANDBY = 1
    CONNECTED = 2
    MEMBER = 3
    COUNT = 4


SHARED: Final = frozenset({LockKind.CONNECTED, LockKind.MEMBER, LockKind.COUNT})
"""The kinds of locks that several processes can hold at the same time."""

_OURS: Final = f"""
    FROM pg_locks WHERE {HERE} AND classid::bigint BETWEEN {KEY} AND {KEY + max(LockKind)}"""
_STATE: Final = f"""
    SELECT pg_backend_pid(), (SELECT json_agg(json_build_array(classid::bigint - {KEY}, objid::bigint, pid)) {_OURS}),
        (SELECT min(backend_start) < clock_timestamp() - $1 * interval '1 second' FROM pg_stat_activity
         WHERE pid IN (SELECT pid {_OURS}))"""
_END_MINE: Final = """
    SELECT pg_terminate_backend(pid, 1000) FROM pg_stat_activity
    WHERE pid = $1 AND application_name = current_setting('application_name')"""
"""Ends an earlier session of this process that is still open; its locks would count as those of another process."""
_NAMES: Final = f"""
    SELECT pid, application_name FROM pg_stat_activity WHERE pid IN (SELECT pid {_OURS}) ORDER BY backend_start, pid"""
"""The processes that hold locks, oldest session first, with their application names."""


_GIVE: Final = f"""
    WITH held AS MATERIALIZED (
        SELECT classid::bigint - {KEY} AS kind, pid {_OURS} AND objid::bigint = $1::int AND pid <> pg_backend_pid()
    ), ready AS MATERIALIZED (
        SELECT 1 FROM held AS standby JOIN held AS connected USING (pid)
        WHERE standby.kind = {LockKind.STANDBY.value} AND connected.kind = {LockKind.CONNECTED.value}
    )
    SELECT pg_advisory_unlock_shared({KEY + LockKind.CONNECTED}, $1::int),
        pg_advisory_unlock({KEY + LockKind.OWNER}, $1::int) FROM ready"""


class SessionLost(Exception):
    """The session has ended or does not answer; the server releases its locks. A new session can be opened."""


class WrongShardCount(StoreRefused):
    """`SHARD_COUNT` differs from the shard count of the fleet."""

    def __init__(self, configured: int, shared: int) -> None:
        super().__init__(
            f"SHARD_COUNT is {configured}, but the processes that run on this database have {shared} shards. Remove "
            "SHARD_COUNT, or give it the same value for all; to change it, stop all processes first."
        )


class Locks:
    """The fleet session. One statement runs at a time."""

    def __init__(
        self, primary: Primary, timing: FleetTiming = FLEET_TIMING, elapsed: Callable[[], float] = ELAPSED
    ) -> None:
        """`elapsed` is a monotonic clock that includes the time for which the machine sleeps."""
        self._primary, self.timing, self.elapsed = primary, timing, elapsed
        self._connection: Connection | None = None
        self._opened = 0.0
        self._answered = 0.0
        """The time at which the last answered statement was sent."""
        self._one_at_a_time = asyncio.Lock()
        self.process = 0
        """The backend process id of the session, which identifies this process to the others."""

    @property
    def is_open(self) -> bool:
        return self._connection is not None

    @property
    def age(self) -> float:
        """Seconds since the session was opened."""
        return self.elapsed() - self._opened

    @property
    def answer_age(self) -> float:
        """Seconds since the last answered statement was sent."""
        return self.elapsed() - self._answered

    @property
    def certain(self) -> bool:
        """Whether no other process can have taken these locks.

        On a server that takes the place of this session's, other processes take them once their sessions are settled.
        """
        lasts = min(self.timing.statement, self.timing.session_settled)
        return self._connection is not None and not self._connection.is_closed() and self.answer_age < lasts

    async def open(self) -> None:
        """Opens a new session without fleet locks. Raises `SessionLost`, `StoreRefused`."""
        self.close()
        asked, before = self.elapsed(), self.process
        try:
            connection = await self._primary.connect(self.timing.statement)
            try:
                self.process = await self._pid_of(connection)
                await connection.fetchval(_END_MINE, before)
                await connection.execute(f"SET idle_session_timeout = '{self.timing.session_ends}s'")
                if not await connection.fetchval(
                    f"SELECT pg_try_advisory_lock_shared({STORE_KEY}, {USE_LOCK})"
                ):
                    raise ConnectionError("a process that shares it with nobody has the database")
            except BaseException:
                connection.terminate()
                raise
        except DriverError as error:
            raise SessionLost(str(error) or type(error).__name__) from None
        self._connection, self._opened, self._answered = connection, self.elapsed(), asked

    async def _pid_of(self, connection: Connection) -> int:
        """The backend process id. Raises `StoreRefused` behind a proxy that shares sessions."""
        try:
            number = int(await connection.fetchval("SELECT pg_backend_pid()"))
            if number == connection.get_server_pid():
                return number  # no proxy
            other = await self._primary.connect(self.timing.statement)
            try:
                # A session-sharing proxy runs this transaction in the session used last.
                await other.execute("BEGIN")
                await other.fetchval("SELECT pg_backend_pid()")
                if number == int(await connection.fetchval("SELECT pg_backend_pid()")):
                    return number
            finally:
                other.terminate()
        except DriverError as error:
            # A statement prepared by another session, or missing in this one.
            if sqlstate_of(error) not in ("26000", "42P05"):
                raise
        raise StoreRefused(BEHIND_A_PROXY)

    def close(self) -> None:
        """Ends the session; the server releases its locks."""
        if self._connection is not None:
            self._connection.terminate()
        self._connection = None

    async def state(self) -> FleetState:
        """Reads the locks of all processes, which also prevents the session's idle timeout. Raises `SessionLost`."""
        [(process, locks, settled)] = await self._ask(_STATE, self.timing.session_settled)
        if process != self.process:
            raise self._lost("another session answers")
        return fleet_state(_read(locks), settled=bool(settled))

    async def processes(self) -> list[ProcessState]:
        """The live processes, oldest session first. Raises `SessionLost`."""
        state, found = await self.state(), list[ProcessState]()
        for pid, called in await self._ask(_NAMES):
            process = int(str(pid))
            # The name has the format of `own_name`; a proxy may have truncated it.
            _program, version, name = (*str(called).split(" "), "", "")[:3]
            found.append(ProcessState(name, version, len(state.owned_by(process)), process in state.members))
        return found

    async def take(self, kind: LockKind, numbers: Iterable[int]) -> frozenset[int]:
        """Tries to take locks; returns the numbers obtained. Raises `SessionLost`."""
        way = "_shared" if kind in SHARED else ""
        query = f"SELECT number FROM unnest($1::int[]) AS number WHERE pg_try_advisory_lock{way}({KEY + kind}, number)"
        wanted = sorted(numbers)
        return (
            frozenset(int(str(row[0])) for row in await self._ask(query, wanted)) if wanted else frozenset()
        )

    async def free(self, kind: LockKind, numbers: Iterable[int]) -> None:
        """Releases held locks. Raises `SessionLost`."""
        way = "_shared" if kind in SHARED else ""
        held = sorted(numbers)
        if held:
            await self._ask(
                f"SELECT pg_advisory_unlock{way}({KEY + kind}, number) FROM unnest($1::int[]) AS number", held
            )

    async def give(self, shard: int) -> bool:
        """Releases OWNER and CONNECTED of an owned shard if its standby is connected; returns whether it released them.

        The standby may have stood down since the plan was made. Raises `SessionLost`.
        """
        return bool(await self._ask(_GIVE, shard))

    async def agree_on_count(self, wanted: int | None, advised: Callable[[], Awaitable[int]]) -> int:
        """Takes the lock COUNT; returns the shard count of the live processes, else `wanted`, else `advised`.

        Raises `SessionLost`, and `WrongShardCount` if the other processes have another count than `wanted`.
        """
        while True:
            counts = await self._counts()
            count = max(counts) if counts else wanted or await advised()
            if wanted not in (None, count):
                raise WrongShardCount(wanted or 0, count)
            await self.take(LockKind.COUNT, [count])
            if len(await self._counts()) == 1:
                return count
            # Another process has started with another count at the same time. Both release their locks and wait for
            # different times; the first to take the lock again decides.
            await self.free(LockKind.COUNT, [count])
            await asyncio.sleep(_DISAGREED * (1 + self.process % 8))

    async def _counts(self) -> set[int]:
        [(_process, locks, _settled)] = await self._ask(_STATE, self.timing.session_settled)
        return {number for kind, number, _holder in _read(locks) if kind is LockKind.COUNT}

    async def _ask(self, query: str, *values: object) -> list[tuple[object, ...]]:
        async with self._one_at_a_time:
            if self._connection is None:
                raise SessionLost("there is no session")
            asked = self.elapsed()
            try:
                rows = await self._connection.fetch(query, *values)
                check_writable(self._connection)
            except DriverError as error:
                self._primary.failed(error)
                raise self._lost(str(error) or type(error).__name__) from None
            except BaseException:
                self.close()  # it is unknown whether a cancelled statement took or released locks
                raise
            self._answered = asked
            return [tuple(row) for row in rows]

    def _lost(self, why: str) -> SessionLost:
        self.close()
        return SessionLost(why)


def _read(locks: object) -> list[tuple[LockKind, int, int]]:
    return [(LockKind(kind), number, process) for kind, number, process in json.loads(str(locks or "[]"))]


def fleet_state(locks: Iterable[tuple[LockKind, int, int]], *, settled: bool = True) -> FleetState:
    """The state of these locks, given as (kind, second key, process)."""
    holders = defaultdict[LockKind, dict[int, set[int]]](lambda: defaultdict(set))
    for kind, number, process in locks:
        holders[kind][number].add(process)
    counts = holders[LockKind.COUNT]
    return FleetState(
        max(counts, default=0),
        frozenset[int]().union(*holders[LockKind.MEMBER].values()),
        {shard: min(owner) for shard, owner in holders[LockKind.OWNER].items()},
        {shard: min(standby) for shard, standby in holders[LockKind.STANDBY].items()},
        {shard: frozenset(there) for shard, there in holders[LockKind.CONNECTED].items()},
        frozenset[int]().union(*counts.values()),
        settled,
    )
