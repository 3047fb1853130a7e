"""What a game shows and how its presses become moves: the one interface between the host and a game's screens.

A game's package in `cogs` derives its screens from `GameScreens[View, Move]`, with the game's own types of views and
moves. Everything is made from a view; all texts in the language that is being spoken (`bot.language.speaking`).
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, Protocol, TypeVar

import discord

from bot.tables.refusals import Refused
from bot.ui.game_words import GameWords
from bot.ui.ids import Id
from bot.ui.kit import Choices, Item
from bot.ui.names import Names
from engine.errors import IllegalMove
from engine.game import AnyGame, MatchView

OWN_SCREEN: Final = "hand"
"""The intent, of the host's own, that opens the presser's private screen."""
GAMES_OWN: Final = "g."
"""What a game's own intents begin with; the host's do not."""
LOOKED_UP: Final = "s."
"""What the intents of a game's sheets begin with: anybody may look something up, whoever is asked."""


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
    """A press on a game's button or menu: its intent and argument, and what all menus of the screen now show.

    Argument and choices may be anything: those of another version, or forged.
    """

    intent: str
    arg: str
    choices: Choices

    @property
    def chosen(self) -> Sequence[str]:
        """What is chosen in the menu that was pressed, or in the menus of its intent; nothing for a button."""
        return self.choices.get(self.intent, ())


@dataclass(frozen=True, slots=True)
class HalfChosen:
    """A press that was no move yet: what the screen's menus are to show as chosen now."""

    choices: Choices


V = TypeVar("V", bound=MatchView)
M = TypeVar("M")
V_contra = TypeVar("V_contra", bound=MatchView, contravariant=True)
M_co = TypeVar("M_co", covariant=True)

Meaning = Callable[[V_contra, Pressed], M_co | HalfChosen]
"""What a button or menu means to the presser's view: the move, or what is half chosen after it.

Raises `IllegalMove` where the press means no move.
"""


def half_chosen(_view: object, pressed: Pressed) -> HalfChosen:
    """The meaning of a menu that waits for another press: the screen shows what is chosen."""
    return HalfChosen(pressed.choices)


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


class GameScreens(Protocol[V_contra, M_co]):
    """A game's texts, screens and presses. To be derived from, so that what is missing is found when it is made."""

    game: ClassVar[str]
    """The engine's key, which is the name of the command group too."""
    colour: discord.Colour

    @abstractmethod
    def title(self) -> str:
        """The game's whole name."""
        ...

    @abstractmethod
    def summary(self) -> str:
        """What the game is about, in a sentence."""
        ...

    def words(self) -> GameWords:
        """What the host says of this game; to be overridden where it is no game of hands and cards."""
        return GameWords()

    @abstractmethod
    def settings(self) -> Sequence[Setting]:
        """What the host may choose at the start, beside what every game has."""
        ...

    @abstractmethod
    def options_text(self, options: Mapping[str, Any]) -> str:
        """The chosen settings in words for the lobby; empty where there are none."""
        ...

    @abstractmethod
    def asks(self, view: V_contra, seat: int, names: Names) -> str:
        """What is asked of a seat now, as a sentence about it: "**Ana** is to dig."."""
        ...

    @abstractmethod
    def call(self, view: V_contra, seat: int) -> str:
        """The same, to the person: "it is your turn."."""
        ...

    @abstractmethod
    def board(self, view: V_contra, names: Names) -> list[Item]:
        """The table's public part of the table message."""
        ...

    @abstractmethod
    def actions(self, view: V_contra) -> list[Action]:
        """The buttons for whoever is asked, on the table message."""
        ...

    def sheets(self, view: V_contra, names: Names) -> list[Action]:
        """The buttons on the table message by which anybody may look something up, spectators included.

        Their intents begin with `LOOKED_UP`. None unless overridden.
        """
        return []

    def sheet(self, view: V_contra, names: Names, pressed: Pressed, to: Id) -> list[Item]:
        """What a button of `sheets`, or one on the sheet itself, shows to its presser alone.

        `view` is a spectator's, whoever presses. Each button and menu of the sheet sends `to` with an intent that
        begins with `LOOKED_UP`, and draws the sheet anew from how things stand then. Raises `Refused("unknown")` for a
        press that means nothing.
        """
        raise Refused("unknown")

    @abstractmethod
    def private(self, view: V_contra, names: Names, choices: Choices, to: Id) -> list[Item]:
        """The viewer's private screen: what they have, and their open moves with what is half chosen.

        Each button and menu sends `to` with an intent of `presses`, and an argument if it needs one. Raises
        `IllegalMove` where what is half chosen was never offered.
        """
        ...

    @abstractmethod
    def private_text(self, view: V_contra) -> str:
        """What the viewer alone has, such as a hand, as text: for a direct message, and while a match is paused."""
        ...

    @abstractmethod
    def presses(self) -> Mapping[str, Meaning[V_contra, M_co]]:
        """What each button and menu means that this game draws, by its intent.

        This is all that can be pressed: the host answers any other intent as an older version's.
        """
        ...

    @abstractmethod
    def tell(self, event: Told, viewer: int | None, names: Names, game: AnyGame) -> str:
        """One line about an event, to this viewer."""
        ...

    @abstractmethod
    def refuse(self, error: IllegalMove, game: AnyGame) -> str:
        """Why the rules forbid a move, with the rule."""
        ...

    @abstractmethod
    def rules(self, game: AnyGame) -> list[Page]:
        """The rules, with each card's table and its provenance."""
        ...

    @abstractmethod
    def result(self, view: V_contra, names: Names) -> list[str]:
        """The ranks and what made them, a line each."""
        ...


AnyScreens = GameScreens[Any, Any]
"""A game's screens whose types the caller does not know: the host's."""


def meant_by(screens: GameScreens[V, M], view: V, pressed: Pressed) -> M | HalfChosen:
    """The move that a press means to the presser's view, or what is half chosen after it.

    Raises `IllegalMove` where it means none, and `Refused("unknown")` for an intent that the game does not have.
    """
    meaning = screens.presses().get(pressed.intent)
    if meaning is None:
        raise Refused("unknown")
    return meaning(view, pressed)
