"""A rolling update: processes of an older and a newer version on one database, while people play."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from bot.store.migrate import EXPANDS
from tests.bot.fake_discord import FakeDiscord
from tests.bot.postgres import Server, server
from tests.bot.replication import Pair
from tests.proof.discord import ProofDiscord
from tests.proof.plan import ANSWERED_WITHIN, Plan
from tests.proof.processes import Process, Service
from tests.proof.prove import prove
from tests.proof.trouble import Happening

pytestmark = pytest.mark.system

PLAN = Plan(seconds=0, processes=2, shards=4, matches=16, think=2, quiet=2, ending=6, left=8, failovers=0)
ANY = """
import bot.version
bot.version.own_version = lambda: "{}"
import bot.app.services
object.__setattr__(bot.app.services.DEFAULT, "identify_every", 0.5)
"""
"""Makes a process one of this version, which need not wait long to log in."""
NEWER_LAYOUT = """
from bot.store import migrate
of_now = migrate.scripts
migrate.scripts = lambda engine: [*of_now(engine), "{}ALTER TABLE digsite.tables ADD COLUMN colour text"]
"""
OLD = ANY.format("1.9.0")
NEW = (
    ANY.format("1.10.0")
    + NEWER_LAYOUT.format(f"{EXPANDS}\\n")
    + """
from discord import app_commands
import cogs
from bot.ui.screens.messages import say
from bot.ui.interaction import Reply
setup = cogs.setup
def setup_newer(host, tree):
    async def tell(context, interaction):
        return Reply(say("This is new."))
    async def news(raw):
        await host.router.command(raw, "news", tell)
    setup(host, tree)
    tree.add_command(app_commands.Command(name="news", description="What is new", callback=news))
cogs.setup = setup_newer
"""
)
"""It has a command more than the older version, and a layout that the older one can work with."""
NEWS = "news"
IN_USE = f"""
SELECT pid FROM pg_locks JOIN pg_database ON pg_database.oid = database
WHERE locktype = 'advisory' AND classid = {0x44494753} AND objid = 1 AND datname = current_database()"""
"""The sessions by which processes tell that the database is in use."""
WITHIN = 40.0
"""Seconds that each step of the update may take."""


async def until(happened: Callable[[], object]) -> None:
    async with asyncio.timeout(WITHIN):
        while not happened():
            await asyncio.sleep(0.05)


class Update(Happening):
    """Brings all processes to the newer version as docs/operating/fleet.md says, then starts an older one once more."""

    def __init__(self, plan: Plan, services: list[Service], server: Server | Pair) -> None:
        super().__init__(plan, services, server)
        self.discord: ProofDiscord = services[0].discord
        self.discord.keeps_identify_limit = False
        self.updated: list[tuple[str, list[str]]] = []
        """The registrations of commands when all processes had become newer."""
        self.answered_by: dict[str, str] = {}
        """By the process that was asked for what is new: what it answered."""
        self.over = 0.0
        """When all of them had."""
        self.older: Process | None = None

    async def make(self) -> None:
        await asyncio.sleep(1)
        for service in self.services[: self.plan.processes]:
            newer = await self._one_more(NEW)
            await self._ask_for_news()  # processes of both versions have shards
            assert service.now is not None
            service.stays_down = True
            await service.now.drain()
            await self._serves(newer)
        await until(lambda: len(self.discord.commands) > 1)  # the new leader has registered its own
        self.updated = list(self.discord.commands)
        self.over = asyncio.get_running_loop().time()
        self.older = older = (await self._one_more(OLD)).now
        assert older is not None
        for service in self.services[self.plan.processes : -1]:
            assert service.now is not None
            service.stays_down = True
            await service.now.terminate()
        await until(lambda: self._sessions_of(older) == self.plan.shards)
        await self._ask_for_news()
        await asyncio.sleep(1)

    async def _one_more(self, version: str) -> Service:
        first = self.services[0]
        service = Service(f"p{len(self.services) + 1}", self.discord, first.folder, first.settings, version)
        self.services.append(service)
        service.start()
        await self._serves(service)
        return service

    async def _serves(self, service: Service) -> None:
        """Waits until the process of this service has shards, and every shard has one connection."""

        def shared_out() -> bool:
            sessions = self.discord.open_sessions()
            there = service.now is not None and self._sessions_of(service.now) > 0
            return there and len(sessions) == self.plan.shards

        await until(shared_out)

    def _sessions_of(self, process: Process) -> int:
        return sum(session.process == process.name for session in self.discord.open_sessions())

    async def _ask_for_news(self) -> None:
        """Has a person use the newer version's command in a server of each shard."""
        for shard in range(self.plan.shards):
            guild = (self.plan.shards + shard) << 22
            data = {"id": "1", "name": NEWS, "type": 1, "options": []}
            answer = await self.discord._interact(  # pyright: ignore[reportPrivateUsage]
                2, data, user=1, guild=guild, channel=1, pressed=None
            )
            made = answer.interaction
            assert made is not None
            try:
                shown = await asyncio.wait_for(answer.shown, 2 * ANSWERED_WITHIN)
            except TimeoutError:
                if made.late:  # this machine is busy
                    continue
                raise
            assert made.by is not None
            self.answered_by[made.by] = str(shown.components)


async def test_an_update_of_one_process_after_the_other_interrupts_nobody(tmp_path: Path) -> None:
    made: list[Update] = []

    def happens(plan: Plan, services: list[Service], server: Server | Pair) -> Update:
        made.append(Update(plan, services, server))
        return made[0]

    verdict = await prove(PLAN, keep=str(tmp_path), before=OLD, happens=happens)
    [update] = made
    assert not verdict.faults, verdict.report(PLAN)
    presses = [press for press in update.discord.presses if press.at < update.over]
    assert [press for press in presses if press.made.answered is None and not press.made.late] == []
    assert sum(press.acknowledged for press in presses) > 5
    [old, new] = update.updated
    assert NEWS not in old[1]
    assert sorted(new[1]) == sorted([*old[1], NEWS])
    assert update.discord.commands == update.updated, (
        "the older process that was started later took none back"
    )
    assert "migrated " in (tmp_path / "p3.1.log").read_text()
    assert update.older is not None
    assert "stay those of version 1.10.0" in update.older.log.read_text()
    for process, said in update.answered_by.items():
        expected = "another version" if process in ("p1.1", "p2.1", update.older.name) else "This is new."
        assert expected in said, process


async def test_newer_layout_needs_the_end_of_older_processes_and_refuses_them(tmp_path: Path) -> None:
    running = server()
    url = running.url(database := await running.database())
    async with FakeDiscord().serving() as discord:
        bots: list[asyncio.subprocess.Process] = []
        newer = ANY.format("1.10.0") + NEWER_LAYOUT.format("")

        async def start(name: str, before: str) -> asyncio.subprocess.Process:
            settings = {"DATABASE_URL": url, "SHARD_COUNT": "", "PICTURES": "off"}
            bots.append(await discord.start_bot(tmp_path / "unused", process=name, before=before, **settings))
            return bots[-1]

        async def ended(bot: asyncio.subprocess.Process) -> tuple[int | None, str]:
            _out, said = await asyncio.wait_for(bot.communicate(), WITHIN)
            return bot.returncode, said.decode()

        def connected() -> set[str]:
            return {session.process for session in discord.open_sessions()}

        try:
            older = await start("older", OLD)
            await until(lambda: "older" in connected())
            status, said = await ended(await start("too early", newer))
            assert (status, connected()) == (2, {"older"})
            assert "is in use by another Digsite that runs now (digsite 1.9.0 " in said
            older.send_signal(signal.SIGSTOP)
            async with asyncio.timeout(WITHIN):
                while await running.fetch(IN_USE, database):
                    await asyncio.sleep(0.1)
            await start("newer", newer)
            await until(lambda: "newer" in connected())
            older.send_signal(signal.SIGCONT)
            again = await start("older again", OLD)
            for bot, why in ((older, "has changed the layout"), (again, "was written by a newer Digsite")):
                status, said = await ended(bot)
                assert status == 2
                assert why in said
            assert "newer" in connected()
        finally:
            for bot in bots:
                if bot.returncode is None:
                    bot.kill()
                    await bot.wait()
