"""Wishes that a killed process left reserved for a lobby, and who may be seated."""

from __future__ import annotations

from collections.abc import AsyncIterator

import pytest

from bot.store.model import Conflict, Wish
from bot.tables import matchmaking
from bot.tables.ending import close_lobby
from bot.tables.matchmaking import NOT_POSTED, UNPOSTED, Pairing
from bot.tables.messages import Place
from bot.tables.model import Table
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from tests.bot.store.samples import Home
from tests.bot.tables.samples import ANA, BEN, CARA, NAMES, tables_on
from tests.manual_clock import ManualClock

GUILD, CHANNEL = 10, 3


@pytest.fixture
async def tables(home: Home, clock: ManualClock) -> AsyncIterator[Tables]:
    async with tables_on(home.place, clock) as opened:
        yield opened


async def ask(tables: Tables, *people: int) -> tuple[Wish, ...]:
    for user in people:
        await matchmaking.ask(tables, Wish(GUILD, user, 10 * user, CHANNEL, None, None, "now", 0.0, 0.0))
    return tuple(each.wish for each in await tables.store.wishes.candidates(GUILD))


async def seated(tables: Tables, wishes: tuple[Wish, ...], channel: int = CHANNEL) -> Table:
    return await matchmaking.seat(
        tables, Pairing("archaeology", wishes), NAMES, wishes[-1].user_id, Place(channel), "en"
    )


async def waiting(tables: Tables) -> list[int]:
    found = await matchmaking.candidates(tables, GUILD)
    return [each.wish.user_id for each in found if matchmaking.may_be_seated(tables, each)]


async def test_the_host_sits_first_and_a_wish_gets_one_lobby(tables: Tables) -> None:
    wishes = await ask(tables, ANA, BEN)
    table = await seated(tables, wishes)
    assert [seat.user_id for seat in table.seats] == [BEN, ANA]
    assert (table.body.host_id, table.matched(), table.expected()) == (BEN, [BEN, ANA], [])
    with pytest.raises(Conflict):
        await seated(tables, wishes, channel=4)
    assert await tables.store.live_table(4) is None


async def test_people_of_a_lobby_that_was_closed_wait_again(tables: Tables) -> None:
    table = await seated(tables, await ask(tables, ANA, BEN))
    assert await waiting(tables) == [], "the lobby may still be on its way"
    async with tables.change(table.id) as draft:
        close_lobby(draft, NOT_POSTED)
    assert await waiting(tables) == [ANA, BEN]


async def test_people_of_a_lobby_that_is_not_posted_in_time_wait_again(
    tables: Tables, clock: ManualClock
) -> None:
    table = await seated(tables, await ask(tables, ANA, BEN))
    clock.advance(UNPOSTED - 1)
    assert await waiting(tables) == []
    clock.advance(1)
    assert await waiting(tables) == [ANA, BEN]
    assert (await tables.get(table.id)).body.ending == NOT_POSTED


async def test_people_of_a_lobby_that_was_posted_wait_no_more(tables: Tables) -> None:
    table = await seated(tables, await ask(tables, ANA, BEN))
    async with tables.change(table.id) as draft:
        draft.table.body.messages.lobby = 99
        draft.touch()
    assert await waiting(tables) == []
    assert await tables.store.wishes.of_person(ANA) == []


async def test_people_of_a_lobby_that_is_gone_wait_again(tables: Tables) -> None:
    table = await seated(tables, await ask(tables, ANA, BEN))
    async with tables.change(table.id) as draft:
        close_lobby(draft, NOT_POSTED)
    assert await tables.store.purge(tables.clock.now() + 1) == 1
    tables.cache.drop(table.id)
    assert await waiting(tables) == [ANA, BEN]


async def test_a_lobby_that_is_refused_leaves_everybody_waiting(tables: Tables) -> None:
    await seated(tables, await ask(tables, ANA, BEN))
    wishes = tuple(each for each in await ask(tables, CARA) if each.table_id is None)
    with pytest.raises(Refused):
        await seated(tables, wishes)
    assert await waiting(tables) == [CARA]
