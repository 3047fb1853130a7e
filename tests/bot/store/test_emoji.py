"""The stored data of the application's emoji."""

from __future__ import annotations

from bot.store.model import EmojiRow
from bot.store.store import Store
from tests.bot.store.samples import Home
from tests.manual_clock import ManualClock

COIN = EmojiRow("coin_0a1b2c3d", "0a1b2c3d4e5f", 1_456_074_443_980_800_021)
MAP = EmojiRow("map_99999999", "9999999999", 7)


async def test_uploaded_emoji_are_stored_by_name_and_survive_a_restart(
    store: Store, home: Home, clock: ManualClock
) -> None:
    assert await store.emoji() == []
    await store.keep_emoji([MAP, COIN])
    assert await store.emoji() == [COIN, MAP]
    await store.close()
    again = home.store(clock)
    await again.open()
    assert await again.emoji() == [COIN, MAP]
    await again.close()


async def test_stored_emoji_replaces_one_of_the_same_name(store: Store) -> None:
    await store.keep_emoji([COIN, MAP])
    newer = EmojiRow(COIN.name, "other", 8)
    await store.keep_emoji([newer])
    assert await store.emoji() == [newer, MAP]


async def test_dropping_an_emoji_deletes_only_that_one(store: Store) -> None:
    await store.keep_emoji([COIN, MAP])
    await store.drop_emoji([COIN.name, "never_there"])
    assert await store.emoji() == [MAP]


async def test_keeping_and_dropping_nothing_changes_nothing(store: Store) -> None:
    await store.keep_emoji([COIN])
    await store.keep_emoji([])
    await store.drop_emoji([])
    assert await store.emoji() == [COIN]
