"""The tables of this process: each act is one change, made under the table's lock and durable before it is seen."""

from __future__ import annotations

import hashlib
import logging
import random
from collections import OrderedDict
from collections.abc import AsyncGenerator, Mapping
from contextlib import asynccontextmanager
from typing import Any, Final

from bot.clock import Clock
from bot.store.base import ChannelTaken, Job, Store
from bot.tables import absence, lobby, play
from bot.tables.draft import AGENT, DEADLINE, EXPIRY, REMINDER, Draft
from bot.tables.locks import Locks
from bot.tables.model import Seat, Table, read_table
from bot.tables.refusals import Refused
from bot.tables.thinking import Thinkers
from engine.errors import BadData, IllegalMove
from engine.game import AnyGame

log = logging.getLogger(__name__)

CACHED: Final = 2000
"""How many tables are held ready; the others are read when somebody presses."""


class Tables:
    """Every act at a table goes through here; nothing else writes tables."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, AnyGame],
        clock: Clock,
        thinkers: Thinkers,
        agent_delay: tuple[float, float] = (0.0, 0.0),
    ) -> None:
        self.store = store
        self.games = games
        self.clock = clock
        self.downtime = 0.0
        """Seconds, in all, that no host was up; known once the host has started."""
        self._thinkers = thinkers
        self._delay = agent_delay
        self._delays = random.SystemRandom()
        self._locks = Locks()
        self._cache: OrderedDict[int, Table] = OrderedDict()

    # -- reading

    async def get(self, table_id: int) -> Table:
        """The table as it last became durable. Raises `Refused` where there is none."""
        table = self._cache.get(table_id)
        if table is not None:
            self._cache.move_to_end(table_id)
            return table
        row = await self.store.table(table_id)
        game = self.games.get(row.game) if row else None
        if row is None or game is None:
            raise Refused("no-table")
        newer = self._cache.get(table_id)
        if newer is not None and newer.version >= row.version:  # committed while the row was being read
            return newer
        try:
            table = read_table(row, game)
        except BadData as error:
            log.error("table %s cannot be read: %s", table_id, error)
            raise Refused("unreadable", table=table_id) from None
        self._keep(table)
        return table

    def _keep(self, table: Table) -> None:
        self._cache[table.id] = table
        self._cache.move_to_end(table.id)
        while len(self._cache) > CACHED:
            self._cache.popitem(last=False)

    async def live_in(self, channel_id: int) -> Table | None:
        """The channel's live table."""
        row = await self.store.live_table(channel_id)
        return await self.get(row.id) if row else None

    async def latest_in(self, channel_id: int, game: str) -> Table | None:
        """The channel's newest table of this game, live or not."""
        row = await self.store.latest_table(channel_id, game)
        return await self.get(row.id) if row else None

    # -- changing

    def _draft(self, table: Table) -> Draft:
        return Draft(
            table.draft(), self.clock.now(), self.downtime, lambda: self._delays.uniform(*self._delay)
        )

    @asynccontextmanager
    async def change(self, table_id: int) -> AsyncGenerator[Draft]:
        """Holds the table's lock; what was done to the draft is durable when the block has ended.

        Nothing is changed where the block raises, or where it did not touch the draft.
        """
        async with self._locks.hold(table_id):
            draft = self._draft(await self.get(table_id))
            yield draft
            if draft.touched:
                await self._commit(draft)

    async def _commit(self, draft: Draft) -> None:
        table = draft.table
        table.changed_at = draft.now
        change = draft.change()
        try:
            await self.store.commit(change)
        except BaseException:
            # Whether it became durable is not known here (the caller may have been cancelled): read it anew.
            self._cache.pop(table.id, None)
            raise
        table.version = change.table.version
        self._keep(table)

    # -- the lobby

    async def open(
        self,
        game: AnyGame,
        *,
        guild_id: int,
        channel_id: int,
        user_id: int,
        seats: list[Seat],
        locale: str,
        limit: int | None,
        options: dict[str, Any] | None = None,
        agents: int = 0,
        level: str = absence.STAND_IN,
    ) -> Table:
        """Opens a lobby. Raises `Refused` where the channel has a live table already."""
        table = lobby.new_table(
            game,
            guild_id=guild_id,
            channel_id=channel_id,
            host=user_id,
            seats=seats,
            locale=locale,
            now=self.clock.now(),
        )
        draft = self._draft(table)
        lobby.open_lobby(draft, limit=limit, options=options or {}, agents=agents, level=level)
        try:
            row = await self.store.create(draft.change())
        except ChannelTaken:
            running = await self.live_in(channel_id)
            raise Refused("channel-taken", table=running) from None
        table = draft.table
        table.id, table.version = row.id, row.version
        self._keep(table)
        return table

    # -- moves

    async def play(
        self, table_id: int, user_id: int, decision: int | None, move: Any, interaction: int
    ) -> Table:
        """Plays a person's move. Raises `Refused`, `Stale`, `IllegalMove`, `Repeated`, `StoreError`."""
        async with self.change(table_id) as draft:
            seat = play.check_move(draft.table, user_id, decision)
            play.play_own(draft, seat, move, interaction)
        return draft.table

    async def agent_turn(self, table_id: int) -> None:
        """Lets an agent answer for one seat that waits for it."""
        table = await self.get(table_id)
        seat = self._agents_seat(table)
        if seat is None:
            return
        move = await self._choose(table, seat)
        async with self.change(table_id) as draft:
            if draft.table.sequence != table.sequence or self._agents_seat(draft.table) != seat:
                absence.arm(draft)  # somebody moved or came back meanwhile
                draft.touch()
                return
            play.make_move(draft, seat, move, None)

    def _agents_seat(self, table: Table) -> int | None:
        if table.status != "playing":
            return None
        for decision in table.game.pending(table.state):
            if absence.played_by_agent(table, decision.seat):
                return decision.seat
        return None

    async def _choose(self, table: Table, seat: int) -> Any:
        game, level = table.game, absence.agent_of(table, seat)
        view = game.view(table.state, seat)
        seed = hashlib.sha256(f"{table.body.host_seed}:agent:{table.sequence}:{seat}".encode()).digest()
        try:
            move = await self._thinkers.choose(game, level, view, seed)
            game.apply(game.copy(table.state), seat, move)
        except IllegalMove as error:
            log.error("table %s: the %s agent chose an illegal move (%s)", table.id, level, error.code)
        except Exception:
            log.exception("table %s: the %s agent failed", table.id, level)
        else:
            return move
        guess = random.Random(seed)  # the match goes on, with a random legal move from what the seat can see
        return game.sample(game.imagine(view, guess), seat, guess)

    # -- time

    async def do_job(self, job: Job) -> None:
        """Does a job of the table layer's own kinds."""
        if job.kind == AGENT:
            await self.agent_turn(job.table_id)
            return
        async with self.change(job.table_id) as draft:
            if job.kind == REMINDER:
                absence.remind(draft)
            elif job.kind == DEADLINE:
                absence.miss(draft)
            elif job.kind == EXPIRY:
                self._expire(draft)

    def _expire(self, draft: Draft) -> None:
        if draft.table.status == "lobby":
            lobby.close_lobby(draft, "lobby-expired")
        elif draft.table.status == "paused":
            play.abandon(draft, "pause-expired")
