"""`python -m bot run` against a simulated Discord: how it ends, how soon, and what it has kept by then."""

from __future__ import annotations

import asyncio
import signal
import time
from importlib.metadata import version
from pathlib import Path

import pytest

from bot.clock import SystemClock
from bot.store.migrate import scripts
from bot.tables.model import Table
from bot.ui.screens.ids import Id
from tests.bot.fake_discord import FakeDiscord
from tests.bot.hosts import make_host
from tests.bot.tables.samples import ANA, match_of, tables_on
from tests.patience import PATIENCE

pytestmark = pytest.mark.system

IN_TIME = 45.0
"""Seconds within which a bot ends. It gives itself 5; a busy machine takes longer, and what hangs here hangs for 60."""
MESSAGE = 7_001

SLOW_DISK = """
import time
from bot.store import tables
committing = tables.committing
def slowly(change, at):
    act = committing(change, at)
    async def late(tx):
        if change.moves:
            print("committing", flush=True)
            time.sleep({seconds})
        return await act(tx)
    return late
tables.committing = slowly
"""


async def dig(fake: FakeDiscord, table: Table) -> int:
    """Makes Ana press Dig on the board; returns the interaction's id."""
    decision = str(table.game.pending(table.state)[0].id)
    return await fake.press(
        str(Id("g.dig", table.id, decision)), user=ANA, channel=table.channel_id, message=MESSAGE
    )


async def sent_stop(
    bot: asyncio.subprocess.Process, number: signal.Signals = signal.SIGTERM
) -> tuple[int, float, str]:
    """Sends the signal. Returns the exit status, the seconds that it took, and what the bot said."""
    began = time.monotonic()
    bot.send_signal(number)
    status, said = await end_of(bot)
    return status, time.monotonic() - began, said


async def end_of(bot: asyncio.subprocess.Process) -> tuple[int, str]:
    """The exit status of a bot that ends by itself, and what it said."""
    ending = asyncio.create_task(bot.communicate())
    await asyncio.wait({ending}, timeout=PATIENCE)
    if not ending.done():
        bot.kill()
    _out, said = await ending
    assert bot.returncode is not None
    return bot.returncode, said.decode()


async def moves_on_file(file: Path, table: Table) -> list[int | None]:
    """The ids of the presses whose moves are in the file at the next start."""
    host, _drawn = make_host(file, SystemClock())
    await host.start()
    try:
        return [move.interaction_id for move in await host.store.moves(table.id)]
    finally:
        await host.close()


async def line_of(bot: asyncio.subprocess.Process) -> str:
    assert bot.stdout is not None
    async with asyncio.timeout(PATIENCE):
        return (await bot.stdout.readline()).decode()


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
async def test_a_move_under_way_is_kept_and_answered_before_the_bot_ends(
    discord_here: FakeDiscord, path: Path, table: Table, number: signal.Signals
) -> None:
    bot = await discord_here.start_bot(path, before=SLOW_DISK.format(seconds=0.5))
    await discord_here.connected()
    press = await dig(discord_here, table)
    assert await line_of(bot) == "committing\n"
    status, taken, said = await sent_stop(bot, number)
    assert status == 0, said
    assert taken < IN_TIME
    assert "Traceback" not in said
    assert await moves_on_file(path, table) == [press]
    answers = [path for _method, path, _body in discord_here.requests if "/callback" in path]
    assert answers, "the person who pressed was answered"
    assert discord_here.socket is not None
    assert discord_here.socket.close_code == 1000, "the bot has said goodbye"


async def test_a_bot_that_nohup_has_started_outlives_its_terminal(
    discord_here: FakeDiscord, path: Path, table: Table
) -> None:
    ignored = "import signal; signal.signal(signal.SIGHUP, signal.SIG_IGN)"
    bot = await discord_here.start_bot(path, before=ignored)
    await discord_here.connected()
    bot.send_signal(signal.SIGHUP)
    await dig(discord_here, table)
    await discord_here.asked_for("POST", "/callback")
    status, _taken, said = await sent_stop(bot)
    assert status == 0, said
    assert "Traceback" not in said


async def test_a_bot_that_has_nothing_under_way_ends_at_once(
    discord_here: FakeDiscord, path: Path, table: Table
) -> None:
    bot = await discord_here.start_bot(path)
    await discord_here.asked_for("PATCH", "/channels/77/messages/")
    status, taken, said = await sent_stop(bot)
    assert status == 0, said
    assert taken < IN_TIME


async def test_a_discord_that_hangs_does_not_keep_the_bot_from_ending(
    discord_here: FakeDiscord, path: Path, table: Table
) -> None:
    discord_here.hangs = ("/callback", "/messages", "gateway")
    bot = await discord_here.start_bot(path)
    await discord_here.connected()
    press = await dig(discord_here, table)
    await discord_here.asked_for("POST", "/callback")
    status, taken, said = await sent_stop(bot)
    assert status == 0, said
    assert taken < IN_TIME
    assert await moves_on_file(path, table) == [press]


async def test_a_disk_that_hangs_does_not_keep_the_bot_from_ending(
    discord_here: FakeDiscord, path: Path, table: Table
) -> None:
    bot = await discord_here.start_bot(path, before=SLOW_DISK.format(seconds=60))
    await discord_here.connected()
    await dig(discord_here, table)
    assert await line_of(bot) == "committing\n"
    status, taken, said = await sent_stop(bot)
    assert status == 0, said
    assert taken < IN_TIME
    assert await moves_on_file(path, table) == [], "and was never acknowledged"
    answers = [body["type"] for _method, path, body in discord_here.requests if "/callback" in path]
    assert answers == [6], "the person was asked for patience, and no more"


BUSY_LOOP = """
import bot.app.client, time
made = bot.app.client.Digsite.on_connect
async def busy(self):
    await made(self)
    print("busy", flush=True)
    time.sleep(60)
bot.app.client.Digsite.on_connect = busy
"""


async def test_a_loop_that_is_stuck_does_not_keep_the_bot_from_ending(
    discord_here: FakeDiscord, path: Path, table: Table
) -> None:
    bot = await discord_here.start_bot(path, before=BUSY_LOOP)
    assert await line_of(bot) == "busy\n"
    status, taken, said = await sent_stop(bot)
    assert status == 0, said
    assert taken < IN_TIME


async def test_a_bot_that_is_still_logging_in_ends(discord_here: FakeDiscord, path: Path) -> None:
    discord_here.hangs = ("/users/@me",)
    bot = await discord_here.start_bot(path)
    await discord_here.asked_for("GET", "/users/@me")
    status, taken, said = await sent_stop(bot)
    assert status == 0, said
    assert taken < IN_TIME
    assert "Traceback" not in said


THINKING = """
import asyncio, time
from bot.tables.thinking import Thinkers
async def choose(self, game, level, view, seed):
    thought = asyncio.get_running_loop().run_in_executor(self._pool.open(), time.sleep, 60)
    print("thinking", flush=True)
    return await thought
Thinkers.choose = choose
"""


async def test_an_agent_that_thinks_does_not_keep_the_bot_from_ending(
    discord_here: FakeDiscord, path: Path
) -> None:
    async with tables_on(path, SystemClock()) as tables:
        await match_of(tables, ANA, agents=1, channel=77, first=1)
    bot = await discord_here.start_bot(path, before=THINKING, AGENT_DELAY="[0, 0]")
    assert await line_of(bot) == "thinking\n"
    await asyncio.sleep(1)  # until the thinking process has started
    status, taken, said = await sent_stop(bot)
    assert status == 0, said
    assert taken < IN_TIME


# -- other ends


async def test_a_job_loop_that_fails_ends_the_bot_so_that_it_is_started_again(
    discord_here: FakeDiscord, path: Path
) -> None:
    broken = """
import bot.app.connection
async def run(self):
    await self._connectivity.reached.wait()
    raise RuntimeError("broken")
bot.app.connection.JobLoop.run = run
"""
    bot = await discord_here.start_bot(path, before=broken)
    status, said = await end_of(bot)
    assert status == 1
    assert "CRITICAL" in said
    assert "broken" in said


async def test_the_job_loop_makes_its_requests_as_the_connection_does(
    discord_here: FakeDiscord, path: Path
) -> None:
    says = """
import bot.app.connection
from discord.webhook.async_ import async_context
async def run(self):
    await self._connectivity.reached.wait()
    raise RuntimeError(type(async_context.get()).__name__)
bot.app.connection.JobLoop.run = run
"""
    _status, said = await end_of(await discord_here.start_bot(path, before=says))
    assert "RuntimeError: LeanAdapter" in said


IMPATIENT = """
import asyncio
sleep = asyncio.sleep
asyncio.sleep = lambda seconds, *more: sleep(min(seconds, 0.1), *more)
"""
"""discord.py waits for 5 s before it tries once more to open its first connection."""

FOR_GOOD = {
    4004: "DISCORD_TOKEN",
    4010: "Check SHARD_COUNT",
    4012: "Update Digsite",
    4014: "Privileged Gateway Intents",
}


@pytest.mark.parametrize(("code", "early"), [(4004, False), (4010, False), (4012, True), (4014, False)])
async def test_a_connection_that_discord_ends_for_good_is_reported_and_not_tried_again(
    discord_here: FakeDiscord, path: Path, code: int, early: bool
) -> None:
    discord_here.closes_with, discord_here.closes_early = code, early
    status, said = await end_of(await discord_here.start_bot(path, before=IMPATIENT))
    assert status == 2, said
    assert FOR_GOOD[code] in said.splitlines()[-1]
    assert len(said.splitlines()[-1]) > 60, "a sentence that says what to do"
    assert "Traceback" not in said


async def test_a_connection_that_stood_for_long_and_is_ended_for_good_ends_the_bot_too(
    discord_here: FakeDiscord, path: Path
) -> None:
    bot = await discord_here.start_bot(path)
    await discord_here.connected()
    discord_here.closes_with = 4004
    assert discord_here.socket is not None
    # The bot now connects anew, and its token is no longer accepted.
    await discord_here.socket.close(code=1001)
    status, said = await end_of(bot)
    assert status == 2, said
    assert "DISCORD_TOKEN" in said.splitlines()[-1]


async def test_a_file_that_was_deleted_under_the_bot_is_missed_at_the_next_start(
    discord_here: FakeDiscord, path: Path, table: Table
) -> None:
    bot = await discord_here.start_bot(path)
    await discord_here.connected()
    first = await dig(discord_here, table)
    await discord_here.asked_for("POST", f"/interactions/{first}/")
    path.unlink()
    await sent_stop(bot)

    status, said = await end_of(await discord_here.start_bot(path))
    assert status == 2, said
    assert f"{path} is gone" in said
    assert not path.exists()


async def test_the_first_lines_say_which_version_runs_on_which_file_with_how_many_tables(
    discord_here: FakeDiscord, path: Path, table: Table
) -> None:
    bot = await discord_here.start_bot(path)
    await discord_here.connected()
    _status, _taken, said = await sent_stop(bot)
    first = said.splitlines()[:5]
    assert f"Digsite {version('digsite')}" in first[0]
    assert any(
        f"{path} (layout {len(scripts('sqlite'))}); live tables: 1, in all: 1" in line for line in first
    )


SECRET = "Refused: **Ana**, 4 Coins"
"""A text that Discord might repeat from a message that it refuses."""


@pytest.mark.parametrize("status", [400, 403, 503])
async def test_what_discord_says_of_a_refused_message_never_stands_in_the_log(
    discord_here: FakeDiscord, path: Path, table: Table, status: int
) -> None:
    body = {"code": 50035, "message": SECRET, "errors": {"content": {"_errors": [{"message": SECRET}]}}}
    for part in ("/messages", "/callback", "/commands", "/webhooks"):
        discord_here.fails[part] = (status, body)
    bot = await discord_here.start_bot(path, before=IMPATIENT, LOG_LEVEL="DEBUG")
    await discord_here.connected()
    first = await dig(discord_here, table)
    await discord_here.asked_for("POST", f"/interactions/{first}/")
    end_turn = Id("g.end", table.id, "1")
    await discord_here.press(str(end_turn), user=ANA, channel=table.channel_id, message=MESSAGE)
    again = await discord_here.press(
        str(Id("again", table.id)), user=ANA, channel=table.channel_id, message=MESSAGE
    )
    await discord_here.asked_for("POST", f"/interactions/{again}/")
    await discord_here.asked_for("PATCH", "/channels/77/messages/")
    _status, _taken, said = await sent_stop(bot)
    assert f"HTTP {status}, code 50035" in said
    assert SECRET not in said
    assert "Ana" not in said


async def test_an_outage_of_discord_writes_a_few_lines_with_their_number(
    discord_here: FakeDiscord, path: Path
) -> None:
    async with tables_on(path, SystemClock()) as tables:
        for channel in range(30):
            await match_of(tables, ANA, agents=1, channel=channel + 1, first=1)
    bot = await discord_here.start_bot(path, before=IMPATIENT)
    await discord_here.connected()
    discord_here.fails[""] = (503, {})
    await discord_here.fail(60)  # most are retries of one error, which is logged when they end
    discord_here.fails["gateway"] = (503, {})
    assert discord_here.socket is not None
    await discord_here.socket.close(code=1001)
    await discord_here.fail(10)
    _status, _taken, said = await sent_stop(bot)
    outage = [line for line in said.splitlines() if "503" in line]
    assert 3 <= len(outage) <= 8, said
    assert any("more of this kind" in line for line in outage)
    assert "Traceback" not in said
    assert len(said.splitlines()) < 16, said


async def test_a_discord_that_cannot_be_reached_is_reported_in_a_sentence(
    discord_here: FakeDiscord, path: Path
) -> None:
    discord_here.base = "127.0.0.1:1"
    status, said = await end_of(await discord_here.start_bot(path))
    assert status == 1
    assert "Discord cannot be reached" in said
    assert "Traceback" not in said


async def test_a_gateway_that_cannot_be_reached_is_reported_in_a_sentence_in_the_end(
    discord_here: FakeDiscord, path: Path
) -> None:
    discord_here.fails["gateway"] = (503, {})
    soon = f"{IMPATIENT}\nimport bot.app.client\nbot.app.client.LAUNCHES = 3"
    status, said = await end_of(await discord_here.start_bot(path, before=soon))
    assert status == 1, said
    assert discord_here.failed == 4
    assert "Discord cannot be reached: WSServerHandshakeError 503." in said.splitlines()[-1]
    assert "Traceback" not in said


async def test_a_full_disk_at_the_start_is_reported_in_a_sentence(
    discord_here: FakeDiscord, path: Path
) -> None:
    full = """
from bot.store.model import StoreFull
from bot.store.store import Store
async def set_fact(self, name, value):
    raise StoreFull("The disk is full.")
Store.set_fact = set_fact
"""
    status, said = await end_of(await discord_here.start_bot(path, before=full))
    assert status == 1
    assert "The disk is full." in said
    assert "Traceback" not in said
