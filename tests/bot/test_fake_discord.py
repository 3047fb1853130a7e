"""The tests' Discord refuses, delivers and resumes as the real one does."""

from __future__ import annotations

import asyncio
from typing import Any

import aiohttp

from tests.bot.fake_discord import FakeDiscord


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
        assert ([session.process for session in made.receivers], made.by) == (["one", "two"], "two")
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
