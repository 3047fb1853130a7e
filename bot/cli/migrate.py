"""`digsite migrate`: applies pending migrations, as the bot does at its start."""

from __future__ import annotations

import argparse
import asyncio

from bot.cli.cogs import LoadCogs
from bot.clock import SystemClock
from bot.settings import Settings
from bot.store.backends import Backend, FileBackend, backend_of


def command(settings: Settings, _chosen: argparse.Namespace, _load_cogs: LoadCogs) -> int:
    """Applies pending migrations and prints the layouts."""
    print(asyncio.run(migrate(backend_of(settings))))
    return 0


async def migrate(place: Backend) -> str:
    """Applies pending migrations; returns a sentence about them. Raises `StoreError`.

    If nothing is pending, the store is only read, so bots may have it open. Bots of an older version may run on if the
    pending migrations only add to the layout.
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


async def _layout_of(place: Backend) -> int:
    """The number of the last migration applied; 0 without a store."""
    if isinstance(place, FileBackend) and not place.path.is_file():
        return 0
    async with place.reading(current=False) as store:
        return await store.layout()
