"""The one interface between the host and a game's screens, and the way from presses to moves.

A game's package in `cogs` derives its screens from `GameScreens[View, Move]`, with the game's own types of views and
moves. All screens are made from a view, and all texts are in the current language (`bot.language.speaking`).
The interface has four parts: texts, board, private screen, pictures.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Generic, Literal, TypeVar

from bot.art.picture import Picture
from bot.language import by_language
from bot.language import gettext as _
from bot.tables.play import Moves
from bot.tables.refusals import Refused
from bot.ui.screens import components as ui
from bot.ui.screens.game_parts import GamePictures, GameWords, Opponent
from bot.ui.screens.game_parts import Pressed as Pressed  # part of this module's interface
from bot.ui.screens.game_parts import SeenEvent as SeenEvent
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import SAND, Choices, Item, escape, ranking
from bot.ui.screens.lessons import Lesson
from bot.ui.screens.names import Names
from engine.agents.advice import Reason
from engine.errors import IllegalMove
from engine.game import AnyGame, MatchView, own_decision

OWN_SCREEN: Final = "hand"
"""The intent that opens the presser's private screen. It is one of the host's intents."""
GAME_INTENTS: Final = "g."
"""The beginning of a game's own intents. The host's intents begin otherwise."""
SHEET_INTENTS: Final = "s."
"""The beginning of the intents of a game's sheets, which anybody may look up at any time."""


@dataclass(frozen=True, slots=True)
class Page:
    """A page of the rules: a heading, Markdown text, and perhaps a picture, whose content the text has as well."""

    title: str
    text: str
    picture: Callable[[], Picture | None] | None = None
    reference: bool = False
    """Whether people look this page up most in a match, which then shows it first."""


@dataclass(frozen=True, slots=True)
class Credits:
    """The authors and publishers of a printed game. The names are as printed and are not translated.

    An uncertain fact is left out, and the texts then say that it is not known.
    """

    authors: tuple[str, ...]
    publishers: tuple[str, ...]
    year: int | None = None
    """The year of the implemented edition."""


@dataclass(frozen=True, slots=True)
class Action:
    """A button on the table message or the announcement.

    The button makes a move, opens the private screen, or shows a sheet.
    """

    label: str
    intent: str
    emoji: str | None = None
    arg: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """The meaning of a press that is not a move yet: the choices that the screen's menus show after the press."""

    choices: Choices


V = TypeVar("V", bound=MatchView)
M = TypeVar("M")
V_contra = TypeVar("V_contra", bound=MatchView, contravariant=True)
M_co = TypeVar("M_co", covariant=True)

Meaning = Callable[[V_contra, Pressed], M_co | Moves[M_co] | Selection]
"""Returns the meaning of a press in the presser's view: a move, several moves, or the selection after the press.

Raises `IllegalMove` if the press has no such meaning.
"""


def keep_selection(_view: object, pressed: Pressed) -> Selection:
    """The meaning of a menu that makes no move by itself: the screen shows the choice and awaits another press."""
    return Selection(pressed.choices)


@dataclass(frozen=True, slots=True)
class Setting:
    """The names of an option of the game that the table's host may choose: by the start command, or in the lobby.

    `title` is a word or two for the lobby, `describe` the option's description in the command (at most 100 characters),
    and `choices` names the option's values. The option's default applies unless a value is chosen. If the default is
    None, `unchosen` names its effect, such as a draw, and the host can return to it. `shown` has longer texts for the
    lobby than the names of values; its key None is the unchosen option.
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
"""Why the rules forbid a move: a text with the refusal's facts as fields, or a function from the facts to the text."""


Weight = Literal["light", "medium"]
"""How much a newcomer has to learn: a page of rules, or several with many kinds of cards."""


class GameTexts(ABC, Generic[V_contra]):
    """The texts of a game: its description, its prompts, its news, its rules and its result."""

    minutes: ClassVar[int | None] = None
    """About how many minutes a match takes in one sitting; None if that is not known."""
    weight: ClassVar[Weight | None] = None

    @abstractmethod
    def title(self) -> str:
        """The game's full name."""

    def summary(self) -> str:
        """The game's subject, in a sentence. Empty unless overridden."""
        return ""

    @abstractmethod
    def credits(self) -> Credits:
        """The authors and publishers of the printed game, for `/games list`, the rules and the page of a match."""

    @by_language
    def words(self) -> GameWords:
        """The host's words about this game. To be overridden if the game has no hands and cards."""
        return GameWords()

    def settings(self) -> Mapping[str, Setting]:
        """The names of the options that the table's host may choose, by field of the game's `options_type`."""
        return {}

    def options_text(self, options: Mapping[str, Any]) -> str:
        """The chosen options in words for the lobby, with the names of `settings`; empty if there are none."""
        shown = [
            f"{setting.title}: {text}"
            for name, setting in self.settings().items()
            if (text := setting.in_lobby(options.get(name)))
        ]
        return " · ".join(shown)

    def public_prompt(self, view: V_contra, seat: int, names: Names) -> str:
        """A public sentence about the open decision of a seat: "**Ana** is to dig."."""
        return _("It is {who}'s turn.").format(who=names.bold(seat))

    def prompt(self, view: V_contra, seat: int) -> str:
        """The same sentence, to the person with the open decision: "it is your turn."."""
        # Translators: follows a name and a comma: “@Ana, it is your turn.”
        return _("it's your turn.")

    def end_line(self, view: V_contra, names: Names) -> str:
        """The public facts that the end of the match is near, in a line above what the viewer decides; empty before.

        `prompt` stands above it: what that says, the line does not repeat. Empty unless overridden.
        """
        return ""

    def call_line(self, view: V_contra) -> str:
        """The most important public fact for a called player, in one line: the market. Empty unless overridden."""
        return ""

    @abstractmethod
    def tell(self, event: SeenEvent, viewer: int | None, names: Names) -> str:
        """One line about an event, for this viewer."""

    def recap(self, events: Sequence[SeenEvent], viewer: int | None, names: Names) -> list[str]:
        """A summary of these events for this viewer, in as few lines as possible; one line is best.

        The events are those of one player's consecutive moves, or of a turn as `newest_turn` counts them, or a single
        event of the set-up. An event that needs no line may be left out, even if it is the only one. The number of
        lines must depend only on facts that the viewer may know. A line for each event unless overridden.
        """
        return [self.tell(event, viewer, names) for event in events]

    def concerns(self, event: SeenEvent, viewer: int) -> bool:
        """Whether an event in another player's move affected this viewer: a theft, a loss, a lost fight.

        Such events have a line each in the viewer's news. Unless overridden, True for events of the viewer's own seat.
        """
        return event.seat == viewer

    def news_line(self, event: SeenEvent, viewer: int | None, names: Names) -> str:
        """The line about one event in the viewer's news; empty for what the viewer's decision or other lines say.

        `tell` unless overridden.
        """
        return self.tell(event, viewer, names)

    def newest_turn(self, events: Sequence[SeenEvent]) -> int:
        """The number of these newest events that belong to the turn under way, or to the last turn.

        `recap` receives all events of a turn together, also those of other players' moves in the turn, and the table
        message shows at least these events. 0 unless overridden: a turn is then what one player did in a row.
        """
        return 0

    def refusals(self) -> Mapping[str, Refusal]:
        """Why the rules forbid a move, by the code of `IllegalMove`: each text names the rule. Empty unless overridden.

        A code without a text gets a general sentence.
        """
        return {}

    def refuse(self, error: IllegalMove) -> str:
        """Why the rules forbid a move: the text for the error's code, with the error's facts filled in."""
        text = self.refusals().get(error.code) or _general_refusal(error.code)
        return text.format(**error.facts) if isinstance(text, str) else text(error.facts)

    @abstractmethod
    def rules(self) -> list[Page]:
        """The pages of the rules, with all cards and the provenance of their numbers."""

    def primer(self, view: Any) -> list[str]:
        """A few lines on how the game goes, behind the button **?** of the private screen. None unless overridden."""
        return []

    def lesson(self) -> Lesson | None:
        """The game's guided match (docs/adding-a-game.md). None unless overridden."""
        return None

    def opponents(self) -> Mapping[str, Opponent]:
        """The lines and odds of the game's agents, by level. None unless overridden."""
        return {}

    def result(self, view: V_contra, names: Names) -> list[str]:
        """The ranks with their reasons, a line each. The ranks with scores unless overridden."""
        outcome = view.outcome
        assert outcome is not None
        return [
            f"{place} {names.bold(seat)} · **{outcome.scores[seat]}**" for seat, place in ranking(outcome)
        ]

    def amount(self, n: float) -> str:
        """An amount in the unit of scores, with its sign: "$6". The number alone unless overridden."""
        return f"{n:g}"

    def highlights(self, events: Sequence[SeenEvent], view: V_contra, names: Names) -> list[str]:
        """The highlights of a match that is over: three or four short lines, best first.

        The events are all those of the match, as a spectator saw them, without moves that were taken back; `view` is a
        spectator's. A line states only facts that follow from the events, and names all seats that share a first place
        (`bot.ui.screens.game_parts`). There is no line about things that did not happen. None unless overridden.
        """
        return []

    def feat(self, name: str, size: int) -> str:
        """A feat (`engine.game.Feat`) in a few words for profiles: "largest sale $30". Empty unless overridden.

        A feat without words is not shown.
        """
        return ""

    def compare(self, own: Sequence[SeenEvent], other: Sequence[SeenEvent], seat: int, rival: str) -> str:
        """Where two plays of one deal by this seat first differ, in a sentence to the person who made the first.

        The events are those of the whole matches, as a spectator saw them. `rival` mentions the other person. Empty
        unless overridden; a game with a daily deal overrides it.
        """
        return ""


class GameBoard(ABC, Generic[V_contra]):
    """The public screens of a match: the game's part of the table message, and sheets to look up."""

    @abstractmethod
    def board(self, view: V_contra, names: Names) -> list[Item]:
        """The table's public part of the table message."""

    def actions(self, view: V_contra) -> list[Action]:
        """The buttons for the seats with an open decision, on the table message and on announcements; none by default.

        Both messages also have a button for the private screen, unless an action of the announcement is `OWN_SCREEN`.
        """
        return []

    def sheets(self, view: V_contra, names: Names) -> list[Action]:
        """The buttons on the table message that open a sheet for anybody, even for a spectator.

        Their intents begin with `SHEET_INTENTS`. None unless overridden.
        """
        return []

    def sheet(self, view: V_contra, names: Names, pressed: Pressed, to: Id) -> list[Item]:
        """The sheet for the presser of a button of `sheets`, or of a button on the sheet. Nobody else sees the sheet.

        `view` is a spectator's for every presser. Each button and menu of the sheet sends `to` with an intent that
        begins with `SHEET_INTENTS`; the sheet is then drawn anew from the present state. Raises `Refused("unknown")`
        for a press without a meaning.
        """
        raise Refused("unknown")


class GamePrivate(ABC, Generic[V_contra, M_co]):
    """The private screen of one seat, and the meaning of its presses."""

    def private(self, view: V_contra, names: Names, choices: Choices, to: Id) -> list[Item]:
        """The viewer's private screen: their possessions, and their possible moves with the selection.

        Unless overridden, the private text, followed by the items of `decide` if the viewer has an open decision.
        Raises as `decide` does.
        """
        own: list[Item] = [ui.text(self.private_text(view))]
        if own_decision(view) is None:
            return own
        return [*own, ui.separator(), *self.decide(view, names, choices, to)]

    @abstractmethod
    def private_text(self, view: V_contra) -> str:
        """The viewer's private information, such as a hand, as text for direct messages and while a match is paused."""

    def revealed(self, view: V_contra, names: Names) -> str:
        """What the viewer had and others could not see, in a line with the viewer's name, for all after the end.

        Empty if there was nothing. Empty unless overridden: in such a game nothing is hidden.
        """
        return ""

    @abstractmethod
    def decide(self, view: V_contra, names: Names, choices: Choices, to: Id) -> list[Item]:
        """The buttons and menus for the viewer's open decision, with the selection.

        Each button and menu sends `to` with an intent of `presses`, and an argument if it needs one. Raises
        `IllegalMove` if the selection was never offered.
        """

    @abstractmethod
    def presses(self) -> Mapping[str, Meaning[V_contra, M_co]]:
        """The meaning of each button and menu that this game draws, by its intent.

        The host refuses any other intent as one of an older version.
        """

    def premove_text(self, view: V_contra, move: Any) -> str:
        """The effect of a premove of the viewer, as a sentence to the viewer: "You lose 2 Coins.".

        `view` is the viewer's present one. Empty unless overridden.
        """
        return ""

    def move_text(self, view: V_contra, move: Any, names: Names) -> str:
        """A possible move of the viewer, as a proposal: "Sell 5 Coins for $15.". For hints and reviews.

        To be overridden, as `reason_text`, by a game whose strongest agent is an `Adviser`.
        """
        return ""

    def when(self, view: V_contra) -> str:
        """When this is in the match, in the words of the game's screens: "Round 3". Empty unless overridden."""
        return ""

    def selection_for(self, view: V_contra, move: Any) -> Choices:
        """The selection with which the private screen makes this legal move at one press, for hints.

        To be overridden for moves that take several presses on the screen without a selection.
        """
        return {}

    def preselected(self, view: V_contra, move: Any) -> bool:
        """Whether the private screen has this move selected before the viewer chooses anything, so that a review does
        not praise it. Never unless overridden.
        """
        return False

    def reason_text(self, view: V_contra, reason: Reason, names: Names) -> str:
        """Why a move may be good, as a sentence: "The museum takes no larger set.". Empty if there is little to say."""
        return ""


class GameScreens(
    GameTexts[V_contra], GameBoard[V_contra], GamePrivate[V_contra, M_co], GamePictures[V_contra]
):
    """A game's texts, screens, presses and pictures, made with the game.

    Eight methods are abstract; all others have a default. Without an abstract method, the object cannot be made.
    """

    game: ClassVar[str]
    """The engine's key of the game, which is also the name of the command group."""
    colour: int = SAND

    def __init__(self, game: AnyGame) -> None:
        """`game` has the card list in use, for screens that name its cards."""


AnyScreens = GameScreens[Any, Any]
"""A game's screens in the host, which does not depend on the types of views and moves."""


def has_pictures(screens: AnyScreens) -> bool:
    """Whether a game has table pictures, so that its matches can be watched as films."""
    return type(screens).table_picture is not AnyScreens.table_picture


def _general_refusal(code: str) -> str:
    """Why the rules forbid a move, for a code that every game has or a code without a text."""
    general = {
        "not-your-move": _("It's not your turn."),
        "unknown-move": _("That can't be done in this game."),
    }
    return general.get(code) or _("The rules don't allow that now.")


def meant_by(screens: GameScreens[V, M], view: V, pressed: Pressed) -> M | Moves[M] | Selection:
    """The move or moves that a press means in the presser's view, or the selection after the press.

    Raises `IllegalMove` if the press has no such meaning, and `Refused("unknown")` for an intent that the game does not
    have.
    """
    meaning = screens.presses().get(pressed.intent)
    if meaning is None:
        raise Refused("unknown")
    return meaning(view, pressed)
