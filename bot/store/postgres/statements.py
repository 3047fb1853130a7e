"""The store's SQL in PostgreSQL: a coroutine for each write and each read.

The functions for writes (`creating`, `finishing` …) return the coroutine to run in a transaction. They take over their
values at once, not when the write's turn comes, because the caller may have changed them or be gone by then.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Generic, TypeVar

from bot.store.alike import DOWNTIME, HEARTBEAT, Beat, beat_at, table_values
from bot.store.base import (
    LIVE,
    Change,
    ChannelTaken,
    Conflict,
    EmojiRow,
    Erasure,
    Job,
    LogRow,
    Most,
    MoveRow,
    Repeated,
    Scope,
    StoreError,
    TableRow,
    TooManyTables,
)
from bot.store.postgres.driver import Connection, Row, UniqueViolation, constraint_of
from bot.store.postgres.schema import FACTS_LOCK, KEY

T = TypeVar("T")
Act = Callable[[Connection], Awaitable[T]]


@dataclass(frozen=True, slots=True)
class AtOnce(Generic[T]):
    """A write in one statement that passes the fence by itself, and so takes one round trip.

    Its first parameters are those of `_HELD`, the others are `values`. It returns whether it was let through, and a
    number or NULL, of which `answer` makes what the write returns. `broken`: the error for a row that may not be.
    """

    query: str
    values: tuple[object, ...]
    answer: Callable[[int | None], T]
    broken: Callable[[UniqueViolation], Exception]


_IS_LIVE = "status IN ({})".format(", ".join(f"'{status}'" for status in LIVE))
"""As in the partial indexes, so that they are used."""
_SHORT = (
    "id, guild_id, channel_id, game, status, version, sequence, body, NULL, created_at, changed_at, ended_at"
)
_WHOLE = _SHORT.replace("NULL", "snapshot")


_HELD = """
    WITH held AS MATERIALIZED (
        SELECT FROM slots WHERE era = $1 AND slot = $2 AND ticket < $3::bigint AND handed = $4::bigint
            AND ($5::integer IS NULL
                 OR EXISTS (SELECT FROM shards WHERE shard = $5 AND owner = $1 AND generation = $6::bigint))
        FOR NO KEY UPDATE
    )"""
"""The fence in front of a write in one statement; `bot.store.postgres.link` says what it is.

Its parameters are the values of a permit. What follows must take nothing but from `held`.
"""
_FIRST = 7
"""The number of the first parameter after those of `_HELD`."""
_NOTED = """
    noted AS (UPDATE slots SET ticket = $3, made = changed.id FROM changed WHERE era = $1 AND slot = $2)
    SELECT EXISTS (SELECT FROM held), (SELECT id FROM changed)"""


def _parts(first: int) -> str:
    """SQL that adds what a change holds apart from its table's row, to the table in `changed`.

    Its parameters are the values of `_part_values`, numbered from `first` on.
    """
    p = range(first, first + 16)
    return f"""
    moved AS (
        INSERT INTO moves (table_id, sequence, seat, move, interaction_id, at, part)
        SELECT changed.id, given.*
        FROM changed, unnest(${p[0]}::bigint[], ${p[1]}::bigint[], ${p[2]}::text[], ${p[3]}::bigint[],
                             ${p[4]}::double precision[], ${p[5]}::bigint[]) AS given
    ), told AS (
        INSERT INTO log (table_id, number, source, sequence, event, at)
        SELECT changed.id, given.place + (SELECT coalesce(max(number), 0) FROM log WHERE table_id = changed.id),
               given.source, given.sequence, given.event, given.at
        FROM changed, unnest(${p[6]}::text[], ${p[7]}::bigint[], ${p[8]}::text[], ${p[9]}::double precision[])
            WITH ORDINALITY AS given (source, sequence, event, at, place)
    ), dropped AS (
        DELETE FROM jobs USING changed WHERE table_id = changed.id AND kind = ANY (${p[10]}::text[])
    ), set_anew AS (
        INSERT INTO jobs (table_id, kind, due, payload, stamp)
        SELECT changed.id, given.kind, given.due, given.payload, (SELECT nextval('stamps'))
        FROM changed, unnest(${p[11]}::text[], ${p[12]}::double precision[], ${p[13]}::text[])
            AS given (kind, due, payload)
        ON CONFLICT (table_id, kind)
            DO UPDATE SET due = excluded.due, payload = excluded.payload, stamp = excluded.stamp
    ), seated AS (
        INSERT INTO sat (table_id, user_id, seat)
        SELECT changed.id, given.* FROM changed, unnest(${p[14]}::bigint[], ${p[15]}::bigint[]) AS given
        ON CONFLICT (table_id, user_id) DO UPDATE SET seat = greatest(sat.seat, excluded.seat)
    )"""


def _changed(first: int, source: str = "") -> str:
    """SQL that changes a table's row, and then adds the parts of a change. `source`: where it takes itself from."""
    p = range(first, first + 11)
    return f"""changed AS (
        UPDATE tables SET snapshot = ${p[0]}, body = ${p[1]}, guild_id = ${p[2]}, channel_id = ${p[3]},
                          game = ${p[4]}, status = ${p[5]}, sequence = ${p[6]}, changed_at = ${p[7]},
                          ended_at = ${p[8]}, version = version + 1
        {source} WHERE id = ${p[9]} AND version = ${p[10]} RETURNING id
    ), {_parts(first + 11)}"""


def _added(first: int, source: str = "") -> str:
    """SQL that adds a table's row, and then the parts of a change."""
    values = ", ".join(
        f"${number}{cast}"
        for number, cast in enumerate(
            (
                *("::text", "::text", "::bigint", "::bigint", "::text", "::text", "::bigint"),
                *("::double precision", "::double precision"),
            ),
            first,
        )
    )
    return f"""changed AS (
        INSERT INTO tables (snapshot, body, guild_id, channel_id, game, status, sequence, changed_at, ended_at,
                            version, created_at, opener_id)
        SELECT {values}, 1, ${first + 9}::double precision, ${first + 10}::bigint {source} RETURNING id
    ), {_parts(first + 11)}"""


_CHANGE_AT_ONCE = f"{_HELD}, {_changed(_FIRST, 'FROM held')}, {_NOTED}"
_ADD_AT_ONCE = f"{_HELD}, {_added(_FIRST, 'FROM held')}, {_NOTED}"
_CHANGE = f"WITH {_changed(1)} SELECT id FROM changed"
_ADD = f"WITH {_added(1)} SELECT id FROM changed"
"""One statement, and so one round trip, for all that a change holds."""
_UNDO = """
    WITH held AS (
        SELECT id FROM tables WHERE id = $1 AND version = $2 FOR UPDATE
    ), taken_back AS (
        DELETE FROM moves USING held WHERE table_id = held.id AND sequence >= $3
    ), untold AS (
        DELETE FROM log USING held WHERE table_id = held.id AND sequence >= $3 AND source <> 'table'
    )
    -- The table's own log lines from after that move are now numbered as following the last remaining move.
    UPDATE log SET sequence = $3 - 1 FROM held
    WHERE table_id = held.id AND source = 'table' AND sequence >= $3"""
_ONE_AT_A_TIME = """
    SELECT pg_advisory_xact_lock(hashtextextended('opener ' || $1::bigint, 0)),
           pg_advisory_xact_lock(hashtextextended('guild ' || $2::bigint, 0))"""
"""Tables of one opener, and of one server, are made one after the other, so that each sees those before it."""
_LIVE_OF_OPENER = f"SELECT count(*) FROM tables WHERE opener_id = $1 AND {_IS_LIVE} AND is_awake(body)"
"""Tables sleep on servers that the bot was removed from. The person who opened them cannot end them there, so they do
not count for that person.
"""
_LIVE_OF_GUILD = f"SELECT count(*) FROM tables WHERE guild_id = $1 AND {_IS_LIVE}"
_COUNTING = 600.0
"""Seconds that counting all tables may take."""
_SET_FACT = (
    "INSERT INTO facts (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value"
)
_ONE_FACT_AT_A_TIME = f"SELECT pg_advisory_xact_lock({KEY}, {FACTS_LOCK})"
"""Who changes a fact according to its old value does so alone, also among the operator's commands."""


# -- writes


def creating(change: Change, opener_id: int, most: Most) -> Act[TableRow] | AtOnce[TableRow]:
    """Adds the table of this change and returns its row."""
    table = replace(change.table)
    values = (*table_values(table), table.created_at, opener_id, *_part_values(change))

    def made(table_id: int | None) -> TableRow:
        if table_id is None:
            raise StoreError("The database did not keep this. All that came before it was kept.")
        return replace(table, id=table_id, version=1)

    async def act(connection: Connection) -> TableRow:
        await connection.execute(_ONE_AT_A_TIME, opener_id, table.guild_id)
        try:
            row = made(await connection.fetchval(_ADD, *values))
        except UniqueViolation as error:
            raise _if_taken(error) from None
        if most.of_opener and await connection.fetchval(_LIVE_OF_OPENER, opener_id) > most.of_opener:
            raise TooManyTables("opener", most.of_opener)
        if most.of_guild and await connection.fetchval(_LIVE_OF_GUILD, table.guild_id) > most.of_guild:
            raise TooManyTables("guild", most.of_guild)
        return row

    return act if most.of_opener or most.of_guild else AtOnce(_ADD_AT_ONCE, values, made, _if_taken)


def committing(change: Change) -> Act[None] | AtOnce[None]:
    """Carries out this change, if the table still has the version that was read."""
    table = change.table
    table_id, version, undone = table.id, table.version, change.undone
    values = (*table_values(table), table_id, version, *_part_values(change))
    move = change.moves[0] if change.moves else None

    def broken(error: UniqueViolation) -> Exception:
        if constraint_of(error) in ("moves_pkey", "one_move_a_part"):
            return MoveTaken(table_id, move)
        return _if_taken(error)

    def changed(found: int | None) -> None:
        if found is None:
            raise MoveTaken(table_id, move)

    async def act(connection: Connection) -> None:
        await connection.execute(_UNDO, table_id, version, undone)
        try:
            changed(await connection.fetchval(_CHANGE, *values))
        except UniqueViolation as error:
            raise broken(error) from None

    return AtOnce(_CHANGE_AT_ONCE, values, changed, broken) if undone is None else act


class MoveTaken(Exception):
    """Somebody else has written the table. Which error that is has to be looked up outside of the transaction."""

    def __init__(self, table_id: int, move: MoveRow | None) -> None:
        super().__init__()
        self.table_id, self.move = table_id, move


async def repeated_or_conflict(connection: Connection, taken: MoveTaken) -> StoreError:
    """The error that tells callers what has become of their change."""
    table_id, move = taken.table_id, taken.move
    query = "SELECT 1 FROM moves WHERE interaction_id = $1 AND table_id = $2 AND part = $3"
    if move is not None and await connection.fetch(query, move.interaction_id, table_id, move.part):
        return Repeated(f"This press on table {table_id} is already kept. Nothing was written twice.")
    return Conflict(f"Table {table_id} has changed since it was read. Nothing was written; read it again.")


def _part_values(change: Change) -> tuple[object, ...]:
    """The values for `_parts`, each a list."""
    moves, log = change.moves, change.log
    jobs = {job.kind: job for job in change.set_jobs}.values()  # of two of one kind, the last one counts
    kept = {job.kind for job in jobs}
    seats: dict[int, int] = {}
    for user_id, seat in change.seated:
        seats[user_id] = max(seat, seats.get(user_id, seat))
    return (
        [move.sequence for move in moves],
        [move.seat for move in moves],
        [move.move for move in moves],
        [move.interaction_id for move in moves],
        [move.at for move in moves],
        [move.part for move in moves],
        [line.source for line in log],
        [line.sequence for line in log],
        [line.event for line in log],
        [line.at for line in log],
        [kind for kind in change.drop_jobs if kind not in kept],
        [job.kind for job in jobs],
        [job.due for job in jobs],
        [job.payload for job in jobs],
        list(seats),
        list(seats.values()),
    )


def _if_taken(error: UniqueViolation) -> Exception:
    if constraint_of(error) == "one_live_table_a_channel":
        return ChannelTaken(
            "This channel already holds a live table. Nothing was written; end that one first."
        )
    return error


def setting_job(job: Job) -> Act[object]:
    values = (job.table_id, job.kind, job.due, job.payload)
    query = """
        INSERT INTO jobs (table_id, kind, due, payload, stamp) VALUES ($1, $2, $3, $4, nextval('stamps'))
        ON CONFLICT (table_id, kind)
            DO UPDATE SET due = excluded.due, payload = excluded.payload, stamp = excluded.stamp"""
    return lambda connection: connection.execute(query, *values)


def finishing(jobs: Sequence[Job]) -> Act[object]:
    query = """
        DELETE FROM jobs USING unnest($1::bigint[], $2::text[], $3::bigint[]) AS given (table_id, kind, stamp)
        WHERE jobs.table_id = given.table_id AND jobs.kind = given.kind AND jobs.stamp = given.stamp"""
    values = _settings_of(jobs)
    return lambda connection: connection.execute(query, *values)


def postponing(job: Job, due: float) -> Act[object]:
    query = "UPDATE jobs SET due = $1 WHERE table_id = $2 AND kind = $3 AND stamp = $4"
    values = (due, job.table_id, job.kind, job.stamp)
    return lambda connection: connection.execute(query, *values)


def shifting_jobs(kind: str | None, seconds: float) -> Act[object]:
    query = "UPDATE jobs SET due = due + $1 WHERE $2::text IS NULL OR kind = $2"
    return lambda connection: connection.execute(query, seconds, kind)


def setting_fact(name: str, value: str) -> Act[object]:
    return lambda connection: connection.execute(_SET_FACT, name, value)


def changing_fact(name: str, change: Callable[[str | None], str]) -> Act[str]:
    async def act(connection: Connection) -> str:
        await connection.execute(_ONE_FACT_AT_A_TIME)
        value = change(await fact(connection, name))
        await connection.execute(_SET_FACT, name, value)
        return value

    return act


def beating(now: float, away: float) -> Act[float]:
    """Notes that people can be served now, and gives back the time in which they could not; returns the downtime."""

    async def act(connection: Connection) -> float:
        await connection.execute(_ONE_FACT_AT_A_TIME)
        beat = await next_beat(connection, now, away)
        if beat.shift:
            await shifting_jobs(beat.kind, beat.shift)(connection)
            await connection.execute(_SET_FACT, DOWNTIME, repr(beat.downtime))
        await connection.execute(_SET_FACT, HEARTBEAT, repr(beat.heartbeat))
        return beat.downtime

    return act


async def next_beat(connection: Connection, now: float, away: float) -> Beat:
    """What a heartbeat at `now` would change."""
    names = [HEARTBEAT, DOWNTIME]
    rows = await connection.fetch("SELECT name, value FROM facts WHERE name = ANY ($1::text[])", names)
    facts = {row[0]: row[1] for row in rows}
    return beat_at(facts.get(HEARTBEAT), facts.get(DOWNTIME), now, away)


def setting_text_only(scope: Scope, number: int, on: bool) -> Act[object]:
    if on:
        query = "INSERT INTO text_only (id, scope) VALUES ($1, $2) ON CONFLICT DO NOTHING"
    else:
        query = "DELETE FROM text_only WHERE id = $1 AND scope = $2"
    return lambda connection: connection.execute(query, number, scope)


def keeping_emoji(rows: Sequence[EmojiRow]) -> Act[object]:
    by_name = {row.name: row for row in rows}  # of two of one name, the last one counts
    query = """
        INSERT INTO emoji (name, digest, id) SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[])
        ON CONFLICT (name) DO UPDATE SET digest = excluded.digest, id = excluded.id"""
    values = [*by_name], [row.digest for row in by_name.values()], [row.id for row in by_name.values()]
    return lambda connection: connection.execute(query, *values)


def dropping_emoji(names: Sequence[str]) -> Act[object]:
    values = list(names)
    return lambda connection: connection.execute("DELETE FROM emoji WHERE name = ANY ($1::text[])", values)


def forgetting(user_id: int, table_id: int) -> Act[None]:
    """Deletes the facts that this person sat there or opened the table, and the ids of their presses."""
    presses = """
        UPDATE moves SET interaction_id = NULL
        WHERE table_id = $1 AND interaction_id IS NOT NULL
          AND seat = (SELECT seat FROM sat WHERE table_id = $1 AND user_id = $2)"""

    async def act(connection: Connection) -> None:
        await connection.execute(presses, table_id, user_id)
        await connection.execute("DELETE FROM sat WHERE table_id = $1 AND user_id = $2", table_id, user_id)
        opened = "UPDATE tables SET opener_id = 0 WHERE id = $1 AND opener_id = $2"
        await connection.execute(opened, table_id, user_id)

    return act


def purging(ended_before: float, most: int, at: float) -> Act[int]:
    """Deletes at most `most` ended tables, those first that ended first; returns how many."""
    query = f"""
        DELETE FROM tables WHERE id IN (
            SELECT id FROM tables WHERE ended_at < $1 AND NOT {_IS_LIVE} ORDER BY ended_at LIMIT $2)
            AND NOT {_IS_LIVE}"""

    async def act(connection: Connection) -> int:
        deleted = _count(await connection.execute(query, ended_before, most))
        if deleted:
            await connection.execute("INSERT INTO erasures (user_id, asked_at) VALUES (NULL, $1)", at)
        return deleted

    return act


def _count(tag: str) -> int:
    """How many rows a statement changed, according to its tag."""
    return int(tag.rpartition(" ")[2])


def asking(user_id: int, at: float) -> Act[int]:
    """Writes down the request to forget this person; returns its number."""
    query = "INSERT INTO erasures (user_id, asked_at) VALUES ($1, $2) RETURNING id"
    return lambda connection: connection.fetchval(query, user_id, at)


def unnaming(numbers: Sequence[int]) -> Act[object]:
    """Removes the person from requests once they are forgotten and only traces remain to be wiped."""
    values = list(numbers)
    query = "UPDATE erasures SET user_id = NULL WHERE id = ANY ($1::bigint[])"
    return lambda connection: connection.execute(query, values)


def finishing_erasures(numbers: Sequence[int]) -> Act[object]:
    values = list(numbers)
    return lambda connection: connection.execute("DELETE FROM erasures WHERE id = ANY ($1::bigint[])", values)


# -- reads


async def table(connection: Connection, table_id: int) -> TableRow | None:
    return _first(await connection.fetch(f"SELECT {_WHOLE} FROM tables WHERE id = $1", table_id))


async def live_table(connection: Connection, channel_id: int) -> TableRow | None:
    query = f"SELECT {_WHOLE} FROM tables WHERE channel_id = $1 AND {_IS_LIVE}"
    return _first(await connection.fetch(query, channel_id))


async def latest_table(
    connection: Connection, channel_id: int, game: str | None, begun: bool
) -> TableRow | None:
    query = f"""
        SELECT {_WHOLE} FROM tables
        WHERE channel_id = $1 AND ($2::text IS NULL OR game = $2) AND (NOT $3::boolean OR snapshot IS NOT NULL)
        ORDER BY id DESC LIMIT 1"""
    return _first(await connection.fetch(query, channel_id, game, begun))


async def live_tables(connection: Connection) -> list[TableRow]:
    return _tables(await connection.fetch(f"SELECT {_SHORT} FROM tables WHERE {_IS_LIVE} ORDER BY id"))


async def tables_after(connection: Connection, after: int, most: int) -> list[TableRow]:
    """The next `most` tables after the id `after`, whole."""
    query = f"SELECT {_WHOLE} FROM tables WHERE id > $1 ORDER BY id LIMIT $2"
    return _tables(await connection.fetch(query, after, most))


async def live_places(
    connection: Connection, server: int | None, only: Shards | None
) -> list[tuple[int, int]]:
    query, values = f"SELECT id, guild_id FROM tables WHERE {_IS_LIVE}", list[object]()
    if server is not None:
        query, values = f"{query} AND guild_id = $1", [server]
    elif only is not None:
        query, values = f"{query} AND {_OF_SHARDS.format('$1', '$2')}", [*only]
    return [(row[0], row[1]) for row in await connection.fetch(query, *values)]


async def tables_of(connection: Connection, user_id: int) -> list[TableRow]:
    query = f"""
        SELECT {_SHORT} FROM tables WHERE id IN (SELECT table_id FROM sat WHERE user_id = $1)
        ORDER BY id DESC"""
    return _tables(await connection.fetch(query, user_id))


def _tables(rows: Iterable[Row]) -> list[TableRow]:
    return [TableRow(*row) for row in rows]


def _first(rows: Sequence[Row]) -> TableRow | None:
    return TableRow(*rows[0]) if rows else None


async def naming(connection: Connection, user_id: int, after: int, most: int) -> tuple[list[int], int | None]:
    """Looks at the next `most` tables after the id `after`.

    Returns the ids of those that the person opened or sat at, or whose body contains the digits of their id; and the id
    after which the search has to go on (None: these were the last tables).
    """
    query = """
        SELECT id, strpos(body, $1) > 0 OR opener_id = $2
               OR EXISTS (SELECT FROM sat WHERE table_id = id AND user_id = $2)
        FROM tables WHERE id > $3 ORDER BY id LIMIT $4"""
    rows = await connection.fetch(query, str(user_id), user_id, after, most)
    last = rows[-1][0] if len(rows) == most else None
    return [row[0] for row in rows if row[1]], last


async def moves(connection: Connection, table_id: int) -> list[MoveRow]:
    query = """
        SELECT sequence, seat, move, interaction_id, at, part FROM moves WHERE table_id = $1 ORDER BY sequence"""
    return [MoveRow(*row) for row in await connection.fetch(query, table_id)]


async def log(connection: Connection, table_id: int, last: int | None, since: int) -> list[LogRow]:
    query = """
        SELECT source, newest.sequence, event, newest.at, number, seat FROM (
            SELECT table_id, source, sequence, event, at, number FROM log WHERE table_id = $1
            ORDER BY number DESC LIMIT $2::bigint
        ) AS newest LEFT JOIN moves USING (table_id, sequence)
        WHERE newest.sequence >= $3 ORDER BY number"""
    most = None if last is None else max(last, 0)  # to PostgreSQL, NULL means no limit
    return [LogRow(*row) for row in await connection.fetch(query, table_id, most, since)]


async def opener_of(connection: Connection, table_id: int) -> int:
    """The id of who opened the table; 0 if that is no longer known, or there is no such table."""
    return int(await connection.fetchval("SELECT opener_id FROM tables WHERE id = $1", table_id) or 0)


async def seat_of(connection: Connection, table_id: int, user_id: int) -> int | None:
    return await connection.fetchval(
        "SELECT seat FROM sat WHERE table_id = $1 AND user_id = $2", table_id, user_id
    )


async def has_played(connection: Connection, user_id: int, game: str, besides: int) -> bool:
    query = """
        SELECT 1 FROM sat JOIN tables ON tables.id = sat.table_id
        WHERE sat.user_id = $1 AND sat.seat >= 0 AND tables.game = $2 AND sat.table_id <> $3 LIMIT 1"""
    return bool(await connection.fetch(query, user_id, game, besides))


def _settings_of(jobs: Iterable[Job]) -> tuple[list[int], list[str], list[int]]:
    some = list(jobs)
    return [job.table_id for job in some], [job.kind for job in some], [job.stamp for job in some]


Shards = tuple[int, Sequence[int]]
"""The shard count, and some of the shards."""
_OF_SHARDS = "(guild_id >> 22) % {}::integer = ANY ({}::bigint[])"
"""As Discord reckons a server's shard."""


async def due(
    connection: Connection, now: float, limit: int, besides: Iterable[Job], only: Shards | None
) -> list[Job]:
    """The jobs that are due; `only`: those of tables whose servers belong to these shards."""
    values = (now, limit, *_settings_of(besides))
    query = f"""
        SELECT job.table_id, job.kind, job.due, job.payload, job.stamp, guild_id, channel_id, opener_id
        FROM jobs AS job JOIN tables ON tables.id = job.table_id
        WHERE job.due <= $1 AND (job.table_id, job.kind, job.stamp) NOT IN (
            SELECT * FROM unnest($3::bigint[], $4::text[], $5::bigint[]))
            {f"AND {_OF_SHARDS.format('$6', '$7')}" if only else ""}
        ORDER BY job.due, job.stamp LIMIT $2"""
    return [Job(*row) for row in await connection.fetch(query, *values, *(only or ()))]


async def next_due(connection: Connection, only: Shards | None) -> float | None:
    if only is None:
        return await connection.fetchval("SELECT min(due) FROM jobs")
    query = f"""
        SELECT due FROM jobs JOIN tables ON tables.id = jobs.table_id WHERE {_OF_SHARDS.format("$1", "$2")}
        ORDER BY due LIMIT 1"""
    return await connection.fetchval(query, *only)


async def by_status(connection: Connection) -> dict[str, int]:
    """How many tables there are in each status."""
    rows = await connection.fetch("SELECT status, count(*) FROM tables GROUP BY status")
    return {row[0]: row[1] for row in rows}


async def live_by_game(connection: Connection) -> dict[str, int]:
    """How many tables are live, by game."""
    rows = await connection.fetch(f"SELECT game, count(*) FROM tables WHERE {_IS_LIVE} GROUP BY game")
    return {row[0]: row[1] for row in rows}


async def census(connection: Connection) -> tuple[int, int]:
    """How many tables are live, and how many there are in all."""
    query = f"SELECT count(*) FILTER (WHERE {_IS_LIVE}), count(*) FROM tables"
    [row] = await connection.fetch(query, timeout=_COUNTING)
    return row[0], row[1]


async def text_only(connection: Connection) -> list[tuple[Scope, int]]:
    return [(row[0], row[1]) for row in await connection.fetch("SELECT scope, id FROM text_only ORDER BY id")]


async def emoji(connection: Connection) -> list[EmojiRow]:
    rows = await connection.fetch('SELECT name, digest, id FROM emoji ORDER BY name COLLATE "C"')
    return [EmojiRow(*row) for row in rows]


async def fact(connection: Connection, name: str) -> str | None:
    value: Any = await connection.fetchval("SELECT value FROM facts WHERE name = $1", name)
    return value


async def pending(connection: Connection) -> list[Erasure]:
    """The requests to erase, oldest first."""
    rows = await connection.fetch("SELECT id, user_id, asked_at FROM erasures ORDER BY id")
    return [Erasure(*row) for row in rows]
