"""What a game shows and how its presses become moves: the one interface between the host and a game's screens.

A game's package in `cogs` implements `GameScreens`. Everything is made from a view; all texts in the language that
is being spoken (`bot.language.speaking`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Protocol

import discord

from bot.ui.ids import Id
from bot.ui.kit import Choices, Item
from bot.ui.names import Names
from engine.errors import IllegalMove
from engine.game import AnyGame

SHEET: Final = "s."
"""What the intents begin with by which anybody looks something up."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the rules: a heading and Markdown text."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Action:
    """A button on the table message: a move at once or the private screen, or what anybody may look up."""

    label: str
    intent: str
    emoji: str | None = None
    arg: str = ""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press on a game's button or menu: its intent and argument, and what all menus of the screen now show."""

    intent: str
    arg: str
    choices: Choices


@dataclass(frozen=True, slots=True)
class HalfChosen:
    """A press that was no move yet: what the screen's menus are to show as chosen now."""

    choices: Choices


@dataclass(frozen=True, slots=True)
class Setting:
    """An option of a game's start command: its choices, by value, with their names."""

    name: str
    describe: str
    choices: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Told:
    """An event as one viewer may know it."""

    kind: str
    seat: int | None
    facts: Mapping[str, Any]


class GameScreens(Protocol):
    """A game's texts, screens and presses."""

    game: ClassVar[str]
    """The engine's key, which is the name of the command group too."""
    colour: discord.Colour

    def title(self) -> str:
        """The game's whole name."""
        ...

    def summary(self) -> str:
        """What the game is about, in a sentence."""
        ...

    def settings(self) -> Sequence[Setting]:
        """What the host may choose at the start, beside what every game has."""
        ...

    def options_text(self, options: Mapping[str, Any]) -> str:
        """The chosen settings in words for the lobby; empty where there are none."""
        ...

    def asks(self, view: Any, seat: int, names: Names) -> str:
        """What is asked of a seat now, as a sentence about it: "**Ana** is to dig."."""
        ...

    def call(self, view: Any, seat: int) -> str:
        """The same, to the person: "it is your turn."."""
        ...

    def board(self, view: Any, names: Names) -> list[Item]:
        """The table's public part of the table message."""
        ...

    def actions(self, view: Any) -> list[Action]:
        """The buttons for whoever is asked, on the table message."""
        ...

    def sheets(self, view: Any, names: Names) -> list[Action]:
        """The buttons by which anybody may look something up on the table message, spectators included.

        Their intents begin with `SHEET`. Empty where the table message shows all that there is.
        """
        ...

    def sheet(self, view: Any, names: Names, pressed: Pressed, to: Id) -> list[Item]:
        """What a button of `sheets`, or one on the sheet itself, shows to its presser alone.

        `view` is a spectator's, whoever presses. Each button and menu of the sheet sends `to` with an intent that
        begins with `SHEET`, and draws the sheet anew from how things stand then. Raises `Refused("unknown")` for a
        press that means nothing.
        """
        ...

    def private(self, view: Any, names: Names, choices: Choices, to: Id) -> list[Item]:
        """The viewer's private screen: their hand, and their open moves with what is half chosen.

        Each button and menu sends `to` with an intent of the game's, and an argument if it needs one. Raises
        `IllegalMove` where what is half chosen was never offered.
        """
        ...

    def hand_text(self, view: Any) -> str:
        """The viewer's hand as text, for a direct message."""
        ...

    def press(self, view: Any, pressed: Pressed) -> Any | HalfChosen:
        """The move that a press means, or what is half chosen after it.

        Raises `IllegalMove` where it means none, and `Refused("unknown")` for an intent that the game does not have.
        `view` is the presser's. Argument and choices may be anything: those of another version, or forged.
        """
        ...

    def tell(self, event: Told, viewer: int | None, names: Names, game: AnyGame) -> str:
        """One line about an event, to this viewer."""
        ...

    def refuse(self, error: IllegalMove, game: AnyGame) -> str:
        """Why the rules forbid a move, with the rule."""
        ...

    def rules(self, game: AnyGame) -> list[Page]:
        """The rules, with each card's table and its provenance."""
        ...

    def result(self, view: Any, names: Names) -> list[str]:
        """The ranks and what made them, a line each."""
        ...
