"""A table as the host uses it. `Body` is stored as JSON, and `state` belongs to the game.

A `Table` that is visible to other tasks never changes. An act changes a draft, which replaces the table once the draft
is durable.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field, replace
from typing import Annotated, Any, Final, Literal, cast

from pydantic import Field, TypeAdapter, ValidationError
from pydantic_core import from_json, to_json

from bot.store.model import LIVE, TableRow
from bot.tables.messages import MatchThread, Messages
from bot.tables.seat import Earlier as Earlier  # part of this module's interface
from bot.tables.seat import Seat as Seat
from bot.tables.turns import OpenDecision, Premove, Undo, UpcomingDecision, copied
from engine.errors import BadData, UnknownVersion, first_flaw
from engine.fairness import SCHEME, Contribution
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
    "48h": 2 * DAY,
    "72h": 3 * DAY,
}
"""The turn limits a host may choose, in seconds."""

USUAL_PACE: Final = "usual"
PACES: Final[dict[str, float]] = {"quick": 0.3, USUAL_PACE: 1.0, "calm": 3.0}
"""The paces of agents that the only person at a table may choose: factors of the pause before an agent's move."""

FORM: Final = 1
"""The version of the form in which bodies are stored."""

NO_SEAT: Final = -1
"""The seat that the store has for people who were at a table and have seen no hand of it.

These are people in a lobby, and a person who ended a match that others played.
"""

NOWHERE: Final = 0
"""The channel of a private match: none."""

SUBSTITUTE: Final = "veteran"
"""The agent that plays for people who are away or have left."""
USUAL: Final = "novice"
"""The level of agents where nobody has chosen one."""


@dataclass(slots=True)
class Body:
    """The data of a table that the host reads and no game does.

    `host_id` is the person who hosts the table: the one who opened it, or the next person after the host has left.
    `pace` is a key of `PACES`. `hints` is the host's choice whether people may take hints; None for the default.
    `expires` is the time, in host time, at which a lobby closes, a paused match is given up, or a private match ends.
    `opens` is the time, in UTC, from which everybody may watch a private match again; until then its deal is secret.
    None: nobody else ever sees it. `forgotten` seals the
    ids of people who had their data deleted while the match was under way (`Body.seal`). `asleep` is the moment, in
    host time, at which the bot was found to be removed from the server; until the bot is back, nothing is drawn or
    played and no time runs. `ended_by` is the person who alone ended the match early. `earlier` lists the holders of
    seats before a takeover, in the order of the log.

    In a lobby that Play Again opened, `rematch_of` is the table of the match before, and `guests` has the ids of the
    people who are asked to join. In a `matched` lobby, `guests` are the people who were seated because they waited for
    a match. `declined` are those of the guests who do not want to play. All of these ids are deleted when the match
    begins or the lobby closes.

    Five fields serve fairness (docs/fairness.md): `scheme` is the match's scheme. `sitters` lists the kind of player in
    each seat at the press of Start Match ("person" or "agent:LEVEL"), and is empty before. `starts` counts these
    presses. `commitment` is the lobby's commitment to the seed, and `rules` the version of the game's rules with which
    the match began; `bot.tables.integrity` checks the stored match by both. `commitment` is empty at tables that an
    older version opened.
    Of tables with the same deal, `same` lists at the first one the others, whose `same_of` is the first. `compared`:
    all are over, and the result compares them.

    `thread` is the thread that the bot opens for this table; None for a table in a channel.

    `hiding` lists the seats in which a person began whose results, or those of the server, were switched off at the
    press of Start Match. None: an older version began the match, or it has not begun.

    `script` lists all moves of a lesson in their order, each with its seat and as it is stored (`bot.tables.lessons`).
    It is empty in other matches.

    `undo` lists the moves that can be taken back, oldest first; all of them are one seat's. `undone` counts the moves
    that were taken back in the whole match, and `undone_now` those taken back since it became `last_mover`'s turn to
    move.

    `expected` are the upcoming decisions by seat, and `answers` the premoves for them, in the order of the
    presses. Only the seat's own person may know whether there are premoves.

    `shared`: the person of a daily deal's match has posted its result. `beat` is the shared score that led to this
    match, 0 for none.

    `reviews` has the reviews of people's decisions by seat, as JSON data that `bot.replay.findings` reads and writes; a
    version that does not know them leaves them out, and they are made again.

    `digest` is that of the table's snapshot. It is empty without a snapshot, and where an older version wrote the row:
    such a version leaves it out of the body, also if it runs beside this one.
    """

    host_id: Annotated[int, Field(alias="host")]
    host_seed: str = field(repr=False)
    seats: list[Seat] = field(default_factory=list[Seat])
    limit: int | None = DAY
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    locale: str = "en"
    contributions: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    asked: dict[int, OpenDecision] = field(default_factory=dict[int, OpenDecision])
    expected: dict[int, UpcomingDecision] = field(default_factory=dict[int, UpcomingDecision])
    answers: dict[int, list[Premove]] = field(default_factory=dict[int, list[Premove]], repr=False)
    messages: Messages = field(default_factory=Messages)
    end_votes: list[int] = field(default_factory=list[int])
    ending: str = ""
    expires: float | None = None
    forgotten: list[str] = field(default_factory=list[str])
    scheme: int = SCHEME
    sitters: list[str] = field(default_factory=list[str])
    starts: int = 0
    undo: list[Undo] = field(default_factory=list[Undo])
    undone: int = 0
    undone_now: int = 0
    last_mover: int | None = None
    asleep: float | None = None
    ended_by: int | None = None
    earlier: list[Earlier] = field(default_factory=list[Earlier])
    form: int = FORM
    rematch_of: int | None = None
    guests: list[int] = field(default_factory=list[int])
    commitment: str = ""
    rules: int = 1
    pace: str = USUAL_PACE
    matched: bool = False
    opens: float | None = None
    hints: bool | None = None
    script: list[tuple[int, str]] = field(default_factory=list[tuple[int, str]], repr=False)
    same_of: int | None = None
    same: list[int] = field(default_factory=list[int])
    compared: bool = False
    declined: list[int] = field(default_factory=list[int])
    thread: MatchThread | None = None
    hiding: list[int] | None = None
    digest: str = ""
    reviews: dict[int, dict[str, Any]] = field(default_factory=dict[int, dict[str, Any]], repr=False)
    shared: bool = False
    beat: int = 0

    def forget_answers(self, seat: int) -> None:
        """Deletes the premoves of a seat, and the ids of the presses that made them."""
        self.answers.pop(seat, None)
        if seat in self.expected:
            self.expected[seat].presses = []

    def seal(self, user_id: int) -> str:
        """A pseudonym of a person that is valid in this match alone, and at tables with its deal."""
        return hashlib.sha256(f"{self.host_seed}:seal:{user_id}".encode()).hexdigest()[:16]

    def copy(self) -> Body:
        """A copy that may be changed."""
        copy = copied(self)
        copy.seats = [copied(seat) for seat in self.seats]
        copy.asked = {seat: copied(asked) for seat, asked in self.asked.items()}
        copy.expected = {seat: copied(expected) for seat, expected in self.expected.items()}
        copy.answers = {seat: answers.copy() for seat, answers in self.answers.items()}
        copy.messages = copied(self.messages)
        copy.thread = None if self.thread is None else copied(self.thread)
        return copy


_BODY: Final = TypeAdapter(Body)


@dataclass(slots=True)
class Table:
    """A match in a channel, or a private match. `sequence` counts its moves, `version` the writes of its row.

    A *private match* is in no channel and posts no message: one person plays it with agents, on their private screen.

    `kept` is the state that was last written or read, with its snapshot, so that an unchanged state need not be dumped
    again.
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
    def is_private(self) -> bool:
        """Whether this is a private match. Everything that posts or links to a message asks this first."""
        return self.channel_id == NOWHERE

    @property
    def awaits_result(self) -> bool:
        """Whether the match is over, and the message with its result is still to be posted."""
        return self.status == "over" and self.body.messages.result is None and not self.is_private

    @property
    def in_group(self) -> bool:
        """Whether this is a table in a group DM, where the bot can do nothing but answer presses and commands."""
        return not self.guild_id and not self.is_private

    @property
    def awaits_thread(self) -> bool:
        """Whether the match thread is still to be opened. Until then the table is in no channel of Discord's."""
        return self.body.thread is not None and not self.body.thread.opened

    @property
    def shown_in(self) -> int:
        """The channel to which links to the table lead: the parent channel until the match thread is open."""
        thread = self.body.thread
        return self.channel_id if thread is None or thread.opened else thread.parent

    @property
    def is_lesson(self) -> bool:
        """Whether this is a lesson: a private match whose moves are all fixed."""
        return bool(self.body.script)

    @property
    def is_alone(self) -> bool:
        """Whether this is a private match with a deal of its own: neither a lesson nor a deal that others have too."""
        return self.is_private and not self.is_lesson and not self.is_daily

    @property
    def is_daily(self) -> bool:
        """Whether the match is a person's try at a daily deal."""
        return self.body.opens is not None

    @property
    def starting(self) -> bool:
        """Whether seats and words are frozen, so that only the start message is missing."""
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

    def view_version(self, moves: int, seat: int | None = None) -> str:
        """The view version of a screen after this number of moves: a text that identifies the state.

        The number alone is not enough, because it occurs again after an undo. The decision of a `seat` stays the same
        while other players who decide at the same time take their answers back.
        """
        asked = None if seat is None else self.body.asked.get(seat)
        undone = self.body.undone if asked is None else asked.undone
        return f"{moves}.{undone}" if undone else str(moves)

    def seat_of(self, user_id: int) -> int | None:
        """The seat that this person holds now."""
        for number, seat in enumerate(self.body.seats):
            if seat.user_id == user_id:
                return number
        return None

    @property
    def free_seats(self) -> list[int]:
        """The seats that no person holds."""
        return [number for number, seat in enumerate(self.seats) if seat.user_id is None]

    def has_left(self, user_id: int) -> bool:
        """Whether this person left a seat that they may still come back to."""
        here = self.seat_of(user_id) is not None
        return not here and any(seat.left_by == user_id and seat.user_id is None for seat in self.body.seats)

    def expected(self) -> list[int]:
        """The people who were asked to join this lobby and have not joined."""
        if self.body.matched:
            return []
        return [user_id for user_id in self.body.guests if self.seat_of(user_id) is None]

    def awaited(self) -> list[int]:
        """The people who were asked to join this lobby and have not answered.

        No other person may take the seats that `join` keeps for them, but the host may give these to agents.
        """
        return [user_id for user_id in self.expected() if user_id not in self.body.declined]

    def matched(self) -> list[int]:
        """The people who were seated in this lobby because they waited for a match, and who still sit there."""
        return [
            user_id for user_id in self.body.guests if self.body.matched and self.seat_of(user_id) is not None
        ]

    def people(self) -> list[int]:
        """The seats that people hold, away or not."""
        return [number for number, seat in enumerate(self.body.seats) if seat.user_id is not None]

    @property
    def is_solo(self) -> bool:
        """Whether one person plays with agents alone."""
        return len(self.people()) == 1 and len(self.seats) > 1

    @property
    def hints(self) -> bool:
        """Whether people at this table may take hints: by default, where one person began, or would begin, alone."""
        if self.body.hints is not None:
            return self.body.hints
        return (self.body.sitters.count("person") if self.body.sitters else len(self.people())) == 1

    def next_person(self, number: int) -> int | None:
        """The first seat held by a person, counting from this number on and around the table; None if there is none."""
        people = self.people()
        return min(people, key=lambda seat: (seat < number, seat)) if people else None

    def draft(self) -> Table:
        """A copy that may be changed. It shares the state, which must be copied before a move is played."""
        return replace(self, body=self.body.copy())

    def row(self) -> TableRow:
        """The stored row of the table."""
        snapshot = self.snapshot()  # before the body, which holds its digest
        return TableRow(
            id=self.id,
            guild_id=self.guild_id,
            channel_id=self.channel_id,
            game=self.game.key,
            status=self.status,
            version=self.version,
            sequence=self.sequence,
            body=write_body(self.body),
            snapshot=snapshot,
            created_at=self.created_at,
            changed_at=self.changed_at,
            ended_at=self.ended_at,
            asleep=self.body.asleep is not None,
        )

    def snapshot(self) -> str | None:
        """The stored text of the state; None without a state."""
        if self.state is None:
            return None
        if self.kept is None or self.kept[0] is not self.state:
            text = to_json(self.game.dump(self.state)).decode()
            self.kept, self.body.digest = (self.state, text), digest_of(text)
        return self.kept[1]


def write_body(body: Body) -> str:
    """The stored text of a body."""
    return _BODY.dump_json(body, by_alias=True).decode()


def read_body(text: str) -> Body:
    """The body from which `write_body` made this text. Raises `BadData`, which does not quote the text."""
    try:
        body = _BODY.validate_json(text)
    except ValidationError as error:
        flaw = first_flaw(error)
        raise BadData(f"the table is damaged at {flaw.path or 'its whole'}: {flaw.code}") from None
    if body.form != FORM:
        raise UnknownVersion(f"the table has form {body.form}; this version reads form {FORM}")
    return body


def read_table(row: TableRow, game: AnyGame) -> Table:
    """The table of a row. Raises `BadData` if this version cannot read it."""
    body = read_body(row.body)
    state = read_snapshot(row.snapshot, game, body.digest) if row.snapshot is not None else None
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
        body=body,
        state=state,
        ended_at=row.ended_at,
        kept=(state, row.snapshot) if row.snapshot is not None else None,
    )


# -- snapshots: a stored one bears the digest of its text, which shows torn bytes, text from elsewhere and an edited row


def digest_of(text: str) -> str:
    """The SHA-256 of a snapshot's text, in hexadecimal: most processors compute it in hardware."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_snapshot(text: str, game: AnyGame, digest: str) -> Any:
    """The state that this text holds. An empty `digest`, an older version's, is not checked. Raises `BadData`."""
    if digest and digest != digest_of(text):
        raise BadData("the snapshot is damaged: it has another digest")
    try:
        data: Any = from_json(text)
    except ValueError:  # raised again below without the error's text, which quotes `text`
        data = None
    if not isinstance(data, dict):
        raise BadData("the snapshot is no JSON object")
    try:
        return game.load(cast("dict[str, Any]", data))
    except LookupError:  # a number without a digest points at a card or a seat that does not exist
        raise BadData("the snapshot is damaged: it names what does not exist") from None
