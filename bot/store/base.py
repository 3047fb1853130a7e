"""What the host keeps, and the small interface through which it keeps it.

The table layer says *what* must be durable as one `Change`; a store makes it so, whole or not at all.
`bot.store.sqlite` is the implementation in use; another needs nothing but this page.

All times are seconds since 1970-01-01 UTC. All JSON is text: the store never looks inside.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, Protocol

LIVE = ("lobby", "playing", "paused")
"""The states of a table that hold its channel: at most one table a channel is in one of them."""


class StoreError(Exception):
    """Something could not be kept or read. What was durable before still is."""


class StoreRefused(StoreError):
    """The store cannot be opened: a newer version's file, a corrupt one, one in use, no permission. Says for
    people which, what was left alone and what to do."""


class StoreInUse(StoreRefused):
    """Another process has the store open."""


class StoreFull(StoreError):
    """A write found no room, or a disk that cannot be written to."""


class StoreLost(StoreError):
    """The store's files were deleted, replaced or cut short under it. It keeps and reads nothing any more. Says for
    people what happened, what could be saved and what to do."""


class ChannelTaken(StoreError):
    """The channel already holds a live table."""


class TooManyTables(StoreError):
    """One more live table would be more than there may be (`of`: of one opener, or in one server): nothing was
    written."""

    def __init__(self, of: Literal["opener", "guild"], most: int) -> None:
        super().__init__(
            f"There may be {most} live tables of one {of}, and so many there are. Nothing was written."
        )
        self.of = of
        self.most = most


class Conflict(StoreError):
    """The table was written by somebody else since it was read: nothing was written."""


class Repeated(StoreError):
    """A move with this interaction's id is already kept: Discord delivered the press twice. Nothing was
    written. Where `Conflict` holds too, this is raised."""


@dataclass(slots=True)
class TableRow:
    """A table as it is kept. `body` holds what only the table layer reads (seats, options, messages)."""

    id: int
    guild_id: int
    channel_id: int
    game: str
    status: str
    version: int
    sequence: int
    body: str
    snapshot: str | None
    created_at: float
    changed_at: float
    ended_at: float | None = None

    def __repr__(self) -> str:  # body and snapshot hold hidden cards
        return f"TableRow(id={self.id}, game={self.game!r}, status={self.status!r}, sequence={self.sequence})"


@dataclass(frozen=True, slots=True)
class MoveRow:
    """One move: the `sequence`-th of its table (from 1), by `seat`, pressed as `interaction_id` (None: an
    agent)."""

    sequence: int
    seat: int
    move: str
    interaction_id: int | None
    at: float

    def __repr__(self) -> str:
        return f"MoveRow(sequence={self.sequence}, seat={self.seat})"


@dataclass(frozen=True, slots=True)
class LogRow:
    """One line of a table's log as data: an engine's event, or something that befell the table (`source`).

    `number` counts a table's lines from 1 and is given by the store; leave it 0 in a `Change`.
    """

    source: str  # "game" or "table"
    sequence: int
    event: str
    at: float
    number: int = 0

    def __repr__(self) -> str:
        return f"LogRow(number={self.number}, source={self.source!r}, sequence={self.sequence})"


@dataclass(frozen=True, slots=True)
class Job:
    """Something to be done for a table at a time: one of each `kind` a table; setting it again moves it.

    `stamp` tells one setting of a job from the next, and grows; the store gives it. Nothing hidden belongs in
    `payload`: it is printed. Whose table it is, the store tells with a job that it hands out.
    """

    table_id: int
    kind: str
    due: float
    payload: str = ""
    stamp: int = 0
    guild_id: int = field(default=0, compare=False)
    channel_id: int = field(default=0, compare=False)
    opener_id: int = field(default=0, compare=False)
    """Who opened the table; 0 for who is forgotten."""


@dataclass(slots=True)
class Change:
    """What one act changes at a table: durable as a whole, or not at all.

    `table.version` is the version that was read; the store writes the row with `version + 1` and
    raises `Conflict` if the kept one differs. `seated` are (user id, seat) pairs of people who from now on
    have sat in this match. `drop_jobs` are kinds; a kind in both is set. `undone`: the move of this number is
    deleted, with the lines that it made in the log (those of the source "game").
    """

    table: TableRow
    move: MoveRow | None = None
    log: Sequence[LogRow] = ()
    set_jobs: Sequence[Job] = ()
    drop_jobs: Sequence[str] = ()
    seated: Sequence[tuple[int, int]] = ()
    undone: int | None = None


@dataclass(frozen=True, slots=True)
class Erasure:
    """A request to erase, kept until it has been carried out to the last byte.

    `user_id` is who is to be forgotten; None where all that was to go is deleted, and its traces are to be wiped.
    """

    id: int
    user_id: int | None
    asked_at: float

    def __repr__(self) -> str:  # the id is what is to go
        return f"Erasure(id={self.id})"


@dataclass(frozen=True, slots=True)
class Most:
    """How many live tables there may be of one opener, without those that sleep, and in one server; 0: any number."""

    of_opener: int = 0
    of_guild: int = 0


ANY_NUMBER: Final = Most()


class Store(Protocol):
    """Keeps tables, their moves, logs and jobs. One process owns one store.

    All that reads or writes raises `StoreError` where that fails, `StoreLost` where it will never succeed again.
    """

    async def open(self) -> None:
        """Opens or makes the store and brings its schema up to date. Raises `StoreRefused`."""
        ...

    async def close(self) -> None:
        """Finishes the writes under way and closes. Safe to call twice."""
        ...

    # -- tables
    async def create(self, change: Change, *, opener_id: int = 0, most: Most = ANY_NUMBER) -> TableRow:
        """Makes `change.table` (its id and version are ignored), with the change's log, jobs (their table_id
        is ignored) and seated people; returns the kept row with id and version.

        `opener_id`: whose table it counts as, until it ends or they are forgotten. Raises `ChannelTaken`, and
        `TooManyTables` where with it there were more live tables than `most`; however many are made at once."""
        ...

    async def commit(self, change: Change) -> None:
        """Makes a change durable; `change.table.version` is then the new version.
        Raises `Conflict`, `Repeated`, `ChannelTaken` (a status went back to live), `StoreFull`."""
        ...

    async def settle(self) -> None:
        """Returns when every write that was asked for before is durable or has failed."""
        ...

    async def table(self, table_id: int) -> TableRow | None: ...
    async def live_table(self, channel_id: int) -> TableRow | None: ...
    async def latest_table(
        self, channel_id: int, game: str | None = None, *, begun: bool = False
    ) -> TableRow | None:
        """The newest table of the channel, live or not; `begun`: of those whose match has begun."""
        ...

    async def live_tables(self) -> list[TableRow]:
        """All live tables, oldest first, without their snapshots (None): for the playground's and an
        operator's overview."""
        ...

    async def live_places(self) -> list[tuple[int, int]]:
        """The ids of all live tables, each with its server's."""
        ...

    async def moves(self, table_id: int) -> list[MoveRow]: ...
    async def log(self, table_id: int, *, last: int | None = None) -> list[LogRow]:
        """The table's log, oldest first; only the `last` so many lines if given."""
        ...

    async def seat_of(self, table_id: int, user_id: int) -> int | None:
        """The seat this person has ever held at this table, or None."""
        ...

    # -- jobs
    async def due(self, now: float, limit: int = 500, besides: Iterable[Job] = ()) -> list[Job]:
        """Jobs with `due <= now`, the longest overdue first; but none of `besides`, unless set anew since."""
        ...

    async def next_due(self) -> float | None: ...
    async def set_job(self, job: Job) -> None: ...
    async def finish(self, jobs: Sequence[Job]) -> None:
        """Deletes these jobs, except those set anew since (another stamp)."""
        ...

    async def postpone(self, job: Job, due: float) -> None:
        """Moves this job to another time, unless it was set anew or dropped since (another stamp, or none)."""
        ...

    async def shift_jobs(self, kind: str | None, seconds: float) -> None:
        """Moves all jobs of this kind, or of every kind (None), later by so much; sooner if that is negative."""
        ...

    # -- the host's own facts
    async def fact(self, name: str) -> str | None: ...
    async def set_fact(self, name: str, value: str) -> None: ...

    # -- people and time
    async def tables_of(self, user_id: int) -> list[TableRow]:
        """Tables where this person has sat, newest first, without snapshots."""
        ...

    async def tables_naming(self, user_id: int) -> list[int]:
        """The ids of all tables at which this person has sat or whose body has the number of their account in it,
        oldest first. Reads every table, a few at a time, so that nobody else waits."""
        ...

    async def forget(self, user_id: int, table_id: int) -> None:
        """Deletes that this person ever sat at the table, or opened it, and the ids of their presses (the body is the
        table layer's to clean, first)."""
        ...

    async def purge(self, ended_before: float) -> int:
        """Deletes tables that ended before then, with all that belongs to them; returns how many. Leaves a request
        to wipe their traces."""
        ...

    # -- to the last byte
    async def ask_erasure(self, user_id: int) -> int:
        """Keeps the request to forget this person, so that no crash loses it; returns its number."""
        ...

    async def erasures(self) -> list[Erasure]:
        """The requests that are not carried out yet, oldest first."""
        ...

    async def unname_erasures(self, numbers: Sequence[int]) -> None:
        """Takes the person out of these requests: all of theirs is deleted, and its traces are to be wiped."""
        ...

    async def finish_erasures(self, numbers: Sequence[int]) -> None:
        """Deletes these requests: they are carried out."""
        ...

    async def wipe(self, *, within: float, whole: bool = False) -> bool:
        """Sees to it that nothing that was deleted before is left in any byte of the store's files.

        False where somebody else read the store for longer than `within` seconds, and it could not be. Without
        `whole`, what tells of no person (remains of deleted moves and log lines) may be left. Raises `StoreError`.
        """
        ...

    async def backup(self, path: Path) -> None:
        """Writes a consistent copy of the store to a new file. Raises `StoreError` if it exists."""
        ...
