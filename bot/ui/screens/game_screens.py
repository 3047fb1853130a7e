"""The one interface between the host and a game's screens, and the way from presses to moves.

A game's package in `cogs` derives its screens from `GameScreens[View, Move]`, with the game's own types of views and
moves. All screens are made from a view, and all texts are in the current language (`bot.language.speaking`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, ClassVar, Final, Generic, Literal, Self, TypeVar

from bot.art.ink import Part
from bot.art.picture import Picture
from bot.art.scene import Deed
from bot.language import by_language
from bot.language import gettext as _
from bot.tables.play import Moves
from bot.tables.refusals import Refused
from bot.ui.screens import components as ui
from bot.ui.screens.game_parts import Credits as Credits  # part of this module's interface
from bot.ui.screens.game_parts import GameWords, Opponent
from bot.ui.screens.game_parts import Pressed as Pressed
from bot.ui.screens.game_parts import SeenEvent as SeenEvent
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import SAND, Choices, Item, escape, ranking
from bot.ui.screens.lessons import Lesson
from bot.ui.screens.names import Names
from engine.agents.advice import Reason
from engine.agents.search import Outlook
from engine.errors import IllegalMove
from engine.game import AnyGame, MatchView, Outcome, own_decision

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
class Action:
    """A button on the table message or the announcement: a move, the way to the private screen, or to a sheet."""

    label: str
    intent: str
    emoji: str | None = None
    arg: str = ""


@dataclass(frozen=True, slots=True)
class Selection:
    """The meaning of a press that is not a move yet: the choices that the screen's menus show after the press."""

    choices: Choices


T = TypeVar("T")
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


def _always(make: Callable[[], T]) -> Callable[..., T]:
    """A function that returns a new value of this kind, whatever it is given."""
    return lambda *_given: make()


_empty, _zero, _false, _none = _always(str), _always(int), _always(bool), _always(lambda: None)
_nothing, _no_table = _always(list[Any]), _always(dict[str, Any])


def _plain(n: float) -> str:
    return f"{n:g}"


def _of_own_seat(event: SeenEvent, viewer: int) -> bool:
    return event.seat == viewer


def _same_view(view: Any, _given: object) -> Any:
    return view


def _public_prompt(_view: object, seat: int, names: Names) -> str:
    return _("It is {who}'s turn.").format(who=names.bold(seat))


def _prompt(_view: object, _seat: int) -> str:
    # Translators: follows a name and a comma: “@Ana, it is your turn.”
    return _("it's your turn.")


def _result(view: MatchView, names: Names) -> list[str]:
    outcome = view.outcome
    assert outcome is not None
    return [f"{place} {names.bold(seat)} · **{outcome.scores[seat]}**" for seat, place in ranking(outcome)]


def _refused_sheet(_view: object, _names: Names, _pressed: Pressed, _to: Id) -> list[Item]:
    raise Refused("unknown")


class GameScreens(Generic[V_contra, M_co]):
    """A game's texts, screens, presses and pictures: functions of views and events, made with the game.

    A game assigns functions of its modules (`board = staticmethod(table.board)`), or defines a method where it needs
    more than these get. A member without a value here is the game's to give; without one, the object cannot be made.
    All others have a default.
    """

    game: ClassVar[str]
    """The engine's key of the game, which is also the name of the command group."""

    def __new__(cls, game: AnyGame) -> Self:
        members = GameScreens.__annotations__
        if lacking := sorted(name for name in members if not hasattr(cls, name)):
            raise TypeError(f"{cls.__name__} lacks {', '.join(lacking)}")
        return super().__new__(cls)

    def __init__(self, game: AnyGame) -> None:
        """`game` has the card list in use, for screens that name its cards."""

    # -- the game, its rules and its result

    colour: int = SAND
    minutes: tuple[int, int] | None = None
    """About the minutes of a match in one sitting, against a computer player and of a full table, if known."""
    weight: Weight | None = None
    title: Callable[[], str]
    summary: Callable[[], str] = staticmethod(_empty)
    """The game's subject, in a sentence."""
    credits: Credits
    """The authors and publishers of the printed game, for `/games list`, the rules and the page of a match."""
    words: Callable[[], GameWords] = staticmethod(by_language(GameWords))
    """The host's words about this game. To be given if the game has no hands and cards."""
    settings: Callable[[], Mapping[str, Setting]] = staticmethod(_no_table)
    """The names of the options that the table's host may choose, by field of the game's `options_type`."""
    rules: Callable[[], list[Page]]
    """The pages of the rules, with all cards and the provenance of their numbers."""
    primer: Callable[[V_contra], list[str]] = staticmethod(_nothing)
    """A few lines on how the game goes, behind the button **?** of the private screen."""
    lesson: Lesson | None = None
    """The game's guided match (docs/adding-a-game.md)."""
    opponents: Callable[[], Mapping[str, Opponent]] = staticmethod(_no_table)
    """The lines and odds of the game's agents, by level."""
    result: Callable[[V_contra, Names], list[str]] = staticmethod(_result)
    """The ranks with their reasons, a line each. By default, the ranks with scores."""
    highlights: Callable[[Sequence[SeenEvent], V_contra, Names], list[str]] = staticmethod(_nothing)
    """The highlights of a match that is over: three or four short lines, best first, of what did happen.

    The events are all those of the match, as a spectator saw them, without moves that were taken back; the view is a
    spectator's. A line names all seats that share a first place (`bot.ui.screens.game_parts`).
    """
    feat: Callable[[str, int], str] = staticmethod(_empty)
    """A feat (`engine.game.Feat`), by name and size, in words: "largest sale $30". Without words it is not shown."""
    compare: Callable[[Sequence[SeenEvent], Sequence[SeenEvent], int, str], str] = staticmethod(_empty)
    """Where two plays of one deal by a seat first differ, in a sentence to the first's person."""
    course: Callable[[Sequence[SeenEvent], int], Sequence[str]] = staticmethod(_nothing)
    """How a match went for a seat, in lines of a sign a turn and their legend, without giving the deal away.

    The events are as for `compare`. A game with a daily deal has this and `pace`.
    """
    pace: Callable[[Sequence[SeenEvent], int], Sequence[int]] = staticmethod(_nothing)
    """The score of a seat after each of its turns, and now."""

    ties: Callable[[Outcome, Names], Sequence[str]] = staticmethod(_nothing)
    """How ties of scores were broken, a line each. A game with a daily deal has this."""

    # -- what happens

    public_prompt: Callable[[V_contra, int, Names], str] = staticmethod(_public_prompt)
    """A public sentence about the open decision of a seat: "**Ana** is to dig."."""
    prompt: Callable[[V_contra, int], str] = staticmethod(_prompt)
    """The same sentence, to the person with the open decision: "it is your turn."."""
    heading: Callable[[V_contra, Names], str] = staticmethod(_empty)
    """The line above the viewer's decision, with what they have: "**Your turn** · 5 cards". By default the `prompt`."""
    end_line: Callable[[V_contra, Names], str] = staticmethod(_empty)
    """The public facts that the end of the match is near, in a line above what the viewer decides; empty before.

    `prompt` stands above it: what that says, the line does not repeat.
    """
    call_line: Callable[[V_contra], str] = staticmethod(_empty)
    """The most important public fact for a called player, in one line: the market."""
    describe: Callable[[SeenEvent, int | None, Names], str]
    """One line about an event, for this viewer."""

    def recap(self, events: Sequence[SeenEvent], viewer: int | None, names: Names) -> list[str]:
        """A summary of these events for this viewer, in as few lines as possible; one line is best.

        The events are those of one player's consecutive moves, or of a turn as `newest_turn` counts them, or a single
        event of the set-up. An event that needs no line may be left out, even if it is the only one. The number of
        lines must depend only on facts that the viewer may know. A line for each event unless overridden.
        """
        return [self.describe(event, viewer, names) for event in events]

    alike: frozenset[str] = frozenset()
    """The kinds of events that `recap` tells of several players at once, whose turns were the same."""
    causes: frozenset[str] = frozenset()
    """The kinds of events without which a review does not tell of what others then gain or lose."""
    leads_to: Callable[[SeenEvent, Sequence[SeenEvent]], bool] = staticmethod(_false)
    """Whether an event explains one of these later events of its turn, which are not told without it."""
    concerns: Callable[[SeenEvent, int], bool] = staticmethod(_of_own_seat)
    """Whether an event in another player's move affected this viewer: a theft, a loss, a lost fight.

    Such events have a line each in the viewer's news. By default, True for events of the viewer's own seat.
    """

    moment: Callable[[SeenEvent, int | None], int] = staticmethod(_zero)
    """How much an event stands out for this viewer; 0 for not. The greatest since their last turn is a heading."""

    effect: Callable[[SeenEvent], int] = staticmethod(_zero)
    """How good an event is for its own seat, from -3 to 3; 0 for neither. Reviews tell the causes of turning points."""
    takes_lead: Callable[[SeenEvent], bool] = staticmethod(_false)
    """Whether an event took the lead from another seat: a review tells the last one."""

    differences: Callable[[V_contra, tuple[Outlook, Outlook], Sequence[Any], Names], list[str]] = (
        staticmethod(_nothing)
    )
    """The differences between what seats hold at the end after two moves, or after and before a turning point, which
    has no moves, that matter most to the viewer, with what became of them, in lines. The view is that of the end.
    """
    meaning: Callable[[Any, Names], str] = staticmethod(_empty)
    """The meaning of a turning point of a review (`Swing`), beside its events; empty for nothing."""
    helped: Callable[[V_contra, Sequence[SeenEvent], Sequence[SeenEvent], int, Names], str] = staticmethod(
        _empty
    )
    """The use that others made in the latter of these events, all before the view, of what this seat gave away."""

    def news_line(self, event: SeenEvent, viewer: int | None, names: Names) -> str:
        """The line about one event in the viewer's news; empty for what the viewer's decision or other lines say."""
        return self.describe(event, viewer, names)

    def suspense(
        self, turn: Sequence[SeenEvent], move: Sequence[SeenEvent], names: Names
    ) -> tuple[Sequence[SeenEvent], list[str]]:
        """The subject of a roll in a person's move, the last of these events of a turn: for a picture, and in words.

        The mover's screen shows it for a moment before the result. No lines if nothing was rolled that matters.
        """
        return (), []

    newest_turn: Callable[[Sequence[SeenEvent]], int] = staticmethod(_zero)
    """The number of these newest events that belong to the turn under way, or to the last turn.

    `recap` receives all events of a turn together, also those of other players' moves in the turn, and the table
    message shows at least these events. By default 0: a turn is then what one player did in a row.
    """

    # -- the table message, and sheets to look up

    board: Callable[[V_contra, Names], list[Item]]
    """The table's public part of the table message."""
    actions: Callable[[V_contra], list[Action]] = staticmethod(_nothing)
    """The buttons for the seats with an open decision, on the table message and on announcements.

    Both messages also have a button for the private screen, unless an action of the announcement is `OWN_SCREEN`.
    """
    sheets: Callable[[V_contra, Names], list[Action]] = staticmethod(_nothing)
    """The buttons behind **More** that open a sheet for anybody. Their intents begin with `SHEET_INTENTS`."""
    sheet: Callable[[V_contra, Names, Pressed, Id], list[Item]] = staticmethod(_refused_sheet)
    """The sheet for the presser of a button of `sheets`, or of a button on the sheet. Nobody else sees the sheet.

    The view is a spectator's for every presser. Each button and menu of the sheet sends the id with an intent that
    begins with `SHEET_INTENTS`; the sheet is then drawn anew from the present state. Raises `Refused("unknown")` for a
    press without a meaning.
    """

    # -- the private screen of one seat, and the meaning of its presses

    def private(self, view: V_contra, names: Names, choices: Choices, to: Id) -> list[Item]:
        """The viewer's private screen: their possessions, and their possible moves with the selection.

        Unless overridden, the private text, followed by the items of `decide` if the viewer has an open decision.
        Raises as `decide` does.
        """
        own: list[Item] = [ui.text(self.private_text(view))]
        if own_decision(view) is None:
            return own
        return [*own, ui.separator(), *self.decide(view, names, choices, to)]

    private_text: Callable[[V_contra], str]
    """The viewer's private information, such as a hand, as text for direct messages and while a match is paused."""
    revealed: Callable[[V_contra, Names], str] = staticmethod(_empty)
    """The viewer's cards that others could not see, in a line with the viewer's name, for all after the end.

    Empty if there was nothing. Without it, nothing is hidden in the game.
    """
    decide: Callable[[V_contra, Names, Choices, Id], list[Item]]
    """The buttons and menus for the viewer's open decision, with the selection.

    Each button and menu sends the id with an intent of `presses`, and an argument if it needs one. Raises `IllegalMove`
    if the selection was never offered.
    """
    presses: Callable[[], Mapping[str, Meaning[V_contra, M_co]]]
    """The meaning of each button and menu that this game draws, by its intent.

    The host refuses any other intent as one of an older version.
    """
    premove_text: Callable[[V_contra, Any], str] = staticmethod(_empty)
    """The effect of a premove of the viewer, in the present view, as a sentence: "You lose 2 Coins."."""

    refusals: Callable[[], Mapping[str, Refusal]] = staticmethod(_no_table)
    """Why the rules forbid a move, by the code of `IllegalMove`. A code without a text gets a general sentence."""

    def refuse(self, error: IllegalMove) -> str:
        """Why the rules forbid a move: the text for the error's code, with the error's facts filled in."""
        text = self.refusals().get(error.code) or _general_refusal(error.code)
        return text.format(**error.facts) if isinstance(text, str) else text(error.facts)

    # -- hints and reviews

    move_text: Callable[[V_contra, Any, Names], str] = staticmethod(_empty)
    """A possible move of the viewer, as a proposal: "Sell 5 Coins for $15.".

    A game whose strongest agent gives reasons (`engine.agents.advice.adviser_of`) has this and `reason_text`.
    """
    reason_text: Callable[[V_contra, Reason, Names], str] = staticmethod(_empty)
    """Why a move may be good, as a sentence: "The museum takes no larger set.". Empty if there is little to say."""
    counts_rounds: bool = False
    """Whether the game's screens count the rounds of a match, `view.round`. A review then has them for one's turns."""
    amount: Callable[[float], str] = staticmethod(_plain)
    """An amount in the unit of scores, with its sign: "$6". By default the number alone."""
    selection_for: Callable[[V_contra, Any], Choices] = staticmethod(_no_table)
    """The selection with which the screen makes at one press a legal move that otherwise takes several."""
    preselected: Callable[[V_contra, Any], bool] = staticmethod(_false)
    """Whether this move is selected before the viewer chooses anything, so that a review does not praise it."""

    # -- pictures, each of which is optional; their alt text is in the current language

    own_in_film: bool = True
    """Whether a film has the seats' own pictures below the table's. False if the table's picture shows the same."""
    emoji_parts: Callable[[], Mapping[str, Part]] = staticmethod(_no_table)
    """The drawings of this game's own emoji on Discord, by the ordinary emoji that its texts and buttons use.

    Where Discord shows no emoji of the application's own, the ordinary emoji are shown.
    """
    sign: Callable[[], Part | None] = staticmethod(_none)
    """The game's sign in pictures that show several games, about as high as wide."""
    banner: Callable[[], Picture | None] = staticmethod(_none)
    """The picture at the head of a lobby."""
    table_picture: Callable[[V_contra], Picture | None] = staticmethod(_none)
    """The public part of the table, for the table message. The view is a spectator's while the match is played.

    A game with this picture can be watched as a film.
    """
    view_of_turn: Callable[[Any, int], Any] = staticmethod(_same_view)
    """The view in which the table's picture marks this seat, whose turn has just ended: for a film's frame."""
    own_picture: Callable[[V_contra], Picture | None] = staticmethod(_none)
    """The viewer's possessions, such as a hand, for their private screen."""

    def own_picture_after(self, view: V_contra, events: Sequence[SeenEvent]) -> Picture | None:
        """The same with what these events have brought marked: the viewer's last move and what followed it."""
        return self.own_picture(view)

    view_of_choices: Callable[[Any, Choices], Any] = staticmethod(_same_view)
    """The view whose `own_picture` shows what is selected in the viewer's menus."""
    sheet_picture: Callable[[V_contra, Pressed], Picture | None] = staticmethod(_none)
    """The picture of a sheet, such as a company or a card's two sides. Arguments as for `sheet`."""
    vignette: Callable[[Sequence[SeenEvent]], Picture | None] = staticmethod(_none)
    """A picture of the most memorable event among these of one turn; None if none is memorable.

    It is square and 240 pixels wide, or as wide as a message for an event that all at the table talk about.
    """
    deeds: Callable[[Sequence[SeenEvent]], Sequence[Deed]] = staticmethod(_nothing)
    """The deeds in these events of one turn, in its order, as signs: for the caption of a film's frame.

    There is at least one deed, even for a turn that brought nothing.
    """
    podium: Callable[[V_contra], Picture | None] = staticmethod(_none)
    """The result of a match that is over: the ranks, and the winner's means of winning."""


AnyScreens = GameScreens[Any, Any]
"""A game's screens in the host, which does not depend on the types of views and moves."""


def has_pictures(screens: AnyScreens) -> bool:
    """Whether a game has table pictures, so that its matches can be watched as films."""
    return type(screens).table_picture is not AnyScreens.table_picture


def _general_refusal(code: str) -> str:
    """Why the rules forbid a move, for a code that every game has or a code without a text."""
    if code == "not-your-move":
        return _("It's not your turn.")
    if code == "unknown-move":
        return _("That can't be done in this game.")
    return _("The rules don't allow that now.")


def meant_by(screens: GameScreens[V, M], view: V, pressed: Pressed) -> M | Moves[M] | Selection:
    """The meaning of a press (`Meaning`). Raises `Refused("unknown")` for an intent that the game does not have."""
    meaning = screens.presses().get(pressed.intent)
    if meaning is None:
        raise Refused("unknown")
    return meaning(view, pressed)
