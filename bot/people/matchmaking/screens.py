"""The screens of the command `/play`: a person's wish for a match while the person waits, and its end."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, NamedTuple

from bot.language import gettext as _
from bot.language import ngettext, pgettext
from bot.store.model import Mode, Wish
from bot.tables.matchmaking import LIMITS
from bot.tables.model import Table
from bot.ui.screens.components import SUCCESS
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import CALM, Screen, button, to_the_table
from bot.ui.screens.words import duration_text, limit_text, moment

LOOK: Final = "look-for-match"
"""The intent of the button that looks for others once more."""
STOP: Final = "stop-looking"
"""The intent of the button that ends a wish. The argument is the wish's id."""


class Waiting(NamedTuple):
    """A person's wish while the person waits. `others` is the number of other people who wait on the server.

    `usual` is how long others waited, in seconds; None if that is unknown. `now` is the clock's time, and `later` the
    number of seconds from it to the time that people are shown.
    """

    wish: Wish
    others: int
    usual: float | None
    now: float
    later: float = 0.0


def waiting(shown: Waiting, games: Mapping[str, AnyScreens], remark: str = "") -> Screen:
    """The screen of a person who waits. `remark` says why no lobby was opened although others fit."""
    wish = shown.wish
    screen = Screen(colour=CALM).text(_("### You are looking for a match"), _wanted(wish, games))
    if remark:
        screen.text(f"ℹ️ {remark}")
    others = ngettext(
        "{n} other person is looking for a match here.",
        "{n} other people are looking for a match here.",
        shown.others,
    ).format(n=shown.others)
    since = moment(wish.since + shown.later, shown.now + shown.later)
    ends = f"<t:{int(wish.ends + shown.later)}:R>"
    lines = [
        _("Asked: {since}. Your wish ends by itself {ends}.").format(since=since, ends=ends),
        others if shown.others else _("No one else is looking for a match here yet."),
    ]
    if shown.usual is not None:
        lines.append(_("A match is usually found after {time}.").format(time=duration_text(shown.usual)))
    screen.text(*lines)
    screen.text(
        "-# "
        + _(
            "When someone fits, I open a lobby in the channel of whoever asked last, seat you and call "
            "you there. Until then no one sees that you wait."
        )
    )
    return screen.buttons(
        button(_("Look Again"), Id(LOOK), SUCCESS), button(_("Stop Looking"), Id(STOP, arg=str(wish.id)))
    )


def _wanted(wish: Wish, games: Mapping[str, AnyScreens]) -> str:
    """The wish in a line: game, number of players, and turn limit."""
    game = _("any game") if wish.game is None or wish.game not in games else games[wish.game].title()
    seats = (
        _("any number of players")
        if wish.seats is None
        else ngettext("{n} player", "{n} players", wish.seats).format(n=wish.seats)
    )
    mode = {"now": pgettext("a match", "now"), "mail": pgettext("a match", "by mail")}[wish.mode]
    return f"**{game}** · {seats} · {mode} ({limit_text(LIMITS[wish.mode])})"


def when_text(mode: Mode) -> str:
    """When a match is to be played, with its turn limit, as a choice of the command."""
    limit = limit_text(LIMITS[mode])
    text = _("Now, {limit} for a turn") if mode == "now" else _("By mail, {limit} for a turn")
    return text.format(limit=limit)


def found(table: Table, screens: AnyScreens) -> Screen:
    """The screen of a person who was seated."""
    screen = Screen(colour=CALM).text(
        _("🪑 I have found a match for you: **{game}**. You have a seat in its lobby.").format(
            game=screens.title()
        )
    )
    if table.body.messages.lobby is None:
        screen.text(_("The lobby appears in <#{channel}> in a moment.").format(channel=table.shown_in))
    return screen.buttons(*to_the_table(table))


def stopped() -> Screen:
    """The screen of a person who does not wait."""
    return Screen(colour=CALM).text(
        _(
            "You are no longer looking for a match. `/games mine` lists your matches, `/play` looks for another one."
        )
    )


def busy_remark(others: int, channels: list[int], permissions: str = "") -> str:
    """The remark if others fit, but there is a match in every channel where the lobby could be.

    `permissions` are the names of those that the bot lacks to open a thread; "" if there can be none for other reasons.
    """
    where = ", ".join(f"<#{channel}>" for channel in channels)
    text = ngettext(
        "{n} person fits, but another match is already in {where}. Type `/play` in a channel or thread without a "
        "match, and the lobby opens there.",
        "{n} people fit, but another match is already in {where}. Type `/play` in a channel or thread without a "
        "match, and the lobby opens there.",
        others,
    )
    lines = [text.format(n=others, where=where)]
    if permissions:
        thread = _(
            "I could open a thread here, but I need the permission {permissions}. Someone who manages this server can "
            "give it to me."
        )
        lines.append(thread.format(permissions=permissions))
    return " ".join(lines)


def unposted_remark(channel: int) -> str:
    """The remark if the lobby could not be posted."""
    return _(
        "Others fit, but I can't post in <#{channel}>. You all go on waiting. Type `/play` in "
        "another channel, or ask someone who manages this server to allow it."
    ).format(channel=channel)


def unseen_remark(channel: int) -> str:
    """The remark if not everybody could see the lobby."""
    return _(
        "Others fit, but not all of them can see <#{channel}>. You all go on waiting. Type `/play` "
        "in a channel that everyone sees."
    ).format(channel=channel)


def unreachable_remark() -> str:
    """The remark if Discord did not answer."""
    return _("Others fit, but Discord isn't answering me right now. You all go on waiting; look again soon.")
