"""Where all decide at once: each has a time of their own, may answer in any order, and waits for nobody's press."""

from __future__ import annotations

import asyncio
import json
from itertools import permutations
from pathlib import Path

import pytest

from bot.tables.absence import played_by_agent
from bot.tables.history import record_of
from bot.tables.model import DAY, HOUR, MINUTE, Table
from bot.tables.play import view_version_of
from bot.tables.refusals import Stale
from bot.tables.service import Tables
from engine.game import Decision
from engine.record import verify
from tests.bot.tables.samples import (
    ANA,
    BEN,
    CARA,
    SEALED,
    begin,
    come_back,
    do_due,
    events_of,
    later,
    leave,
    make_tables,
    match_of,
    open_lobby,
    refused,
    tables_on,
)
from tests.manual_clock import ManualClock
from tests.sealed import ROUNDS, Bid

PEOPLE = (ANA, BEN, CARA)
ids = iter(range(10**6, 10**7))


async def bid(tables: Tables, table: Table, person: int, decision: int | None = None) -> Table:
    """This person's lowest number, bid on a screen that showed what is asked of them now (or `decision`)."""
    table = await tables.get(table.id)
    seat = table.seat_of(person)
    assert seat is not None
    if decision is None:
        decision = next(d.id for d in SEALED.pending(table.state) if d.seat == seat)
    view_version = view_version_of(table, Decision(decision, seat, "bid"))
    return await tables.play(table.id, person, view_version, Bid(min(table.state.hands[seat])), next(ids))


def waited_for(table: Table) -> list[int]:
    return sorted(table.body.asked)


async def a_match(tables: Tables, *, agents: int = 0, limit: int | None = HOUR) -> Table:
    return await match_of(tables, *PEOPLE, agents=agents, limit=limit, game=SEALED)


# -- answering


@pytest.mark.parametrize("order", list(permutations(PEOPLE)))
async def test_all_are_asked_and_may_answer_in_any_order(tables: Tables, order: tuple[int, ...]) -> None:
    table = await a_match(tables)
    assert waited_for(table) == [0, 1, 2]
    left = {0, 1, 2}
    for person in order[:2]:
        table = await bid(tables, table, person, 0)  # the screens are those of the round's beginning
        left.discard(PEOPLE.index(person))
        assert waited_for(table) == sorted(left)
        assert await refused(bid(tables, table, person, 0)) == "not-your-move"
    table = await bid(tables, table, order[2], 0)
    assert waited_for(table) == [0, 1, 2]
    for person in PEOPLE:
        with pytest.raises(Stale):
            await bid(tables, table, person, 0)


async def test_those_who_answer_at_the_same_moment_are_all_heard(tables: Tables) -> None:
    table = await a_match(tables)
    for _ in range(ROUNDS):
        number = (await tables.get(table.id)).sequence
        await asyncio.gather(*(bid(tables, table, person, number) for person in PEOPLE))
    table = await tables.get(table.id)
    assert (table.status, table.sequence) == ("over", 3 * ROUNDS)


async def test_a_record_replays_whatever_the_order_was(tables: Tables) -> None:
    table = await a_match(tables)
    for number in range(ROUNDS):
        for person in list(permutations(PEOPLE))[number]:
            table = await bid(tables, table, person)
    checked = verify(json.loads(record_of(table, await tables.store.moves(table.id))), tables.games)
    assert checked.faults == ()


async def test_a_restart_between_two_answers_loses_neither(path: Path, clock: ManualClock) -> None:
    async with tables_on(path, clock) as tables:
        table = await a_match(tables)
        await bid(tables, table, BEN)
    async with tables_on(path, clock) as tables:
        before = await tables.get(table.id)
        assert waited_for(before) == [0, 2]
        await bid(tables, table, ANA, 0)
        after = await bid(tables, table, CARA, 0)
        assert waited_for(after) == [0, 1, 2]


# -- agents


async def test_agents_answer_beside_people_and_wait_for_nobody(tables: Tables) -> None:
    table = await begin(tables, await open_lobby(tables, ANA, BEN, agents=2, game=SEALED))
    await do_due(tables)
    table = await tables.get(table.id)
    assert waited_for(table) == [0, 1]
    table = await bid(tables, table, BEN, 0)
    await do_due(tables)
    assert waited_for(await tables.get(table.id)) == [0]


async def test_an_agent_whose_thought_somebody_elses_answer_overtook_answers_all_the_same(
    tables: Tables, clock: ManualClock
) -> None:
    slow = make_tables(tables.store, clock, agent_delay=(30.0, 30.0))
    table = await begin(slow, await open_lobby(slow, ANA, BEN, agents=1, game=SEALED))
    clock.advance(29)
    await bid(slow, table, ANA)
    clock.advance(2)
    await do_due(slow)
    assert waited_for(await slow.get(table.id)) == [1, 2], "its pause began anew"
    clock.advance(29)
    await do_due(slow)
    assert waited_for(await slow.get(table.id)) == [1]


# -- time


async def test_each_has_the_whole_limit_whoever_has_answered(tables: Tables, clock: ManualClock) -> None:
    table = await a_match(tables)
    start = clock.now()
    clock.advance(50 * MINUTE)
    table = await bid(tables, table, BEN)
    assert {asked.deadline for asked in table.body.asked.values()} == {start + HOUR}


async def test_of_those_who_let_their_time_run_out_each_is_played_for(
    tables: Tables, clock: ManualClock
) -> None:
    table = await a_match(tables)
    await bid(tables, table, BEN)
    clock.advance(HOUR)
    await tables.do_job(next(job for job in await tables.store.due(clock.now()) if job.kind == "alarm"))
    assert await events_of(tables, table) == ["missed", "missed"]
    assert [played_by_agent(await tables.get(table.id), seat) for seat in (0, 2)] == [True, True]
    for _ in range(2):
        await tables.agent_turn(table.id)
    table = await tables.get(table.id)
    assert table.sequence == 3
    assert waited_for(table) == [0, 1, 2]
    assert [seat.missed for seat in table.seats] == [1, 0, 1]


async def test_all_are_reminded(tables: Tables, clock: ManualClock) -> None:
    table = await a_match(tables)
    await bid(tables, table, BEN)
    table = await later(tables, clock, 45 * MINUTE, table)
    assert {seat: asked.reminded for seat, asked in table.body.asked.items()} == {0: True, 2: True}


async def test_who_leaves_has_the_agent_answer_at_once_and_the_others_keep_their_time(
    tables: Tables, clock: ManualClock
) -> None:
    table = await a_match(tables)
    deadline = table.body.asked[0].deadline
    clock.advance(10 * MINUTE)
    table = await leave(tables, table, CARA)
    await do_due(tables)
    table = await tables.get(table.id)
    assert waited_for(table) == [0, 1]
    assert table.body.asked[0].deadline == deadline
    table = await come_back(tables, table, CARA)
    assert await refused(bid(tables, table, CARA, 0)) == "not-your-move"


@pytest.mark.parametrize("limit", [5 * MINUTE, DAY])
async def test_who_answered_last_has_the_whole_limit_in_the_next_round_too(
    tables: Tables, clock: ManualClock, limit: int
) -> None:
    table = await a_match(tables, limit=limit)
    for person in (ANA, BEN):
        await bid(tables, table, person)
    clock.advance(limit - 1)
    table = await bid(tables, table, CARA)
    assert {asked.deadline for asked in table.body.asked.values()} == {clock.now() + limit}
    assert {asked.since for asked in table.body.asked.values()} == {3}, "all are called anew"


async def test_who_answers_last_again_and_again_is_never_cut_short(
    tables: Tables, clock: ManualClock
) -> None:
    table = await a_match(tables, limit=HOUR)
    for _ in range(3):
        for person in (ANA, BEN):
            await bid(tables, table, person)
        table = await later(tables, clock, 50 * MINUTE, table)
        assert await events_of(tables, table) == []
        table = await bid(tables, table, CARA)


async def test_who_missed_one_answer_is_asked_themselves_for_the_next(
    tables: Tables, clock: ManualClock
) -> None:
    table = await a_match(tables)
    for person in (ANA, BEN):
        await bid(tables, table, person)
    table = await later(tables, clock, HOUR, table)
    assert await events_of(tables, table) == ["missed"]
    assert table.sequence == 3, "the agent has played what was due, and no more"
    assert not played_by_agent(table, 2)
    assert table.body.asked[2].deadline == clock.now() + HOUR
    assert not table.body.asked[2].reminded
