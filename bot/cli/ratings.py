"""`digsite ratings`: computes all ratings again from the stored results, and compares or replaces them."""

from __future__ import annotations

import argparse
import asyncio
from typing import NamedTuple

from bot.cli.cogs import LoadCogs
from bot.clock import SystemClock
from bot.settings import Settings
from bot.store.backends import backend_of
from bot.store.results import recomputed
from bot.store.store import Store


class Comparison(NamedTuple):
    """The numbers of rated matches and of their seats, and the number of seats whose ratings differ."""

    matches: int
    seats: int
    wrong: int


def command(settings: Settings, chosen: argparse.Namespace, _load_cogs: LoadCogs) -> int:
    """Compares the ratings, and with `--write` replaces those that differ. Returns the exit status."""
    found = asyncio.run(compare(settings, write=chosen.write))
    print(
        f"Rated matches: {found.matches}. Seats in them: {found.seats}. Seats whose ratings differ: {found.wrong}."
    )
    if found.wrong:
        print("They are replaced." if chosen.write else "Nothing was changed; `--write` replaces them.")
    return 0 if not found.wrong or chosen.write else 1


async def compare(settings: Settings, *, write: bool) -> Comparison:
    """Computes all ratings again; replaces those that differ if `write`. Raises `StoreError`, `StoreInUse`."""
    store = backend_of(settings).store(SystemClock())
    await store.open()
    try:
        return await compare_in(store, write=write)
    finally:
        await store.close()


async def compare_in(store: Store, *, write: bool) -> Comparison:
    """Computes all ratings in an open store again."""
    matches = seats = different = 0
    for guild in await store.results.rated_guilds():
        rows = await store.results.rated_of(guild)
        wrong = recomputed(rows)
        matches += len({row.number for row in rows})
        seats += len(rows)
        different += len(wrong)
        if write and wrong:
            await store.results.set_ratings(wrong)
    return Comparison(matches, seats, different)
