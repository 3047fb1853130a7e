"""Before the match: people sit down and get up, the host seats agents, and somebody has to start it."""

from __future__ import annotations

import asyncio
import hashlib
from json import loads
from pathlib import Path

import pytest

from bot.tables import ending, lobby, seats
from bot.tables.draft import ALARM, REDRAW, Draft
from bot.tables.lobby import SEATS_KEPT
from bot.tables.model import DAY, HOUR, NO_SEAT, Seat, Table
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from engine.fairness import WORD_LENGTH, match_key
from tests.bot.tables.samples import (
    ANA,
    BEN,
    CARA,
    DAN,
    EVE,
    EXPEDITION,
    GAME,
    begin,
    change,
    do_due,
    jobs_of,
    later,
    match_of,
    open_lobby,
    refused,
    tables_on,
)
from tests.manual_clock import ManualClock


async def join(tables: Tables, table: Table, person: int) -> Table:
    return await change(tables, table, lambda draft: lobby.join(draft, person, f"Player {person}"))


async def leave(tables: Tables, table: Table, person: int) -> Table:
    return await change(tables, table, lambda draft: lobby.leave_lobby(draft, person))


def sitting(table: Table) -> list[int | None]:
    return [seat.user_id for seat in table.seats]


# -- sitting down


async def test_people_sit_down_in_the_order_in_which_they_come(tables: Tables) -> None:
    table = await open_lobby(tables, ANA)
    await join(tables, table, BEN)
    assert sitting(await join(tables, table, CARA)) == [ANA, BEN, CARA]
    assert await tables.store.seat_of(table.id, CARA) == NO_SEAT


async def test_of_a_hundred_people_who_join_at_once_as_many_get_in_as_there_are_seats(tables: Tables) -> None:
    table = await open_lobby(tables, ANA)
    people = range(1, 101)
    results = await asyncio.gather(
        *(join(tables, table, person) for person in people), return_exceptions=True
    )
    refusals = [result for result in results if isinstance(result, Refused)]
    assert {refusal.code for refusal in refusals} == {"table-full"}
    assert len(refusals) == 100 - (GAME.max_seats - 1)
    table = await tables.get(table.id)
    assert len(set(sitting(table))) == GAME.max_seats
    assert [row.id for row in await tables.store.tables_of(100)] == []


async def test_nobody_sits_down_twice_though_the_press_is_delivered_twice(tables: Tables) -> None:
    table = await open_lobby(tables, ANA)
    results = await asyncio.gather(*(join(tables, table, BEN) for _ in range(2)), return_exceptions=True)
    assert [result.code for result in results if isinstance(result, Refused)] == ["already-joined"]
    assert sitting(await tables.get(table.id)) == [ANA, BEN]


async def test_a_lobby_closed_in_the_meantime_takes_nobody(tables: Tables) -> None:
    table = await open_lobby(tables, ANA)
    await leave(tables, table, ANA)
    assert await refused(join(tables, table, BEN)) == "lobby-over"
    started = await match_of(tables, ANA, BEN)
    assert await refused(join(tables, started, CARA)) == "started"


# -- one table a channel


async def test_a_channel_holds_one_live_table(tables: Tables) -> None:
    table = await open_lobby(tables, ANA)
    with pytest.raises(Refused) as caught:
        await open_lobby(tables, BEN)
    assert caught.value.code == "channel-taken"
    assert caught.value.facts["table"] == await tables.get(table.id)
    await leave(tables, table, ANA)
    assert (await open_lobby(tables, BEN)).id != table.id


async def test_of_many_who_open_a_table_in_one_channel_at_once_one_does(tables: Tables) -> None:
    results = await asyncio.gather(
        *(open_lobby(tables, person) for person in range(1, 30)), return_exceptions=True
    )
    assert len([result for result in results if isinstance(result, Table)]) == 1
    assert {result.code for result in results if isinstance(result, Refused)} == {"channel-taken"}


# -- hosting


async def test_if_the_host_gets_up_the_next_seat_hosts(tables: Tables) -> None:
    table = await open_lobby(tables, ANA, BEN, CARA)
    table = await leave(tables, table, ANA)
    assert table.body.host_id == BEN
    await join(tables, table, DAN)
    await leave(tables, table, CARA)
    assert (await leave(tables, table, BEN)).body.host_id == DAN


async def test_the_next_seat_is_the_one_after_the_hosts_around_the_table(tables: Tables) -> None:
    table = await open_lobby(tables, ANA, BEN, CARA)
    await change(tables, table, lambda draft: setattr(draft.table.body, "host_id", BEN) or draft.touch())
    assert (await leave(tables, table, BEN)).body.host_id == CARA
    assert (await leave(tables, table, CARA)).body.host_id == ANA


async def test_somebody_else_who_gets_up_leaves_the_host_in_place(tables: Tables) -> None:
    table = await open_lobby(tables, ANA, BEN, CARA)
    table = await leave(tables, table, BEN)
    assert table.body.host_id == ANA
    assert await refused(leave(tables, table, BEN)) == "not-joined"


async def test_an_empty_lobby_closes_even_if_agents_sit_in_it(tables: Tables) -> None:
    table = await open_lobby(tables, ANA, agents=2)
    table = await leave(tables, table, ANA)
    assert (table.status, table.body.ending) == ("abandoned", "lobby-empty")
    assert table.ended_at == tables.clock.now()
    assert await jobs_of(tables, table) == {}


async def test_only_the_host_seats_agents_sends_them_away_and_starts(tables: Tables) -> None:
    table = await open_lobby(tables, ANA, BEN)
    for act in (
        lambda draft: lobby.set_agents(draft, BEN, ["novice"]),
        lambda draft: lobby.freeze(draft, BEN),
    ):
        assert await refused(change(tables, table, act)) == "host-only"
    assert (await tables.get(table.id)).version == table.version


# -- agents


async def test_agents_have_names_of_their_own_whatever_people_are_called(tables: Tables) -> None:
    table = await tables.open(
        lobby.NewTable(
            GAME,
            guild_id=1,
            channel_id=1,
            user_id=ANA,
            seats=[Seat("Amelia", ANA)],
            locale="en",
            limit=None,
            agents=3,
        )
    )
    names = [seat.name for seat in table.seats]
    assert len(set(names)) == 4
    assert [seat.agent for seat in table.seats] == [None, "novice", "novice", "novice"]


def test_names_do_not_run_out() -> None:
    seats = [Seat(name, number) for number, name in enumerate(lobby.AGENT_NAMES)]
    table = lobby.new_table(lobby.NewTable(GAME, 1, 1, 0, seats, "en", None), now=0)
    table.body.seats += [Seat("Someone", agent="novice")]
    again, _guests = lobby.play_again(table, 0, lobby.AGENT_NAMES[0])
    assert [seat.name for seat in again][1] not in lobby.AGENT_NAMES


def test_playing_again_no_agent_bears_the_name_of_a_person_who_sits_after_it() -> None:
    seats = [Seat("Ana", ANA), Seat("Amelia", agent="novice"), Seat("Amelia", BEN), Seat("Boris", CARA)]
    table = lobby.new_table(lobby.NewTable(GAME, 1, 1, ANA, seats, "en", None), now=0)
    again, guests = lobby.play_again(table, ANA, "Ana")
    assert [seat.name for seat in again] == ["Ana", "Cleo"], "the people who are asked keep their names"
    assert guests == [BEN, CARA]


async def test_agents_are_replaced_by_as_many_as_are_wanted(tables: Tables) -> None:
    table = await open_lobby(tables, ANA, agents=2)
    table = await join(tables, table, BEN)
    first = table.seats[1].name
    table = await change(tables, table, lambda draft: lobby.set_agents(draft, ANA, ["veteran"]))
    assert [seat.name for seat in table.seats] == ["Ana", first, f"Player {BEN}"]
    assert table.seats[1].agent == "veteran"


async def test_no_agent_is_seated_at_a_full_table_or_of_a_level_there_is_not(tables: Tables) -> None:
    table, every = await open_lobby(tables, ANA), ["novice"] * GAME.max_seats
    assert await refused(change(tables, table, lambda d: lobby.set_agents(d, ANA, every))) == "table-full"
    assert await refused(change(tables, table, lambda d: lobby.set_agents(d, ANA, ["wizard"]))) == "unknown"


async def test_playing_again_seats_the_presser_and_the_agents_and_asks_the_others(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN, CARA, agents=1)
    table = await change(tables, table, lambda draft: seats.leave(draft, BEN))
    again, guests = lobby.play_again(table, CARA, "Cara")
    assert [(seat.user_id, seat.agent) for seat in again] == [(CARA, None), (None, "novice")]
    assert guests == [ANA], "who left is not asked, but may press it too"
    for person, may in ((ANA, True), (BEN, True), (DAN, False)):
        sat = await tables.store.seat_of(table.id, person)
        assert lobby.may_play_again(table, person, sat) is may


async def test_who_only_looked_in_at_the_lobby_may_not_play_again(tables: Tables) -> None:
    table = await open_lobby(tables, ANA, BEN, CARA)
    await leave(tables, table, CARA)
    table = await begin(tables, table)
    assert not lobby.may_play_again(table, CARA, await tables.store.seat_of(table.id, CARA))


# -- settings


async def test_the_host_alone_sets_the_turn_limit_and_the_options_until_the_start(tables: Tables) -> None:
    table = await open_lobby(tables, ANA, BEN, game=EXPEDITION)
    table = await change(tables, table, lambda draft: lobby.set_limit(draft, ANA, HOUR))
    table = await change(tables, table, lambda draft: lobby.set_option(draft, ANA, "monument", "tomb"))
    assert (table.body.limit, table.body.options) == (HOUR, {"monument": "tomb"})
    assert await refused(change(tables, table, lambda d: lobby.set_limit(d, BEN, None))) == "host-only"
    assert await refused(change(tables, table, lambda d: lobby.set_limit(d, ANA, 7))) == "unknown"
    for name, value in (("monument", "tower"), ("colour", "red")):
        draft = change(tables, table, lambda d, n=name, v=value: lobby.set_option(d, ANA, n, v))
        assert await refused(draft) == "unknown"
    table = await change(tables, table, lambda draft: lobby.set_option(draft, ANA, "monument", None))
    assert table.body.options == {}
    await change(tables, table, lambda draft: lobby.freeze(draft, ANA))
    assert await refused(change(tables, table, lambda d: lobby.set_limit(d, ANA, None))) == "settings-late"
    table = await change(tables, table, lambda draft: lobby.begin(draft, 7))
    late = change(tables, table, lambda d: lobby.set_option(d, ANA, "monument", "tomb"))
    assert await refused(late) == "settings-late"
    assert (await tables.get(table.id)).body.options == {}


async def test_a_setting_that_changes_nothing_writes_nothing(tables: Tables) -> None:
    table = await open_lobby(tables, ANA, game=EXPEDITION)
    same = await change(tables, table, lambda draft: lobby.set_limit(draft, ANA, DAY))
    same = await change(tables, same, lambda draft: lobby.set_option(draft, ANA, "monument", None))
    assert same.version == table.version
    assert await tables.store.log(table.id) == []


async def test_changed_settings_outlive_a_restart_stand_in_the_log_and_hold_in_the_match(
    tables: Tables, path: Path, clock: ManualClock
) -> None:
    table = await open_lobby(tables, ANA, BEN, game=EXPEDITION)
    await change(tables, table, lambda draft: lobby.set_limit(draft, ANA, HOUR))
    await change(tables, table, lambda draft: lobby.set_option(draft, ANA, "monument", "tomb"))
    await tables.store.close()
    async with tables_on(path, clock) as others:
        table = await begin(others, table)
        assert (table.body.limit, table.state.monument) == (HOUR, "tomb")
        events = [loads(row.event) for row in await others.store.log(table.id) if row.source == "table"]
    assert [(event["kind"], event["facts"]) for event in events] == [
        ("limit-set", {"limit": HOUR}),
        ("option-set", {"name": "monument", "value": "tomb"}),
    ]


# -- time


async def test_a_lobby_that_nobody_starts_closes_after_a_day_and_says_so(
    tables: Tables, clock: ManualClock
) -> None:
    table = await open_lobby(tables, ANA)
    assert await jobs_of(tables, table) == {ALARM: clock.now() + 24 * HOUR}
    clock.advance(HOUR)
    await join(tables, table, BEN)
    table = await later(tables, clock, 23 * HOUR - 1, table)
    assert table.status == "lobby"
    clock.advance(1)
    (alarm,) = await tables.store.due(clock.now())
    await tables.do_job(alarm)
    table = await tables.get(table.id)
    assert (table.status, table.body.ending) == ("abandoned", "lobby-expired")
    assert [job.kind for job in await tables.store.due(clock.now())] == [REDRAW]


async def test_a_lobby_that_was_started_does_not_close(tables: Tables, clock: ManualClock) -> None:
    table = await match_of(tables, ANA, BEN, limit=None)
    table = await later(tables, clock, 2 * DAY, table)
    assert table.status == "playing"


# -- the start


async def test_a_match_needs_as_many_as_the_game_does(tables: Tables) -> None:
    table = await open_lobby(tables, ANA)
    assert await refused(begin(tables, table)) == "too-few"
    await change(tables, table, lambda draft: lobby.set_agents(draft, ANA, ["novice"]))
    table = await begin(tables, table)
    assert (table.status, table.sequence) == ("playing", 0)
    assert await refused(begin(tables, table)) == "started"


async def test_of_two_presses_on_start_one_starts(tables: Tables) -> None:
    table = await open_lobby(tables, ANA, BEN)
    results = await asyncio.gather(begin(tables, table), begin(tables, table), return_exceptions=True)
    assert [result.code for result in results if isinstance(result, Refused)] == ["started"]
    opening = [row for row in await tables.store.log(table.id) if row.source == "game"]
    assert len(opening) == 1


async def test_the_start_message_and_peoples_words_enter_the_matchs_key(tables: Tables) -> None:
    table = await open_lobby(tables, ANA, BEN)
    await change(tables, table, lambda draft: lobby.add_word(draft, BEN, "  " + "w" * 100))
    await change(tables, table, lambda draft: lobby.freeze(draft, ANA))
    table = await change(tables, table, lambda draft: lobby.begin(draft, 777))
    assert table.body.contributions == [("start", "777"), ("seat 2", "w" * WORD_LENGTH)]
    key = match_key(bytes.fromhex(table.body.host_seed), table.contributions)
    same = GAME.new(2, GAME.load_options({}), key)
    assert GAME.dump(same) == GAME.dump(table.state)


async def test_the_commitment_stands_before_anybody_joins_and_is_another_in_every_match(
    tables: Tables,
) -> None:
    seeds = [(await open_lobby(tables, ANA, channel=channel)).body.host_seed for channel in range(1, 6)]
    assert len({hashlib.sha256(bytes.fromhex(seed)).hexdigest() for seed in seeds}) == 5
    table = await tables.live_in(1)
    assert table is not None
    assert (await join(tables, table, BEN)).body.host_seed == seeds[0]


async def test_who_sat_down_before_the_match_has_their_seat_kept_at_its_start(tables: Tables) -> None:
    table = await open_lobby(tables, ANA, BEN, CARA)
    await leave(tables, table, BEN)
    table = await begin(tables, table)
    kept = [await tables.store.seat_of(table.id, person) for person in (ANA, BEN, CARA, DAN)]
    assert kept == [0, NO_SEAT, 1, None]


async def test_words_come_from_people_at_the_table_alone(tables: Tables) -> None:
    table = await open_lobby(tables, ANA, BEN)
    assert await refused(change(tables, table, lambda draft: lobby.add_word(draft, EVE, "x"))) == "not-joined"


# -- closing


async def test_the_host_or_a_manager_closes_a_lobby(tables: Tables) -> None:
    table = await open_lobby(tables, ANA, BEN)
    assert await refused(change(tables, table, lambda d: ending.end(d, BEN, manages=False))) == "host-only"
    table = await change(tables, table, lambda draft: ending.end(draft, ANA, manages=False))
    assert (table.status, table.body.ending) == ("abandoned", "lobby-closed")
    other = await open_lobby(tables, ANA, BEN)
    other = await change(tables, other, lambda draft: ending.end(draft, EVE, manages=True))
    assert other.body.ending == "manager"
    await do_due(tables)
    assert await refused(change(tables, other, lambda d: ending.end(d, EVE, manages=True))) == "match-over"


async def asking(tables: Tables, *guests: int) -> Table:
    """Ana's lobby for four, to which these people are asked."""
    table = await open_lobby(tables, ANA)

    def ask(draft: Draft) -> None:
        draft.table.body.guests = [*guests]
        draft.touch()

    return await change(tables, table, ask)


async def test_guest_who_declined_takes_no_seat_that_is_kept_for_another(tables: Tables) -> None:
    table = await asking(tables, BEN, CARA, DAN)
    await change(tables, table, lambda draft: lobby.decline(draft, BEN))
    await join(tables, table, EVE)
    assert await refused(join(tables, table, BEN)) == "seats-kept"
    await join(tables, table, CARA)
    table = await join(tables, table, DAN)
    assert [seat.user_id for seat in table.seats] == [ANA, EVE, CARA, DAN]


async def test_seats_are_kept_for_guests_who_never_answer_for_a_while_only(
    tables: Tables, clock: ManualClock
) -> None:
    table = await asking(tables, BEN, CARA, DAN)
    clock.advance(SEATS_KEPT - 1)
    assert await refused(join(tables, table, EVE)) == "seats-kept"
    clock.advance(1)
    table = await join(tables, table, EVE)
    assert [seat.user_id for seat in table.seats] == [ANA, EVE]
