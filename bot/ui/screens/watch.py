"""The screen of a person who watches a match: a spectator's view, the latest turns, and all hands after the end."""

from __future__ import annotations

from collections.abc import Sequence

from bot.language import gettext as _
from bot.language import pgettext
from bot.store.model import LogRow
from bot.tables.model import Table
from bot.tables.refusals import Refused
from bot.ui.screens import components as ui
from bot.ui.screens.board import LATEST_TURNS, TURN_LINES, WATCH, public_view, standing
from bot.ui.screens.chronicle import latest_turns
from bot.ui.screens.ended import REPLAY
from bot.ui.screens.fitting import small_print, that_fit
from bot.ui.screens.game_screens import AnyScreens, has_pictures
from bot.ui.screens.ids import BESIDE, Id
from bot.ui.screens.kit import OVER, TITLE, Screen, button, link
from bot.ui.screens.links import message_url, to_the_table
from bot.ui.screens.names import Names
from bot.ui.screens.refusals import refusal


def watched(
    table: Table,
    screens: AnyScreens,
    log: Sequence[LogRow],
    shown_later: float,
    *,
    follows: bool,
    open_hands: bool,
) -> Screen:
    """The screen of a person who watches, drawn from a spectator's view.

    `log` and `shown_later` are those of `board`. `follows`: the screen is brought up to date while it is open.
    `open_hands`: the match has ended, and all hands may be shown.
    """
    view, names = public_view(table), Names(table.seats)
    screen = Screen(colour=screens.colour if table.live else OVER)
    screen.items.append(ui.text(f"-# **{screens.title()}**", id=TITLE))
    screen.add(screens.board(view, names))
    place = len(screen.rule().items)
    screen.text(*standing(table, screens, view, names, shown_later))
    end = [*screens.result(view, names)] if table.status == "over" else []
    end += _hands(table, screens, names) if open_hands else []
    if lines := that_fit(screen, end):
        screen.text(*lines)
    if not open_hands:
        screen.text(*small_print(["👀 " + _note(table, follows=follows)]))
    turns = small_print(latest_turns(table, screens, log, None, TURN_LINES))
    if lines := that_fit(screen, turns):
        screen.items.insert(place, ui.text("\n".join(lines), id=LATEST_TURNS))
    return screen.buttons(*_buttons(table, screens, open_hands=open_hands))


def _hands(table: Table, screens: AnyScreens, names: Names) -> list[str]:
    """The things of each seat that others could not see, a text for each; none if nothing was hidden."""
    hands = [screens.revealed(table.game.view(table.state, seat), names) for seat in range(len(table.seats))]
    shown = [hand for hand in hands if hand]
    return [_("**No longer secret**"), *shown] if shown else []


def _note(table: Table, *, follows: bool) -> str:
    """The line that tells how the screen is brought up to date, or why hands are not shown yet."""
    if not table.live:
        return refusal(Refused("same-sealed"))
    if follows:
        return _(
            "You're watching. This screen follows the match for about 15 minutes; after that, press **Refresh**. "
            "To stop, dismiss this message."
        )
    return _(
        "Many people are watching, so this screen does not follow the match. Press **Refresh**. To stop, dismiss this "
        "message."
    )


def _buttons(table: Table, screens: AnyScreens, *, open_hands: bool) -> list[ui.Button]:
    buttons: list[ui.Button] = []
    if not open_hands:
        buttons.append(button(pgettext("button", "Refresh"), Id(WATCH, table.id)))
    elif has_pictures(screens):
        buttons.append(button(pgettext("button", "Replay"), Id(REPLAY, table.id, BESIDE), emoji="🎬"))
    buttons += [
        button(pgettext("button", "Log"), Id("log", table.id), emoji="📋"),
        button(screens.words().rules, Id("rules", table.id), emoji="📖"),
    ]
    if table.body.messages.result:
        return [*buttons, link(_("See the Result"), message_url(table, table.body.messages.result))]
    return [*buttons, *to_the_table(table)]
