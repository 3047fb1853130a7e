"""A folder of backups, and what a restored one brings back."""

from __future__ import annotations

import json
import shutil
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from bot.cli.backup import back_up, backups_in
from bot.clock import SystemClock
from bot.store.model import StoreError, TableRow
from bot.tables import ending
from bot.tables.model import DAY, digest_of
from bot.ui.screens.ids import Id
from tests.bot.cli.test_forget_and_export import digsite, settings_for
from tests.bot.fake_discord import FakeDiscord
from tests.bot.store.samples import damage
from tests.bot.tables.samples import ANA, BEN, change, match_of, tables_on
from tests.manual_clock import ManualClock


def written_by_a_newer_version(row: TableRow) -> None:
    row.snapshot = '{"form": 999}'
    row.body = json.dumps(json.loads(row.body) | {"digest": digest_of(row.snapshot)})


async def a_match(path: Path) -> int:
    """A file with a match in which Ana is to dig."""
    async with tables_on(path, SystemClock()) as tables:
        while True:
            table = await match_of(tables, ANA, BEN, channel=77)
            if table.game.pending(table.state)[0].seat == 0:
                return table.id
            await change(tables, table, lambda draft: ending.abandon(draft, "operator"))


async def dig(discord: FakeDiscord, number: int) -> None:
    """Makes Ana's first move, and waits for the answer."""
    press = await discord.press(str(Id("g.dig", number, "0")), user=ANA, channel=77, message=7001)
    await discord.asked_for("POST", f"/interactions/{press}/")


async def test_the_newest_are_kept_and_the_oldest_deleted(path: Path, clock: ManualClock) -> None:
    await a_match(path)
    settings, folder, made = settings_for(path), path.parent / "kept", list[Path]()
    for day in range(5):
        done = await back_up(settings, folder, 3, clock.now() + day * DAY)
        made.append(done.made)
        assert done.sound
        assert done.deleted == made[day - 3 : day - 2] if day >= 3 else not done.deleted
    assert backups_in(folder, path) == made[2:]
    assert {stat.S_IMODE(file.stat().st_mode) for file in made[2:]} == {0o600}
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700


async def test_other_files_in_the_folder_are_left_alone(path: Path, clock: ManualClock) -> None:
    await a_match(path)
    folder = path.parent / "backups"
    folder.mkdir()
    others = (
        "digsite.sqlite3",
        "digsite-old.sqlite3",
        "other-2020-01-01-000000.sqlite3",
        "digsite-2020-01-01-000000.sqlite3.gz",
    )
    for name in others:
        (folder / name).touch()
    for day in range(3):
        await back_up(settings_for(path), None, 1, clock.now() + day * DAY)
    assert {file.name for file in folder.iterdir()} - {*others} == {
        file.name for file in backups_in(folder, path)
    }
    assert all((folder / name).exists() for name in others)
    assert len(backups_in(folder, path)) == 1


async def test_clock_set_back_does_not_delete_the_new_backup(path: Path, clock: ManualClock) -> None:
    await a_match(path)
    later = (await back_up(settings_for(path), None, 1, clock.now() + DAY)).made
    made = (await back_up(settings_for(path), None, 1, clock.now())).made
    assert made.exists()
    assert later.exists()


async def test_damaged_database_deletes_no_older_backup(path: Path, clock: ManualClock) -> None:
    await a_match(path)
    first = (await back_up(settings_for(path), None, 1, clock.now())).made
    damage(path, "tables")
    with pytest.raises(StoreError, match="damaged"):
        await back_up(settings_for(path), None, 1, clock.now() + DAY)
    assert backups_in(first.parent, path) == [first]


async def test_damaged_match_deletes_no_older_backup(path: Path, clock: ManualClock) -> None:
    number = await a_match(path)
    first = (await back_up(settings_for(path), None, 1, clock.now())).made
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE tables SET body = json_replace(body, '$.host_seed', ?) WHERE id = ?", ("0" * 64, number)
        )
    done = await back_up(settings_for(path), None, 1, clock.now() + DAY)
    assert not done.sound
    assert "is damaged: its seed is not the one" in done.said
    assert "No older backup" in done.said
    assert done.deleted == []
    assert first.exists()


async def test_a_table_that_cannot_be_read_is_named_and_the_copies_are_rotated(
    path: Path, clock: ManualClock
) -> None:
    number = await a_match(path)
    first = (await back_up(settings_for(path), None, 1, clock.now())).made
    async with tables_on(path, SystemClock()) as tables:
        await tables.rewrite(number, written_by_a_newer_version)
    done = await back_up(settings_for(path), None, 1, clock.now() + DAY)
    assert not done.sound
    assert f"{number}" in done.said
    assert done.deleted == [first], "the copy is whole, so the disk must not fill up"


@pytest.mark.system
async def test_backup_command_prints_new_and_deleted_backups(path: Path) -> None:
    await a_match(path)
    folder = path.parent / "backups"
    folder.mkdir()
    old = folder / "digsite-2020-01-01-030000.sqlite3"
    old.touch()
    status, said, _ = await digsite(path, "backup", "--keep", "1")
    [made] = backups_in(folder, path)
    assert status == 0
    assert said.splitlines() == [
        f"{made} is a consistent copy of {path}, checked and found sound.",
        f"{old} was deleted; the newest 1 are kept.",
    ]
    for given in (("--keep", "0"), ()):
        status, _, said = await digsite(path, "backup", *given)
        assert status == 2
        assert "Traceback" not in said


@pytest.mark.system
async def test_a_restored_backup_brings_the_match_back_and_it_can_be_played_on(path: Path) -> None:
    """The steps of docs/operating/backup.md, from a backup that was made while the bot ran."""
    number = await a_match(path)
    async with FakeDiscord().serving() as discord:
        bot = await discord.start_bot(path)
        await discord.connected()
        status, _, said = await digsite(path, "backup", "--keep", "14")
        assert status == 0, said
        await dig(discord, number)
        bot.terminate()
        await bot.communicate()
    async with tables_on(path, SystemClock()) as tables:
        assert (await tables.get(number)).sequence == 1

    [made] = backups_in(path.parent / "backups", path)
    aside = path.parent / "aside"
    aside.mkdir()
    for file in path.parent.glob("digsite.sqlite3*"):
        file.rename(aside / file.name)
    shutil.copy(made, path)
    async with FakeDiscord().serving() as discord:
        bot = await discord.start_bot(path)
        await discord.connected()
        await dig(discord, number)
        bot.terminate()
        _out, said_at_end = await bot.communicate()
    assert "Traceback" not in said_at_end.decode()
    async with tables_on(path, SystemClock()) as tables:
        table = await tables.get(number)
        assert (table.status, table.sequence) == ("playing", 1), "the same move, made once more"
