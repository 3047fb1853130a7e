"""Real clients of discord.py on one real database: they take over from each other, and no press is lost."""

from __future__ import annotations

import asyncio
import logging
import signal
from collections import Counter
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch
from urllib.parse import urlsplit

import discord
import pytest
import yarl
from discord.gateway import DiscordWebSocket
from discord.http import Route

import cogs
from bot.app.client import Digsite, make_client
from bot.app.connection import Connectivity
from bot.app.heartbeat import GRACE
from bot.app.running import Readiness
from bot.app.services import DEFAULT
from bot.clock import SystemClock
from bot.fleet.member import Member
from bot.settings import Settings
from bot.store.model import Job
from bot.tables import lobby
from bot.tables.draft import REDRAW
from bot.tables.model import MINUTE, Seat, Table
from bot.ui.actions import ACTIONS
from bot.ui.handlers import Action, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.ids import Id
from bot.ui.screens.messages import say
from engine.registry import load_games
from tests.bot.fake_discord import FakeDiscord
from tests.bot.fake_gateway import Session
from tests.bot.postgres import Server, server
from tests.bot.tables.samples import ANA, GAME
from tests.patience import PATIENCE

pytestmark = pytest.mark.system

SHARDS = 4
GUILDS = tuple((SHARDS + number) << 22 for number in range(SHARDS))
"""A server on each shard."""
TIMING = replace(DEFAULT, identify_every=0.1)  # this Discord does not mind
PROBE = "probe"
"""A button that counts how often each press of it was carried out."""


class Process:
    """A whole bot, run as `python -m bot run` would, but in this event loop."""

    def __init__(self, url: str, done: Counter[int]) -> None:
        self.done = done
        settings = Settings(
            _env_file=None,  # pyright: ignore[reportCallIssue]
            database_url=url,
            pictures=False,
            thinkers=0,
            redraw_interval=0,
            agent_delay=(0, 0),
            new_tables_per_person=0,
        )
        with patch.dict(ACTIONS, {PROBE: Action(self._probe, "ephemeral")}):
            self.client: Digsite = make_client(settings, SystemClock(), load_games(), cogs.setup, TIMING)
        self.fleet: asyncio.Task[None] | None = None
        self._tasks: set[asyncio.Task[None]] = set()

    async def _probe(self, context: HandlerContext, interaction: Interaction) -> Reply:
        if interaction.to.table:
            async with context.tables.change(interaction.to.table) as draft:
                await asyncio.sleep(0.01)
                draft.touched = True
        self.done[interaction.id] += 1
        return Reply(say("Done."))

    async def start(self) -> Process:
        self.fleet = asyncio.create_task(self.client.run_fleet())
        self._tasks = {
            self.fleet,
            asyncio.create_task(self.client.start("x")),
            asyncio.create_task(self.client.job_loop.run()),
        }
        return self

    @property
    def held(self) -> frozenset[int]:
        assert self.client.fleet is not None
        return self.client.fleet.status.owned

    @property
    def connected(self) -> set[int]:
        return {shard for shard in range(SHARDS) if self.client._gateway.is_connected(shard)}

    async def die(self) -> None:
        """Nothing more is done, and nobody is told."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks = set()
        await discord.AutoShardedClient.close(self.client)

    async def stop(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        await self.client.close()


class World:
    """A Discord, a database, and the processes of a bot."""

    def __init__(self, fake: FakeDiscord, url: str) -> None:
        self.fake = fake
        self.url = url
        self.done = Counter[int]()
        self.processes: list[Process] = []
        self.tables: dict[int, int] = {}
        """By shard: the table that presses there change."""
        self._pressing: asyncio.Task[None] | None = None

    async def start(self) -> Process:
        process = Process(self.url, self.done)
        self.processes.append(process)
        return await process.start()

    def sessions_on(self, shard: int) -> list[Session]:
        return self.fake.open_sessions(GUILDS[shard])

    async def press(self, shard: int) -> int:
        return await self.fake.interact(
            3,
            {"custom_id": str(Id(PROBE, self.tables.get(shard, 0))), "component_type": 2},
            user=ANA,
            channel=70 + shard,
            guild=GUILDS[shard],
            message=self.fake._message(70 + shard, 7),  # pyright: ignore[reportPrivateUsage]
        )

    def keep_pressing(self) -> None:
        async def press() -> None:
            shard = 0
            while True:
                await self.press(shard)
                shard = (shard + 1) % SHARDS
                await asyncio.sleep(0.02)

        self._pressing = asyncio.create_task(press())

    async def stop_pressing(self) -> None:
        assert self._pressing is not None
        self._pressing.cancel()
        await asyncio.gather(self._pressing, return_exceptions=True)
        async with asyncio.timeout(PATIENCE):
            for interaction in self.fake.interactions.values():
                await interaction.done.wait()

    async def stop(self) -> None:
        if self._pressing is not None:
            self._pressing.cancel()
        for process in self.processes:
            await process.stop()


@pytest.fixture
def running() -> Server:
    return server()


@pytest.fixture
async def url(running: Server) -> AsyncIterator[str]:
    name = await running.database()
    yield running.url(name)
    await running.drop(name)


@pytest.fixture
async def world(url: str, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[World]:
    fake = FakeDiscord(shards=SHARDS, concurrency=SHARDS, guilds=GUILDS, tells_of_guilds=True, patience=3.0)
    async with fake.serving():
        monkeypatch.setattr(Route, "BASE", f"http://{fake.base}/api")
        monkeypatch.setattr(DiscordWebSocket, "DEFAULT_GATEWAY", yarl.URL(fake.gateway()))
        world = World(fake, url)
        yield world
        await world.stop()


async def until(condition: Callable[[], object], seconds: float = PATIENCE) -> None:
    async with asyncio.timeout(seconds):
        while not condition():
            await asyncio.sleep(0.01)


async def a_lobby(process: Process, shard: int) -> Table:
    return await process.client.host.tables.open(
        lobby.NewTable(
            GAME,
            guild_id=GUILDS[shard],
            channel_id=70 + shard,
            user_id=ANA,
            seats=[Seat("Ana", ANA)],
            locale="en",
            limit=MINUTE,
        )
    )


async def test_one_process_holds_and_connects_all_shards(world: World) -> None:
    one = await world.start()
    await until(lambda: len(one.held) == len(one.connected) == SHARDS)
    assert one.client.host.fleet.is_leader
    await until(lambda: len(one.client.guilds) == SHARDS)
    for shard in range(SHARDS):
        number = await world.press(shard)
        await asyncio.wait_for(world.fake.interactions[f"token{number}"].done.wait(), PATIENCE)
    assert set(world.done.values()) == {1}


async def test_no_press_is_lost_while_a_process_joins_and_another_one_is_drained(
    world: World, caplog: pytest.LogCaptureFixture
) -> None:
    one = await world.start()
    await until(lambda: len(one.connected) == len(one.held) == SHARDS)
    for shard in range(SHARDS):
        table = await a_lobby(one, shard)
        world.tables[shard] = table.id
        async with one.client.host.tables.change(table.id) as draft:
            draft.table.body.messages.lobby = 7
            draft.touched = True
    world.keep_pressing()
    two = await world.start()
    await until(lambda: len(one.held) == len(two.held) == 2)
    await until(lambda: sum(len(world.sessions_on(shard)) for shard in range(SHARDS)) == SHARDS)
    assert {session.shard for session in world.fake.open_sessions()} == set(range(SHARDS))
    assert {guild.id for guild in one.client.guilds} == {GUILDS[shard] for shard in one.held}
    await asyncio.sleep(0.3)
    assert one.client.fleet is not None
    one.client.fleet.drain()
    assert one.fleet is not None
    await asyncio.wait_for(asyncio.shield(one.fleet), PATIENCE)
    await until(lambda: two.held == set(range(SHARDS)))
    await asyncio.sleep(0.5)
    await world.stop_pressing()
    assert all(interaction.answered is not None for interaction in world.fake.interactions.values())
    assert len(world.fake.interactions) > 40
    assert not [interaction for interaction in world.fake.interactions.values() if interaction.late]
    assert set(world.done.values()) == {1}, "and none was carried out twice"
    assert not [record for record in caplog.records if record.levelno >= logging.ERROR]


async def test_shards_and_jobs_of_a_process_that_died_are_taken_over(world: World) -> None:
    one = await world.start()
    await until(lambda: len(one.connected) == len(one.held) == SHARDS)
    two = await world.start()
    await until(lambda: len(one.held) == len(two.held) == 2)
    shard = max(one.held)
    table = await a_lobby(one, shard)
    await one.die()
    store = two.client.host.store
    await until(lambda: len(two.held) == SHARDS)
    await until(
        lambda: [path for _method, path, _body in world.fake.requests if f"/channels/{70 + shard}/" in path]
    )
    await until(lambda: len(two.connected) == SHARDS)
    number = await world.press(shard)
    await asyncio.wait_for(world.fake.interactions[f"token{number}"].done.wait(), PATIENCE)
    tables = two.client.host.tables
    now = two.client.host.clock.now() - tables.time.downtime
    async with tables.change(table.id) as draft:
        assert draft.grace_ends > now + GRACE - MINUTE
    assert await store.table(table.id) is not None


async def test_caches_of_a_given_shard_are_cleared(world: World) -> None:
    one = await world.start()
    await until(lambda: len(one.connected) == len(one.held) == SHARDS)
    host = one.client.host
    kept, gone = await a_lobby(one, 0), await a_lobby(one, SHARDS - 1)
    states = host.presenter.states
    host.jobs._redraws.times._drawn |= {kept.id: 1.0, gone.id: 1.0}  # pyright: ignore[reportPrivateUsage]
    for table in (kept, gone):
        host.presenter.opened_here(table)
        async with host.tables.change(table.id) as draft:
            draft.table.body.messages.lobby = 7000 + table.id
            draft.touched = True
        states.of(table.id).message(7000 + table.id).note_posted(b"as it was")
    await host.store.set_job(Job(gone.id, REDRAW, host.clock.now() + 1000))
    two = await world.start()
    await until(lambda: len(two.held) == 2)
    await until(lambda: len(one.held) == 2)
    assert host.tables.at_hand(kept.id) is not None
    assert host.tables.at_hand(gone.id) is None
    assert host.jobs._redraws.times._drawn == {kept.id: 1.0}  # pyright: ignore[reportPrivateUsage]
    assert states.get(gone.id) is None
    assert states.of(kept.id).searched
    assert states.of(kept.id).message(7000 + kept.id).shows(b"as it was")
    now = two.client.host.clock.now()
    assert (await two.client.host.tables.get(gone.id)).id == gone.id
    async with two.client.host.tables.change(gone.id) as draft:
        assert draft.grace_ends > now - two.client.host.tables.time.downtime + GRACE - MINUTE


async def test_removal_during_a_handover_may_be_handled_by_both_processes(
    world: World, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    one, two = await world.start(), await world.start()
    await until(lambda: len(one.held) == len(two.held) == 2)
    [shard, *_] = two.held
    table = await a_lobby(two, shard)
    guild = discord.Object(GUILDS[shard])
    version = table.version

    async def sleeps(process: Process) -> bool:
        return (await process.client.host.tables.get(table.id)).body.asleep is not None

    with monkeypatch.context() as patched:
        # As if the first process had just given the shard away and had not noticed yet.
        patched.setattr(one.client.host.fleet, "serves", lambda _guild: True)
        one.client.dispatch("guild_remove", guild)
        async with asyncio.timeout(PATIENCE):
            while not await sleeps(one):
                await asyncio.sleep(0.02)
    assert await sleeps(two), "it looks whether the table that it remembers has changed"
    two.client.dispatch("guild_remove", guild)
    async with asyncio.timeout(PATIENCE):
        while not await sleeps(two):
            await asyncio.sleep(0.02)
    kept = await two.client.host.store.table(table.id)
    assert kept is not None
    assert kept.version == version + 1, "the first one has put it to sleep, and the second one has read that"
    assert "Traceback" not in caplog.text


async def test_database_outage_is_reported_to_players_and_recovers(world: World, running: Server) -> None:
    one, two = await world.start(), await world.start()
    await until(lambda: len(one.connected) == len(two.connected) == 2)
    await until(lambda: len(one.held) == len(two.held) == 2)
    before = one.held, two.held
    fleet = one.client.fleet
    assert fleet is not None
    shard = min(one.held)
    world.tables[shard] = (await a_lobby(one, shard)).id
    running.stop("immediate")
    try:
        await until(lambda: not fleet.status.certain)
        number = await world.press(shard)
        interaction = world.fake.interactions[f"token{number}"]
        await asyncio.wait_for(interaction.done.wait(), PATIENCE)
        assert world.done[number] == 0
        assert not interaction.late
        async with asyncio.timeout(PATIENCE):
            while not any(
                "I couldn't save that" in str(body) for _method, _path, body in world.fake.requests
            ):
                await asyncio.sleep(0.05)
    finally:
        running.start()
    await until(lambda: fleet.status.certain)
    number = await world.press(shard)
    await until(lambda: world.done[number] == 1)
    await asyncio.sleep(1)
    assert (one.held, two.held) == before, "no shard moves for that"


async def test_process_back_from_a_discord_partition_grants_the_grace_period(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    one = await world.start()
    await until(lambda: len(one.held) == SHARDS)
    table = await a_lobby(one, 0)
    tables = one.client.host.tables

    async def grace_ends() -> float:
        async with tables.change(table.id) as draft:
            return draft.grace_ends

    before = await grace_ends()
    monkeypatch.setattr(one.client.job_loop, "_away", 0.2)
    with monkeypatch.context() as patched:
        patched.setattr(Connectivity, "is_up", False)
        await asyncio.sleep(0.5)
        assert await grace_ends() == before
    async with asyncio.timeout(PATIENCE):
        while await grace_ends() == before:
            await asyncio.sleep(0.02)
    assert await grace_ends() > before
    assert tables.time.downtime == 0, "nobody was given time back that others could use"


async def test_a_process_that_ends_gives_up_its_shards_at_once(world: World) -> None:
    one, two = await world.start(), await world.start()
    await until(lambda: len(one.connected) == len(two.connected) == 2)
    await one.stop()
    world.processes.remove(one)
    await until(lambda: len(two.held) == SHARDS, 6)


async def test_new_owner_finds_removed_servers(world: World) -> None:
    one = await world.start()
    await until(lambda: len(one.connected) == len(one.held) == SHARDS)
    gone, kept = await a_lobby(one, 3), await a_lobby(one, 2)
    world.fake.guilds = GUILDS[:3]  # no event tells
    two = await world.start()
    await until(lambda: two.held == {2, 3})

    async def is_asleep(table: Table) -> bool:
        return (await two.client.host.tables.get(table.id)).body.asleep is not None

    async with asyncio.timeout(PATIENCE):
        while not await is_asleep(gone):
            await asyncio.sleep(0.05)
    assert not await is_asleep(kept)
    assert not two.client.servers.is_ours(GUILDS[0])
    await until(lambda: two.client.servers.is_ours(GUILDS[2]))


async def test_status_and_metrics_show_the_fleet(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    one = await world.start()
    await until(lambda: len(one.connected) == len(one.held) == SHARDS)
    two = await world.start()
    await until(lambda: len(one.held) == len(two.held) == 2)
    readiness, metrics = Readiness(one.client), one.client.host.metrics
    await until(lambda: one.client.fleet and one.client.fleet.status.members == 2)
    assert await readiness.not_ready() is None
    assert readiness.serves == "owning 2 of 4 shards, one of 2 processes"
    await readiness.figures()

    def figure(name: str, **labels: str) -> float | None:
        return metrics.registry.get_sample_value(f"digsite_{name}", labels)

    assert figure("fleet_shards", state="owned") == 2
    assert figure("shards_moved_total", how="given") == 2
    assert figure("fleet_processes", state="member") == 2
    limiter = one.client.host.services.limiter  # pyright: ignore[reportPrivateUsage]
    half = pytest.approx(2 / one.client.settings.requests)
    await until(lambda: limiter._distance == half)  # pyright: ignore[reportPrivateUsage]
    uncertain = replace(one.client.fleet.status, certain=False) if one.client.fleet else None
    monkeypatch.setattr(Member, "status", uncertain)
    assert (await readiness.not_ready() or "").startswith("the database does not say whether")


# -- `python -m bot run`


Start = Callable[..., Awaitable[asyncio.subprocess.Process]]


@pytest.fixture
async def start(world: World, tmp_path: Path) -> AsyncIterator[Start]:
    bots: list[asyncio.subprocess.Process] = []

    async def start(shard_count: str = "") -> asyncio.subprocess.Process:
        bot = await world.fake.start_bot(
            tmp_path / "unused",
            SHARD_COUNT=shard_count,
            DATABASE_URL=world.url,
            PICTURES="off",
            THINKERS="0",
        )
        bots.append(bot)
        return bot

    yield start
    for bot in bots:
        if bot.returncode is None:
            bot.kill()
            await bot.communicate()


async def ended(bot: asyncio.subprocess.Process) -> tuple[int | None, str]:
    _out, said = await asyncio.wait_for(bot.communicate(), PATIENCE)
    return bot.returncode, said.decode()


async def test_a_process_that_is_told_to_stop_ends_with_status_0(
    world: World, start: Start, running: Server
) -> None:
    bot = await start()
    await until(lambda: len(world.fake.open_sessions()) == SHARDS)
    bot.send_signal(signal.SIGTERM)
    status, said = await ended(bot)
    assert status == 0, said
    assert "Traceback" not in said
    database = urlsplit(world.url).path[1:]
    assert await running.fetch("SELECT FROM pg_locks WHERE locktype = 'advisory'", database) == []


async def test_a_process_that_is_drained_ends_with_status_0(
    world: World, start: Start, running: Server
) -> None:
    bot = await start()
    await until(lambda: len(world.fake.open_sessions()) == SHARDS)
    other = await world.start()
    await until(lambda: len(other.held) == 2)
    bot.send_signal(signal.SIGTERM)
    status, said = await ended(bot)
    assert status == 0, said
    assert "drained: this process owns no shards" in said
    assert "Traceback" not in said
    await until(lambda: len(other.held) == SHARDS)


async def test_a_second_signal_ends_a_process_while_it_drains(world: World, start: Start) -> None:
    bot = await start()
    await until(lambda: len(world.fake.open_sessions()) == SHARDS)
    other = await world.start()
    await until(lambda: len(other.held) == 2)
    other.client.launch_shard = never  # type: ignore[method-assign]
    bot.send_signal(signal.SIGTERM)
    await asyncio.sleep(0.5)
    assert bot.returncode is None
    bot.send_signal(signal.SIGTERM)
    status, said = await ended(bot)
    assert status == 0, said
    assert "draining: giving all shards away" in said
    assert "drained: this process owns no shards" not in said


async def never(*_given: object, **_named: object) -> None:
    await asyncio.Event().wait()


async def test_a_bot_that_discord_does_not_accept_says_so_and_ends_with_status_2(
    world: World, start: Start
) -> None:
    world.fake.closes_with = 4011
    status, said = await ended(await start())
    assert status == 2, said
    assert "too many servers for so few shards" in said
    assert "Traceback" not in said


async def test_different_shard_count_is_refused(world: World, start: Start) -> None:
    one = await world.start()
    await until(lambda: len(one.held) == SHARDS)
    status, said = await ended(await start("7"))
    assert status == 2, said
    assert "SHARD_COUNT is 7" in said
    assert f"have {SHARDS} shards" in said
    assert "Traceback" not in said
    assert len(one.held) == SHARDS
