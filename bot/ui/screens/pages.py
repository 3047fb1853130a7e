"""Pages for one person: a sheet of the game, the log, the rules."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.language import gettext as _
from bot.language import pgettext
from bot.store.model import LogRow
from bot.tables.model import Table
from bot.ui.screens.chronicle import log_lines
from bot.ui.screens.credits import rules_and_credits
from bot.ui.screens.game_screens import AnyScreens, Page, Pressed
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import CALM, Screen, button, utf16_length
from bot.ui.screens.lessons import offer
from bot.ui.screens.names import Names

RULES_OF: Final = "rules."
"""The beginning of the intents that turn the pages of rules outside a match. The game's key follows."""
LOG_PAGE: Final = 20
LOG_TEXT: Final = 3600
"""The most lines and the most characters on a page of the log."""


def sheet(table: Table, screens: AnyScreens, pressed: Pressed) -> Screen:
    """The sheet that a press opens, drawn from a spectator's view."""
    view = table.game.view(table.state, None)
    screen = Screen(colour=screens.colour)
    return screen.add(screens.sheet(view, Names(table.seats), pressed, Id("", table.id)))


def log_page(
    table: Table, screens: AnyScreens, log: Sequence[LogRow], viewer: int | None, page: int | None
) -> Screen:
    """A page of the whole log; the last page if `page` is None."""
    # The numbers are escaped, because some clients would number a Markdown list from 1 on each page.
    lines = [f"{number}\\. {line}" for number, line in enumerate(log_lines(table, screens, log, viewer), 1)]
    pages = _pages(lines or [_("Nothing yet.")])
    page = len(pages) - 1 if page is None else min(max(page, 0), len(pages) - 1)
    screen = Screen(colour=CALM)
    screen.text(_("### The match so far · {page} of {pages}").format(page=page + 1, pages=len(pages)))
    screen.text(*pages[page])
    return _pager(screen, Id("log", table.id), page, len(pages))


def _pages(lines: Sequence[str]) -> list[list[str]]:
    """The lines by pages of at most `LOG_PAGE` lines and `LOG_TEXT` characters.

    The last page is full too: it has the newest lines, some of which the page before may have as well.
    """
    pages: list[list[str]] = []
    begun = 0
    while begun < len(lines):
        pages.append(_filled(lines[begun:]))
        begun += len(pages[-1])
    return [*pages[:-1], _filled(lines[::-1])[::-1]]


def _filled(lines: Sequence[str]) -> list[str]:
    """The first lines that fit a page, and at least one."""
    page: list[str] = []
    room = LOG_TEXT
    for line in lines[:LOG_PAGE]:
        room -= utf16_length(line) + 1
        if room < 0 and page:
            break
        page.append(line)
    return page


def rules_page(screens: AnyScreens, table: Table | None, number: int) -> tuple[Screen, Page]:
    """A page of the rules, without its picture. In a match, the game's reference page comes first."""
    pages = rules_and_credits(screens, in_match=table is not None and table.state is not None)
    number = min(max(number, 0), len(pages) - 1)
    page, screen = pages[number], Screen(colour=screens.colour)
    screen.text(f"### {page.title} · {number + 1}/{len(pages)}").text(page.text)
    to = Id("rules", table.id) if table else Id(f"{RULES_OF}{screens.game}")
    screen = _pager(screen, to, number, len(pages))
    return screen.buttons(*offer(screens.lesson(), Id("", arg=screens.game))), page


def _pager(screen: Screen, to: Id, page: int, pages: int) -> Screen:
    if pages > 1:
        screen.buttons(
            button(
                pgettext("button: the page before", "Back"),
                to._replace(intent=f"{to.intent}-page", arg=f"{page - 1}"),
                disabled=page == 0,
            ),
            button(
                pgettext("button: the page after", "Next"),
                to._replace(intent=f"{to.intent}-page", arg=f"{page + 1}"),
                disabled=page == pages - 1,
            ),
        )
    return screen
