"""A playground session: runs the bot, its jobs and the pages until it is stopped."""

from __future__ import annotations

import asyncio
import logging
import os
import secrets
import signal
import sys
import threading
import webbrowser
from collections.abc import AsyncGenerator, Callable
from contextlib import AsyncExitStack, asynccontextmanager, suppress
from functools import partial
from pathlib import Path
from typing import Final, Protocol

import discord

from bot.background import first_of
from bot.clock import Clock, SystemClock
from bot.playground.opening import Games
from bot.playground.server import Server, serve
from bot.playground.world import LOOK, World, simulated_discord
from bot.processes import stop_signals
from bot.store.model import StoreLost

log = logging.getLogger(__name__)

PORT = 8600
JOBS: Final = 1.0
"""Seconds between two checks for due jobs without an event."""
AFTER_ERROR: Final = 5.0
"""Seconds until due jobs are started again after an error."""
# Flushed, because the address must appear immediately in a pipe too.
SAY = partial(print, flush=True)


class Host(Protocol):
    """The part of the host that the playground uses."""

    async def start_due(self) -> float | None: ...

    async def repost_all(self) -> None: ...


async def play(
    database: Path,
    *,
    make_client: Callable[[Clock], tuple[discord.Client, Host, Callable[[], Games]]],
    port: int = PORT,
    open_browser: bool = True,
    say: Callable[[str], None] = SAY,
) -> None:
    """Runs the bot with this database on a local page until Ctrl-C, SIGTERM or SIGHUP.

    `make_client` also returns the client's host, and a function that lists the games of the bot once it has started.
    """
    clock = SystemClock()
    async with _stop_signals() as stop, AsyncExitStack() as stack:
        client, host, offered = make_client(clock)
        world = await stack.enter_async_context(simulated_discord(client, clock))
        key = address_key(database.with_name(f"{database.name}.playground-key"))
        server = await stack.enter_async_context(serve(world, port=port, key=key, games=offered()))
        await host.repost_all()
        world.look()
        server.projection.read_everything()
        _welcome(server, port, database, say)
        if open_browser and _has_browser():
            # In a thread, because with some browsers the call returns only when the browser is closed.
            threading.Thread(target=webbrowser.open, args=(server.url,), daemon=True).start()
        await first_of(stop.wait(), run_jobs(host, clock, world), world.follow(), world.run_timers())
    say("The playground has ended. Everything is kept: start it again to play on.")


async def run_jobs(host: Host, clock: Clock, world: World) -> None:
    """Starts due jobs at their time, and after any event.

    This loop replaces the bot's own, because SimCord waits for every task that the bot starts.
    """
    while True:
        seen = world.events
        latest = clock.now() + JOBS
        try:
            due = await host.start_due()
        except StoreLost:
            raise
        except Exception:
            log.exception("could not start due jobs, retrying in %s s", AFTER_ERROR)
            await asyncio.sleep(AFTER_ERROR)
            continue
        latest = latest if due is None else min(latest, due)
        await asyncio.sleep(LOOK)
        while world.events == seen and (left := latest - clock.now()) > 0:
            # Python 3.11's `wait_for` loses a cancellation that comes together with what it waits for.
            with suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await world.next_change()


@asynccontextmanager
async def _stop_signals() -> AsyncGenerator[asyncio.Event]:
    """A context with an event that Ctrl-C, SIGTERM and SIGHUP set. A second Ctrl-C ends the process immediately."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    handled: list[signal.Signals] = []

    def stopped() -> None:
        stop.set()
        for number in handled:
            loop.remove_signal_handler(number)

    # asyncio has no such handlers on Windows, where Ctrl-C cancels the main task.
    with suppress(NotImplementedError):
        for number in stop_signals():
            loop.add_signal_handler(number, stopped)
            handled.append(number)
    try:
        yield stop
    finally:
        for number in handled:
            loop.remove_signal_handler(number)


def address_key(path: Path) -> str:
    """The secret part of the address, which is stored so that a window left open works in the next session."""
    kept = path.read_text("ascii").strip() if path.exists() else ""
    if kept:
        return kept
    key = secrets.token_urlsafe(32)
    # A killed start may have left an empty file, which counts as no key.
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write(key)
    return key


def _welcome(server: Server, port: int, database: Path, say: Callable[[str], None]) -> None:
    if port and f":{port}/" not in server.url:
        say(f"Port {port} is in use, so the playground took another one.")
    say(f"The playground is at {server.url}")
    say(f"Matches are kept in {database}. Ctrl-C ends it.")


def _has_browser() -> bool:
    """Whether a graphical browser can be expected; a text browser would take over the terminal."""
    display = any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
    return display or sys.platform in ("darwin", "win32")
