"""A table as the host works with it. What is in `Body` is kept as JSON; `state` is the game's own.

A `Table` that others can see never changes: acts change a draft of it, and the draft takes its place once durable.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from typing import Annotated, Any, Final, Literal, cast

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import from_json, to_json

from bot.store.base import LIVE, TableRow
from engine.errors import BadData, UnknownVersion, first_flaw
from engine.fairness import Contribution
from engine.game import AnyGame

Status = Literal["lobby", "playing", "paused", "over", "abandoned"]

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

TURN_LIMITS: Final[dict[str, int | None]] = {
    "none": None,
    "5m": 5 * MINUTE,
    "15m": 15 * MINUTE,
    "1h": HOUR,
    "12h": 12 * HOUR,
    "24h": DAY,
}
"""The turn limits a host may choose, in seconds."""

FORM: Final = 1
"""The version of the bodies' form."""

STAND_IN: Final = "novice"
"""The agent that plays for people who are away or have left."""


@dataclass(slots=True)
class Seat:
    """A place at the table.

    A person sits there (`user_id`), or an agent (`agent` names its level). `left_by` is the person who left the
    seat to its agent and may come back. `away`: the person missed two decisions in a row, and an agent plays on
    until they are back. `word` is what they added to the match's key.
    """

    name: str
    user_id: int | None = None
    agent: str | None = None
    left_by: int | None = None
    away: bool = False
    missed: int = 0
    word: str = field(default="", repr=False)

    @property
    def present(self) -> bool:
        """Whether a person plays this seat themselves."""
        return self.user_id is not None and not self.away

    def copy(self) -> Seat:
        return Seat(self.name, self.user_id, self.agent, self.left_by, self.away, self.missed, self.word)


@dataclass(slots=True)
class Asked:
    """Since when a seat has been asked, until when it may answer, and whether an agent answers in its stead.

    Both times are host time (`Draft.host_time`), which stands still while the host is down. `since` is the number
    of moves made when it was asked: it tells one turn from the next. `silent`: no limit hurries it, and it has let the
    reminder go by as well. `limit` is the longest of the limits, in seconds, that its decisions since then had; 0 if
    there was none, or an older version asked.
    """

    at: float
    deadline: float | None
    reminded: bool = False
    stand_in: bool = False
    since: int = 0
    silent: bool = False
    limit: float = 0.0

    def heard(self, now: float) -> None:
        """The person has shown that they are there: without a limit, their silence begins anew."""
        if self.deadline is None:
            self.at = now
            self.silent = False

    def copy(self) -> Asked:
        return Asked(
            self.at, self.deadline, self.reminded, self.stand_in, self.since, self.silent, self.limit
        )


@dataclass(frozen=True, slots=True)
class Undo:
    """What it takes to take a person's last move back: the state before it, as a snapshot, and who was asked then.

    `until`, in host time: who moves and takes back must not gain time for ever. None: for as long as nobody moves.
    """

    seat: int
    snapshot: str = field(repr=False)
    asked: dict[int, Asked]
    until: float | None = None


@dataclass(slots=True)
class Messages:
    """The ids of the table's messages in its channel.

    `start` is the message with which the match began; the board is drawn into it until the table is brought down.
    `announcement` calls those who are asked. `called`, by seat: since how many moves each had been asked when it was
    rung, and whether that was a reminder. `moving`: the table message is to be posted anew at the channel's bottom.
    `retired` are to be deleted. `shows` names what the messages that seldom change (by field) were last seen to show.
    """

    lobby: int | None = None
    board: int | None = None
    announcement: int | None = None
    called: dict[int, tuple[int, bool]] = field(default_factory=dict[int, tuple[int, bool]])
    result: int | None = None
    moving: bool = False
    retired: list[int] = field(default_factory=list[int])
    shows: dict[str, str] = field(default_factory=dict[str, str])
    start: int | None = None

    @property
    def placed(self) -> set[int]:
        """The ids of those that belong in the channel."""
        named = {self.lobby, self.board, self.announcement, self.result, self.start}
        return {message for message in named if message is not None}

    @property
    def known(self) -> set[int]:
        """The ids of all of them."""
        return {*self.placed, *self.retired}

    def copy(self) -> Messages:
        return Messages(
            self.lobby,
            self.board,
            self.announcement,
            self.called.copy(),
            self.result,
            self.moving,
            self.retired.copy(),
            self.shows.copy(),
            self.start,
        )


@dataclass(slots=True)
class Body:
    """All of a table that only this program's host reads.

    `host_id` is the person who hosts the table: who opened it, or the next one once they have left.
    `expires` is when a lobby closes or a paused match is given up, in host time. `forgotten` seals the ids of
    people who had their data deleted while the match was under way (`Table.seal`). `asleep` is since when, in host
    time, the bot is not on the server any more: until it is back nothing is drawn, played or counted.

    What docs/fairness.md calls for: `scheme` is the match's; `sitters` tell by seat who sat there when Start Match was
    pressed ("person" or "agent:LEVEL"), none before; `starts` counts how often it was.

    `undo` are the moves that can be taken back, all of one seat's, the last one last; `undone` counts those that were,
    and `undone_now` those since `last_mover` came to move.
    """

    host_id: Annotated[int, Field(alias="host")]
    host_seed: str = field(repr=False)
    seats: list[Seat] = field(default_factory=list[Seat])
    limit: int | None = DAY
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    locale: str = "en"
    contributions: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    asked: dict[int, Asked] = field(default_factory=dict[int, Asked])
    messages: Messages = field(default_factory=Messages)
    end_votes: list[int] = field(default_factory=list[int])
    ending: str = ""
    expires: float | None = None
    forgotten: list[str] = field(default_factory=list[str])
    scheme: int = 1
    sitters: list[str] = field(default_factory=list[str])
    starts: int = 0
    undo: list[Undo] = field(default_factory=list[Undo])
    undone: int = 0
    undone_now: int = 0
    last_mover: int | None = None
    asleep: float | None = None
    form: int = FORM

    def seal(self, user_id: int) -> str:
        """Stands for a person in this match alone, without telling who they are."""
        return hashlib.sha256(f"{self.host_seed}:seal:{user_id}".encode()).hexdigest()[:16]

    def copy(self) -> Body:
        """A body that may be changed. Options never are, so they are shared."""
        return Body(
            self.host_id,
            self.host_seed,
            [seat.copy() for seat in self.seats],
            self.limit,
            self.options,
            self.locale,
            self.contributions.copy(),
            {seat: asked.copy() for seat, asked in self.asked.items()},
            self.messages.copy(),
            self.end_votes.copy(),
            self.ending,
            self.expires,
            self.forgotten.copy(),
            self.scheme,
            self.sitters.copy(),
            self.starts,
            self.undo.copy(),
            self.undone,
            self.undone_now,
            self.last_mover,
            self.asleep,
            self.form,
        )


_BODY: Final = TypeAdapter(Body)


@dataclass(slots=True)
class Table:
    """A match in a channel. `sequence` counts its moves, `version` the writes of its row.

    `kept` is the state that was last written or read, with its snapshot: it is written again as it is.
    """

    id: int
    guild_id: int
    channel_id: int
    game: AnyGame
    status: Status
    version: int
    sequence: int
    created_at: float
    changed_at: float
    body: Body
    state: Any = None
    ended_at: float | None = None
    kept: tuple[Any, str] | None = None

    def __repr__(self) -> str:
        return f"<Table {self.id} {self.game.key} {self.status} moves={self.sequence}>"

    @property
    def live(self) -> bool:
        return self.status in LIVE

    @property
    def starting(self) -> bool:
        """Whether seats and words are frozen, and nothing but the start message is waited for."""
        return self.status == "lobby" and bool(self.body.sitters)

    @property
    def under_way(self) -> bool:
        return self.status in ("playing", "paused")

    @property
    def seats(self) -> list[Seat]:
        return self.body.seats

    @property
    def contributions(self) -> list[Contribution]:
        return [Contribution(*pair) for pair in self.body.contributions]

    def seat_of(self, user_id: int) -> int | None:
        """The seat that this person holds now."""
        for number, seat in enumerate(self.body.seats):
            if seat.user_id == user_id:
                return number
        return None

    def people(self) -> list[int]:
        """The seats that people hold, away or not."""
        return [number for number, seat in enumerate(self.body.seats) if seat.user_id is not None]

    def next_person(self, number: int) -> int | None:
        """The seat that a person holds, from this number on and around the table."""
        people = self.people()
        return min(people, key=lambda seat: (seat < number, seat)) if people else None

    def seal(self, user_id: int) -> str:
        """Stands for a person in this match alone, without telling who they are."""
        return self.body.seal(user_id)

    def draft(self) -> Table:
        """A copy to be changed; its state still is the same one, to be copied by who plays a move."""
        return Table(
            self.id,
            self.guild_id,
            self.channel_id,
            self.game,
            self.status,
            self.version,
            self.sequence,
            self.created_at,
            self.changed_at,
            self.body.copy(),
            self.state,
            self.ended_at,
            self.kept,
        )

    def row(self) -> TableRow:
        """The table as it is kept."""
        return TableRow(
            id=self.id,
            guild_id=self.guild_id,
            channel_id=self.channel_id,
            game=self.game.key,
            status=self.status,
            version=self.version,
            sequence=self.sequence,
            body=write_body(self.body),
            snapshot=self.snapshot(),
            created_at=self.created_at,
            changed_at=self.changed_at,
            ended_at=self.ended_at,
        )

    def snapshot(self) -> str | None:
        """The state as it is kept."""
        if self.state is None:
            return None
        if self.kept is None or self.kept[0] is not self.state:
            self.kept = (self.state, to_json(self.game.dump(self.state)).decode())
        return self.kept[1]


def write_body(body: Body) -> str:
    """A body as it is kept."""
    return _BODY.dump_json(body, by_alias=True).decode()


def read_body(text: str) -> Body:
    """The body that `write_body` made this text from. Raises `BadData`; its text hides what was read."""
    try:
        body = _BODY.validate_json(text)
    except ValidationError as error:
        flaw = first_flaw(error)
        raise BadData(f"the table is damaged at {flaw.path or 'its whole'}: {flaw.code}") from None
    if body.form != FORM:
        raise UnknownVersion(f"the table has form {body.form}; this version reads form {FORM}")
    return body


def read_table(row: TableRow, game: AnyGame) -> Table:
    """A table from its row. Raises `BadData` for one that this version cannot read."""
    state = read_snapshot(row.snapshot, game) if row.snapshot is not None else None
    return Table(
        id=row.id,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        game=game,
        status=cast("Status", row.status),
        version=row.version,
        sequence=row.sequence,
        created_at=row.created_at,
        changed_at=row.changed_at,
        body=read_body(row.body),
        state=state,
        ended_at=row.ended_at,
        kept=(state, row.snapshot) if row.snapshot is not None else None,
    )


def read_snapshot(text: str, game: AnyGame) -> Any:
    """The state that was kept as this text. Raises `BadData`."""
    return game.load(_read_object(text))


def _read_object(text: str) -> dict[str, Any]:
    try:
        data: Any = from_json(text)
    except ValueError:  # its own text repeats what was read
        data = None
    if not isinstance(data, dict):
        raise BadData("the snapshot is no JSON object")
    return cast("dict[str, Any]", data)
