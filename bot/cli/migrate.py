"""`digsite migrate`: brings the layout of the store up to date, as the bot does when it starts, and ends."""

from __future__ import annotations

import asyncio

from bot.clock import SystemClock
from bot.settings import Settings
from bot.store.places import FilePlace, Place, place_of


def migrate_command(settings: Settings) -> int:
    """Brings the layout up to date and prints what it was and is."""
    print(asyncio.run(migrate(place_of(settings))))
    return 0


async def migrate(place: Place) -> str:
    """Brings the layout up to date; returns a sentence about it. Raises `StoreError` if it cannot be changed now.

    A store whose layout is up to date is only read, so that bots may have it open. So may processes of an older
    version, if the new layout only adds something.
    """
    before = await _layout_of(place)
    if before >= place.latest:
        return f"{place} has layout {before} already. Nothing was changed."
    store = place.store(SystemClock(), shared=True)
    await store.open()
    await store.close()
    after = await _layout_of(place)
    return (
        f"{place} was brought from layout {before} to {after}."
        if before
        else f"{place} was made with layout {after}."
    )


async def _layout_of(place: Place) -> int:
    """The number of the last migration that was applied to the store; 0 if there is none yet."""
    if isinstance(place, FilePlace) and not place.path.is_file():
        return 0
    async with place.reading(current=False) as store:
        return await store.layout()
