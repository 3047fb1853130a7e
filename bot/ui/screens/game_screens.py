"""A game's screens and the way from its presses to moves: the one interface between the host and a game's screens.

A game's package in `cogs` derives its screens from `GameScreens[View, Move]`, with the game's own types of views and
moves. Everything is made from a view, and all texts are in the language that is being spoken (`bot.language.speaking`).
The interface has four parts: texts, board, private screen, pictures.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Generic, NamedTuple, TypeVar

from bot.art.ink import Part
from bot.art.picture import Picture
from bot.language import by_language
from bot.language import gettext as _
from bot.tables.play import Moves
from bot.tables.refusals import Refused
from bot.ui.screens import components as ui
from bot.ui.screens.game_words import GameWords
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import SAND, Choices, Item, escape, ranking
from bot.ui.screens.names import Names
from engine.errors import IllegalMove
from engine.game import AnyGame, MatchView, own_decision

OWN_SCREEN: Final = "hand"
"""The intent that opens the presser's private screen. It is one of the host's."""
GAMES_OWN: Final = "g."
"""The beginning of a game's own intents. The host's intents do not begin like this."""
LOOKED_UP: Final = "s."
"""The beginning of the intents of a game's sheets, which anybody may look up, whoever is asked."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the rules: a heading and Markdown text."""

    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Credits:
    """The people whose game it is. The names are as printed and are not translated.

    A fact that nobody is sure of is left out: then it is said that it is not known, and nothing is guessed.
    """

    authors: tuple[str, ...]
    publishers: tuple[str, ...]
    year: int | None = None
    """The year of the edition that this is."""


@dataclass(frozen=True, slots=True)
class Action:
    """A button on the table message or the announcement.

    It makes a move, opens the private screen, or shows something to look up.
    """

    label: str
    intent: str
    emoji: str | None = None
    arg: str = ""


@dataclass(frozen=True, slots=True)
class Pressed:
    """A press on a game's button or menu: its intent and argument, and what all menus of the screen show as chosen.

    The argument and the choices cannot be trusted: they may be forged or come from another version.
    """

    intent: str
    arg: str
    choices: Choices

    @property
    def chosen(self) -> Sequence[str]:
        """The choices in all menus with the pressed menu's intent; empty for a button."""
        return self.choices.get(self.intent, ())


@dataclass(frozen=True, slots=True)
class Selection:
    """The meaning of a press that is not a move yet: what the screen's menus show as chosen after it."""

    choices: Choices


V = TypeVar("V", bound=MatchView)
M = TypeVar("M")
V_contra = TypeVar("V_contra", bound=MatchView, contravariant=True)
M_co = TypeVar("M_co", covariant=True)

Meaning = Callable[[V_contra, Pressed], M_co | Moves[M_co] | Selection]
"""Says what a press means in the presser's view: a move, several of one press, or the selection after it.

Raises `IllegalMove` if the press means neither.
"""


def keep_selection(_view: object, pressed: Pressed) -> Selection:
    """The meaning of a menu that makes no move by itself: the screen shows the choice and waits for another press."""
    return Selection(pressed.choices)


@dataclass(frozen=True, slots=True)
class Setting:
    """The names of an option of the game that the table's host may choose: by the start command, or in the lobby.

    `title` is a word or two for the lobby, `describe` the option's description at the command (100 characters), and
    `choices` names the option's values. The value that holds unless one is chosen is the option's default. If that
    default is None, `unchosen` names what happens then, such as a draw, and the host can go back to it.
    `shown` says more of a value in the lobby than its name, or says something of the unchosen option (None).
    """

    title: str
    describe: str
    choices: Mapping[str, str]
    unchosen: str = ""
    shown: Mapping[str | None, str] = field(default_factory=dict[str | None, str])

    def in_lobby(self, value: str | None) -> str:
        """The value in words for the lobby; empty for a value that is not a choice."""
        return self.shown.get(value) or escape(self.choices.get(value or "", ""))


Refusal = str | Callable[[Mapping[str, Any]], str]
"""Why the rules forbid a move: a text with the refusal's facts as fields, or what makes the sentence of the facts."""


class Told(NamedTuple):
    """An event as one viewer may know it."""

    kind: str
    seat: int | None
    facts: Mapping[str, Any]


class GameTexts(ABC, Generic[V_contra]):
    """The words of a game: its description, its prompts and its news."""

    @abstractmethod
    def title(self) -> str:
        """The game's whole name."""

    def summary(self) -> str:
        """The game's subject, in a sentence. None unless overridden."""
        return ""

    @abstractmethod
    def credits(self) -> Credits:
        """The authors and publishers of the printed game, for `/games`, the rules and the page of a match."""

    @by_language
    def words(self) -> GameWords:
        """The host's words about this game. Override it if the game has no hands and cards."""
        return GameWords()

    def settings(self) -> Mapping[str, Setting]:
        """The names of what the table's host may choose, by the field of the game's `options_type`."""
        return {}

    def options_text(self, options: Mapping[str, Any]) -> str:
        """The chosen settings in words for the lobby, as `settings` names them; empty if there are none."""
        shown = [
            f"{setting.title}: {text}"
            for name, setting in self.settings().items()
            if (text := setting.in_lobby(options.get(name)))
        ]
        return " · ".join(shown)

    def public_prompt(self, view: V_contra, seat: int, names: Names) -> str:
        """A sentence for all about what a seat is asked now: "**Ana** is to dig."."""
        return _("It is {who}'s turn.").format(who=names.bold(seat))

    def prompt(self, view: V_contra, seat: int) -> str:
        """The same as a sentence to the person who is asked: "it is your turn."."""
        # Translators: follows a name and a comma: “@Ana, it is your turn.”
        return _("it is your turn.")

    def call_line(self, view: V_contra) -> str:
        """The public fact that matters most to a called player, in one line: the market. None unless overridden."""
        return ""

    @abstractmethod
    def tell(self, event: Told, viewer: int | None, names: Names) -> str:
        """One line about an event, for this viewer."""

    def recap(self, events: Sequence[Told], viewer: int | None, names: Names) -> list[str]:
        """The sum of these events for this viewer, in as few lines as possible; one line is best.

        The events are those of one player's moves with nobody else's move between them, or of a turn as `newest_turn`
        counts them, or a single event of the set-up. An event that needs no line may be left out, also the only one.
        How many lines there are must depend on nothing that the viewer may not know. A line for each event unless
        overridden.
        """
        return [self.tell(event, viewer, names) for event in events]

    def concerns(self, event: Told, viewer: int) -> bool:
        """Whether an event in another player's move did something to this viewer: a theft, a loss, a lost fight.

        Such events are told to the viewer one by one, and first. An event of the viewer's own seat unless overridden.
        """
        return event.seat == viewer

    def newest_turn(self, events: Sequence[Told]) -> int:
        """How many of these newest events belong to the turn that is played now, or was played last.

        The private screen tells at least these, so that a turn with much to tell is told whole, and `recap` gets the
        events of a turn together, also those of moves that others made in it. 0 unless overridden.
        """
        return 0

    def refusals(self) -> Mapping[str, Refusal]:
        """Why the rules forbid a move, by the code of `IllegalMove`: each text names the rule. Empty unless overridden.

        A code without a text gets a general sentence.
        """
        return {}

    def refuse(self, error: IllegalMove) -> str:
        """Why the rules forbid a move: the text of its code, with its facts filled in."""
        text = self.refusals().get(error.code) or _general_refusal(error.code)
        return text.format(**error.facts) if isinstance(text, str) else text(error.facts)

    @abstractmethod
    def rules(self) -> list[Page]:
        """The pages of the rules, with all cards and the provenance of their numbers."""

    def reference_page(self) -> int:
        """The number of the page of `rules` that people look up most in a match, where it comes first then."""
        return 0

    def primer(self) -> list[str]:
        """Three lines for the first hand of somebody who has never played this game here. None unless overridden."""
        return []

    def result(self, view: V_contra, names: Names) -> list[str]:
        """The ranks and what made them, a line each. The scores unless overridden."""
        outcome = view.outcome
        assert outcome is not None
        return [
            f"{place} {names.bold(seat)} · **{outcome.scores[seat]}**" for seat, place in ranking(outcome)
        ]

    def highlights(self, events: Sequence[Told], view: V_contra, names: Names) -> list[str]:
        """The highlights of a match that is over: three or four short lines, best first.

        The events are all that happened, as a spectator saw them, without moves that were taken back; `view` is a
        spectator's. A line tells only what follows from them, and names all who share a first place
        (`bot.ui.screens.highlights`). An event that did not happen gets no line. None unless overridden.
        """
        return []


class GameBoard(ABC, Generic[V_contra]):
    """The public screens of a match: the game's part of the table message, and sheets to look up."""

    @abstractmethod
    def board(self, view: V_contra, names: Names) -> list[Item]:
        """The table's public part of the table message."""

    def actions(self, view: V_contra) -> list[Action]:
        """The buttons for whoever is asked, on the table message and on the message that calls them.

        Both messages have a button that opens the private screen anyway. None unless overridden.
        """
        return []

    def sheets(self, view: V_contra, names: Names) -> list[Action]:
        """The buttons on the table message with which anybody, even a spectator, may look something up.

        Their intents begin with `LOOKED_UP`. None unless overridden.
        """
        return []

    def sheet(self, view: V_contra, names: Names, pressed: Pressed, to: Id) -> list[Item]:
        """The sheet for the presser of a button of `sheets`, or of one on the sheet itself. Nobody else sees it.

        `view` is a spectator's, whoever presses. Each button and menu of the sheet sends `to` with an intent that
        begins with `LOOKED_UP`; the sheet is then drawn anew from the present state. Raises `Refused("unknown")` for
        a press that means nothing.
        """
        raise Refused("unknown")


class GamePrivate(ABC, Generic[V_contra, M_co]):
    """The private screen of one seat, and the meaning of its presses."""

    def private(self, view: V_contra, names: Names, choices: Choices, to: Id) -> list[Item]:
        """The viewer's private screen: what they have, and what they may do now, with the selection.

        The private text, and for an asked viewer what `decide` draws, unless overridden. Raises as `decide` does.
        """
        own: list[Item] = [ui.text(self.private_text(view))]
        if own_decision(view) is None:
            return own
        return [*own, ui.separator(), *self.decide(view, names, choices, to)]

    @abstractmethod
    def private_text(self, view: V_contra) -> str:
        """The viewer's private information, such as a hand, as text for direct messages and while a match is paused."""

    @abstractmethod
    def decide(self, view: V_contra, names: Names, choices: Choices, to: Id) -> list[Item]:
        """The buttons and menus of the viewer, who is being asked, with the selection.

        Each button and menu sends `to` with an intent of `presses`, and an argument if it needs one. Raises
        `IllegalMove` if the selection was never offered.
        """

    @abstractmethod
    def presses(self) -> Mapping[str, Meaning[V_contra, M_co]]:
        """The meaning of each button and menu that this game draws, by its intent.

        Nothing else can be pressed: the host treats any other intent as one of an older version.
        """

    def premove_text(self, view: V_contra, move: Any) -> str:
        """The effect of a premove of the viewer, as a sentence to them: "You lose 2 Coins.".

        `view` is the viewer's present one. Empty unless overridden.
        """
        return ""


class GamePictures(ABC, Generic[V_contra]):
    """A game's pictures. Each of them is optional by itself.

    A picture is made from a view, and has an alt text in the language that is being spoken.
    """

    def parts(self) -> Sequence[Part]:
        """All parts that this game's pictures are made of, for the sheet on which they are looked at together."""
        return ()

    def emoji_parts(self) -> Mapping[str, Part]:
        """The parts that stand for this game's emoji on Discord, by the emoji that its texts and buttons use.

        Where Discord shows no emoji of the application's own, the texts' emoji are seen as they are.
        """
        return {}

    def banner(self) -> Picture | None:
        """The picture at the head of a lobby."""
        return None

    def table_picture(self, view: V_contra) -> Picture | None:
        """The public part of the table, for the table message. `view` is a spectator's while the match is played.

        A game that has it can be watched as a film.
        """
        return None

    def own_picture(self, view: V_contra) -> Picture | None:
        """The viewer's possessions, such as a hand, for their private screen."""
        return None

    def sheet_picture(self, view: V_contra, pressed: Pressed) -> Picture | None:
        """The picture of a sheet, such as a company or a card's two sides. Arguments as for `sheet`."""
        return None

    def vignette(self, events: Sequence[Told]) -> Picture | None:
        """A small square picture of what was most memorable in these events of one turn; None if nothing was."""
        return None

    def podium(self, view: V_contra) -> Picture | None:
        """The result of a match that is over: the ranks, and what the winner has won with."""
        return None


class GameScreens(
    GameTexts[V_contra], GameBoard[V_contra], GamePrivate[V_contra, M_co], GamePictures[V_contra]
):
    """A game's texts, screens, presses and pictures, made with the game.

    Eight methods are abstract; all others have a default. A missing one is found when the object is made.
    """

    game: ClassVar[str]
    """The engine's key, which is the name of the command group too."""
    colour: int = SAND

    def __init__(self, game: AnyGame) -> None:
        """`game` has the card list that is played with, for screens that name its cards."""


AnyScreens = GameScreens[Any, Any]
"""A game's screens for the host, which does not know the types of views and moves."""


def has_pictures(screens: AnyScreens) -> bool:
    """Whether a game's table is drawn, so that its matches can be watched as films."""
    return type(screens).table_picture is not AnyScreens.table_picture


def _general_refusal(code: str) -> str:
    """Why the rules forbid a move, for a code that every game has or that no text tells of."""
    general = {
        "not-your-move": _("It is not your turn."),
        "unknown-move": _("That cannot be done in this game."),
    }
    return general.get(code) or _("The rules do not allow that now.")


def meant_by(screens: GameScreens[V, M], view: V, pressed: Pressed) -> M | Moves[M] | Selection:
    """The move or moves that a press means in the presser's view, or the selection after it.

    Raises `IllegalMove` if it means neither, and `Refused("unknown")` for an intent that the game does not have.
    """
    meaning = screens.presses().get(pressed.intent)
    if meaning is None:
        raise Refused("unknown")
    return meaning(view, pressed)
