"""The real bot from its start to its end: what ends it, and within which time."""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
import time
from typing import Final

import aiohttp
import discord

from bot.client import Digsite
from bot.discord_errors import brief
from bot.gateway import final_reason
from bot.store.base import StoreLost

log = logging.getLogger(__name__)

ENDED_WITHIN: Final = 4.5
"""Seconds after which the process has ended, whatever still hangs: a disk, Discord, a thread that looks up a name.

What closing may take by itself is less: `LETTING_GO` here, then the host's (`bot.host`) and the client's share.
"""
LETTING_GO: Final = 0.3
"""Seconds for the connection and the job loop to end once they are cancelled."""

TOLD: Final = (signal.SIGTERM, signal.SIGINT)


class Stopped(Exception):
    """The bot has stopped though nobody told it to: why, for people, and the exit status for it."""

    def __init__(self, why: str, status: int) -> None:
        super().__init__(why)
        self.status = status


async def run_until_told(client: Digsite, token: str) -> None:
    """Runs the bot until SIGTERM or SIGINT.

    Raises `Stopped` where Discord cannot be reached, the store is lost or the jobs are done no longer, and whatever
    else kept the bot from starting, such as `StoreRefused`.
    """
    watchdog = Watchdog()
    stop = _signalled(watchdog)
    connection = asyncio.create_task(client.start(token), name="connection")
    jobs = asyncio.create_task(client.run_jobs(), name="jobs")
    stopping = asyncio.create_task(stop.wait(), name="stopping")
    tasks: set[asyncio.Task[None] | asyncio.Task[bool]] = {connection, jobs, stopping}
    try:
        await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        watchdog.end_soon(0 if stop.is_set() else 1)
        ended = {task for task in tasks if task.done()}
        for task in tasks - ended:
            task.cancel()
        await asyncio.wait(tasks, timeout=LETTING_GO)
        await client.close()
    if stopping in ended:
        return
    if connection in ended:
        raise _why(connection.exception()) from None
    if isinstance(lost := jobs.exception(), StoreLost):
        log.critical("the store is lost: %s", lost)
        raise Stopped(str(lost), 2)  # a new start would only begin an empty one
    log.critical("what is due is done no longer, so the bot stops", exc_info=jobs.exception())
    raise Stopped(
        "The bot has stopped, for a reason that its log tells. Matches are kept; start it again.", 1
    )


def _why(error: BaseException | None) -> BaseException:
    """What to raise where the connection to Discord has ended with this."""
    final = final_reason(error)
    if final is not None:
        return Stopped(final, 2)
    unreachable = (
        discord.ConnectionClosed,
        discord.GatewayNotFound,
        discord.HTTPException,
        aiohttp.ClientError,
        OSError,
    )
    if error is not None and not isinstance(error, unreachable):
        return error
    why = brief(error) if error else "the connection has ended"
    return Stopped(f"Discord cannot be reached: {why}. Matches are kept; start again later.", 1)


class Watchdog(threading.Thread):
    """Ends the process a while after it was asked to, if it has not ended by itself.

    The thread waits from the start on: a signal's handler must not start one.
    """

    def __init__(self) -> None:
        super().__init__(name="watchdog", daemon=True)
        self._status = 1
        self._asked = threading.Event()
        self.start()

    def end_soon(self, status: int) -> None:
        """From now on the process has `ENDED_WITHIN` seconds; asked again, nothing changes."""
        if not self._asked.is_set():
            self._status = status
            self._asked.set()

    def run(self) -> None:
        self._asked.wait()
        time.sleep(ENDED_WITHIN)
        os._exit(self._status)  # all that was acknowledged is durable: nothing is lost by it


def _signalled(watchdog: Watchdog) -> asyncio.Event:
    """An event that is set when the process is told to stop.

    Not asyncio's own handlers: those wait until the loop has time, and the watchdog must not.
    """
    loop, stop = asyncio.get_running_loop(), asyncio.Event()

    def told(_number: int, _frame: object) -> None:
        for number in TOLD:  # once is enough; and not SIG_IGN, which a thinking process would inherit
            signal.signal(number, _nothing)
        watchdog.end_soon(0)
        loop.call_soon_threadsafe(stop.set)

    for number in TOLD:
        signal.signal(number, told)
    return stop


def _nothing(_number: int, _frame: object) -> None:
    pass
