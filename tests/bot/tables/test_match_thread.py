"""A table is stored before its match thread exists, and goes there once it does."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator

import pytest

from bot.observability.context import Operation, operation_scope
from bot.people.privacy.stored_data import forget
from bot.store.model import ChannelTaken, Repeated
from bot.tables.lobby import NewTable
from bot.tables.messages import MatchThread, Place
from bot.tables.model import Seat, Table, read_body, write_body
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from bot.tables.turns import OpenDecision
from tests.bot.store.samples import Home
from tests.bot.tables.samples import ANA, BEN, GAME, open_lobby, tables_on
from tests.manual_clock import ManualClock

PARENT, THREAD, PRESS = 3, 77, 999


@pytest.fixture
async def tables(home: Home, clock: ManualClock) -> AsyncIterator[Tables]:
    async with tables_on(home.place, clock) as opened:
        yield opened


async def open_at(tables: Tables, place: Place) -> Table:
    return await tables.open(
        NewTable(
            GAME,
            guild_id=1,
            channel_id=place.channel,
            user_id=ANA,
            seats=[Seat("Ana", ANA)],
            locale="en",
            limit=None,
            thread=place.match_thread,
        )
    )


async def go_to_thread(tables: Tables, table: Table) -> Table:
    async with tables.change(table.id) as draft:
        draft.table.channel_id = THREAD
        draft.table.body.thread = MatchThread(PARENT, opened=True, starter=THREAD)
        draft.touch()
    return draft.table


async def test_another_press_of_an_offer_opens_no_second_table_once_the_thread_is_open(
    tables: Tables,
) -> None:
    """At another process too: it has not seen the table yet."""
    offered = Place(PRESS, PARENT)
    with operation_scope(Operation("press", "thread", press=1001)):
        await go_to_thread(tables, await open_at(tables, offered))
    tables.cache.clear()
    with operation_scope(Operation("press", "thread", press=1002)), pytest.raises(Repeated):
        await open_at(tables, offered)


async def test_a_table_with_its_own_thread_opens_beside_a_match_in_the_channel(tables: Tables) -> None:
    await open_lobby(tables, BEN, channel=PARENT)
    with pytest.raises(Refused, match="channel-taken"):
        await open_at(tables, Place(PARENT))
    table = await open_at(tables, Place(PRESS, PARENT))
    assert (table.awaits_thread, table.shown_in) == (True, PARENT)
    table = await go_to_thread(tables, table)
    tables.cache.clear()
    found = await tables.live_in(THREAD)
    assert found is not None
    assert (found.id, found.awaits_thread, found.shown_in) == (table.id, False, THREAD)
    assert await tables.live_in(PRESS) is None


async def test_one_offer_opens_one_table_even_if_two_presses_do_not_know_of_each_other(
    tables: Tables,
) -> None:
    await open_at(tables, Place(PRESS, PARENT))
    with pytest.raises(Refused, match="channel-taken"):
        await open_at(tables, Place(PRESS, PARENT))


async def test_the_offer_is_deleted_with_what_is_known_of_a_person(tables: Tables) -> None:
    table = await open_at(tables, Place(PRESS, PARENT))
    await go_to_thread(tables, table)
    async with tables.change(table.id) as draft:
        draft.table.body.thread = MatchThread(PARENT, opened=True, starter=THREAD, offer=PRESS)
        draft.touch()
    await forget(tables, ANA)
    row = await tables.store.table(table.id)
    assert row is not None
    assert json.loads(row.body)["thread"]["offer"] == 0


async def test_a_thread_in_which_somebody_has_opened_a_table_is_left_to_them(tables: Tables) -> None:
    table = await open_at(tables, Place(PRESS, PARENT))
    other = await open_lobby(tables, BEN, channel=THREAD)
    with pytest.raises(ChannelTaken):
        await go_to_thread(tables, table)
    assert (await tables.get(table.id)).awaits_thread
    found = await tables.live_in(THREAD)
    assert found is not None
    assert found.id == other.id


async def test_a_change_of_a_draft_does_not_show_before_it_is_stored(tables: Tables) -> None:
    table = await go_to_thread(tables, await open_at(tables, Place(PRESS, PARENT)))
    draft = table.draft()
    assert draft.body.thread is not None
    draft.body.thread.archived = True
    assert table.body.thread is not None
    assert not table.body.thread.archived


async def test_stored_bodies_keep_the_names_of_earlier_versions(tables: Tables) -> None:
    table = await open_at(tables, Place(PRESS, PARENT))
    table.body.asked = {0: OpenDecision(1.0, None, substitute=True)}
    text = write_body(table.body)
    stored = json.loads(text)
    assert stored["asked"]["0"]["stand_in"]
    assert read_body(text) == table.body
