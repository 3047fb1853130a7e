"""The view in which the picture of a table marks a seat whose turn has just ended."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, Protocol, TypeVar, cast

from engine.game import Decision, Outcome


class _View(Protocol):
    """The view of a game in which seats take turns: a dataclass."""

    @property
    def active(self) -> int: ...
    @property
    def moves(self) -> int: ...
    @property
    def outcome(self) -> Outcome | None: ...


V = TypeVar("V", bound=_View)


def marked(view: V, seat: int) -> V:
    """The view as if it were this seat's turn; the same view after the end, or if it is the seat's turn."""
    if view.outcome is not None or view.active == seat:
        return view
    whole = cast("Any", view)
    return cast("V", replace(whole, active=seat, pending=(Decision(view.moves, seat, ""),)))
