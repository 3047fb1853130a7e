"""The store in a PostgreSQL database: keeps the host's tables on a server.

The changes of several tables are under way at the same time (`bot.store.postgres.lanes`), each in a transaction of its
own (`bot.store.postgres.link`). The SQL is in `bot.store.postgres.statements`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Hashable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from bot.clock import Clock
from bot.database_url import where
from bot.store.base import (
    ANY_NUMBER,
    LEASE,
    Change,
    Committed,
    EmojiRow,
    Erasure,
    Job,
    Leases,
    LogRow,
    Most,
    MoveRow,
    ProcessName,
    Scope,
    StoreError,
    TableRow,
)
from bot.store.postgres import statements
from bot.store.postgres.driver import Connection
from bot.store.postgres.fence import Holding
from bot.store.postgres.lanes import Lanes
from bot.store.postgres.leases import PostgresLeases
from bot.store.postgres.link import Act, Link, Opening
from bot.store.postgres.schema import migrations
from bot.store.postgres.statements import AtOnce
from bot.store.postgres.wiping import wipe

_LOG = logging.getLogger(__name__)

T = TypeVar("T")

_PURGED_TOGETHER: Final = 20
"""How many tables one write deletes. Other tables' moves can be written between two such writes."""
_READ_TOGETHER: Final = 200
"""How many tables one read looks through."""
_ENDING: Final = 1.0
"""Seconds that closing waits for writes that a server which does not answer keeps from their end."""


class PostgresStore:
    """The store in the database at `url`. What it needs there is made when it is opened first.

    One process has it alone, or several share it. Every write is durable when its call returns. A write that was asked
    for is carried out as a whole even if its caller is cancelled. All methods but `open` and `close` raise `StoreError`
    while the store is not open.
    """

    def __init__(
        self,
        url: str,
        clock: Clock,
        *,
        patience: float = 0.0,
        committed: Committed | None = None,
        shared: ProcessName | None = None,
        lease: float = LEASE,
    ) -> None:
        """`patience` is how many seconds to wait while another process has the store open that does not share it.

        `shared`: the name under which this process shares the store with others; None if it is to have it alone.
        `lease`: seconds after which a lease runs out that is not renewed.
        """
        self._url, self._where, self._clock = url, where(url), clock
        name = shared or ProcessName.of_this_one("")
        self._opening = Opening(url, self._where, patience, name, shared=shared is not None)
        self._committed = committed
        self._link: Link | None = None
        self._lanes = Lanes()
        self._holding = Holding()
        self._leases = PostgresLeases(self._holding, self._lanes, lease) if shared else None
        self._closing: asyncio.Future[None] | None = None

    def __repr__(self) -> str:
        return f"PostgresStore({self._where!r})"

    @property
    def leases(self) -> Leases | None:
        return self._leases

    async def open(self) -> None:
        """Connects, and brings the layout up to date. Raises `StoreRefused`, `StoreUnreachable`."""
        self._holding.forget()
        link = Link(self._opening, self._holding, self._committed)
        made = await link.open()
        try:
            living, tables = await link.read(statements.census)
            if self._leases is not None:
                self._leases.attach(link)
                await link.listen(self._leases.notified)
        except BaseException:
            await link.close()
            raise
        self._link, self._closing = link, None
        if made:
            _LOG.warning(
                "a new, empty store was made at %s; if you expected matches, stop the bot and look at DATABASE_URL",
                self._where,
            )
        _LOG.info(
            "the store is %s (layout %s); live tables: %s, in all: %s",
            self._where,
            len(migrations()),
            living,
            tables,
        )

    async def close(self) -> None:
        """Finishes the writes under way and closes the store. May be called twice; cancelling does not stop it."""
        if self._link is not None:
            link, self._link = self._link, None  # from here on no new writes
            self._closing = asyncio.ensure_future(self._close(link))
        if self._closing is not None:
            await asyncio.shield(self._closing)

    async def _close(self, link: Link) -> None:
        try:
            async with asyncio.timeout(_ENDING):
                await self._lanes.settle()
        except TimeoutError:
            link.give_up_waiting()
        if self._leases is not None:
            await self._leases.let_go()
        await link.close()
        await self._lanes.settle()

    # -- tables
    async def create(self, change: Change, *, opener_id: int = 0, most: Most = ANY_NUMBER) -> TableRow:
        channel = ("channel", change.table.channel_id)
        act = statements.creating(change, opener_id, most)
        return await self._write([channel], act, server=change.table.guild_id)

    async def commit(self, change: Change) -> None:
        table, version = change.table, change.table.version

        def then(_: None) -> None:
            table.version = version + 1

        await self._write([table.id], statements.committing(change), then, server=table.guild_id)

    async def settle(self) -> None:
        self._must_be_open()
        await self._lanes.settle()

    async def table(self, table_id: int) -> TableRow | None:
        return await self._read(partial(statements.table, table_id=table_id))

    async def live_table(self, channel_id: int) -> TableRow | None:
        return await self._read(partial(statements.live_table, channel_id=channel_id))

    async def latest_table(
        self, channel_id: int, game: str | None = None, *, begun: bool = False
    ) -> TableRow | None:
        return await self._read(
            partial(statements.latest_table, channel_id=channel_id, game=game, begun=begun)
        )

    async def live_tables(self) -> list[TableRow]:
        return await self._read(statements.live_tables)

    async def live_by_game(self) -> dict[str, int]:
        return await self._read(statements.live_by_game)

    async def live_places(
        self, *, server: int | None = None, shards: Collection[int] | None = None
    ) -> list[tuple[int, int]]:
        only = None if shards is None else (self._holding.shard_count, sorted(shards))
        return await self._read(partial(statements.live_places, server=server, only=only))

    async def moves(self, table_id: int) -> list[MoveRow]:
        return await self._read(partial(statements.moves, table_id=table_id))

    async def log(self, table_id: int, *, last: int | None = None, since: int = 0) -> list[LogRow]:
        return await self._read(partial(statements.log, table_id=table_id, last=last, since=since))

    async def seat_of(self, table_id: int, user_id: int) -> int | None:
        return await self._read(partial(statements.seat_of, table_id=table_id, user_id=user_id))

    async def opener_of(self, table_id: int) -> int:
        return await self._read(partial(statements.opener_of, table_id=table_id))

    async def has_played(self, user_id: int, game: str, *, besides: int) -> bool:
        return await self._read(partial(statements.has_played, user_id=user_id, game=game, besides=besides))

    # -- jobs
    async def due(self, now: float, limit: int = 500, besides: Iterable[Job] = ()) -> list[Job]:
        known, shards = list(besides), self._served()
        if shards is not None and not shards[1]:
            return []
        return await self._read(partial(statements.due, now=now, limit=limit, besides=known, only=shards))

    async def next_due(self) -> float | None:
        shards = self._served()
        if shards is not None and not shards[1]:
            return None
        return await self._read(partial(statements.next_due, only=shards))

    async def set_job(self, job: Job) -> None:
        await self._write([job.table_id], statements.setting_job(job))

    async def finish(self, jobs: Sequence[Job]) -> None:
        if jobs:
            await self._write({job.table_id for job in jobs}, statements.finishing(jobs))

    async def postpone(self, job: Job, due: float) -> None:
        await self._write([job.table_id], statements.postponing(job, due))

    async def shift_jobs(self, kind: str | None, seconds: float) -> None:
        await self._write(None, statements.shifting_jobs(kind, seconds))

    # -- who wants no pictures
    async def text_only(self) -> list[tuple[Scope, int]]:
        return await self._read(statements.text_only)

    async def set_text_only(self, scope: Scope, number: int, on: bool) -> None:
        await self._write(["text only"], statements.setting_text_only(scope, number, on))

    # -- the application's own emoji
    async def emoji(self) -> list[EmojiRow]:
        return await self._read(statements.emoji)

    async def keep_emoji(self, rows: Sequence[EmojiRow]) -> None:
        if rows:
            await self._write(["emoji"], statements.keeping_emoji(rows))

    async def drop_emoji(self, names: Sequence[str]) -> None:
        if names:
            await self._write(["emoji"], statements.dropping_emoji(names))

    # -- the host's own facts
    async def fact(self, name: str) -> str | None:
        return await self._read(partial(statements.fact, name=name))

    async def set_fact(self, name: str, value: str) -> None:
        await self._write([("fact", name)], statements.setting_fact(name, value))

    async def change_fact(self, name: str, change: Callable[[str | None], str]) -> str:
        return await self._write([("fact", name)], statements.changing_fact(name, change))

    async def beat(self, now: float, away: float) -> float:
        beat = await self._read(partial(statements.next_beat, now=now, away=away))
        # Times are shifted after all writes before, and before all later ones.
        what = None if beat.shift else ["beat"]
        return await self._write(what, statements.beating(now, away))

    # -- people and time
    async def tables_of(self, user_id: int) -> list[TableRow]:
        return await self._read(partial(statements.tables_of, user_id=user_id))

    async def forget(self, user_id: int, table_id: int) -> None:
        await self._write([table_id], statements.forgetting(user_id, table_id))

    async def tables_naming(self, user_id: int) -> list[int]:
        named: list[int] = []
        after: int | None = 0
        while after is not None:
            some, after = await self._read(
                partial(statements.naming, user_id=user_id, after=after, most=_READ_TOGETHER)
            )
            named += some
        return named

    async def purge(self, ended_before: float) -> int:
        purged, now = 0, self._clock.now()
        while deleted := await self._write(
            ["purge"], statements.purging(ended_before, _PURGED_TOGETHER, now)
        ):
            purged += deleted
        return purged

    # -- to the last byte
    async def ask_erasure(self, user_id: int) -> int:
        return await self._write(["erasures"], statements.asking(user_id, self._clock.now()))

    async def erasures(self) -> list[Erasure]:
        return await self._read(statements.pending)

    async def unname_erasures(self, numbers: Sequence[int]) -> None:
        await self._write(["erasures"], statements.unnaming(numbers))

    async def finish_erasures(self, numbers: Sequence[int]) -> None:
        await self._write(["erasures"], statements.finishing_erasures(numbers))

    async def wipe(self, *, within: float, whole: bool = False) -> bool:
        # What tells nothing about people lies in the same tables, so `whole` makes no difference.
        return await self._must_be_open().read(partial(wipe, within=within))

    async def backup(self, path: Path) -> None:
        self._must_be_open()
        from bot.store.carrying import to_file

        await to_file(self._url, path)

    # -- inside
    def _must_be_open(self) -> Link:
        if self._link is None:
            raise StoreError(f"The store {self._where} is not open. Nothing was read or written.")
        return self._link

    async def _write(
        self,
        what: Iterable[Hashable] | None,
        act: Act[T] | AtOnce[T],
        then: Callable[[T], None] | None = None,
        *,
        server: int | None = None,
    ) -> T:
        """Runs `act` after all earlier writes of the same things (None: of everything).

        `server`: the id of the server whose table is written, if that is known.
        """
        link = self._must_be_open()
        if self._leases is None:
            server = None
        district = None if server is None else self._holding.shard_of(server)
        return await self._lanes.run(what, partial(link.write, act, server), then, district=district)

    async def _read(self, act: Callable[[Connection], Awaitable[T]]) -> T:
        return await self._must_be_open().read(act)

    def _served(self) -> statements.Shards | None:
        """The shards whose tables this process serves; None: all of them."""
        if self._leases is None or self._holding.all_held:
            return None
        return self._holding.shard_count, sorted(self._holding.generations)
