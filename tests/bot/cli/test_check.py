"""`digsite check`: says in sentences what is in a file and what is wrong with it, even while a bot writes to it."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

import pytest

from bot.cli.check import Checked, check
from bot.store.backends import FileBackend
from bot.store.migrate import scripts
from bot.store.model import StoreError
from bot.store.sqlite.engine import backup_file
from bot.tables import ending
from engine.game import AnyGame
from engine.registry import load_games
from tests.bot.cli.test_command_line import command
from tests.bot.store.samples import damage
from tests.bot.tables.samples import ANA, BEN, Presses, change, match_of, open_lobby, tables_on
from tests.manual_clock import ManualClock

GAMES = load_games()


@pytest.fixture
async def file(path: Path, clock: ManualClock) -> Path:
    """A match, a lobby and a lobby that was closed; nobody has the file open."""
    async with tables_on(path, clock) as tables:
        table = await match_of(tables, ANA, BEN, channel=1)
        for _ in range(20):
            table = await Presses(tables).move(table)
        await open_lobby(tables, ANA, channel=2)
        closed = await open_lobby(tables, BEN, channel=3)
        await change(tables, closed, lambda draft: ending.end(draft, BEN, manages=False))
    return path


def check_file(path: Path, games: Mapping[str, AnyGame]) -> Checked:
    return asyncio.run(check(FileBackend(path), games))


def altered(path: Path, *statements: str) -> Checked:
    """The findings of the check after the file was changed without the store."""
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for statement in statements:
            connection.execute(statement)
    return check_file(path, GAMES)


def test_a_sound_file_is_reported_with_its_layout_and_its_tables(file: Path) -> None:
    checked = check_file(file, GAMES)
    assert checked.sound
    assert checked.lines == [
        f"{file} is sound.",
        f"It has layout {len(scripts('sqlite'))}.",
        "Tables in all: 3 (abandoned: 1, lobby: 1, playing: 1).",
        "Live tables that this version can read: 2.",
        "Tables that were replayed: 3.",
    ]


def test_checking_changes_nothing(file: Path) -> None:
    before, names = file.read_bytes(), sorted(file.parent.iterdir())
    check_file(file, GAMES)
    assert file.read_bytes() == before
    assert [
        name for name in sorted(file.parent.iterdir()) if not name.name.endswith(("-wal", "-shm"))
    ] == names


async def test_a_file_in_use_is_checked_with_all_that_was_acknowledged(
    path: Path, clock: ManualClock
) -> None:
    async with tables_on(path, clock) as tables:
        table = await match_of(tables, ANA, BEN)
        done = command(path.parent, "check", environment={"DATABASE_PATH": str(path)})
        assert done.returncode == 0, done.stderr
        assert "playing: 1" in done.stdout
        await Presses(tables).move(table)


@pytest.mark.system
def test_a_backup_can_be_checked_by_its_name(file: Path) -> None:
    copy = file.with_name("copy.sqlite3")
    backup_file(file, copy)
    done = command(file.parent, "check", copy.name)
    assert done.returncode == 0, done.stderr
    assert f"{copy.name} is sound." in done.stdout


@pytest.mark.system
@pytest.mark.parametrize("table", ["log", "one_move_a_part"])
def test_damage_is_reported_and_the_status_shows_it(file: Path, table: str) -> None:
    damage(file, table)
    done = command(file.parent, "check", environment={"DATABASE_PATH": str(file)})
    assert done.returncode == 1, done.stderr
    assert f"{file} is damaged:" in done.stdout
    assert "Restore a backup" in done.stdout
    assert "Traceback" not in done.stderr


def test_orphaned_rows_are_damage(file: Path) -> None:
    checked = altered(file, "DELETE FROM tables WHERE status = 'playing'")
    assert not checked.sound
    assert "belongs to a row of tables that is missing" in "\n".join(checked.lines)


@pytest.mark.parametrize(
    ("change_", "words"),
    [
        (
            "UPDATE tables SET snapshot = '{}' WHERE status = 'playing'",
            "(archaeology, playing) cannot be read",
        ),
        (
            "UPDATE tables SET snapshot = replace(snapshot, ':1', ':2') WHERE status = 'playing'",
            "the snapshot is damaged: it has another digest",
        ),
        ("UPDATE tables SET body = '{}' WHERE status = 'lobby'", "(archaeology, lobby) cannot be read"),
        ("UPDATE tables SET game = 'chess' WHERE status = 'lobby'", "this version has no game 'chess'"),
    ],
)
def test_a_live_table_that_this_version_cannot_read_is_named(file: Path, change_: str, words: str) -> None:
    checked = altered(file, change_)
    assert not checked.sound
    assert words in "\n".join(checked.lines)
    assert checked.lines[0] == f"{file} can be read whole, but not all in it is well:"
    assert "Live tables that this version can read: 1." in checked.lines
    assert "\n".join(checked.lines).count("Table ") == 1, "it is named once"


@pytest.mark.parametrize(
    "change_",
    [
        "UPDATE tables SET body = '{\"form\": 2}' WHERE status = 'abandoned'",
        "UPDATE tables SET game = 'chess' WHERE status = 'abandoned'",
    ],
)
def test_tables_of_another_version_that_have_ended_need_not_be_readable(file: Path, change_: str) -> None:
    checked = altered(file, change_)
    assert checked.sound
    assert checked.lines[-1].endswith("; of another version or card list, and so not replayed: 1.")


def test_an_empty_file_is_no_sound_one(path: Path) -> None:
    path.touch()
    checked = check_file(path, GAMES)
    assert not checked.sound
    assert checked.lines == [f"{path} is empty: it holds no tables, and nothing of Digsite's at all."]


def nothing(path: Path) -> None:
    path.unlink()


def a_letter(path: Path) -> None:
    path.write_text("Dear diary, " * 500)


def another_program(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE bookmarks (url)")


def a_newer_version(path: Path) -> None:
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 9000").fetchall()


@pytest.mark.system
@pytest.mark.parametrize("what", [nothing, a_letter, another_program, a_newer_version])
def test_uncheckable_file_gives_a_sentence_and_status_2(file: Path, what: Callable[[Path], None]) -> None:
    what(file)
    done = command(file.parent, "check", environment={"DATABASE_PATH": str(file)})
    assert done.returncode == 2
    assert str(file) in done.stderr
    assert "Traceback" not in done.stderr
    with pytest.raises(StoreError):
        check_file(file, GAMES)
