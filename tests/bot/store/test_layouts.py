"""Data of the version before is read and played on: live matches of all games, from a file and from a database.

`layouts/matches.json.zlib` holds the rows of a store that the version before has written (layout 6 of a file, 3 of a
database): a match of each game in which people have pressed, one of them asleep, a lobby, and what goes with them.
"""

from __future__ import annotations

import json
import sqlite3
import zlib
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bot.store.migrate import scripts
from bot.store.model import Job
from bot.store.sqlite.layout import apply
from bot.tables.service import Tables
from bot.tables.thinking import Thinkers
from engine.registry import load_games
from tests.bot.postgres import server
from tests.bot.store.samples import Home
from tests.manual_clock import ManualClock

ROWS: dict[str, dict[str, list[Any]]] = json.loads(
    zlib.decompress((Path(__file__).parent / "layouts" / "matches.json.zlib").read_bytes())
)
ASLEEP, LOBBY, PLAYED = 5, 6, (2, 3, 4)


def old_file(path: Path) -> Home:
    with closing(sqlite3.connect(path, isolation_level=None)) as file:
        apply(file, path, scripts("sqlite")[:6])
        for name, part in ROWS.items():
            columns = [*part["columns"], *(["padding"] if name == "tables" else [])]
            marks = ", ".join("?" * len(columns))
            rows = [[*row, bytes(5000)] if name == "tables" else row for row in part["rows"]]
            file.executemany(f"INSERT INTO {name} ({', '.join(columns)}) VALUES ({marks})", rows)
    return Home(path)


async def old_database() -> Home:
    from bot.store.postgres.driver import connect
    from bot.store.postgres.layout import migrate

    running = server()
    home = Home(running.url(await running.empty()))
    connection = await connect(str(home.place))
    await migrate(connection, "the database", scripts("postgres")[:3])
    for name, part in ROWS.items():
        await connection.copy_records_to_table(
            name, records=part["rows"], columns=part["columns"], schema_name="digsite"
        )
    await connection.execute("SELECT setval(pg_get_serial_sequence('tables', 'id'), 6)")
    await connection.execute("INSERT INTO processes (name, version) VALUES ('older', '1')")
    await connection.execute("INSERT INTO slots (era, slot) SELECT id, 0 FROM processes")
    await connection.close()
    return home


@pytest.fixture(params=["sqlite", "postgres"])
async def old(request: pytest.FixtureRequest, path: Path) -> Home:
    return old_file(path) if request.param == "sqlite" else await old_database()


def rows(name: str) -> list[dict[str, Any]]:
    return [dict(zip(ROWS[name]["columns"], row, strict=True)) for row in ROWS[name]["rows"]]


async def test_live_matches_of_the_previous_layout_continue(old: Home, clock: ManualClock) -> None:
    store = old.store(clock)
    await store.open()
    tables = Tables(store, load_games(), clock, Thinkers(0))
    kept = {row["id"]: row for row in rows("tables")}
    live = await store.live_tables()
    assert [row.id for row in live] == [*PLAYED, ASLEEP, LOBBY]
    assert [row.id for row in live if row.asleep] == [ASLEEP]
    for short in live:
        row, before = await store.table(short.id), kept[short.id]
        assert row is not None
        assert {name: getattr(row, name) for name in before if name != "opener_id"} == {
            name: value for name, value in before.items() if name != "opener_id"
        }
        assert await store.opener_of(row.id) == before["opener_id"]
        read = (await tables.get(row.id)).row()
        assert replace(read, body=row.body) == row, "a body may have gained what it did not have"
        moves = [move for move in rows("moves") if move["table_id"] == row.id]
        assert [(each.sequence, each.move, each.interaction_id) for each in await store.moves(row.id)] == [
            (move["sequence"], move["move"], move["interaction_id"]) for move in moves
        ]
        assert len(await store.log(row.id)) == sum(line["table_id"] == row.id for line in rows("log"))
    for number, table_id in enumerate(PLAYED, 1):
        table = await tables.get(table_id)
        decision = next(
            each for each in table.game.pending(table.state) if table.seats[each.seat].user_id is not None
        )
        user = table.seats[decision.seat].user_id
        assert user is not None
        move = table.game.sample(table.state, decision.seat, Random(number))
        await tables.play(table_id, user, None, move, 10**15 + number)
        assert (await store.moves(table_id))[-1].interaction_id == 10**15 + number
    assert await store.text_only() == [("person", 5)]
    assert [each.name for each in await store.emoji.all()] == ["coin"]
    assert [each.user_id for each in await store.erasures.pending()] == [4242]
    await store.close()


async def test_jobs_of_the_previous_layout_keep_their_order(old: Home, clock: ManualClock) -> None:
    store = old.store(clock)
    await store.open()
    due = await store.due(1e12)
    before = rows("jobs")
    assert sorted((job.table_id, job.kind, job.due, job.payload) for job in due) == sorted(
        (job["table_id"], job["kind"], job["due"], job["payload"]) for job in before
    )
    stamps = {(job["table_id"], job["kind"]): job["stamp"] for job in before}
    by_id = [stamps[job.table_id, job.kind] for job in sorted(due, key=lambda job: job.id)]
    assert by_id == sorted(by_id)
    assert len({job.id for job in due}) == len(due)
    await store.set_job(Job(LOBBY, "remind", 5.0))
    [job] = await store.due(5.0)
    assert job.id > max(each.id for each in due)
    assert await store.fact("era") is None
    await store.close()


async def test_presses_of_the_last_hour_are_migrated(old: Home, clock: ManualClock) -> None:
    await old.change("UPDATE moves SET at = 9e9 WHERE interaction_id IS NOT NULL AND table_id = 2")
    store = old.store(clock)
    await store.open()
    await store.close()
    pressed = [move["interaction_id"] for move in rows("moves") if move["table_id"] == 2]
    found = dict(await old.query("SELECT id, table_id FROM presses"))
    assert {press: 2 for press in pressed if press} == {p: t for p, t in found.items() if t == 2}
    assert any(pressed)
