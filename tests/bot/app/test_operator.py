"""Decisions of an operator by commands, with and without a running bot."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import asdict
from pathlib import Path

import pytest

from bot.app.controls import BLOCKED, LONGEST_NOTICE
from bot.app.host import Host
from bot.app.operator import ORDERS, Operator, Order, OrderKind
from bot.clock import SystemClock
from bot.tables.refusals import Refused
from tests.bot.cli.test_forget_and_export import digsite, kept
from tests.bot.fake_discord import FakeDiscord
from tests.bot.hosts import Drawn, make_host, run_due
from tests.bot.postgres import server
from tests.bot.tables.samples import ANA, BEN, CARA, match_of, open_lobby, tables_on

SERVER = 1
"""The server of the fake Discord."""


KEPT = (
    "The notice is saved. Each table message shows it from its next redraw on, and all of them are due now."
)


@pytest.fixture
async def begun(path: Path) -> AsyncIterator[tuple[Host, Drawn]]:
    host, drawn = make_host(path, SystemClock())
    await host.start()
    try:
        yield host, drawn
    finally:
        await host.close()


async def ordered(host: Host, what: OrderKind, argument: str) -> str:
    """Carries out an order that is to be carried out; returns what is said of it."""
    done = await host.housekeeping.operator.do(Order(1, what, argument, "a test"))
    assert done.done, done.said
    return done.said


async def may_open(host: Host, person: int, channel: int) -> bool:
    try:
        await open_lobby(host.tables, person, channel=channel)
    except Refused as refused:
        if refused.code not in ("blocked-person", "blocked-server"):
            raise
        return False
    return True


async def test_a_blocked_person_opens_and_takes_over_nothing_until_allowed_again(
    begun: tuple[Host, Drawn],
) -> None:
    host, _drawn = begun
    table = await match_of(host.tables, ANA, BEN, channel=1)
    await ordered(host, "block-person", str(CARA))
    assert not await may_open(host, CARA, 2)
    assert await may_open(host, ANA, 3), "nobody else is blocked"
    with pytest.raises(Refused, match="blocked-person"):
        await host.tables.take_over(table.id, CARA, "Cara", 0)
    await ordered(host, "allow-person", str(CARA))
    assert await may_open(host, CARA, 2)


async def test_a_blocked_server_opens_nothing(begun: tuple[Host, Drawn]) -> None:
    host, _drawn = begun
    guild = (await match_of(host.tables, ANA, BEN, channel=1)).guild_id
    await ordered(host, "block-server", str(guild))
    assert not await may_open(host, CARA, 2)


async def test_blocks_and_the_notice_outlive_a_restart(path: Path) -> None:
    host, _drawn = make_host(path, SystemClock())
    await host.start()
    await ordered(host, "block-person", str(CARA))
    await ordered(host, "notice", "Back at ten")
    await host.close()
    host, _drawn = make_host(path, SystemClock())
    await host.start()
    assert host.notice.text == "Back at ten"
    assert not await may_open(host, CARA, 2)
    await host.close()


async def test_a_table_is_ended_and_its_message_drawn(begun: tuple[Host, Drawn]) -> None:
    host, drawn = begun
    match, waiting = (
        await match_of(host.tables, ANA, BEN, channel=1),
        await open_lobby(host.tables, CARA, channel=2),
    )
    await run_due(host)
    drawn.tables.clear()
    for table in (match, waiting):
        await ordered(host, "end", str(table.id))
        now = await host.tables.get(table.id)
        assert (now.status, now.body.ending) == ("abandoned", "operator")
        done = await host.housekeeping.operator.do(Order(1, "end", str(table.id), "a test"))
        assert not done.done, "it has ended already"
    await run_due(host)
    assert {match.id, waiting.id} <= {*drawn.tables}


async def test_a_table_that_cannot_be_read_is_unlocked(begun: tuple[Host, Drawn]) -> None:
    host, _drawn = begun
    table = await match_of(host.tables, ANA, BEN, channel=1)
    await host.tables.rewrite(table.id, lambda row: setattr(row, "snapshot", '{"form": 999}'))
    with pytest.raises(Refused, match="unreadable"):
        await host.tables.get(table.id)
    await ordered(host, "end", str(table.id))
    assert await may_open(host, CARA, 1), "its channel is free"


async def test_a_notice_has_every_live_table_drawn_and_no_other(begun: tuple[Host, Drawn]) -> None:
    host, drawn = begun
    tables = [await match_of(host.tables, ANA, BEN, channel=channel) for channel in (1, 2, 3)]
    await ordered(host, "end", str(tables[2].id))
    await run_due(host)
    drawn.tables.clear()
    said = await ordered(host, "notice", "Back at ten\x00!")
    assert "Each table message shows it from its next redraw on" in said
    assert drawn.tables == []
    await run_due(host)
    assert {*drawn.tables} == {tables[0].id, tables[1].id}
    assert host.notice.text == "Back at ten !"
    assert "The notice is withdrawn." in await ordered(host, "notice", "")


async def test_a_notice_that_is_too_long_is_refused_and_the_one_before_stays(
    begun: tuple[Host, Drawn],
) -> None:
    host, drawn = begun
    await match_of(host.tables, ANA, BEN)
    await ordered(host, "notice", "x" * LONGEST_NOTICE)
    await run_due(host)
    drawn.tables.clear()
    done = await host.housekeeping.operator.do(Order(1, "notice", "y" * (LONGEST_NOTICE + 1), "a test"))
    assert not done.done
    assert done.said == (
        "A notice may have 300 characters, and this one has 301. Nothing was changed; shorten it."
    )
    assert host.notice.text == "x" * LONGEST_NOTICE
    await run_due(host)
    assert drawn.tables == [], "nothing is drawn for it"


async def test_only_a_bot_can_leave_a_server_and_only_one_that_it_is_on(begun: tuple[Host, Drawn]) -> None:
    host, _drawn = begun
    left = list[int]()
    assert not (await host.housekeeping.operator.do(Order(1, "leave", "5", "a test"))).done

    async def leave(server: int) -> bool:
        left.append(server)
        return server == 5

    connected = Operator(host.tables, host.blocklist, host.notice, host.fleet, leave)
    assert (await connected.do(Order(1, "leave", "5", "a test"))).done
    assert not (await connected.do(Order(1, "leave", "6", "a test"))).done
    assert left == [5, 6]


async def test_an_order_in_the_store_is_carried_out_once_and_one_of_a_newer_version_never(
    begun: tuple[Host, Drawn], caplog: pytest.LogCaptureFixture
) -> None:
    host, _drawn = begun
    caplog.set_level("INFO", "bot.app.operator")
    order = asdict(Order(4, "notice", "Back at ten", "root (olga)", at=host.clock.now()))
    orders = [order, {"number": 5, "what": "dance", "argument": "", "by": "root"}]
    await host.store.set_fact(ORDERS, json.dumps(orders))
    for _ in range(3):
        await host.housekeeping.operator.take_up()
    assert host.notice.text == "Back at ten"
    said = [record.getMessage() for record in caplog.records]
    assert said == ["root (olga) ordered: notice Back at ten; done"]
    left = json.loads(await host.store.fact(ORDERS) or "")
    assert [(each["number"], "done" in each) for each in left] == [(4, True), (5, False)]


@pytest.mark.system
async def test_without_a_bot_a_command_does_it_by_itself(path: Path) -> None:
    async with tables_on(path, SystemClock()) as tables:
        table = await match_of(tables, ANA, BEN, channel=77)
    status, said, _ = await digsite(path, "block", "person", str(CARA))
    assert (status, said) == (0, f"{CARA} is blocked. Matches under way go on.\n")
    status, said, _ = await digsite(path, "end", str(table.id))
    assert (status, said) == (0, f"Table {table.id} has ended.\n")
    status, _, said = await digsite(path, "end", "999")
    assert status == 1
    assert said.endswith("There is no table with that number. Nothing was changed; check the number.\n")
    status, _, said = await digsite(path, "leave", "5")
    assert status == 1
    assert "No bot runs" in said
    async with tables_on(path, SystemClock()) as tables:
        assert list(json.loads(await tables.store.fact(BLOCKED) or "")["person"]) == [str(CARA)]
        assert not (await tables.get(table.id)).live


@pytest.mark.system
async def test_a_running_bot_carries_out_what_a_command_asks_of_it(path: Path) -> None:
    async with tables_on(path, SystemClock()) as tables:
        table = await match_of(tables, ANA, BEN, channel=77)
    async with FakeDiscord().serving() as discord:
        bot = await discord.start_bot(path, LOG_LEVEL="INFO")
        try:
            await discord.asked_for("PATCH", "/channels/77/messages/")
            discord.requests.clear()
            status, said, _ = await digsite(path, "notice", "Back at *ten*")
            assert (status, said) == (0, f"{KEPT}\n")
            shown = await discord.asked_for("PATCH", "/channels/77/messages/")
            assert "Back at *ten*" in json.dumps(shown, ensure_ascii=False)
            status, said, _ = await digsite(path, "end", str(table.id))
            assert (status, said) == (0, f"Table {table.id} has ended.\n")
        finally:
            bot.terminate()
            _out, errors = await bot.communicate()
    assert f"ordered: end {table.id}; done" in errors.decode()
    async with tables_on(path, SystemClock()) as tables:
        assert (await tables.get(table.id)).body.ending == "operator"
        assert json.loads(await tables.store.fact(ORDERS) or "") == [], "what was done is not kept"


@pytest.mark.system
async def test_on_a_database_orders_are_carried_out_with_and_without_a_bot(path: Path) -> None:
    running = server()
    url = running.url(await running.database())
    async with tables_on(url, SystemClock()) as tables:
        table = await match_of(tables, ANA, BEN, channel=77)
    status, said, _ = await digsite(path, "block", "person", str(CARA), DATABASE_URL=url)
    assert (status, said) == (0, f"{CARA} is blocked. Matches under way go on.\n")
    status, said, _ = await digsite(path, "tables", "--server", str(table.guild_id), DATABASE_URL=url)
    assert said.startswith(f"table {table.id}: archaeology, playing, in channel 77; 2 people")
    async with FakeDiscord().serving() as discord:
        bot = await discord.start_bot(path, DATABASE_URL=url)
        try:
            await discord.connected()
            # At once, so that each has to see the other's order.
            given = [("block", "person", str(BEN)), ("end", str(table.id)), ("notice", "Back at ten")]
            answers = await asyncio.gather(*(digsite(path, *each, DATABASE_URL=url) for each in given))
        finally:
            bot.terminate()
            await bot.communicate()
    assert [(status, said) for status, said, _ in answers] == [
        (0, f"{BEN} is blocked. Matches under way go on.\n"),
        (0, f"Table {table.id} has ended.\n"),
        (0, f"{KEPT}\n"),
    ]
    async with tables_on(url, SystemClock()) as tables:
        assert {*json.loads(await tables.store.fact(BLOCKED) or "")["person"]} == {str(BEN), str(CARA)}
        assert (await tables.get(table.id)).body.ending == "operator"
        assert json.loads(await tables.store.fact(ORDERS) or "") == [], "what was done is not kept"
    assert not path.exists()


@pytest.mark.system
async def test_live_tables_and_people_are_counted_by_server(path: Path) -> None:
    async with tables_on(path, SystemClock()) as tables:
        table = await match_of(tables, ANA, BEN, channel=1)
        await open_lobby(tables, ANA, CARA, channel=2)
        place = table.guild_id
    status, said, _ = await digsite(path, "tables")
    assert status == 0
    assert [line.split() for line in said.splitlines()] == [
        ["server", "tables", "people"],
        [str(place), "2", "3"],
        ["in", "all", "2", "3"],
    ]
    _status, said, _ = await digsite(path, "tables", "--server", str(place))
    first, second = said.splitlines()
    assert first.startswith(f"table {table.id}: archaeology, playing, in channel 1; 2 people, last changed")
    assert ": archaeology, lobby, in channel 2; 2 people" in second
    _status, said, _ = await digsite(path, "tables", "--server", "99")
    assert said == "There is no live table on the server 99.\n"


@pytest.mark.system
async def test_a_block_is_told_of_in_an_export_and_survives_forgetting(path: Path) -> None:
    async with tables_on(path, SystemClock()) as tables:
        await match_of(tables, ANA, BEN, channel=1)
    person = "123456789012345678"
    assert (await kept(path, int(person)))["blocked_since"] is None
    await digsite(path, "block", "person", person)
    assert (await kept(path, int(person)))["blocked_since"] is not None
    status, said, _ = await digsite(path, "forget", person)
    assert status == 0
    assert "is blocked, and so that id is kept" in said
    assert (await kept(path, int(person)))["blocked_since"] is not None


@pytest.mark.parametrize(
    "given", [("block", "person", "Ana"), ("block", "cat", "5"), ("end", "0"), ("notice",)]
)
async def test_what_makes_no_sense_is_refused(path: Path, given: tuple[str, ...]) -> None:
    status, _, said = await digsite(path, *given)
    assert status == 2
    assert "Traceback" not in said
