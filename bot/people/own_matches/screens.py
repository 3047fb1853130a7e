"""The list of a person's matches and of the lobbies that ask for them: how each stands, and a way to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from bot.language import gettext as _
from bot.language import listing, ngettext, pgettext
from bot.tables.deadlines import waited_for
from bot.tables.model import Table
from bot.tables.own_tables import ListedTable
from bot.ui.screens import components as ui
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import CALM, Screen, button, link, pager, table_url
from bot.ui.screens.names import Names
from bot.ui.screens.words import moment

MATCHES: Final = "own-matches"
"""The intent of the buttons that draw the list anew. The argument is the page."""
OPEN: Final = "open-own"
"""The intent of the button that opens the private screen of a match."""
PAGE: Final = 8


class Shown(NamedTuple):
    """When and where a list is shown: the time now, as people are shown it, and whether on a server.

    `later` are the seconds by which stored times are shown later.
    """

    now: float
    later: float
    in_server: bool


def own_matches(
    found: Sequence[ListedTable], games: Mapping[str, AnyScreens], shown: Shown, page: int
) -> Screen:
    """A page of the list, in the order of `found`."""
    screen = Screen(colour=CALM)
    pages = max(1, -(-len(found) // PAGE))
    page = min(page, pages - 1)
    screen.text(*filter(None, (_("## Your matches"), _heading(found))))
    if not found:
        screen.text(
            _("You're not at any table. `/games list` shows the games."),
            _("`/play` finds someone on a server to play with."),
        )
    for one in found[page * PAGE : (page + 1) * PAGE]:
        screens = games[one.table.game.key]
        text = ui.text("\n".join(_lines(one, screens, shown)))
        screen.items.append(ui.section(text, _way(one, screens, in_server=shown.in_server)))
    to = Id(MATCHES)
    return screen.buttons(
        *pager(to, "", page, pages),
        button(
            pgettext("button: draw it again", "Refresh"),
            Id(MATCHES, view_version="0", arg=str(page)),
        ),
    )


def _heading(found: Sequence[ListedTable]) -> str:
    """The line that counts the matches, those that wait for the person, and the invitations; empty if there is none."""
    seated, waiting = sum(not one.asks for one in found), sum(one.waits for one in found)
    parts: list[str] = []
    if seated:
        turns = (
            ngettext("{n} waits for you", "{n} wait for you", waiting) if waiting else _("none waits for you")
        )
        parts += [ngettext("{n} match", "{n} matches", seated).format(n=seated), turns.format(n=waiting)]
    if asking := len(found) - seated:
        text = ngettext(
            "{n} invitation waits for your answer", "{n} invitations wait for your answer", asking
        )
        parts.append(text.format(n=asking))
    return f"-# {' · '.join(parts)}" if parts else ""


def _lines(one: ListedTable, screens: AnyScreens, shown: Shown) -> list[str]:
    table, names = one.table, Names(one.table.seats)
    others = [names.bold(seat) for seat in range(len(table.seats)) if seat != one.seat]
    where = screens.title() if table.is_private else f"[{screens.title()}]({table_url(table)})"
    if one.asks:
        host = next((seat for seat, each in enumerate(table.seats) if each.user_id == table.body.host_id), 0)
        asks = _("✉️ **{game}** · {name} asks you to join").format(game=where, name=names.bold(host))
        return [asks, f"-# {_state(one, names, shown)}{_place(table)}"]
    with_whom = _("with {names}").format(names=listing(others)) if others else _("alone so far")
    return [
        f"{'▶️ ' if one.waits else ''}**{where}** · {with_whom}",
        f"-# {_state(one, names, shown)}{_place(table)}",
    ]


def _place(table: Table) -> str:
    """The channel or thread of a table as a mention, which tells apart two matches of the same people."""
    return "" if table.is_private or table.in_group else f" · <#{table.shown_in}>"


def _lobby_state(one: ListedTable) -> str:
    """How a lobby stands. Its host alone learns who has declined; others know only who was asked."""
    table = one.table
    hosts = not one.asks and table.seats[one.seat].user_id == table.body.host_id
    asked = [] if one.asks else table.awaited() if hosts else table.expected()
    declined = [each for each in table.expected() if each not in asked] if hosts else []
    parts = [_("the lobby is open")]
    if asked:
        text = ngettext("{names} is asked", "{names} are asked", len(asked))
        parts.append(text.format(names=listing([f"<@{each}>" for each in asked])))
    if declined:
        text = ngettext("{names} has declined", "{names} have declined", len(declined))
        parts.append(text.format(names=listing([f"<@{each}>" for each in declined])))
    return " · ".join(parts)


def _state(one: ListedTable, names: Names, shown: Shown) -> str:
    table, since = one.table, moment(one.since + shown.later, shown.now)
    if table.body.asleep is not None:
        return _("I'm not on its server any more; it goes on when I'm invited again")
    if table.status == "lobby":
        return _lobby_state(one)
    if table.status == "paused":
        return _("paused; **I'm Back** at the table goes on with it")
    if one.left:
        return _("you have left, and can come back")
    if one.waits:
        asked = table.body.asked.get(one.seat)
        if asked is None or asked.deadline is None:
            return _("your turn, asked {since}").format(since=since)
        ends = f"<t:{int(asked.deadline + shown.later)}:R>"
        return _("your turn, asked {since}; time runs out {ends}").format(since=since, ends=ends)
    held = [seat for seat in table.body.asked if waited_for(table, seat)]
    if one.seat in held:
        return _("the match waits until you are back from holiday")
    if table.seats[one.seat].away and not waited_for(table, one.seat):
        return _("a computer player plays for you")
    if not one.waits_for and held:
        who = listing([names.bold(seat) for seat in held])
        return ngettext("waits for {names}, on holiday", "waits for {names}, on holiday", len(held)).format(
            names=who
        )
    if not one.waits_for:
        return _("a computer player moves next")
    who = listing([names.bold(seat) for seat in one.waits_for])
    text = ngettext(
        "waits for {names}, asked {since}", "waits for {names}, asked {since}", len(one.waits_for)
    )
    return text.format(names=who, since=since)


def _way(one: ListedTable, screens: AnyScreens, *, in_server: bool) -> ui.Button:
    """The button that opens the private screen; a link to the table where Discord allows no more."""
    reachable = in_server or one.table.is_private or one.table.in_group
    awake = one.table.under_way and one.table.body.asleep is None
    if reachable and awake and not one.left:
        emoji = screens.words().own_screen_emoji
        return button(pgettext("button: the private screen", "Open"), Id(OPEN, one.table.id), emoji=emoji)
    return link(pgettext("button: to the table", "Go"), table_url(one.table))
