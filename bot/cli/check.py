"""`digsite check`: checks a store, also while a bot has it open, and prints a report in sentences."""

from __future__ import annotations

import argparse
import asyncio
from collections.abc import Mapping
from typing import Final

from bot.cli.cogs import LoadCogs
from bot.settings import Settings
from bot.store.backends import Backend, FileBackend, backend_of
from bot.store.model import TableRow
from bot.store.store import StoreReader
from bot.tables.integrity import Unreplayable, faults_of
from bot.tables.model import read_table
from engine.errors import BadData
from engine.game import AnyGame
from engine.registry import load_games

CHANGED: Final = "The stored data of a damaged table was changed outside of Digsite, or by a failing disk."
_READ_BATCH_SIZE: Final = 100
"""Tables read per query."""


def command(settings: Settings, chosen: argparse.Namespace, _load_cogs: LoadCogs) -> int:
    """Checks the store, or a file. Returns 0 if it is sound, else 1."""
    place = FileBackend(chosen.file) if chosen.file else backend_of(settings)
    checked = asyncio.run(check(place, load_games(settings.card_lists), quick=chosen.quick))
    print("\n".join(checked.lines))
    return 0 if checked.sound else 1


class Checked:
    """The report of a check: sentences, whether the store is sound, and whether stored data is damaged."""

    def __init__(self) -> None:
        self.lines: list[str] = []
        self.sound = True
        self.damaged = False

    def fault(self, line: str) -> None:
        self.lines.append(line)
        self.sound = False


async def check(place: Backend, games: Mapping[str, AnyGame], *, quick: bool = False) -> Checked:
    """Checks the store as of one moment, without changing it.

    Live tables must be readable with these games. Unless `quick`, every readable table is replayed. Raises `StoreError`
    if the store is missing, unreadable, not Digsite's, or newer.
    """
    checked = Checked()
    async with place.reading(current=False) as store:
        layout = await store.layout()
        faults = await store.faults()
        if faults:
            checked.fault(f"{place} is damaged:")
            checked.damaged = True
            checked.lines += [f"  {flaw}" for flaw in faults]
            checked.lines.append(place.remedy)
        if layout == 0:
            checked.fault(f"{place} is empty: it holds no tables, and nothing of Digsite's at all.")
            return checked
        later = "" if layout == place.latest else f"; the next start brings it to {place.latest}"
        checked.lines.append(f"It has layout {layout}{later}.")
        counts = await store.by_status()
        parts = ", ".join(f"{status}: {count}" for status, count in sorted(counts.items()))
        checked.lines.append(f"Tables in all: {sum(counts.values())}{f' ({parts})' if parts else ''}.")
        if layout == place.latest:
            named = await _check_live_tables(store, games, checked)
            # A damaged database is not read row by row.
            if not quick and not faults:
                await _replay_tables(store, games, checked, named)
                if checked.damaged:
                    checked.lines.append(f"{CHANGED} {place.remedy}")
    if not faults:
        whole = (
            f"{place} is sound."
            if checked.sound
            else f"{place} can be read whole, but not all in it is well:"
        )
        checked.lines.insert(0, whole)
    return checked


async def _check_live_tables(store: StoreReader, games: Mapping[str, AnyGame], checked: Checked) -> set[int]:
    read, unread = 0, set[int]()
    for short in await store.live_tables():
        row = await store.table(short.id)
        if row is None:
            continue
        try:
            if row.game not in games:
                raise BadData(f"this version has no game {row.game!r}")
            read_table(row, games[row.game])
        except BadData as error:
            unread.add(row.id)
            checked.fault(f"{_named(row)} cannot be read by this version: {error}.")
        else:
            read += 1
    checked.lines.append(f"Live tables that this version can read: {read}.")
    return unread


async def _replay_tables(
    store: StoreReader, games: Mapping[str, AnyGame], checked: Checked, named: set[int]
) -> None:
    """Replays all readable tables, and reports damaged ones. Tables in `named` have been reported already."""
    replayed, left_out, after = 0, 0, 0
    while rows := await store.tables_after(after, _READ_BATCH_SIZE):
        after = rows[-1].id
        for row in rows:
            try:
                faults = faults_of(row, await store.moves(row.id), await store.log(row.id), games)
            except Unreplayable:
                left_out += 1
                continue
            checked.damaged = checked.damaged or bool(faults)
            if row.id in named:
                continue
            replayed += 1
            if faults:
                checked.fault(f"{_named(row)} is damaged: {'; '.join(faults)}.")
    others = f"; of another version or card list, and so not replayed: {left_out}" if left_out else ""
    checked.lines.append(f"Tables that were replayed: {replayed}{others}.")


def _named(row: TableRow) -> str:
    return f"Table {row.id} ({row.game}, {row.status})"
