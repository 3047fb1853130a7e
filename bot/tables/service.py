"""The tables in the memory of this process. Each act is one change, which is durable before it becomes visible.

Several processes may change a table. The version of its row decides: an act checks the version of a cached table before
it uses the table, and a change of an outdated table fails with a `Conflict`. An act therefore sends nothing to Discord
before its first change is durable: until then the act can be repeated from its beginning (`bot.ui.router`).
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bot.background import Locks
from bot.clock import Clock
from bot.fleet.fleet import Fleet
from bot.observability.context import mark_durable, must_check_version
from bot.store.model import LIVE, Change, ChannelTaken, Conflict, Job, Repeated, TableLimits, TableRow
from bot.store.store import Store
from bot.tables import absence, deadlines, jobs, lessons, lobby, play, results, seats
from bot.tables.cache import CacheLimits, TableCache, Writer
from bot.tables.deadlines import HostTime
from bot.tables.draft import AGENT, ALARM, KINDS, Draft
from bot.tables.integrity import accept_states
from bot.tables.lobby import NewTable
from bot.tables.model import NO_SEAT, NOWHERE, Table, read_table
from bot.tables.quota import NO_LIMITS, Limits, Quota
from bot.tables.refusals import Refused
from bot.tables.thinking import Agents, MasterScores, Thinkers
from engine.errors import BadData
from engine.game import AnyGame

log = logging.getLogger(__name__)
_TRIES: Final = 3
"""How often a change is tried that conflicts with those of other processes."""


@dataclass(frozen=True, slots=True)
class Policy:
    """The rules for tables that other parts of the bot set."""

    agent_delay: tuple[float, float] = (0.0, 0.0)
    """The bounds, in seconds, of the random pause before an agent's move."""
    quota: Limits = NO_LIMITS
    may_sit: Callable[[int, int], None] = lambda _user, _guild: None
    """Raises `Refused` if this person may not sit down at a table on this server."""
    may_notify: Callable[[int, float], bool] = lambda _user, _now: True
    """Returns whether a lobby that asks this person to join it may notify them at this time."""
    redrawn_from: Callable[[int], float] = lambda _table: 0.0
    """Returns the time from which a table may be drawn again. A redraw set for it need not be postponed later."""
    cache: CacheLimits = field(default_factory=CacheLimits)


class Tables:
    """Carries out every act at a table; nothing else writes tables."""

    def __init__(
        self,
        store: Store,
        games: Mapping[str, AnyGame],
        clock: Clock,
        thinkers: Thinkers,
        policy: Policy = Policy(),
        fleet: Fleet | None = None,
    ) -> None:
        self.store = store
        self.games = games
        self.clock = clock
        self._fleet = fleet if fleet is not None else Fleet()
        self.time = HostTime(clock, self._fleet)
        self.cache = TableCache(self._fleet, policy.cache)
        self.urgent: list[Callable[[Table], None]] = []
        """Called before `changed` with a table whose messages are to be drawn without delay: a name is to vanish."""
        self.changed: list[Callable[[Table], None]] = []
        """Called with a table as soon as a change of it is durable, within the act that has made the change."""
        self.may_sit, self._may_notify = policy.may_sit, policy.may_notify
        self._redrawn_from = policy.redrawn_from
        self._agents, self.masters = Agents(thinkers, policy.agent_delay), MasterScores(thinkers)
        self._quota = Quota(policy.quota)
        self._locks = Locks()
        self.deals = Locks()  # by first table: held while people sit down at tables with the same deal
        self.writer = Writer(store, clock, self._fleet, self.cache)

    def start(self, downtime: float, grace_ends: float) -> None:
        """Sets the downtime and the end of the grace period, which holds for tables that are read from now on."""
        self.time.start(downtime, grace_ends)
        self.cache.clear()

    def took_over(self, shards: Collection[int], grace_ends: float) -> None:
        """Starts a grace period on these shards, which this process serves from now on, and drops their tables."""
        self.time.take_over(shards, grace_ends)
        self.cache.drop_shards(shards)

    @property
    def utc(self) -> float:
        """The time of day, in seconds since 1970-01-01 UTC, as people's clocks show it."""
        return self.clock.now() + self.clock.correction

    # -- reading

    async def get(self, table_id: int) -> Table:
        """The table as it last became durable. Raises `Refused` if it does not exist or cannot be read."""
        table = self.cache.get(table_id)
        if table is not None:
            alone = self._fleet.alone or not must_check_version(table_id)
            return table if alone else await self.newer(table) or self.cache.peek(table_id) or table
        row = await self.store.table(table_id)
        if row is None:
            raise Refused("no-table")
        return await self._newest(row)

    async def newer(self, table: Table) -> Table | None:
        """The newest state of a table if the store has another version of it. Raises `Refused` and `StoreError`."""
        row = await self.store.newer(table.id, table.version)
        return None if row is None else await self._newest(row)

    async def _newest(self, row: TableRow) -> Table:
        """The table of a row, or its newer state if this process has changed it while the row was being read."""
        if (cached := self._cached(row)) is not None:
            return cached
        try:
            table = self._read(row)
            if table.state is not None and not table.body.digest:
                moves = await self.store.moves(row.id)
                newer = await self.store.newer(row.id, row.version)
                if newer is not None:
                    return await self._newest(newer)
                accept_states(table, moves)
        except BadData as error:
            log.error("table %s cannot be read: %s", row.id, error)
            raise Refused("unreadable", table=row.id) from None
        if (cached := self._cached(row)) is not None:
            return cached
        deadlines.grant_grace(table, self.time.grace_of(table.guild_id))
        self.cache.keep(table)
        return table

    def _cached(self, row: TableRow) -> Table | None:
        """The table of a row or its newer state, if it is cached."""
        cached = self.cache.peek(row.id)
        return cached if cached is not None and cached.version >= row.version else None

    def _read(self, row: TableRow) -> Table:
        game = self.games.get(row.game)
        if game is None:
            raise BadData(f"this version has no game {row.game!r}")
        return read_table(row, game)

    def at_hand(self, table_id: int) -> Table | None:
        """The table as it last became durable, if it is cached."""
        return self.cache.peek(table_id)

    async def latest(self, table_id: int) -> Table:
        """The table after the change under way, if there is one. Raises `Refused` as `get` does.

        Jobs require this method: the row of a job becomes visible with the commit that sets the job, a moment before
        `get` returns the committed table.
        """
        async with self._locks.hold(table_id):
            return await self.get(table_id)

    async def live_in(self, channel_id: int) -> Table | None:
        """The channel's live table. Raises `Refused` if it cannot be read."""
        row = await self.store.live_table(channel_id)
        table = await self.get(row.id) if row else None
        return table if table is not None and table.live else None  # it may have ended since its row was read

    async def latest_in(self, channel_id: int, game: str) -> Table | None:
        """The channel's newest match of this game, live or not; a closed lobby only if there never was a match.

        Raises `Refused` if it cannot be read.
        """
        row = await self.store.latest_table(channel_id, game, begun=True)
        row = row or await self.store.latest_table(channel_id, game)
        return await self.get(row.id) if row else None

    # -- changing

    def _draft(self, table: Table) -> Draft:
        grace_ends = self.time.grace_of(table.guild_id)
        return Draft(table, self.clock.now(), self.time.downtime, self._agents.pause, grace_ends)

    @asynccontextmanager
    async def change(self, table_id: int) -> AsyncGenerator[Draft]:
        """A context that holds the table's lock and yields a draft. At its end the changes become durable.

        Nothing is changed if the block raises or has not touched the draft. Raises `Refused` if there is no such
        table, and `StoreError` if the change could not be stored.
        """
        async with self._locks.hold(table_id):
            draft = self._draft(await self.get(table_id))
            yield draft
            if draft.touched:
                await self._commit(draft)

    async def apply(self, table_id: int, act: Callable[[Draft], None]) -> None:
        """Changes a table by `act`, which is repeated if another process has changed the table since it was read.

        Raises `Refused` and `StoreError` as `change` does.
        """
        for tries_left in reversed(range(_TRIES)):
            try:
                async with self.change(table_id) as draft:
                    act(draft)
                return
            except Conflict:
                if not tries_left:
                    raise

    async def _commit(self, draft: Draft) -> None:
        table = draft.table
        draft.stamp()
        deadlines.settle_waits(draft)
        jobs.schedule(draft)
        draft.redraw_from(self._redrawn_from(table.id))
        if draft.result is not None:
            log = [*await self.store.log(table.id), *draft.new_log]
            draft.result = await results.completed(draft.result, table, log, self.store.results)
        change = draft.change()
        known = await self.writer.write(change)
        table.version = change.table.version
        if known:
            self.cache.tails.follow(change, draft.before.version)
            self.cache.keep(table)
        else:  # the table may have been changed again since
            self.cache.drop(table.id)
        for notify in (*(self.urgent if draft.at_once else ()), *self.changed):
            notify(table)

    async def rewrite(self, table_id: int, rewrite: Callable[[TableRow], None]) -> None:
        """Changes the row of a table that cannot be read, without its state.

        Raises `Refused` if there is no such table, and `StoreError`.
        """
        async with self._locks.hold(table_id):
            row = await self.store.table(table_id)
            if row is None:
                raise Refused("no-table")
            rewrite(row)
            self.cache.drop(table_id)
            await self.writer.write(Change(row, drop_jobs=() if row.status in LIVE else KINDS))

    async def give_up(self, table_id: int) -> None:
        """Ends a match that cannot be read, so that its channel becomes free. All of its data stays."""

        def end(row: TableRow) -> None:
            if row.status in LIVE:
                row.status, row.ended_at = "abandoned", self.clock.now()

        await self.rewrite(table_id, end)

    # -- the lobby

    @property
    def most_per_person(self) -> int:
        """The most live tables that one person may have opened; 0 for any number."""
        return self._quota.limits.per_person

    async def open(self, new: NewTable) -> Table:
        """Opens a lobby for a person, who becomes its host; or a private match, which begins at once.

        Raises `Refused` if the channel already has a live table, or if one more table would exceed a limit, `Repeated`
        if this press, or another press of the same offer of a thread, has opened a table before, and `Conflict` if one
        of the wishes for which it is opened does not wait any more.
        """
        self.may_sit(new.user_id, new.guild_id)
        draft = self._draft(lobby.new_table(new, self.clock.now()))
        lobby.open_lobby(draft, new)
        lessons.go_on(draft)
        jobs.schedule(draft)
        guests = [(guest, self._may_notify(guest, draft.now)) for guest in draft.table.expected()]
        guild, limits = self._quota.counted(draft.table)
        with self._quota.opening(new.game.key, new.user_id, guild, draft.now, self.clock.correction):
            row = await self._create(replace(draft.change(), wishes=new.wishes, guests=guests), new, limits)
        draft.table.id, draft.table.version = row.id, row.version
        self.cache.keep(draft.table)
        return draft.table

    async def _create(self, change: Change, new: NewTable, limits: TableLimits) -> TableRow:
        self.writer.set_press(change)
        change.press = _opening_press(new, change.press)
        while True:
            try:
                row = await self.store.create(change, opener_id=new.user_id, limits=limits)
                mark_durable()
                return row
            except (ChannelTaken, Repeated) as error:
                place, repeated = change.table.channel_id, isinstance(error, Repeated)
                running = None if place == NOWHERE else await self.live_in(place)
                # A table that awaits its thread is the one that the same offer has opened before.
                if running is not None and not (repeated and running.awaits_thread):
                    raise Refused("channel-taken", table=running) from None
                if repeated:
                    raise
                # That table has just ended, so the channel is free.

    async def take_over(self, table_id: int, user_id: int, name: str, seat: int) -> Table:
        """Seats a person on a free seat of a match under way, unless they have seen another hand of the match.

        Raises `Refused`, `StoreError`.
        """
        async with self.change(table_id) as draft:
            table = draft.table
            self.may_sit(user_id, table.guild_id)
            if table.under_way and table.seat_of(user_id) is None:
                sat = await self.store.seat_of(table_id, user_id)
                if sat not in (None, NO_SEAT, seat) or table.body.seal(user_id) in table.body.forgotten:
                    raise Refused("sat-elsewhere")
            seats.sit(draft, seat, user_id, name)
        return draft.table

    # -- moves

    async def play(
        self, table_id: int, user_id: int, view_version: str | None, move: Any, interaction: int
    ) -> Table:
        """Plays a person's move or `play.Moves`, or stores them as premoves.

        Raises `Refused`, `Stale`, `IllegalMove`, `Repeated`, `StoreError`.
        """
        async with self.change(table_id) as draft:
            question = play.check_move(draft.table, user_id, view_version)
            lessons.check_next(draft.table, question.seat, move)
            play.answer(draft, question, move, interaction)
            lessons.go_on(draft)
        return draft.table

    async def agent_turn(self, table_id: int) -> None:
        """Makes the next move without a press: a premove, or an agent's move."""
        table = await self.latest(table_id)
        turn = jobs.automatic_turn(table)
        if turn is None:
            return
        move = None if turn.answered else await self._agents.choose(table, turn.seat)
        async with self.change(table_id) as draft:
            if jobs.automatic_turn(draft.table) != turn:
                return  # meanwhile somebody moved, came back, or took their answer back
            if turn.answered:
                play.play_answer(draft, turn.seat)
            else:
                play.make_move(draft, turn.seat, move, None)

    # -- time

    async def do_job(self, job: Job) -> None:
        """Does a job of one of the kinds that the table layer handles."""
        if job.kind == AGENT:
            await self.agent_turn(job.table_id)
        elif job.kind == ALARM:
            async with self.change(job.table_id) as draft:
                absence.time_passes(draft)


def _opening_press(new: NewTable, press: int | None) -> int | None:
    """The press that counts as opening a table: for a table in a new thread, the offer of the thread.

    So each offer opens one table. The unique channel would allow another one as soon as the thread is open, because the
    table is then in the thread.
    """
    thread = new.thread
    return press if press is None or thread is None or thread.opened else thread.offer
