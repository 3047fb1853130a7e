"""A press that another process may have got too is served by whichever has Discord take its answer first."""

from __future__ import annotations

import asyncio
import logging
from typing import Any
from unittest.mock import patch

import pytest
from simcord.http import FakeWebhookAdapter

from bot.fleet.member import Admission, Alone
from bot.ui import interaction as visit
from tests.cogs.table_driver import Room


@pytest.fixture(autouse=True)
def handed_over(monkeypatch: pytest.MonkeyPatch) -> None:
    """The shards have just been handed over to this process."""

    async def admit(_fleet: Alone, guild: int) -> Admission:
        return "claimed"

    monkeypatch.setattr(Alone, "admit", admit)


async def test_one_whose_answer_discord_seemed_to_lose_and_had_taken_is_served(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    """discord.py tries once more after an error of Discord's, and is then refused because of its own first try."""
    await room.lobby_of("Ana", "Ben")
    cara = room.person("Cara")
    monkeypatch.setattr(visit, "TRIED_AGAIN", 0.01)
    request = FakeWebhookAdapter.request

    async def again(adapter: Any, route: Any, session: Any, **options: Any) -> Any:
        done = await request(adapter, route, session, **options)
        if not route.url.endswith("/callback"):
            return done
        await asyncio.sleep(0.02)
        return await request(adapter, route, session, **options)

    with patch.object(FakeWebhookAdapter, "request", again):
        await room.deliver(cara.pressing(room.pages()[0], "Join"))
    assert len((await room.table()).body.seats) == 3


@pytest.mark.parametrize(
    ("status", "code", "said"),
    [(400, 40060, "another process has answered"), (500, 0, "could not be claimed"), (404, 10062, "claimed")],
)
async def test_one_that_cannot_be_claimed_is_not_carried_out_and_the_log_says_why(
    room: Room, caplog: pytest.LogCaptureFixture, status: int, code: int, said: str
) -> None:
    await room.lobby_of("Ana", "Ben")
    caplog.set_level(logging.INFO, "bot.ui.router")
    room.fail("POST", "/interactions/*/callback", status, code)
    room.answers_missing = 1
    await room.deliver(room.person("Cara").pressing(room.pages()[0], "Join"))
    assert len((await room.table()).body.seats) == 2
    lines = [record.getMessage() for record in caplog.records if record.name == "bot.ui.router"]
    assert [said in line for line in lines] == [True]
