"""The daily deal is sealed a day ahead, by the leader, whether or not somebody asks for it."""

from __future__ import annotations

import asyncio
from pathlib import Path

from bot.tables.daily import day_of
from bot.tables.model import DAY
from tests.bot.hosts import make_host
from tests.manual_clock import ManualClock


async def test_deals_of_today_and_tomorrow_are_sealed_without_a_question(
    path: Path, clock: ManualClock
) -> None:
    host, _drawn = make_host(path, clock)
    await host.start()
    try:
        sealed = []
        for _ in range(3):
            await host.start_due()
            await asyncio.gather(*host.housekeeping.tasks)
            today = day_of(host.tables.utc)
            tomorrow = await host.store.daily.deal(today + 1)
            assert tomorrow is not None
            assert day_of(tomorrow.sealed_at) <= today
            sealed.append((tomorrow.game, tomorrow.seed))
            clock.advance(DAY)
        assert len({seed for _game, seed in sealed}) == 3
        assert sealed[0][0] != sealed[1][0], "the games take turns"
        assert sealed[0][0] == sealed[2][0]
    finally:
        await host.close()
