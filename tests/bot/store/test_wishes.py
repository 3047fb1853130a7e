"""Wishes for a match: one a person on a server, each fulfilled by one lobby at most, and the numbers they leave."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from bot.store.model import Change, ChannelTaken, Conflict, Repeated, StoreError, TableLimits, TableRow, Wish
from bot.store.repository import StoreLimits
from bot.store.store import Store
from tests.bot.store.bytes import snowflake, traces
from tests.bot.store.samples import Home, a_table, in_database
from tests.bot.store.test_results import end
from tests.manual_clock import ManualClock

ANA, BEN, CARA = 1_000_001, 1_000_002, 1_000_003
GUILD = 10


@pytest.fixture
def limits() -> StoreLimits:
    return StoreLimits(waits=3)


async def wished(store: Store, clock: ManualClock, user: int, number: int, **other: object) -> Wish:
    """A wish that is stored and lasts for 100 seconds."""
    now = clock.now()
    wish = Wish(GUILD, user, number, 5, None, None, "now", now, now + 100)
    wish = replace(wish, **other)  # type: ignore[arg-type]
    await store.wishes.put(wish)
    return wish


async def lobby(store: Store, channel: int, wishes: Sequence[int], **options: object) -> TableRow:
    change = Change(a_table(channel, status="lobby"), wishes=wishes)
    return await store.create(change, **options)  # type: ignore[arg-type]


async def waiting(store: Store) -> list[Wish]:
    return [each.wish for each in await store.wishes.candidates(GUILD) if each.wish.table_id is None]


async def test_a_wish_is_read_as_it_was_stored_and_replaced_by_the_next(
    store: Store, clock: ManualClock
) -> None:
    ana = await wished(store, clock, ANA, 1, game="archaeology", seats=3, mode="mail")
    elsewhere = await wished(store, clock, ANA, 2, guild_id=11)
    clock.advance(1)
    ben = await wished(store, clock, BEN, 3)
    assert await waiting(store) == [ana, ben]
    assert await store.wishes.of_person(ANA) == [ana, elsewhere]
    again = await wished(store, clock, ANA, 4)
    assert await waiting(store) == [ben, again]


async def test_a_repeated_command_stores_nothing(store: Store, clock: ManualClock) -> None:
    await wished(store, clock, ANA, 1)
    await store.wishes.withdraw(GUILD, [1])
    with pytest.raises(Repeated):
        await wished(store, clock, ANA, 1)
    assert await waiting(store) == []


async def test_a_lobby_takes_its_wishes_and_no_other_lobby_gets_them(
    store: Store, clock: ManualClock
) -> None:
    for number, user in enumerate((ANA, BEN, CARA), 1):
        await wished(store, clock, user, number)
    first = await lobby(store, 1, [1, 2])
    assert [wish.user_id for wish in await waiting(store)] == [CARA]
    with pytest.raises(Conflict):
        await lobby(store, 2, [2, 3])
    assert await store.live_table(2) is None, "nothing of a refused lobby is kept"
    assert [wish.user_id for wish in await waiting(store)] == [CARA]
    assert await store.wishes.withdraw(GUILD, [1]) == 0, "a wish with a lobby does not wait any more"
    await store.wishes.release(first.id)
    assert [wish.user_id for wish in await waiting(store)] == [ANA, BEN, CARA]
    second = await lobby(store, 3, [3, 2])
    await store.wishes.fulfil(second.id)
    assert [wish.user_id for wish in await waiting(store)] == [ANA]
    assert await store.wishes.of_person(BEN) == []


async def test_a_lobby_that_is_refused_takes_no_wish(store: Store, clock: ManualClock) -> None:
    await wished(store, clock, ANA, 1)
    await wished(store, clock, BEN, 2)
    await lobby(store, 1, [])
    with pytest.raises(ChannelTaken):
        await lobby(store, 1, [1, 2])
    with pytest.raises(StoreError):
        await lobby(store, 2, [1, 2], opener_id=ANA, limits=TableLimits(of_guild=1))
    assert len(await waiting(store)) == 2


async def test_of_many_lobbies_at_once_each_person_gets_one(store: Store, clock: ManualClock) -> None:
    for number in range(1, 9):
        await wished(store, clock, 1000 + number, number)
    pairs = [(one, other) for one in range(1, 9) for other in range(one + 1, 9)]
    made = await asyncio.gather(
        *(lobby(store, channel, pair) for channel, pair in enumerate(pairs)), return_exceptions=True
    )
    rows = [each for each in made if isinstance(each, TableRow)]
    assert {type(each) for each in made} == {TableRow, Conflict}
    assert len(rows) == 4
    assert await waiting(store) == []


async def test_two_processes_seat_nobody_twice(clock: ManualClock) -> None:
    from tests.bot.postgres import server

    running = server()
    url = running.url(await running.database())
    stores = [in_database(url, clock) for _process in range(2)]
    for store in stores:
        await store.open()
    try:
        for number, user in enumerate((ANA, BEN, CARA), 1):
            await wished(stores[0], clock, user, number)
        tries = [(stores[0], [1, 2]), (stores[1], [2, 3]), (stores[1], [3, 1]), (stores[0], [1, 2, 3])]
        made = await asyncio.gather(
            *(lobby(store, channel, wishes) for channel, (store, wishes) in enumerate(tries)),
            return_exceptions=True,
        )
        assert sorted(type(each).__name__ for each in made) == ["Conflict"] * 3 + ["TableRow"]
    finally:
        for store in stores:
            await store.close()


async def test_wishes_end_and_a_restart_keeps_those_that_have_not(
    store: Store, home: Home, clock: ManualClock
) -> None:
    await wished(store, clock, ANA, 1)
    ben = await wished(store, clock, BEN, 2, ends=clock.now() + 200)
    clock.advance(100)
    assert await waiting(store) == [ben]
    assert await store.wishes.end_overdue() == 1
    assert await store.wishes.of_person(ANA) == []
    await store.close()
    again = home.store(clock)
    await again.open()
    assert await waiting(again) == [ben]
    await again.close()


async def test_waits_are_those_of_the_first_person_and_only_the_last_are_stored(
    store: Store, clock: ManualClock
) -> None:
    for number in range(5):
        await wished(store, clock, ANA, 10 * number + 1)
        clock.advance(10 + number)
        await wished(store, clock, BEN, 10 * number + 2)
        row = await lobby(store, number, [10 * number + 1, 10 * number + 2])
        await store.wishes.fulfil(row.id)
        await store.wishes.fulfil(row.id)
    assert sorted(await store.wishes.waits(GUILD, "now")) == [12, 13, 14]
    assert await store.wishes.waits(GUILD, "mail") == []


async def test_candidates_have_their_ratings_of_this_season_and_their_tables(
    store: Store, clock: ManualClock
) -> None:
    await end(store, {ANA: 1, BEN: 2})
    await end(store, {BEN: 1, ANA: 2}, game="artifact")
    await end(store, {ANA: 1, BEN: 2}, guild=11)
    await end(store, {ANA: 1, CARA: 2})
    await wished(store, clock, ANA, 1)
    await wished(store, clock, CARA, 2)
    await lobby(store, 50, [], opener_id=CARA)
    ana, cara = await store.wishes.candidates(GUILD)
    standings = {
        each.user_id: each.rating for each in await store.results.leaderboard(GUILD, "archaeology", 1)
    }
    assert {*ana.ratings} == {"archaeology", "artifact"}
    assert ana.ratings["archaeology"] == standings[ANA]
    assert cara.ratings == {"archaeology": standings[CARA]}
    assert (ana.opened, cara.opened) == (0, 1)
    assert await store.wishes.opened_by(CARA) == 1
    await store.results.switch("person", CARA, on=False)
    assert [each.ratings for each in await store.wishes.candidates(GUILD)] == [ana.ratings, {}]
    await store.results.begin_season(GUILD, 1, clock.now())
    assert [each.ratings for each in await store.wishes.candidates(GUILD)] == [{}, {}]


async def test_people_and_servers_are_forgotten(store: Store, clock: ManualClock) -> None:
    await wished(store, clock, ANA, 1)
    await wished(store, clock, BEN, 2)
    await wished(store, clock, ANA, 3, guild_id=11)
    await wished(store, clock, CARA, 4, guild_id=11)
    await store.wishes.fulfil((await lobby(store, 1, [1, 2])).id)
    assert await store.wishes.guilds() == [GUILD, 11]
    await store.wishes.forget_person(ANA)
    assert await store.wishes.of_person(ANA) == []
    await store.wishes.forget_guild(GUILD)
    assert await store.wishes.guilds() == [11]
    assert len(await store.wishes.of_person(CARA)) == 1


async def test_no_byte_of_forgotten_wishes_is_left(file_store: Store, path: Path, clock: ManualClock) -> None:
    people = [snowflake(number) for number in range(300)]
    Random(1).shuffle(people)
    for number, user in enumerate(people):
        await wished(file_store, clock, user, snowflake(1000 + number))
    for user in people[:100]:
        await file_store.wishes.forget_person(user)
    await file_store.wipe(within=5)
    assert not traces(path.parent, *people[:100])
    assert traces(path.parent, people[100])
