"""A simulated Discord with the real bot in it, and what no test of it may leave behind."""

from __future__ import annotations

import asyncio
import hashlib
import itertools
import json
import logging
import os
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
import simcord
from discord import app_commands
from simcord import interactions
from simcord.http import client

from bot import language, processes
from bot.settings import Settings
from bot.tables import lobby
from tests.bot.hosts import NO_LIMITS
from tests.cogs import public_edits, some_game
from tests.cogs.table_driver import Nonces, Room, new_bot
from tests.cogs.traffic import request_faults
from tests.manual_clock import ManualClock
from tests.patience import PATIENCE

DEALS = os.environ.get("DIGSITE_DEALS", "").encode()
"""Any other text here deals other cards in every test: none may rest on the luck of its deal."""
WATCHED = (
    "discord.ui.view",
    "discord.ui.modal",
    "discord.client",
    "discord.app_commands",
    "bot",
    "cogs",
    "asyncio",
)
"""The loggers whose errors fail a test that did not expect them."""


@dataclass
class Mishaps:
    """The errors that were logged in a test. One that is part of what is tested is announced by `expect`."""

    records: list[logging.LogRecord] = field(default_factory=list)
    expected: list[str] = field(default_factory=list)

    def expect(self, text: str) -> None:
        """Errors whose text holds this are part of the test, and there must be one."""
        self.expected.append(text)

    def check(self) -> None:
        texts = [record.getMessage() for record in self.records]
        surprises = [text for text in texts if not any(part in text for part in self.expected)]
        assert not surprises, f"errors were logged: {surprises}"
        missing = [part for part in self.expected if not any(part in text for text in texts)]
        assert not missing, f"no error was logged that says {missing}"


class _Collector(logging.Handler):
    def __init__(self, mishaps: Mishaps) -> None:
        super().__init__(logging.ERROR)
        self._mishaps = mishaps

    def emit(self, record: logging.LogRecord) -> None:
        self._mishaps.records.append(record)


@pytest.fixture(autouse=True)
def mishaps() -> Iterator[Mishaps]:
    """Fails a test in which an error was logged that it did not expect."""
    found = Mishaps()
    collector = _Collector(found)
    for name in WATCHED:
        logging.getLogger(name).addHandler(collector)
    try:
        yield found
    finally:
        for name in WATCHED:
            logging.getLogger(name).removeHandler(collector)
    found.check()


@pytest.fixture
def clock() -> ManualClock:
    """The host's clock, which begins where SimCord's does."""
    return ManualClock(datetime(2026, 1, 1, tzinfo=UTC).timestamp())


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    """A real file; agents that answer at once; every redraw at once, so that none is left out of a test; any number of
    tables.
    """
    return Settings(
        _env_file=None,  # pyright: ignore[reportCallIssue]
        database_path=tmp_path / "digsite.sqlite3",
        agent_delay=(0, 0),
        redraw_interval=0,
        board_lag=0,
        thinkers=0,
        pictures=False,
        **NO_LIMITS,
    )


_COMMANDS: dict[str, Any] = {}


@pytest.fixture(autouse=True, scope="session")
def translated_once() -> Iterator[None]:
    """Commands are translated into each of Discord's languages once, and not again for the bot of each test."""

    def once(translated: Callable[..., Awaitable[Any]]) -> Callable[..., Awaitable[Any]]:
        async def payload(self: Any, tree: Any, translator: Any) -> Any:
            source = json.dumps([language.languages(), self.to_dict(tree)], sort_keys=True, default=str)
            if source not in _COMMANDS:
                _COMMANDS[source] = await translated(self, tree, translator)
            return _COMMANDS[source]  # which nobody changes

        return payload

    with pytest.MonkeyPatch.context() as patched:
        for kind in (app_commands.Group, app_commands.Command):
            patched.setattr(kind, "get_translated_payload", once(kind.get_translated_payload))
        yield


@pytest.fixture
async def env(
    settings: Settings, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[simcord.Env]:
    """The simulated Discord with the bot connected."""
    settle = simcord.Env._settle_internal

    async def settle_at_any_pace(env: simcord.Env, **options: Any) -> None:
        """Waits for as long as a busy machine takes; SimCord gives up after 5 s, and looks only every 50 ms."""
        loop = asyncio.get_running_loop()
        gives_up = loop.time() + PATIENCE
        while True:
            try:
                return await settle(env, **{"idle": 0.002, **options})
            except TimeoutError:
                if loop.time() > gives_up:
                    raise

    monkeypatch.setattr(simcord.Env, "_settle_internal", settle_at_any_pace)
    seeds = (
        hashlib.sha256(DEALS + n.to_bytes(1 if n < 256 else 2, "big")).digest() for n in itertools.count()
    )
    # The same cards at every run, as long as the messages' ids are the same; all else that is drawn stays random.
    monkeypatch.setattr(lobby, "secrets", SimpleNamespace(token_bytes=lambda _size: next(seeds)))
    monkeypatch.setattr(client.router, "dispatch", Nonces().dispatch)
    env = simcord.Env(new_bot(settings, clock))
    await env.start()
    try:
        yield env
    finally:
        host = env.bot.host  # type: ignore[attr-defined]
        await host.close()
        await env.shutdown()
        await asyncio.sleep(0)
    env._raise_errors_since(env._errors_acknowledged)


@pytest.fixture
async def room(
    env: simcord.Env, clock: ManualClock, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> AsyncIterator[Room]:
    """A channel with the bot in it.

    Afterwards: all were answered, all that was sent kept Discord's limits, and no message that others see was edited to
    show what one person may see.
    """
    room = Room(env, clock, settings, some_game.GAME)
    base_payload = interactions.base_payload

    def in_their_language(*arguments: Any, **options: Any) -> Any:
        record, payload = base_payload(*arguments, **options)
        room.translate_payload(payload)
        return record, payload

    monkeypatch.setattr(interactions, "base_payload", in_their_language)
    with public_edits.watching(env) as private:
        yield room
    assert not private, private[0]
    unanswered = room.unanswered()
    assert len(unanswered) == room.answers_missing, unanswered
    faults = request_faults(env.http_requests)
    assert not faults, "\n".join(faults)
    assert kept_views(room) == 0, "discord.py keeps views of screens"


def kept_views(room: Room) -> int:
    """How many views and forms discord.py holds on to."""
    store = room.bot._connection._view_store
    return len(store._views) + len(store._synced_message_views) + len(store._modals)


@pytest.fixture
def rendering_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pictures are rendered in a thread, so that tests need not wait for a process."""
    monkeypatch.setattr(processes, "open_pool", lambda *_arguments: ThreadPoolExecutor(1))
    monkeypatch.setattr(processes, "close_pool", lambda pool: pool.shutdown(wait=False))
