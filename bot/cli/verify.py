"""`digsite verify`: verifies the file of a record."""

from __future__ import annotations

import argparse
import stat
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Final

from bot.cli.cogs import LoadCogs
from bot.cli.verdict_text import show, visible, word_verdict
from bot.settings import Settings
from engine.errors import IllegalMove
from engine.game import AnyGame
from engine.record import LARGEST, verify
from engine.registry import load_games

if TYPE_CHECKING:
    from bot.ui.screens.game_screens import AnyScreens

SOUND: Final = 0
FAULTY: Final = 1
"""The record has a fault, or the match is unfinished."""
UNREAD: Final = 2
"""The record could not be verified: no file, no record, or an unknown game, version, scheme or card list."""

MakeScreens = Callable[[Mapping[str, AnyGame]], Mapping[str, "AnyScreens"]]
"""Makes the screens of all games, by the game's key."""


def command(settings: Settings, chosen: argparse.Namespace, load_cogs: LoadCogs) -> int:
    """Verifies a record. Returns `SOUND`, `FAULTY` or `UNREAD`."""
    try:
        status, text = verify_file(
            chosen.file, settings.card_lists, lambda games: load_cogs().make_screens(games)
        )
    except Unreadable as error:
        print(error, file=sys.stderr)
        return UNREAD
    show(text)
    return status


class Unreadable(Exception):
    """The file cannot be read. The text gives the reason and is safe to print."""


def read_file(file: Path) -> bytes:
    """The bytes of a regular file, at most one more than a record may have. Raises `Unreadable`."""
    try:
        mode = file.stat().st_mode
        if stat.S_ISDIR(mode):
            raise Unreadable(f"{visible(str(file))} is a folder.")
        if not stat.S_ISREG(mode):  # a pipe or a device may have no end
            raise Unreadable(f"{visible(str(file))} is not an ordinary file.")
        with file.open("rb") as opened:
            return opened.read(LARGEST + 1)
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
        why = error.strerror if isinstance(error, OSError) and error.strerror else "there can be no such file"
        raise Unreadable(f"{visible(str(file))} cannot be read: {visible(why)}.") from None


def verify_file(file: Path, card_lists: Path | None, make_screens: MakeScreens) -> tuple[int, str]:
    """Verifies the file of a record. Returns the exit status and the text to show.

    Raises `Unreadable`, and `BadData` for invalid card lists.
    """
    games = load_games(card_lists)
    verdict = verify(read_file(file), games)

    def refuse(error: IllegalMove) -> str:
        assert verdict.record, "a move was refused"
        key = verdict.record.game
        return make_screens(games)[key].refuse(error)

    text = word_verdict(verdict, refuse)
    if verdict.sound:
        return SOUND, text
    return (UNREAD if verdict.unread else FAULTY), text
