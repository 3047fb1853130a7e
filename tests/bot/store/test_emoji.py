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
    assert await store.emoji.all() == []
    await store.emoji.keep([MAP, COIN])
    assert await store.emoji.all() == [COIN, MAP]
    await store.close()
    again = home.store(clock)
    await again.open()
    assert await again.emoji.all() == [COIN, MAP]
    await again.close()


async def test_stored_emoji_replaces_one_of_the_same_name(store: Store) -> None:
    await store.emoji.keep([COIN, MAP])
    newer = EmojiRow(COIN.name, "other", 8)
    await store.emoji.keep([newer])
    assert await store.emoji.all() == [newer, MAP]


async def test_dropping_an_emoji_deletes_only_that_one(store: Store) -> None:
    await store.emoji.keep([COIN, MAP])
    await store.emoji.drop([COIN.name, "never_there"])
    assert await store.emoji.all() == [MAP]


async def test_keeping_and_dropping_nothing_changes_nothing(store: Store) -> None:
    await store.emoji.keep([COIN])
    await store.emoji.keep([])
    await store.emoji.drop([])
    assert await store.emoji.all() == [COIN]
