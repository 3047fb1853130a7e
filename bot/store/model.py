"""The rows that the store keeps, the changes that it is asked for, and its errors.

The table layer says in one `Change` *what* must be durable together; the store (`bot.store.store`) makes it durable as
a whole or not at all.

All times are seconds since 1970-01-01 UTC. All JSON is text: the store never looks inside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

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
    """The table is not as it was read. Nothing was written; or the connection was lost, and an earlier try was kept."""


class Repeated(StoreError):
    """The change of this press is already kept, so Discord has delivered the press twice. Nothing was written.

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
    asleep: bool = False
    """Whether the bot was removed from the table's server. Such a table does not count for the person who opened it."""

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

    A table has at most one job of each `kind`; setting it again replaces it. The store gives each setting a new `id`,
    and later ids are greater, so that an older setting can be told from a newer one. `payload` may be printed, so it
    must not hold anything hidden. The store fills in the ids of server, channel and opener when it hands a job out.
    """

    table_id: int
    kind: str
    due: float
    payload: str = ""
    id: int = 0
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

    `press` is the id of the interaction that asks for the change, if this is the first change that it causes. A press
    counts once: its id is kept with the change, and a change with an id that is kept raises `Repeated`. Changes that
    follow from the same press, and those that no press asks for, carry none; the version alone protects them.
    """

    table: TableRow
    moves: Sequence[MoveRow] = ()
    log: Sequence[LogRow] = ()
    set_jobs: Sequence[Job] = ()
    drop_jobs: Sequence[str] = ()
    seated: Sequence[tuple[int, int]] = ()
    undone: int | None = None
    press: int | None = None


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


def made_at(number: int) -> float:
    """When Discord gave this id, in seconds since 1970.

    >>> made_at(1 << 22)
    1420070400.001
    """
    return ((number >> 22) + 1_420_070_400_000) / 1000


def shard_of(server: int, shard_count: int) -> int:
    """The shard to which Discord assigns the server with this id, of so many shards.

    >>> shard_of(5 << 22, 4)
    1
    """
    return (server >> 22) % shard_count
