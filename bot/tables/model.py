"""A table as the host works with it. What is in `Body` is kept as JSON; `state` is the game's own.

A `Table` that others can see never changes: acts change a draft of it, and the draft takes its place once durable.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal

from pydantic import TypeAdapter

from bot.store.base import TableRow
from engine.fairness import Contribution
from engine.game import AnyGame

Status = Literal["lobby", "playing", "paused", "over", "abandoned"]

MINUTE: Final = 60
HOUR: Final = 60 * MINUTE
DAY: Final = 24 * HOUR

LIMITS: Final[dict[str, int | None]] = {
    "none": None,
    "5m": 5 * MINUTE,
    "15m": 15 * MINUTE,
    "1h": HOUR,
    "12h": 12 * HOUR,
    "24h": DAY,
}
"""The turn limits a host may choose, in seconds."""

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
    word: str = ""

    @property
    def present(self) -> bool:
        """Whether a person plays this seat themselves."""
        return self.user_id is not None and not self.away


@dataclass(slots=True)
class Asked:
    """Since when a seat has been asked, until when it may answer, and whether an agent answers in its stead.

    Both times are host time (`Draft.host_time`), which stands still while the host is down.
    """

    at: float
    deadline: float | None
    reminded: bool = False
    stand_in: bool = False


@dataclass(slots=True)
class Messages:
    """The ids of the table's messages in its channel. `notice` announces whose move it is, to `notice_seat`."""

    lobby: int | None = None
    board: int | None = None
    notice: int | None = None
    notice_seat: int | None = None
    notice_reminds: bool = False
    result: int | None = None


@dataclass(slots=True)
class Body:
    """All of a table that only the host reads."""

    host: int
    host_seed: str
    seats: list[Seat] = field(default_factory=list[Seat])
    limit: int | None = DAY
    options: dict[str, Any] = field(default_factory=dict[str, Any])
    locale: str = "en"
    contributions: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    asked: dict[int, Asked] = field(default_factory=dict[int, Asked])
    messages: Messages = field(default_factory=Messages)
    end_votes: list[int] = field(default_factory=list[int])
    ending: str = ""
    form: int = 1


_BODY: Final = TypeAdapter(Body)


@dataclass(slots=True)
class Table:
    """A match in a channel. `sequence` counts its moves, `version` the writes of its row."""

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

    def __repr__(self) -> str:
        return f"<Table {self.id} {self.game.key} {self.status} moves={self.sequence}>"

    @property
    def live(self) -> bool:
        return self.status in ("lobby", "playing", "paused")

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

    def draft(self) -> Table:
        """A copy to be changed; its state still is the same one, to be copied by who plays a move."""
        body = self.body
        return replace(
            self,
            body=replace(
                body,
                seats=[replace(seat) for seat in body.seats],
                asked={seat: replace(asked) for seat, asked in body.asked.items()},
                messages=replace(body.messages),
                end_votes=body.end_votes.copy(),
                contributions=body.contributions.copy(),
            ),
        )

    def row(self) -> TableRow:
        """The table as it is kept."""
        snapshot = None
        if self.state is not None:
            snapshot = json.dumps(self.game.dump(self.state), separators=(",", ":"))
        return TableRow(
            id=self.id,
            guild_id=self.guild_id,
            channel_id=self.channel_id,
            game=self.game.key,
            status=self.status,
            version=self.version,
            sequence=self.sequence,
            body=_BODY.dump_json(self.body).decode(),
            snapshot=snapshot,
            created_at=self.created_at,
            changed_at=self.changed_at,
            ended_at=self.ended_at,
        )


def read_table(row: TableRow, game: AnyGame) -> Table:
    """A table from its row. Raises `engine.errors.BadData` for a snapshot this version cannot read."""
    status: Any = row.status
    return Table(
        id=row.id,
        guild_id=row.guild_id,
        channel_id=row.channel_id,
        game=game,
        status=status,
        version=row.version,
        sequence=row.sequence,
        created_at=row.created_at,
        changed_at=row.changed_at,
        body=_BODY.validate_json(row.body),
        state=game.load(json.loads(row.snapshot)) if row.snapshot else None,
        ended_at=row.ended_at,
    )
