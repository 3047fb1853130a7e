"""`digsite check`: looks through a store, also while a bot has it open, and says in sentences what it finds."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path

from bot.settings import Settings
from bot.store.places import FilePlace, Place, Snapshot, place_of
from bot.tables.model import read_table
from engine.errors import BadData
from engine.game import AnyGame
from engine.registry import load_games


def check_command(settings: Settings, file: Path | None) -> int:
    """Checks the store, or a file. Returns 0 if all is well and 1 if it is not."""
    place = FilePlace(file) if file else place_of(settings)
    checked = asyncio.run(check(place, load_games(settings.card_lists)))
    print("\n".join(checked.lines))
    return 0 if checked.sound else 1


class Checked:
    """What was found: sentences for people, and whether all is well."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.sound = True

    def found(self, line: str) -> None:
        self.lines.append(line)

    def fault(self, line: str) -> None:
        self.lines.append(line)
        self.sound = False


async def check(place: Place, games: Mapping[str, AnyGame]) -> Checked:
    """Checks the store at this place, and that its live tables can be read with these games. Changes nothing.

    Raises `StoreError` if it is missing or unreadable, is not Digsite's, or is from a newer version.
    """
    checked = Checked()
    async with place.reading(current=False) as store:
        layout = await store.layout()
        flaws = await store.flaws()
        if flaws:
            checked.fault(f"{place} is damaged:")
            checked.lines += [f"  {flaw}" for flaw in flaws]
            checked.found(place.remedy)
        else:
            checked.found(f"{place} is sound.")
        if layout == 0:
            checked.fault("It is empty: it holds no tables, and nothing of Digsite's at all.")
            return checked
        later = "" if layout == place.latest else f"; the next start brings it to {place.latest}"
        checked.found(f"It has layout {layout}{later}.")
        counts = await store.by_status()
        named = ", ".join(f"{status}: {count}" for status, count in sorted(counts.items()))
        checked.found(f"Tables in all: {sum(counts.values())}{f' ({named})' if named else ''}.")
        if layout == place.latest:
            await _check_live_tables(store, games, checked)
    return checked


async def _check_live_tables(store: Snapshot, games: Mapping[str, AnyGame], checked: Checked) -> None:
    read = 0
    for short in await store.live_tables():
        row = await store.table(short.id)
        if row is None:
            continue
        try:
            if row.game not in games:
                raise BadData(f"this version has no game {row.game!r}")
            read_table(row, games[row.game])
        except BadData as error:
            checked.fault(
                f"Table {row.id} ({row.game}, {row.status}) cannot be read by this version: {error}."
            )
        else:
            read += 1
    checked.found(f"Live tables that this version can read: {read}.")
