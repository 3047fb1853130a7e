"""Two bots on one token: the log names the likely cause, and only then."""

from __future__ import annotations

from typing import Any
from unittest.mock import patch

from simcord.http import FakeWebhookAdapter

from bot.ratelimit.limiter import count_try
from bot.ui.rival import AGAIN, ENOUGH, WITHIN
from tests.cogs.conftest import Mishaps
from tests.cogs.table_driver import Person, Room

RIVAL = "a second bot runs with the same DISCORD_TOKEN"


async def lose_a_press(room: Room, person: Person) -> None:
    """A press that the other bot has answered when this one tries to."""
    room.fail("POST", "/interactions/*/callback", 400, 40060)
    room.answers_missing += 1
    await room.deliver(person.pressing(room.pages()[0], "Rules & Settings"))


async def test_presses_that_somebody_else_answers_are_a_second_bots(room: Room, mishaps: Mishaps) -> None:
    _lobby, (ana, ben) = await room.lobby_of("Ana", "Ben")
    for person in (ana, ben)[: ENOUGH - 1]:
        await lose_a_press(room, person)
    assert mishaps.records == []
    await lose_a_press(room, ana)
    mishaps.expect(RIVAL)
    assert len(mishaps.records) == 1
    for _ in range(5):
        await lose_a_press(room, ben)
    assert len(mishaps.records) == 1, "it is told once an hour"
    await room.later(AGAIN)
    for _ in range(ENOUGH):
        await lose_a_press(room, ben)
    assert len(mishaps.records) == 2


async def test_a_press_that_is_lost_now_and_then_is_not(room: Room, mishaps: Mishaps) -> None:
    _lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    for _ in range(3 * ENOUGH):
        await lose_a_press(room, ana)
        await room.later(WITHIN / (ENOUGH - 1) + 1)
    assert mishaps.records == []


async def test_a_press_that_discord_delivers_twice_is_not(room: Room, mishaps: Mishaps) -> None:
    _lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    for _ in range(2 * ENOUGH):
        press = ana.pressing(room.pages()[0], "Rules & Settings")
        await room.deliver(press, press)
    assert mishaps.records == []


async def test_an_answer_that_discord_seemed_to_lose_and_had_taken_is_not(
    room: Room, mishaps: Mishaps
) -> None:
    """discord.py tries once more after an error of Discord's; that first try may have arrived."""
    _lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    request = FakeWebhookAdapter.request

    async def again(adapter: Any, route: Any, session: Any, **options: Any) -> Any:
        count_try()
        await request(adapter, route, session, **options)
        count_try()
        return await request(adapter, route, session, **options)

    with patch.object(FakeWebhookAdapter, "request", again):
        for _ in range(2 * ENOUGH):
            await room.deliver(ana.pressing(room.pages()[0], "Rules & Settings"))
    assert mishaps.records == []


async def test_other_refusals_are_not(room: Room, mishaps: Mishaps) -> None:
    _lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    for status, code in [(404, 10062), (403, 50013), (500, 0)] * ENOUGH:
        room.fail("POST", "/interactions/*/callback", status, code)
        room.answers_missing += 1
        await room.deliver(ana.pressing(room.pages()[0], "Rules & Settings"))
    assert mishaps.records == []
