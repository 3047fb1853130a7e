"""Time limits, what own actions add to them, when somebody is reminded, and the alarms by which tables keep this."""

from __future__ import annotations

from itertools import count
from random import Random

import pytest

from bot.tables.deadlines import LEAST_LEFT
from bot.tables.draft import AGENT, ALARM, Draft
from bot.tables.model import DAY, HOUR, MINUTE, TURN_LIMITS, Table
from bot.tables.service import Tables
from engine.expedition.rules import ExpeditionOptions
from engine.expedition.state import ExpeditionState
from tests.bot.tables.samples import (
    ANA,
    BEN,
    CARA,
    EXPEDITION,
    Presses,
    acting,
    asked,
    do_due,
    events_of,
    jobs_of,
    later,
    make_tables,
    match_of,
    sell,
    stage,
    time_left,
)
from tests.cogs.archaeology_family.crafted import craft
from tests.manual_clock import ManualClock


async def storm(tables: Tables, limit: int | None) -> Table:
    """A match in which Ben and Cara are to choose what they lose to the Sandstorm that Ana met; Ben is asked."""
    table = await match_of(tables, ANA, BEN, CARA, limit=limit)
    hands = [{"coin": 1}, {"coin": 4}, {"map": 4}]
    return await stage(
        tables, table, craft(hands, site=["pot_shard"] * 6, phase="sandstorm", asked=1, queue=[2])
    )


# -- limits


@pytest.mark.parametrize("limit", [limit for limit in TURN_LIMITS.values() if limit])
async def test_a_turn_may_take_as_long_as_the_limit_says(
    tables: Tables, clock: ManualClock, limit: int
) -> None:
    table = await match_of(tables, ANA, BEN, limit=limit, first=0)
    assert time_left(table, 0, clock) == limit
    table = await later(tables, clock, limit - 1, table)
    assert await events_of(tables, table) == []
    table = await later(tables, clock, 1, table)
    assert await events_of(tables, table) == ["missed"]
    assert table.sequence >= 1, "an agent has played what was due"


async def test_without_a_limit_nobody_is_hurried(tables: Tables, clock: ManualClock) -> None:
    table = await match_of(tables, ANA, BEN, limit=None, first=0)
    assert list(await jobs_of(tables, table)) == [ALARM]
    table = await later(tables, clock, 365 * DAY, table)
    assert (table.sequence, table.status) == (0, "playing")
    assert await events_of(tables, table) == []


async def test_without_a_limit_one_reminder_comes_after_a_day(
    tables: Tables, clock: ManualClock, presses: Presses
) -> None:
    table = await match_of(tables, ANA, BEN, limit=None, first=0)
    table = await later(tables, clock, DAY - 1, table)
    assert not table.body.asked[0].reminded
    table = await later(tables, clock, 1, table)
    assert table.body.asked[0].reminded
    table = await later(tables, clock, DAY, table)
    assert ALARM not in await jobs_of(tables, table), "nothing more comes of time alone"
    table = await presses.turn(table)
    assert not table.body.asked[1].reminded
    assert ALARM in await jobs_of(tables, table)


@pytest.mark.parametrize(
    ("limit", "quarter"), [(5 * MINUTE, 2 * MINUTE), (HOUR, 15 * MINUTE), (DAY, 6 * HOUR)]
)
async def test_in_a_sandstorm_the_limit_is_a_quarter_and_at_least_two_minutes(
    tables: Tables, clock: ManualClock, presses: Presses, limit: int, quarter: int
) -> None:
    table = await storm(tables, limit)
    assert time_left(table, 1, clock) == quarter
    clock.advance(60)
    table = await presses.move(table)
    assert asked(table) == 2
    assert time_left(table, 2, clock) == quarter, "it runs from the moment a seat is asked"


async def test_after_the_sandstorm_the_turn_has_its_whole_limit(
    tables: Tables, clock: ManualClock, presses: Presses
) -> None:
    table = await storm(tables, HOUR)
    await presses.move(table)
    table = await presses.move(table)
    assert asked(table) == 0
    assert time_left(table, 0, clock) == HOUR


async def test_a_decision_out_of_turn_does_not_shorten_the_turn_that_goes_on(
    tables: Tables, clock: ManualClock, presses: Presses
) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR)
    hands = [{"coin": 4}, {"coin": 1}]
    state = craft(hands, site=["coin"] * 3, phase="sandstorm", asked=0)
    table = await stage(tables, table, state)
    assert time_left(table, 0, clock) == 15 * MINUTE
    clock.advance(60)
    table = await presses.move(table)
    assert (asked(table), time_left(table, 0, clock)) == (0, HOUR - 60)


def state_of_the_mine() -> ExpeditionState:
    """A position in which the Mine asks whether to go on."""
    for seed in count():
        state, rng = EXPEDITION.new(2, ExpeditionOptions(monument="mine"), bytes(32)), Random(seed)
        while waiting := EXPEDITION.pending(state):
            if waiting[0].kind == "mine":
                return state
            EXPEDITION.apply(state, waiting[0].seat, EXPEDITION.sample(state, waiting[0].seat, rng))
    raise AssertionError


@pytest.mark.parametrize("seed", range(6))
async def test_within_a_turn_no_decision_has_less_time_than_was_left_before_it(
    tables: Tables, clock: ManualClock, seed: int
) -> None:
    """The Tomb's and the Mine's choices have a quarter of the limit, and come in the middle of a turn."""
    table = await match_of(tables, ANA, BEN, limit=HOUR, game=EXPEDITION)
    monument = ExpeditionOptions(monument=("mine", "tomb")[seed % 2])
    table = await stage(tables, table, EXPEDITION.new(2, monument, bytes([seed]) * 32))
    rng, presses, short = Random(seed), Presses(tables, seed), 0
    while table.status == "playing":
        before = table.body.asked[seat := asked(table)]
        assert before.deadline is not None
        clock.advance(rng.random() ** 0.2 * (before.deadline - clock.now()))  # most people are late
        table = await presses.move(table)
        after = table.body.asked.get(seat)
        if after is not None and after.since == before.since:
            assert after.deadline is not None
            assert after.deadline >= before.deadline
            assert after.deadline - clock.now() >= min(LEAST_LEFT, before.at + 2 * before.limit - clock.now())
            short += table.game.pending(table.state)[0].kind in ("keep", "mine")
    assert short


async def test_what_a_monument_asks_anew_has_a_quarter_of_the_limit(
    tables: Tables, clock: ManualClock
) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR, game=EXPEDITION)
    table = await stage(tables, table, state_of_the_mine())
    assert time_left(table, asked(table), clock) == 15 * MINUTE


# -- own actions


async def test_an_own_action_leaves_at_least_two_minutes(
    tables: Tables, clock: ManualClock, presses: Presses
) -> None:
    table = await acting(tables, 5 * MINUTE)
    clock.advance(60)
    table = await sell(tables, presses, table)
    assert time_left(table, 0, clock) == 4 * MINUTE, "there was more"
    clock.advance(4 * MINUTE - 10)
    table = await sell(tables, presses, table)
    assert time_left(table, 0, clock) == LEAST_LEFT == 2 * MINUTE


async def test_own_actions_lengthen_a_turn_to_twice_the_limit_and_no_further(
    tables: Tables, clock: ManualClock, presses: Presses
) -> None:
    table = await acting(tables, 5 * MINUTE)
    begun = clock.now()
    for _ in range(9):
        clock.advance(min(100.0, table.body.asked[0].deadline - clock.now() - 1))  # type: ignore[operator]
        table = await sell(tables, presses, table)
        assert table.body.asked[0].deadline <= begun + 10 * MINUTE  # type: ignore[operator]
    assert table.body.asked[0].deadline == begun + 10 * MINUTE
    table = await later(tables, clock, begun + 10 * MINUTE - clock.now(), table)
    assert await events_of(tables, table) == ["missed"]


async def test_a_substitutes_moves_lengthen_nothing(tables: Tables, clock: ManualClock) -> None:
    table = await acting(tables, 5 * MINUTE)
    tables = make_tables(tables.store, clock, agent_delay=(1, 1))
    deadline = table.body.asked[0].deadline
    table = await later(tables, clock, 5 * MINUTE, table)
    moves = table.sequence
    table = await later(tables, clock, 1, table)
    assert table.sequence == moves + 1
    assert asked(table) == 0, "the substitute goes on with the turn"
    assert table.body.asked[0].deadline == deadline


# -- the reminder


@pytest.mark.parametrize("limit", [5 * MINUTE, HOUR, DAY])
async def test_a_reminder_comes_at_three_quarters_of_the_limit(
    tables: Tables, clock: ManualClock, limit: int
) -> None:
    table = await match_of(tables, ANA, BEN, limit=limit, first=0)
    assert await jobs_of(tables, table) == {ALARM: clock.now() + limit * 3 / 4}
    table = await later(tables, clock, limit * 3 / 4 - 1, table)
    assert not table.body.asked[0].reminded
    table = await later(tables, clock, 1, table)
    assert table.body.asked[0].reminded
    assert await jobs_of(tables, table) == {ALARM: clock.now() + limit / 4}, "next is the limit itself"


async def test_in_a_sandstorm_of_two_minutes_the_reminder_comes_after_ninety_seconds(
    tables: Tables, clock: ManualClock
) -> None:
    table = await storm(tables, 5 * MINUTE)
    table = await later(tables, clock, 90, table)
    assert table.body.asked[1].reminded


async def test_who_moves_in_time_is_not_reminded_any_more_and_the_next_is_in_their_time(
    tables: Tables, clock: ManualClock, presses: Presses
) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    table = await later(tables, clock, 40 * MINUTE, table)
    table = await presses.turn(table)
    table = await later(tables, clock, 10 * MINUTE, table)
    assert not table.body.asked[asked(table)].reminded
    table = await later(tables, clock, 35 * MINUTE, table)
    assert table.body.asked[asked(table)].reminded


async def test_a_reminder_and_a_limit_that_are_both_overdue_are_one(
    tables: Tables, clock: ManualClock
) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    clock.advance(2 * HOUR)
    (alarm,) = [job for job in await tables.store.due(clock.now()) if job.kind == ALARM]
    await tables.do_job(alarm)
    table = await tables.get(table.id)
    assert (table.body.asked[0].substitute, table.body.asked[0].reminded) == (True, False)


async def test_moves_within_a_turn_leave_its_alarm_alone(
    tables: Tables, clock: ManualClock, presses: Presses
) -> None:
    table = await acting(tables, HOUR)
    before = [job for job in await tables.store.due(1e12) if job.kind == ALARM]
    await sell(tables, presses, table)
    assert [job for job in await tables.store.due(1e12) if job.kind == ALARM] == before


async def test_an_alarm_rings_at_its_time_however_often_the_host_was_down(tables: Tables) -> None:
    """Its time moves by every pause, and host time by all of them together: rounded, they differ by a hair."""
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    deadline = table.body.asked[0].deadline
    assert deadline is not None
    due, downtime, early = deadline, 0.0, 0
    for number in range(1, 300):
        due, downtime = due + 1000 / number, downtime + 1000 / number
        draft = Draft(table, due, downtime, float)
        early += draft.host_time < deadline
        assert draft.has_come(deadline)
        assert not draft.has_come(deadline + 1)
    assert early > 20, "or this proves nothing"


async def test_an_alarm_that_comes_too_early_is_set_again(tables: Tables, clock: ManualClock) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    (alarm,) = [job for job in await tables.store.due(1e12) if job.kind == ALARM]
    await tables.do_job(alarm)
    await tables.store.finish([alarm])
    assert await jobs_of(tables, table) == {ALARM: clock.now() + 45 * MINUTE}


async def test_a_job_done_twice_by_a_crash_between_its_change_and_its_end_is_harmless(
    tables: Tables, clock: ManualClock
) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    clock.advance(HOUR)
    jobs = [job for job in await tables.store.due(clock.now()) if job.kind == ALARM]
    for job in jobs * 3:
        await tables.do_job(job)
    table = await tables.get(table.id)
    assert table.seats[0].missed == 1
    agents = [job for job in await tables.store.due(clock.now()) if job.kind == AGENT]
    for job in agents * 2:
        await tables.do_job(job)
    await tables.store.finish([*jobs, *agents])
    await do_due(tables)
    assert asked(await tables.get(table.id)) == 1
