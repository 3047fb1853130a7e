"""What the host keeps, and the small interface through which it keeps it.

The table layer says in one `Change` *what* must be durable together; a store makes it durable as a whole or not at all.
`bot.store.sqlite` keeps it in a file, `bot.store.postgres` in a database on a server. Whoever writes another one needs
to know only this module.

All times are seconds since 1970-01-01 UTC. All JSON is text: the store never looks inside.
"""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal, Protocol

LIVE = ("lobby", "playing", "paused")
"""The states in which a table occupies its channel: a channel has at most one table in any of them."""

ALARM: Final = "alarm"
"""The kind of a table's job that is due after so much time in which people could be served."""

Scope = Literal["guild", "person"]
"""Whether a choice was made for a server, or by a person for themselves."""


class StoreError(Exception):
    """Something could not be written or read. What was durable before still is."""


class StoreRefused(StoreError):
    """The store cannot be opened: the file is from a newer version, damaged, in use or not permitted.

    The text says which of these it is, what was left alone and what to do.
    """


class StoreInUse(StoreRefused):
    """Another process has the store open."""


class StoreFull(StoreError):
    """A write failed because the disk is full or cannot be written to."""


class StoreHasNoRoom(StoreRefused, StoreFull):
    """The store cannot be opened because its disk is full. It can be once there is room."""


class StoreLost(StoreError):
    """The store's files were deleted, replaced or cut short while it was open. It no longer writes or reads anything.

    The text says what happened, what could be saved and what to do.
    """


class StoreUnreachable(StoreError):
    """The server that keeps the store does not answer. It may do so again soon."""


class Deposed(StoreLost):
    """The leases of this process have run out and another process has taken over. It writes nothing more."""


class NotHeld(StoreError):
    """This process does not hold the shard of the table's server (any more). Nothing was written."""


class ChannelTaken(StoreError):
    """The channel already holds a live table."""


class TooManyTables(StoreError):
    """One more live table would exceed the limit. Nothing was written.

    `of` says which limit: that of tables by one opener, or that of tables in one server ("guild"). `most` is the limit.
    """

    def __init__(self, of: Literal["opener", "guild"], most: int) -> None:
        super().__init__(
            f"There may be {most} live tables of one {of}, and so many there are. Nothing was written."
        )
        self.of = of
        self.most = most


class Conflict(StoreError):
    """Somebody else has written the table since it was read. Nothing was written."""


class Repeated(StoreError):
    """This move of this interaction is already kept, so Discord has delivered the press twice. Nothing was written.

    If there is a `Conflict` as well, this is the error that is raised.
    """


@dataclass(slots=True)
class TableRow:
    """A table as it is kept. `body` holds what only the table layer reads, such as seats, options and message ids."""

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
    """One move at a table. `sequence` is its number, counted from 1.

    `interaction_id` is the id of the press that made it; None if an agent made it or the person was forgotten. A press
    may make several moves; `part` counts them from 0.
    """

    sequence: int
    seat: int
    move: str
    interaction_id: int | None
    at: float
    part: int = 0

    def __repr__(self) -> str:
        return f"MoveRow(sequence={self.sequence}, seat={self.seat})"


@dataclass(frozen=True, slots=True)
class LogRow:
    """One line of a table's log as data.

    `source` is "game" for what happens in the set-up or in a person's move, "agent" for what happens in an agent's
    move, and "table" for what happens to the table itself. Lines of a match that an older version played have "game"
    also for agents' moves. `sequence` is the number of moves that had been made when it had happened.

    The store gives `number`, which counts a table's lines from 1, and `mover`, the seat that made the move with that
    sequence number. Leave them as they are in a `Change`.
    """

    source: str
    sequence: int
    event: str
    at: float
    number: int = 0
    mover: int | None = None

    def __repr__(self) -> str:
        return f"LogRow(number={self.number}, source={self.source!r}, sequence={self.sequence})"


@dataclass(frozen=True, slots=True)
class Job:
    """Something to be done for a table at a certain time (`due`).

    A table has at most one job of each `kind`; setting it again replaces it. The store gives each setting a new
    `stamp`, and later stamps are greater, so that an older setting can be told from a newer one. `payload` may be
    printed, so it must not hold anything hidden. The store fills in the ids of server, channel and opener when it
    hands a job out.
    """

    table_id: int
    kind: str
    due: float
    payload: str = ""
    stamp: int = 0
    guild_id: int = field(default=0, compare=False)
    channel_id: int = field(default=0, compare=False)
    opener_id: int = field(default=0, compare=False)
    """Who opened the table; 0 if that person was forgotten."""


@dataclass(frozen=True, slots=True)
class EmojiRow:
    """One of the application's emoji on Discord, known to be this program's: its name, its drawing's digest, its id."""

    name: str
    digest: str
    id: int


@dataclass(slots=True)
class Change:
    """What one act changes at a table. It becomes durable as a whole or not at all.

    `table.version` is the version that was read. The store writes the row with `version + 1`, and raises `Conflict` if
    the version that it holds is another one. `seated` are pairs (user id, seat) of people who from now on count as
    having sat in this match. `drop_jobs` are kinds of jobs to delete; a kind that is also in `set_jobs` is set.
    `undone` is the number of a move to delete with all later ones, together with their lines in the log (those of the
    game's). `moves` are consecutive.
    """

    table: TableRow
    moves: Sequence[MoveRow] = ()
    log: Sequence[LogRow] = ()
    set_jobs: Sequence[Job] = ()
    drop_jobs: Sequence[str] = ()
    seated: Sequence[tuple[int, int]] = ()
    undone: int | None = None


@dataclass(frozen=True, slots=True)
class Erasure:
    """A request to erase, which is kept until it has been carried out to the last byte.

    `user_id` is the person to be forgotten. It is None once their data is deleted and only traces of it in the files
    remain to be wiped.
    """

    id: int
    user_id: int | None
    asked_at: float

    def __repr__(self) -> str:  # without the user id, which is what is to be erased
        return f"Erasure(id={self.id})"


@dataclass(frozen=True, slots=True)
class Most:
    """How many live tables one person may have opened, and how many a server (guild) may have; 0 means any number.

    Tables that sleep do not count for the person.
    """

    of_opener: int = 0
    of_guild: int = 0


ANY_NUMBER: Final = Most()

Committed = Callable[[int, float], None]
"""Called after each commit with the number of writes that shared it, and the seconds that it took."""


def shard_of(server: int, shard_count: int) -> int:
    """The shard to which Discord assigns the server with this id, of so many shards.

    >>> shard_of(5 << 22, 4)
    1
    """
    return (server >> 22) % shard_count


Signal = Literal["leases", "controls", "forgotten", "pictures", "emoji"]
"""What one process tells the others of its fleet: that leases have changed, or something that each keeps in memory.

"controls": who is blocked, the notice, the operator's orders. "forgotten": a person was. "pictures": who chose text
only. "emoji": those that Discord has.
"""


@dataclass(frozen=True, slots=True)
class ProcessName:
    """What a process is called on the roll: its machine and number, for people to read, and the program's version."""

    name: str
    version: str

    @classmethod
    def of_this_one(cls, version: str) -> ProcessName:
        return cls(f"{socket.gethostname()}-{os.getpid()}", version)


Reach = Literal["connected", "connecting", "cut off"]
"""How a process reaches Discord.

"connected": it has at least one connection. "connecting": it has none yet, or just now. "cut off": it has had none for
a while although other processes had, or has not had one again for long.
"""


@dataclass(frozen=True, slots=True)
class ProcessRow:
    """A process that has the store open. Later processes have greater ids. `name` is for people to read."""

    id: int
    name: str
    version: str
    draining: bool = False
    reach: Reach = "connecting"


@dataclass(frozen=True, slots=True)
class ShardRow:
    """Who holds a shard. `owner` and `heir` are ids of processes; None for nobody."""

    shard: int
    owner: int | None
    generation: int
    heir: int | None = None
    heir_ready: bool = False


@dataclass(frozen=True, slots=True)
class Roll:
    """The processes that live, oldest first, this one (`me`) included, and who holds which shard, at one moment."""

    me: int
    processes: tuple[ProcessRow, ...]
    shards: tuple[ShardRow, ...]
    expires_in: float | None = None
    """In how many seconds the next lease of another process runs out if it is not renewed; None without others."""

    @property
    def shard_count(self) -> int:
        return len(self.shards)


LEASE: Final = 8.0
"""Seconds that a lease lasts from its last renewal on."""


class Leases(Protocol):
    """Shares the shards among the processes that have the store open. A lease lasts `LEASE` unless it is renewed.

    Every method raises `StoreError`, and `Deposed` once another process has taken over this one's shards.
    """

    async def shard_count(self) -> int | None:
        """The number of shards that the living processes share; None if no other process lives."""
        ...

    async def begin(self, shard_count: int) -> Roll:
        """Sets the number of shards. If other processes live, theirs stays, and the roll tells it."""
        ...

    async def renew(self) -> Roll:
        """Renews the leases of this process."""
        ...

    async def take(self, shards: Sequence[int]) -> Roll:
        """Takes over those of the shards that no living process holds."""
        ...

    async def court(self, shards: Sequence[int]) -> Roll:
        """Becomes the heir of those of the shards that have none."""
        ...

    async def renounce(self, shards: Sequence[int]) -> Roll:
        """Is the heir of these shards no more."""
        ...

    async def ready(self, shards: Sequence[int]) -> Roll:
        """Says that this heir is connected to Discord for these shards."""
        ...

    async def hand_over(self, shards: Sequence[int]) -> Roll:
        """Gives those of the shards whose heir is ready to it, after all writes that were asked for have ended."""
        ...

    async def note_reach(self, reach: Reach) -> Roll:
        """Notes how this process reaches Discord. If it is cut off, it is the heir of no shard any more."""
        ...

    async def drain(self, process: int) -> Roll:
        """Notes that a process is to hand over all of its shards."""
        ...

    async def leave(self) -> None:
        """Gives up all shards, because this process ends. It writes nothing more."""
        ...

    async def may_identify(self, bucket: int, every: float) -> float:
        """Whether a shard of this bucket of Discord's may identify now: 0.0, and then it must; else seconds to wait.

        Among all processes, one may do so in `every` seconds.
        """
        ...

    async def tell(self, signal: Signal) -> None:
        """Tells all processes, this one included."""
        ...

    def listen(self, heard: Callable[[Signal], None]) -> None:
        """Has `heard` called with every signal, and with all of them if some may have been missed."""
        ...


class Store(Protocol):
    """Keeps tables, their moves, logs and jobs. One process has a store alone, or several share one by `leases`.

    Every method that reads or writes raises `StoreError` if that fails, and `StoreLost` if it can never succeed again.
    """

    @property
    def leases(self) -> Leases | None:
        """How the processes that have this store open share the shards; None if this process has it alone."""
        ...

    async def open(self) -> None:
        """Opens the store, creating it if need be, and brings its schema up to date. Raises `StoreRefused`."""
        ...

    async def close(self) -> None:
        """Finishes the writes under way and closes. Safe to call twice."""
        ...

    # -- tables
    async def create(self, change: Change, *, opener_id: int = 0, most: Most = ANY_NUMBER) -> TableRow:
        """Creates `change.table` with the change's log, jobs and seated people; returns its row with id and version.

        The id and version in `change.table` and the table_id of the jobs are ignored. The table counts as opened by
        `opener_id` until it ends or that person is forgotten. Raises `ChannelTaken`, and `TooManyTables` if there would
        be more live tables than `most` allows, also when many are created at the same time."""
        ...

    async def commit(self, change: Change) -> None:
        """Makes a change durable and sets `change.table.version` to the new version.

        Raises `Conflict`, `Repeated`, `StoreFull`, and `ChannelTaken` if the change makes an ended table live again
        while its channel holds another one."""
        ...

    async def settle(self) -> None:
        """Returns when every write that was asked for earlier is durable or has failed."""
        ...

    async def table(self, table_id: int) -> TableRow | None: ...
    async def live_table(self, channel_id: int) -> TableRow | None: ...
    async def latest_table(
        self, channel_id: int, game: str | None = None, *, begun: bool = False
    ) -> TableRow | None:
        """The newest table of the channel, live or not; `begun`: of those whose match has begun."""
        ...

    async def live_tables(self) -> list[TableRow]:
        """All live tables, oldest first, with None for their snapshots, as the playground and overviews need them."""
        ...

    async def live_by_game(self) -> dict[str, int]:
        """How many tables are live, by game. Reads of this kind may take some milliseconds with 10,000 tables."""
        ...

    async def live_places(
        self, *, server: int | None = None, shards: Collection[int] | None = None
    ) -> list[tuple[int, int]]:
        """The live tables, as pairs of their id and their server: all, or only those of one server, or of some shards.

        Only a store that was opened shared knows shards.
        """
        ...

    async def moves(self, table_id: int) -> list[MoveRow]: ...
    async def log(self, table_id: int, *, last: int | None = None, since: int = 0) -> list[LogRow]:
        """The table's log, oldest line first. If `last` is given, at most that many of the newest lines.

        `since` leaves out the lines from before that many moves had been made.
        """
        ...

    async def seat_of(self, table_id: int, user_id: int) -> int | None:
        """The seat that this person holds or has held at this table, or None."""
        ...

    async def opener_of(self, table_id: int) -> int:
        """The id of who opened the table; 0 if that is no longer known, or there is no such table."""
        ...

    async def has_played(self, user_id: int, game: str, *, besides: int) -> bool:
        """Whether this person has held a seat in a match of this game that is still kept, other than this table's."""
        ...

    # -- jobs
    async def due(self, now: float, limit: int = 500, besides: Iterable[Job] = ()) -> list[Job]:
        """Jobs with `due <= now`, longest overdue first. Leaves out those in `besides`, unless they were set anew."""
        ...

    async def next_due(self) -> float | None: ...
    async def set_job(self, job: Job) -> None: ...
    async def finish(self, jobs: Sequence[Job]) -> None:
        """Deletes these jobs, except those that were set anew since and so have another stamp."""
        ...

    async def postpone(self, job: Job, due: float) -> None:
        """Moves this job to another time, unless it was set anew (so it has another stamp) or deleted since."""
        ...

    async def shift_jobs(self, kind: str | None, seconds: float) -> None:
        """Adds `seconds`, which may be negative, to the due times of all jobs of this kind, or of every kind (None)."""
        ...

    # -- who wants no pictures
    async def text_only(self) -> list[tuple[Scope, int]]:
        """The servers and people that chose text only."""
        ...

    async def set_text_only(self, scope: Scope, number: int, on: bool) -> None:
        """Keeps that this server or person chose text only, or does so no more."""
        ...

    # -- the application's own emoji
    async def emoji(self) -> list[EmojiRow]:
        """The emoji that were uploaded, by name."""
        ...

    async def keep_emoji(self, rows: Sequence[EmojiRow]) -> None:
        """Keeps that these emoji were uploaded, in place of older ones of the same names."""
        ...

    async def drop_emoji(self, names: Sequence[str]) -> None:
        """Forgets the emoji of these names."""
        ...

    # -- the host's own facts
    async def fact(self, name: str) -> str | None: ...
    async def set_fact(self, name: str, value: str) -> None: ...
    async def change_fact(self, name: str, change: Callable[[str | None], str]) -> str:
        """Changes a fact that other processes may change too, and returns its new value. `change` gets the old one.

        `change` may be called several times.
        """
        ...

    async def beat(self, now: float, away: float) -> float:
        """Notes that people can be served now. Returns the downtime: the seconds that were given back so far, in all.

        If nobody could be served for longer than `away` seconds, gives those back: all alarms become due later by as
        much. If `away` is 0, which only who is the first to serve anybody may say, and the time was set back, all jobs
        become due earlier.
        """
        ...

    # -- people and time
    async def tables_of(self, user_id: int) -> list[TableRow]:
        """The tables at which this person has sat, newest first, without snapshots."""
        ...

    async def tables_naming(self, user_id: int) -> list[int]:
        """The ids of all tables that this person opened or sat at, or whose body contains their id, oldest first.

        It reads every table, but only some at a time, so that nobody else has to wait."""
        ...

    async def forget(self, user_id: int, table_id: int) -> None:
        """Deletes the facts that this person sat at the table or opened it, and the ids of their presses.

        The table layer must have removed the person from the body before."""
        ...

    async def purge(self, ended_before: float) -> int:
        """Deletes the tables that ended before this time, with all that belongs to them; returns how many.

        It also leaves a request to wipe their traces from the files."""
        ...

    # -- to the last byte
    async def ask_erasure(self, user_id: int) -> int:
        """Writes down the request to forget this person, so that no crash loses it; returns its number."""
        ...

    async def erasures(self) -> list[Erasure]:
        """The requests that have not been carried out yet, oldest first."""
        ...

    async def unname_erasures(self, numbers: Sequence[int]) -> None:
        """Removes the person from these requests once their data is deleted and only traces remain to be wiped."""
        ...

    async def finish_erasures(self, numbers: Sequence[int]) -> None:
        """Deletes these requests because they have been carried out."""
        ...

    async def wipe(self, *, within: float, whole: bool = False) -> bool:
        """Removes from every byte of the store's files what was deleted before. Raises `StoreError`.

        Returns False if that was not possible because somebody else read the store for longer than `within` seconds.
        Without `whole`, remains of deleted moves and log lines may be left, which tell nothing about people.
        """
        ...

    async def backup(self, path: Path) -> None:
        """Writes a consistent copy of the store to a new file. Raises `StoreError` if that file exists."""
        ...
