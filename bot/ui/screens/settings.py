"""The screen on which a table's host changes the settings of a match before it starts."""

from __future__ import annotations

from typing import Final

from bot.language import gettext as _
from bot.language import pgettext
from bot.tables.model import PACES, TURN_LIMITS, Table
from bot.tables.refusals import Refused
from bot.tables.same_deal import code_of
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import CALM, Option, Screen, menus
from bot.ui.screens.refusals import refusal
from bot.ui.screens.same_deal import code_lines
from bot.ui.screens.words import hints_text, limit_text, pace_text
from engine.agents.advice import adviser_of

SETTINGS: Final = "settings"
"""The intent of the button that opens the screen."""
SET_LIMIT: Final = "set-limit"
"""The intent of the menu of turn limits."""
SET_PACE: Final = "set-pace"
"""The intent of the menu of the agents' paces, which the only person at a table has."""
SET_HINTS: Final = "set-hints"
"""The intent of the menu that allows hints, in games whose agents give reasons."""
SET_OPTION: Final = "set."
"""The beginning of the intents of the menus of a game's own settings. The setting's name follows."""

LATE: Final = "settings-late"
"""The code of the refusal of a change after the start."""
OVER: Final = ("lobby-over", "match-over")
"""The codes of the refusals of a change after the end."""

_ON: Final = "on"
_OFF: Final = "off"
"""The menu values of a setting that is on or off."""

_UNCHOSEN: Final = "-"
"""The menu value of a setting that is left open."""


def settings(table: Table, screens: AnyScreens) -> Screen:
    """The menus of all settings, each with its present value."""
    screen = Screen(colour=CALM).text(
        _("### Settings"),
        _("You can change them until you press **Start Match**. Everyone sees them in the lobby."),
    )
    limits = [Option(limit_text(seconds), key) for key, seconds in TURN_LIMITS.items()]
    held = [key for key, seconds in TURN_LIMITS.items() if seconds == table.body.limit]
    title, ask = _("Turn limit"), _("How long a player may take before a computer player plays for them")
    screen.rule().text(f"**{title}**\n-# {ask}")
    screen.add(menus(Id(SET_LIMIT, table.id), title, limits, chosen=held))
    if table.is_solo:
        paces = [Option(pace_text(pace), pace) for pace in PACES]
        title, ask = _("Computer players' pace"), _("How long the computer players wait before they move")
        screen.text(f"**{title}**\n-# {ask}")
        screen.add(menus(Id(SET_PACE, table.id), title, paces, chosen=[table.body.pace]))
    if adviser_of(table.game) is not None:
        title = pgettext("setting", "Hints")
        ask = _("Whether the private screen has the button **Hint**. A match that has it is not rated.")
        offered = [Option(hints_text(allowed), _ON if allowed else _OFF) for allowed in (True, False)]
        screen.text(f"**{title}**\n-# {ask}")
        screen.add(menus(Id(SET_HINTS, table.id), title, offered, chosen=[_ON if table.hints else _OFF]))
    usual = table.game.options_type().model_dump(mode="json")
    for option, setting in screens.settings().items():
        value = table.body.options.get(option) or usual[option] or _UNCHOSEN
        offered = [Option(name, key) for key, name in setting.choices.items()]
        if setting.unchosen:
            offered.insert(0, Option(setting.unchosen, _UNCHOSEN))
        screen.text(f"**{setting.title}**\n-# {setting.describe}")
        to = Id(f"{SET_OPTION}{option}", table.id)
        screen.add(menus(to, setting.title, offered, chosen=[str(value)]))
    if table.body.same_of is None and not table.in_group:  # only tables of a server can share a deal
        screen.rule().text(*code_lines(table.game.key, code_of(table)))
    return screen


def closed_settings(code: str = LATE) -> Screen:
    """The screen without menus that takes the place of an older one once nothing can be changed any more.

    `code` is the code of the refusal.
    """
    return Screen(colour=CALM).text(_("### Settings"), refusal(Refused(code)))


def wanted_hints(value: str) -> bool | None:
    """Whether this value of the menu of hints allows them; None if there is no such value."""
    return {_ON: True, _OFF: False}.get(value)


def wanted_option(screens: AnyScreens, intent: str, value: str) -> tuple[str, str | None] | None:
    """The name of the setting that a menu changes, and the value chosen in it; None if there is no such choice.

    The value is None if the setting is left open.
    """
    name = intent.removeprefix(SET_OPTION)
    setting = screens.settings().get(name)
    if setting is None:
        return None
    if setting.unchosen and value == _UNCHOSEN:
        return name, None
    return (name, value) if value in setting.choices else None
