"""Over HTTP: one account keeps many tables busy, and a stranger is still served soon, counted in requests made."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from tests.bench import busy_discord, stranger
from tests.bench.busy_discord import BusyDiscord
from tests.bench.stranger import Crowd, bot_and_discord
from tests.patience import PATIENCE

pytestmark = pytest.mark.system

TABLES = 60
FEW = 15
"""How many requests may be made before a stranger's few are all done. Each of the busy tables needs three."""
HOST, FRIEND = 10, 11
CHANNEL = 9_999


@pytest.fixture
async def discord_here(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> AsyncIterator[BusyDiscord]:
    """A simulated Discord, and a bot without limits on tables with few requests a second, so its tables stay busy."""
    monkeypatch.setattr(busy_discord, "ANSWERS_IN", 0.01)
    monkeypatch.setattr(stranger, "TABLES", TABLES)
    async with bot_and_discord(REQUESTS="15", REDRAW_INTERVAL="0", AGENT_DELAY="[60, 60]") as fake:
        yield fake


@pytest.mark.parametrize(
    ("spread", "server"), [(False, 1), (True, 2)], ids=["in the same server", "in as many other servers"]
)
async def test_a_strangers_match_is_started_and_brought_down_while_sixty_others_wait_to_be_drawn(
    discord_here: BusyDiscord, spread: bool, server: int
) -> None:
    fake = discord_here
    crowd = Crowd(fake, spread=spread)
    async with asyncio.timeout(PATIENCE):
        await crowd.open_tables()
    async with crowd.playing(), asyncio.timeout(PATIENCE):
        await fake.command("start", user=HOST, guild=server, channel=CHANNEL)
        lobby = await fake.stands(CHANNEL, "join")
        lobby = await (await fake.use(lobby, "join", user=FRIEND, guild=server)).shown
        before = fake.counted
        await fake.use(lobby, "start", user=HOST, guild=server)
        board = await fake.stands(CHANNEL, "hand")
        assert fake.counted - before <= FEW
        before = fake.counted
        await fake.command("table", user=HOST, guild=server, channel=CHANNEL)
        await fake.stands(CHANNEL, "hand", after=board.id)
        assert fake.counted - before <= FEW
        waiting = [channel for channel in crowd.channels if fake.standing(channel, "hand") is None]
        assert len(waiting) > TABLES / 2, "the account's own tables still wait"
        assert fake.refused == 0
