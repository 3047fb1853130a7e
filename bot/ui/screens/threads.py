"""A table in a thread of its own: the thread's name, its messages in the parent channel, and the private answers."""

from __future__ import annotations

from typing import Final

from bot.language import gettext as _
from bot.tables.model import Table
from bot.ui.screens.components import SUCCESS
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import CALM, OVER, Screen, button, link, message_url, to_the_table
from bot.ui.screens.names import Names
from bot.ui.screens.words import ending_text, won_text

OPEN_THREAD: Final = "open-thread"
"""The intent of the button that opens a table in a thread. The argument is the chosen options."""
AGAIN_IN_THREAD: Final = "again-thread"
"""The intent of the button that opens the next lobby after a match in a thread."""
LONGEST_NAME: Final = 100
"""The most characters of a thread's name."""


def thread_name(table: Table, screens: AnyScreens) -> str:
    """The name of a table's thread: the game and the host, or the game alone after the host was forgotten."""
    title, host = screens.title(), host_name(table)
    name = f"{title} · {host}" if host else title
    return name if len(name) <= LONGEST_NAME else name[: LONGEST_NAME - 1] + "…"


def host_name(table: Table) -> str:
    """The host's name; "" if the host has no seat."""
    return next((seat.name for seat in table.seats if seat.user_id == table.body.host_id), "")


def starter(table: Table, screens: AnyScreens) -> Screen:
    """The message in the parent channel from which the thread is started."""
    host = table.seat_of(table.body.host_id)
    if host is None:
        text = _("🧵 **{game}** is played in this thread.").format(game=screens.title())
    else:
        text = _("🧵 **{game}** is played in this thread. The host is **{who}**.").format(
            who=Names(table.seats).escaped(host), game=screens.title()
        )
    return Screen(colour=CALM).text(text)


def parent_result(table: Table, screens: AnyScreens) -> Screen:
    """The message in the parent channel after the end of the match: the winners, and the way to the thread."""
    names = Names(table.seats)
    if table.status == "over":
        outcome = won_text(table.game.view(table.state, None).outcome, screens, names)
    else:
        outcome = "🏁 " + ending_text(table, names)
    where = _("{game} in {thread}").format(game=screens.title(), thread=f"<#{table.channel_id}>")
    return (
        Screen(colour=OVER)
        .text(outcome, f"-# {where}")
        .buttons(link(_("Go to the Result"), message_url(table, table.body.messages.result)))
    )


def offer(refusal: str, to: Id, running: Table | None) -> Screen:
    """The refusal of a table in a channel with a live table, and the button that opens it in a thread."""
    to_running = [] if running is None else to_the_table(running)
    return (
        Screen(colour=CALM)
        .text(refusal)
        .buttons(button(_("Open in a Thread"), to, SUCCESS, emoji="🧵"), *to_running)
    )


def opened(table: Table, note: str = "") -> Screen:
    """The private answer to a person who has opened a table in a thread, with a further line."""
    if table.body.messages.lobby is None:
        return Screen(colour=CALM).text(
            _(
                "Discord isn't accepting my messages right now. Your table opens in a thread of "
                "<#{channel}> as soon as it does."
            ).format(channel=table.shown_in)
        )
    text = _("🧵 Your table is open in {thread}.").format(thread=f"<#{table.channel_id}>")
    return Screen(colour=CALM).text(*filter(None, (text, note))).buttons(*to_the_table(table))
