"""Guests of lobbies: one rule decides whom a lobby notifies, and what is stored of it goes after a day."""

from __future__ import annotations

import asyncio
from itertools import pairwise
from pathlib import Path
from random import Random

from bot.store.model import Change, MatchResult, ResultPlayer, TableRow
from bot.store.store import Store
from tests.bot.store.bytes import snowflake, traces
from tests.bot.store.samples import a_table
from tests.manual_clock import ManualClock

ANA, BEN, CARA = 1_000_001, 1_000_002, 1_000_003
HOUR, DAY = 3600, 24 * 3600


async def asks(
    store: Store, *guests: int, by: int = ANA, channel: int | None = None, free: bool = True
) -> TableRow:
    """A lobby to which this person asks guests, who may be notified if they are `free`."""
    change = Change(a_table(channel or Random(by).randrange(1 << 40), status="lobby"))
    change.guests = [(guest, free) for guest in guests]
    return await store.create(change, opener_id=by)


async def closes(store: Store, row: TableRow, **other: object) -> None:
    row.status, row.ended_at = "abandoned", row.changed_at
    await store.commit(Change(row, **other))  # type: ignore[arg-type]


async def test_of_many_lobbies_at_once_one_notifies_a_person(store: Store) -> None:
    rows = await asyncio.gather(*(asks(store, BEN, CARA, by=by, channel=by) for by in range(1, 13)))
    notified = [await store.guests.notified(row.id) for row in rows]
    assert sorted(user for some in notified for user in some) == [BEN, CARA]


async def test_each_notification_without_a_seat_doubles_the_pause(store: Store, clock: ManualClock) -> None:
    begun, notified = clock.now(), list[int]()
    for minute in range(0, 24 * 60, 10):
        row = await asks(store, BEN, by=minute + 1)
        if await store.guests.notified(row.id):
            notified.append(minute // 60)
        await closes(store, row)
        clock.advance(600)
    assert notified == [0, 1, 3, 7, 15]
    assert clock.now() - begun == DAY


async def test_a_guest_who_joins_can_be_notified_of_the_next_lobby(store: Store) -> None:
    row = await asks(store, BEN)
    row.changed_at += 1
    await store.commit(Change(row, seated=[(BEN, -1)]))
    await closes(store, row)
    again = await asks(store, BEN)
    assert await store.guests.notified(again.id) == [BEN]


async def test_a_refusal_counts_from_its_own_time(store: Store, clock: ManualClock) -> None:
    row = await asks(store, BEN)
    clock.advance(50 * 60)
    row.changed_at = clock.now()
    await closes(store, row, declined=[BEN])
    clock.advance(30 * 60)
    soon = await asks(store, BEN, by=CARA)
    assert await store.guests.notified(soon.id) == []
    declined = await store.guests.declined_at(BEN, ANA)
    assert declined == row.changed_at
    assert await store.guests.declined_at(BEN, CARA) is None
    assert await store.guests.declined_at(ANA, BEN) is None


async def test_lobbies_that_ask_silently_lengthen_no_pause(store: Store) -> None:
    await asks(store, BEN, by=ANA, free=False)
    row = await asks(store, BEN, by=CARA)
    assert await store.guests.notified(row.id) == [BEN]


async def test_notifications_from_before_the_clock_was_set_back_do_not_count(
    store: Store, clock: ManualClock
) -> None:
    present = clock.now()
    clock.advance(400 * DAY)
    await asks(store, BEN)
    clock.set(present)
    row = await asks(store, BEN, by=CARA)
    assert await store.guests.notified(row.id) == [BEN]
    await store.guests.end_overdue()
    assert [each.asker_id for each in await store.guests.of_person(BEN)] == [CARA]


async def test_guests_are_stored_for_a_day_and_a_restart_keeps_them(store: Store, clock: ManualClock) -> None:
    row = await asks(store, BEN)
    clock.advance(DAY - 60)
    await store.close()
    await store.open()
    assert await store.guests.end_overdue() == 0
    [kept] = await store.guests.of_person(ANA)
    assert (kept.user_id, kept.table_id, kept.asker_id, kept.notified) == (BEN, row.id, ANA, True)
    clock.advance(60)
    assert await store.guests.end_overdue() == 1
    assert await store.guests.of_person(BEN) == []


async def test_people_have_played_together_by_seats_or_results_and_not_by_a_lobby(store: Store) -> None:
    row = await store.create(Change(a_table(1, status="lobby"), seated=[(ANA, -1), (BEN, -1)]))
    assert not await store.guests.have_played(ANA, BEN)
    players = tuple(
        ResultPlayer(seat, user, place, 8, None) for seat, (user, place) in enumerate(((ANA, 1), (BEN, 2)))
    )
    row.status, row.ended_at = "over", 1.0
    await store.commit(Change(row, seated=[(ANA, 0), (BEN, 1)], result=MatchResult(players, rated=True)))
    assert await store.guests.have_played(BEN, ANA)
    await store.purge(2.0)
    assert await store.guests.have_played(ANA, BEN), "the result outlives the match"
    assert not await store.guests.have_played(ANA, CARA)


async def test_an_asker_who_is_forgotten_leaves_the_pause_of_the_guest(store: Store) -> None:
    await asks(store, BEN, by=ANA)
    await store.guests.forget_person(ANA)
    assert await store.guests.of_person(ANA) == []
    again = await asks(store, BEN, by=CARA)
    assert await store.guests.notified(again.id) == []
    await store.guests.forget_person(BEN)
    assert await store.guests.of_person(BEN) == []


async def test_no_byte_of_forgotten_guests_is_left(file_store: Store, path: Path) -> None:
    people = [snowflake(number) for number in range(300)]
    Random(1).shuffle(people)
    for number, (one, other) in enumerate(pairwise(people)):
        change = Change(a_table(number + 1, status="lobby"), guests=[(other, True)])
        change.table.body = "{}"
        row = await file_store.create(change, opener_id=one)
        await file_store.forget(one, row.id)
    for user in people[:100]:
        await file_store.guests.forget_person(user)
    await file_store.wipe(within=5)
    assert not traces(path.parent, *people[:100])
    assert traces(path.parent, people[200])
