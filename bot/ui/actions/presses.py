"""Readers for a press besides its intent: number, switch, choices, label, form, and the right to manage the server."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from discord import ui

from bot.language import gettext as _
from bot.tables.refusals import Refused
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.forms import Question, form, read_input
from bot.ui.screens.ids import OFF, ON, Id, read_number
from bot.ui.screens.kit import Choices, menu_number, read_choices, read_label
from bot.ui.screens.messages import say


def number_of(interaction: Interaction) -> int:
    """The number in the argument of the pressed component. Raises `Refused` if the argument is no number."""
    number = read_number(interaction.to.arg)
    if number is None:
        raise Refused("unknown")
    return number


def is_on(interaction: Interaction) -> bool:
    """Whether the pressed button switches its choice on. Raises `Refused` if it says neither on nor off."""
    if interaction.to.arg not in (ON, OFF):
        raise Refused("unknown")
    return interaction.to.arg == ON


def open_form(title: str, to: Id, labels: Iterable[ui.Label[Any]]) -> Reply:
    """Opens a form. The button that opens it has the same name."""
    late = _("I was too slow to open the form. Please press **{button}** once more.").format(button=title)
    return Reply(say(late), modal=form(title, to, labels))


def read_changes(interaction: Interaction, questions: Sequence[Question]) -> dict[str, str]:
    """The answers of a submitted form that differ from what the form showed, by question.

    So two forms that are open at once do not undo each other's changes. A question with several answers has one entry
    for each option, ON or OFF. An answer to a question that is not asked now is left out. Raises `Refused` if an answer
    is not among the options now, or if the form answers none of the questions.
    """
    asked = {question.name: question for question in questions}
    inputs = [(*read_input(custom_id), values) for custom_id, values in interaction.inputs.items()]
    if not any(name in asked for name, _shown, _values in inputs):
        raise Refused("unknown")
    changes: dict[str, str] = {}
    for name, shown, values in inputs:
        if (question := asked.get(name)) is None:
            continue
        offered = {option.value for option in question.options}
        if not offered.issuperset(values) or not (question.several or len(values) == 1):
            raise Refused("unknown")
        if question.several:
            changes |= {each: ON if each in values else OFF for each in offered & ({*values} ^ {*shown})}
        elif values != shown:
            changes[name] = values[0]
    return changes


def check_on_lobby(interaction: Interaction) -> None:
    """Raises `Refused` if the pressed button is on no public message, as a lobby's buttons are."""
    if not interaction.on_public:
        raise Refused("unknown")


def check_manages(interaction: Interaction) -> None:
    """Raises `Refused` unless the person manages the server."""
    if not interaction.manages_server:
        raise Refused("not-manager")


def choices_of(interaction: Interaction) -> Choices:
    """The present choices in all menus of the pressed message, by intent."""
    by_menu = read_choices(interaction.message)
    if "values" in _data(interaction):
        by_menu.setdefault(interaction.to.intent, {})[menu_number(interaction.to)] = interaction.values
    return {
        intent: [value for chosen in menus.values() for value in chosen] for intent, menus in by_menu.items()
    }


def label_of(interaction: Interaction) -> str:
    """The label of the pressed button, or of the chosen options of a menu; "" if the message does not contain it."""
    return read_label(interaction.message, str(_data(interaction).get("custom_id", "")), interaction.values)


def _data(interaction: Interaction) -> Mapping[str, Any]:
    return interaction.raw.data or {}
