"""A recorded match, split into turns, and marks on its moves: what one lost, or gained over the next best."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from random import Random
from typing import Any, NamedTuple

from bot.tables.results import PERSON
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.names import Names
from bot.ui.screens.review import facts, grade
from bot.ui.screens.words import level_name
from engine.agents.advice import LEAST, SURE, Appraisal, adviser_of, appraise, glance
from engine.game import AnyGame
from engine.record import Record, Step, replay


@dataclass(frozen=True, slots=True)
class Moment:
    """A step of a match, and its turn.

    `turn` counts from 1; 0 is the set-up. `owner` is the seat whose turn it is; None in the set-up. Other seats may
    have decisions in the turn too.
    """

    step: Step
    turn: int
    owner: int | None


def moments(record: Record, games: Mapping[str, AnyGame]) -> Iterator[Moment]:
    """The moments of a match, as far as it can be replayed. A moment is valid until the next: its state is mutable."""
    turn, owner = 0, None
    for step in replay(record, games):
        if step.seat not in (None, owner) and (owner is None or not _is_reply(step, games[record.game])):
            turn, owner = turn + 1, step.seat
        yield Moment(step, turn, owner)


def _is_reply(step: Step, game: AnyGame) -> bool:
    return step.kind in game.out_of_turn


class Mark(NamedTuple):
    """A mark on a move of this seat. It tells what the seat knew, so it stands beside the seat's own hand alone."""

    seat: int
    text: str


def marks(record: Record, games: Mapping[str, AnyGame], screens: AnyScreens, names: Names) -> dict[int, Mark]:
    """The marks by the number of the move, in the current language; none in a game without advice.

    Moves of people are appraised, each from its own view, and marked if they cost or led by enough. The same record has
    the same marks.
    """
    game, found = games[record.game], dict[int, Mark]()
    if adviser_of(game) is None:
        return found
    view: Any = None
    for step in replay(record, games):
        if step.move and view is not None:
            seat, made = record.moves[step.move - 1]
            move, rng = game.load_move(dict(made)), Random(step.move)
            if glance(game, view, move, rng).is_told:
                appraisal = appraise(game, view, move, rng)
                text = _text(appraisal, view, screens, names, level_name(list(game.agents)[-1]))
                if text:
                    found[step.move] = Mark(seat, text)
        following = record.moves[step.move][0] if step.move < len(record.moves) else None
        person = following is not None and record.seats[following : following + 1] == (PERSON,)
        view = game.view(step.state, following) if person else None
    return found


def is_cost(appraisal: Appraisal) -> bool:
    """Whether a move certainly cost enough to be told."""
    return appraisal.cost >= max(LEAST, SURE * appraisal.error)


def is_lead(appraisal: Appraisal, screens: AnyScreens, view: Any, move: Any) -> bool:
    """Whether a move was certainly better than the next best by enough, and the person's own choice."""
    certain = appraisal.lead >= max(LEAST, SURE * appraisal.error)
    return certain and not screens.preselected(view, move)


def _text(appraisal: Appraisal, view: Any, screens: AnyScreens, names: Names, strongest: str) -> str:
    """The text of a mark; empty for a move that made no certain difference, or that was no choice."""
    reason = screens.reason_text(view, appraisal.reason, names)
    graded = f"🔎 {grade(appraisal)} · {facts(screens, appraisal)}."
    if is_lead(appraisal, screens, view, appraisal.move):
        return f"{graded} {reason}".rstrip()
    if not is_cost(appraisal):
        return ""
    better = screens.move_text(view, appraisal.move, names)
    return f"{graded} {strongest}: {better} {reason}".rstrip()
