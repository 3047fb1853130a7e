"""An interaction and its answer: what was asked for is done, whether or not Discord takes the answer."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest

from bot.ui import interaction as module
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import Screen
from bot.ui.uploads import Uploads
from tests.manual_clock import ManualClock


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "DEFER_AFTER", 0.01)


def interaction_whose_deferral(error: Exception | None) -> Interaction:
    async def defer(**_given: Any) -> None:
        if error is not None:
            raise error
        await asyncio.sleep(60)

    raw = SimpleNamespace(
        id=1,
        user=SimpleNamespace(id=1),
        guild_id=1,
        channel_id=1,
        context=SimpleNamespace(dm_channel=False, private_channel=False),
        response=SimpleNamespace(defer=defer),
        message=None,
    )
    uploads = Uploads(ManualClock(0), lambda _reason: None)
    return Interaction(
        cast("discord.Interaction[Any]", raw), Id("hand"), lambda _user, locale: locale, uploads
    )


class Work:
    """Something that takes a while."""

    def __init__(self) -> None:
        self.done = self.cancelled = False

    async def do(self) -> Reply:
        try:
            await asyncio.sleep(0.1)
        except asyncio.CancelledError:
            await asyncio.sleep(0.02)  # as a write does that is under way
            self.cancelled = True
            raise
        self.done = True
        return Reply(Screen().text("done"))


async def test_what_was_asked_for_is_waited_for_though_discord_takes_no_deferral() -> None:
    response: Any = SimpleNamespace(status=404, reason="Not Found")
    late = discord.NotFound(response, {"code": 10062, "message": "Unknown interaction"})
    work = Work()
    with pytest.raises(discord.NotFound):
        await interaction_whose_deferral(late).serve(work.do(), "ephemeral")
    assert work.done


@pytest.mark.parametrize("after", [0.0, 0.005, 0.03])
async def test_who_cancels_an_answer_cancels_the_work_too_and_waits_for_it(after: float) -> None:
    work = Work()
    serving = asyncio.create_task(interaction_whose_deferral(None).serve(work.do(), "ephemeral"))
    await asyncio.sleep(after)
    serving.cancel()
    with pytest.raises(asyncio.CancelledError):
        await serving
    assert work.cancelled or after == 0.0
    assert not work.done
