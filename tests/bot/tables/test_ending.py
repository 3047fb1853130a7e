"""The people who may end a match before its end: a manager, a host who is alone, or all who are there together."""

from __future__ import annotations

from bot.tables import ending
from bot.tables.model import DAY, HOUR, Table
from bot.tables.service import Tables
from tests.bot.tables.samples import (
    ANA,
    BEN,
    CARA,
    DAN,
    EVE,
    Presses,
    change,
    come_back,
    events_of,
    jobs_of,
    later,
    leave,
    match_of,
    refused,
)
from tests.manual_clock import ManualClock


async def end(tables: Tables, table: Table, person: int, *, manages: bool = False) -> Table:
    return await change(tables, table, lambda draft: ending.end(draft, person, manages=manages))


async def test_who_manages_the_channel_ends_a_match_at_once(tables: Tables) -> None:
    table = await end(tables, await match_of(tables, ANA, BEN), EVE, manages=True)
    assert (table.status, table.body.ending, table.ended_at) == ("abandoned", "manager", tables.clock.now())
    assert await jobs_of(tables, table) == {}
    assert (await events_of(tables, table))[-1] == "abandoned"


async def test_a_manager_of_the_channel_ends_no_match_of_their_own(tables: Tables) -> None:
    table = await end(tables, await match_of(tables, ANA, BEN), ANA, manages=True)
    assert table.status == "playing"
    assert (await end(tables, table, BEN)).status == "abandoned", "both agree"


async def test_the_host_ends_it_while_no_other_person_is_seated(tables: Tables) -> None:
    table = await match_of(tables, ANA, agents=2)
    table = await end(tables, table, ANA)
    assert (table.status, table.body.ending) == ("abandoned", "host")


async def test_absent_people_are_not_counted(tables: Tables, clock: ManualClock, presses: Presses) -> None:
    table = await match_of(tables, ANA, BEN, CARA, limit=HOUR, first=0)
    while not table.seats[0].away:
        table = await later(tables, clock, HOUR, table)
        await presses.turn(table)
        table = await presses.turn(table)
    table = await end(tables, table, BEN)
    assert table.status == "playing"
    assert (await end(tables, table, CARA)).status == "abandoned"


async def test_without_a_limit_who_lets_the_reminder_go_by_for_a_day_is_not_counted(
    tables: Tables, clock: ManualClock
) -> None:
    table = await match_of(tables, ANA, BEN, CARA, limit=None, first=0)
    await end(tables, table, BEN)
    table = await later(tables, clock, DAY, table)
    assert table.body.asked[0].reminded
    table = await end(tables, table, CARA)
    table = await later(tables, clock, DAY - 1, table)
    assert (table.status, ending.undecided(table)) == ("playing", [0])
    table = await later(tables, clock, 1, table)
    assert (table.status, table.body.ending) == ("abandoned", "agreed")


async def test_without_a_limit_a_single_action_is_a_sign_of_life(
    tables: Tables, clock: ManualClock, presses: Presses
) -> None:
    table = await match_of(tables, ANA, BEN, limit=None, first=0)
    table = await later(tables, clock, 2 * DAY, table)
    assert ending.undecided(table) == [1]
    before = table.body.asked[0].since
    table = await presses.move(table)
    assert table.body.asked[0].since == before, "it is the same turn; nobody is called anew"
    table = await end(tables, table, BEN)
    assert (table.status, ending.undecided(table)) == ("playing", [0])
    table = await later(tables, clock, 2 * DAY - 1, table)
    assert table.status == "playing"


async def test_without_a_limit_wishing_to_play_on_is_a_sign_of_life(
    tables: Tables, clock: ManualClock
) -> None:
    table = await match_of(tables, ANA, BEN, CARA, limit=None, first=0)
    table = await later(tables, clock, 2 * DAY, table)
    await end(tables, table, BEN)
    await change(tables, table, lambda draft: ending.play_on(draft, ANA))
    table = await end(tables, table, CARA)
    assert (table.status, ending.undecided(table)) == ("playing", [0])


async def test_without_a_limit_who_moves_again_is_counted_again(
    tables: Tables, clock: ManualClock, presses: Presses
) -> None:
    table = await match_of(tables, ANA, BEN, limit=None, first=0)
    table = await later(tables, clock, 2 * DAY, table)
    table = await presses.turn(table)
    table = await end(tables, table, BEN)
    assert (table.status, ending.undecided(table)) == ("playing", [0])


async def test_a_wish_to_end_can_be_taken_back(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN)
    await end(tables, table, ANA)
    for _press in range(2):
        table = await change(tables, table, lambda draft: ending.play_on(draft, ANA))
    assert await events_of(tables, table) == ["end-vote", "play-on"]
    table = await end(tables, table, BEN)
    assert (table.status, ending.undecided(table)) == ("playing", [0])
    assert await refused(change(tables, table, lambda draft: ending.play_on(draft, EVE))) == "not-seated"
    table = await end(tables, table, ANA)
    assert await refused(change(tables, table, lambda draft: ending.play_on(draft, ANA))) == "match-over"


async def test_in_a_paused_match_the_wish_of_one_who_sits_there_is_enough(
    tables: Tables, clock: ManualClock
) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR)
    while table.status == "playing":
        table = await later(tables, clock, HOUR, table)
    assert (await end(tables, table, BEN)).status == "abandoned"


async def test_if_the_only_one_against_it_leaves_the_others_have_agreed(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN, CARA)
    for person in (ANA, BEN):
        await end(tables, table, person)
    table = await leave(tables, table, CARA)
    assert (table.status, table.body.ending) == ("abandoned", "agreed")
    assert (await events_of(tables, table))[-2:] == ["left", "abandoned"]


async def test_if_the_only_one_against_it_goes_away_the_others_have_agreed(
    tables: Tables, clock: ManualClock
) -> None:
    table = await match_of(tables, ANA, BEN, limit=HOUR, first=0)
    table = await later(tables, clock, HOUR, table)
    table = await come_back_and_end(tables, clock, table)
    assert (table.status, table.body.ending) == ("abandoned", "agreed")


async def come_back_and_end(tables: Tables, clock: ManualClock, table: Table) -> Table:
    """Ana wishes to end; Ben lets two of his decisions pass, Ana none of hers."""
    presses = Presses(tables)
    await end(tables, table, ANA)
    while table.live and not table.seats[1].away:
        table = await tables.get(table.id)
        seat = table.game.pending(table.state)[0].seat
        if seat == 0:
            table = await presses.turn(table)
        else:
            table = await later(tables, clock, HOUR, table)
    return table


async def test_who_wished_to_end_and_left_does_not_count_any_more(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN, CARA)
    await end(tables, table, ANA)
    table = await leave(tables, table, ANA)
    assert table.body.end_votes == []
    table = await tables.take_over(table.id, DAN, "Dan", 0)
    for person in (BEN, CARA):
        table = await end(tables, table, person)
    assert table.status == "playing", "who took the seat over has not been asked"
    assert (await end(tables, table, DAN)).status == "abandoned"


async def test_a_match_that_everybody_left_is_not_agreed_upon(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN)
    await end(tables, table, ANA)
    await leave(tables, table, ANA)
    table = await leave(tables, table, BEN)
    assert table.status == "paused"
    assert (await come_back(tables, table, ANA)).status == "playing"
