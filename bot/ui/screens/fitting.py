"""Lines in small print, and the choice of lines for which a message has room."""

from __future__ import annotations

from collections.abc import Iterable

from bot.ui.screens import components as ui
from bot.ui.screens.kit import TEXT_ROOM, Screen, utf16_length


def small_print(lines: Iterable[str]) -> list[str]:
    return [f"-# {line}" for line in lines]


def that_fit(screen: Screen, lines: list[str]) -> list[str]:
    """The newest of these lines, as many as the message has room for in addition to the screen's other texts."""
    room = TEXT_ROOM - sum(map(utf16_length, ui.texts(screen.items)))
    for first in range(len(lines)):
        if utf16_length("\n".join(lines[first:])) <= room:
            return lines[first:]
    return []
