"""`digsite run`: connects to Discord and hosts games until the process is stopped."""

from __future__ import annotations

import argparse
import asyncio
import atexit
import logging
import sys
from importlib.metadata import version
from typing import Final

from bot.app.client import make_client
from bot.app.load import LOOP, settle_in
from bot.app.running import Stopped, run_until_stopped
from bot.cli.cogs import LoadCogs
from bot.cli.read_settings import log_card_lists
from bot.clock import SystemClock
from bot.processes import ignore_stop_signals
from bot.settings import Settings
from bot.version import own_version
from engine.registry import load_games

log = logging.getLogger(__name__)

NO_TOKEN: Final = (
    "There is no DISCORD_TOKEN: make an application with a bot at discord.com/developers/applications "
    "and put its token into .env.\nTo try the games without one, use `make play`, or where Digsite is installed, "
    "`digsite play`."
)


def command(settings: Settings, _chosen: argparse.Namespace, load_cogs: LoadCogs) -> int:
    """Runs the bot until SIGTERM, SIGINT or SIGHUP; returns the exit status."""
    if not settings.discord_token.get_secret_value():
        print(NO_TOKEN, file=sys.stderr)
        return 2
    atexit.register(ignore_stop_signals)
    with asyncio.Runner(loop_factory=LOOP) as runner:
        return runner.run(_run(settings, load_cogs))


async def _run(settings: Settings, load_cogs: LoadCogs) -> int:
    log.info("Digsite %s with discord.py %s", own_version(), version("discord.py"))
    games = load_games(settings.card_lists, unpublished=settings.unpublished_games)
    log_card_lists(settings.card_lists)
    client = make_client(
        settings,
        SystemClock(),
        games,
        load_cogs().setup,
        shard_count=settings.shard_count,
    )
    settle_in()
    try:
        await run_until_stopped(client, settings.discord_token.get_secret_value())
    except Stopped as stopped:
        logging.shutdown()  # flushes the counts of repeated errors before the last sentence
        print(stopped, file=sys.stderr)
        return stopped.status
    return 0
