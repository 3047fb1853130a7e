"""How the databases find what is asked for: by indexes that hold no more than they must, and without hints."""

from __future__ import annotations

import sqlite3
from collections.abc import Awaitable, Callable, Sequence

import pytest

from bot.store import tables
from bot.store.engine import Row, Value
from bot.store.model import Job
from bot.store.store import Repositories, Store
from tests.bot.postgres import server
from tests.bot.store.samples import Home, in_database, on_writer, repositories
from tests.manual_clock import ManualClock

SHARDS = (4, [1, 2])
READS: list[tuple[str, Callable[[Repositories], Awaitable[object]], str]] = [
    ("table", lambda store: store.table(1), "tables USING INTEGER PRIMARY KEY"),
    ("live_table", lambda store: store.live_table(1), "INDEX one_live_table_a_channel"),
    ("live_tables", lambda store: store.live_tables(), "INDEX live_tables_of_guild"),
    ("live_by_game", lambda store: store.live_by_game(), "INDEX live_tables_of_guild"),
    ("live_table_ids", lambda store: store.live_table_ids(), "COVERING INDEX live_tables_of_guild"),
    (
        "live_table_ids of a server",
        lambda store: store.live_table_ids(server=5),
        "live_tables_of_guild (guild_id=?",
    ),
    (
        "live_table_ids of shards",
        lambda store: store.live_table_ids(shards=SHARDS),
        "COVERING INDEX live_tables_of_guild",
    ),
    ("latest_table", lambda store: store.latest_table(1), "INDEX tables_of_channel (channel_id=?"),
    ("moves", lambda store: store.moves(1), "moves USING PRIMARY KEY (table_id=?)"),
    ("log", lambda store: store.log(1, last=5), "log USING PRIMARY KEY (table_id=?)"),
    (
        "due",
        lambda store: store.due(5.0, 10, [Job(1, "limit", 5.0, id=3)]),
        "job USING INDEX jobs_by_due (due<?)",
    ),
    ("next_due", lambda store: store.next_due(), "COVERING INDEX jobs_by_due"),
    ("next_due of shards", lambda store: store.next_due(SHARDS), "INDEX jobs_by_due"),
    ("tables_of", lambda store: store.tables_of(7), "INDEX tables_of_user (user_id=?)"),
    (
        "lobbies_naming",
        lambda store: store.lobbies_naming(7, 1),
        "INDEX live_tables_of_guild (guild_id=? AND status=?",
    ),
    ("lobbies_naming everywhere", lambda store: store.lobbies_naming(7), "INDEX live_tables_of_guild"),
    ("has_played", lambda store: store.has_played(7, "a", besides=1), "INDEX tables_of_user (user_id=?)"),
    (
        "has_played with lessons",
        lambda store: store.has_played(7, "a", besides=1, lessons=True),
        "INDEX tables_of_user (user_id=?)",
    ),
    ("seat_of", lambda store: store.seat_of(1, 7), "sat USING PRIMARY KEY (table_id=? AND user_id=?)"),
    (
        "leaderboard",
        lambda store: store.results.leaderboard(1, "a", 1),
        "COVERING INDEX results_of_season (guild_id=? AND game=?",
    ),
    (
        "newest rating",
        lambda store: store.results.leaderboard(1, "a", 1),
        "newest USING COVERING INDEX results_of_season",
    ),
    (
        "opponents",
        lambda store: store.results.leaderboard(1, "a", 1),
        "mine USING COVERING INDEX results_of_season",
    ),
    (
        "opponents' seats",
        lambda store: store.results.leaderboard(1, "a", 1),
        "other USING PRIMARY KEY (guild_id=? AND number=?",
    ),
    ("games_of", lambda store: store.results.games_of(1, 1), "COVERING INDEX results_of_season (guild_id=?"),
    (
        "with_person",
        lambda store: store.results.with_person(7, 1),
        "COVERING INDEX results_of_player (player=? AND guild_id=?",
    ),
    (
        "seats of with_person",
        lambda store: store.results.with_person(7, 1),
        "results USING PRIMARY KEY (guild_id=? AND number=?",
    ),
]


class Asked:
    """Notes what a read asks, and finds nothing."""

    numbers = "SELECT value FROM json_each({})"
    again = False

    def __init__(self) -> None:
        self.queries: list[tuple[str, tuple[Value, ...]]] = []

    async def fetch(self, query: str, *values: Value) -> Sequence[Row]:
        self.queries.append((query, values))
        return (
            [(0, 0)] if "count(*)" in query and "GROUP" not in query else [(None,)] if "min(" in query else []
        )

    async def execute(self, query: str, *values: Value) -> int:
        self.queries.append((query, values))
        return 0

    async def many(self, query: str, rows: Sequence[Sequence[Value]]) -> None:
        self.queries.append((query, tuple(rows[0])))

    async def serialise(self, what: str, number: int = 0) -> None: ...


@pytest.mark.parametrize(("act", "found"), [pytest.param(act, found, id=name) for name, act, found in READS])
async def test_a_file_is_read_by_its_indexes(
    file_store: Store, act: Callable[[Repositories], Awaitable[object]], found: str
) -> None:
    asked = Asked()
    await act(repositories(asked))
    plans = [
        await on_writer(file_store, lambda file, asked=asked: explained(file, *asked))
        for asked in asked.queries
    ]
    plan = [step for steps in plans for step in steps]
    assert any(found in step for step in plan), plan


def explained(file: sqlite3.Connection, query: str, values: Sequence[Value]) -> list[str]:
    named = {str(number): value for number, value in enumerate(values, 1)}
    return [str(row[-1]) for row in file.execute(f"EXPLAIN QUERY PLAN {query}", named).fetchall()]


async def test_the_tables_are_counted_by_an_index(file_store: Store) -> None:
    asked = Asked()
    await tables.count_tables(asked)
    [(query, values)] = asked.queries
    plan = await on_writer(file_store, lambda file: explained(file, query, values))
    assert any("COVERING INDEX live_tables_of_guild" in step for step in plan), plan


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (tables._LIVE_OF_OPENER, "INDEX live_tables_of_opener (opener_id=?"),
        (tables._LIVE_OF_GUILD, "COVERING INDEX live_tables_of_guild (guild_id=?"),
        ("DELETE FROM jobs WHERE table_id = $1 AND kind = $2 AND id = $3", "jobs USING INTEGER PRIMARY KEY"),
        (
            "UPDATE jobs SET due = 1 WHERE table_id = $1 AND kind = $2 AND id = $3",
            "jobs USING INTEGER PRIMARY KEY",
        ),
    ],
)
async def test_a_file_is_counted_and_written_by_its_indexes(
    file_store: Store, query: str, found: str
) -> None:
    plan = await on_writer(file_store, lambda file: explained(file, query, [1, 1, 1][: query.count("$")]))
    assert any(found in step for step in plan), plan


@pytest.mark.parametrize(
    ("query", "found"),
    [
        (f"SELECT id FROM tables WHERE {tables.IS_LIVE} AND channel_id = 5", "one_live_table_a_channel"),
        (tables._LIVE_OF_OPENER.replace("$1", "5"), "live_tables_of_opener"),
        (tables._LIVE_OF_GUILD.replace("$1", "5"), "live_tables_of_guild"),
        ("SELECT id FROM tables WHERE channel_id = 5 ORDER BY id DESC LIMIT 1", "tables_of_channel"),
        ("SELECT id FROM jobs WHERE due <= 5 ORDER BY due, id LIMIT 5", "jobs_by_due"),
        ("SELECT id FROM jobs WHERE table_id = 5 AND kind = 'limit' AND id = 7", "jobs_pkey"),
        ("SELECT table_id FROM presses WHERE id = 5", "presses_pkey"),
        ("SELECT id FROM presses ORDER BY id LIMIT 5", "presses_pkey"),
        ("SELECT table_id FROM sat WHERE user_id = 5", "tables_of_user"),
    ],
)
async def test_a_database_has_an_index_for_it(clock: ManualClock, query: str, found: str) -> None:
    running = server()
    home = Home(running.url(await running.database()))
    store = in_database(str(home.place), clock)
    await store.open()
    try:
        # Empty tables are read as a whole otherwise.
        async def plan(tx) -> list[str]:  # type: ignore[no-untyped-def]
            await tx.fetch("SET LOCAL enable_seqscan = off")
            return [row[0] for row in await tx.fetch(f"EXPLAIN {query}")]

        steps = await store.engine.write(plan)
    finally:
        await store.close()
    assert any(found in step for step in steps), steps
