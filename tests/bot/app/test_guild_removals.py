"""A server that the bot is removed from: its matches sleep, wake if it is invited again, and end after a week."""

from __future__ import annotations

import asyncio
import logging
from pathlib import Path

import pytest

from bot.app.guild_removals import DOUBT_AGAIN, REMOVAL_GRACE, Removals, Servers
from bot.app.host import Host
from bot.people.privacy.erasures import Erasures
from bot.store.model import StoreFull
from bot.tables import lobby
from bot.tables.draft import AGENT, ALARM, REDRAW
from bot.tables.model import DAY, HOUR, MINUTE
from tests.bot.hosts import Drawn, make_host, run_due
from tests.bot.tables.samples import ANA, BEN, CARA, change, events_of, leave, match_of, open_lobby, refused
from tests.manual_clock import ManualClock

HERE = 1
"""The server of all sample tables."""


class Memberships(Servers):
    """Stands in for Discord: a test decides which servers the bot is on."""

    def __init__(self, *guilds: int) -> None:
        self.guilds = set(guilds)
        self.others: set[int] = set()
        """Servers of other processes."""
        self.asked: list[int] = []

    def memberships(self) -> set[int]:
        return self.guilds

    def is_ours(self, guild: int) -> bool:
        return guild not in self.others

    async def is_member(self, guild: int) -> bool:
        self.asked.append(guild)
        return guild in self.guilds


@pytest.fixture
def discord() -> Memberships:
    return Memberships(HERE)


async def running(path: Path, clock: ManualClock, discord: Memberships) -> tuple[Host, Drawn]:
    host, drawn = make_host(path, clock)
    await host.start()
    await host.housekeeping.removals.ready(discord)
    return host, drawn


@pytest.fixture
async def started(started: tuple[Host, Drawn], discord: Memberships) -> tuple[Host, Drawn]:
    await started[0].housekeeping.removals.ready(discord)
    return started


@pytest.fixture
def guilds(host: Host) -> Removals:
    return host.housekeeping.removals


async def removed(host: Host, discord: Memberships) -> None:
    """The bot is removed from the server."""
    discord.guilds.discard(HERE)
    await host.housekeeping.removals.left(HERE)


async def invited(host: Host, discord: Memberships) -> None:
    discord.guilds.add(HERE)
    await host.housekeeping.removals.joined(HERE)


async def jobs(host: Host) -> set[str]:
    return {job.kind for job in await host.store.due(1e12)}


async def pass_days(host: Host, clock: ManualClock, days: float) -> None:
    """Lets time pass while the host does what is due."""
    for _ in range(int(days * 24)):
        clock.advance(HOUR)
        await run_due(host)


async def test_nothing_is_drawn_played_or_counted_meanwhile(
    host: Host, drawn: Drawn, clock: ManualClock, discord: Memberships
) -> None:
    waiting = await open_lobby(host.tables, ANA, channel=1)
    asked = await match_of(host.tables, ANA, BEN, channel=2, limit=HOUR, first=0)
    agents = await match_of(host.tables, ANA, agents=1, channel=3, first=1)
    paused = await leave(host.tables, await match_of(host.tables, BEN, agents=1, channel=4, first=0), BEN)
    await removed(host, discord)
    assert await jobs(host) == set()
    await pass_days(host, clock, 6.9)
    assert drawn.tables == []
    for table in (waiting, asked, agents, paused):
        now = await host.tables.get(table.id)
        assert (now.status, now.sequence) == (table.status, table.sequence)
    assert await events_of(host.tables, asked) == []


async def test_a_change_meanwhile_draws_nothing_either(
    host: Host, drawn: Drawn, discord: Memberships
) -> None:
    await match_of(host.tables, ANA, BEN)
    await removed(host, discord)
    assert await Erasures(host.tables).forget(BEN) == "done"
    await run_due(host)
    assert drawn.tables == []
    assert await jobs(host) == set()


async def test_when_the_bot_is_back_within_a_week_all_is_as_it_was_and_nobody_has_lost_time(
    host: Host, drawn: Drawn, clock: ManualClock, discord: Memberships
) -> None:
    waiting = await open_lobby(host.tables, ANA, channel=1)
    asked = await match_of(host.tables, ANA, BEN, channel=2, limit=HOUR, first=0)
    unlimited = await match_of(host.tables, ANA, BEN, channel=3, limit=None, first=0)
    agents = await match_of(host.tables, ANA, agents=1, channel=4, first=1)
    clock.advance(10 * MINUTE)
    await removed(host, discord)
    await pass_days(host, clock, 6.5)
    gone = (6.5 * DAY) // HOUR * HOUR
    await invited(host, discord)
    now = await host.tables.get(asked.id)
    before = asked.body.asked[0].deadline
    assert before is not None
    assert now.body.asked[0].deadline == before + gone
    assert (await host.tables.get(unlimited.id)).body.asked[0].at == unlimited.body.asked[0].at + gone
    assert (await host.tables.get(waiting.id)).body.expires == (waiting.body.expires or 0) + gone
    assert {AGENT, ALARM, REDRAW} <= await jobs(host)
    await run_due(host)
    assert {waiting.id, asked.id, unlimited.id, agents.id} <= set(drawn.tables)
    assert (await host.tables.get(agents.id)).sequence > agents.sequence
    assert (await host.tables.get(asked.id)).status == "playing"
    clock.advance(HOUR)
    await run_due(host)
    assert await events_of(host.tables, asked) == ["missed"], "from then on time runs again"
    await pass_days(host, clock, 8)
    assert (await host.tables.get(asked.id)).body.ending != "server-left"


async def test_a_player_whose_time_had_almost_run_out_gets_some_minutes(
    host: Host, clock: ManualClock, discord: Memberships
) -> None:
    table = await match_of(host.tables, ANA, BEN, limit=HOUR, first=0)
    clock.advance(HOUR - 10)
    await removed(host, discord)
    clock.advance(DAY)
    await invited(host, discord)
    deadline = (await host.tables.get(table.id)).body.asked[0].deadline
    assert deadline == clock.now() - host.tables.time.downtime + 5 * MINUTE


async def test_after_a_week_they_end_and_are_deleted_as_others_are(
    host: Host, drawn: Drawn, clock: ManualClock, discord: Memberships, caplog: pytest.LogCaptureFixture
) -> None:
    waiting = await open_lobby(host.tables, ANA, channel=1)
    match = await match_of(host.tables, ANA, BEN, channel=2, limit=None)
    await run_due(host)
    drawn.tables.clear()
    await removed(host, discord)
    await pass_days(host, clock, REMOVAL_GRACE / DAY)
    for table in (waiting, match):
        now = await host.tables.get(table.id)
        assert (now.status, now.body.ending, now.ended_at) == ("abandoned", "server-left", clock.now())
    assert drawn.tables == [], "there is nowhere to draw them"
    assert await jobs(host) == set()
    assert len([record for record in caplog.records if record.levelno >= logging.WARNING]) == 1
    await pass_days(host, clock, host.settings.keep_days + 1.5)
    assert await refused(host.tables.get(match.id)) == "no-table"


async def test_the_sleep_and_its_end_outlast_restarts(
    path: Path, clock: ManualClock, discord: Memberships
) -> None:
    host, _drawn = await running(path, clock, discord)
    table = await match_of(host.tables, ANA, BEN, limit=HOUR, first=0)
    await removed(host, discord)
    for _ in range(3):
        await host.close()
        clock.advance(2 * DAY)
        host, _drawn = make_host(path, clock)
        await host.start()
        await run_due(host)
        await host.housekeeping.removals.ready(discord)
        await run_due(host)
        assert (await host.tables.get(table.id)).status == "playing"
        assert await jobs(host) == set()
    clock.advance(DAY)
    await run_due(host)
    assert (await host.tables.get(table.id)).status == "abandoned"
    await host.close()


async def test_a_removal_while_the_bot_was_down_is_found_at_the_start(
    path: Path, clock: ManualClock, discord: Memberships
) -> None:
    host, _drawn = make_host(path, clock)
    await host.start()
    table = await match_of(host.tables, ANA, BEN)
    await host.close()
    discord.guilds.clear()
    host, drawn = await running(path, clock, discord)
    await run_due(host)
    assert (await host.tables.get(table.id)).body.asleep is not None
    assert drawn.tables == []
    await pass_days(host, clock, 7)
    assert (await host.tables.get(table.id)).status == "abandoned"
    await host.close()


async def test_an_invitation_while_the_bot_was_down_is_found_before_anything_ends(
    path: Path, clock: ManualClock, discord: Memberships
) -> None:
    host, _drawn = await running(path, clock, discord)
    table = await match_of(host.tables, ANA, BEN)
    await removed(host, discord)
    await host.close()
    clock.advance(30 * DAY)
    host, drawn = make_host(path, clock)
    await host.start()
    await run_due(host)
    assert (await host.tables.get(table.id)).live, "not before it is known where the bot is"
    discord.guilds.add(HERE)
    await host.housekeeping.removals.ready(discord)
    clock.advance(10)
    await run_due(host)
    assert (await host.tables.get(table.id)).live
    assert drawn.tables == [table.id]
    await host.close()


async def test_servers_of_other_processes_are_left_alone(
    host: Host, guilds: Removals, discord: Memberships, clock: ManualClock
) -> None:
    table = await match_of(host.tables, ANA, BEN)
    discord.guilds.clear()
    discord.others.add(HERE)
    await guilds.ready(discord)
    await pass_days(host, clock, 8)
    assert (await host.tables.get(table.id)).live


async def test_a_removal_without_an_event_is_found_when_a_message_cannot_be_drawn(
    host: Host, drawn: Drawn, clock: ManualClock, discord: Memberships
) -> None:
    table = await match_of(host.tables, ANA, BEN)
    drawn.states.of(table.id).trouble = "no-permission"
    for _ in range(3):
        await run_due(host)
        await change(host.tables, table, lambda draft: draft.touch())
    assert discord.asked == [HERE], "not at every redraw"
    discord.guilds.clear()
    clock.advance(DOUBT_AGAIN)
    await run_due(host)
    assert (await host.tables.get(table.id)).body.asleep is not None


async def test_a_match_that_cannot_be_read_ends_as_well(
    host: Host, clock: ManualClock, discord: Memberships
) -> None:
    table = await match_of(host.tables, ANA, BEN)
    host.tables.cache.clear()
    host.tables.games = {}
    await removed(host, discord)
    await pass_days(host, clock, 7)
    row = await host.store.table(table.id)
    assert row is not None
    assert row.status == "abandoned"


async def test_a_crash_between_the_steps_leaves_none_behind(
    host: Host, guilds: Removals, discord: Memberships, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables = [await match_of(host.tables, ANA, BEN, channel=channel) for channel in (1, 2, 3)]
    commit, tries = host.store.commit, 0

    async def full(given: object) -> None:
        nonlocal tries
        tries += 1
        if tries == 2:
            raise StoreFull("no room")
        await commit(given)  # type: ignore[arg-type]

    monkeypatch.setattr(host.store, "commit", full)
    with pytest.raises(StoreFull):
        await removed(host, discord)
    await guilds.ready(discord)
    assert [(await host.tables.get(table.id)).body.asleep is not None for table in tables] == [True] * 3
    tries = 0
    with pytest.raises(StoreFull):
        await invited(host, discord)
    await guilds.ready(discord)
    assert [(await host.tables.get(table.id)).body.asleep for table in tables] == [None] * 3


async def test_of_a_removal_and_an_invitation_at_once_the_later_one_counts(
    host: Host, guilds: Removals, discord: Memberships
) -> None:
    table = await match_of(host.tables, ANA, BEN)
    await asyncio.gather(guilds.left(HERE), guilds.joined(HERE), guilds.left(HERE), guilds.joined(HERE))
    await run_due(host)
    assert (await host.tables.get(table.id)).body.asleep is None


async def test_a_server_without_live_tables_leaves_nothing_behind(host: Host, discord: Memberships) -> None:
    await removed(host, discord)
    assert await host.store.fact("departed") is None


async def test_people_can_still_be_forgotten_and_leave_meanwhile(host: Host, discord: Memberships) -> None:
    waiting = await open_lobby(host.tables, ANA, CARA)
    await removed(host, discord)
    await change(host.tables, waiting, lambda draft: lobby.leave_lobby(draft, CARA))
    await change(host.tables, waiting, lambda draft: lobby.leave_lobby(draft, ANA))
    assert (await host.tables.get(waiting.id)).status == "abandoned"
    assert await jobs(host) == set()
    await invited(host, discord)
