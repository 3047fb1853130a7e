"""The operator's commands for a person: `digsite forget` and `digsite export`, with and without a running bot."""

from __future__ import annotations

import asyncio
import json
import os
import signal
import sqlite3
import sys
from collections.abc import AsyncIterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from bot.cli import forget as forget_command
from bot.cli.export import export
from bot.cli.forget import NoUserId, read_user_id
from bot.clock import SystemClock
from bot.people.privacy.erasures import Erasures
from bot.people.privacy.stored_data import forget
from bot.settings import Settings
from bot.store.backends import FileBackend
from bot.store.model import StoreError, Wish
from bot.tables import ending, lobby
from bot.tables.daily import date_of, day_of, play
from bot.tables.draft import Draft
from bot.tables.holidays import go_on_holiday
from bot.tables.matchmaking import ask
from bot.tables.messages import MatchThread
from bot.tables.seat import Seat
from bot.tables.service import Tables
from tests.bot.fake_discord import FakeDiscord
from tests.bot.hosts import make_host, run_due
from tests.bot.postgres import server
from tests.bot.store.bytes import reader, snowflake, traces
from tests.bot.store.samples import in_file
from tests.bot.store.test_results import end
from tests.bot.tables.samples import (
    ANA,
    CARA,
    DAN,
    Presses,
    begin,
    change,
    leave,
    match_of,
    open_lobby,
    tables_on,
)
from tests.manual_clock import ManualClock
from tests.patience import PATIENCE

ROOT = Path(__file__).parents[3]
BEN = snowflake(7)
NAME = f"Player {BEN}"


async def digsite(path: Path, *arguments: str, **settings: str) -> tuple[int, str, str]:
    """Runs the command on this file. Returns its status and what it wrote to standard output and standard error."""
    kept = {name: value for name, value in os.environ.items() if name in ("PATH", "HOME", "LANG")}
    command = await asyncio.create_subprocess_exec(
        *(sys.executable, "-m", "bot", *arguments),
        cwd=path.parent,
        env={**kept, "PYTHONPATH": str(ROOT), "DATABASE_PATH": str(path), **settings},
        stdout=asyncio.subprocess.PIPE,
        stderr=asyncio.subprocess.PIPE,
    )
    out, said = await command.communicate()
    assert command.returncode is not None
    assert "Traceback" not in said.decode()
    return command.returncode, out.decode(), said.decode()


@pytest.fixture
async def tables(path: Path) -> AsyncIterator[Tables]:
    async with tables_on(path, SystemClock()) as opened:
        yield opened


async def some_tables(path: Path) -> int:
    """A match and a lobby with Ben in them; the number of the match."""
    async with tables_on(path, SystemClock()) as tables:
        match = await match_of(tables, ANA, BEN, channel=77, first=0)
        await change(tables, match, lambda d: (setattr(d.table.body.messages, "board", 7_001), d.touch()))
        await open_lobby(tables, BEN, CARA, channel=78)
        return match.id


def last_drawn(discord: FakeDiscord) -> str:
    """The match's board as it was drawn last. If it was not drawn at all, the name."""
    drawn = [body for method, path, body in discord.requests if method == "PATCH" and "/77/" in path]
    return json.dumps(drawn[-1]) if drawn else NAME


# -- forget


async def test_forget_without_a_bot_and_redraw_at_the_next_start(path: Path) -> None:
    number = await some_tables(path)
    assert traces(path.parent, BEN, NAME)
    status, output, _said = await digsite(path, "forget", str(BEN))
    assert status == 0
    assert "taken out of 2 matches" in output
    assert traces(path.parent, BEN, NAME) == {}
    host, drawn = make_host(path, SystemClock())
    await host.start()
    table = await host.tables.get(number)
    assert (table.status, table.seats[1].user_id, table.seats[1].agent) == ("playing", None, "veteran")
    await run_due(host)
    assert number in drawn.tables
    await host.close()


@pytest.mark.system
async def test_forget_on_postgres_with_and_without_a_bot(path: Path) -> None:
    running = server()
    database = await running.database()
    url = running.url(database)

    async def named() -> bool:
        rows = await running.fetch("SELECT body FROM digsite.tables", database)
        return any(NAME in body or str(BEN) in body for (body,) in rows)

    for _twice in range(2):
        async with tables_on(url, SystemClock()) as tables:
            match = await match_of(tables, ANA, BEN, channel=77, first=0)
            await change(tables, match, lambda d: (setattr(d.table.body.messages, "board", 7_001), d.touch()))
        assert await named()
        status, output, said = await digsite(path, "export", str(BEN), DATABASE_URL=url)
        assert (status, said) == (0, "")
        assert json.loads(output)["matches"][-1]["match"] == match.id
        if not _twice:
            status, output, said = await digsite(path, "forget", str(BEN), DATABASE_URL=url)
        else:
            async with FakeDiscord().serving() as discord:
                bot = await discord.start_bot(path, DATABASE_URL=url)
                await discord.connected()
                status, output, said = await digsite(path, "forget", str(BEN), DATABASE_URL=url)
                async with asyncio.timeout(PATIENCE):
                    while NAME in last_drawn(discord):
                        await asyncio.sleep(0.05)
                bot.send_signal(signal.SIGTERM)
                _out, logged = await bot.communicate()
                assert bot.returncode == 0
                assert "postgres:" not in logged.decode(), "the URL with its user and password"
        assert status == 0, said
        assert "taken out of 1 match in postgresql:///" in output
        assert "write-ahead log" in output
        assert not await named()
        async with tables_on(url, SystemClock()) as tables:
            assert (await tables.get(match.id)).seat_of(BEN) is None
            await tables.give_up(match.id)
    assert not path.exists()


@pytest.mark.system
async def test_forget_through_a_running_bot(path: Path) -> None:
    number = await some_tables(path)
    async with FakeDiscord().serving() as discord:
        bot = await discord.start_bot(path)
        await discord.connected()
        status, output, _said = await digsite(path, "forget", str(BEN))
        assert status == 0
        assert "taken out of 2 matches" in output
        assert traces(path.parent, BEN, NAME) == {}, "while the bot runs"
        async with asyncio.timeout(PATIENCE):
            while NAME in last_drawn(discord):
                await asyncio.sleep(0.05)
        bot.send_signal(signal.SIGKILL)
        await bot.communicate()
    assert traces(path.parent, BEN, NAME) == {}, "after a kill"
    async with tables_on(path, SystemClock()) as tables:
        assert (await tables.get(number)).seat_of(BEN) is None
        assert await tables.store.erasures.pending() == []


async def test_forget_person_with_text_only_choice_alone(path: Path) -> None:
    async with tables_on(path, SystemClock()) as tables:
        await tables.store.set_text_only("person", BEN, True)
    assert (await kept(path, BEN))["text_only"] is True
    status, output, _said = await digsite(path, "forget", str(BEN))
    assert status == 0
    assert "taken out of 0 matches" in output
    assert traces(path.parent, BEN) == {}
    assert (await kept(path, BEN))["text_only"] is False


@pytest.mark.system
async def test_forget_names_older_copies_of_the_store(path: Path) -> None:
    await some_tables(path)
    left = [f"{path.name}.layout-2", f"{path.name}.layout-3-2.4711.part", f"{path.name}.rescued"]
    for name in (*left, f"{path.name}.lock", "my.layout-1"):
        path.with_name(name).touch()
    for _time in ("forgotten now", "nothing is kept any more"):
        _status, output, _said = await digsite(path, "forget", str(BEN))
        assert f"only you can delete them: {', '.join(left)}." in output


async def test_forget_unknown_person_changes_nothing(path: Path) -> None:
    await some_tables(path)
    before = path.read_bytes()
    status, output, _said = await digsite(path, "forget", str(snowflake(9)))
    assert status == 0
    assert "Nothing in" in output
    assert path.read_bytes() == before


@pytest.mark.parametrize(
    "text", ["", "Ben", "12", "-1", "1e17", "０" * 18, f" {BEN}", "9" * 19, f"<@{BEN}>", "\u202e\x1b[2J"]
)
def test_a_text_that_is_no_user_id_is_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(NoUserId, match="no user id") as refused:
        read_user_id(text)
    assert "\x1b" not in str(refused.value)


@pytest.mark.system
@pytest.mark.parametrize("name", ["forget", "export"])
async def test_both_commands_refuse_a_wrong_user_id_and_a_missing_file(path: Path, name: str) -> None:
    status, output, said = await digsite(path, name, "Ben")
    assert (status, output) == (2, "")
    assert "no user id" in said
    status, output, said = await digsite(path, name, str(BEN))
    assert (status, output) == (2, "")
    assert "There is no file" in said
    assert not path.exists()
    path.write_bytes(b"somebody's letter" * 300)
    status, output, said = await digsite(path, name, str(BEN))
    assert (status, output) == (2, "")
    assert path.read_bytes() == b"somebody's letter" * 300


def settings_for(path: Path) -> Settings:
    return Settings(_env_file=None, database_path=path)  # pyright: ignore[reportCallIssue]


async def test_forget_reports_a_timeout_and_the_bot_does_it_later(
    path: Path, tables: Tables, monkeypatch: pytest.MonkeyPatch
) -> None:
    await match_of(tables, ANA, BEN)
    monkeypatch.setattr(forget_command, "AT_MOST", 0.3)
    done, output = await forget_command.forget(settings_for(path), BEN)
    assert not done
    assert "within a minute" in output
    assert [each.user_id for each in await tables.store.erasures.pending()] == [BEN]


async def test_forget_reports_remains_that_could_not_be_wiped(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await some_tables(path)
    monkeypatch.setattr(forget_command, "Erasures", partial(Erasures, wipe_within=0.2))
    with closing(reader(path)):
        done, output = await forget_command.forget(settings_for(path), BEN)
        assert not done
        assert "traces are left" in output
    assert await forget_command.forget(settings_for(path), snowflake(9)) == (
        True,
        f"Nothing in {path} names {snowflake(9)}. Nothing was changed.",
    )
    host, _drawn = make_host(path, SystemClock())
    await host.start()
    await run_due(host)
    assert traces(path.parent, BEN, NAME) == {}
    await host.close()


async def test_starting_bot_waits_for_a_running_forget(path: Path) -> None:
    await some_tables(path)
    held, waits = in_file(path, SystemClock()), in_file(path, SystemClock(), lock_timeout=5)
    await held.open()
    opening = asyncio.create_task(waits.open())
    await asyncio.sleep(0.2)
    assert not opening.done()
    await held.close()
    await opening
    await waits.close()


# -- export


async def kept(path: Path, user: int) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(await export(FileBackend(path), user, 1_800_000_000.0))
    return found


async def test_export_names_the_messages_in_the_channel_of_a_thread(path: Path) -> None:
    async with tables_on(path, ManualClock()) as tables:
        match = await match_of(tables, BEN, CARA)

        def in_a_thread(draft: Draft) -> None:
            draft.table.body.thread = MatchThread(3, opened=True, starter=41, parent_result=42)
            draft.touch()

        await change(tables, match, in_a_thread)
        found = [(await kept(path, user))["matches"][0]["messages_with_the_name"] for user in (BEN, CARA)]
    assert [each.get("thread") for each in found] == ["41", None], "the host's name is in the first message"
    assert [each["result_in_channel"] for each in found] == ["42", "42"]


async def test_export_of_a_match_in_a_group_names_its_channel_and_no_server(path: Path) -> None:
    async with tables_on(path, ManualClock()) as tables:
        match = await match_of(tables, BEN, CARA)

        def in_a_group(draft: Draft) -> None:
            draft.table.guild_id = 0
            draft.touch()

        await change(tables, match, in_a_group)
        [output] = (await kept(path, BEN))["matches"]
    assert output["server_id"] is None
    assert output["channel_id"] == str(match.channel_id)


async def test_export_holds_all_stored_data_of_a_person(path: Path) -> None:
    clock = ManualClock()
    async with tables_on(path, clock) as tables:
        waiting = await open_lobby(tables, BEN, CARA, channel=3)
        await change(tables, waiting, lambda draft: lobby.add_word(draft, BEN, "abracadabra"))
        match, presses = await begin(tables, waiting), Presses(tables)
        for _ in range(30):
            match = await presses.move(match)
        match = await change(tables, match, lambda draft: ending.vote_end(draft, BEN))
        match = await change(tables, match, lambda draft: go_on_holiday(draft, BEN, int(clock.now()) + 60))
        moves = [move for move in await tables.store.moves(match.id) if move.seat == 0]
        data = await kept(path, BEN)
        [output] = data["matches"]
    assert data["user_id"] == str(BEN)
    assert data["exported_at"] == "2027-01-15T08:00:00+00:00"
    assert output["match"] == match.id
    assert (output["game"], output["server_id"], output["channel_id"]) == ("archaeology", "1", "3")
    assert (output["seat"], output["sits_there"], output["hosts"], output["name"]) == (1, True, True, NAME)
    assert (output["lucky_word"], output["wishes_to_end"], output["status"]) == (
        "abracadabra",
        True,
        "playing",
    )
    assert output["messages_with_the_name"] == {"table": str(match.body.messages.board)}
    assert [(move["number"], move["interaction_id"]) for move in output["moves"]] == [
        (move.sequence, str(move.interaction_id)) for move in moves
    ]
    assert output["moves_not_told_apart"] == 0
    assert [event["what"] for event in output["events"]] == ["end-vote", "holiday"]
    assert (output["away"], output["on_holiday_until"]) == (True, "2027-01-15T08:01:00+00:00")
    if 0 in match.body.asked:
        assert output["asked"]["since"] == "2027-01-15T08:00:00+00:00"


async def test_export_tells_guests_of_a_lobby_that_they_were_asked_and_declined(path: Path) -> None:
    async with tables_on(path, ManualClock()) as tables:
        waiting = await open_lobby(tables, ANA, channel=3)

        def ask(draft: Draft) -> None:
            draft.table.body.guests = [BEN, CARA]
            lobby.decline(draft, CARA)

        await change(tables, waiting, ask)
        found = [(await kept(path, user))["matches"][0] for user in (BEN, CARA, ANA)]
    assert [(each["asked_to_join"], each["declined"]) for each in found] == [
        (True, False),
        (True, True),
        (False, False),
    ]


async def test_export_and_forget_know_results_and_choices_of_matches_that_are_deleted(path: Path) -> None:
    async with tables_on(path, SystemClock()) as tables:
        await end(tables.store, {ANA: 1, BEN: 2})
        await tables.store.results.switch("person", BEN, on=False)
        await tables.store.purge(1e12)
    data = await kept(path, BEN)
    [result] = data["results"]
    assert (result["place"], result["score"], result["seat"]) == (2, 8, 2)
    assert result["rating_before"] == {"mu": 25.0, "sigma": 25 / 3}
    assert str(ANA) not in json.dumps(data)
    assert result["feats"] == {}
    assert data["choices"] == {"ratings": "off"}
    assert data["wishes"] == []
    status, said, _ = await digsite(path, "forget", str(BEN))
    assert status == 0
    assert "taken out" in said
    assert traces(path.parent, BEN) == {}


async def test_export_and_forget_know_a_wish_for_a_match(path: Path) -> None:
    async with tables_on(path, SystemClock()) as tables:
        await ask(tables, Wish(7, BEN, snowflake(9), 8, "archaeology", None, "mail", 0.0, 0.0))
        await ask(tables, Wish(7, snowflake(8), snowflake(10), 8, None, 2, "mail", 0.0, 0.0))
    data = await kept(path, BEN)
    [wish] = data["wishes"]
    assert (wish["server_id"], wish["channel_id"], wish["game"], wish["seats"]) == (
        "7",
        "8",
        "archaeology",
        None,
    )
    assert (wish["interaction_id"], wish["mode"], wish["match"]) == (str(snowflake(9)), "mail", None)
    assert wish["since"] < wish["ends"]
    assert str(snowflake(8)) not in json.dumps(data)
    status, _said, _ = await digsite(path, "forget", str(BEN))
    assert status == 0
    assert traces(path.parent, BEN) == {}
    assert traces(path.parent, snowflake(8))


async def test_export_and_forget_know_the_daily_deals_of_a_person(path: Path) -> None:
    async with tables_on(path, SystemClock()) as tables:
        match = await play(tables, Seat("Ben", BEN), 10, 10, "en", 0)
        await play(tables, Seat("Ana", ANA), 10, 10, "en", 0)
        day = day_of(tables.utc)
    data = await kept(path, BEN)
    assert data["daily_deals"] == [
        {"day": date_of(day).isoformat(), "server_id": "10", "match": match.id, "score": None}
    ]
    assert data["matches"][0]["channel_id"] is None
    assert match.body.host_seed not in json.dumps(data)
    status, said, _ = await digsite(path, "forget", str(BEN))
    assert status == 0
    assert "taken out" in said
    assert traces(path.parent, BEN) == {}
    assert (await kept(path, ANA))["daily_deals"]


async def test_export_holds_nothing_hidden_or_of_others(path: Path, tables: Tables) -> None:
    waiting = await open_lobby(tables, ANA, BEN, snowflake(8), channel=3)
    await change(tables, waiting, lambda draft: lobby.add_word(draft, snowflake(8), "open sesame"))
    match, presses = await begin(tables, waiting), Presses(tables)
    for _ in range(60):
        match = await presses.move(match)
    text = await export(FileBackend(path), BEN, 1.0)
    row = await tables.store.table(match.id)
    assert row is not None
    assert row.snapshot is not None
    for hidden in (
        match.body.host_seed,
        "Ana",
        str(snowflake(8)),
        "open sesame",
        "hands",
        "site",
        "snapshot",
    ):
        assert hidden not in text
    own = {move["number"] for move in json.loads(text)["matches"][0]["moves"]}
    others = {move.sequence for move in await tables.store.moves(match.id) if move.seat != 1}
    assert own
    assert not own & others


async def test_export_separates_moves_of_successive_seat_holders(path: Path, tables: Tables) -> None:
    match, presses = await match_of(tables, ANA, BEN), Presses(tables)

    async def several() -> None:
        for _ in range(12):
            await presses.turn(match)

    await several()
    bens = {move.sequence for move in await tables.store.moves(match.id) if move.seat == 1}
    await leave(tables, match, BEN)
    await tables.take_over(match.id, snowflake(8), "Cara", 1)
    await several()
    caras = {move.sequence for move in await tables.store.moves(match.id) if move.seat == 1} - bens
    assert bens
    assert caras

    async def moves_of(user: int) -> set[int]:
        [output] = (await kept(path, user))["matches"]
        return {move["number"] for move in output["moves"]}

    assert await moves_of(BEN) == bens
    assert await moves_of(snowflake(8)) == caras
    [output] = (await kept(path, BEN))["matches"]
    assert (output["seat"], output["sits_there"], output["may_come_back"], output["name"]) == (
        2,
        False,
        False,
        NAME,
    )
    assert output["moves_not_told_apart"] == 0
    assert [event["what"] for event in output["events"]] == ["left"]
    [output] = (await kept(path, snowflake(8)))["matches"]
    assert [event["what"] for event in output["events"]] == ["took-over"]
    await leave(tables, match, snowflake(8))
    await tables.take_over(match.id, DAN, "Dan", 1)
    assert await moves_of(BEN) == set(), "of three that follow each other only the last is known"
    assert (await kept(path, BEN))["matches"][0]["moves_not_told_apart"] == len(bens | caras)


async def test_export_has_a_lucky_word_only_for_its_giver(path: Path, tables: Tables) -> None:
    waiting = await open_lobby(tables, ANA, BEN)
    await change(tables, waiting, lambda draft: lobby.add_word(draft, BEN, "abracadabra"))
    match = await begin(tables, waiting)
    await leave(tables, match, BEN)
    assert (await kept(path, BEN))["matches"][0]["lucky_word"] == "abracadabra"
    await tables.take_over(match.id, snowflake(8), "Cara", 1)
    assert (await kept(path, BEN))["matches"][0]["lucky_word"] == "abracadabra"
    assert (await kept(path, snowflake(8)))["matches"][0]["lucky_word"] is None


async def test_export_includes_left_lobbies_seals_and_pending_requests(path: Path, tables: Tables) -> None:
    waiting = await open_lobby(tables, ANA, BEN, channel=1)
    await change(tables, waiting, lambda draft: lobby.leave_lobby(draft, BEN))
    [output] = (await kept(path, BEN))["matches"]
    assert (output["seat"], output["name"], output["moves"]) == (None, None, [])
    await match_of(tables, ANA, BEN, channel=2)
    await forget(tables, BEN)
    [output] = (await kept(path, BEN))["matches"]
    assert output["kept_from_other_seats"] is True
    assert (output["seat"], output["name"], output["sits_there"]) == (None, None, False)
    await tables.store.erasures.ask(BEN)
    assert len((await kept(path, BEN))["requests_to_be_forgotten"]) == 1


async def test_export_of_an_unreadable_match(path: Path, tables: Tables) -> None:
    match = await match_of(tables, ANA, BEN)
    row = await tables.store.table(match.id)
    assert row is not None
    row.body = row.body.replace('"form":1', '"form":9')

    def put(kept_row: Any) -> None:
        kept_row.body = row.body

    await tables.rewrite(match.id, put)
    [output] = (await kept(path, BEN))["matches"]
    assert output["readable"] is False
    assert output["seat"] == 2
    assert [part["name"] for part in output["beside_the_id"]] == [NAME]
    await tables.rewrite(match.id, lambda kept_row: setattr(kept_row, "body", row.body[:-2]))
    [output] = (await kept(path, BEN))["matches"]
    assert (output["readable"], output["seat"]) == (False, 2)


@pytest.mark.system
async def test_export_prints_ascii_beside_a_running_bot(
    path: Path,
) -> None:
    async with tables_on(path, SystemClock()) as tables:
        waiting = await open_lobby(tables, ANA, BEN)
        await change(tables, waiting, lambda d: (setattr(d.table.seats[1], "name", "Bén\u202e"), d.touch()))
        status, output, _said = await digsite(path, "export", str(BEN))
        assert status == 0
        assert output.isascii()
        assert json.loads(output)["matches"][0]["name"] == "Bén\u202e"
    before = path.read_bytes()
    status, again, _said = await digsite(path, "export", str(BEN))
    assert status == 0
    assert json.loads(again)["matches"] == json.loads(output)["matches"]
    assert path.read_bytes() == before
    assert (await kept(path, snowflake(9)))["matches"] == []


async def test_forget_and_export_refuse_an_older_layout(path: Path) -> None:
    await some_tables(path)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("PRAGMA user_version = 1")
    with pytest.raises(StoreError, match="older Digsite"):
        await export(FileBackend(path), BEN, 1.0)
    with pytest.raises(StoreError, match="older Digsite"):
        await forget_command.forget(settings_for(path), BEN)
