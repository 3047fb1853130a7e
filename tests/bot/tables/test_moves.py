"""A move is applied once, to what it was meant for, and is durable before it is acknowledged."""

from __future__ import annotations

import asyncio
import json

import pytest

from bot.store.model import Change, Repeated, StoreError, StoreFull
from bot.store.sqlite.engine import SqliteEngine
from bot.tables.draft import Draft
from bot.tables.model import Table, read_table
from bot.tables.play import view_version_of
from bot.tables.refusals import Refused, Stale
from bot.tables.service import Tables
from engine.archaeology_family import moves as m
from engine.errors import IllegalMove
from engine.game import Decision
from tests.bot.store.samples import writer_held
from tests.bot.tables.samples import (
    ANA,
    BEN,
    CARA,
    GAME,
    Presses,
    asked,
    begin,
    change,
    make_tables,
    match_of,
    open_lobby,
    random_move,
    refused,
)
from tests.manual_clock import ManualClock


def dig(tables: Tables, table: Table, person: int, decision: int | None, interaction: int = 1):
    seat = table.seat_of(person)
    view_version = (
        None if decision is None or seat is None else view_version_of(table, Decision(decision, seat, "dig"))
    )
    return tables.play(table.id, person, view_version, m.Dig(), interaction)


async def kept(tables: Tables, table: Table) -> Table:
    """The table as it is on file."""
    row = await tables.store.table(table.id)
    assert row is not None
    return read_table(row, GAME)


# -- what a move does


async def test_a_move_changes_the_table_and_its_log_and_is_on_file(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN, first=0)
    moved = await dig(tables, table, ANA, 0, 77)
    assert (moved.sequence, moved.version) == (1, table.version + 1)
    assert sum(moved.state.hands[0]) >= sum(table.state.hands[0])
    on_file = await kept(tables, table)
    assert GAME.dump(on_file.state) == GAME.dump(moved.state)
    assert on_file.body == moved.body
    (row,) = await tables.store.moves(table.id)
    assert (row.sequence, row.seat, json.loads(row.move), row.interaction_id) == (1, 0, {"kind": "dig"}, 77)
    assert [line.sequence for line in await tables.store.log(table.id) if line.source == "game"][-1] == 1


async def test_a_table_that_somebody_holds_never_changes(tables: Tables, presses: Presses) -> None:
    table = await match_of(tables, ANA, BEN)
    before = (table.version, GAME.dump(table.state), repr(table.body))
    for _ in range(10):
        await presses.move(table)
    assert (table.version, GAME.dump(table.state), repr(table.body)) == before


async def test_a_whole_match_is_played_by_presses_alone(tables: Tables, presses: Presses) -> None:
    table = await match_of(tables, ANA, BEN, CARA)
    while table.live:
        table = await presses.move(table)
    assert table.status == "over"
    assert table.ended_at is not None
    assert table.body.asked == {}
    rows = await tables.store.moves(table.id)
    assert [row.sequence for row in rows] == list(range(1, table.sequence + 1))
    assert len({row.interaction_id for row in rows}) == len(rows)
    assert await refused(tables.play(table.id, ANA, None, m.Dig(), 1)) == "match-over"


# -- who may move, and when


async def test_only_who_is_asked_may_move(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN, first=0)
    assert await refused(dig(tables, table, BEN, 0)) == "not-your-move"
    assert await refused(dig(tables, table, CARA, 0)) == "not-seated"
    assert await refused(dig(tables, table, CARA, None)) == "not-seated"
    lobby = await open_lobby(tables, ANA, channel=2)
    assert await refused(dig(tables, lobby, ANA, 0)) == "not-started"
    assert (await tables.get(table.id)).sequence == 0


async def test_a_move_against_the_rules_changes_nothing(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN, first=0)
    with pytest.raises(IllegalMove) as caught:
        await tables.play(table.id, ANA, "0", m.EndTurn(), 1)
    assert caught.value.code == "not-now"
    assert await tables.get(table.id) is table
    assert await tables.store.moves(table.id) == []


async def test_a_press_on_a_screen_that_time_passed_by_does_nothing(tables: Tables, presses: Presses) -> None:
    table = await match_of(tables, ANA, BEN, first=0)
    moved = await presses.move(table)
    for person in (ANA, BEN):
        with pytest.raises(Stale):
            await dig(tables, table, person, 0)
    assert await tables.get(table.id) is moved


async def test_a_press_made_twice_before_the_first_answer_counts_once(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN, first=0)
    results = await asyncio.gather(
        *(dig(tables, table, ANA, 0, interaction) for interaction in (1, 2, 3)), return_exceptions=True
    )
    assert [type(result) for result in results] == [Table, Stale, Stale]
    assert len(await tables.store.moves(table.id)) == 1


async def test_a_press_that_is_delivered_twice_counts_once(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN, first=0)
    results = await asyncio.gather(*(dig(tables, table, ANA, 0, 7) for _ in range(3)), return_exceptions=True)
    assert [type(result) for result in results] == [Table, Stale, Stale]
    assert (await tables.get(table.id)).sequence == 1


async def test_a_delivery_that_comes_again_much_later_is_known_by_its_interaction(
    tables: Tables, presses: Presses
) -> None:
    table = await match_of(tables, ANA, BEN, first=0)
    await dig(tables, table, ANA, 0, 7)
    while asked(table := await tables.get(table.id)) != 0 or GAME.pending(table.state)[0].kind != "dig":
        await presses.move(table)
    with pytest.raises(Repeated):
        await dig(tables, table, ANA, None, 7)
    assert (await tables.get(table.id)).sequence == table.sequence
    await dig(tables, table, ANA, None, 8)


async def test_of_two_people_who_press_at_once_the_second_is_judged_by_what_it_finds(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN, first=0)
    results = await asyncio.gather(
        dig(tables, table, ANA, 0, 1), dig(tables, table, BEN, 0, 2), return_exceptions=True
    )
    assert [type(result) for result in results] == [Table, Stale]


async def test_many_tables_are_played_at_once_without_touching_each_other(tables: Tables) -> None:
    async def play(channel: int) -> Table:
        presses = Presses(tables, channel)
        table = await match_of(tables, channel * 10, channel * 10 + 1, channel=channel)
        for _ in range(25):
            table = await presses.move(table)
        return table

    played = await asyncio.gather(*(play(channel) for channel in range(1, 31)))
    for table in played:
        assert table.sequence == len(await tables.store.moves(table.id)) == 25
        assert GAME.dump((await kept(tables, table)).state) == GAME.dump(table.state)


# -- durable before acknowledged


async def test_a_move_is_acknowledged_only_when_it_is_durable(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN, first=0)
    assert isinstance(tables.store.engine, SqliteEngine)
    async with writer_held(tables.store):
        playing = asyncio.create_task(dig(tables, table, ANA, 0))
        await asyncio.sleep(0.02)
        assert not playing.done()
        assert (await tables.get(table.id)).sequence == 0, "nobody sees what is not durable"
    assert (await playing).sequence == 1


async def test_a_store_that_cannot_keep_a_move_leaves_the_table_as_it_was(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await match_of(tables, ANA, BEN, first=0)

    async def full(change: Change) -> None:
        raise StoreFull("no room")

    monkeypatch.setattr(tables.store, "commit", full)
    with pytest.raises(StoreFull):
        await dig(tables, table, ANA, 0)
    monkeypatch.undo()
    again = await tables.get(table.id)
    assert (again.sequence, again.version, again.body) == (0, table.version, table.body)
    assert (await dig(tables, table, ANA, 0)).sequence == 1


async def test_a_press_whose_task_is_cancelled_leaves_a_whole_move_and_holds_the_table_until_then(
    tables: Tables,
) -> None:
    table = await match_of(tables, ANA, BEN, first=0)
    assert isinstance(tables.store.engine, SqliteEngine)
    async with writer_held(tables.store):
        first = asyncio.create_task(dig(tables, table, ANA, 0, 1))
        await asyncio.sleep(0.02)
        second = asyncio.create_task(dig(tables, table, ANA, 0, 2))
        for _ in range(3):
            first.cancel()
            await asyncio.sleep(0.01)
        assert not first.done()
        assert not second.done()
        assert len(tables._locks._locks) == 1
    with pytest.raises(asyncio.CancelledError):
        await first
    with pytest.raises(Stale):  # not Conflict: it finds what the cancelled press has done
        await second
    assert (await tables.get(table.id)).sequence == len(await tables.store.moves(table.id)) == 1
    assert tables._locks._locks == {}


async def test_somebody_who_waits_for_the_table_and_is_cancelled_does_nothing(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN, first=0)
    async with tables.change(table.id):
        waiting = asyncio.create_task(dig(tables, table, ANA, 0))
        await asyncio.sleep(0)
        waiting.cancel()
        await asyncio.wait([waiting])
    assert tables._locks._locks == {}
    assert (await dig(tables, table, ANA, 0)).sequence == 1


async def test_a_table_written_behind_the_layers_back_is_read_again(
    tables: Tables, clock: ManualClock
) -> None:
    table = await match_of(tables, ANA, BEN, first=0)
    other = make_tables(tables.store, clock)
    moved = await other.play(table.id, ANA, "0", m.Dig(), 1)
    with pytest.raises(StoreError):
        await dig(tables, table, ANA, 0, 2)
    assert (await tables.get(table.id)).sequence == moved.sequence == 1


async def test_an_act_that_raises_or_touches_nothing_writes_nothing(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN)

    def fail(draft: Draft) -> None:
        draft.table.body.host_id = CARA
        draft.touch()
        raise RuntimeError

    with pytest.raises(RuntimeError):
        await change(tables, table, fail)
    async with tables.change(table.id) as draft:
        draft.table.body.host_id = CARA
    again = await tables.get(table.id)
    assert (again.version, again.body.host_id) == (table.version, ANA)


# -- one move, many ways to be read


async def test_moves_are_kept_so_that_the_match_can_be_replayed(tables: Tables, presses: Presses) -> None:
    table = await begin(tables, await open_lobby(tables, ANA, BEN))
    state = GAME.copy(table.state)
    while table.live:
        table = await presses.move(table)
    for row in await tables.store.moves(table.id):
        GAME.apply(state, row.seat, GAME.load_move(json.loads(row.move)))
    assert GAME.outcome(state) == GAME.outcome(table.state)
    assert GAME.dump(state) == GAME.dump(table.state)


async def test_a_move_for_a_decision_that_another_seat_is_asked_is_stale(
    tables: Tables, presses: Presses
) -> None:
    table = await presses.turn(await match_of(tables, ANA, BEN, first=0))
    seat, view_version, _move = random_move(table, presses.rng)
    other = ANA if table.seats[seat].user_id == BEN else BEN
    with pytest.raises(Refused) as caught:
        await tables.play(table.id, other, view_version, m.Dig(), presses.next_id())
    assert caught.value.code == "not-your-move"
