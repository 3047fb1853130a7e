"""The tables of this process: each act is one change, made under the table's lock and durable before it is seen."""

from __future__ import annotations

import asyncio
import hashlib
import logging
import random
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from bot.clock import Clock
from bot.store.base import LIVE, Change, ChannelTaken, Job, Store, StoreError, TableRow
from bot.tables import absence, deadlines, jobs, lobby, play, seats
from bot.tables.draft import AGENT, ALARM, KINDS, Draft
from bot.tables.locks import Locks
from bot.tables.model import STAND_IN, Seat, Table, read_table
from bot.tables.quota import NO_LIMITS, Limits, Quota
from bot.tables.refusals import Refused
from bot.tables.thinking import Thinkers
from engine.errors import BadData, IllegalMove
from engine.game import AnyGame

log = logging.getLogger(__name__)

CACHED: Final = 10_000
"""How many tables are held ready, at some 10 KB each; the others are read when somebody presses."""


class Tables:
    """Every act at a table goes through here; nothing else writes tables."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, AnyGame],
        clock: Clock,
        thinkers: Thinkers,
        agent_delay: tuple[float, float] = (0.0, 0.0),
        limits: Limits = NO_LIMITS,
    ) -> None:
        self.store = store
        self.games = games
        self.clock = clock
        self.downtime = 0.0
        """Seconds, in all, that no host was up, less those by which the clock was set back meanwhile; known once the
        host has started."""
        self.grace_ends = 0.0
        """Until then, in host time, nobody's time runs out: the host has just started."""
        self._thinkers = thinkers
        self._delay = agent_delay
        self._delays = random.SystemRandom()
        self._quota = Quota(limits)
        self._locks = Locks()
        self._cache: OrderedDict[int, Table] = OrderedDict()

    def start(self, downtime: float, grace_ends: float) -> None:
        """Tells how long, in all, no host was up, and until when, in host time, nobody's time runs out."""
        self.downtime, self.grace_ends = downtime, grace_ends
        self._cache.clear()  # each table is given that grace when it is read

    @property
    def shown_later(self) -> float:
        """Seconds to be added to a point in host time to get the one that people are shown."""
        return self.downtime + self.clock.correction

    @property
    def changing(self) -> int:
        """How many tables are being changed now."""
        return len(self._locks)

    # -- reading

    async def get(self, table_id: int) -> Table:
        """The table as it last became durable. Raises `Refused` where there is none, or none that can be read."""
        table = self._cache.get(table_id)
        if table is not None:
            self._cache.move_to_end(table_id)
            return table
        row = await self.store.table(table_id)
        if row is None:
            raise Refused("no-table")
        newer = self._cache.get(table_id)
        if newer is not None and newer.version >= row.version:  # committed while the row was being read
            return newer
        try:
            game = self.games.get(row.game)
            if game is None:
                raise BadData(f"this version has no game {row.game!r}")
            table = read_table(row, game)
        except BadData as error:
            log.error("table %s cannot be read: %s", table_id, error)
            raise Refused("unreadable", table=table_id) from None
        deadlines.grant_grace(table, self.grace_ends)
        self._keep(table)
        return table

    async def latest(self, table_id: int) -> Table:
        """The table as it is after what is being done to it now. For jobs: a job's row becomes visible with the
        commit that sets it, a moment before `get` knows what was committed. Raises `Refused` as `get` does.
        """
        async with self._locks.hold(table_id):
            return await self.get(table_id)

    def drop_ended(self, before: float) -> None:
        """Holds no table ready any more that ended before then: the store has purged them."""
        for table in list(self._cache.values()):
            if table.ended_at is not None and table.ended_at < before:
                del self._cache[table.id]

    def _keep(self, table: Table) -> None:
        self._cache[table.id] = table
        self._cache.move_to_end(table.id)
        while len(self._cache) > CACHED:
            self._cache.popitem(last=False)

    async def live_in(self, channel_id: int) -> Table | None:
        """The channel's live table. Raises `Refused` if it cannot be read."""
        row = await self.store.live_table(channel_id)
        table = await self.get(row.id) if row else None
        return table if table is not None and table.live else None  # it may have ended meanwhile

    async def latest_in(self, channel_id: int, game: str) -> Table | None:
        """The channel's newest table of this game, live or not. Raises `Refused` if it cannot be read."""
        row = await self.store.latest_table(channel_id, game)
        return await self.get(row.id) if row else None

    # -- changing

    def _draft(self, table: Table) -> Draft:
        return Draft(table, self.clock.now(), self.downtime, self._agent_pause, self.grace_ends)

    def _agent_pause(self) -> float:
        return self._delays.uniform(*self._delay)

    @asynccontextmanager
    async def change(self, table_id: int) -> AsyncGenerator[Draft]:
        """Holds the table's lock; what was done to the draft is durable when the block has ended.

        Nothing is changed where the block raises, or where it did not touch the draft. Raises `Refused` where
        there is no such table, `StoreError` where the change could not be kept.
        """
        async with self._locks.hold(table_id):
            draft = self._draft(await self.get(table_id))
            yield draft
            if draft.touched:
                await self._commit(draft)

    async def _commit(self, draft: Draft) -> None:
        table = draft.table
        table.changed_at = draft.now
        jobs.arm(draft)
        change = draft.change()
        await self._write(change)
        table.version = change.table.version
        self._keep(table)

    async def _write(self, change: Change) -> None:
        try:
            await self.store.commit(change)
        except BaseException as error:
            self._cache.pop(change.table.id, None)  # what became of it is not known here: it is read anew
            if isinstance(error, asyncio.CancelledError):
                await self._settle()
            raise

    async def _settle(self) -> None:
        """Waits for a write whose caller was cancelled: the lock must not go before it has become durable."""
        settling = asyncio.ensure_future(self.store.settle())
        while not settling.done():
            with suppress(asyncio.CancelledError, StoreError):  # cancelling again must not hurry it
                await asyncio.shield(settling)

    async def rewrite(self, table_id: int, rewrite: Callable[[TableRow], None]) -> None:
        """Changes the row of a table that cannot be read, and leaves its state as it is.

        Raises `Refused` where there is no such table, `StoreError`.
        """
        async with self._locks.hold(table_id):
            row = await self.store.table(table_id)
            if row is None:
                raise Refused("no-table")
            rewrite(row)
            self._cache.pop(table_id, None)
            await self._write(Change(row, drop_jobs=() if row.status in LIVE else KINDS))

    async def give_up(self, table_id: int) -> None:
        """Ends a match that cannot be read, so that its channel is free; all of it is kept."""

        def end(row: TableRow) -> None:
            if row.status in LIVE:
                row.status, row.ended_at = "abandoned", self.clock.now()

        await self.rewrite(table_id, end)

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
        level: str = STAND_IN,
    ) -> Table:
        """Opens a lobby for its opener, who hosts it. Raises `Refused` where the channel has a live table already, or
        where one more table would be too many.
        """
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
        jobs.arm(draft)
        with self._quota.opening(game.key, user_id, guild_id, draft.now):
            row = await self._create(draft.change(), user_id)
        table = draft.table
        table.id, table.version = row.id, row.version
        self._keep(table)
        return table

    async def _create(self, change: Change, opener_id: int) -> TableRow:
        while True:
            try:
                return await self.store.create(change, opener_id=opener_id, most=self._quota.limits.live)
            except ChannelTaken:
                running = await self.live_in(change.table.channel_id)
                if running is not None:
                    raise Refused("channel-taken", table=running) from None
                # It ended just now, so the channel is free.

    async def take_over(self, table_id: int, user_id: int, name: str, seat: int) -> Table:
        """A person takes a free seat of a match under way, unless they have seen another hand of it.

        Raises `Refused`, `StoreError`.
        """
        async with self.change(table_id) as draft:
            table = draft.table
            if table.under_way and table.seat_of(user_id) is None:
                sat = await self.store.seat_of(table_id, user_id)
                if sat not in (None, lobby.IN_LOBBY, seat) or table.seal(user_id) in table.body.forgotten:
                    raise Refused("sat-elsewhere")
            seats.sit(draft, seat, user_id, name)
        return draft.table

    # -- moves

    async def play(
        self, table_id: int, user_id: int, drawn: str | None, move: Any, interaction: int
    ) -> Table:
        """Plays a person's move. Raises `Refused`, `Stale`, `IllegalMove`, `Repeated`, `StoreError`."""
        async with self.change(table_id) as draft:
            seat = play.check_move(draft.table, user_id, drawn)
            play.play_own(draft, seat, move, interaction)
        return draft.table

    async def agent_turn(self, table_id: int) -> None:
        """Lets an agent answer for one seat that waits for it."""
        table = await self.latest(table_id)
        turn = jobs.agents_turn(table)
        if turn is None:
            return
        seat = turn[0]
        move = await self._choose(table, seat)
        async with self.change(table_id) as draft:
            if jobs.agents_turn(draft.table) == turn:  # nobody moved or came back meanwhile
                play.make_move(draft, seat, move, None)

    async def _choose(self, table: Table, seat: int) -> Any:
        """The agent's move. The match goes on all the same where it has none: with a random legal one."""
        game, level = table.game, absence.agent_of(table, seat)
        view = game.view(table.state, seat)
        seed = hashlib.sha256(f"{table.body.host_seed}:agent:{table.sequence}:{seat}".encode()).digest()
        rng = random.Random(seed)
        try:
            return _checked(table, seat, await self._thinkers.choose(game, level, view, seed))
        except IllegalMove as error:
            log.error("table %s: the %s agent chose an illegal move (%s)", table.id, level, error.code)
        except Exception:
            log.exception("table %s: the %s agent failed", table.id, level)
        try:
            return _checked(table, seat, game.sample(game.imagine(view, rng), seat, rng))
        except Exception:
            log.exception("table %s: no move could be drawn from what seat %s sees", table.id, seat)
        return game.sample(table.state, seat, rng)

    # -- time

    async def do_job(self, job: Job) -> None:
        """Does a job of the table layer's own kinds."""
        if job.kind == AGENT:
            await self.agent_turn(job.table_id)
        elif job.kind == ALARM:
            async with self.change(job.table_id) as draft:
                absence.time_passes(draft)


def _checked(table: Table, seat: int, move: Any) -> Any:
    """This move, if it is legal. Raises `IllegalMove`."""
    table.game.apply(table.game.copy(table.state), seat, move)
    return move
