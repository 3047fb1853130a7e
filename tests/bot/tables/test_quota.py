"""How many tables somebody may open, whatever they try."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from bot.store.store import Store
from bot.tables import ending, lobby
from bot.tables.absence import sleep, wake
from bot.tables.model import MINUTE, Seat, Table
from bot.tables.quota import Limits
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from tests.bot.store.samples import in_file
from tests.bot.tables.samples import ANA, BEN, CARA, GAME, change, leave, make_tables, match_of
from tests.manual_clock import ManualClock

FEW = Limits(per_person=5, per_server=8, new_per_person=0, new_per_server=0)
SLOW = Limits(new_per_person=3, new_per_server=5)


@pytest.fixture
async def store(path: Path, clock: ManualClock) -> AsyncIterator[Store]:
    opened = in_file(path, clock)
    await opened.open()
    yield opened
    await opened.close()


@pytest.fixture
def few(store: Store, clock: ManualClock) -> Tables:
    return make_tables(store, clock, quota=FEW)


@pytest.fixture
def slow(store: Store, clock: ManualClock) -> Tables:
    return make_tables(store, clock, quota=SLOW)


async def start(tables: Tables, person: int, channel: int, *, server: int = 1) -> Table:
    """The effect of `/GAME start` and Play Again. No channel has the id 0, so the first one here has another."""
    return await tables.open(
        lobby.NewTable(
            GAME,
            guild_id=server,
            channel_id=100 + channel,
            user_id=person,
            seats=[Seat("Somebody", person)],
            locale="en",
            limit=None,
        )
    )


async def refused(tables: Tables, person: int, channel: int, *, server: int = 1) -> Refused:
    with pytest.raises(Refused) as caught:
        await start(tables, person, channel, server=server)
    return caught.value


async def attempts(tables: Tables, *presses: tuple[int, int]) -> Counter[str]:
    """The result of a start by each of these people in each of these channels, all at once."""

    async def attempt(person: int, channel: int) -> str:
        try:
            await start(tables, person, channel)
        except Refused as refusal:
            return refusal.code
        return "opened"

    return Counter(await asyncio.gather(*(attempt(*press) for press in presses)))


# -- live tables


async def test_of_a_hundred_presses_at_once_in_as_many_channels_five_open_a_table(few: Tables) -> None:
    results = await attempts(few, *((ANA, channel) for channel in range(100)))
    assert results == {"opened": 5, "too-many-tables": 95}
    assert len(await few.store.live_tables()) == 5


async def test_a_server_has_room_for_so_many_whoever_opens_them(few: Tables) -> None:
    results = await attempts(few, *((person, person) for person in range(1, 101)))
    assert results == {"opened": 8, "too-many-tables-here": 92}
    await start(few, ANA, 500, server=2)


async def test_the_refusal_says_how_many_may_be_live(few: Tables) -> None:
    for channel in range(5):
        await start(few, ANA, channel)
    assert (await refused(few, ANA, 5)).facts == {"most": 5, "game": GAME.key}


async def test_a_table_that_has_ended_makes_room(few: Tables) -> None:
    tables = [await start(few, ANA, channel) for channel in range(5)]
    await change(few, tables[2], lambda draft: ending.end(draft, ANA, manages=False))
    await start(few, ANA, 2)
    assert (await refused(few, ANA, 5)).code == "too-many-tables"


async def test_handing_a_table_over_makes_no_room_for_more(few: Tables) -> None:
    for channel in range(5):
        table = await start(few, ANA, channel)
        await change(few, table, lambda draft: lobby.join(draft, BEN, "Ben"))
        await change(few, table, lambda draft: lobby.leave_lobby(draft, ANA))
        assert (await few.get(table.id)).body.host_id == BEN
    assert (await refused(few, ANA, 5)).code == "too-many-tables"
    await start(few, BEN, 5)


async def test_who_sits_at_other_peoples_tables_may_open_all_the_same(few: Tables) -> None:
    for channel in range(5):
        table = await match_of(few, CARA, ANA, channel=channel)
        await leave(few, table, CARA)
        assert (await few.get(table.id)).body.host_id == ANA
    own = await start(few, ANA, 5)
    assert own.body.host_id == ANA
    assert own.live


async def test_tables_that_sleep_do_not_count_for_who_opened_them(few: Tables) -> None:
    """The bot is not on that server any more: there is no way to end them."""
    tables = [await start(few, ANA, channel) for channel in range(5)]
    assert (await refused(few, ANA, 5, server=2)).code == "too-many-tables"
    await change(few, tables[0], sleep)
    await start(few, ANA, 5, server=2)
    await change(few, tables[0], wake)
    assert (await refused(few, ANA, 6, server=2)).code == "too-many-tables", "awake, it counts again"


async def test_a_table_whose_body_is_damaged_counts_and_stops_nobody(few: Tables, path: Path) -> None:
    tables = [await start(few, ANA, channel) for channel in range(4)]
    await few.rewrite(tables[0].id, lambda row: setattr(row, "body", "{"))
    await start(few, ANA, 5)
    assert (await refused(few, ANA, 6)).code == "too-many-tables"


async def test_live_tables_count_after_a_restart_too(few: Tables, clock: ManualClock) -> None:
    for channel in range(5):
        await start(few, ANA, channel)
    again = make_tables(few.store, clock, quota=FEW)
    assert (await refused(again, ANA, 5)).code == "too-many-tables"


async def test_a_taken_channel_is_told_before_any_limit(few: Tables) -> None:
    for channel in range(5):
        await start(few, ANA, channel)
    assert (await refused(few, ANA, 3)).code == "channel-taken"


async def test_without_limits_anybody_opens_as_many_as_they_like(store: Store, clock: ManualClock) -> None:
    tables = make_tables(store, clock)
    assert await attempts(tables, *((ANA, channel) for channel in range(50))) == {"opened": 50}


# -- new tables a minute


async def test_of_a_hundred_presses_at_once_no_more_come_through_than_a_minute_has_room_for(
    slow: Tables,
) -> None:
    assert await attempts(slow, *((ANA, channel) for channel in range(100))) == {"opened": 3, "too-fast": 97}
    assert await attempts(slow, *((person, person) for person in range(200, 300))) == {
        "opened": 2,
        "too-fast-here": 98,
    }


async def test_who_opens_and_ends_tables_is_held_up_too_and_told_until_when(
    slow: Tables, clock: ManualClock
) -> None:
    began = clock.now()
    for channel in range(3):
        table = await start(slow, ANA, channel)
        await change(slow, table, lambda draft: ending.end(draft, ANA, manages=False))
        clock.advance(5)
    assert (await refused(slow, ANA, 3)).facts == {"most": 3, "again": began + MINUTE}
    clock.advance(MINUTE - 15)
    await start(slow, ANA, 3)
    assert (await refused(slow, ANA, 4)).facts["again"] == began + 5 + MINUTE


async def test_the_time_that_is_told_is_the_one_that_people_are_shown(
    slow: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The machine's time was set forward by an hour since the program began; Discord shows the right one."""
    monkeypatch.setattr(clock, "correction", 3600.0)
    for channel in range(3):
        await start(slow, ANA, channel)
    assert (await refused(slow, ANA, 3)).facts["again"] == clock.now() + MINUTE + 3600


async def test_what_is_refused_does_not_count(slow: Tables) -> None:
    await start(slow, BEN, 1)
    for _ in range(10):
        assert (await refused(slow, ANA, 1)).code == "channel-taken"
    for channel in (2, 3, 4):
        await start(slow, ANA, channel)


async def test_openings_are_remembered_for_a_minute_only(slow: Tables, clock: ManualClock) -> None:
    for person in range(1, 50):
        await start(slow, person, person, server=person)
        clock.advance(10)
    for lately in (slow._quota._of_person, slow._quota._of_server):
        assert len(lately._times) <= 7
