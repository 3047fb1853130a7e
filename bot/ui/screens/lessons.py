"""Lessons: what a game's lesson consists of, its two lines on a private screen, and the screen at its end."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final, cast

from pydantic import ConfigDict, PlainValidator, TypeAdapter, ValidationError, ValidationInfo

from bot.language import gettext as _
from bot.language import pgettext
from bot.tables.lessons import FINISHED, written
from bot.tables.model import Table
from bot.tables.play import Moves
from bot.ui.screens import components as ui
from bot.ui.screens.components import SUCCESS
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import DAILY, FIRST_TIME, FOLDED, PICTURED, Choices, Screen, button
from bot.ui.screens.names import Names
from engine.errors import BadData, first_flaw
from engine.game import AnyGame

LEARN: Final = "learn"
"""The intent of the buttons that begin or continue a lesson: that of the table's game, or of the argument."""
ANEW: Final = "learn-anew"
"""The intent of the button that begins a table's lesson from its first step."""
START: Final = "learn-match"
"""The intent of the buttons that start a game: a lobby, or a match alone where the bot is on no server.

The argument is the game; the level of an agent may follow after a point.
"""
LEARNER: Final = 0
"""The seat of the person in every lesson."""


def _move(data: Any, info: ValidationInfo) -> Any:
    """A move of the game that is the context, from its form in records."""
    try:
        return cast("AnyGame", info.context).load_move(data)
    except BadData as error:
        raise ValueError(str(error)) from error


def _reply(data: Mapping[str, Any], info: ValidationInfo) -> tuple[int, Any]:
    """A seat with its move, from a move that names the seat as well."""
    if "seat" not in data:
        raise ValueError("a reply names its seat")
    return data["seat"], _move({key: value for key, value in data.items() if key != "seat"}, info)


_STRICT: Final = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Step:
    """A move of the person in a lesson, with the two lines that its screen has until it is made.

    `look` says what to look at, `do` what to do and why. Both may have fields, which `Lesson.facts` fills from the view
    of that moment. The screen has one picture: of what the person has, or `of_table`, if the lines speak of the table.
    `why_not` says why another press is not for now. `shows` are the kinds of events that follow before
    the next step, `proves` are facts of the first event of a kind, and `given` are fields that the texts take for
    granted; a test compares these with the rules. `replies` are the moves of the other seats before the next step.
    If the move takes several presses, `through` has the controls that lead to it, in their order on the screen: each by
    its intent, or by its intent and its argument with a colon between.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    move: Annotated[Any, PlainValidator(_move)]
    look: str
    do: str
    why_not: str = ""
    of_table: bool = False
    shows: tuple[str, ...] = ()
    proves: Mapping[str, Mapping[str, Any]] = field(default_factory=dict[str, Mapping[str, Any]])
    given: Mapping[str, Any] = field(default_factory=dict[str, Any])
    replies: tuple[Annotated[tuple[int, Any], PlainValidator(_reply)], ...] = ()
    through: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Lesson:
    """A game's lesson: a fixed deal, in which each step has one move. Its texts are in English.

    `cards` is the digest of the card list with which it was made. `facts` gives the fields of the texts for a view. At
    its end stand `outcome`, which has the same fields and says where the last move has led, and the sentences
    `closing`. `back` has the controls that lead back from other choices, as `Step.through` names controls.
    """

    __pydantic_config__: ClassVar[ConfigDict] = _STRICT

    seed: int
    seats: int
    cards: str
    steps: tuple[Step, ...]
    closing: tuple[str, ...]
    facts: Callable[[Any, Names], Mapping[str, Any]]
    options: Mapping[str, Any] = field(default_factory=dict[str, Any])
    outcome: str = ""
    back: tuple[str, ...] = ()

    def script(self, game: AnyGame) -> tuple[tuple[int, str], ...]:
        """All moves in their order, as a table stores them."""
        return tuple(written(game, seat, move) for seat, move, _number in self._moves())

    def number(self, moves: int) -> int | None:
        """The index of the step that is due after so many moves; None if none is."""
        order = [number for _seat, _move, number in self._moves()]
        return order[moves] if moves < len(order) else None

    def _moves(self) -> Iterator[tuple[int, Any, int | None]]:
        """Each move with its seat, and with its step if it is the person's."""
        for number, step in enumerate(self.steps):
            yield LEARNER, step.move, number
            for seat, move in step.replies:
                yield seat, move, None


_LESSON: Final = TypeAdapter(Lesson)


def read_lesson(file: Path, game: AnyGame, facts: Callable[[Any, Names], Mapping[str, Any]]) -> Lesson | None:
    """The lesson in a TOML file with the members of `Lesson` and `Step`; None if the game has another card list.

    Moves are written as in records; each of `replies` also names its seat. Raises `ValueError`, which says where in the
    file a mistake is.
    """
    data = _written(file)
    if data.get("cards") != game.cards_digest:
        return None
    try:
        return _LESSON.validate_python({**data, "facts": facts}, context=game)
    except ValidationError as error:
        _where, path, _kind, text = first_flaw(error)
        raise ValueError(f"{file}: {path}: {text}") from None


def texts_of(file: Path) -> list[str]:
    """The texts of a lesson's file, for translators."""
    data = _written(file)
    of_steps = [step.get(member) for step in data["steps"] for member in ("look", "do", "why_not")]
    return [*filter(None, [*of_steps, data.get("outcome")]), *data["closing"]]


@cache
def _written(file: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(file.read_text(encoding="utf-8"))
    except tomllib.TOMLDecodeError as error:
        raise ValueError(f"{file}: {error}") from None


def due_step(table: Table, lesson: Lesson | None) -> Step | None:
    """The step that is due; None if none is, or if the lesson is not the one that the table has."""
    if lesson is None or not table.live or not is_current(table, lesson):
        return None
    number = lesson.number(table.sequence)
    return None if number is None else lesson.steps[number]


def left_out(step: Step) -> tuple[int, ...]:
    """The ids of the texts that the screen of a step does not have: all hints, and what the person has in words."""
    return (FOLDED, FIRST_TIME, PICTURED) if step.of_table else (FOLDED, FIRST_TIME)


def look_line(table: Table, lesson: Lesson | None, view: Any, names: Names) -> str:
    """The line about what to look at; a sentence if the lesson is not the one that the table has."""
    step = due_step(table, lesson)
    if lesson is None or step is None:
        return "🎓 " + _("This lesson has changed since you began it. **Start Over** begins the new one.")
    look = _filled(step.look, lesson.facts(view, names))
    return f"🎓 **{lesson.steps.index(step) + 1}/{len(lesson.steps)}** · {look}"


def task_line(lesson: Lesson, step: Step, view: Any, names: Names) -> str:
    """The line about what to do."""
    return f"🎯 {_filled(step.do, lesson.facts(view, names))}"


def _filled(text: str, facts: Mapping[str, Any]) -> str:
    """A text of a lesson in the current language, with its fields; empty if it is."""
    return _(text).format(**facts) if text else ""


def is_current(table: Table, lesson: Lesson) -> bool:
    """Whether a table plays this lesson, move by move."""
    return table.body.script == [*lesson.script(table.game)] and table.body.host_seed == seed_of(lesson).hex()


def seed_of(lesson: Lesson) -> bytes:
    """The host seed of a lesson's deal."""
    return lesson.seed.to_bytes(32, "big")


def not_now(
    table: Table, lesson: Lesson | None, move: Any, names: Names, move_text: Callable[[Any, Any, Names], str]
) -> str:
    """The answer to a press that is not the step that is due: its move, and why not now."""
    number = None if lesson is None else lesson.number(table.sequence)
    if lesson is None or number is None:
        return ""
    view, step = table.game.view(table.state, LEARNER), lesson.steps[number]
    first = cast("Moves[Any]", move).moves[0] if isinstance(move, Moves) else move
    chosen = _("You chose: {move}").format(move=move_text(view, first, names))
    return f"🎓 {chosen} {_why_not(lesson, step, view, names)}"


def not_chosen(lesson: Lesson, step: Step, view: Any, names: Names, chosen: Choices, due: Choices) -> str:
    """Why something else is `chosen` than is `due` for the step's move; empty if nothing is."""
    astray = any(values and [*values] != [*due.get(intent, values)] for intent, values in chosen.items())
    return f"🎓 {_why_not(lesson, step, view, names)}" if astray else ""


def _why_not(lesson: Lesson, step: Step, view: Any, names: Names) -> str:
    return _filled(step.why_not, lesson.facts(view, names)) or _(
        "The lesson has something else to show first."
    )


def is_finished(table: Table) -> bool:
    """Whether this is a lesson that was played to its last step."""
    return table.is_lesson and table.body.ending == FINISHED


def closing(table: Table, lesson: Lesson | None, screen: Screen, happened: Sequence[str]) -> Screen:
    """The screen at the end of a lesson: what has `happened` since its last press, how to play well, and the ways to a
    match. `screen` has the heading.
    """
    outcome = ""
    if lesson is not None and is_current(table, lesson):
        facts = lesson.facts(table.game.view(table.state, LEARNER), Names(table.seats))
        outcome = _filled(lesson.outcome, facts)
    if said := [*happened, *filter(None, [outcome])]:
        screen.text(*said).rule()
    screen.text(_("That is the whole game. To play it well:"))
    advice = map(_, lesson.closing if lesson else ())
    screen.text(*[f"{number}\\. {line}" for number, line in enumerate(advice, 1)])
    start = button(_("Start a Match"), Id(START, arg=table.game.key), SUCCESS, emoji="▶️")
    daily = [button(_("The Daily Dig"), Id(DAILY), emoji="📅")] if table.game.daily else []
    return screen.buttons(start, *daily, once_more(table))


def once_more(table: Table) -> ui.Button:
    """The button that begins the lesson from its first step."""
    label = _("Start Over") if table.live else pgettext("button: the lesson", "Once More")
    return button(label, Id(ANEW, table.id), emoji="🎓")


def offer(lesson: Lesson | None, to: Id) -> list[ui.Button]:
    """The button that offers the lesson; none without a lesson. `to` has the table, or the game as its argument."""
    label = pgettext("button: the lesson", "Learn")
    return [] if lesson is None else [button(label, to._replace(intent=LEARN), emoji="🎓")]
