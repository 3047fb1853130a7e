"""The rows of the store, its changes, and its errors.

A `Change` becomes durable as a whole or not at all. All times are seconds since 1970-01-01 UTC. All JSON is text, which
the store does not parse.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Literal, NamedTuple

from bot.ratings import Rating

LIVE = ("lobby", "playing", "paused")
"""The statuses of a live table. A channel has at most one live table. Private matches have the channel 0."""

ALARM: Final = "alarm"
"""The kind of a table's timer job. Downtime postpones it."""

Scope = Literal["guild", "person"]
"""Whether a setting belongs to a server or to a user."""


class StoreError(Exception):
    """A read or a write failed. Earlier durable data is intact."""


class StoreRefused(StoreError):
    """The store cannot be opened: newer version, damage, in use, or no permission.

    The text gives the reason and the remedy, and says that nothing was changed.
    """


class StoreInUse(StoreRefused):
    """Another process has the store open."""


class StoreFull(StoreError):
    """A write failed because the disk is full or cannot be written to."""


class StoreDiskFull(StoreRefused, StoreFull):
    """The store cannot be opened because its disk is full."""


class StoreLost(StoreError):
    """The open database was replaced, or another process has taken it over. All further reads and writes fail.

    The text says what happened, what was saved, and what to do.
    """


class StoreUnreachable(StoreError):
    """The database server does not answer. A later attempt may succeed."""


class ChannelTaken(StoreError):
    """The channel already has a live table."""


class AlreadyTried(StoreError):
    """The person has had their attempt at the daily deal of this day. Nothing was written."""


class TooManyTables(StoreError):
    """A new live table would exceed a limit. Nothing was written.

    `of`: whether the limit is that of an opener or of a server ("guild"). `limit`: its value.
    """

    def __init__(self, of: Literal["opener", "guild"], limit: int) -> None:
        super().__init__(
            f"There may be {limit} live tables of one {of}, and so many there are. Nothing was written."
        )
        self.of = of
        self.limit = limit


class Conflict(StoreError):
    """The table has changed since it was read, or an earlier attempt may be committed. Nothing was written now."""


class Repeated(StoreError):
    """The change of this press is already stored: Discord delivered the press twice. Nothing was written.

    Takes precedence over `Conflict`.
    """


@dataclass(slots=True)
class TableRow:
    """A stored table. `body` is JSON of the table layer: seats, options, message ids and so on."""

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
    """Whether the bot was removed from the table's server. A sleeping table does not count for its opener's limit."""

    def __repr__(self) -> str:  # body and snapshot contain hidden cards
        return f"TableRow(id={self.id}, game={self.game!r}, status={self.status!r}, sequence={self.sequence})"


@dataclass(frozen=True, slots=True)
class MoveRow:
    """One move at a table. `sequence` is its number, from 1.

    `interaction_id` is the id of the press that made the move; None for an agent's move or after the user was
    forgotten. A press may make several moves; `part` numbers them from 0.
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
    """One line of a table's log, as data.

    `source`: "game" for the set-up and people's moves, "agent" for agents' moves, "table" for events of the table
    itself. Matches of older versions have "game" for agents' moves too. `sequence`: the number of the latest move at
    the time of the event; 0 before the first.

    The store sets `number` (line number, from 1) and `mover` (the seat of move `sequence`); callers leave both at their
    defaults in a `Change`.
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
    """Work that is due for a table at a time (`due`).

    A table has at most one job of each `kind`; setting a job of the same kind replaces the old one. Each setting gets a
    new, greater `id`. `payload` may be logged, so it must contain nothing hidden. The store fills in the ids of server,
    channel and opener when it returns a job.
    """

    table_id: int
    kind: str
    due: float
    payload: str = ""
    id: int = 0
    guild_id: int = field(default=0, compare=False)
    channel_id: int = field(default=0, compare=False)
    opener_id: int = field(default=0, compare=False)
    """The user who opened the table; 0 if that user was forgotten."""


@dataclass(frozen=True, slots=True)
class EmojiRow:
    """One uploaded emoji of the application: its name, the digest of its drawing, and its id at Discord."""

    name: str
    digest: str
    id: int


@dataclass(frozen=True, slots=True)
class ResultPlayer:
    """A seat in the result of a match.

    `user_id` is the person who began the match in this seat; None for an agent and for a forgotten person. `place` is
    the rank, 1 for the winners. `feats` are the seat's feats as JSON; None without any, and if the person left.
    """

    seat: int
    user_id: int | None
    place: int
    score: int
    feats: str | None = None


@dataclass(frozen=True, slots=True)
class MatchResult:
    """The result of a match that is over, by seat. `rated`: whether it may change ratings."""

    players: tuple[ResultPlayer, ...]
    rated: bool


@dataclass(frozen=True, slots=True)
class ResultRow:
    """A seat in a stored result. `before` and `after` are the ratings around the match; None if it is unrated.

    `weight` is the part of the change that counted; None if the match is unrated, or from before there were weights.

    `number` counts the results of a server. `user_id` is None for an agent, for a forgotten person, and for a person
    about whom no results are stored. `feats` are the seat's feats as JSON, None without any.
    """

    guild_id: int
    number: int
    seat: int
    table_id: int
    game: str
    season: int
    ended_at: float
    moves: int
    user_id: int | None
    place: int
    score: int
    feats: str | None
    before: Rating | None
    after: Rating | None
    weight: float | None


@dataclass(frozen=True, slots=True)
class DealRow:
    """The daily deal of a day, which counts the days since 1970-01-01 UTC. `seed` is in hexadecimal."""

    day: int
    game: str
    seed: str = field(repr=False)
    sealed_at: float


@dataclass(frozen=True, slots=True)
class AttemptRow:
    """A person's attempt at the daily deal of a day, from a server; `guild_id` is 0 if the bot was on none.

    `score` is None as long as the match has not been played to its end.
    """

    user_id: int
    day: int
    guild_id: int
    table_id: int
    score: int | None


class MonthRow(NamedTuple):
    """A person in the board of a month: the number of deals finished, and the sum of their scores."""

    user_id: int
    days: int
    points: int


class Standing(NamedTuple):
    """A person in a leaderboard: the present rating, and the rated matches, victories and opponents of the season.

    `needed` is the number of opponents that a place needs (`bot.ratings.places_of`); 0 if the person has a place.
    """

    user_id: int
    rating: Rating
    matches: int
    wins: int
    opponents: int = 0
    needed: int = 0


Mode = Literal["now", "mail"]
"""How a match is to be played: "now", with a short turn limit, or by "mail", with a long one."""


@dataclass(frozen=True, slots=True)
class Wish:
    """A person's wish for a match on a server: the person waits until `ends` for others to play with.

    `id` is the interaction id of the command with which the person asked in the channel. `game` and `seats`, the number
    of players, are None for any. `table_id` is the lobby that was opened for the wish; None while the person waits.
    """

    guild_id: int
    user_id: int
    id: int
    channel_id: int
    game: str | None
    seats: int | None
    mode: Mode
    since: float
    ends: float
    table_id: int | None = None


@dataclass(frozen=True, slots=True)
class GuestRow:
    """A person who was asked to join a lobby and has not joined it; see the module `bot.store.guests`.

    `asker_id` is the person who asked, 0 if they are forgotten. `notified`: whether Discord notified the guest.
    """

    user_id: int
    table_id: int
    asker_id: int
    at: float
    notified: bool
    declined_at: float | None


class Candidate(NamedTuple):
    """A wish with the person's ratings by game in the server's present season, and the number of their live tables.

    Only tables that the person opened count. There are no ratings of a person who hides their results.
    """

    wish: Wish
    ratings: Mapping[str, Rating]
    opened: int


@dataclass(slots=True)
class Change:
    """The changes of one operation at a table, as one transaction.

    `table.version` is the version that was read; the store writes `version + 1`, and raises `Conflict` if the stored
    version differs. `seated`: pairs (user id, seat) of users who now count as having sat in this match. `drop_jobs`:
    kinds of jobs to delete; kinds in `set_jobs` are set instead. `undone`: the number of a move to delete with all
    later moves and their log lines. `moves` are consecutive.

    `press`: the interaction id, if this is the first change that the press causes. The id is stored with the change; a
    change with a stored id raises `Repeated`. Later changes of the same press, and changes without a press, have None
    and rely on the version alone.

    `result`: the result of the match that this change ends. The store adds the ratings.

    `wishes`: the ids of the wishes for which this change opens a lobby. Only `Store.create` takes them. It raises
    `Conflict` if one of them no longer waits, so that a wish leads to one lobby only.

    `guests`: pairs (user id, may be notified) of the people who are asked to join the lobby that this change opens, for
    `Store.create` alone, which decides whom the lobby notifies. `declined`: the guests who decline with this change.
    People in `seated` are guests no longer.

    `attempt`: triple (user id, day, server) of the person who begins the daily deal of a day at this new table, and of
    the server on whose board it counts, 0 for none. `score`: the
    score of the private match that this change ends, for its attempt if it has one.
    """

    table: TableRow
    moves: Sequence[MoveRow] = ()
    log: Sequence[LogRow] = ()
    set_jobs: Sequence[Job] = ()
    drop_jobs: Sequence[str] = ()
    seated: Sequence[tuple[int, int]] = ()
    undone: int | None = None
    press: int | None = None
    result: MatchResult | None = None
    wishes: Sequence[int] = ()
    guests: Sequence[tuple[int, bool]] = ()
    declined: Sequence[int] = ()
    attempt: tuple[int, int, int] | None = None
    score: int | None = None


@dataclass(frozen=True, slots=True)
class Erasure:
    """An erasure request, stored until no byte of the user's data is left.

    `user_id`: the user to be forgotten; None once the data is deleted and only its remains in the files must be wiped.
    """

    id: int
    user_id: int | None
    asked_at: float

    def __repr__(self) -> str:  # without the user id, which must not be logged
        return f"Erasure(id={self.id})"


@dataclass(frozen=True, slots=True)
class TableLimits:
    """Limits on live tables, per opener and per server; 0 means no limit.

    Sleeping tables do not count for the opener.
    """

    of_opener: int = 0
    of_guild: int = 0


ANY_NUMBER: Final = TableLimits()

Committed = Callable[[int, float], None]
"""Called after each commit with the number of writes in it and its duration in seconds."""


def snowflake_time(number: int) -> float:
    """The creation time of a Discord id (snowflake), in seconds since 1970.

    >>> snowflake_time(1 << 22)
    1420070400.001
    """
    return ((number >> 22) + 1_420_070_400_000) / 1000


def shard_of(server: int, shard_count: int) -> int:
    """The shard that Discord assigns to this server.

    >>> shard_of(5 << 22, 4)
    1
    """
    return (server >> 22) % shard_count
