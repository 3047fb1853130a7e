"""The observations of the proof: acknowledgements, results, messages, and the locks and writes in the database."""

from __future__ import annotations

import asyncio
import json
import os
from dataclasses import replace
from typing import Any

import aiohttp
import asyncpg
import pytest

from bot.clock import SystemClock
from bot.store.model import LogRow
from bot.ui.screens.ids import Id
from engine.game import Event, dump_event
from tests.bench.busy_discord import Shown
from tests.bot.postgres import server
from tests.bot.tables.samples import ANA, BEN, Presses, match_of, tables_on
from tests.proof.discord import ProofDiscord, ShownMoves, acknowledges
from tests.proof.plan import Plan
from tests.proof.results import Result, events_flaw, flaws
from tests.proof.watch import COUNT, EVERY, KEY, MEMBER, OWNER, Watch

PRESSED = Id("g.dig", 7, "12")


def screen(*parts: Id | str) -> Shown:
    """A screen of these buttons and texts."""
    made = [
        {"type": 10, "content": part} if isinstance(part, str) else {"type": 2, "custom_id": str(part)}
        for part in parts
    ]
    return Shown(1, 1, made)


@pytest.mark.parametrize(
    ("shown", "acknowledged"),
    [
        pytest.param(screen("You dig.", Id("g.end", 7, "13")), True, id="the next decision"),
        pytest.param(screen("Ben is next.", Id("more", 7)), True, id="somebody else's turn"),
        pytest.param(screen("Which?", Id("g.dig", 7, "12")), False, id="the same decision"),
        pytest.param(screen("ℹ️ This press did nothing.", Id("g.end", 7, "13")), False, id="a stale press"),
        pytest.param(screen("⚠️ You cannot.", Id("g.end", 7, "13")), False, id="a refused move"),
        pytest.param(screen("I could not save that."), False, id="nothing was saved"),
        pytest.param(screen(Id("change-answer", 7, "12")), False, id="a premove"),
    ],
)
def test_changed_screen_without_remark_acknowledges_a_move(shown: Shown, acknowledged: bool) -> None:
    assert acknowledges(PRESSED, shown) == acknowledged


def test_screens_show_the_number_of_moves() -> None:
    received = ShownMoves()
    for shown in (screen(Id("g.dig", 7, "12")), screen(Id("undo", 7, "15.1")), screen(Id("g.dig", 7, "9"))):
        received.note(shown)
    assert received.moves == {7: 15}


WON = Result(7, 21, ("Ana wins!",), ended_at=100.0)
ANNOUNCED_WON = {7: {21: screen("Ana wins!", Id("again", 7))}}


@pytest.mark.parametrize(
    ("results", "posted", "wrong"),
    [
        pytest.param([WON], ANNOUNCED_WON, (0, 0, 0), id="told once"),
        pytest.param([WON], {7: {**ANNOUNCED_WON[7], 22: screen("Ana wins!")}}, (1, 0, 1), id="told twice"),
        pytest.param([WON], {}, (0, 1, 0), id="not told"),
        pytest.param([replace(WON, ended_at=300.0)], {}, (0, 0, 0), id="ended just now"),
        pytest.param([WON], {7: {21: screen("Ben wins!")}}, (0, 0, 1), id="told otherwise"),
        pytest.param([], ANNOUNCED_WON, (0, 0, 1), id="told before the end"),
    ],
)
def test_result_must_be_posted_once_and_correctly(
    results: list[Result], posted: dict[int, dict[int, Shown]], wrong: tuple[int, int, int]
) -> None:
    twice, unannounced, false = flaws(results, posted, notified_until=200.0)
    assert (len(twice), len(unannounced), len(false)) == wrong


def test_log_must_match_the_moves_without_duplicates() -> None:
    events = [Event("dug", 0, {"n": 1}), Event("over", None, reveals=True)]
    log = [LogRow("game", 1, json.dumps(dump_event(event)), 0.0) for event in events]
    log.append(LogRow("table", 1, json.dumps({"kind": "undone", "seat": 0}), 0.0))
    assert events_flaw(events, log) is None
    assert events_flaw(events, [*log, log[1]]) is not None
    assert events_flaw(events, log[:1]) is not None


async def test_a_message_is_not_posted_twice_under_one_nonce() -> None:
    fake, components = ProofDiscord(Plan(), set()), [{"type": 10, "content": "Ana wins!"}]
    async with fake.serving(), aiohttp.ClientSession() as http:
        address = f"{fake.addresses('one')[0]}/channels/5/messages"

        async def post(nonce: str) -> str:
            message = {"components": components, "nonce": nonce, "enforce_nonce": True}
            async with http.post(address, json=message) as posted:
                return str((await posted.json())["id"])

        first = await post("a")
        assert await post("a") == first
        assert await post("b") != first
        assert len(fake.channels[5]) == 2
        async with http.get(address) as listed:
            assert [each["components"] for each in await listed.json()] == [components] * 2


async def test_watch_detects_owners_foreign_writes_and_version_gaps() -> None:
    running = server()
    url = running.url(await running.database())

    async def connected(pid: int) -> Any:
        name = f"digsite 1.2.0+build my-host-{pid}"
        return await asyncpg.connect(url, server_settings={"application_name": name})

    async with tables_on(url, SystemClock()) as tables:
        watch = Watch(url, 12)
        await watch.start()
        sound, broken = [await match_of(tables, ANA, BEN, channel=channel) for channel in (1, 2)]
        for table in (sound, broken):
            for _ in range(3):
                await Presses(tables).move(await tables.get(table.id))
    seen, shard = watch.seen, (sound.guild_id >> 22) % 12
    owner, member, other = await connected(41), await connected(42), await asyncpg.connect(url)
    await owner.execute(
        f"SELECT pg_advisory_lock({KEY + OWNER}, {shard}), pg_advisory_lock({KEY + COUNT}, 12)"
    )
    await member.execute(f"SELECT pg_advisory_lock_shared({KEY + MEMBER}, 0)")
    for connection in (owner, member):
        await connection.execute("UPDATE digsite.tables SET version = version + 1 WHERE id = $1", sound.id)
    for change in ("version = version + 2", "body = body || ' '", "version = version - 1"):
        await other.execute(f"UPDATE digsite.tables SET {change} WHERE id = $1", broken.id)
    for expected in (41, None):
        async with asyncio.timeout(5):
            while not seen.looks or seen.owner(shard, seen.looks[-1]) != expected:
                await asyncio.sleep(EVERY)
        await owner.close()
    await watch.stop()
    await asyncio.gather(member.close(), other.close())
    assert [owner for _at, owner in seen.owners(shard)] == [None, 41, None]
    assert [owner for _at, owner in seen.owners((shard + 1) % 12)] == [None]
    assert seen.holders(MEMBER, 0, seen.looks[-1]) == {42}
    assert sorted(session.until < seen.looks[-1] for session in seen.sessions.values()) == [False, True]
    assert seen.writes > 8
    assert all(f"table {broken.id}: " in received for received in seen.breaks)
    assert [received.endswith("and is silent") for received in seen.breaks] == [False, True, False]
    foreign = {(write.table, write.shard, write.process) for write in seen.foreign_writes}
    assert foreign >= {(sound.id, shard, os.getpid()), (broken.id, shard, None), (sound.id, shard, 42)}
    assert 41 not in {process for _table, _shard, process in foreign}
