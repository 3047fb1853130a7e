"""Readers for a press besides its intent: number, switch, choices, label, and the right to manage the server."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.tables.refusals import Refused
from bot.ui.interaction import Interaction
from bot.ui.screens.ids import OFF, ON, read_number
from bot.ui.screens.kit import Choices, menu_number, read_choices, read_label


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
