"""People who let their time pass: agents play for them, and a match that nobody is there to play pauses for a week."""

from __future__ import annotations

from bot.tables.absence import played_by_agent
from bot.tables.draft import AGENT, ALARM
from bot.tables.model import DAY, HOUR, Table
from bot.tables.service import Tables
from engine.archaeology_family import moves as m
from tests.bot.tables.samples import (
    ANA,
    BEN,
    CARA,
    Presses,
    asked,
    come_back,
    events_of,
    jobs_of,
    later,
    leave,
    make_tables,
    match_of,
    refused,
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


async def deserted(tables: Tables, clock: ManualClock) -> Table:
    """A match whose two people have each missed two decisions."""
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    for _ in range(4):
        assert table.status == "playing"
        table = await later(tables, clock, HOUR, table)
    return table


async def test_a_match_pauses_once_every_person_has_missed_two_decisions(
    tables: Tables, clock: ManualClock
) -> None:
    table = await deserted(tables, clock)
    assert table.status == "paused"
    assert await events_of(tables, table) == ["missed", "missed", "away", "away", "paused"]
    assert all(seat.away and seat.user_id is not None for seat in table.seats)


async def test_one_person_who_is_there_is_enough_to_go_on(
    tables: Tables, clock: ManualClock, presses: Presses
) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    for _ in range(5):
        table = await later(tables, clock, HOUR, table)
        table = await presses.turn(table)
    assert table.status == "playing"
    assert table.seats[0].away


async def test_a_match_pauses_when_no_person_holds_a_seat(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN, agents=1, first=2)
    table = await leave(tables, table, ANA)
    assert table.status == "playing"
    table = await leave(tables, table, BEN)
    assert table.status == "paused"


async def test_a_match_pauses_when_the_last_who_is_there_leaves(tables: Tables, clock: ManualClock) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    for _ in range(3):
        table = await later(tables, clock, HOUR, table)
    assert [seat.away for seat in table.seats] == [True, False]
    assert (await leave(tables, table, BEN)).status == "paused"


async def test_in_a_pause_no_agent_moves_and_nothing_but_the_week_runs(
    tables: Tables, clock: ManualClock
) -> None:
    table = await deserted(tables, clock)
    assert await jobs_of(tables, table) == {ALARM: clock.now() + 7 * DAY}
    moves = table.sequence
    await tables.agent_turn(table.id)
    table = await later(tables, clock, 6 * DAY, table)
    assert (table.sequence, table.status) == (moves, "paused")


async def test_nobody_moves_in_a_pause(tables: Tables, clock: ManualClock) -> None:
    table = await deserted(tables, clock)
    person = (ANA, BEN)[asked(table)]
    assert await refused(tables.play(table.id, person, None, m.Dig(), 1)) == "paused"


async def test_im_back_resumes_it_and_everybodys_time_begins_anew(
    tables: Tables, clock: ManualClock, presses: Presses
) -> None:
    table = await deserted(tables, clock)
    clock.advance(3 * DAY)
    person = (ANA, BEN)[asked(table)]
    table = await come_back(tables, table, person)
    assert table.status == "playing"
    assert table.body.asked[asked(table)].deadline == clock.now() + HOUR
    assert table.body.expires is None
    assert (await presses.move(table)).sequence == table.sequence + 1
    assert await refused(come_back(tables, table, person)) == "not-away"


async def test_if_the_other_one_is_back_the_agent_plays_for_who_is_not(
    tables: Tables, clock: ManualClock
) -> None:
    table = await deserted(tables, clock)
    other = (BEN, ANA)[asked(table)]
    table = await come_back(tables, table, other)
    table = await later(tables, clock, 0, table)
    assert table.seats[asked(table)].user_id == other


async def test_who_left_and_who_is_new_resume_it_too(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN)
    await leave(tables, table, ANA)
    table = await leave(tables, table, BEN)
    assert (await come_back(tables, table, BEN)).status == "playing"
    table = await leave(tables, table, BEN)
    assert table.status == "paused"
    assert (await tables.take_over(table.id, CARA, "Cara", 0)).status == "playing"


async def test_after_seven_days_it_is_abandoned(tables: Tables, clock: ManualClock) -> None:
    table = await deserted(tables, clock)
    table = await later(tables, clock, 7 * DAY - 1, table)
    assert table.status == "paused"
    table = await later(tables, clock, 1, table)
    assert (table.status, table.body.ending, table.ended_at) == ("abandoned", "pause-expired", clock.now())
    assert await jobs_of(tables, table) == {}
    assert await refused(come_back(tables, table, ANA)) == "match-over"


async def test_a_pause_that_ended_does_not_count_for_the_next(tables: Tables, clock: ManualClock) -> None:
    table = await leave(tables, await match_of(tables, ANA, agents=1), ANA)
    (old,) = [job for job in await tables.store.due(1e12) if job.kind == ALARM]
    table = await later(tables, clock, 6 * DAY, table)
    table = await come_back(tables, table, ANA)
    clock.advance(DAY)
    table = await leave(tables, table, ANA)
    await tables.do_job(old)  # it was picked up just before she came back
    table = await tables.get(table.id)
    assert table.status == "paused"
    assert await jobs_of(tables, table) == {ALARM: clock.now() + 7 * DAY}


async def test_with_a_substitute_about_to_move_the_pause_comes_first(
    tables: Tables, clock: ManualClock
) -> None:
    tables = make_tables(tables.store, clock, agent_delay=(2, 2))
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    await leave(tables, table, ANA)
    table = await leave(tables, table, BEN)
    table = await later(tables, clock, 60, table)
    assert (table.status, table.sequence) == ("paused", 0)
