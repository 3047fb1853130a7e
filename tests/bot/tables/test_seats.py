"""Leaving, taking over and coming back: nobody ever sits at two seats of a match, or knows two hands."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.tables.absence import played_by_agent
from bot.tables.draft import AGENT, ALARM
from bot.tables.model import HOUR, MINUTE, Table
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from tests.bot.tables.samples import (
    ANA,
    BEN,
    CARA,
    DAN,
    Presses,
    asked,
    begin,
    come_back,
    do_due,
    events_of,
    jobs_of,
    later,
    leave,
    make_tables,
    match_of,
    name_of,
    open_lobby,
    refused,
    time_left,
)
from tests.manual_clock import ManualClock


async def take_over(tables: Tables, table: Table, person: int, seat: int) -> Table:
    return await tables.take_over(table.id, person, name_of(person), seat)


# -- leaving


async def test_who_leaves_leaves_an_agent_behind_that_plays_on(tables: Tables, clock: ManualClock) -> None:
    table = await match_of(tables, ANA, BEN, first=1)
    table = await leave(tables, table, ANA)
    seat = table.seats[0]
    assert (seat.user_id, seat.left_by, seat.agent) == (None, ANA, "veteran")
    assert table.status == "playing"
    assert await refused(leave(tables, table, ANA)) == "not-seated"


async def test_who_leaves_in_their_own_turn_has_it_played_at_once(tables: Tables, clock: ManualClock) -> None:
    table = await match_of(tables, ANA, BEN, first=0)
    table = await leave(tables, table, ANA)
    assert (await jobs_of(tables, table))[AGENT] == clock.now()
    await do_due(tables)
    assert asked(await tables.get(table.id)) == 1


async def test_who_was_away_and_leaves_has_left(tables: Tables, clock: ManualClock, presses: Presses) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    table = await later(tables, clock, HOUR, table)
    await presses.turn(table)
    table = await later(tables, clock, HOUR, table)
    assert table.seats[0].away
    table = await leave(tables, table, ANA)
    assert (table.seats[0].away, table.seats[0].missed, table.seats[0].left_by) == (False, 0, ANA)


async def test_if_the_host_leaves_the_next_seat_with_a_person_hosts(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN, CARA, agents=1)
    table = await leave(tables, table, BEN)
    assert table.body.host_id == ANA
    table = await leave(tables, table, ANA)
    assert table.body.host_id == CARA
    table = await take_over(tables, table, DAN, 0)
    assert (await leave(tables, table, CARA)).body.host_id == DAN


async def test_who_takes_a_seat_where_nobody_sits_any_more_hosts(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN)
    await leave(tables, table, ANA)
    table = await leave(tables, table, BEN)
    assert (await take_over(tables, table, DAN, 1)).body.host_id == DAN
    table = await come_back(tables, table, ANA)
    assert table.body.host_id == DAN


# -- taking over


async def test_a_newcomer_takes_a_free_seat_over_with_a_clean_sheet(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN, first=1)
    table = await leave(tables, table, BEN)
    table = await take_over(tables, table, CARA, 1)
    seat = table.seats[1]
    assert (seat.name, seat.user_id, seat.agent, seat.left_by) == ("Cara", CARA, None, None)
    assert await tables.store.seat_of(table.id, CARA) == 1
    assert await events_of(tables, table) == ["left", "took-over"]
    assert AGENT not in await jobs_of(tables, table), "it is asked, and no agent answers for it any more"
    assert await refused(come_back(tables, table, BEN)) == "not-seated"


async def test_an_agents_seat_is_taken_over_too(tables: Tables) -> None:
    table = await match_of(tables, ANA, agents=1)
    table = await take_over(tables, table, BEN, 1)
    assert table.seat_of(BEN) == 1
    assert table.seats[1].agent is None


async def test_only_a_free_seat_of_a_match_under_way_is_taken_over(tables: Tables) -> None:
    table = await open_lobby(tables, ANA, BEN)
    assert await refused(take_over(tables, table, CARA, 0)) == "match-over"
    table = await begin(tables, table)
    for seat in (0, 1, 2, -1, 99):
        assert await refused(take_over(tables, table, CARA, seat)) == "seat-held"
    assert await refused(take_over(tables, table, ANA, 1)) in ("seat-held", "already-seated")


async def test_of_many_who_take_one_seat_over_at_once_one_gets_it(tables: Tables) -> None:
    table = await leave(tables, await match_of(tables, ANA, BEN), BEN)
    people = range(1, 51)
    results = await asyncio.gather(
        *(take_over(tables, table, person, 1) for person in people), return_exceptions=True
    )
    assert len([result for result in results if isinstance(result, Table)]) == 1
    assert {result.code for result in results if isinstance(result, Refused)} == {"seat-held"}
    seats = [await tables.store.seat_of(table.id, person) for person in people]
    assert seats.count(1) == 1
    assert seats.count(None) == 49


async def test_one_person_who_takes_two_seats_over_at_once_gets_one(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN, CARA)
    await leave(tables, table, BEN)
    table = await leave(tables, table, CARA)
    results = await asyncio.gather(
        take_over(tables, table, DAN, 1), take_over(tables, table, DAN, 2), return_exceptions=True
    )
    assert [type(result) for result in results] == [Table, Refused]
    table = await tables.get(table.id)
    assert [seat.user_id for seat in table.seats] == [ANA, DAN, None]


async def test_nobody_who_has_seen_one_hand_gets_to_see_another(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN, CARA)
    await leave(tables, table, ANA)
    table = await leave(tables, table, BEN)
    assert await refused(take_over(tables, table, ANA, 1)) == "sat-elsewhere"
    assert (await take_over(tables, table, ANA, 0)).seat_of(ANA) == 0
    table = await take_over(tables, table, DAN, 1)
    table = await leave(tables, table, DAN)
    table = await leave(tables, table, ANA)
    assert await refused(take_over(tables, table, DAN, 0)) == "sat-elsewhere"
    table = await take_over(tables, table, BEN, 1)
    assert table.seat_of(BEN) == 1, "the seat is the one whose hand they know"


async def test_a_seat_that_is_asked_gives_who_takes_it_over_two_minutes_at_least(
    tables: Tables, clock: ManualClock
) -> None:
    tables = make_tables(tables.store, clock, agent_delay=(30, 30))
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    clock.advance(HOUR - 1)
    await leave(tables, table, ANA)
    table = await take_over(tables, table, CARA, 0)
    assert table.body.asked[0].deadline == clock.now() + 2 * MINUTE


# -- coming back


async def test_who_was_late_once_takes_the_turn_back_and_has_two_minutes(
    tables: Tables, clock: ManualClock
) -> None:
    tables = make_tables(tables.store, clock, agent_delay=(30, 30))
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    table = await later(tables, clock, HOUR, table)
    table = await come_back(tables, table, ANA)
    assert not played_by_agent(table, 0)
    assert time_left(table, 0, clock) == 2 * MINUTE
    assert set(await jobs_of(tables, table)) == {ALARM}


async def test_coming_back_again_and_again_gains_no_more_than_twice_the_limit(
    tables: Tables, clock: ManualClock
) -> None:
    tables = make_tables(tables.store, clock, agent_delay=(30, 30))
    table = await match_of(tables, ANA, BEN, limit=5 * MINUTE, first=0)
    begun = clock.now()
    table = await later(tables, clock, 5 * MINUTE, table)
    while clock.now() < begun + 10 * MINUTE:
        table = await come_back(tables, table, ANA)
        table = await later(tables, clock, 2 * MINUTE, table)
    table = await come_back(tables, table, ANA)
    assert table.body.asked[0].substitute, "this turn is the agent's"
    assert table.seats[0].present, "the next one is hers"
    table = await later(tables, clock, 30, table)
    assert table.sequence > 0


async def test_leaving_and_coming_back_gains_no_time(tables: Tables, clock: ManualClock) -> None:
    tables = make_tables(tables.store, clock, agent_delay=(30, 30))
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    clock.advance(50 * MINUTE)
    table = await leave(tables, table, ANA)
    table = await come_back(tables, table, ANA)
    assert time_left(table, 0, clock) == 10 * MINUTE


async def test_two_presses_on_im_back_are_one(tables: Tables) -> None:
    table = await leave(tables, await match_of(tables, ANA, BEN), BEN)
    results = await asyncio.gather(
        come_back(tables, table, BEN), come_back(tables, table, BEN), return_exceptions=True
    )
    assert [result.code for result in results if isinstance(result, Refused)] == ["not-away"]


def while_it_thinks(
    tables: Tables, monkeypatch: pytest.MonkeyPatch, act: Callable[[], Awaitable[object]]
) -> None:
    """Has something happen between an agent's being asked and its answer."""
    choose = tables._agents._thinkers.choose

    async def slowly(*thought: Any) -> Any:
        move = await choose(*thought)
        await act()
        return move

    monkeypatch.setattr(tables._agents._thinkers, "choose", slowly)


async def test_somebody_who_comes_back_while_an_agent_thinks_plays_themselves(
    tables: Tables, presses: Presses, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await leave(tables, await match_of(tables, ANA, BEN, first=0), ANA)
    while_it_thinks(tables, monkeypatch, lambda: come_back(tables, table, ANA))
    await tables.agent_turn(table.id)
    after = await tables.get(table.id)
    assert (after.sequence, after.seat_of(ANA)) == (0, 0)
    assert AGENT not in await jobs_of(tables, table)
    assert (await presses.move(table)).sequence == 1


async def test_a_match_that_pauses_while_an_agent_thinks_stays_paused(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await leave(tables, await match_of(tables, ANA, BEN, first=0), ANA)
    while_it_thinks(tables, monkeypatch, lambda: leave(tables, table, BEN))
    await tables.agent_turn(table.id)
    after = await tables.get(table.id)
    assert (after.sequence, after.status) == (0, "paused")
