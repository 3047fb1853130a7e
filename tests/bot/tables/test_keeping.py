"""Tables are held ready, read again, and kept even where this version cannot read them."""

from __future__ import annotations

import asyncio
import dataclasses
import json
import logging
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.store.model import Change, MoveRow
from bot.tables import ending, play
from bot.tables.cache import CacheLimits
from bot.tables.draft import ALARM, REDRAW
from bot.tables.messages import Messages
from bot.tables.model import (
    DAY,
    HOUR,
    Body,
    Earlier,
    Seat,
    Table,
    digest_of,
    read_body,
    read_table,
    write_body,
)
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from bot.tables.turns import OpenDecision, Premove, Undo, Unfit, UpcomingDecision, copied
from tests.bot.tables.samples import (
    ANA,
    BEN,
    CARA,
    GAME,
    Presses,
    change,
    jobs_of,
    make_tables,
    match_of,
    open_lobby,
    refused,
    tables_on,
)
from tests.manual_clock import ManualClock

# -- what a table is made of


def filled(kind: type[Any]) -> Any:
    """One of these with no field as it is by default."""
    made: dict[str, Any] = {
        "seats": [Seat("Ana", 1, "novice", 2, True, 1, "word")],
        "asked": {1: OpenDecision(1.5, 2.5, True, True, 3, True)},
        "unfit": Unfit("not-now", {"due": 2}),
        "expected": {2: UpcomingDecision(3, "sandstorm", False, [77])},
        "answers": {2: [Premove("sandstorm", {"kind": "discard", "cards": {"coin": 1}}, 77, 1)]},
        "presses": [77],
        "called": {0: (4, 1)},
        "letters": {7: (8, 9)},
        "agreed": [1],
        "hinted": [12],
        "followed": [12],
        "advised": (12, "{}"),
        "reviews": {1: {"decisions": 3}},
        "hints": True,
        "messages": Messages(1, 2, 3, {0: (4, 1)}, 5, True, [6], {"result": "5e"}, 7, True),
        "retired": [6],
        "shows": {"result": "5e"},
        "sitters": ["person"],
        "undo": [Undo(0, "{}", {0: OpenDecision(1.5, 2.5)}, 9.0, 3, 2, 1)],
        "guests": [8],
        "same": [9],
        "declined": [8],
        "earlier": [Earlier(0, "Ana", 7)],
        "contributions": [("start", "5")],
        "script": [(0, "{}")],
        "options": {"colour": "red"},
        "end_votes": [0],
        "unfollowed": {3: "{}"},
        "forgotten": ["a1"],
        "form": 1,
        "host_id": 7,
    }
    values = {
        "int": 7,
        "int | None": 8,
        "str": "text",
        "str | None": "novice",
        "bool": True,
        "float": 9.5,
        "float | None": 10.5,
    }
    return kind(
        **{
            field.name: made.get(field.name, values.get(str(field.type)))
            for field in dataclasses.fields(kind)
        }
    )


@pytest.mark.parametrize("kind", [Seat, OpenDecision, UpcomingDecision, Messages, Body])
def test_a_copy_has_all_that_the_original_has_and_shares_nothing_that_changes(kind: type[Any]) -> None:
    original = filled(kind)
    copy = original.copy() if isinstance(original, Body) else copied(original)
    assert copy == original
    assert copy is not original
    for field in dataclasses.fields(kind):
        value = getattr(original, field.name)
        if isinstance(value, list | dict | Messages) and field.name != "options":
            assert getattr(copy, field.name) is not value, field.name
            if isinstance(value, list) and value and isinstance(value[0], Seat):
                assert getattr(copy, field.name)[0] is not value[0]


def test_a_body_is_read_as_it_was_written() -> None:
    body = filled(Body)
    assert read_body(write_body(body)) == body
    assert '"host":7' in write_body(body), "the name that a host's id has always had on file"


async def test_a_table_is_read_as_it_was_written(tables: Tables, presses: Presses) -> None:
    table = await match_of(tables, ANA, BEN, agents=1)
    while table.sequence < 20:
        table = (
            await presses.move(table)
            if table.seats[table.state.asked].user_id
            else await _agent(tables, table)
        )
    row = await tables.store.table(table.id)
    assert row is not None
    again = read_table(row, GAME)
    for field in dataclasses.fields(Table):
        if field.name not in ("state", "kept", "game"):
            assert getattr(again, field.name) == getattr(table, field.name), field.name
    assert GAME.dump(again.state) == GAME.dump(table.state)
    assert again.row() == row == table.row()


async def _agent(tables: Tables, table: Table) -> Table:
    await tables.agent_turn(table.id)
    return await tables.get(table.id)


def test_nothing_hidden_is_printed() -> None:
    body = filled(Body)
    body.host_seed = "5eed" * 16
    body.seats[0].word = "abracadabra"
    body.answers = {0: [Premove("sandstorm", {"cards": {"coin": 1}}, 77)]}
    unfit = Unfit("not-in-hand", {"treasure": "coin"})
    state = GAME.new(2, GAME.load_options({}), bytes(32))
    table = Table(1, 2, 3, GAME, "playing", 1, 0, 0.0, 0.0, body, state)
    assert "5eed" not in f"{table!r} {table.row()!r} {body!r}"
    assert "abracadabra" not in repr(body)
    assert "coin" not in f"{body!r} {body.answers[0]!r} {unfit!r}"
    assert "77" not in repr(body), "nothing tells whether there is a premove"


# -- held ready


async def test_a_table_is_read_once_and_then_held_ready(tables: Tables, clock: ManualClock) -> None:
    table = await match_of(tables, ANA, BEN)
    fresh = make_tables(tables.store, clock)
    read = await fresh.get(table.id)
    assert read is not table
    assert await fresh.get(table.id) is read


async def test_what_is_held_ready_has_its_limit_and_the_longest_unused_goes_first(
    tables: Tables, clock: ManualClock
) -> None:
    tables = make_tables(tables.store, clock, cache=CacheLimits(tables=3))
    made = [await open_lobby(tables, ANA, channel=channel) for channel in range(1, 4)]
    await tables.get(made[0].id)
    await open_lobby(tables, ANA, channel=9)
    assert len(tables.cache.all()) == 3
    assert await tables.get(made[0].id) is made[0]
    assert await tables.get(made[1].id) is not made[1]


async def test_a_table_that_is_not_held_ready_is_played_on_as_well(
    tables: Tables, clock: ManualClock
) -> None:
    tables = make_tables(tables.store, clock, cache=CacheLimits(tables=1))
    presses = Presses(tables)
    first = await match_of(tables, ANA, BEN, channel=1)
    second = await match_of(tables, ANA, BEN, channel=2)
    for _ in range(10):
        first, second = await presses.move(first), await presses.move(second)
    assert first.sequence == second.sequence == 10


async def test_a_table_that_is_read_while_it_changes_is_never_an_older_one_afterwards(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await match_of(tables, ANA, BEN)
    fresh = make_tables(tables.store, clock)
    read = fresh.store.table

    async def slowly(table_id: int) -> Any:
        row = await read(table_id)
        if not reading.is_set():
            reading.set()
            await changed_meanwhile.wait()
        return row

    reading, changed_meanwhile = asyncio.Event(), asyncio.Event()
    monkeypatch.setattr(fresh.store, "table", slowly)
    looking = asyncio.create_task(fresh.get(table.id))
    await reading.wait()
    changed = await change(fresh, table, lambda draft: draft.touch())
    changed_meanwhile.set()
    assert await looking is changed
    assert await fresh.get(table.id) is changed


async def test_locks_are_dropped_when_nobody_wants_them(tables: Tables, presses: Presses) -> None:
    table = await match_of(tables, ANA, BEN)
    await asyncio.gather(*(change(tables, table, lambda draft: draft.touch()) for _ in range(20)))
    assert tables._locks._locks == {}
    assert (await tables.get(table.id)).version == table.version + 20


async def test_tables_that_were_purged_are_not_held_ready(tables: Tables, clock: ManualClock) -> None:
    old = await change(
        tables, await open_lobby(tables, ANA), lambda draft: ending.end(draft, ANA, manages=False)
    )
    clock.advance(10)
    live = await open_lobby(tables, ANA)
    tables.cache.drop_ended(clock.now())
    assert await tables.store.purge(clock.now()) == 1
    assert await refused(tables.get(old.id)) == "no-table"
    assert await tables.get(live.id) is live


async def test_a_table_that_never_was_is_refused(tables: Tables) -> None:
    assert await refused(tables.get(404)) == "no-table"
    assert await refused(change(tables, filled_table(404), lambda draft: draft.touch())) == "no-table"
    assert await tables.live_in(404) is None
    assert await tables.latest_in(404, GAME.key) is None


def filled_table(number: int) -> Table:
    return Table(number, 1, 1, GAME, "lobby", 1, 0, 0.0, 0.0, Body(ANA, "00" * 32))


async def test_the_newest_table_of_a_channel_is_found_after_its_end(tables: Tables) -> None:
    table = await open_lobby(tables, ANA)
    await change(tables, table, lambda draft: ending.end(draft, ANA, manages=False))
    assert await tables.live_in(1) is None
    latest = await tables.latest_in(1, GAME.key)
    assert latest is not None
    assert latest.id == table.id


# -- what cannot be read

DAMAGES = {
    "another card list": 'UPDATE tables SET snapshot = replace(snapshot, \'"card_list":"\', \'"card_list":"other \')',
    "a newer snapshot": "UPDATE tables SET snapshot = replace(snapshot, '\"form\":1', '\"form\":9')",
    "a damaged snapshot": "UPDATE tables SET snapshot = substr(snapshot, 1, 200)",
    "no snapshot at all": "UPDATE tables SET snapshot = '[]'",
    "an edited snapshot": 'UPDATE tables SET snapshot = replace(snapshot, \'"counters":{\', \'"counters":{"tea":1,\')',
    "an older version's edited snapshot": (
        'UPDATE tables SET snapshot = replace(snapshot, \'"counters":{\', \'"counters":{"tea":1,\'), '
        "body = json_remove(body, '$.digest')"
    ),
    "an older version's snapshot with a seat too many": (
        "UPDATE tables SET snapshot = json_set(snapshot, '$.asked', 7), body = json_remove(body, '$.digest')"
    ),
    "an older version's lost move": ("UPDATE tables SET sequence = 1, body = json_remove(body, '$.digest')"),
    "a newer body": "UPDATE tables SET body = replace(body, '\"form\":1', '\"form\":9')",
    "a damaged body": "UPDATE tables SET body = substr(body, 1, 300)",
    "a game that is gone": "UPDATE tables SET game = 'chess'",
}


async def damaged(path: Path, clock: ManualClock, how: str) -> Table:
    """A match on file that cannot be read."""
    async with tables_on(path, clock) as tables:
        table = await match_of(tables, ANA, BEN)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(DAMAGES[how])
        connection.commit()
    return table


@pytest.mark.parametrize("how", DAMAGES)
async def test_a_table_that_cannot_be_read_is_refused_and_kept(
    path: Path, clock: ManualClock, how: str, caplog: pytest.LogCaptureFixture
) -> None:
    table = await damaged(path, clock, how)
    async with tables_on(path, clock) as tables:
        before = await tables.store.table(table.id)
        with pytest.raises(Refused) as caught:
            await tables.live_in(1)
        assert (caught.value.code, caught.value.facts) == ("unreadable", {"table": table.id})
        assert await refused(change(tables, table, lambda draft: draft.touch())) == "unreadable"
        assert await refused(open_lobby(tables, CARA)) == "unreadable"
        assert await tables.store.table(table.id) == before
    errors = [record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR]
    assert errors
    hidden = [table.body.host_seed, table.state.key.hex(), "hands"]
    assert not any(part in text for text in errors for part in hidden)


@pytest.mark.parametrize("how", DAMAGES)
async def test_it_can_be_given_up_so_that_its_channel_is_free_and_all_of_it_stays(
    path: Path, clock: ManualClock, how: str
) -> None:
    table = await damaged(path, clock, how)
    async with tables_on(path, clock) as tables:
        before = await tables.store.table(table.id)
        await tables.give_up(table.id)
        after = await tables.store.table(table.id)
        assert before is not None
        assert after is not None
        assert (after.status, after.ended_at) == ("abandoned", clock.now())
        assert (after.body, after.snapshot) == (before.body, before.snapshot)
        assert await tables.store.due(clock.now() + 99 * DAY) == []
        await tables.give_up(table.id)
        assert (await open_lobby(tables, CARA)).live
        assert await refused(tables.give_up(404)) == "no-table"


async def test_the_version_that_can_read_it_plays_it_on(path: Path, clock: ManualClock) -> None:
    table = await damaged(path, clock, "another card list")
    async with tables_on(path, clock) as tables:
        assert await refused(tables.get(table.id)) == "unreadable"
        assert set(await jobs_of(tables, table)) == {ALARM}
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE tables SET snapshot = replace(snapshot, 'other ', '')")
        connection.commit()
    async with tables_on(path, clock) as tables:
        assert (await Presses(tables).move(table)).sequence == 1


# -- what an older version wrote


async def without_digests(tables: Tables, table: Table) -> None:
    """Writes the table's row as an older version does, also one that runs beside this process."""
    row = await tables.store.table(table.id)
    assert row is not None
    body = json.loads(row.body)
    del body["digest"]
    body["undo"] = [
        {name: value for name, value in undo.items() if name != "digest"} for undo in body["undo"]
    ]
    row.body = json.dumps(body)
    await tables.store.commit(Change(row))
    tables.cache.clear()


async def test_a_match_of_an_older_version_is_replayed_once_and_then_bears_a_digest(
    tables: Tables, presses: Presses
) -> None:
    table = await match_of(tables, ANA, BEN)
    while not table.body.undo:
        table = await presses.move(table)
    await without_digests(tables, table)
    read = await tables.get(table.id)
    assert GAME.dump(read.state) == GAME.dump(table.state)
    await change(tables, read, lambda draft: draft.touch())
    row = await tables.store.table(table.id)
    assert row is not None
    assert row.snapshot is not None
    assert json.loads(row.body)["digest"] == digest_of(row.snapshot)


async def test_a_move_of_an_older_version_can_be_taken_back(tables: Tables, presses: Presses) -> None:
    table = await match_of(tables, ANA, BEN)
    while not table.body.undo:
        table = await presses.move(table)
    await without_digests(tables, table)
    mover = table.seats[table.body.undo[-1].seat].user_id
    assert mover is not None
    await change(tables, table, lambda draft: play.undo(draft, mover, play.undo_view_version(draft.table)))
    tables.cache.clear()
    assert (await tables.get(table.id)).sequence == table.sequence - 1


async def test_a_match_of_an_older_version_that_changes_while_it_is_read_is_sound(
    tables: Tables, presses: Presses, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await match_of(tables, ANA, BEN)
    await without_digests(tables, table)
    read_moves = tables.store.moves

    async def meanwhile(table_id: int) -> list[MoveRow]:
        monkeypatch.undo()
        await presses.move(table)
        tables.cache.clear()
        return await read_moves(table_id)

    monkeypatch.setattr(tables.store, "moves", meanwhile)
    assert (await tables.get(table.id)).sequence == 1


async def test_a_match_under_other_rules_is_taken_as_it_is(tables: Tables, presses: Presses) -> None:
    table = await presses.move(await match_of(tables, ANA, BEN))
    await change(tables, table, lambda draft: setattr(draft.table.body, "rules", 99) or draft.touch())
    await without_digests(tables, table)
    assert (await presses.move(await tables.get(table.id))).sequence == 2


# -- what a change writes


async def test_an_act_that_leaves_the_state_alone_writes_the_same_snapshot(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR)
    monkeypatch.setattr(GAME, "dump", lambda _state: pytest.fail("there was no need to write the state anew"))
    await change(tables, table, lambda draft: draft.touch())
    monkeypatch.undo()
    row = await tables.store.table(table.id)
    assert row is not None
    assert json.loads(row.snapshot or "") == GAME.dump(table.state)


async def test_every_change_that_is_to_be_seen_has_the_messages_drawn(
    tables: Tables, presses: Presses
) -> None:
    table = await match_of(tables, ANA, BEN)
    jobs = [job for job in await tables.store.due(tables.clock.now()) if job.kind == REDRAW]
    await tables.store.finish(jobs)
    await presses.move(table)
    (redraw,) = await tables.store.due(tables.clock.now())
    assert (redraw.table_id, redraw.kind) == (table.id, REDRAW)
