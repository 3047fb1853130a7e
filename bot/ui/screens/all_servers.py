"""The list across servers: the rated people of a game who have said yes to it, best first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from bot.language import gettext as _
from bot.language import ngettext
from bot.store.model import ListedStanding
from bot.ui.screens import components as ui
from bot.ui.screens.components import SUCCESS
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import OFF, ON, Id
from bot.ui.screens.kit import CALM, Option, Screen, button, escape, menus, pager
from bot.ui.screens.leaderboard import ABOUT, ALL, LEADERBOARD, PAGE, marks_of, page_lines

ALL_MENU: Final = "leaderboard-all-game"
ASK_LISTING: Final = "ask-listing"
LISTING: Final = "listing"
"""The intent of the buttons that put a person into the list or take the person out. The argument is `ON` or `OFF`."""


@dataclass(frozen=True, slots=True)
class AllBoard:
    """A page of the list. `season` is that of the viewer's server, `listed` whether the viewer stands in the list."""

    game: str
    season: int
    listed: bool
    standings: Sequence[ListedStanding]
    page: int = 0

    @property
    def pages(self) -> int:
        return max(1, -(-len(self.standings) // PAGE))


def all_servers(board: AllBoard, games: Mapping[str, AnyScreens], viewer: int) -> Screen:
    """A page of the list, as one person sees it. It names no servers."""
    people = ngettext("{n} person", "{n} people", len(board.standings)).format(n=len(board.standings))
    screen = Screen(colour=CALM).text(
        _("## All Servers · {game}").format(game=games[board.game].title()),
        f"-# {people} · " + _("only people who have joined"),
    )
    if board.standings:
        named = [(f"**{escape(each.name)}**", each.standing) for each in board.standings]
        screen.text(*page_lines(named, board.page, viewer))
        if marks := marks_of([each.standing for each in board.standings]):
            screen.text(*marks)
    elif board.listed:
        screen.text(_("You have joined, and appear here after your first rated match of this game."))
    else:
        screen.text(_("No one is in this list yet."))
    options = [Option(screens.title(), f"{key}.0") for key, screens in games.items()]
    screen.add(menus(Id(ALL_MENU), _("Game"), options, chosen=[f"{board.game}.0"]))
    return screen.buttons(
        *pager(Id(ALL), f"{board.game}.", board.page, board.pages),
        button(_("This Server"), Id(LEADERBOARD, arg=f"{board.game}.{board.season}.0")),
        button(_("How Ratings Work"), Id(ABOUT)),
        listing_button(listed=board.listed),
    )


def listing_button(*, listed: bool) -> ui.Button:
    """The button that takes the viewer out of the list, or asks whether to put the viewer into it."""
    if listed:
        return button(_("Leave All Servers"), Id(LISTING, arg=OFF), emoji="🌍")
    return button(_("Join All Servers"), Id(ASK_LISTING), emoji="🌍")


def ask_listing(name: str) -> Screen:
    """The question before a person is put into the list under this name."""
    screen = Screen(colour=CALM).text(
        _("### Join All Servers?"),
        _(
            "You would be in the list of all servers as **{name}**, with your rating and your victories in each "
            "game, from the server where you have the most rated matches this season. Everyone on every server "
            "where I am can see the list. It does not say on which servers you play."
        ).format(name=escape(name)),
        "-# " + _("You can leave it at any time, here or in `/profile`."),
    )
    return screen.buttons(button(_("Yes, Add Me"), Id(LISTING, arg=ON), SUCCESS))
