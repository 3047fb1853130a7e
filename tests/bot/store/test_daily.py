"""Daily deals and people's attempts in the store."""

from __future__ import annotations

import asyncio

import pytest

from bot.store.model import AlreadyTried, AttemptRow, Change, DealRow, TableRow
from bot.store.store import Store
from tests.bot.store.samples import NOW, a_table

ANA, BEN, CARA = 7, 8, 9
DAY = 20_000


async def tried(
    store: Store, user_id: int, day: int = DAY, *, guild: int = 10, score: int | None = None
) -> int:
    """The table of an attempt, which has ended if there is a score."""
    table = a_table(0)
    table.guild_id = guild
    row = await store.create(Change(table, attempt=(user_id, day, table.guild_id)))
    if score is not None:
        row.status, row.ended_at = "over", NOW
        await store.commit(Change(row, score=score))
    return row.id


async def test_a_day_keeps_its_first_deal(store: Store) -> None:
    first = DealRow(DAY, "archaeology", "5e" * 32, NOW)
    assert await store.daily.deal(DAY) is None
    assert await store.daily.seal(first) == first
    assert await store.daily.seal(DealRow(DAY, "expedition", "00" * 32, NOW + 1)) == first
    assert "5e5e" not in repr(first)


async def test_a_person_has_one_attempt_a_day_even_at_the_same_moment(store: Store) -> None:
    results = await asyncio.gather(*(tried(store, ANA, guild=g) for g in range(1, 6)), return_exceptions=True)
    assert [type(result) for result in results].count(AlreadyTried) == 4
    assert len(await store.live_tables()) == 1
    await tried(store, ANA, DAY + 1)
    await tried(store, BEN)
    with pytest.raises(AlreadyTried):
        await tried(store, BEN)


async def test_the_end_of_a_match_gives_the_attempt_its_score(store: Store) -> None:
    table = await tried(store, ANA)
    assert await store.daily.attempt_of(ANA, DAY) == AttemptRow(ANA, DAY, 10, table, None)
    row = await store.table(table)
    assert isinstance(row, TableRow)
    await store.commit(Change(row, score=41))
    assert await store.daily.attempt_of(ANA, DAY) == AttemptRow(ANA, DAY, 10, table, 41)
    assert await store.daily.attempt_of(ANA, DAY + 1) is None


async def test_board_of_a_day_is_a_servers_with_unfinished_attempts_last(store: Store) -> None:
    await tried(store, ANA, score=20)
    await tried(store, BEN)
    await tried(store, CARA, score=45)
    await tried(store, 99, guild=11, score=70)
    board = await store.daily.attempts_on(10, DAY)
    assert [(each.user_id, each.score) for each in board] == [(CARA, 45), (ANA, 20), (BEN, None)]
    await store.results.switch("person", CARA, on=False)
    assert [each.user_id for each in await store.daily.attempts_on(10, DAY)] == [ANA, BEN]


async def test_board_of_a_month_adds_up_the_finished_deals(store: Store) -> None:
    for day, score in ((DAY, 20), (DAY + 1, 30), (DAY + 40, 90)):
        await tried(store, ANA, day, score=score)
    await tried(store, BEN, score=60)
    await tried(store, CARA)
    board = await store.daily.month(10, DAY, DAY + 30)
    assert [tuple(each) for each in board] == [(BEN, 1, 60), (ANA, 2, 50)]
