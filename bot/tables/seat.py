"""A seat of a table, and its earlier holders."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class Seat:
    """A place at the table.

    A person (`user_id`) or an agent (`agent` is its level) sits there. After the end of a match the seat may have
    neither, if the person who played to the end has had their data deleted. `left_by` is the person who left the seat
    to the agent and may come back. `away` means that the person has missed two decisions in a row, and that an agent
    plays for them until they are back. `word` is their lucky word, which enters the match's key.

    `moved` is the number of moves in the match after the last move that the person made themselves. `since` is the
    value of `moved` before their present turn began; later moves are news to them (`bot.ui.screens.chronicle`).

    `holiday` is the end of the person's holiday, in seconds since 1970; the person is `away` until then. `agreed` are
    the seats whose people agree that the match waits for the person.

    `hinted` are the ids of the decisions for which a person in this seat took a hint, and `followed` those for which
    they then made the hinted move; `unfollowed` has the hinted moves, as they are stored, by the number of the move
    that they made instead. `advised` is the newest hint: the decision, and the move; `reason` is
    its reason, as reviews store one.
    """

    name: str
    user_id: int | None = None
    agent: str | None = None
    left_by: int | None = None
    away: bool = False
    missed: int = 0
    word: str = field(default="", repr=False)
    moved: int = 0
    since: int = 0
    holiday: int | None = None
    agreed: list[int] = field(default_factory=list[int])
    hinted: list[int] = field(default_factory=list[int])
    followed: list[int] = field(default_factory=list[int])
    unfollowed: dict[int, str] = field(default_factory=dict[int, str], repr=False)
    advised: tuple[int, str] | None = field(default=None, repr=False)
    reason: str = field(default="", repr=False)

    def is_here(self) -> None:
        """Records that the person plays this seat themselves."""
        self.away, self.missed = False, 0
        self.holiday, self.agreed = None, []

    def forget_hints(self) -> None:
        """Forgets the hints of the person who had the seat."""
        self.hinted, self.followed, self.unfollowed, self.advised, self.reason = [], [], {}, None, ""

    @property
    def kind(self) -> str:
        """The kind of player, as a record names it: "person" or "agent:LEVEL"."""
        return "person" if self.user_id is not None else f"agent:{self.agent}"

    @property
    def present(self) -> bool:
        """Whether a person plays this seat themselves."""
        return self.user_id is not None and not self.away


@dataclass(frozen=True, slots=True)
class Earlier:
    """The holder of a seat, or the person who had left it to an agent, before another person took over the seat.

    `user_id` is None for an agent. The log names people as they were called at the time, and its line about the
    takeover has the index of this entry.
    """

    seat: int
    name: str
    user_id: int | None
