"""The state of turns: open decisions, upcoming decisions with premoves, and moves that can be taken back.

`copied` copies such parts of a table for each change of it.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, fields
from functools import cache
from operator import attrgetter
from typing import Annotated, Any, TypeVar

from pydantic import Field

T = TypeVar("T")


def copied(part: T) -> T:
    """A copy of a dataclass whose lists and dicts may be changed; what these hold is shared."""
    values_of, changing = _fields_of(type(part))
    copy = type(part)(*values_of(part))
    for name in changing:
        value = getattr(part, name)
        if value is not None:
            setattr(copy, name, value.copy())
    return copy


@cache
def _fields_of(kind: Any) -> tuple[Callable[[Any], tuple[Any, ...]], list[str]]:
    """A function that reads all fields, quicker than `replace`, and the names of the fields with lists or dicts."""
    names = [each.name for each in fields(kind)]
    changing = [each.name for each in fields(kind) if str(each.type).startswith(("list[", "dict["))]
    return attrgetter(*names), changing


@dataclass(slots=True)
class UpcomingDecision:
    """A decision of this `kind` for which a seat is sure to be asked, so that the seat may make a premove.

    `since` is the number of moves that had been made when the decision became sure. `at_once` means that the seat is
    called as if it were asked already; otherwise the seat is called when it is asked. `presses` are the ids of the
    presses that made premoves, so that none counts twice.
    """

    since: int
    kind: str
    at_once: bool = True
    presses: list[int] = field(default_factory=list[int], repr=False)


@dataclass(frozen=True, slots=True)
class Premove:
    """A move that is stored secretly until its seat is asked for a decision of this `kind`.

    `press` is the id of the press that made the premove, and `part` counts the moves of one press, from 0.
    """

    kind: str
    move: dict[str, Any] = field(repr=False)
    press: int
    part: int = 0


@dataclass(frozen=True, slots=True)
class Unfit:
    """The reason why a premove could not be played once its seat was asked: code and facts of the refusal."""

    code: str
    facts: dict[str, Any] = field(default_factory=dict[str, Any], repr=False)


@dataclass(slots=True)
class OpenDecision:
    """An open decision of a seat: its time `at`, its `deadline`, and whether an agent answers (`substitute`).

    Both times are in host time (`Draft.host_time`), which stands still while the host is down. `since` is the number of
    moves that had been made when the seat was asked; it distinguishes one turn from the next. `silent` means that the
    match has no limit and that the person has not reacted to the reminder either. `limit` is the longest limit, in
    seconds, of the seat's decisions since `at`; 0 if there was none, or if an older version asked.

    `ahead` is the view version of a screen that offered a premove for the present decision; empty if none did. `unfit`
    is the reason why a premove for the present decision could not be played. `undone` counts the moves that had been
    taken back in the match when the seat was asked, or when it last took back one of its own. `held` is the moment, in
    host time, from which the match waits until the person is back from holiday; no time runs meanwhile.
    """

    at: float
    deadline: float | None
    reminded: bool = False
    substitute: Annotated[bool, Field(alias="stand_in")] = False
    since: int = 0
    silent: bool = False
    limit: float = 0.0
    ahead: str = ""
    unfit: Unfit | None = None
    undone: int = 0
    held: float | None = None

    def restart_wait(self, now: float) -> None:
        """Begins the wait for the person anew, in a match without a limit, because the person has reacted."""
        if self.deadline is None:
            self.at = now
            self.silent = False


@dataclass(frozen=True, slots=True)
class Undo:
    """The data for taking back a person's last press: a snapshot of the state before, and the open decisions then.

    `moves` counts the moves of the press, which are taken back together. They can be taken back until `until`, in host
    time, so that nobody gains time for ever by moving and taking back. None means that there is no such time. `moved`
    and `since` are those of the `Seat` before the press. `digest` is that of the snapshot; empty at a match of an older
    version.
    """

    seat: int
    snapshot: str = field(repr=False)
    asked: dict[int, OpenDecision]
    until: float | None = None
    moves: int = 1
    moved: int = 0
    since: int = 0
    digest: str = ""
