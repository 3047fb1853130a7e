"""The match itself: checks, plays and takes back moves."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Final, Generic, TypeVar, cast

from pydantic_core import to_json

from bot.store.model import MoveRow
from bot.tables.deadlines import LONGEST_TURN, leave_time, limit_of, settle_waits, wait
from bot.tables.draft import Draft
from bot.tables.ending import finish
from bot.tables.model import Table, read_snapshot
from bot.tables.premoves import Question, ask_again_later, keep, kind_asked, note_upcoming, question_for
from bot.tables.refusals import Refused, Stale
from bot.tables.turns import Undo, Unfit, copied
from engine.errors import BadData, IllegalMove
from engine.game import Decision

M_co = TypeVar("M_co", covariant=True)
UNDO_DEPTH: Final = 10
"""At most this many presses in a row can be taken back, and no more often than this until somebody else moves."""


@dataclass(frozen=True, slots=True)
class Moves(Generic[M_co]):
    """Several moves of one press, in their order.

    The moves for which the seat is asked one after the other become durable together and are taken back together. If
    the seat is not asked for the next move at once, the remaining moves are premoves.
    """

    moves: tuple[M_co, ...]


def view_version_of(table: Table, decision: Decision) -> str:
    """The view version of a screen for this decision.

    The decision's id alone is not enough, because ids occur again after an undo.
    """
    return table.view_version(decision.id, decision.seat)


def decision_id(table: Table, seat: int) -> int | None:
    """The id of a seat's open decision; None if it has none."""
    return next((each.id for each in table.game.pending(table.state) if each.seat == seat), None)


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


def check_move(table: Table, user_id: int, view_version: str | None) -> Question:
    """The open or upcoming decision of this person. Raises `Refused` or `Stale`.

    `view_version` is that of their screen; None for a move that does not come from a screen.
    """
    seat = _player(table, user_id)
    open_decisions = {d.seat: view_version_of(table, d) for d in table.game.pending(table.state)}
    question = question_for(table, seat)
    own = None if question is None else question.view_version
    if view_version is not None and view_version != own and view_version not in open_decisions.values():
        raise Stale
    if question is None or (question.is_premove and view_version is None):
        raise Refused("not-your-move")
    if view_version not in (None, own) and seat in open_decisions and view_version != open_decisions[seat]:
        raise Stale
    if seat in table.body.answers:
        raise Refused("premove-made")
    return question


def make_move(
    draft: Draft, seat: int, move: Any, interaction_id: int | None, part: int = 0, *, further: bool = False
) -> None:
    """Plays a move for a seat. `interaction_id` is the id of the person's press; None if an agent moves.

    `part` counts the moves of one press, from 0. `further`: the press has already made a move in this draft.

    Raises `engine.errors.IllegalMove` before anything changes.
    """
    table = draft.table
    game = table.game
    state, own = game.copy(table.state), table.seats[seat]
    decision = decision_id(table, seat)
    events = game.apply(state, seat, move)
    possible = interaction_id is not None and not any(event.reveals for event in events)
    _note_undo(draft, seat, possible=possible, further=further)
    table.state = state
    table.sequence += 1
    text = to_json(game.dump_move(move)).decode()
    own.unfollowed.pop(table.sequence, None)  # noted for a move that was taken back
    if interaction_id is not None and own.advised is not None and own.advised[0] == decision:
        if own.advised[1] == text:
            own.followed.append(own.advised[0])
        else:
            own.unfollowed[table.sequence] = own.advised[1]
    draft.moves.append(MoveRow(table.sequence, seat, text, interaction_id, draft.now, part))
    draft.record(events, "agent" if interaction_id is None else "game")
    if game.outcome(state) is None:
        wait(draft, mover=None if interaction_id is None else seat)
    else:
        finish(draft)
    draft.touch()


def _note_undo(draft: Draft, seat: int, *, possible: bool, further: bool) -> None:
    """Records the data for taking back the next move, together with the other moves of its press.

    If the next move cannot be taken back (`possible` is False), the moves before it no longer can either.
    """
    table, body = draft.table, draft.table.body
    if not possible or body.last_mover != seat:
        body.undo, body.undone_now = [], 0
    body.last_mover = seat
    if not possible:
        return
    if further:
        if body.undo:
            body.undo[-1] = replace(body.undo[-1], moves=body.undo[-1].moves + 1)
        return
    snapshot = table.snapshot()
    assert snapshot is not None
    asked = {number: copied(each) for number, each in body.asked.items()}
    kind = kind_asked(table.game, table.state, seat)
    assert kind is not None
    limit = limit_of(table, kind)
    until = asked[seat].at + LONGEST_TURN * max(limit, asked[seat].limit) if seat in asked and limit else None
    own = table.seats[seat]
    press = Undo(seat, snapshot, asked, until, moved=own.moved, since=own.since, digest=body.digest)
    body.undo = [*body.undo, press][-UNDO_DEPTH:]


# -- taking back


def may_undo(table: Table, seat: int, host_time: float) -> bool:
    """Whether this seat may take its last move back: nothing was revealed or drawn, and nobody else has moved since."""
    undo = table.body.undo
    if table.status != "playing" or not undo or undo[-1].seat != seat or table.body.undone_now >= UNDO_DEPTH:
        return False
    return undo[-1].until is None or host_time < undo[-1].until


def undo_view_version(table: Table) -> str:
    """The view version of a screen that offers to take the last move back."""
    return f"{table.sequence}.{table.body.undone}"


def undo(draft: Draft, user_id: int, view_version: str) -> int:
    """Takes back the moves of a person's last press; returns their seat. Raises `Refused`, `Stale`.

    State, record and log are then as before the press, except for a line of the log about the undo. Screens that were
    drawn meanwhile are outdated.
    """
    table, body = draft.table, draft.table.body
    seat = _player(table, user_id)
    if view_version != undo_view_version(table):
        raise Stale
    if not may_undo(table, seat, draft.host_time):
        raise Refused("nothing-to-undo")
    *body.undo, last = body.undo
    ask_again_later(table)
    table.state = read_snapshot(last.snapshot, table.game, last.digest)
    table.kept, body.digest = (table.state, last.snapshot), last.digest
    table.sequence -= last.moves
    draft.undone = table.sequence + 1
    body.undone += 1
    body.undone_now += 1
    body.asked = {number: body.asked.get(number) or copied(asked) for number, asked in last.asked.items()}
    if seat in body.asked:
        body.asked[seat].undone = body.undone
    for asked in body.asked.values():
        asked.ahead, asked.unfit = "", None
    body.forget_answers(seat)
    note_upcoming(draft)
    own = table.seats[seat]
    own.is_here()
    settle_waits(draft)
    own.moved, own.since = last.moved, last.since
    asked_again = decision_id(table, seat)
    if asked_again is not None:
        own.followed = [decision for decision in own.followed if decision < asked_again]
        if own.advised is not None and own.advised[0] > asked_again:
            own.advised = None
    for other in table.seats:  # a player may have made a premove since the moves that are taken back
        other.moved, other.since = min(other.moved, table.sequence), min(other.since, table.sequence)
    for decision in table.game.pending(table.state):
        asked, limit = body.asked.get(decision.seat), limit_of(table, decision.kind)
        if decision.seat == seat and asked is not None:
            asked.substitute = False
            asked.restart_wait(draft.host_time)
            if limit and asked.deadline:
                leave_time(draft, asked, limit)
    if seat in body.asked:  # a player who takes a move back is present, and need not be called again
        body.messages.called[seat] = (body.asked[seat].since, int(body.asked[seat].reminded))
    draft.log_event("undone", seat)
    draft.touch()
    return seat


def _has_acted(table: Table, seat: int, before: int) -> None:
    """Records, for the news of this seat's person, that they have acted. `before`: the number of moves before that."""
    own = table.seats[seat]
    if own.moved != before:
        own.since = own.moved  # somebody else has moved meanwhile, so this begins a new turn
    own.moved = table.sequence


def _is_here(draft: Draft, seat: int) -> None:
    table = draft.table
    table.seats[seat].is_here()
    settle_waits(draft)
    asked = table.body.asked.get(seat)
    if asked:
        asked.substitute = False


def answer(draft: Draft, question: Question, move: Any, press: int) -> None:
    """Plays a move or `Moves` for the open decision of a person's seat, or stores premoves for an upcoming one.

    Raises `IllegalMove`, `Stale`, `Repeated`. The draft must then be discarded.
    """
    table = draft.table
    moves = cast("Moves[Any]", move).moves if isinstance(move, Moves) else (move,)
    if question.is_premove:
        if table.seats[question.seat].away:
            draft.touch()  # everybody sees that the person is back
        _is_here(draft, question.seat)
        keep(draft, question.seat, moves, press)
        _has_acted(table, question.seat, table.sequence)
        return
    for part, each in enumerate(moves):
        if part and kind_asked(table.game, table.state, question.seat) is None:
            keep(draft, question.seat, moves[part:], press, first=part)
            break
        before = table.sequence
        _is_here(draft, question.seat)
        make_move(draft, question.seat, each, press, part, further=part > 0)
        _has_acted(table, question.seat, before)


def play_answer(draft: Draft, seat: int) -> None:
    """Plays the next premove of a seat. If the premove is no longer legal, the person is asked and called."""
    body, game = draft.table.body, draft.table.game
    kept, *rest = body.answers[seat]
    try:
        if kind_asked(game, draft.table.state, seat) != kept.kind:
            raise IllegalMove("not-now")
        move = game.load_move(kept.move)
        if rest:
            body.answers[seat] = rest
        else:
            del body.answers[seat]
        make_move(draft, seat, move, kept.press, kept.part)
        body.undo = []  # others' moves since the press have revealed something
    except (IllegalMove, BadData) as error:
        unfit = Unfit(error.code, error.facts) if isinstance(error, IllegalMove) else Unfit("not-now")
        body.forget_answers(seat)
        asked = body.asked[seat]
        asked.since, asked.ahead, asked.unfit = draft.table.sequence, "", unfit
        body.messages.called.pop(seat, None)
        draft.touch()
