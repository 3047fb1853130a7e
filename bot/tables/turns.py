"""What a match asks of its seats: the open decisions, upcoming decisions with premoves, and moves to take back."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(slots=True)
class UpcomingDecision:
    """A decision for which a seat is sure to be asked, so that it may make a premove; `kind` says which.

    `since` is the number of moves that had been made when that became sure. `at_once` means that it is called as if it
    were asked already; otherwise it is called when it is asked. `presses` are the ids of the presses that answered, so
    that none counts twice.
    """

    since: int
    kind: str
    at_once: bool = True
    presses: list[int] = field(default_factory=list[int], repr=False)

    def copy(self) -> UpcomingDecision:
        return UpcomingDecision(self.since, self.kind, self.at_once, self.presses.copy())


@dataclass(frozen=True, slots=True)
class Premove:
    """A move that is kept secretly until its seat is asked for a decision of this `kind`.

    `press` is the id of the press that gave it, and `part` counts the moves of one press, from 0.
    """

    kind: str
    move: dict[str, Any] = field(repr=False)
    press: int
    part: int = 0


@dataclass(frozen=True, slots=True)
class Unfit:
    """Why a premove could not be played once its seat was asked: the code and the facts of the refusal."""

    code: str
    facts: dict[str, Any] = field(default_factory=dict[str, Any], repr=False)


@dataclass(slots=True)
class Asked:
    """Since when a seat has been asked, until when it may answer, and whether an agent answers in its stead.

    Both times are in host time (`Draft.host_time`), which stands still while the host is down. `since` is the number of
    moves that had been made when it was asked; it distinguishes one turn from the next. `silent` means that the match
    has no limit and that the person has not reacted to the reminder either. `limit` is the longest limit, in seconds,
    of its decisions since then; 0 if there was none, or if an older version asked.

    `ahead` identifies what a screen was drawn from on which a premove for the present decision could be made; empty if
    none could. `unfit` is why a premove for the present decision could not be played. `undone` counts the moves
    that had been taken back in the match when the seat was asked, or when it last took back one of its own.
    """

    at: float
    deadline: float | None
    reminded: bool = False
    stand_in: bool = False
    since: int = 0
    silent: bool = False
    limit: float = 0.0
    ahead: str = ""
    unfit: Unfit | None = None
    undone: int = 0

    def heard(self, now: float) -> None:
        """Notes that the person has shown a sign of life. In a match without a limit, the wait for them begins anew."""
        if self.deadline is None:
            self.at = now
            self.silent = False

    def copy(self) -> Asked:
        return Asked(
            self.at,
            self.deadline,
            self.reminded,
            self.stand_in,
            self.since,
            self.silent,
            self.limit,
            self.ahead,
            self.unfit,
            self.undone,
        )


@dataclass(frozen=True, slots=True)
class Undo:
    """What is needed to take back a person's last move: a snapshot of the state before it, and who was asked then.

    `moves` counts the moves of that press, which are taken back together. After `until`, in host time, they cannot be
    taken back any more, so that nobody gains time for ever by moving and taking back. None means that there is no such
    time. `moved` and `since` are the seat's from before them.
    """

    seat: int
    snapshot: str = field(repr=False)
    asked: dict[int, Asked]
    until: float | None = None
    moves: int = 1
    moved: int = 0
    since: int = 0
