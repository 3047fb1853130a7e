"""What a button or menu carries: table, intent, what it was drawn from and an argument, as its custom_id.

Nothing in it is hidden from anybody who can see the message.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

PREFIX: Final = "ds"
LONGEST: Final = 100

_DRAWN: Final = re.compile(r"([0-9]{1,9}(\.[0-9]{1,9})?)?")


class Id(NamedTuple):
    """A component's meaning.

    `drawn` tells what the screen was drawn from: for a move, the decision that it answers and how much had been taken
    back by then (`bot.tables.play.drawn_from`); in a lobby, how many sat there. It is empty for what is judged by what
    holds now.
    """

    intent: str
    table: int = 0
    drawn: str = ""
    arg: str = ""

    def __str__(self) -> str:
        text = f"{PREFIX}:{self.table}:{self.intent}:{self.drawn}:{self.arg}"
        assert len(text) <= LONGEST, text
        return text


def read_id(text: str) -> Id | None:
    """The meaning of a custom_id; None for one that is not ours or is malformed.

    >>> read_id(str(Id("hand", 7)))
    Id(intent='hand', table=7, drawn='', arg='')
    """
    parts = text.split(":", 4)
    if len(parts) != 5 or parts[0] != PREFIX:
        return None
    _, table, intent, drawn, arg = parts
    if not _DRAWN.fullmatch(drawn):
        return None
    try:
        return Id(intent, int(table), drawn, arg)
    except ValueError:
        return None
