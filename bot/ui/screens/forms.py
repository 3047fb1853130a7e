"""Forms: questions that a person answers together in a window. Nothing in an open form changes."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import discord
from discord import ui

from bot.language import gettext as _
from bot.tables.model import PACES, TURN_LIMITS, Table
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import MENU_OPTIONS, Option
from bot.ui.screens.words import limit_text, pace_text

MOST_QUESTIONS: Final = 5
"""The greatest number of questions in a form; Discord accepts no more."""
AT_A_GLANCE: Final = 3
"""The greatest number of options that stand in a form itself. More are in a menu, so that the form fits on a phone."""


@dataclass(frozen=True, slots=True)
class Question:
    """Options of which one is chosen; with `several`, any number.

    `chosen` are the values of the present choices. `name` identifies the question in its form and contains no ":".
    """

    name: str
    title: str
    options: Sequence[Option]
    chosen: Sequence[str]
    describe: str = ""
    several: bool = False

    def line(self) -> str:
        """The present choice as a line of Markdown."""
        chosen = [option.label for option in self.options if option.value in self.chosen]
        return f"**{self.title}**: {', '.join(chosen)}"

    def label(self) -> ui.Label[Any]:
        """The question as a part of a form. The input's custom_id contains the present choices (`read_input`)."""
        custom_id = f"{self.name}:{' '.join(self.chosen)}"
        shown = [(each.label[:100], each.value, each.value in self.chosen) for each in self.options]
        component: ui.Item[Any]
        if self.several:
            boxes = [discord.CheckboxGroupOption(label=a, value=b, default=c) for a, b, c in shown]
            component = ui.CheckboxGroup(
                custom_id=custom_id, required=False, min_values=0, max_values=len(boxes), options=boxes
            )
        elif len(shown) <= AT_A_GLANCE:
            radios = [discord.RadioGroupOption(label=a, value=b, default=c) for a, b, c in shown]
            component = ui.RadioGroup(custom_id=custom_id, options=radios)
        else:
            assert len(shown) <= MENU_OPTIONS
            lines = [discord.SelectOption(label=a, value=b, default=c) for a, b, c in shown]
            component = ui.Select(custom_id=custom_id, options=lines)
        return ui.Label(text=self.title, description=self.describe or None, component=component)


def read_input(custom_id: str) -> tuple[str, list[str]]:
    """The name of an input's question, and the values that the form showed as chosen.

    >>> read_input("limit:24h"), read_input("word")
    (('limit', ['24h']), ('word', []))
    """
    name, _, shown = custom_id.partition(":")
    return name, shown.split()


def form(title: str, to: Id, labels: Iterable[ui.Label[Any]]) -> ui.Modal:
    """A form that sends `to` when submitted.

    Its custom_id contains a nonce, because discord.py finds forms by custom_id alone, not by person.
    """
    made = ui.Modal(title=title, custom_id=str(to._replace(arg=secrets.token_hex(4))), timeout=None)
    for label in labels:
        made.add_item(label)
    return made


SETTINGS: Final = "settings"
"""The intent of the button that opens the form."""
CHANGE_SETTINGS: Final = "settings-set"
"""The intent of the form."""

LIMIT: Final = "limit"
PACE: Final = "pace"
"""The question about the agents' pace, which is asked of the only person at a table."""
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
    usual = table.game.options_type().model_dump(mode="json")
    for option, setting in screens.settings().items():
        value = table.body.options.get(option) or usual[option] or UNCHOSEN
        offered = [Option(name, key) for key, name in setting.choices.items()]
        if setting.unchosen:
            offered.insert(0, Option(setting.unchosen, UNCHOSEN))
        asked.append(Question(f"{OPTION}{option}", setting.title, offered, [str(value)], setting.describe))
    return asked
