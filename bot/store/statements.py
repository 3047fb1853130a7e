"""The store's SQL: plain functions for each write and each read, which run on the thread of a connection.

The functions for writes (`creating`, `finishing` …) return the function to run. They take over their values at once,
not when the write's turn comes, because the caller may have changed them or be gone by then.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from bot.store.alike import DOWNTIME, HEARTBEAT, beat_at, table_values
from bot.store.base import (
    LIVE,
    Change,
    ChannelTaken,
    Conflict,
    EmojiRow,
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
from bot.store.erasure import PADDING, note_deleted
from bot.store.faults import breaks_uniqueness

Write = Callable[[sqlite3.Connection], None]

_IS_LIVE = "status IN ({})".format(", ".join(f"'{status}'" for status in LIVE))
"""This must be word for word as in the index on live tables, or SQLite does not use that index."""

_SHORT = (
    "id, guild_id, channel_id, game, status, version, sequence, body, NULL, created_at, changed_at, ended_at"
)
_WHOLE = _SHORT.replace("NULL", "snapshot")

_ADD_TABLE = f"""
    INSERT INTO tables (snapshot, padding, body, guild_id, channel_id, game, status, sequence, changed_at,
                        ended_at, version, created_at, opener_id)
    VALUES (?1, {PADDING}, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, 1, ?10, ?11)"""
_CHANGE_TABLE = f"""
    UPDATE tables SET snapshot = ?1, padding = {PADDING}, body = ?2, guild_id = ?3, channel_id = ?4, game = ?5,
                      status = ?6, sequence = ?7, changed_at = ?8, ended_at = ?9, version = version + 1
    WHERE id = ?10 AND version = ?11"""
_CHANGE_INSIDE = f"""
    UPDATE tables SET snapshot = ?1, padding = {PADDING}, body = ?2, sequence = ?3, changed_at = ?4,
                      version = version + 1
    WHERE id = ?5 AND version = ?6
      AND guild_id = ?7 AND channel_id = ?8 AND game = ?9 AND status = ?10 AND ended_at IS ?11"""
"""For most changes, which alter no indexed column: SQLite then need not touch the pages of the indexes."""
_IS_AWAKE = "iif(json_valid(body), json_extract(body, '$.asleep'), NULL) IS NULL"
_LIVE_OF_OPENER = f"SELECT count(*) FROM tables WHERE opener_id = ? AND {_IS_LIVE} AND {_IS_AWAKE}"
"""Tables sleep on servers that the bot was removed from. The person who opened them cannot end them there, so they do
not count for that person.
"""
_LIVE_OF_GUILD = f"SELECT count(*) FROM tables WHERE guild_id = ? AND {_IS_LIVE}"
_ADD_MOVE = """
    INSERT INTO moves (table_id, sequence, seat, move, interaction_id, at, part) VALUES (?, ?, ?, ?, ?, ?, ?)"""
_ADD_LINE = """
    INSERT INTO log (table_id, number, source, sequence, event, at)
    VALUES (?1, (SELECT coalesce(max(number), 0) + 1 FROM log WHERE table_id = ?1), ?2, ?3, ?4, ?5)"""
_SET_JOB = """
    INSERT INTO jobs (table_id, kind, due, payload, stamp) VALUES (?, ?, ?, ?, ?)
    ON CONFLICT DO UPDATE SET due = excluded.due, payload = excluded.payload, stamp = excluded.stamp"""
_ERA = 40
"""The lower bits of a stamp, this many, count within one opening of the store. The higher bits count the openings."""
_SIT = """
    INSERT INTO sat (table_id, user_id, seat) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET seat = max(seat, excluded.seat)"""


# -- writes


def creating(
    change: Change, stamp: Callable[[], int], opener_id: int, most: Most
) -> Callable[[sqlite3.Connection], TableRow]:
    """Adds the table of this change and returns its row."""
    table = replace(change.table)
    values = (*table_values(table), table.created_at, opener_id)
    add_parts = _adding_parts(change, stamp)

    def act(connection: sqlite3.Connection) -> TableRow:
        try:
            table_id = connection.execute(_ADD_TABLE, values).lastrowid
        except sqlite3.IntegrityError as error:
            raise _if_taken(error) from error
        assert table_id is not None
        # Counted after the addition and in the same transaction, so that nobody can add another table in between.
        if most.of_opener and _count(connection, _LIVE_OF_OPENER, opener_id) > most.of_opener:
            raise TooManyTables("opener", most.of_opener)
        if most.of_guild and _count(connection, _LIVE_OF_GUILD, table.guild_id) > most.of_guild:
            raise TooManyTables("guild", most.of_guild)
        add_parts(connection, table_id)
        return replace(table, id=table_id, version=1)

    return act


def _count(connection: sqlite3.Connection, query: str, key: int) -> int:
    [(count,)] = connection.execute(query, (key,)).fetchall()
    return int(count)


def committing(change: Change, stamp: Callable[[], int]) -> Write:
    """Carries out this change, if the table still has the version that was read."""
    table = change.table
    table_id, version = table.id, table.version
    inside = (table.snapshot, table.body, table.sequence, table.changed_at, table_id, version)
    inside = (*inside, table.guild_id, table.channel_id, table.game, table.status, table.ended_at)
    whole = (*table_values(table), table_id, version)
    move = change.moves[0] if change.moves else None
    add_parts = _adding_parts(change, stamp)

    def act(connection: sqlite3.Connection) -> None:
        try:
            changed = connection.execute(_CHANGE_INSIDE, inside).rowcount
            changed = changed or connection.execute(_CHANGE_TABLE, whole).rowcount
        except sqlite3.IntegrityError as error:
            raise _if_taken(error) from error
        if not changed:
            raise _repeated_or_conflict(connection, table_id, move)
        add_parts(connection, table_id)

    return act


def _adding_parts(change: Change, stamp: Callable[[], int]) -> Callable[[sqlite3.Connection, int], None]:
    """Writes what a change holds apart from its table's row."""
    moves = list(change.moves)
    lines = [(line.source, line.sequence, line.event, line.at) for line in change.log]
    setting = stamp() if change.set_jobs else 0
    jobs = [(job.kind, job.due, job.payload, setting) for job in change.set_jobs]
    drops = list(change.drop_jobs)
    seated = list(change.seated)
    undone = change.undone

    def act(connection: sqlite3.Connection, table_id: int) -> None:
        if undone is not None:
            connection.execute("DELETE FROM moves WHERE table_id = ? AND sequence >= ?", (table_id, undone))
            connection.execute(
                "DELETE FROM log WHERE table_id = ? AND sequence >= ? AND source <> 'table'",
                (table_id, undone),
            )
            # The table's own log lines from after that move are now numbered as following the last remaining move.
            connection.execute(
                "UPDATE log SET sequence = ?2 - 1 WHERE table_id = ?1 AND source = 'table' AND sequence >= ?2",
                (table_id, undone),
            )
        for move in moves:
            _add_move(connection, table_id, move)
        if lines:
            connection.executemany(_ADD_LINE, [(table_id, *line) for line in lines])
        if drops:
            connection.executemany(
                "DELETE FROM jobs WHERE table_id = ? AND kind = ?", [(table_id, kind) for kind in drops]
            )
        if jobs:
            connection.executemany(_SET_JOB, [(table_id, *job) for job in jobs])
        if seated:
            connection.executemany(_SIT, [(table_id, *pair) for pair in seated])

    return act


def _add_move(connection: sqlite3.Connection, table_id: int, move: MoveRow) -> None:
    values = (table_id, move.sequence, move.seat, move.move, move.interaction_id, move.at, move.part)
    try:
        connection.execute(_ADD_MOVE, values)
    except sqlite3.IntegrityError as error:
        raise _repeated_or_conflict(connection, table_id, move) from error


def _if_taken(error: sqlite3.IntegrityError) -> Exception:
    if breaks_uniqueness(error):
        return ChannelTaken(
            "This channel already holds a live table. Nothing was written; end that one first."
        )
    return error


def _repeated_or_conflict(connection: sqlite3.Connection, table_id: int, move: MoveRow | None) -> StoreError:
    query = "SELECT 1 FROM moves WHERE interaction_id = ? AND table_id = ? AND part = ?"
    if move is not None and connection.execute(query, (move.interaction_id, table_id, move.part)).fetchall():
        return Repeated(f"This press on table {table_id} is already kept. Nothing was written twice.")
    return Conflict(f"Table {table_id} has changed since it was read. Nothing was written; read it again.")


def setting_job(job: Job, stamp: int) -> Write:
    values = (job.table_id, job.kind, job.due, job.payload, stamp)

    def act(connection: sqlite3.Connection) -> None:
        connection.execute(_SET_JOB, values)

    return act


def finishing(jobs: Sequence[Job]) -> Write:
    settings = [(job.table_id, job.kind, job.stamp) for job in jobs]

    def act(connection: sqlite3.Connection) -> None:
        connection.executemany("DELETE FROM jobs WHERE table_id = ? AND kind = ? AND stamp = ?", settings)

    return act


def postponing(job: Job, due: float) -> Write:
    values = (due, job.table_id, job.kind, job.stamp)

    def act(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE jobs SET due = ? WHERE table_id = ? AND kind = ? AND stamp = ?", values)

    return act


def shifting_jobs(kind: str | None, seconds: float) -> Write:
    def act(connection: sqlite3.Connection) -> None:
        connection.execute("UPDATE jobs SET due = due + ?1 WHERE ?2 IS NULL OR kind = ?2", (seconds, kind))

    return act


def setting_fact(name: str, value: str) -> Write:
    def act(connection: sqlite3.Connection) -> None:
        connection.execute(
            "INSERT INTO facts (name, value) VALUES (?, ?) ON CONFLICT DO UPDATE SET value = excluded.value",
            (name, value),
        )

    return act


def changing_fact(name: str, change: Callable[[str | None], str]) -> Callable[[sqlite3.Connection], str]:
    def act(connection: sqlite3.Connection) -> str:
        value = change(fact(connection, name))
        setting_fact(name, value)(connection)
        return value

    return act


def beating(now: float, away: float) -> Callable[[sqlite3.Connection], float]:
    """Notes that people can be served now, and gives back the time in which they could not; returns the downtime."""

    def act(connection: sqlite3.Connection) -> float:
        beat = beat_at(fact(connection, HEARTBEAT), fact(connection, DOWNTIME), now, away)
        if beat.shift:
            shifting_jobs(beat.kind, beat.shift)(connection)
            setting_fact(DOWNTIME, repr(beat.downtime))(connection)
        setting_fact(HEARTBEAT, repr(beat.heartbeat))(connection)
        return beat.downtime

    return act


def beginning_era(least: int) -> Callable[[sqlite3.Connection], int]:
    """Counts this opening of the store. Returns a stamp greater than `least` and than all stamps given before."""

    def act(connection: sqlite3.Connection) -> int:
        eras = (int(fact(connection, "era") or 0), last_stamp(connection) >> _ERA, least >> _ERA)
        era = max(eras) + 1
        setting_fact("era", str(era))(connection)
        return era << _ERA

    return act


def forgetting(user_id: int, table_id: int) -> Write:
    """Deletes the facts that this person sat there or opened the table, and the ids of their presses."""
    query = """
        UPDATE moves SET interaction_id = NULL
        WHERE table_id = ?1 AND interaction_id IS NOT NULL
          AND seat = (SELECT seat FROM sat WHERE table_id = ?1 AND user_id = ?2)"""

    def act(connection: sqlite3.Connection) -> None:
        connection.execute(query, (table_id, user_id))
        connection.execute("DELETE FROM sat WHERE table_id = ? AND user_id = ?", (table_id, user_id))
        opened = "UPDATE tables SET opener_id = 0 WHERE id = ? AND opener_id = ?"
        connection.execute(opened, (table_id, user_id))

    return act


def setting_text_only(scope: Scope, number: int, on: bool) -> Write:
    def act(connection: sqlite3.Connection) -> None:
        if on:
            query = "INSERT INTO text_only (id, scope) VALUES (?, ?) ON CONFLICT DO NOTHING"
            connection.execute(query, (number, scope))
        else:
            connection.execute("DELETE FROM text_only WHERE id = ? AND scope = ?", (number, scope))

    return act


def keeping_emoji(rows: Sequence[EmojiRow]) -> Write:
    values = [(row.name, row.digest, row.id) for row in rows]

    def act(connection: sqlite3.Connection) -> None:
        connection.executemany("INSERT OR REPLACE INTO emoji (name, digest, id) VALUES (?, ?, ?)", values)

    return act


def dropping_emoji(names: Sequence[str]) -> Write:
    values = [(name,) for name in names]

    def act(connection: sqlite3.Connection) -> None:
        connection.executemany("DELETE FROM emoji WHERE name = ?", values)

    return act


def purging(ended_before: float, most: int, at: float) -> Callable[[sqlite3.Connection], int]:
    """Deletes at most `most` ended tables, those first that ended first; returns how many."""
    query = f"""
        DELETE FROM tables WHERE id IN (
            SELECT id FROM tables WHERE ended_at < ? AND NOT {_IS_LIVE} ORDER BY ended_at LIMIT ?)"""

    def act(connection: sqlite3.Connection) -> int:
        deleted = connection.execute(query, (ended_before, most)).rowcount
        if deleted:
            note_deleted(connection, at)
        return deleted

    return act


def nothing(_connection: sqlite3.Connection) -> None:
    """A write that changes nothing. When it is done, so are all writes before it."""


# -- reads


def table(connection: sqlite3.Connection, table_id: int) -> TableRow | None:
    found = _tables(connection, f"SELECT {_WHOLE} FROM tables WHERE id = ?", table_id)
    return found[0] if found else None


def live_table(connection: sqlite3.Connection, channel_id: int) -> TableRow | None:
    found = _tables(
        connection, f"SELECT {_WHOLE} FROM tables WHERE channel_id = ? AND {_IS_LIVE}", channel_id
    )
    return found[0] if found else None


def latest_table(
    connection: sqlite3.Connection, channel_id: int, game: str | None, begun: bool
) -> TableRow | None:
    query = f"""
        SELECT {_WHOLE} FROM tables
        WHERE channel_id = ?1 AND (?2 IS NULL OR game = ?2) AND (NOT ?3 OR snapshot IS NOT NULL)
        ORDER BY id DESC LIMIT 1"""
    found = _tables(connection, query, channel_id, game, begun)
    return found[0] if found else None


def live_tables(connection: sqlite3.Connection) -> list[TableRow]:
    # Without INDEXED BY, SQLite would go through all ended tables too, because they are already in the wanted order.
    query = f"SELECT {_SHORT} FROM tables INDEXED BY one_live_table_a_channel WHERE {_IS_LIVE} ORDER BY id"
    return _tables(connection, query)


def tables_of(connection: sqlite3.Connection, user_id: int) -> list[TableRow]:
    query = f"""
        SELECT {_SHORT} FROM tables WHERE id IN (SELECT table_id FROM sat WHERE user_id = ?)
        ORDER BY id DESC"""
    return _tables(connection, query, user_id)


def naming(
    connection: sqlite3.Connection, user_id: int, after: int, most: int
) -> tuple[list[int], int | None]:
    """Looks at the next `most` tables after the id `after`.

    Returns the ids of those that the person opened or sat at, or whose body contains the digits of their id; and the id
    after which the search has to go on (None: these were the last tables).
    """
    query = """
        SELECT id, instr(body, ?1) > 0 OR opener_id = ?2
               OR EXISTS (SELECT 1 FROM sat WHERE table_id = id AND user_id = ?2)
        FROM tables WHERE id > ?3 ORDER BY id LIMIT ?4"""
    rows = connection.execute(query, (str(user_id), user_id, after, most)).fetchall()
    last = rows[-1][0] if len(rows) == most else None
    return [table_id for table_id, named in rows if named], last


def tables_after(connection: sqlite3.Connection, after: int, most: int) -> list[TableRow]:
    """The next `most` tables after the id `after`, whole."""
    return _tables(connection, f"SELECT {_WHOLE} FROM tables WHERE id > ? ORDER BY id LIMIT ?", after, most)


def live_places(connection: sqlite3.Connection) -> list[tuple[int, int]]:
    query = f"SELECT id, guild_id FROM tables INDEXED BY one_live_table_a_channel WHERE {_IS_LIVE}"
    return connection.execute(query).fetchall()


def _tables(connection: sqlite3.Connection, query: str, *values: int | str | None) -> list[TableRow]:
    return [TableRow(*row) for row in connection.execute(query, values).fetchall()]


def moves(connection: sqlite3.Connection, table_id: int) -> list[MoveRow]:
    query = """
        SELECT sequence, seat, move, interaction_id, at, part FROM moves WHERE table_id = ? ORDER BY sequence"""
    return [MoveRow(*row) for row in connection.execute(query, (table_id,)).fetchall()]


def log(connection: sqlite3.Connection, table_id: int, last: int | None, since: int) -> list[LogRow]:
    query = """
        SELECT source, sequence, event, at, number, seat FROM (
            SELECT table_id, source, sequence, event, at, number FROM log WHERE table_id = ?1
            ORDER BY number DESC LIMIT ?2
        ) LEFT JOIN (SELECT table_id, sequence, seat FROM moves) USING (table_id, sequence)
        WHERE sequence >= ?3 ORDER BY number DESC"""
    most = -1 if last is None else max(last, 0)  # to SQLite, -1 means no limit
    newest_first = connection.execute(query, (table_id, most, since)).fetchall()
    return [LogRow(*row) for row in reversed(newest_first)]


def opener_of(connection: sqlite3.Connection, table_id: int) -> int:
    """The id of who opened the table; 0 if that is no longer known, or there is no such table."""
    rows = connection.execute("SELECT opener_id FROM tables WHERE id = ?", (table_id,)).fetchall()
    return int(rows[0][0]) if rows else 0


def seat_of(connection: sqlite3.Connection, table_id: int, user_id: int) -> int | None:
    query = "SELECT seat FROM sat WHERE table_id = ? AND user_id = ?"
    found = connection.execute(query, (table_id, user_id)).fetchall()
    return int(found[0][0]) if found else None


def has_played(connection: sqlite3.Connection, user_id: int, game: str, besides: int) -> bool:
    query = """
        SELECT 1 FROM sat JOIN tables ON tables.id = sat.table_id
        WHERE sat.user_id = ? AND sat.seat >= 0 AND tables.game = ? AND sat.table_id <> ? LIMIT 1"""
    return bool(connection.execute(query, (user_id, game, besides)).fetchall())


def settings_of(jobs: Iterable[Job]) -> str:
    """Identifies these jobs with their stamps, in the form that `due` takes as `besides`."""
    return json.dumps([f"{job.table_id} {job.kind} {job.stamp}" for job in jobs])


def due(connection: sqlite3.Connection, now: float, limit: int, besides: str) -> list[Job]:
    # CROSS JOIN makes SQLite select the jobs first and look up tables only for those that `besides` does not exclude.
    query = """
        SELECT job.table_id, job.kind, job.due, job.payload, job.stamp, guild_id, channel_id, opener_id
        FROM jobs AS job CROSS JOIN tables ON tables.id = job.table_id
        WHERE job.due <= ?
          AND job.table_id || ' ' || job.kind || ' ' || job.stamp NOT IN (SELECT value FROM json_each(?))
        ORDER BY job.due, job.stamp LIMIT ?"""
    return [Job(*row) for row in connection.execute(query, (now, besides, limit)).fetchall()]


def next_due(connection: sqlite3.Connection) -> float | None:
    [(first,)] = connection.execute("SELECT min(due) FROM jobs").fetchall()
    return first


def last_stamp(connection: sqlite3.Connection) -> int:
    [(last,)] = connection.execute("SELECT coalesce(max(stamp), 0) FROM jobs").fetchall()
    return last


def live_rows(connection: sqlite3.Connection) -> Iterator[TableRow]:
    """The live tables one after the other, with their snapshots. The caller must have begun a transaction."""
    for short in live_tables(connection):
        found = table(connection, short.id)
        if found is not None:
            yield found


def by_status(connection: sqlite3.Connection) -> dict[str, int]:
    """How many tables there are in each status."""
    return dict(connection.execute("SELECT status, count(*) FROM tables GROUP BY status").fetchall())


def census(connection: sqlite3.Connection) -> tuple[int, int]:
    """How many tables are live, and how many there are in all."""
    live = f"SELECT count(*) FROM tables INDEXED BY one_live_table_a_channel WHERE {_IS_LIVE}"
    [(living, all_of_them)] = connection.execute(f"SELECT ({live}), (SELECT count(*) FROM tables)").fetchall()
    return living, all_of_them


def live_by_game(connection: sqlite3.Connection) -> dict[str, int]:
    counted = f"SELECT game, count(*) FROM tables INDEXED BY one_live_table_a_channel WHERE {_IS_LIVE} GROUP BY game"
    return dict(connection.execute(counted).fetchall())


def text_only(connection: sqlite3.Connection) -> list[tuple[Scope, int]]:
    return connection.execute("SELECT scope, id FROM text_only ORDER BY id").fetchall()


def emoji(connection: sqlite3.Connection) -> list[EmojiRow]:
    rows = connection.execute("SELECT name, digest, id FROM emoji ORDER BY name").fetchall()
    return [EmojiRow(*row) for row in rows]


def fact(connection: sqlite3.Connection, name: str) -> str | None:
    found = connection.execute("SELECT value FROM facts WHERE name = ?", (name,)).fetchall()
    return str(found[0][0]) if found else None
