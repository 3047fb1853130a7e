"""`digsite replay`: verifies a record, and makes a page that replays the match."""

from __future__ import annotations

import argparse
import sys
from dataclasses import dataclass
from pathlib import Path

from bot.cli.cogs import LoadCogs
from bot.cli.verify import (
    FAULTY,
    SOUND,
    UNREAD,
    MakeScreens,
    Unreadable,
    read_file,
    show,
    visible,
    word_verdict,
)
from bot.replay.page import NothingToShow, make_page
from bot.settings import Settings
from engine.errors import IllegalMove
from engine.record import verify
from engine.registry import load_games


def command(settings: Settings, chosen: argparse.Namespace, load_cogs: LoadCogs) -> int:
    """Makes the page. Returns the exit status, as `verify` does."""
    file: Path = chosen.file
    page: Path = chosen.output or file.with_suffix(".html")
    try:
        status, text = replay_file(
            file,
            Page(page, chosen.language, overwrite=chosen.force),
            settings.card_lists,
            lambda games: load_cogs().make_screens(games),
        )
    except Unreadable as error:
        print(error, file=sys.stderr)
        return UNREAD
    show(text)
    return status


@dataclass(frozen=True, slots=True)
class Page:
    """The page to make: its file and language, and whether it replaces an existing file."""

    file: Path
    language: str
    overwrite: bool = False


def replay_file(
    file: Path, page: Page, card_lists: Path | None, make_screens: MakeScreens
) -> tuple[int, str]:
    """Makes the page of a record. Returns the exit status and the text to show.

    The status is that of `bot.cli.verify`, and `UNREAD` if no page was made. Raises `Unreadable`, and `BadData` for
    invalid card lists.
    """
    games = load_games(card_lists)
    verdict = verify(read_file(file), games)
    screens = make_screens(games)

    def refuse(error: IllegalMove) -> str:
        assert verdict.record, "a move was refused"
        return screens[verdict.record.game].refuse(error)

    found = word_verdict(verdict, refuse)
    try:
        text = make_page(verdict, found, games, screens, page.language)
    except NothingToShow:
        none = "No page was made: the match cannot be played again here, not even from its set-up."
        return (UNREAD if verdict.unread else FAULTY), f"{found}\n\n{none}"
    if (why := _write(text, page, file)) is not None:
        return UNREAD, f"{found}\n\n{visible(str(page.file))} was not written: {why}."
    shown = f"{visible(str(page.file))} shows the match: open it in a browser. It needs no network."
    return (SOUND if verdict.sound else FAULTY), f"{found}\n\n{shown}"


def _write(text: str, page: Page, record: Path) -> str | None:
    """Writes the page. Returns the reason if that failed."""
    try:
        if page.file.exists() and page.file.samefile(record):
            return "it is the record itself"
        with page.file.open("w" if page.overwrite else "x", encoding="utf-8") as file:
            file.write(text)
    except FileExistsError:
        return "there is such a file already, which was left as it is. Name another one, or add --force"
    except (OSError, ValueError) as error:  # ValueError: a name with a zero byte
        why = error.strerror if isinstance(error, OSError) else None
        return visible(why or "there can be no such file")
    return None
