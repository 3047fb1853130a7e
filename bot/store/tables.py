"""The tables in the store, with their moves and logs, and the changes of a table."""

from __future__ import annotations

import json
from collections.abc import Callable, Coroutine
from dataclasses import replace
from typing import Any, Final

from bot.store import guests
from bot.store.daily import ADD_ATTEMPT, SET_SCORE
from bot.store.engine import NotUnique, Shards, Tx, TxFunction, Value
from bot.store.model import (
    ANY_NUMBER,
    LIVE,
    AlreadyTried,
    Change,
    ChannelTaken,
    Conflict,
    LogRow,
    MoveRow,
    Repeated,
    StoreError,
    TableLimits,
    TableRow,
    TooManyTables,
)
from bot.store.repository import Repository, reads
from bot.store.results import adding_result

IS_LIVE: Final = "status IN ({})".format(", ".join(f"'{status}'" for status in LIVE))
"""The condition for live tables. Must equal the text in their indexes, or SQLite does not use the indexes."""
SHORT: Final = (
    "id, guild_id, channel_id, game, status, version, sequence, body, NULL, created_at, changed_at, ended_at, "
    "asleep"
)
WHOLE: Final = SHORT.replace("NULL", "snapshot")

_ADD_TABLE: Final = """
    INSERT INTO tables (snapshot, body, guild_id, channel_id, game, status, sequence, changed_at, ended_at, asleep,
                        version, created_at, opener_id)
    VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, 1, $11, $12) RETURNING id"""
_CHANGE_TABLE: Final = """
    UPDATE tables SET snapshot = $1, body = $2, guild_id = $3, channel_id = $4, game = $5, status = $6, sequence = $7,
                      changed_at = $8, ended_at = $9, asleep = $10, version = version + 1
    WHERE id = $11 AND version = $12"""
_CHANGE_INSIDE: Final = """
    UPDATE tables SET snapshot = $1, body = $2, sequence = $3, changed_at = $4, version = version + 1
    WHERE id = $5 AND version = $6 AND guild_id = $7 AND channel_id = $8 AND game = $9 AND status = $10
      AND coalesce(ended_at, -1) = coalesce(CAST($11 AS double precision), -1) AND asleep = $12"""
"""For a change without an indexed column, so that SQLite does not write the pages of the indexes."""
IN_CHANNEL: Final = "channel_id <> 0"
"""The condition for tables in a channel. The others are private matches, which take no room and count for no limit."""
_LIVE_OF_OPENER: Final = f"""
    SELECT count(*) FROM tables WHERE opener_id = $1 AND {IS_LIVE} AND {IN_CHANNEL} AND NOT asleep"""
"""Sleeping tables are not counted: their opener cannot end them on a server that the bot has left."""
_LIVE_OF_GUILD: Final = f"SELECT count(*) FROM tables WHERE guild_id = $1 AND {IS_LIVE} AND {IN_CHANNEL}"
_ADD_PRESS: Final = "INSERT INTO presses (id, table_id, at) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
_PRESS: Final = "SELECT table_id FROM presses WHERE id = $1"
_TAKE_WISHES: Final = """
    UPDATE wishes SET table_id = $1 WHERE guild_id = $2 AND table_id IS NULL AND id IN ({})"""
_ADD_MOVE: Final = """
    INSERT INTO moves (table_id, sequence, seat, move, interaction_id, at, part)
    VALUES ($1, $2, $3, $4, $5, $6, $7)"""
_ADD_LINE: Final = """
    INSERT INTO log (table_id, number, source, sequence, event, at)
    VALUES ($1, (SELECT coalesce(max(number), 0) + 1 FROM log WHERE table_id = $1), $2, $3, $4, $5)"""
SET_JOB: Final = """
    INSERT INTO jobs (table_id, kind, due, payload) VALUES ($1, $2, $3, $4)
    ON CONFLICT (table_id, kind) DO UPDATE SET id = excluded.id, due = excluded.due, payload = excluded.payload"""
"""Sets a job. A job that is set again gets a new id, which distinguishes the two settings."""
_DROP_JOB: Final = "DELETE FROM jobs WHERE table_id = $1 AND kind = $2"
_SIT: Final = """
    INSERT INTO sat (table_id, user_id, seat) VALUES ($1, $2, $3) ON CONFLICT (table_id, user_id)
    DO UPDATE SET seat = CASE WHEN excluded.seat > sat.seat THEN excluded.seat ELSE sat.seat END"""


class TableRecords(Repository):
    """Reads, creates and changes tables. Versions and ids alone decide whether a change is valid."""

    async def create(
        self, change: Change, *, opener_id: int = 0, limits: TableLimits = ANY_NUMBER
    ) -> TableRow:
        """Creates `change.table` with its log, jobs and seated users; returns the row with its id and version.

        Ignores the id and version in `change.table` and the `table_id` of the jobs. The table counts towards the limit
        of `opener_id` until it ends or that user is forgotten. Raises `ChannelTaken`, `AlreadyTried`, `Repeated`,
        `TooManyTables` if the table would exceed `limits`, also by concurrent calls, and `Conflict` if a wish of the
        change does not wait.
        """
        return await self.access.write(creating(change, opener_id, limits, self.now()))

    async def commit(self, change: Change) -> bool:
        """Makes a change durable and increments `change.table.version`.

        Returns False if the connection was lost and the stored press id shows that an earlier attempt was committed.
        The table may have changed since, so the caller must read it again.

        Raises `Conflict`, `Repeated`, `StoreFull`, and `ChannelTaken` if the change revives an ended table whose
        channel has another live table.
        """
        table, version = change.table, change.table.version

        def increment(_known: bool) -> None:
            table.version = version + 1

        return await self.access.write(committing(change, self.now()), increment)

    @reads
    async def has_press(self, tx: Tx, press: int) -> bool:
        """Whether a change caused by this press is stored."""
        return bool(await tx.fetch(_PRESS, press))

    @reads
    async def table(self, tx: Tx, table_id: int) -> TableRow | None:
        return await _table(tx, table_id)

    @reads
    async def newer(self, tx: Tx, table_id: int, version: int) -> TableRow | None:
        """The table if its version differs from `version`, else None."""
        query = f"SELECT {WHOLE} FROM tables WHERE id = $1 AND version <> $2"
        return _first(await rows_of(tx, query, table_id, version))

    @reads
    async def live_table(self, tx: Tx, channel_id: int) -> TableRow | None:
        query = f"SELECT {WHOLE} FROM tables WHERE channel_id = $1 AND {IS_LIVE} AND {IN_CHANNEL}"
        return _first(await rows_of(tx, query, channel_id))

    @reads
    async def latest_table(
        self, tx: Tx, channel_id: int, game: str | None = None, *, begun: bool = False
    ) -> TableRow | None:
        """The newest table of the channel, live or ended. `begun`: only tables whose match has started."""
        query = f"""
            SELECT {WHOLE} FROM tables
            WHERE channel_id = $1 AND (CAST($2 AS text) IS NULL OR game = $2)
              AND (snapshot IS NOT NULL OR NOT CAST($3 AS boolean))
            ORDER BY id DESC LIMIT 1"""
        return _first(await rows_of(tx, query, channel_id, game, begun))

    @reads
    async def live_tables(self, tx: Tx) -> list[TableRow]:
        """All live tables without snapshots, oldest first."""
        # Without the plus sign, SQLite would scan the primary key, which has this order, and so all ended tables too.
        return await rows_of(tx, f"SELECT {SHORT} FROM tables WHERE {IS_LIVE} ORDER BY +id")

    @reads
    async def tables_after(self, tx: Tx, after: int, limit: int) -> list[TableRow]:
        """The next `limit` tables after the id `after`, live or ended, with snapshots."""
        return await rows_of(
            tx, f"SELECT {WHOLE} FROM tables WHERE id > $1 ORDER BY id LIMIT $2", after, limit
        )

    @reads
    async def live_by_game(self, tx: Tx) -> dict[str, int]:
        """The number of live tables by game. Takes some milliseconds with 10,000 tables."""
        rows = await tx.fetch(f"SELECT game, count(*) FROM tables WHERE {IS_LIVE} GROUP BY game")
        return {row[0]: row[1] for row in rows}

    @reads
    async def live_table_ids(
        self, tx: Tx, *, server: int | None = None, shards: Shards | None = None
    ) -> list[tuple[int, int]]:
        """Pairs (table id, server id) of live tables in channels: all, those of one server, or those of some shards."""
        query = f"SELECT id, guild_id FROM tables WHERE {IS_LIVE} AND {IN_CHANNEL}"
        values = list[Value]()
        if server is not None:
            query, values = f"{query} AND guild_id = $1", [server]
        elif shards is not None:
            query, values = f"{query} AND {of_shards(tx, 1)}", shard_values(shards)
        return [(row[0], row[1]) for row in await tx.fetch(f"{query} ORDER BY +id", *values)]

    @reads
    async def by_status(self, tx: Tx) -> dict[str, int]:
        """The number of tables by status."""
        rows = await tx.fetch("SELECT status, count(*) FROM tables GROUP BY status")
        return {row[0]: row[1] for row in rows}

    @reads
    async def moves(self, tx: Tx, table_id: int) -> list[MoveRow]:
        query = """
            SELECT sequence, seat, move, interaction_id, at, part FROM moves WHERE table_id = $1 ORDER BY sequence"""
        return [MoveRow(*row) for row in await tx.fetch(query, table_id)]

    @reads
    async def log(self, tx: Tx, table_id: int, *, last: int = 2**62) -> list[LogRow]:
        """The log of a table, oldest line first: at most `last` lines, the newest ones."""
        query = """
            SELECT line.source, line.sequence, line.event, line.at, line.number, moves.seat FROM (
                SELECT table_id, source, sequence, event, at, number FROM log WHERE table_id = $1
                ORDER BY number DESC LIMIT $2
            ) AS line
            LEFT JOIN moves ON moves.table_id = line.table_id AND moves.sequence = line.sequence
            ORDER BY line.number"""
        return [LogRow(*row) for row in await tx.fetch(query, table_id, last)]


def creating(change: Change, opener_id: int, limits: TableLimits, at: float) -> TxFunction[TableRow]:
    """Inserts the table of this change and returns its row."""
    table, press = replace(change.table), change.press
    values = (*_values_of(table), table.created_at, opener_id)
    add_rows, wishes, asked = _adding_rows(change), list(change.wishes), list(change.guests)

    async def run(tx: Tx) -> TableRow:
        if press is not None and not await tx.execute(_ADD_PRESS, press, None, at):
            [(made,)] = await tx.fetch(_PRESS, press)
            row = await _table(tx, made) if tx.again and made else None
            if row is None:
                raise _repeated()
            return row
        if press is None and tx.again:
            raise _unknown()
        if wishes:
            await tx.serialise("wishes", table.guild_id)
        # Serialised, so that each transaction counts the tables of earlier transactions.
        if limits.of_opener:
            await tx.serialise("opener", opener_id)
        if limits.of_guild:
            await tx.serialise("guild", table.guild_id)
        [(table_id,)] = await tx.fetch(_ADD_TABLE, *values)
        if limits.of_opener and await _count(tx, _LIVE_OF_OPENER, opener_id) > limits.of_opener:
            raise TooManyTables("opener", limits.of_opener)
        if limits.of_guild and await _count(tx, _LIVE_OF_GUILD, table.guild_id) > limits.of_guild:
            raise TooManyTables("guild", limits.of_guild)
        if press is not None:
            await tx.execute("UPDATE presses SET table_id = $1 WHERE id = $2", table_id, press)
        if wishes:
            take = _TAKE_WISHES.format(tx.numbers.format("$3"))
            if await tx.execute(take, table_id, table.guild_id, json.dumps(wishes)) != len(wishes):
                raise Conflict("One of these people does not wait any more. Nothing was written.")
        await add_rows(tx, table_id)
        await guests.ask(tx, table_id, opener_id, asked, at)
        return replace(table, id=table_id, version=1)

    return run


async def note_press(tx: Tx, press: int, at: float) -> None:
    """Stores the id of a press that changes no table. Raises `Repeated` if the press is already stored."""
    if not await tx.execute(_ADD_PRESS, press, None, at) and not tx.again:
        raise _repeated()


def committing(change: Change, at: float) -> TxFunction[bool]:
    """Applies this change if the table still has the version that was read.

    Returns False if an earlier attempt was committed; another process may have changed the table since.
    """
    table, press = change.table, change.press
    table_id, version = table.id, table.version
    inside = (table.snapshot, table.body, table.sequence, table.changed_at, table_id, version)
    indexed = (table.guild_id, table.channel_id, table.game, table.status, table.ended_at, table.asleep)
    whole = (*_values_of(table), table_id, version)
    add_rows = _adding_rows(change)

    async def run(tx: Tx) -> bool:
        # First, because the row lock decides between concurrent changes.
        if not (
            await tx.execute(_CHANGE_INSIDE, *inside, *indexed) or await tx.execute(_CHANGE_TABLE, *whole)
        ):
            if press is None or not await tx.fetch(_PRESS, press):
                changed = (
                    f"Table {table_id} has changed since it was read. Nothing was written; read it again."
                )
                raise _unknown() if tx.again else Conflict(changed)
            if not tx.again:
                raise _repeated()
            return False
        if press is not None and not await tx.execute(_ADD_PRESS, press, table_id, at):
            raise _repeated()
        await add_rows(tx, table_id)
        return True

    return run


def _values_of(table: TableRow) -> tuple[Value, ...]:
    """The columns of a table's row without id, version, creation time and opener."""
    return (
        *(table.snapshot, table.body, table.guild_id, table.channel_id, table.game, table.status),
        *(table.sequence, table.changed_at, table.ended_at, table.asleep),
    )


def _adding_rows(change: Change) -> Callable[[Tx, int], Coroutine[Any, Any, None]]:
    """A function that writes everything in a change except the table's row. Copies the change."""
    moves = [(m.sequence, m.seat, m.move, m.interaction_id, m.at, m.part) for m in change.moves]
    lines = [(line.source, line.sequence, line.event, line.at) for line in change.log]
    jobs = [(job.kind, job.due, job.payload) for job in change.set_jobs]
    table = change.table
    drops = [(kind,) for kind in {*change.drop_jobs}.difference(job.kind for job in change.set_jobs)]
    seated, undone = list(change.seated), change.undone
    joined = [(user_id,) for user_id, _seat in seated]
    declined = [(user_id, table.changed_at) for user_id in change.declined]
    parts = (
        *((_ADD_MOVE, moves), (_ADD_LINE, lines), (_DROP_JOB, drops), (SET_JOB, jobs), (_SIT, seated)),
        *((guests.JOIN, joined), (guests.DECLINE, declined)),
    )
    add_result = adding_result(change) if change.result is not None else None
    attempt, score = change.attempt, change.score

    async def add(tx: Tx, table_id: int) -> None:
        if undone is not None:
            await _take_back(tx, table_id, undone)
        for query, rows in parts:
            if rows:
                await tx.many(query, [(table_id, *row) for row in rows])
        if add_result is not None:
            await add_result(tx)
        if attempt is not None:
            await tx.execute(ADD_ATTEMPT, table_id, *attempt)
        if score is not None:
            await tx.execute(SET_SCORE, table_id, score)

    return add


async def _take_back(tx: Tx, table_id: int, undone: int) -> None:
    await tx.execute("DELETE FROM moves WHERE table_id = $1 AND sequence >= $2", table_id, undone)
    game = "DELETE FROM log WHERE table_id = $1 AND sequence >= $2 AND source <> 'table'"
    await tx.execute(game, table_id, undone)
    # Lines of the table itself are not deleted; their `sequence` becomes that of the last remaining move.
    table = "UPDATE log SET sequence = $2 - 1 WHERE table_id = $1 AND source = 'table' AND sequence >= $2"
    await tx.execute(table, table_id, undone)


def as_store_error(violation: NotUnique) -> StoreError:
    """The store error for a violated unique index."""
    if violation.index == "one_live_table_a_channel":
        return ChannelTaken(
            "This channel already holds a live table. Nothing was written; end that one first."
        )
    if violation.index == "one_move_a_part":
        return _repeated()
    if violation.index == "one_attempt_a_day":
        return AlreadyTried("This person has had their try of this day. Nothing was written.")
    if violation.index == "moves_pkey":
        return Conflict("A move of this number is already kept. Nothing was written; read the table again.")
    return StoreError(f"The store could not keep this ({violation.index}). All that came before it was kept.")


def _repeated() -> Repeated:
    return Repeated("This press is already kept. Nothing was written twice.")


def _unknown() -> Conflict:
    return Conflict(
        "The connection to the database was lost, so this may have been kept already; read it again."
    )


async def _count(tx: Tx, query: str, *values: Value) -> int:
    [(count,)] = await tx.fetch(query, *values)
    return int(count)


def _first(rows: list[TableRow]) -> TableRow | None:
    return rows[0] if rows else None


async def rows_of(tx: Tx, query: str, *values: Value) -> list[TableRow]:
    return [TableRow(*row[:-1], asleep=bool(row[-1])) for row in await tx.fetch(query, *values)]


async def _table(tx: Tx, table_id: int) -> TableRow | None:
    return _first(await rows_of(tx, f"SELECT {WHOLE} FROM tables WHERE id = $1", table_id))


async def count_tables(tx: Tx) -> tuple[int, int]:
    """The numbers of live tables and of all tables."""
    live = f"SELECT count(*) FROM tables WHERE {IS_LIVE}"
    [(living, all_of_them)] = await tx.fetch(f"SELECT ({live}), (SELECT count(*) FROM tables)")
    return living, all_of_them


def of_shards(tx: Tx, first: int) -> str:
    """A condition on a table's shard, with two parameters from number `first` on."""
    return f"(guild_id >> 22) % CAST(${first} AS bigint) IN ({tx.numbers.format(f'${first + 1}')})"


def shard_values(shards: Shards) -> list[Value]:
    count, some = shards
    return [count, json.dumps(sorted(some))]
