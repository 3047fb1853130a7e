"""The match itself: who may move, and what a move does."""

from __future__ import annotations

from typing import Any, Final

from pydantic_core import to_json

from bot.store.base import MoveRow
from bot.tables.deadlines import MOST, leave_time, limit_of, wait
from bot.tables.draft import Draft
from bot.tables.ending import finish
from bot.tables.model import Table, Undo, read_snapshot
from bot.tables.refusals import Refused, Stale

DEEPEST: Final = 10
"""At most this many moves in a row can be taken back, and no more often than this until somebody else moves."""


def drawn_from(table: Table, decision: int) -> str:
    """A text that identifies what a screen for this decision was drawn from.

    The decision's id alone is not enough, because ids occur again after an undo.
    """
    return f"{decision}.{table.body.undone}" if table.body.undone else str(decision)


def _player(table: Table, user_id: int) -> int:
    """The seat of a person in a match that is being played. Raises `Refused`."""
    if not table.live:
        raise Refused("match-over")
    if table.status == "lobby":
        raise Refused("not-started")
    seat = table.seat_of(user_id)
    if seat is None:
        raise Refused("not-seated")
    if table.status == "paused":
        raise Refused("paused")
    return seat


def check_move(table: Table, user_id: int, drawn: str | None) -> int:
    """The seat for which this person may move now. Raises `Refused` or `Stale`.

    `drawn` identifies what their screen was drawn from; None for a move that does not come from a screen.
    """
    seat = _player(table, user_id)
    open_decisions = {d.seat: drawn_from(table, d.id) for d in table.game.pending(table.state)}
    if drawn is not None and drawn not in open_decisions.values():
        raise Stale
    if seat not in open_decisions:
        raise Refused("not-your-move")
    if drawn is not None and open_decisions[seat] != drawn:
        raise Stale
    return seat


def make_move(draft: Draft, seat: int, move: Any, interaction_id: int | None) -> None:
    """Plays a move for a seat. `interaction_id` is the id of the person's press; None if an agent moves.

    Raises `engine.errors.IllegalMove` before anything changes.
    """
    table = draft.table
    game = table.game
    state = game.copy(table.state)
    events = game.apply(state, seat, move)
    _note_undo(draft, seat, possible=interaction_id is not None and not any(event.final for event in events))
    table.state = state
    table.sequence += 1
    text = to_json(game.dump_move(move)).decode()
    draft.move = MoveRow(table.sequence, seat, text, interaction_id, draft.now)
    draft.record(events, "agent" if interaction_id is None else "game")
    if game.outcome(state) is None:
        wait(draft, mover=None if interaction_id is None else seat)
    else:
        finish(draft)
    draft.touch()


def _note_undo(draft: Draft, seat: int, *, possible: bool) -> None:
    """Keeps what is needed to take back the move that is about to be made.

    If this move cannot be taken back (`possible` is False), neither can those before it any more.
    """
    table, body = draft.table, draft.table.body
    if not possible or body.last_mover != seat:
        body.undo, body.undone_now = [], 0
    body.last_mover = seat
    if not possible:
        return
    snapshot = table.snapshot()
    assert snapshot is not None
    asked = {number: each.copy() for number, each in body.asked.items()}
    kind = next(decision.kind for decision in table.game.pending(table.state) if decision.seat == seat)
    limit = limit_of(table, kind)
    until = asked[seat].at + MOST * max(limit, asked[seat].limit) if seat in asked and limit else None
    own = table.seats[seat]
    body.undo = [*body.undo, Undo(seat, snapshot, asked, until, own.moved, own.since)][-DEEPEST:]


# -- taking back


def may_undo(table: Table, seat: int, host_time: float) -> bool:
    """Whether this seat may take its last move back: nothing was revealed or drawn and nobody else moved since."""
    undo = table.body.undo
    if table.status != "playing" or not undo or undo[-1].seat != seat or table.body.undone_now >= DEEPEST:
        return False
    return undo[-1].until is None or host_time < undo[-1].until


def undo_drawn(table: Table) -> str:
    """A text that identifies what a screen was drawn from that offers to take the last move back."""
    return f"{table.sequence}.{table.body.undone}"


def undo(draft: Draft, user_id: int, drawn: str) -> int:
    """Takes a person's last move back; returns their seat. Raises `Refused`, `Stale`.

    State, record and log are then as before the move, except that a line in the log tells of it. Screens that were
    drawn meanwhile are outdated.
    """
    table, body = draft.table, draft.table.body
    seat = _player(table, user_id)
    if drawn != undo_drawn(table):
        raise Stale
    if not may_undo(table, seat, draft.host_time):
        raise Refused("nothing-to-undo")
    *body.undo, last = body.undo
    table.state = read_snapshot(last.snapshot, table.game)
    table.kept = (table.state, last.snapshot)
    draft.undone = table.sequence
    table.sequence -= 1
    body.undone += 1
    body.undone_now += 1
    body.asked = {number: body.asked.get(number) or asked.copy() for number, asked in last.asked.items()}
    own = table.seats[seat]
    own.missed, own.away = 0, False
    own.moved, own.since = last.moved, last.since
    for decision in table.game.pending(table.state):
        asked, limit = body.asked.get(decision.seat), limit_of(table, decision.kind)
        if decision.seat == seat and asked is not None:
            asked.stand_in = False
            asked.heard(draft.host_time)
            if limit and asked.deadline:
                leave_time(draft, asked, limit)
    if seat in body.asked:  # whoever takes something back is there, and need not be called again
        body.messages.called[seat] = (body.asked[seat].since, body.asked[seat].reminded)
    draft.tell("undone", seat)
    draft.touch()
    return seat


def play_own(draft: Draft, seat: int, move: Any, interaction_id: int) -> None:
    """Plays a person's own move. It shows that they are present, whatever they missed before.

    Raises `engine.errors.IllegalMove`. The draft must then be thrown away.
    """
    own = draft.table.seats[seat]
    own.missed = 0
    own.away = False
    asked = draft.table.body.asked.get(seat)
    if asked:
        asked.stand_in = False
    before = draft.table.sequence
    make_move(draft, seat, move, interaction_id)
    if own.moved != before:
        own.since = own.moved  # somebody else has moved meanwhile, so this begins a new turn
    own.moved = draft.table.sequence
