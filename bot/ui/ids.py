"""What a button or menu carries: table, intent, decision and an argument, as its custom_id.

Nothing in it is hidden from anybody who can see the message.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

PREFIX: Final = "ds"
LONGEST: Final = 100
_NUMBER: Final = re.compile("0|[1-9][0-9]{0,18}")
_BEYOND: Final = 2**63
"""What neither the store nor Discord takes for a number any more."""


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


def read_number(text: str) -> int | None:
    """The number that a part of a custom_id is; None for what was never written there as one.

    >>> read_number("12"), read_number("012"), read_number("-1"), read_number("1_2"), read_number("")
    (12, None, None, None, None)
    """
    number = int(text) if _NUMBER.fullmatch(text) else _BEYOND
    return number if number < _BEYOND else None


def read_id(text: str) -> Id | None:
    """The meaning of a custom_id; None for one that is not ours or is malformed.

    >>> read_id(str(Id("hand", 7)))
    Id(intent='hand', table=7, decision=None, arg='')
    """
    parts = text.split(":", 4)
    if len(parts) != 5 or parts[0] != PREFIX:
        return None
    _, table, intent, decision, arg = parts
    of_table, of_decision = read_number(table), read_number(decision)
    if of_table is None or (decision and of_decision is None):
        return None
    return Id(intent, of_table, of_decision, arg)
