"""`digsite migrate` applies pending migrations, as the bot does at its start; `digsite move` transfers the store from a
file into a PostgreSQL database, or back into a new file.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path

from bot.cli.cogs import LoadCogs
from bot.clock import SystemClock
from bot.database_url import SCHEMES, faults_of
from bot.settings import Settings
from bot.store.backends import Backend, DatabaseBackend, FileBackend, backend_of
from bot.store.model import StoreError


def command(settings: Settings, chosen: argparse.Namespace, _load_cogs: LoadCogs) -> int:
    """Applies pending migrations, or transfers the store, and prints the result."""
    moves = chosen.command == "move"
    print(asyncio.run(move(settings, chosen.to) if moves else migrate(backend_of(settings))))
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


async def move(settings: Settings, target: str) -> str:
    """Transfers the store to `target`, a URL or a path; returns a sentence about it. Raises `StoreError`.

    No bot may have either side open. The source is left unchanged.
    """
    source = backend_of(settings)
    if target.partition("://")[0] in SCHEMES and "://" in target:
        return await _into_database(source, target)
    if "://" in target:
        raise StoreError(
            "The place to move to is neither a path nor a URL of postgresql://. Nothing was moved."
        )
    if not isinstance(source, DatabaseBackend):
        raise StoreError(
            f"Matches are kept in the file {source} already. To carry them out of a database, set DATABASE_URL. "
            "Nothing was moved."
        )
    from bot.store.transfer import to_file

    counts = await to_file(settings.database_url.get_secret_value(), Path(target), alone=True)
    return (
        f"{target} holds {_report(counts)}, compared row by row with {source}. To go on with the file, remove "
        f"DATABASE_URL, set DATABASE_PATH={target}, and start the bot. The database was left as it is; delete it once "
        "you are content."
    )


async def _into_database(source: object, url: str) -> str:
    if fault := faults_of(url):
        raise StoreError(f"The URL is wrong: {fault}. Nothing was moved.")
    if not isinstance(source, FileBackend):
        raise StoreError(
            f"Matches are kept in the database {source} already. Remove DATABASE_URL to carry those of a file into a "
            "database. Nothing was moved."
        )
    place = DatabaseBackend(url)
    from bot.store.transfer import to_database

    counts = await to_database(source.path, url)
    return (
        f"{place} holds {_report(counts)}, compared row by row with {source}. To go on with the database, set "
        "DATABASE_URL and start the bot. The file was left as it is; delete it and its companions once you are content."
    )


def _report(counts: dict[str, int]) -> str:
    return ", ".join(f"{counts[name]:,} {name}" for name in ("tables", "moves", "log"))
