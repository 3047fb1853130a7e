"""The agents that play for people who let their time pass."""

from __future__ import annotations

from bot.tables.absence import played_by_agent
from bot.tables.draft import AGENT
from bot.tables.model import HOUR
from bot.tables.service import Tables
from tests.bot.tables.samples import (
    ANA,
    BEN,
    Presses,
    asked,
    come_back,
    events_of,
    jobs_of,
    later,
    make_tables,
    match_of,
)
from tests.manual_clock import ManualClock


async def test_at_the_limit_an_agent_plays_what_is_due_to_the_end_of_the_turn(
    tables: Tables, clock: ManualClock
) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    table = await later(tables, clock, HOUR, table)
    assert asked(table) == 1
    assert not table.seats[0].away
    assert table.seats[0].missed == 1
    assert {row.interaction_id for row in await tables.store.moves(table.id)} == {None}


async def test_after_two_missed_in_a_row_the_seat_is_the_agents_until_the_person_is_back(
    tables: Tables, clock: ManualClock, presses: Presses
) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    table = await later(tables, clock, HOUR, table)
    await presses.turn(table)
    table = await later(tables, clock, HOUR, table)
    assert table.seats[0].away
    assert await events_of(tables, table) == ["missed", "away"]
    for _ in range(3):
        table = await presses.turn(table)
        table = await later(tables, clock, 0, table)
        assert asked(table) == 1, "the agent plays at once, without waiting for the limit"
    table = await come_back(tables, table, ANA)
    assert table.seats[0].present
    table = await presses.turn(table)
    table = await later(tables, clock, 0, table)
    assert asked(table) == 0


async def test_two_missed_with_an_own_move_between_are_not_in_a_row(
    tables: Tables, clock: ManualClock, presses: Presses
) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    for _ in range(3):
        table = await later(tables, clock, HOUR, table)
        assert table.seats[0].missed == 1
        await presses.turn(table)
        await presses.turn(table)
        table = await presses.turn(table)
    assert await events_of(tables, table) == ["missed"] * 3


async def test_who_is_late_may_still_move_before_the_agent_does(
    tables: Tables, clock: ManualClock, presses: Presses
) -> None:
    tables = presses.tables = make_tables(tables.store, clock, agent_delay=(2, 2))
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    table = await later(tables, clock, HOUR, table)
    assert played_by_agent(table, 0)
    assert (await jobs_of(tables, table))[AGENT] == clock.now() + 2
    table = await presses.move(table)
    assert not played_by_agent(table, 0)
    table = await later(tables, clock, 2, table)
    assert table.sequence == 1, "the agent keeps out of it"
    assert table.seats[0].missed == 0


async def test_a_person_who_is_away_is_back_with_their_own_move(
    tables: Tables, clock: ManualClock, presses: Presses
) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    for _ in range(2):
        table = await later(tables, clock, HOUR, table)
        table = await presses.turn(table)
    assert table.seats[0].away
    assert asked(table) == 0
    table = await presses.move(table)
    assert table.seats[0].present
