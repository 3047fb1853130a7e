"""Small messages for one person: a sentence, a question before an irreversible step, and the screen **More**."""

from __future__ import annotations

from typing import Final

from bot.language import gettext as _
from bot.language import pgettext
from bot.tables.model import Table
from bot.ui.screens.board import WATCH, back_button, left_text, sheet_buttons
from bot.ui.screens.components import DANGER, SUCCESS
from bot.ui.screens.fairness import fairness_button
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import CALM, Screen, button
from bot.ui.screens.names import Names

CANCEL: Final = "cancel"
"""The intent of the button that leads back from a question before an irreversible step."""


def say(text: str) -> Screen:
    """A screen with a sentence for one person."""
    return Screen(colour=CALM).text(text)


def confirm(text: str, label: str, to: Id, back: str = "") -> Screen:
    """A question before a step that cannot be undone. `back` is the label of the button that leads back from it."""
    calm = button(back or pgettext("button", "Cancel"), Id(CANCEL, to.table))
    return Screen(colour=CALM).text(text).buttons(button(label, to, DANGER), calm)


def ask_end(table: Table, *, alone: bool) -> Screen:
    """The question before a match or a lobby is ended, or before a wish to end it is noted."""
    if table.status == "lobby":
        return confirm(
            _("This closes the lobby: no one can join any more."),
            _("Close the Lobby"),
            Id("end-now", table.id),
        )
    if table.is_lesson:
        text = _("This ends the lesson for good. **Learn** begins it again from its first step.")
        return confirm(text, _("End the Lesson"), Id("end-now", table.id), _("Play On"))
    if table.body.opens is not None:
        text = _("This is your only try at today's deal: if you end it now, it has no score.")
    elif table.is_private:
        text = _("This ends the match for good.")
    elif alone:
        text = _("This ends the match for everyone, without a winner.")
    else:
        text = _("The match ends, without a winner, once everyone who is here agrees.")
    return confirm(text, _("End the Match"), Id("end-now", table.id), _("Play On"))


def free_seats(table: Table) -> Screen:
    """The screen of a person without a seat, with the computer players from whom they can take over."""
    names = Names(table.seats)
    screen = Screen(colour=CALM).text(
        _("You're not at this table. You can take over from a computer player:")
    )
    return screen.buttons(
        *[
            button(
                _("Take Over from {name}").format(name=names.bare(seat)),
                Id("take-over", table.id, arg=str(seat)),
                SUCCESS,
            )
            for seat in table.free_seats
        ]
    )


def more(table: Table, screens: AnyScreens, user_id: int, *, manages: bool) -> Screen:
    """The screen with what is seldom needed: log, sheets, watching, leaving, taking over, ending."""
    screen = Screen(colour=CALM)
    to = table.id
    seated = table.seat_of(user_id) is not None
    looked_up = sheet_buttons(table, screens)
    if not seated:
        looked_up.append(button(pgettext("button", "Watch"), Id(WATCH, to), emoji="👀"))
    looked_up.append(fairness_button(to))
    screen.text(_("### More")).buttons(*looked_up)
    if seated:
        screen.buttons(
            button(screens.words().send_by_dm, Id("dm", to), emoji="✉️"),
            button(_("Leave the Match"), Id("leave", to)),
            button(_("End the Match"), Id("end", to), DANGER),
        )
    else:
        if table.has_left(user_id):
            screen.text(left_text(table)).buttons(back_button(table))
        elif table.free_seats:
            screen.add(free_seats(table).items)
        else:
            screen.text(_("You're not at this table, and no seat is free to take over."))
        if manages:
            screen.buttons(button(_("End the Match"), Id("end", to), DANGER))
    screen.text(
        _("-# `/{game} table` brings the table to the bottom of the channel.").format(game=table.game.key)
    )
    return screen
