"""The inputs of a game's screens: a press, and an event as a viewer may know it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from bot.ui.screens.kit import Choices


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press on a game's button or menu: its intent and argument, and the choices in all menus of the screen.

    The argument and the choices cannot be trusted: they may be forged or come from another version.
    """

    intent: str
    arg: str
    choices: Choices

    @property
    def chosen(self) -> Sequence[str]:
        """The choices in all menus with the pressed menu's intent; empty for a button."""
        return self.choices.get(self.intent, ())


class SeenEvent(NamedTuple):
    """An event in the form that one viewer may know."""

    kind: str
    seat: int | None
    facts: Mapping[str, Any]
