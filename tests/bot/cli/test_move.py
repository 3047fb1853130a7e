"""`digsite move`: matches go on in the other kind of store; all of it arrives, or nothing."""

from __future__ import annotations

import asyncio
import os
import sqlite3
import sys
from contextlib import closing
from pathlib import Path

import pytest
from pydantic import SecretStr

from bot.clock import SystemClock
from bot.settings import Settings
from bot.store.model import Change, StoreError
from bot.tables.service import Tables
from tests.bot.postgres import Server, server
from tests.bot.store.samples import NOW, Home, a_table, everything, in_database, in_file
from tests.bot.tables.samples import ANA, BEN, Presses, match_of, open_lobby, tables_on

pytest.importorskip("asyncpg")

ROOT = Path(__file__).parents[3]


async def digsite(folder: Path, *arguments: str, **environment: str) -> tuple[int, str]:
    """Runs the command; returns its status and what it said."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    command = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *arguments),
        cwd=folder,
        env={**kept, "PYTHONPATH": str(ROOT), **environment},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.STDOUT,
    )
    said, _nothing = await command.communicate()
    assert command.returncode is not None
    assert "Traceback" not in said.decode()
    return command.returncode, said.decode()


@pytest.fixture
def running() -> Server:
    return server()


@pytest.fixture
async def url(running: Server) -> str:
    """The URL of an empty database."""
    return running.url(await running.empty())


@pytest.fixture
async def filled(path: Path) -> Path:
    """A file with everything that a store may hold."""
    async with tables_on(path, SystemClock()) as tables:
        store = tables.store
        match = await match_of(tables, ANA, BEN, channel=1)
        for _ in range(20):
            match = await Presses(tables).move(match)
        await open_lobby(tables, ANA, channel=2)
        await store.set_text_only("person", BEN, True)
        await store.set_fact("downtime", "12.5")
        await store.erasures.ask(BEN)
        gone = await store.create(Change(a_table(9, status="over", ended_at=NOW)))
        gone.ended_at = 1.0
        await store.commit(Change(gone))
        await store.purge(2.0)
    with closing(sqlite3.connect(path)) as file, file:
        file.execute("INSERT INTO emoji VALUES ('map', 'abc', 5)")
        file.execute("INSERT INTO wishes VALUES (10, 7, 5, 3, NULL, 2, 'mail', 1.5, 2.5, NULL)")
        file.execute("INSERT INTO guests VALUES (7, 1, 8, 1.5, 1, NULL)")
        file.executemany("INSERT INTO waits VALUES (10, ?, ?, 1.5)", [("now", 1), ("mail", 2), ("mail", 1)])
    return path


async def played(tables: Tables, table_id: int, moves: int) -> int:
    """Plays so many moves at this match; returns the number of the last."""
    presses, match = Presses(tables), await tables.get(table_id)
    for _ in range(moves):
        match = await presses.move(match)
    return match.sequence


async def test_a_match_goes_on_in_the_database_and_later_in_a_file_again(filled: Path, url: str) -> None:
    before = await everything(Home(filled))
    status, output = await digsite(filled.parent, "move", "--to", url, DATABASE_PATH=str(filled))
    assert status == 0, output
    assert "2 tables, 20 moves" in output
    assert await everything(Home(url)) == before
    async with tables_on(url, SystemClock()) as tables:
        assert await played(tables, 1, 7) == 27
        opened = await open_lobby(tables, BEN, channel=5)
        assert opened.id == 4, "no number is given twice, not even that of a deleted table"
        assert await tables.store.erasures.ask(7) > 1
    before = await everything(Home(url))
    back = filled.with_name("back.sqlite3")
    status, output = await digsite(filled.parent, "move", "--to", str(back), DATABASE_URL=url)
    assert status == 0, output
    assert await everything(Home(back)) == before
    assert back.stat().st_mode & 0o777 == 0o600
    async with tables_on(back, SystemClock()) as tables:
        assert await played(tables, 1, 8) == 35
        assert (await open_lobby(tables, BEN, channel=6)).id == 5
        assert await tables.store.wipe(within=5), "a body lies where it can be wiped"


@pytest.mark.system
async def test_move_is_refused_while_a_bot_runs(filled: Path, url: str) -> None:
    store = in_file(filled, SystemClock())
    await store.open()
    status, output = await digsite(filled.parent, "move", "--to", url, DATABASE_PATH=str(filled))
    assert (status, "in use" in output) == (2, True)
    await store.close()
    bot = in_database(url, SystemClock(), shared=False)
    await bot.open()
    status, output = await digsite(filled.parent, "move", "--to", url, DATABASE_PATH=str(filled))
    assert (status, "in use" in output) == (2, True)
    status, output = await digsite(filled.parent, "move", "--to", "back.sqlite3", DATABASE_URL=url)
    assert (status, "in use" in output) == (2, True)
    assert not (filled.parent / "back.sqlite3").exists()
    await bot.close()


@pytest.mark.system
async def test_move_refuses_a_target_with_data(filled: Path, url: str) -> None:
    bot = Home(url).store(SystemClock())
    await bot.open()
    await bot.close()
    status, output = await digsite(filled.parent, "move", "--to", url, DATABASE_PATH=str(filled))
    assert status == 0, f"a database that a bot was started on is still empty: {output}"
    before = await everything(Home(url))
    status, output = await digsite(filled.parent, "move", "--to", url, DATABASE_PATH=str(filled))
    assert (status, "holds something already" in output) == (2, True)
    status, output = await digsite(filled.parent, "move", "--to", filled.name, DATABASE_URL=url)
    assert (status, "already exists" in output) == (2, True)
    assert await everything(Home(url)) == before


@pytest.mark.system
@pytest.mark.parametrize(
    ("trouble", "said"),
    [
        ("RAISE EXCEPTION 'no room' USING ERRCODE = 'disk_full'", "disk is full"),
        ("NEW.event := 'another'; RETURN NEW", "Not everything arrived as it was: log"),
        ("RETURN NULL", "Not everything arrived as it was: log"),
    ],
)
async def test_failed_move_leaves_the_target_unchanged(
    filled: Path, running: Server, trouble: str, said: str
) -> None:
    database = await running.database()
    await running.execute(
        f"CREATE FUNCTION digsite.trouble() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN {trouble}; END $$",
        "CREATE TRIGGER trouble BEFORE INSERT ON digsite.log FOR EACH ROW EXECUTE FUNCTION digsite.trouble()",
        database=database,
    )
    url = running.url(database)
    status, output = await digsite(filled.parent, "move", "--to", url, DATABASE_PATH=str(filled))
    assert status == (1 if said == "disk is full" else 2), "once there is room, a new attempt may help"
    assert said in output
    assert not any((await everything(Home(url))).values())


@pytest.mark.system
@pytest.mark.parametrize(
    ("to", "settings", "said"),
    [
        ("elsewhere.sqlite3", {}, "already"),
        ("mysql://ana:sesame@db/digsite", {}, "neither a path nor a URL of postgresql"),
        ("postgresql://ana:sesame@db", {}, "name of the database is missing"),
        (
            "postgresql://ana:sesame@127.0.0.1:1/digsite",
            {"DATABASE_PATH": "nothing.sqlite3"},
            "There is no file",
        ),
        (
            "postgresql:///b",
            {"DATABASE_URL": "postgresql://ana:sesame@db/a"},
            "in the database postgresql://db/a already",
        ),
        ("back.sqlite3", {"DATABASE_URL": "ana:sesame@db/a"}, "must begin with postgresql://"),
    ],
)
async def test_refused_move_prints_no_password(
    tmp_path: Path, to: str, settings: dict[str, str], said: str
) -> None:
    status, output = await digsite(tmp_path, "move", "--to", to, **settings)
    assert status == 2
    assert said in output
    assert "sesame" not in output
    assert not list(tmp_path.iterdir())


@pytest.mark.system
async def test_unreachable_server_ends_with_status_1(filled: Path) -> None:
    url = "postgresql://ana:sesame@127.0.0.1:1/digsite"
    for arguments in (("move", "--to", url), ("check",)):
        settings = {"DATABASE_PATH": str(filled)} if arguments[0] == "move" else {"DATABASE_URL": url}
        status, output = await digsite(filled.parent, *arguments, **settings)
        assert status == 1
        assert "The server of postgresql://127.0.0.1:1/digsite cannot be reached" in output
        assert "sesame" not in output


# -- the other commands, on a database


@pytest.mark.system
async def test_a_database_is_checked_and_a_backup_is_a_file_that_can_be_carried_back(
    filled: Path, url: str, running: Server
) -> None:
    await digsite(filled.parent, "move", "--to", url, DATABASE_PATH=str(filled))
    status, output = await digsite(filled.parent, "check", DATABASE_URL=url)
    assert status == 0
    assert "is sound" in output
    assert "Tables in all: 2 (lobby: 1, playing: 1)." in output
    assert "Live tables that this version can read: 2." in output
    bot = Home(url).store(SystemClock())
    await bot.open()  # neither command minds that
    status, output = await digsite(filled.parent, "backup", "copy.sqlite3", DATABASE_URL=url)
    assert status == 0, output
    copy = filled.with_name("copy.sqlite3")
    assert await everything(Home(copy)) == await everything(Home(url))
    await bot.close()
    again = running.url(await running.empty())
    status, output = await digsite(filled.parent, "move", "--to", again, DATABASE_PATH=str(copy))
    assert status == 0, output
    assert await everything(Home(again)) == await everything(Home(url))


@pytest.mark.system
async def test_a_table_that_cannot_be_read_is_found(filled: Path, url: str) -> None:
    await digsite(filled.parent, "move", "--to", url, DATABASE_PATH=str(filled))
    await Home(url).change("UPDATE tables SET body = '{}' WHERE status = 'lobby'")
    status, output = await digsite(filled.parent, "check", DATABASE_URL=url)
    assert status == 1
    assert "cannot be read by this version" in output


@pytest.mark.system
async def test_pg_dump_and_pg_restore(filled: Path, url: str, running: Server) -> None:
    await digsite(filled.parent, "move", "--to", url, DATABASE_PATH=str(filled))
    dump = running.folder / "digsite.dump"
    dump.unlink(missing_ok=True)
    dump.parent.chmod(0o777)
    await asyncio.to_thread(
        running.tool, "pg_dump", "--format=custom", "--schema=digsite", f"--file={dump}", url
    )
    other = running.url(await running.empty())
    await asyncio.to_thread(running.tool, "pg_restore", "--no-owner", f"--dbname={other}", str(dump))
    assert await everything(Home(other)) == await everything(Home(url))
    async with tables_on(other, SystemClock()) as tables:
        assert await played(tables, 1, 5) == 25
        assert (await open_lobby(tables, BEN, channel=5)).id == 4


async def test_without_the_driver_the_start_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    from bot.store.backends import backend_of

    monkeypatch.setitem(sys.modules, "bot.store.postgres.driver", None)
    monkeypatch.delattr("bot.store.postgres.driver", raising=False)
    with pytest.raises(StoreError, match=r"asyncpg.*\[postgres\]"):
        backend_of(Settings(database_url=SecretStr("postgresql:///digsite"), _env_file=None))  # pyright: ignore[reportCallIssue]


@pytest.mark.system
async def test_without_the_driver_a_file_is_all_that_is_needed(filled: Path) -> None:
    program = (
        "import sys; sys.modules['asyncpg'] = None; from bot.app import client; "
        "from bot.__main__ import main; main()"
    )
    for arguments in (["check"], ["export", "123456789012345678"], ["backup", "copy.sqlite3"]):
        command = await asyncio.create_subprocess_exec(
            *(sys.executable, "-c", program.replace("main()", f"sys.exit(main({arguments}))")),
            cwd=filled.parent,
            env={"PYTHONPATH": str(ROOT), "DATABASE_PATH": str(filled)},
            stdout=asyncio.subprocess.DEVNULL,
        )
        assert await command.wait() == 0
