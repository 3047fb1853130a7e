"""The room on a screen: lines that a message has room for, and rough heights of parts on a phone, in pixels."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final
from unicodedata import east_asian_width

from bot.ui.screens import components as ui
from bot.ui.screens.kit import FOLDED, LARGE, PICTURED, TEXT_ROOM, Item, Screen, line_height, utf16_length

COMPONENTS: Final = 40
"""The most components of a message."""


def has_room(screen: Screen, components: int = 1) -> bool:
    """Whether the screen may have so many more components, besides its frame."""
    return ui.count(screen.items) + components < COMPONENTS


def small_print(lines: Iterable[str]) -> list[str]:
    """These lines in small print, but for headings."""
    return [line if line.startswith(LARGE) else type(line)(f"-# {line}") for line in lines]


def that_fit(screen: Screen, lines: list[str]) -> list[str]:
    """The newest of these lines, as many as the message has room for in addition to the screen's other texts."""
    room = TEXT_ROOM - sum(map(utf16_length, ui.texts(screen.items)))
    for first in range(len(lines)):
        if utf16_length("\n".join(lines[first:])) <= room:
            return lines[first:]
    return []


PHONE: Final = 625
"""The height that a phone of 390 by 844 pixels shows of a channel, between its bars."""
FRAME: Final = 16
"""The inner margin above or below the items of a message's container."""
END: Final = 49
"""The dividing line at the end of a private screen, and a line of buttons: **Undo** or a link, **Hint** and **?**."""
NEWS_HEIGHT: Final = 82
"""The line about the turn, and three lines of news in small print."""
DECISION: Final = PHONE - NEWS_HEIGHT - END - FRAME
"""The height for one's picture and one's possible moves, which stand above the end of a private screen."""

MENU: Final = 54
"""A menu whose chosen option has an emoji, with the gap below it."""

_WIDE: Final = 265
"""The width of a message's items."""
_PADDING: Final = 24
"""The inner margins of a button, left and right together."""
_EMOJI: Final = 26
"""The width of a button's emoji, or of the sign of a link, with the gap before the label."""
_GAP: Final = 8
"""The gap between the buttons of a row."""
_BELOW: Final = 6
"""The gap below a row."""
_RULE: Final = 11
_LETTERS: Final = (7.1, 8.0, 17.0)
"""The width of a letter of a label: Latin, of other alphabets, and of an emoji."""


def height(items: Iterable[Item]) -> int:
    """The height of items without pictures, and without texts that a picture replaces or that stand behind **?**."""
    total = 0
    for item in items:
        if item["type"] == ui.ROW:
            total += row_height(item["components"]) + _BELOW
        elif item["type"] == ui.TEXT and item.get("id") not in (FOLDED, PICTURED):
            total += sum(map(line_height, item["content"].splitlines()))
        elif item["type"] == ui.SEPARATOR:
            total += _RULE
    return total


def picture_height(width: float, high: float) -> int:
    """The height of a picture of this size that is as wide as the message, with the gap below it."""
    return round(high * _WIDE / width) + _GAP


def row_height(controls: Sequence[Mapping[str, Any]]) -> int:
    """The height of a row: a menu, or buttons in as many lines as they take."""
    if controls[0]["type"] != ui.BUTTON:
        return MENU - _BELOW
    total, line, x = 0, 0, 0.0
    for control in controls:
        width = min(_WIDE, _width(control))
        if x and x + _GAP + width > _WIDE:
            total, line, x = total + line + _GAP, 0, 0.0
        x += width + (_GAP if x else 0)
        line = max(line, _button_height(control))
    return total + line


def _width(button: Mapping[str, Any]) -> float:
    signs = ("emoji" in button) + ("url" in button)
    return _PADDING + signs * _EMOJI + _letters(button["label"])


def _button_height(button: Mapping[str, Any]) -> int:
    room = _WIDE - _PADDING - _EMOJI * ("emoji" in button)
    lines = -(-_letters(button["label"]) // room)
    return max(32, round(20 * lines) + 4)


@lru_cache(maxsize=4096)
def _letters(label: str) -> float:
    """The width of a label's text, in pixels."""
    return sum(map(_letter, label))


def _letter(letter: str) -> float:
    """The width of a letter, in pixels."""
    latin, other, emoji = _LETTERS
    if east_asian_width(letter) in "WF":
        return emoji
    return latin if letter < "\u0370" else other
