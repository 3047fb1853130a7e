"""What can be wrong with what is asked of the engine: one exception a kind of failure, facts instead of words."""

from __future__ import annotations


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
    """Data that are not of the form they should have: a move, options, a snapshot, a record, a card table.

    The text says what is wrong without repeating hidden values; `where` is the path of keys to the fault.
    """

    def __init__(self, message: str, where: tuple[str | int, ...] = ()) -> None:
        super().__init__(message)
        self.where = where


class UnknownVersion(BadData):
    """A snapshot or record of a version that this engine neither reads nor upgrades."""
