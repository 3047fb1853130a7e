"""The custom_id of a button or menu: table, intent, view version, and argument.

A custom_id is visible to everybody who can see the message.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

BESIDE: Final = "0"
"""The view version of buttons on a private message that are answered by another message, so that this one stays."""
PREFIX: Final = "ds"
LONGEST: Final = 100
ON: Final = "on"
"""The argument of a button that switches a choice on; `OFF`, of one that switches it off."""
OFF: Final = "off"
_NUMBER: Final = re.compile("0|[1-9][0-9]{0,18}")
_BEYOND: Final = 2**63
"""The least number that neither the store nor Discord can have."""

_VIEW_VERSION: Final = re.compile(r"((0|[1-9][0-9]{0,8})(\.[1-9][0-9]{0,8}|\.0)?)?")


class Id(NamedTuple):
    """The meaning of a component.

    `view_version` identifies the state from which the screen was drawn: for a move, the decision that the move answers
    and the number of moves that had been taken back by then (`bot.tables.play.view_version_of`); in a lobby, the number
    of taken seats. It is empty for presses that depend only on the present state.
    """

    intent: str
    table: int = 0
    view_version: str = ""
    arg: str = ""

    def __str__(self) -> str:
        text = f"{PREFIX}:{self.table}:{self.intent}:{self.view_version}:{self.arg}"
        assert len(text) <= LONGEST, text
        return text


def read_number(text: str) -> int | None:
    """The number in a part of a custom_id; None if the part is not in the form that the bot writes.

    >>> read_number("12"), read_number("012"), read_number("-1"), read_number("1_2"), read_number("")
    (12, None, None, None, None)
    """
    number = int(text) if _NUMBER.fullmatch(text) else _BEYOND
    return number if number < _BEYOND else None


def read_id(text: str) -> Id | None:
    """The meaning of a custom_id; None if the custom_id is malformed or not one of this bot's.

    >>> read_id(str(Id("hand", 7)))
    Id(intent='hand', table=7, view_version='', arg='')
    """
    parts = text.split(":", 4)
    if len(parts) != 5 or parts[0] != PREFIX:
        return None
    _, table, intent, view_version, arg = parts
    of_table = read_number(table)
    if of_table is None or not _VIEW_VERSION.fullmatch(view_version):
        return None
    return Id(intent, of_table, view_version, arg)
