"""One sitting in the playground: start the bot, keep its jobs and the pages going, and end in good order."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import sys
import threading
import webbrowser
from collections.abc import AsyncIterator, Callable, Coroutine
from pathlib import Path
from typing import Any, Protocol, TypeVar, cast

import discord

from bot.clock import Clock, SystemClock
from bot.playground.pages import Pages, open_pages
from bot.playground.world import World, simulated_discord

log = logging.getLogger(__name__)

PORT = 8600
POLL_SECONDS = 0.2
IDLE_SECONDS = 1.0
PAUSE_AFTER_ERROR = 5.0
# Pages show how long ago a thing was; nobody else tells them that time has passed.
REFRESH_SECONDS = 30.0


class Host(Protocol):
    """What the playground needs of the host."""

    async def run_due(self) -> float | None: ...

    async def repost_all(self) -> None: ...


class HostedClient(Protocol):
    """What the playground needs of the bot, which is a `discord.Client` too."""

    @property
    def host(self) -> Host: ...

    async def close(self) -> None: ...


class PlaygroundSettings(Protocol):
    """What the playground needs of the settings."""

    @property
    def database_path(self) -> Path: ...


SettingsT = TypeVar("SettingsT", bound=PlaygroundSettings)


async def play(
    settings: SettingsT,
    *,
    make_client: Callable[[SettingsT, Clock], HostedClient],
    port: int = PORT,
    open_browser: bool = True,
    say: Callable[[str], None] = print,
) -> None:
    """Run the bot in a local page until Ctrl-C, SIGTERM or "End preview session"."""
    clock = SystemClock()
    client = make_client(settings, clock)
    key_file = settings.database_path.with_name(settings.database_path.name + ".playground-key")
    async with contextlib.AsyncExitStack() as stack:
        stack.push_async_callback(client.close)
        world = await stack.enter_async_context(simulated_discord(cast("discord.Client", client), clock))
        pages = await stack.enter_async_context(open_pages(world, port=port, key_file=key_file))
        await client.host.repost_all()
        await pages.refresh()
        _welcome(pages, port, settings.database_path, say)
        if open_browser and _has_browser():
            # Not awaited: some browsers do not return before they are closed.
            threading.Thread(target=webbrowser.open, args=(pages.url,), daemon=True).start()
        await _until_ended(pages, run_jobs(client.host, clock, world), follow(pages, world, clock))
        say("The playground has ended. Everything is kept: start it again to play on.")


async def run_jobs(host: Host, clock: Clock, world: World) -> None:
    """Have the host do what is due: at its time, and after anything has happened, which may have made a job."""
    while True:
        seen = world.events()
        latest = clock.now() + IDLE_SECONDS
        try:
            due = await host.run_due()
        except Exception:
            log.exception("The host's jobs failed; the next try is in %s s", PAUSE_AFTER_ERROR)
            await asyncio.sleep(PAUSE_AFTER_ERROR)
            continue
        if due is not None:
            latest = min(latest, due)
        await asyncio.sleep(POLL_SECONDS)
        while clock.now() < latest and world.events() == seen:
            await asyncio.sleep(POLL_SECONDS)


async def follow(pages: Pages, world: World, clock: Clock) -> None:
    """Show what has happened on everybody's page, soon after it has."""
    shown, at = -1, clock.now()
    while True:
        seen = world.events()
        if seen != shown or clock.now() >= at + REFRESH_SECONDS:
            try:
                await pages.refresh()
                shown, at = seen, clock.now()
            except TimeoutError as error:
                log.warning("The pages wait for the bot: %s", error)
        await asyncio.sleep(POLL_SECONDS)


async def _until_ended(pages: Pages, *work: Coroutine[Any, Any, None]) -> None:
    """Run `work` until the process is told to stop or the pages are closed; raise what breaks it."""
    async with _stop_signals() as stop:
        ends = [asyncio.create_task(stop.wait()), asyncio.create_task(pages.wait_closed())]
        tasks = [asyncio.create_task(each) for each in work]
        try:
            done, _ = await asyncio.wait([*ends, *tasks], return_when=asyncio.FIRST_COMPLETED)
            if not done.intersection(ends):
                done.pop().result()
        finally:
            for task in (*ends, *tasks):
                task.cancel()
            await asyncio.gather(*ends, *tasks, return_exceptions=True)


@contextlib.asynccontextmanager
async def _stop_signals() -> AsyncIterator[asyncio.Event]:
    """An event that Ctrl-C and SIGTERM set; a second Ctrl-C, while all is being closed, ends at once."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    handled: list[signal.Signals] = []
    # Windows has no such handlers; there, Ctrl-C cancels the main task, and all is closed on the way out.
    with contextlib.suppress(NotImplementedError):
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
            handled.append(number)
    try:
        yield stop
    finally:
        for number in handled:
            loop.remove_signal_handler(number)


def _welcome(pages: Pages, port: int, database: Path, say: Callable[[str], None]) -> None:
    if port and f":{port}/" not in pages.url:
        say(f"Port {port} is in use, so the playground took another one.")
    say(f"The playground is at {pages.url}")
    say(f"Matches are kept in {database}. Ctrl-C ends it.")


def _has_browser() -> bool:
    """Whether a browser with a window can be expected; a text browser would take the terminal."""
    return sys.platform in ("darwin", "win32") or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))
