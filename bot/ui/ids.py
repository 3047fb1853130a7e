"""What a button or menu carries: table, intent, decision and an argument, as its custom_id.

Nothing in it is hidden from anybody who can see the message.
"""

from __future__ import annotations

from typing import Final, NamedTuple

PREFIX: Final = "ds"
LONGEST: Final = 100


class Id(NamedTuple):
    """A component's meaning. `decision` is the one that a move answers; None for what is judged by what holds now.

    In a lobby it is how many sat there when the component was drawn.
    """

    intent: str
    table: int = 0
    decision: int | None = None
    arg: str = ""

    def __str__(self) -> str:
        decision = "" if self.decision is None else self.decision
        text = f"{PREFIX}:{self.table}:{self.intent}:{decision}:{self.arg}"
        assert len(text) <= LONGEST, text
        return text


def read_id(text: str) -> Id | None:
    """The meaning of a custom_id; None for one that is not ours or is malformed.

    >>> read_id(str(Id("hand", 7)))
    Id(intent='hand', table=7, decision=None, arg='')
    """
    parts = text.split(":", 4)
    if len(parts) != 5 or parts[0] != PREFIX:
        return None
    _, table, intent, decision, arg = parts
    try:
        return Id(intent, int(table), int(decision) if decision else None, arg)
    except ValueError:
        return None
