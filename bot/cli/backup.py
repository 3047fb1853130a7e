"""`digsite backup`: copies the database to a file, or into a folder with a limited number of checked copies."""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

from bot.cli.check import check
from bot.cli.cogs import LoadCogs
from bot.clock import SystemClock
from bot.settings import Settings
from bot.store.backends import FileBackend, backend_of
from bot.store.model import StoreError
from bot.store.private_files import make_folders
from engine.registry import load_games

FOLDER: Final = "backups"
"""The default folder of backups, beside the database."""
NAMED: Final = "%Y-%m-%d-%H%M%S"
"""The time in a backup's name, in UTC, so that names sort by time."""


def command(settings: Settings, chosen: argparse.Namespace, _load_cogs: LoadCogs) -> int:
    """Copies the database, also while a bot runs: to a file, or with `keep` into a folder."""
    if chosen.keep is not None:
        return _rotate(settings, chosen.file, chosen.keep)
    if chosen.file is None:
        print("Name a file for the copy, or a number of copies to keep (--keep 14).", file=sys.stderr)
        return 2
    print(asyncio.run(backend_of(settings).backup(chosen.file)))
    return 0


def _rotate(settings: Settings, folder: Path | None, keep: int) -> int:
    done = asyncio.run(back_up(settings, folder, keep, SystemClock().now()))
    sound = ", checked and found sound" if done.sound else ""
    print(f"{done.made} is a consistent copy of {backend_of(settings)}{sound}.")
    for file in done.deleted:
        print(f"{file} was deleted; the newest {keep} are kept.")
    if not done.sound:
        print(done.said, file=sys.stderr)
    return 0 if done.sound else 1


@dataclass(frozen=True, slots=True)
class Rotated:
    """The result of a backup: the new file, whether it is sound, the check's report, and the deleted backups."""

    made: Path
    sound: bool
    said: str
    deleted: list[Path]


def backups_in(folder: Path, database: Path) -> list[Path]:
    """The backups of a database in a folder, oldest first, without other files."""
    named = re.compile(rf"{re.escape(database.stem)}-\d{{4}}-\d\d-\d\d-\d{{6}}\.sqlite3")
    return sorted(file for file in folder.iterdir() if named.fullmatch(file.name) and file.is_file())


async def back_up(settings: Settings, folder: Path | None, keep: int, now: float) -> Rotated:
    """Writes a backup (an SQLite file) into the folder, and deletes the oldest ones beyond `keep`.

    Deletes nothing if the backup failed or contains a damaged table, because an older backup may contain the table
    intact. A table that this version cannot read is not damaged. Raises `StoreError`, `BadData`.
    """
    database = settings.database_path
    folder = folder if folder is not None else database.parent / FOLDER
    made = folder / f"{database.stem}-{datetime.fromtimestamp(now, UTC).strftime(NAMED)}.sqlite3"
    try:
        make_folders(folder)
    except OSError as error:
        raise StoreError(f"The folder {folder} cannot be made ({error}). Nothing was written.") from error
    await backend_of(settings).backup(made)
    checked = await check(FileBackend(made), load_games(settings.card_lists))
    # Backups with a later time were made before the clock was set back, and are not deleted.
    older = [file for file in backups_in(folder, database) if file.name < made.name]
    surplus = len(older) - (keep - 1)
    deleted = older[:surplus] if surplus > 0 and not checked.damaged else []
    try:
        for file in deleted:
            file.unlink()
    except OSError as error:
        raise StoreError(f"{made} was made, but an older backup could not be deleted: {error}.") from error
    said = "\n".join(checked.lines)
    if checked.damaged:
        said += f"\nNo older backup in {folder} was deleted, because it may hold what is damaged here."
    return Rotated(made, checked.sound, said, deleted)
