"""What the proof takes for an acknowledgement, and what its Discord refuses, as the real one does."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp
import pytest

from bot.ui.ids import Id
from tests.bench.busy_discord import Shown
from tests.bot.fake_discord import FakeDiscord
from tests.proof.discord import Told, acknowledges

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
        pytest.param(screen(Id("change-answer", 7, "12")), False, id="an answer ahead"),
    ],
)
def test_a_screen_acknowledges_a_move_if_it_offers_something_else_without_a_remark(
    shown: Shown, acknowledged: bool
) -> None:
    assert acknowledges(PRESSED, shown) == acknowledged


def test_what_screens_offer_tells_how_many_moves_a_match_has() -> None:
    told = Told()
    for shown in (screen(Id("g.dig", 7, "12")), screen(Id("undo", 7, "15.1")), screen(Id("g.dig", 7, "9"))):
        told.note(shown)
    assert told.moves == {7: 15}


async def identify(socket: aiohttp.ClientWebSocketResponse, shard: int) -> str | int:
    """Identifies as a shard of 32; returns what Discord says: an event's name, or another operation's number."""
    assert (await socket.receive_json())["op"] == 10
    await socket.send_json({"op": 2, "d": {"token": "x", "shard": [shard, 32]}})
    said: dict[str, Any] = await socket.receive_json()
    return said["t"] or said["op"]


async def test_a_press_reaches_all_sessions_of_its_shard_and_takes_one_answer_in_time() -> None:
    async with FakeDiscord(patience=0.3).serving() as fake, aiohttp.ClientSession() as http:
        sockets = {name: await http.ws_connect(fake.gateway(name)) for name in ("one", "two", "three")}
        for name, shard in (("one", 5), ("two", 5), ("three", 6)):
            assert await identify(sockets[name], shard) == "READY"

        async def answer(name: str, number: int) -> int:
            address = f"{fake.addresses(name)[0]}/interactions/{number}/token{number}/callback"
            async with http.post(address, json={"type": 6}) as answered:
                return int((await answered.json(content_type=None)).get("code", 0))

        number = await fake.interact(3, {}, user=1, channel=1, guild=5 << 22)
        for name in ("one", "two"):
            assert (await sockets[name].receive_json())["d"]["id"] == str(number)
        assert [await answer("two", number), await answer("one", number)] == [0, 40060]
        made = fake.interactions[f"token{number}"]
        assert ([session.process for session in made.told], made.by) == (["one", "two"], "two")
        number = await fake.interact(3, {}, user=1, channel=1, guild=5 << 22)
        await asyncio.sleep(0.4)
        assert await answer("one", number) == 10062
        assert fake.interactions[f"token{number}"].late == ["one"]


async def test_a_second_identify_of_a_bucket_within_five_seconds_is_refused() -> None:
    async with FakeDiscord(concurrency=16).serving() as fake, aiohttp.ClientSession() as http:
        fake.keeps_identify_limit = True
        said = [
            await identify(await http.ws_connect(fake.gateway("one")), shard)
            for shard in (5, 6, 21)  # 21 is in the bucket of 5
        ]
        assert said == ["READY", "READY", 9]
        assert fake.refused_identifies == 1


async def test_a_lost_session_is_resumed_with_what_it_has_missed() -> None:
    async with FakeDiscord().serving() as fake, aiohttp.ClientSession() as http:
        socket = await http.ws_connect(fake.gateway("one"))
        assert await identify(socket, 0) == "READY"
        [session] = fake.sessions
        await asyncio.gather(session.socket.close(code=4000), socket.receive())
        await asyncio.sleep(0.05)
        assert not session.open
        session.send("GUILD_UPDATE", {})
        again = await http.ws_connect(fake.gateway("one"))
        await again.receive_json()
        await again.send_json({"op": 6, "d": {"token": "x", "session_id": session.id, "seq": 1}})
        assert [(await again.receive_json())["t"] for _ in range(2)] == ["GUILD_UPDATE", "RESUMED"]
