"""Lessons: private matches whose moves are all fixed, those of the person's own seat as well.

The step of a lesson is the number of moves made, so that a lesson can be left and continued like any match.
"""

from __future__ import annotations

from typing import Any, Final, cast

from pydantic_core import from_json, to_json

from bot.tables.draft import Draft
from bot.tables.ending import abandon
from bot.tables.model import Table
from bot.tables.play import Moves, make_move
from bot.tables.refusals import Refused
from engine.errors import BadData, IllegalMove
from engine.game import AnyGame

FINISHED: Final = "lesson-finished"
"""The reason for which a lesson ends after its last move."""
CHANGED: Final = "lesson-changed"
"""The reason for which a lesson ends because this version has another one."""
BEGUN_ANEW: Final = "lesson-anew"
"""The reason for which a lesson ends because its person wants to begin it anew."""


def written(game: AnyGame, seat: int, move: Any) -> tuple[int, str]:
    """A move of a script, as `Body.script` has it."""
    return seat, to_json(game.dump_move(move)).decode()


def check_next(table: Table, seat: int, move: Any) -> None:
    """Raises `Refused` if this is a lesson, and this move or `Moves` of its person is not what it has next.

    Raises `IllegalMove` if the rules forbid the move as well.
    """
    if not table.is_lesson:
        return
    game, moves = table.game, cast("Moves[Any]", move).moves if isinstance(move, Moves) else (move,)
    state = game.copy(table.state)
    for each in moves:
        game.apply(state, seat, each)
    due = table.body.script[table.sequence : table.sequence + len(moves)]
    if [written(game, seat, each) for each in moves] != due:
        raise Refused("not-in-lesson")


def go_on(draft: Draft) -> None:
    """Plays the moves of a lesson up to the next one that its person makes; ends the lesson after its last move."""
    table, script = draft.table, draft.table.body.script
    while script and table.status == "playing":
        if table.sequence >= len(script):
            abandon(draft, FINISHED)
            return
        seat, text = script[table.sequence]
        if table.seats[seat].user_id is not None:
            return
        try:
            make_move(draft, seat, table.game.load_move(from_json(text)), None)
        except (IllegalMove, BadData):  # the rules have changed since the lesson was begun
            abandon(draft, CHANGED)
