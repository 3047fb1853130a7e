"""Premoves: moves that players make before their seat is asked.

The game determines the seats that are sure to be asked (`Game.upcoming`). A premove is stored secretly and is played as
soon as the match asks for it. Nothing that other players see depends on whether there is a premove.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from bot.store.model import Repeated
from bot.tables.draft import Draft
from bot.tables.model import Table
from bot.tables.refusals import Refused, Stale
from bot.tables.turns import OpenDecision, Premove, UpcomingDecision
from engine.game import AnyGame, Decision


class Question(NamedTuple):
    """The open decision of a seat, or an upcoming one for which it may make a premove.

    `state` is the state in which the seat is asked: that of the match, or the game's copy in which the seat is asked
    already (`is_premove`). `view_version` is that of a screen with this question.
    """

    seat: int
    kind: str
    state: Any
    view_version: str
    is_premove: bool


def question_for(table: Table, seat: int) -> Question | None:
    """The open or upcoming decision of a seat in a match that is being played; None if there is neither."""
    if table.status != "playing":
        return None
    for decision in table.game.pending(table.state):
        if decision.seat == seat:
            asked = table.body.asked.get(seat)
            view_version = (asked.ahead if asked else "") or table.view_version(decision.id, seat)
            return Question(seat, decision.kind, table.state, view_version, is_premove=False)
    expected = table.body.expected.get(seat)
    state = None if expected is None else table.game.upcoming(table.state, seat)
    if expected is None or state is None:
        return None
    return Question(seat, expected.kind, state, table.view_version(expected.since), is_premove=True)


def kept_moves(table: Table, seat: int) -> list[Any]:
    """The premoves of a seat, in their order."""
    return [table.game.load_move(answer.move) for answer in table.body.answers.get(seat, ())]


# -- upcoming decisions


def note_upcoming(draft: Draft, mover: int | None = None) -> None:
    """Records the upcoming decisions, and deletes premoves for decisions that will not come.

    `mover` is the seat of the person who has just moved. That person could have made the premove with the move, so they
    are called only when they are asked.
    """
    table, body = draft.table, draft.table.body
    before, body.expected = body.expected, {}
    for seat, kind in _sure_to_be_asked(table):
        expected = before.get(seat)
        if expected is None or expected.kind != kind:
            expected = UpcomingDecision(table.sequence, kind, at_once=seat != mover)
        body.expected[seat] = expected
    asked = {decision.seat for decision in table.game.pending(table.state)}
    for seat, answers in list(body.answers.items()):
        expected = body.expected.get(seat)
        if seat not in asked and (expected is None or expected.kind != answers[0].kind):
            body.forget_answers(seat)


def _sure_to_be_asked(table: Table) -> Iterator[tuple[int, str]]:
    for seat in range(len(table.seats)):
        state = table.game.upcoming(table.state, seat)
        if state is not None:
            kind = kind_asked(table.game, state, seat)
            assert kind is not None
            yield seat, kind


def kind_asked(game: AnyGame, state: Any, seat: int) -> str | None:
    """The kind of decision for which this seat is asked in this state; None if it is not asked."""
    return next((decision.kind for decision in game.pending(state) if decision.seat == seat), None)


def ask_upcoming(draft: Draft, decision: Decision, asked: OpenDecision) -> None:
    """Opens the upcoming decision of a seat. A person who was already called for the decision is not called again."""
    table, body = draft.table, draft.table.body
    expected = body.expected.get(decision.seat)
    if expected is None or expected.kind != decision.kind:
        return
    own = table.seats[decision.seat]
    if own.advised is not None and own.advised[0] == ~expected.since:  # as `hints` notes one for it
        own.hinted = sorted({*own.hinted, decision.id} - {own.advised[0]})
        own.advised = decision.id, own.advised[1]
    if (
        not expected.presses
    ):  # otherwise a press that was taken back could count when Discord delivers it again
        asked.ahead = table.view_version(expected.since)
    if expected.at_once:
        asked.since = expected.since
    elif decision.seat in body.answers:  # the premove is played at once
        body.messages.called[decision.seat] = (asked.since, int(asked.reminded))


def ask_again_later(table: Table) -> None:
    """Makes the open decisions upcoming, before a move is taken back: the seats may be asked again without a call."""
    for decision in table.game.pending(table.state):
        since = table.body.asked[decision.seat].since
        table.body.expected.setdefault(decision.seat, UpcomingDecision(since, decision.kind))


# -- premoves


def keep(draft: Draft, seat: int, moves: Sequence[Any], press: int, first: int = 0) -> None:
    """Stores a person's premoves. `first` is the number of the first premove among the moves of its press.

    Raises `IllegalMove` if the premoves would be illegal now, and `Stale` if there is no such upcoming decision; the
    draft must then be discarded. Raises `Repeated` if this press has made premoves before.
    """
    table, body = draft.table, draft.table.body
    expected = body.expected.get(seat)
    if expected is not None and press in expected.presses:
        raise Repeated("this press has made a premove already")
    kinds = answered_by(table.game, table.state, seat, moves)
    body.answers[seat] = [
        Premove(kind, table.game.dump_move(move), press, part)
        for part, (kind, move) in enumerate(zip(kinds, moves, strict=True), first)
    ]
    if expected is not None:
        expected.presses.append(press)
    draft.touched = True


def answered_by(game: AnyGame, state: Any, seat: int, moves: Sequence[Any]) -> list[str]:
    """The kinds of decisions that a seat makes by these moves one after the other, open or upcoming.

    Changes nothing. Raises `IllegalMove` if a move would be illegal, and `Stale` if there is no decision for it.
    """
    kinds: list[str] = []
    for move in moves:
        asked = kind_asked(game, state, seat) is not None
        state = game.copy(state) if asked else game.upcoming(state, seat)
        if state is None:
            raise Stale
        kind = kind_asked(game, state, seat)
        assert kind is not None
        kinds.append(kind)
        game.apply(state, seat, move)
    return kinds


def take_back(draft: Draft, user_id: int, press: int) -> int:
    """Takes a person's premoves of this press back; returns their seat.

    Raises `Refused`, and `Stale` if the premoves have been played, or others have been made since.
    """
    table = draft.table
    seat = table.seat_of(user_id)
    if seat is None:
        raise Refused("not-seated")
    answers = table.body.answers.get(seat)
    if not answers or answers[0].press != press:
        raise Stale
    del table.body.answers[seat]
    draft.touched = True
    return seat


def answered_seat(table: Table) -> int | None:
    """The first seat that is asked and has a premove; None if there is no such seat."""
    if table.status != "playing" or not table.body.answers:
        return None
    seats = [decision.seat for decision in table.game.pending(table.state)]
    return next((seat for seat in seats if seat in table.body.answers), None)
