"""A host without Discord: its tables, store and jobs are real, but nobody draws its messages."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any, Final, cast

import discord

from bot.app.host import Host
from bot.clock import Clock
from bot.fleet.fleet import Fleet
from bot.ratelimit.limiter import Pace
from bot.settings import Settings
from bot.store.store import Store
from bot.tables import lobby
from bot.tables.model import Table
from bot.ui.table_display import Presenter
from tests.bot.store.samples import Home
from tests.bot.tables.samples import GAMES

START_MESSAGE = 99

NO_LIMITS: Final = {
    "tables_per_person": 0,
    "tables_per_server": 0,
    "new_tables_per_person": 0,
    "new_tables_per_server": 0,
}
"""Settings that let everybody open as many tables as they like."""


class NobodyLooks:
    """The private screens, of which none is open."""

    def asks_anew(self, _table: Table, _besides: int | None) -> list[Any]:
        return []


class Drawn:
    """Stands in for the presenter: notes which tables were drawn, and does during each redraw what a test wants."""

    def __init__(self) -> None:
        self.tables: list[int] = []
        self.urgent: list[int] = []
        self.gone: list[int] = []
        self.trouble: dict[int, str] = {}
        self.meanwhile: Callable[[int], Awaitable[object]] | None = None
        self.host: Host | None = None
        self.private = NobodyLooks()
        self.followed: list[int] = []
        """Tables whose private screens were brought up to date without their messages."""

    async def redraw(self, table_id: int) -> float | None:
        self.tables.append(table_id)
        if self.meanwhile is not None:
            await self.meanwhile(table_id)
        return None

    def draw_at_once(self, table: Table) -> None:
        self.urgent.append(table.id)

    def is_urgent(self, table_id: int) -> bool:
        return table_id in self.urgent

    def answer_awaited(self, _table_id: int) -> bool:
        return False

    def rides(self, _table_id: int) -> bool:
        return False

    async def start(self, table_id: int) -> None:
        """Starts the match, as if Discord had accepted the start message at once."""
        assert self.host is not None
        async with self.host.tables.change(table_id) as draft:
            if draft.table.starting:
                lobby.begin(draft, START_MESSAGE)

    async def follow(self, table_id: int) -> None:
        self.followed.append(table_id)

    async def repost(self, table_id: int) -> None:
        self.tables.append(table_id)

    async def channel_gone(self, table: Table) -> None:
        self.gone.append(table.id)

    def sweep(self) -> None:
        pass

    def keep_only(self, _tables: object) -> None:
        pass


def make_host(
    place: Path | str | Store,
    clock: Clock,
    pace: Pace | None = None,
    *,
    fleet: Fleet | None = None,
    **settings: Any,
) -> tuple[Host, Drawn]:
    """A host on a store, on the file at this path, or on the database at this URL; its agents and redraws take no time.

    It is not started yet.

    `pace` limits its redraws; None lets all of them happen at once.
    """
    chosen = Settings(
        _env_file=None,  # pyright: ignore[reportCallIssue]
        database_path=place if isinstance(place, Path) else "unused.sqlite3",
        **{
            "agent_delay": (0, 0),
            "redraw_interval": 0,
            "board_lag": 0,
            "thinkers": 0,
            "pictures": False,
            **NO_LIMITS,
            **settings,
        },
    )
    client = discord.Client(intents=discord.Intents.none())
    store = Home(place).store(clock) if isinstance(place, (Path, str)) else place
    host = Host(client, chosen, clock, store, GAMES, pace, fleet=fleet)
    drawn = Drawn()
    drawn.host = host
    host.presenter = cast("Presenter", drawn)
    return host, drawn
