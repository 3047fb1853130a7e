"""The questions of the form in which a table's host changes the settings of a match before it starts."""

from __future__ import annotations

from typing import Final

from bot.language import gettext as _
from bot.language import pgettext
from bot.tables.model import PACES, TURN_LIMITS, Table
from bot.ui.screens.forms import Question
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import OFF, ON
from bot.ui.screens.kit import Option
from bot.ui.screens.words import hints_text, limit_text, pace_text
from engine.agents.advice import adviser_of

SETTINGS: Final = "settings"
"""The intent of the button that opens the form."""
CHANGE_SETTINGS: Final = "settings-set"
"""The intent of the form."""

LIMIT: Final = "limit"
PACE: Final = "pace"
"""The question about the agents' pace, which is asked of the only person at a table."""
HINTS: Final = "hints"
"""The question whether hints are allowed, in games whose agents give reasons."""
OPTION: Final = "option."
"""The beginning of the names of the questions about a game's own settings. The setting's name follows."""
UNCHOSEN: Final = "-"
"""The answer that leaves a setting open."""


def questions(table: Table, screens: AnyScreens) -> list[Question]:
    """The settings that the host may change, each with its present value. The game's own ones come last."""
    limits = [Option(limit_text(seconds), key) for key, seconds in TURN_LIMITS.items()]
    held = [key for key, seconds in TURN_LIMITS.items() if seconds == table.body.limit]
    text = _("How long a player may take before a computer player plays for them")
    asked = [Question(LIMIT, _("Turn limit"), limits, held, text)]
    if table.is_solo:
        paces = [Option(pace_text(pace), pace) for pace in PACES]
        text = _("How long the computer players wait before they move")
        asked.append(Question(PACE, _("Computer players' pace"), paces, [table.body.pace], text))
    if adviser_of(table.game) is not None:
        offered = [Option(hints_text(allowed), ON if allowed else OFF) for allowed in (True, False)]
        text = _("Whether the private screen has the button “Hint”. A match that has it is not rated.")
        held = [ON if table.hints else OFF]
        asked.append(Question(HINTS, pgettext("setting", "Hints"), offered, held, text))
    usual = table.game.options_type().model_dump(mode="json")
    for option, setting in screens.settings().items():
        value = table.body.options.get(option) or usual[option] or UNCHOSEN
        offered = [Option(name, key) for key, name in setting.choices.items()]
        if setting.unchosen:
            offered.insert(0, Option(setting.unchosen, UNCHOSEN))
        asked.append(Question(f"{OPTION}{option}", setting.title, offered, [str(value)], setting.describe))
    return asked
