"""The meaning of the values of options and the arguments of buttons: cards, and numbers. Neither can be trusted."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.ui.screens.game_screens import Pressed
from engine.archaeology_family.card_list import Bundles
from engine.archaeology_family.state import View
from engine.errors import IllegalMove

NOTHING: Final = "none"
"""The value that stands for no cards."""


def first(pressed: Pressed) -> str:
    """The choice in a menu that allows only one; empty if there is none."""
    return next(iter(pressed.chosen), "")


def written(cards: Bundles) -> str:
    """The value that stands for these cards.

    >>> written(((1, 2), (3, 1)))
    '1x2,3x1'
    """
    return ",".join(f"{kind}x{n}" for kind, n in cards) or NOTHING


def read_cards(view: View, values: Sequence[str]) -> Bundles:
    """The cards that values stand for, together. Raises `IllegalMove` for values that this match does not have."""
    counts: dict[int, int] = {}
    for value in values:
        for part in value.split(",") if value != NOTHING else ():
            kind, n = read_bundle(part)
            if kind >= len(view.trade) or not n:
                raise IllegalMove("malformed-cards")
            counts[kind] = counts.get(kind, 0) + n
    return tuple(sorted(counts.items()))


def read_bundle(value: str) -> tuple[int, int]:
    """A treasure and a number of its cards. Raises `IllegalMove`."""
    kind, _x, rest = value.partition("x")
    return read_number(kind), read_number(rest.partition(".")[0])


def read_number(text: str) -> int:
    """The number from a menu or a button. Raises `IllegalMove` if the text is not a number from 0 to 99."""
    if not (text.isascii() and text.isdigit() and len(text) <= 2):
        raise IllegalMove("malformed-cards")
    return int(text)
