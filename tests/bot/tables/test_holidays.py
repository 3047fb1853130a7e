"""A turn that waits for somebody on holiday keeps its time, whatever else happens at the table."""

from __future__ import annotations

from bot.tables import absence, holidays
from bot.tables.draft import ALARM, Draft
from bot.tables.model import DAY, HOUR, Table
from bot.tables.service import Tables
from tests.bot.tables.samples import (
    ANA,
    BEN,
    CARA,
    Presses,
    asked,
    change,
    come_back,
    events_of,
    jobs_of,
    later,
    leave,
    match_of,
    refused,
    time_left,
)
from tests.manual_clock import ManualClock


async def away(tables: Tables, table: Table, person: int, clock: ManualClock, days: int = 7) -> Table:
    ends = int(clock.now()) + days * DAY
    return await change(tables, table, lambda draft: holidays.go_on_holiday(draft, person, ends))


async def agrees(tables: Tables, table: Table, person: int, seat: int) -> Table:
    return await change(tables, table, lambda draft: holidays.agree_to_wait(draft, person, seat))


async def waiting(tables: Tables, clock: ManualClock) -> Table:
    """Ana's turn of an hour waits since the first half of it."""
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    clock.advance(HOUR / 2)
    table = await away(tables, table, ANA, clock)
    return await agrees(tables, table, BEN, 0)


async def test_limit_moves_by_the_time_waited(tables: Tables, clock: ManualClock) -> None:
    table = await waiting(tables, clock)
    assert await jobs_of(tables, table) == {}, "no agent, no reminder, no limit"
    table = await later(tables, clock, 3 * DAY, table)
    table = await change(tables, table, lambda draft: holidays.come_home(draft, ANA))
    assert time_left(table, 0, clock) == HOUR / 2
    assert ALARM in await jobs_of(tables, table)
    assert table.sequence == 0


async def test_limit_moves_also_by_a_sleep_of_the_table_and_only_once(
    tables: Tables, clock: ManualClock
) -> None:
    table = await waiting(tables, clock)
    table = await later(tables, clock, DAY, table)
    await change(tables, table, absence.sleep)
    clock.advance(DAY)
    await change(tables, table, absence.wake)
    table = await later(tables, clock, DAY, table)
    table = await change(tables, table, lambda draft: holidays.come_home(draft, ANA))
    assert time_left(table, 0, clock) == HOUR / 2


async def test_own_move_ends_the_wait_and_the_next_turn_has_its_whole_time(
    tables: Tables, clock: ManualClock, presses: Presses
) -> None:
    table = await waiting(tables, clock)
    table = await later(tables, clock, DAY, table)
    table = await presses.turn(table)
    assert asked(table) == 1
    assert time_left(table, 1, clock) == HOUR
    assert table.seats[0].present
    assert table.seats[0].holiday is None


async def test_whoever_withdraws_lets_the_agent_play_at_once(tables: Tables, clock: ManualClock) -> None:
    table = await waiting(tables, clock)
    table = await change(tables, table, lambda draft: holidays.let_agent_play(draft, BEN, 0))
    table = await later(tables, clock, 0, table)
    assert asked(table) == 1
    assert await events_of(tables, table) == ["holiday", "waits", "waits-no-more"]


async def test_wait_goes_on_if_one_who_agreed_leaves_and_ends_if_the_awaited_person_leaves(
    tables: Tables, clock: ManualClock
) -> None:
    table = await match_of(tables, ANA, BEN, CARA, limit=HOUR, first=0)
    table = await away(tables, table, ANA, clock)
    table = await agrees(tables, table, BEN, 0)
    table = await agrees(tables, table, CARA, 0)
    table = await leave(tables, table, CARA)
    assert await jobs_of(tables, table) == {}
    table = await leave(tables, table, ANA)
    assert table.seats[0].holiday is None
    table = await later(tables, clock, 0, table)
    assert asked(table) == 1


async def test_person_who_was_away_before_the_holiday_has_to_come_back_by_themselves(
    tables: Tables, clock: ManualClock
) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)

    def miss_two(draft: Draft) -> None:
        draft.table.seats[0].away, draft.table.seats[0].missed = True, 2
        draft.touch()

    table = await change(tables, table, miss_two)
    table = await away(tables, table, ANA, clock)
    assert table.seats[0].holiday is None
    table = await change(tables, table, lambda draft: holidays.come_home(draft, ANA))
    assert table.seats[0].away


async def test_refusals(tables: Tables, clock: ManualClock) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    assert await refused(agrees(tables, table, BEN, 0)) == "not-on-holiday"
    table = await away(tables, table, ANA, clock)
    assert await refused(agrees(tables, table, ANA, 0)) == "not-on-holiday"
    assert await refused(agrees(tables, table, BEN, 7)) == "not-on-holiday"
    assert await refused(agrees(tables, table, CARA, 0)) == "not-seated"
    table = await come_back(tables, table, ANA)
    assert await refused(come_back(tables, table, ANA)) == "not-away"
