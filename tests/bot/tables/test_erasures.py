"""A person's data is erased on request, to the last byte of every file, whatever comes between."""

from __future__ import annotations

import json
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from bot.people.privacy import erasures as module
from bot.people.privacy.erasures import AGAIN, Erasures
from bot.people.privacy.stored_data import NOBODY, blotted, forget
from bot.store.model import Change, StoreFull
from bot.tables import lobby
from bot.tables.seats import sit
from bot.tables.service import Tables
from tests.bot.hosts import make_host, run_due
from tests.bot.store.bytes import reader, snowflake, traces
from tests.bot.tables.samples import ANA, CARA, Presses, begin, change, leave, match_of, open_lobby, tables_on
from tests.manual_clock import ManualClock
from tests.sampling import sweep

BEN = snowflake(7)
NAME = f"Player {BEN}"
WORD = "abracadabra"
ROOT = Path(__file__).parents[3]


IMPATIENT = 0.2


def erasures_at(tables: Tables) -> Erasures:
    """Erasures that do not wait long for readers of the file."""
    return Erasures(tables, wipe_within=IMPATIENT)


async def well_known(tables: Tables, presses: Presses) -> list[int]:
    """Ben at tables of every kind: over, left, hosted, paused, in the lobby, and one whose word was replaced."""
    over = await match_of(tables, ANA, BEN, channel=1)
    while over.live:
        over = await presses.move(over)
    left = await leave(tables, await match_of(tables, ANA, BEN, channel=2), BEN)
    hosted = await match_of(tables, BEN, CARA, channel=3)
    alone = await leave(tables, await match_of(tables, BEN, agents=1, channel=4), BEN)
    waiting = await open_lobby(tables, BEN, CARA, channel=5)
    for word in (WORD, "another", WORD):
        await change(tables, waiting, lambda draft, said=word: lobby.add_word(draft, BEN, said))
    gone = await open_lobby(tables, ANA, BEN, channel=6)
    await change(tables, gone, lambda draft: lobby.leave_lobby(draft, BEN))
    return [table.id for table in (over, left, hosted, alone, waiting, gone)]


async def test_after_it_no_file_holds_name_id_or_word_at_once_at_rest_and_after_a_restart(
    path: Path, clock: ManualClock
) -> None:
    async with tables_on(path, clock) as tables:
        known = await well_known(tables, Presses(tables))
        assert f"{path.name}-wal" in traces(path.parent, BEN, NAME, WORD)
        assert await erasures_at(tables).forget(BEN) == "done"
        assert traces(path.parent, BEN, NAME, WORD) == {}
        assert await tables.store.erasures.pending() == []
        assert await tables.store.tables_of(BEN) == []
        for number in known:
            await change(tables, await tables.get(number), lambda draft: draft.touch())
        assert traces(path.parent, BEN, NAME, WORD) == {}, "what is written later does not bring it back"
    assert traces(path.parent, BEN, NAME, WORD) == {}
    async with tables_on(path, clock) as tables:
        assert [(await tables.get(number)).id for number in known] == known
        assert traces(path.parent, BEN, NAME, WORD) == {}


async def test_the_presses_with_which_they_moved_are_forgotten_too(tables: Tables, presses: Presses) -> None:
    table = await match_of(tables, ANA, BEN)
    for _ in range(20):
        table = await presses.move(table)
    await erasures_at(tables).forget(BEN)
    pressed = {move.seat: move.interaction_id for move in await tables.store.moves(table.id)}
    assert pressed[0] is not None
    assert pressed[1] is None


async def test_what_somebody_keeps_from_being_wiped_is_told_and_wiped_later(
    path: Path, clock: ManualClock, tables: Tables, caplog: pytest.LogCaptureFixture
) -> None:
    await well_known(tables, Presses(tables))
    erasures = erasures_at(tables)
    with closing(reader(path)):
        assert await erasures.forget(BEN) == "traces"
        assert await tables.store.tables_of(BEN) == []
        assert "tried again" in caplog.text
        assert str(BEN) not in caplog.text
        await erasures.take_up()
        assert traces(path.parent, BEN, NAME)
    await erasures.take_up()
    assert traces(path.parent, BEN, NAME), "not at every look"
    clock.advance(AGAIN)
    await erasures.take_up()
    assert traces(path.parent, BEN, NAME, WORD) == {}
    assert await tables.store.erasures.pending() == []


async def test_a_full_disk_puts_it_off(
    path: Path, clock: ManualClock, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    await well_known(tables, Presses(tables))
    erasures = erasures_at(tables)

    async def full(_change: Change) -> None:
        raise StoreFull("no room")

    monkeypatch.setattr(tables.store, "commit", full)
    assert await erasures.forget(BEN) == "later"
    await erasures.take_up()
    assert len(await tables.store.erasures.pending()) == 1
    monkeypatch.undo()
    clock.advance(7200)
    await erasures.take_up()
    assert await tables.store.erasures.pending() == []
    assert traces(path.parent, BEN, NAME) == {}


async def test_a_wish_that_cannot_even_be_kept_changes_nothing(
    tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    table = await match_of(tables, ANA, BEN)

    async def full(_user: int) -> int:
        raise StoreFull("no room")

    monkeypatch.setattr(tables.store.erasures, "ask", full)
    with pytest.raises(StoreFull):
        await erasures_at(tables).forget(BEN)
    assert (await tables.get(table.id)).seat_of(BEN) == 1


async def test_one_that_fails_does_not_keep_others_from_being_forgotten(
    path: Path, tables: Tables, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    await match_of(tables, ANA, BEN)
    await tables.store.erasures.ask(CARA)
    await tables.store.erasures.ask(BEN)

    async def fail_for_cara(at: Tables, user: int, *holds: Any) -> None:
        if user == CARA:
            raise ZeroDivisionError
        await forget(at, user)

    monkeypatch.setattr(module, "forget", fail_for_cara)
    await erasures_at(tables).take_up()
    assert [each.user_id for each in await tables.store.erasures.pending()] == [CARA]
    assert "could not be" in caplog.text
    assert traces(path.parent, BEN, NAME) == {}


# -- kills

_FORGET_AND_HANG = """
import asyncio, sys
from pathlib import Path
from bot.clock import SystemClock
from bot.people.privacy import erasures as module
from bot.people.privacy.erasures import Erasures
from tests.bot.tables.samples import ANA, Presses, tables_on
from tests.bot.tables.test_erasures import BEN, well_known

async def hang(*_given, **_named):
    print("hangs", flush=True)
    await asyncio.sleep(3600)

async def main():
    async with tables_on(Path(sys.argv[1]), SystemClock()) as tables:
        known = await well_known(tables, Presses(tables))
        match sys.argv[2]:
            case "before":
                module.forget = hang
            case "between":
                tables.store.erasures.unname = hang
            case "wiping":
                tables.store.wipe = hang
            case "finishing":
                tables.store.erasures.finish = hang
        print(await Erasures(tables).forget(BEN), flush=True)
        await hang()

asyncio.run(main())
"""


def killed(path: Path, moment: str) -> str:
    """Has another process forget Ben and kills it at this moment; what it had said."""
    with subprocess.Popen(
        [sys.executable, "-c", _FORGET_AND_HANG, path, moment], stdout=subprocess.PIPE, text=True, cwd=ROOT
    ) as bot:
        assert bot.stdout is not None
        said = bot.stdout.readline()
        bot.send_signal(signal.SIGKILL)
    return said.strip()


def test_after_a_kill_the_bytes_are_as_clean_as_they_were_said_to_be(path: Path) -> None:
    assert killed(path, "never") == "done"
    assert (path.parent / f"{path.name}-wal").exists(), "nothing has tidied up"
    assert traces(path.parent, BEN, NAME, WORD) == {}


@pytest.mark.parametrize("moment", sweep("between", "before", "wiping", "finishing"))
async def test_a_deletion_that_a_kill_interrupts_is_finished_after_the_next_start(
    path: Path, clock: ManualClock, moment: str
) -> None:
    assert killed(path, moment) == "hangs"
    assert traces(path.parent, BEN, NAME) or moment == "finishing"
    host, _drawn = make_host(path, clock)
    await host.start()
    await run_due(host)
    assert await host.store.erasures.pending() == []
    assert traces(path.parent, BEN, NAME, WORD) == {}
    await host.close()
    assert traces(path.parent, BEN, NAME, WORD) == {}


# -- what is hard to find


async def test_a_person_is_forgotten_also_where_it_is_not_kept_that_they_sat(
    path: Path, tables: Tables
) -> None:
    hosted = await match_of(tables, ANA, CARA, channel=1)
    left = await leave(tables, await match_of(tables, ANA, BEN, channel=2), BEN)
    await change(tables, hosted, lambda draft: (setattr(draft.table.body, "host_id", BEN), draft.touch()))
    await tables.store.forget(BEN, left.id)
    assert await tables.store.tables_of(BEN) == []
    await erasures_at(tables).forget(BEN)
    assert traces(path.parent, BEN, NAME) == {}
    assert (await tables.get(hosted.id)).body.host_id == 0


async def test_a_word_goes_also_from_a_seat_that_somebody_else_has_taken_over(tables: Tables) -> None:
    table = await open_lobby(tables, ANA, BEN)
    await change(tables, table, lambda draft: lobby.add_word(draft, BEN, WORD))
    await leave(tables, await begin(tables, table), BEN)
    await change(tables, table, lambda draft: sit(draft, 1, CARA, "Cara"))
    await erasures_at(tables).forget(BEN)
    table = await tables.get(table.id)
    assert (table.seats[1].name, table.seats[1].word) == ("Cara", "")
    assert ("seat 2", WORD) in table.body.contributions


async def test_a_table_at_which_the_same_digits_mean_something_else_is_left_alone(tables: Tables) -> None:
    table = await match_of(tables, ANA, CARA)
    await change(tables, table, lambda d: (setattr(d.table.body.messages, "board", BEN), d.touch()))
    before = await tables.get(table.id)
    await erasures_at(tables).forget(BEN)
    assert await tables.get(table.id) is before


@pytest.mark.parametrize("damage", ["another form", "broken off", "unknown field", "not readable at all"])
async def test_a_body_that_this_version_cannot_read_names_them_no_more(
    path: Path, clock: ManualClock, damage: str
) -> None:
    async with tables_on(path, clock) as tables:
        table = await open_lobby(tables, ANA, BEN)
        await change(tables, table, lambda draft: lobby.add_word(draft, BEN, WORD))
        row = await tables.store.table(table.id)
        assert row is not None
        body: Any = json.loads(row.body)
        match damage:
            case "another form":
                row.body = json.dumps({**body, "form": 99, "people": [BEN], "said": f"by <@{BEN}>"})
            case "unknown field":
                row.body = json.dumps({**body, "seats": [{**seat, "hat": "red"} for seat in body["seats"]]})
            case "broken off":
                row.body = row.body[: row.body.index(WORD) + 5]
            case _:
                row.body = row.body.replace(",", ";")
        await tables.store.commit(Change(row))
    async with tables_on(path, clock) as tables:
        assert await erasures_at(tables).forget(BEN) == "done"
        assert traces(path.parent, BEN, NAME, WORD, WORD[:5]) == {}
        row = await tables.store.table(1)
        assert row is not None
        assert "Ana" in row.body, "others stay"


def test_only_the_persons_own_name_and_word_go_from_what_cannot_be_read() -> None:
    seats = [
        {"name": "Ana", "user_id": ANA, "word": "hers"},
        {"name": "Ben", "left_by": BEN, "word": "his"},
        {"name": "Cara", "user_id": int(f"{BEN}1"), "word": "hers too"},
    ]
    left = json.loads(blotted(json.dumps({"form": 7, "seats": seats, "host": BEN}), BEN))
    assert left["host"] == 0
    assert left["seats"] == [seats[0], {"name": NOBODY, "left_by": None, "word": ""}, seats[2]]


@pytest.mark.parametrize("ending", ["", "]", "]}}", "]},"])
def test_letters_go_from_a_damaged_body(ending: str) -> None:
    body = f'{{"form":1,"letters":{{"{ANA}":[81000000001,82000000001],"{BEN}":[81000000002,82000000002'
    left = blotted(body + ending, BEN)
    assert str(BEN) not in left
    assert "000000002" not in left


async def test_a_purge_leaves_nothing_in_any_byte_either(path: Path, clock: ManualClock) -> None:
    host, _drawn = make_host(path, clock)
    await host.start()
    await host.store.results.switch("guild", 1, on=False)  # results stay when their matches are purged
    presses, seed = Presses(host.tables), ""
    for channel in range(1, 6):
        table = await match_of(host.tables, ANA, BEN, channel=channel)
        while table.live:
            table = await presses.move(table)
        seed = table.body.host_seed
    others = await match_of(host.tables, ANA, CARA, channel=99, limit=None)
    await run_due(host)
    clock.advance((host.settings.keep_days + 1) * 86400)
    await run_due(host)
    if host.housekeeping.cleanup.task is not None:
        await host.housekeeping.cleanup.task
    clock.advance(2)
    await run_due(host)
    assert await host.store.erasures.pending() == []
    assert traces(path.parent, BEN, NAME, seed) == {}
    assert (await host.tables.get(others.id)).live
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("SELECT count(*) FROM tables").fetchall() == [(1,)]
    await host.close()
