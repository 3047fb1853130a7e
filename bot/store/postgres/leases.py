"""Who works for which shard: leases in the database, which a process renews and which run out when it no longer does.

All that a process holds runs out at once, with its row in `processes`. Whoever sees a row run out deletes it, and so
deposes that process: its shards are free. What is right does not rest on this: a table's version decides which change
of it counts, whoever writes it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final, TypeVar, get_args

from bot.store.model import Reach, Roll, Signal, StoreError, StoreLost
from bot.store.postgres.beats import WATCHED, Beats
from bot.store.postgres.driver import Connection
from bot.store.postgres.layout import KEY
from bot.store.postgres.owner import CHANNEL
from bot.store.postgres.process import Process
from bot.store.postgres.roll import ROLL, Seen, name_of, read_roll

T = TypeVar("T")

_LOG = logging.getLogger(__name__)

_BEGINNING_LOCK: Final = 4
_ANSWERING: Final = 2.0
"""Seconds that the database may take to answer at least, however short a lease is."""
_FREEING: Final = 1000
"""Milliseconds that deposing waits for what the other process has in hand; then it is tried in the next round."""
_RENEW: Final = """
    UPDATE processes SET until = greatest(clock_timestamp() + $2 * interval '1 second',
                                          CASE WHEN NOT begun THEN until END) WHERE id = $1"""
"""A process that has not begun yet keeps the longer time that it has for that."""


@dataclass(frozen=True, slots=True)
class Holding:
    """The shards that this process holds, as far as it knows, and how many there are."""

    shard_count: int = 0
    shards: frozenset[int] = frozenset()


class PostgresLeases:
    """The leases of this process. `bot.store.model.Leases` says what its methods do."""

    def __init__(self, process: Process, settle: Callable[[], Awaitable[None]], length: float) -> None:
        """`settle` returns when the writes under way have ended. `length`: seconds after which a lease runs out that is
        not renewed."""
        self._process, self._settle, self._length = process, settle, length
        self._within = max(length / 2, _ANSWERING)
        self._open = False
        self.holding = Holding()
        self._heard: list[Callable[[Signal], None]] = []
        self._renewed: float | None = None
        """When this process last renewed its leases, on the event loop's clock."""
        self._steady: float | None = None
        """Since when it has done so without a failure."""
        self._beats = Beats()

    async def attach(self) -> None:
        """Begins anew with a process that has just opened the store."""
        self._open, self.holding = True, Holding()
        self._renewed = self._steady = None
        await self._process.listen(self.notified)

    # -- joining and leaving

    async def shard_count(self) -> int | None:
        seen = await self._others_told_apart()
        return seen.roll.shard_count if seen.others else None

    async def begin(self, shard_count: int) -> Roll:
        await self._others_told_apart()

        async def act(connection: Connection) -> Seen:
            await connection.execute(f"SELECT pg_advisory_xact_lock({KEY}, {_BEGINNING_LOCK})")
            await self._renew_on(connection)
            others = "SELECT FROM processes WHERE begun AND id <> $1"
            if not await connection.fetch(others, self._me):
                await connection.execute("DELETE FROM shards WHERE shard >= $1", shard_count)
                await connection.execute(
                    "INSERT INTO shards (shard) SELECT generate_series(0, $1 - 1) ON CONFLICT DO NOTHING",
                    shard_count,
                )
            await connection.execute("UPDATE processes SET begun = true WHERE id = $1", self._me)
            await self._renew_on(connection)
            await self._tell_on(connection)
            return await self._look(connection)

        return (await self._change(act)).roll

    async def leave(self) -> None:
        process = self._must_be_open()
        await self._settle()
        await process.as_owner(_in_transaction(partial(self._end, process.era)), self._within)
        process.left = True
        self.holding = Holding(self.holding.shard_count)

    async def let_go(self) -> None:
        """Leaves if this process has not done so, because its store is being closed."""
        if not self._open:
            return
        self._open, process = False, self._process
        try:
            await process.as_owner(_in_transaction(partial(self._end, process.era)), _ANSWERING)
        except StoreError as error:
            _LOG.info("the leases were not given up, so they run out by themselves: %s", error)

    async def _end(self, era: int, connection: Connection) -> None:
        if await connection.execute("DELETE FROM processes WHERE id = $1", era) != "DELETE 0":
            await self._tell_on(connection)

    # -- each round

    async def renew(self) -> Roll:
        return (await self._renewed_roll()).roll

    async def take(self, shards: Sequence[int]) -> Roll:
        await self._renewed_roll()
        free = """
            UPDATE shards SET owner = $1, generation = generation + 1,
                              heir_ready = heir_ready AND heir IS NOT NULL AND heir <> $1, heir = nullif(heir, $1)
            WHERE shard = ANY ($2::integer[]) AND owner IS NULL"""
        return await self._changed(free, self._me, list(shards))

    async def court(self, shards: Sequence[int]) -> Roll:
        return await self._changed(
            """
            UPDATE shards SET heir = $1, heir_ready = false
            WHERE shard = ANY ($2::integer[]) AND heir IS NULL AND owner <> $1""",
            self._me,
            list(shards),
        )

    async def renounce(self, shards: Sequence[int]) -> Roll:
        return await self._changed(
            """
            UPDATE shards SET heir = NULL, heir_ready = false
            WHERE shard = ANY ($2::integer[]) AND heir = $1""",
            self._me,
            list(shards),
        )

    async def ready(self, shards: Sequence[int]) -> Roll:
        return await self._changed(
            "UPDATE shards SET heir_ready = true WHERE shard = ANY ($2::integer[]) AND heir = $1",
            self._me,
            list(shards),
        )

    async def hand_over(self, shards: Sequence[int]) -> Roll:
        query = """
            UPDATE shards SET owner = heir, generation = generation + 1, heir = NULL, heir_ready = false
            WHERE shard = ANY ($2::integer[]) AND owner = $1 AND heir_ready
                AND heir IN (SELECT id FROM processes WHERE until > clock_timestamp() AND NOT draining)"""
        wanted = list(shards)

        async def act(connection: Connection) -> Seen:
            await self._renew_on(connection)
            if await connection.execute(query, self._me, wanted) != "UPDATE 0":
                await self._tell_on(connection)
            return await self._look(connection)

        await self._settle()  # so that the heir seldom reads a table that is just being changed
        return (await self._change(act)).roll

    async def note_reach(self, reach: Reach) -> Roll:
        note = """
            WITH free AS (
                UPDATE shards SET heir = NULL, heir_ready = false WHERE heir = $1 AND $2 = 'cut off'
            )
            UPDATE processes SET reach = $2 WHERE id = $1"""
        return await self._changed(note, self._me, reach)

    async def drain(self, process: int) -> Roll:
        return await self._changed("UPDATE processes SET draining = true WHERE id = $1", process)

    # -- Discord's limit on identifying

    async def may_identify(self, bucket: int, every: float) -> float:
        mark = """
            INSERT INTO identifies AS last (bucket, at)
            SELECT $1, clock_timestamp() FROM processes WHERE id = $3
            ON CONFLICT (bucket) DO UPDATE SET at = clock_timestamp()
                WHERE last.at <= clock_timestamp() - $2 * interval '1 second'
                    OR last.at > clock_timestamp() + interval '1 second'  -- the server's clock was set back
            RETURNING bucket"""
        wait = """
            SELECT extract(epoch FROM at - clock_timestamp())::double precision + $2
            FROM identifies WHERE bucket = $1"""

        async def act(connection: Connection) -> float:
            if await connection.fetch(mark, bucket, every, self._me):
                return 0.0
            await self._must_be_on_the_roll(connection)
            return max(0.01, float(await connection.fetchval(wait, bucket, every)))

        return await self._must_be_open().as_owner(act, self._within)

    # -- signals

    async def tell(self, signal: Signal) -> None:
        await self._must_be_open().as_owner(
            lambda connection: self._tell_on(connection, signal), self._within
        )

    def listen(self, heard: Callable[[Signal], None]) -> None:
        self._heard.append(heard)

    def notified(self, payload: str | None) -> None:
        """To be told what another process or this one has told; None: some of it may have been missed."""
        if payload is None:
            self._steady = None  # the database may have been away, for the others too
        signals: tuple[Signal, ...] = get_args(Signal)
        for signal in signals:
            if payload is None or payload == signal:
                for heard in self._heard:
                    heard(signal)

    # -- inside

    @property
    def _me(self) -> int:
        return self._must_be_open().era

    def _must_be_open(self) -> Process:
        if not self._open:
            raise StoreError("The store is not open. Nothing was read or written.")
        return self._process

    async def _others_told_apart(self) -> Seen:
        """The roll, once it is certain which of the other processes live."""
        while True:
            seen = await self._renewed_roll()
            if not seen.others or len(seen.roll.processes) > 1:
                return seen
            # All others have missed their time. If the database was away, they come back as soon as this one has.
            await asyncio.sleep(self._length / 16)

    async def _renewed_roll(self) -> Seen:
        """The roll, after this process has renewed its leases and deposed whom it may."""

        async def act(connection: Connection) -> Seen:
            await self._renew_on(connection)
            return await self._look(connection)

        try:
            seen = await self._change(act, in_transaction=False)
        except StoreError:
            self._steady = None
            raise
        now = asyncio.get_running_loop().time()
        if self._renewed is None or self._steady is None or now - self._renewed > self._length / 2:
            self._steady = now  # this process may have slept, and the others with it
        self._renewed = now
        self._beats.see(now, seen.until)
        silent = [
            process for process in seen.expired if self._beats.silent(process, now) >= WATCHED * self._length
        ]
        if silent and now - self._steady >= self._length / 2:
            seen = await self._depose(replace(seen, expired=silent))
        return seen

    async def _depose(self, seen: Seen) -> Seen:
        """Takes processes off the roll whose leases have run out, and frees their shards."""
        # A process that wakes connects again then, and so learns at once that it was deposed.
        end = """
            SELECT pg_terminate_backend(pid) FROM processes
            JOIN unnest($1::bigint[], $2::text[]) AS expired (id, name) USING (id)
            JOIN pg_stat_activity ON application_name = expired.name AND datname = current_database()
            WHERE until < clock_timestamp()"""
        values = [*seen.expired], [name_of(process) for process in seen.expired]
        gone = """
            DELETE FROM processes WHERE id = ANY ($1::bigint[]) AND until < clock_timestamp() RETURNING id, name"""

        async def act(connection: Connection) -> Seen:
            await connection.execute(f"SET LOCAL lock_timeout = {_FREEING}")
            for number, name in await connection.fetch(gone, [*seen.expired]):
                _LOG.warning(
                    "the process %s (%s) has not renewed its leases; its shards are free", name, number
                )
            await self._tell_on(connection)
            return await self._look(connection)

        own = self._must_be_open()
        # The leases of this process are renewed, whatever becomes of the others'. So neither of these may fail it.
        try:
            await own.as_owner(lambda connection: connection.fetch(end, *values), self._within)
        except StoreLost:
            raise
        except StoreError as error:
            # For instance, they belong to a role whose connections this one may not end.
            _LOG.warning(
                "the connections of processes whose leases have run out could not be ended: %s", error
            )
        try:
            return await self._change(act)
        except StoreLost:
            raise
        except StoreError as error:
            _LOG.warning("a process whose leases have run out could not be taken off the roll: %s", error)
            return seen

    async def _changed(self, query: str, *values: object) -> Roll:
        """The roll, after a statement with these values. All others are told if it has changed anything."""

        async def act(connection: Connection) -> Seen:
            await self._renew_on(connection)
            if await connection.execute(query, *values) != "UPDATE 0":
                await self._tell_on(connection)
            return await self._look(connection)

        return (await self._change(act)).roll

    async def _change(
        self, act: Callable[[Connection], Awaitable[Seen]], *, in_transaction: bool = True
    ) -> Seen:
        whole = _in_transaction(act) if in_transaction else act
        seen = await self._must_be_open().as_owner(whole, self._within)
        shards = frozenset(row.shard for row in seen.roll.shards if row.owner == self._me)
        self.holding = Holding(seen.roll.shard_count, shards)
        return seen

    async def _renew_on(self, connection: Connection) -> None:
        """Raises `Deposed` if this process is no longer on the roll. Otherwise nobody can depose it for now."""
        if await connection.execute(_RENEW, self._me, self._length) != "UPDATE 1":
            raise self._must_be_open().taken_over()

    async def _must_be_on_the_roll(self, connection: Connection) -> None:
        if not await connection.fetch("SELECT FROM processes WHERE id = $1", self._me):
            raise self._must_be_open().taken_over()

    async def _look(self, connection: Connection) -> Seen:
        [row] = await connection.fetch(ROLL, self._me)
        return read_roll(self._me, row)

    async def _tell_on(self, connection: Connection, signal: Signal = "leases") -> None:
        await connection.execute("SELECT pg_notify($1, $2)", CHANNEL, signal)


def _in_transaction(act: Callable[[Connection], Awaitable[T]]) -> Callable[[Connection], Awaitable[T]]:
    async def whole(connection: Connection) -> T:
        await connection.execute("BEGIN")
        result = await act(connection)
        if await connection.execute("COMMIT") != "COMMIT":
            raise StoreError("The database did not keep this. All that came before it was kept.")
        return result

    return whole
