"""The engine's refusals: one exception for each kind of failure, with facts from which screens make sentences."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from pydantic import ValidationError


class EngineError(Exception):
    """Anything the engine refuses."""


class IllegalMove(EngineError):
    """A move that the rules forbid now. Nothing was changed.

    `code` names the reason and `facts` hold its numbers; the screens word them in the player's language.
    The facts hold nothing that the mover may not know.
    """

    def __init__(self, code: str, **facts: object) -> None:
        super().__init__(code)
        self.code = code
        self.facts = facts


class NotYourMove(IllegalMove):
    """No decision waits for this seat."""

    def __init__(self) -> None:
        super().__init__("not-your-move")


class BadData(EngineError):
    """Data that are not of the form they should have: a move, options, a snapshot, a record, a card list.

    The text says what is wrong without repeating hidden values; `where` is the path of keys to the fault.
    """

    def __init__(self, message: str, where: tuple[str | int, ...] = ()) -> None:
        super().__init__(message)
        self.where = where


class UnknownVersion(BadData):
    """A snapshot or record of a version that this engine neither reads nor upgrades."""


class Flaw(NamedTuple):
    """The first thing that pydantic found wrong: where, as a path of keys and as text, and what."""

    where: tuple[str | int, ...]
    path: str
    code: str
    text: str


def first_flaw(error: ValidationError) -> Flaw:
    """The first thing that is wrong with some data, told without the data.

    The keys of the path may be anybody's words, so the path is cut to a length and written in ASCII.
    """
    first = error.errors(include_url=False, include_input=False)[0]
    where = tuple(first["loc"])
    path = ".".join(str(part) for part in where).encode("unicode_escape").decode()
    return Flaw(where, path[:80], first["type"], first["msg"])
