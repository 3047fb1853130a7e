"""The tables, as this process remembers them. Each act is one change, durable before it is seen.

Several processes may change a table. The version of its row decides: what is remembered here is looked at again before
an act uses it, and a change of what has changed since fails with a `Conflict`. So an act sends nothing to Discord
before its first change is durable: until then it can be done again from its beginning (`bot.ui.router`).
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import random
from collections import OrderedDict
from collections.abc import AsyncGenerator, Callable, Collection, Mapping
from contextlib import asynccontextmanager, suppress
from typing import Any, Final

from bot.clock import Clock
from bot.fleet.alone import Alone, Fleet
from bot.observability.context import first_press, is_durable, is_to_look
from bot.store.model import (
    LIVE,
    Change,
    ChannelTaken,
    Conflict,
    Job,
    LogRow,
    Repeated,
    StoreError,
    TableRow,
    made_at,
)
from bot.store.store import Store
from bot.tables import absence, deadlines, jobs, lobby, play, seats
from bot.tables.cache import KEPT, Played, Tails
from bot.tables.draft import AGENT, ALARM, KINDS, Draft
from bot.tables.locks import Locks
from bot.tables.model import NO_SEAT, STAND_IN, Seat, Table, read_table
from bot.tables.quota import NO_LIMITS, Limits, Quota
from bot.tables.refusals import AnsweredElsewhere, Refused
from bot.tables.thinking import Thinkers
from engine.errors import BadData, IllegalMove
from engine.game import AnyGame

log = logging.getLogger(__name__)

TRIES: Final = 3
"""How often a change is tried that conflicts with those of other processes."""
ANSWERED_WITHIN: Final = 3.0
"""Seconds for which Discord takes the first answer to a press."""
CACHED: Final = 10_000
"""How many tables are held in memory, at about 10 KB each. The others are read from the store when needed."""


class Tables:
    """Carries out every act at a table; nothing else writes tables."""

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
        """The seconds during which no host was up, in all, minus those by which the clock was set back meanwhile. Known
        once the host has started."""
        self.grace_ends = 0.0
        """Nobody's time runs out before this moment, in host time, because the host has just started."""
        self.fleet: Fleet = Alone()
        self._taken_over: dict[int | None, float] = {}
        """By shard that this process took over: nobody's time runs out there before this moment, in host time."""
        self._thinkers = thinkers
        self._delay = agent_delay
        self._delays = random.SystemRandom()
        self._quota = Quota(limits)
        self.may_sit: Callable[[int, int], None] = lambda _user, _guild: None
        """Raises `Refused` if this person may not sit down at a table on this server."""
        self.redrawn_from: Callable[[int], float] = lambda _table: 0.0
        """From when on a table may be drawn again. (Set at once, this needs no second write to put it off.)"""
        self.draw_at_once: Callable[[Table], None] = lambda _table: None
        """Called before `changed` with a table whose messages are to be drawn without delay: a name is to vanish."""
        self.changed: Callable[[Table], None] = lambda _table: None
        """Called with a table as soon as a change of it is durable, within the act that has made the change."""
        self._locks = Locks()
        self._cache: OrderedDict[int, Table] = OrderedDict()
        self._tails = Tails()
        self.played = Played(store)

    def start(self, downtime: float, grace_ends: float) -> None:
        """Sets `downtime` and `grace_ends` when the host starts or time is given back."""
        self.downtime, self.grace_ends = downtime, grace_ends
        self._cache.clear()  # tables get the grace period when they are read anew

    def took_over(self, shards: Collection[int], grace_ends: float) -> None:
        """Notes that this process serves these shards from now on, and until when nobody's time runs out there."""
        self._taken_over |= dict.fromkeys(shards, grace_ends)
        self.drop(shards)

    def drop(self, shards: Collection[int]) -> None:
        """Removes the tables of these shards from memory."""
        for table in list(self._cache.values()):
            if self.fleet.shard_of(table.guild_id) in shards:
                self._drop(table.id)

    def in_memory(self) -> list[Table]:
        """The tables that are in memory."""
        return list(self._cache.values())

    def _grace_of(self, guild_id: int) -> float:
        """Before when nobody's time runs out at the tables of this server, in host time."""
        return max(self.grace_ends, self._taken_over.get(self.fleet.shard_of(guild_id), 0.0))

    @property
    def shown_later(self) -> float:
        """The seconds to add to a moment in host time to get the time that people are shown."""
        return self.downtime + self.clock.correction

    @property
    def changing(self) -> int:
        """How many tables are being changed now."""
        return len(self._locks)

    # -- reading

    async def get(self, table_id: int) -> Table:
        """The table as it last became durable. Raises `Refused` if it does not exist or cannot be read."""
        table = self._cache.get(table_id)
        if table is not None:
            self._cache.move_to_end(table_id)
            if self.fleet.alone or not is_to_look(table_id):
                return table
            row = await self.store.newer(table_id, table.version)
        else:
            row = await self.store.table(table_id)
            if row is None:
                raise Refused("no-table")
        newer = self._cache.get(table_id) or table
        if newer is not None and (row is None or newer.version >= row.version):
            # Nobody else has changed it, or this process has while the row was being read.
            return newer
        assert row is not None
        return self._read(row)

    def _read(self, row: TableRow) -> Table:
        """The table of a row, which is remembered. Raises `Refused` if it cannot be read."""
        try:
            game = self.games.get(row.game)
            if game is None:
                raise BadData(f"this version has no game {row.game!r}")
            table = read_table(row, game)
        except BadData as error:
            log.error("table %s cannot be read: %s", row.id, error)
            raise Refused("unreadable", table=row.id) from None
        deadlines.grant_grace(table, self._grace_of(table.guild_id))
        self._keep(table)
        return table

    def at_hand(self, table_id: int) -> Table | None:
        """The table as it last became durable, if it is in memory."""
        return self._cache.get(table_id)

    async def latest(self, table_id: int) -> Table:
        """The table after the change that is being made to it now, if there is one. Raises `Refused` as `get` does.

        Jobs need it: the row of a job becomes visible with the commit that sets it, a moment before `get` returns
        what was committed.
        """
        async with self._locks.hold(table_id):
            return await self.get(table_id)

    def drop_ended(self, before: float) -> None:
        """Removes tables from memory that ended before this time, because the store has purged them."""
        for table in list(self._cache.values()):
            if table.ended_at is not None and table.ended_at < before:
                self._drop(table.id)
        self.played.forget()

    def _drop(self, table_id: int) -> None:
        self._cache.pop(table_id, None)
        self._tails.forget(table_id)

    def _keep(self, table: Table) -> None:
        if not self.fleet.serves(table.guild_id):
            self._drop(table.id)
            return
        self._cache[table.id] = table
        self._cache.move_to_end(table.id)
        while len(self._cache) > CACHED:
            self._drop(next(iter(self._cache)))

    async def log(self, table: Table, *, last: int, since: int = 0) -> list[LogRow]:
        """The newest rows of the log of a table that is in the store, oldest first: at most `last`.

        `since` leaves out the rows from before that many moves had been made. Raises `StoreError`.
        """
        kept = self._tails.newest(table.id, table.version, last, since)
        if kept is not None:
            return kept
        most = max(last, KEPT)
        rows = await self.store.log(table.id, last=most)
        # A change that is under way may be in these rows already, and would be added to them once more.
        if table.id in self._cache and table.id not in self._locks:
            self._tails.keep(table.id, table.version, rows, whole=len(rows) < most)
        return [row for row in rows[-last:] if row.sequence >= since]

    async def live_in(self, channel_id: int) -> Table | None:
        """The channel's live table. Raises `Refused` if it cannot be read."""
        row = await self.store.live_table(channel_id)
        table = await self.get(row.id) if row else None
        return table if table is not None and table.live else None  # it may have ended since its row was read

    async def latest_in(self, channel_id: int, game: str) -> Table | None:
        """The channel's newest match of this game, live or not; a closed lobby only where there never was one.

        Raises `Refused` if it cannot be read.
        """
        row = await self.store.latest_table(channel_id, game, begun=True)
        row = row or await self.store.latest_table(channel_id, game)
        return await self.get(row.id) if row else None

    # -- changing

    def _draft(self, table: Table) -> Draft:
        grace_ends = self._grace_of(table.guild_id)
        return Draft(table, self.clock.now(), self.downtime, self._agent_pause, grace_ends)

    def _agent_pause(self) -> float:
        return self._delays.uniform(*self._delay)

    @asynccontextmanager
    async def change(self, table_id: int) -> AsyncGenerator[Draft]:
        """A context that holds the table's lock and gives a draft. When it has ended, the changes are durable.

        Nothing is changed if the block raises or has not touched the draft. Raises `Refused` if there is no such
        table, and `StoreError` if the change could not be kept.
        """
        async with self._locks.hold(table_id):
            draft = self._draft(await self.get(table_id))
            yield draft
            if draft.touched:
                await self._commit(draft)

    async def apply(self, table_id: int, act: Callable[[Draft], None]) -> None:
        """Changes a table by `act`, and does so again if another process has changed it since it was read.

        Raises `Refused` and `StoreError` as `change` does.
        """
        for tries_left in reversed(range(TRIES)):
            try:
                async with self.change(table_id) as draft:
                    act(draft)
                return
            except Conflict:
                if not tries_left:
                    raise

    async def _commit(self, draft: Draft) -> None:
        table = draft.table
        table.changed_at = draft.now
        jobs.arm(draft)
        draft.redraw_from(self.redrawn_from(table.id))
        change = draft.change()
        known = await self._write(change)
        table.version = change.table.version
        if known:
            self._tails.follow(change, draft.before.version)
            self._keep(table)
        else:  # it may have been changed again since
            self._drop(table.id)
        if draft.at_once:
            self.draw_at_once(table)
        self.changed(table)

    async def _write(self, change: Change) -> bool:
        """Writes a change, the first one of an act with its press; returns what `Store.commit` does.

        A press that waited while this process was frozen can be answered no more, so it changes nothing any more.
        """
        change.press = first_press()
        if change.press is not None and self.is_too_late(change.table.guild_id, change.press):
            raise AnsweredElsewhere
        try:
            known = await self.store.commit(change)
            is_durable()
            return known
        except BaseException as error:
            # It is not known whether the change was kept, so the table is read anew.
            self._drop(change.table.id)
            if isinstance(error, asyncio.CancelledError):
                await self._settle()
            raise

    def is_too_late(self, guild_id: int, press: int) -> bool:
        """Whether a press has waited here while this process was frozen, and another one works for the server now."""
        return self.fleet.has_lost(guild_id) and self.clock.now() - made_at(press) > ANSWERED_WITHIN

    async def _settle(self) -> None:
        """Waits for a write whose caller was cancelled, because the lock must be held until the write is durable."""
        settling = asyncio.ensure_future(self.store.settle())
        while not settling.done():
            with suppress(asyncio.CancelledError, StoreError):
                # A second cancellation must not cut the wait short.
                await asyncio.shield(settling)

    async def rewrite(self, table_id: int, rewrite: Callable[[TableRow], None]) -> None:
        """Changes the row of a table that cannot be read, without its state.

        Raises `Refused` if there is no such table, and `StoreError`.
        """
        async with self._locks.hold(table_id):
            row = await self.store.table(table_id)
            if row is None:
                raise Refused("no-table")
            rewrite(row)
            self._drop(table_id)
            await self._write(Change(row, drop_jobs=() if row.status in LIVE else KINDS))

    async def give_up(self, table_id: int) -> None:
        """Ends a match that cannot be read, so that its channel becomes free. All of its data is kept."""

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
        rematch: lobby.Rematch | None = None,
    ) -> Table:
        """Opens a lobby for a person, who becomes its host.

        Raises `Refused` if the channel already has a live table, or if one more table would exceed a limit.
        """
        self.may_sit(user_id, guild_id)
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
        lobby.open_lobby(
            draft, limit=limit, options=options or {}, agents=agents, level=level, rematch=rematch
        )
        jobs.arm(draft)
        with self._quota.opening(game.key, user_id, guild_id, draft.now, self.clock.correction):
            row = await self._create(draft.change(), user_id)
        table = draft.table
        table.id, table.version = row.id, row.version
        self._keep(table)
        return table

    async def _create(self, change: Change, opener_id: int) -> TableRow:
        change.press = first_press()
        while True:
            try:
                row = await self.store.create(change, opener_id=opener_id, most=self._quota.limits.live)
                is_durable()
                return row
            except (ChannelTaken, Repeated) as error:
                running = await self.live_in(change.table.channel_id)
                if running is not None:
                    raise Refused("channel-taken", table=running) from None
                if isinstance(error, Repeated):
                    raise
                # That table has just ended, so the channel is free.

    async def take_over(self, table_id: int, user_id: int, name: str, seat: int) -> Table:
        """A person takes over a free seat in a match under way, unless they have seen another hand of it.

        Raises `Refused`, `StoreError`.
        """
        async with self.change(table_id) as draft:
            table = draft.table
            self.may_sit(user_id, table.guild_id)
            if table.under_way and table.seat_of(user_id) is None:
                sat = await self.store.seat_of(table_id, user_id)
                if sat not in (None, NO_SEAT, seat) or table.seal(user_id) in table.body.forgotten:
                    raise Refused("sat-elsewhere")
            seats.sit(draft, seat, user_id, name)
        return draft.table

    # -- moves

    async def play(
        self, table_id: int, user_id: int, drawn: str | None, move: Any, interaction: int
    ) -> Table:
        """Plays a person's move or `play.Moves`, or keeps them if they answer ahead.

        Raises `Refused`, `Stale`, `IllegalMove`, `Repeated`, `StoreError`.
        """
        async with self.change(table_id) as draft:
            play.answer(draft, play.check_move(draft.table, user_id, drawn), move, interaction)
        return draft.table

    async def agent_turn(self, table_id: int) -> None:
        """Makes the move that waits for no press: one that was answered ahead, or an agent's."""
        table = await self.latest(table_id)
        turn = jobs.automatic_turn(table)
        if turn is None:
            return
        move = None if turn.answered else await self._choose(table, turn.seat)
        async with self.change(table_id) as draft:
            if jobs.automatic_turn(draft.table) != turn:
                return  # meanwhile somebody moved, came back, or took their answer back
            if turn.answered:
                play.play_answer(draft, turn.seat)
            else:
                play.make_move(draft, turn.seat, move, None)

    async def _choose(self, table: Table, seat: int) -> Any:
        """The agent's move; the stand-in's if the agent fails, and else a random one, so that the match goes on."""
        game, level = table.game, absence.agent_of(table, seat)
        view = game.view(table.state, seat)
        seed = hashlib.sha256(f"{table.body.host_seed}:agent:{table.sequence}:{seat}".encode()).digest()
        rng = random.Random(seed)
        for chooser in dict.fromkeys((level, STAND_IN)):
            try:
                return _checked(table, seat, await self._thinkers.choose(game, chooser, view, seed))
            except IllegalMove as error:
                log.error("table %s: the %s agent chose an illegal move (%s)", table.id, chooser, error.code)
            except Exception:
                log.exception("table %s: the %s agent failed", table.id, chooser)
        try:
            return _checked(table, seat, game.sample(game.determinize(view, rng), seat, rng))
        except Exception:
            log.exception("table %s: no move could be drawn from what seat %s sees", table.id, seat)
        return game.sample(table.state, seat, rng)

    # -- time

    async def do_job(self, job: Job) -> None:
        """Does a job of one of the kinds that the table layer handles."""
        if job.kind == AGENT:
            await self.agent_turn(job.table_id)
        elif job.kind == ALARM:
            async with self.change(job.table_id) as draft:
                absence.time_passes(draft)


def _checked(table: Table, seat: int, move: Any) -> Any:
    """Returns this move if it is legal. Raises `IllegalMove` otherwise."""
    table.game.apply(table.game.copy(table.state), seat, move)
    return move
