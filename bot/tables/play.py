"""The match itself: who may move, and what a move does."""

from __future__ import annotations

from typing import Any

from pydantic_core import to_json

from bot.store.base import MoveRow
from bot.tables.absence import wait
from bot.tables.draft import Draft
from bot.tables.ending import finish
from bot.tables.model import Table
from bot.tables.refusals import Refused, Stale


def check_move(table: Table, user_id: int, decision: int | None) -> int:
    """The seat for which this person may move now. Raises `Refused` or `Stale`.

    `decision` is the one that their screen showed; None for a move that is not bound to a screen.
    """
    if not table.live:
        raise Refused("match-over")
    if table.status == "lobby":
        raise Refused("not-started")
    seat = table.seat_of(user_id)
    if seat is None:
        raise Refused("not-seated")
    if table.status == "paused":
        raise Refused("paused")
    open_decisions = {d.seat: d.id for d in table.game.pending(table.state)}
    if decision is not None and decision not in open_decisions.values():
        raise Stale
    if seat not in open_decisions:
        raise Refused("not-your-move")
    if decision is not None and open_decisions[seat] != decision:
        raise Stale
    return seat


def make_move(draft: Draft, seat: int, move: Any, interaction_id: int | None) -> None:
    """Plays a move for a seat: a person's own, pressed as `interaction_id`, or an agent's (None).

    Raises `engine.errors.IllegalMove` before anything changes.
    """
    table = draft.table
    game = table.game
    state = game.copy(table.state)
    events = game.apply(state, seat, move)
    table.state = state
    table.sequence += 1
    text = to_json(game.dump_move(move)).decode()
    draft.move = MoveRow(table.sequence, seat, text, interaction_id, draft.now)
    draft.record(events)
    if game.outcome(state) is None:
        wait(draft, mover=None if interaction_id is None else seat)
    else:
        finish(draft)
    draft.touch()


def play_own(draft: Draft, seat: int, move: Any, interaction_id: int) -> None:
    """Plays a person's own move: they are here, whatever they missed before.

    Raises `engine.errors.IllegalMove`; the draft is then not to be kept.
    """
    own = draft.table.seats[seat]
    own.missed = 0
    own.away = False
    asked = draft.table.body.asked.get(seat)
    if asked:
        asked.stand_in = False
    make_move(draft, seat, move, interaction_id)
