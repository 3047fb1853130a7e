"""Answers ahead: who may answer before their seat is asked, what is kept of it until then, and what becomes of it.

The game says who is sure to be asked (`Game.ahead`). What somebody answers ahead is kept secretly and is played as
their move as soon as the match asks for it. Nothing that others see depends on whether there is such an answer.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from bot.store.model import Repeated
from bot.tables.draft import Draft
from bot.tables.model import Table
from bot.tables.refusals import Refused, Stale
from bot.tables.turns import Answer, Asked, Expected
from engine.game import AnyGame, Decision


class Question(NamedTuple):
    """What a seat is asked, or may answer ahead.

    `state` is the match in which it is asked: the match itself, or the game's copy in which the seat is asked already
    (`ahead`). `drawn` identifies what a screen with this question is drawn from.
    """

    seat: int
    kind: str
    state: Any
    drawn: str
    ahead: bool


def question_for(table: Table, seat: int) -> Question | None:
    """What this seat is asked in a match that is being played, or may answer ahead; None if neither."""
    if table.status != "playing":
        return None
    for decision in table.game.pending(table.state):
        if decision.seat == seat:
            asked = table.body.asked.get(seat)
            drawn = (asked.ahead if asked else "") or table.drawn(decision.id, seat)
            return Question(seat, decision.kind, table.state, drawn, ahead=False)
    expected = table.body.expected.get(seat)
    state = None if expected is None else table.game.ahead(table.state, seat)
    if expected is None or state is None:
        return None
    return Question(seat, expected.kind, state, table.drawn(expected.since), ahead=True)


def kept_moves(table: Table, seat: int) -> list[Any]:
    """The moves that a seat has answered ahead, in their order."""
    return [table.game.load_move(answer.move) for answer in table.body.answers.get(seat, ())]


# -- who may answer ahead


def look_ahead(draft: Draft, mover: int | None = None) -> None:
    """Notes who may answer ahead now, and forgets answers for which nobody will be asked any more.

    `mover` is the seat of the person who has just moved. They could have answered ahead at once, so if they may now,
    they are called only when they are asked.
    """
    table, body = draft.table, draft.table.body
    before, body.expected = body.expected, {}
    for seat, kind in _sure_to_be_asked(table):
        expected = before.get(seat)
        if expected is None or expected.kind != kind:
            expected = Expected(table.sequence, kind, at_once=seat != mover)
        body.expected[seat] = expected
    asked = {decision.seat for decision in table.game.pending(table.state)}
    for seat, answers in list(body.answers.items()):
        expected = body.expected.get(seat)
        if seat not in asked and (expected is None or expected.kind != answers[0].kind):
            body.forget_answers(seat)


def _sure_to_be_asked(table: Table) -> Iterator[tuple[int, str]]:
    for seat in range(len(table.seats)):
        state = table.game.ahead(table.state, seat)
        if state is not None:
            kind = kind_asked(table.game, state, seat)
            assert kind is not None
            yield seat, kind


def kind_asked(game: AnyGame, state: Any, seat: int) -> str | None:
    """The kind of decision for which this seat is asked in this state; None if it is not asked."""
    return next((decision.kind for decision in game.pending(state) if decision.seat == seat), None)


def as_expected(draft: Draft, decision: Decision, asked: Asked) -> None:
    """Asks a seat for what it could answer ahead. Who was called for that already is not called again."""
    table, body = draft.table, draft.table.body
    expected = body.expected.get(decision.seat)
    if expected is None or expected.kind != decision.kind:
        return
    if not expected.presses:  # otherwise a press that was taken back could be delivered again
        asked.ahead = table.drawn(expected.since)
    if expected.at_once:
        asked.since = expected.since
    elif decision.seat in body.answers:  # it will be answered at once
        body.messages.called[decision.seat] = (asked.since, asked.reminded)


def ask_again_later(table: Table) -> None:
    """To be called before a move is taken back: whoever is asked now may have to be asked again, but is not called."""
    for decision in table.game.pending(table.state):
        since = table.body.asked[decision.seat].since
        table.body.expected.setdefault(decision.seat, Expected(since, decision.kind))


# -- answers


def keep(draft: Draft, seat: int, moves: Sequence[Any], press: int, first: int = 0) -> None:
    """Keeps a person's answers to what their seat will be asked. `first` is the number of the first among its press.

    Raises `IllegalMove` if they would be illegal now, and `Stale` if nothing is known for them to answer; the draft
    must then be thrown away. Raises `Repeated` if this press has answered before.
    """
    table, body = draft.table, draft.table.body
    expected = body.expected.get(seat)
    if expected is not None and press in expected.presses:
        raise Repeated("this press has answered ahead already")
    kinds = answered_by(table.game, table.state, seat, moves)
    body.answers[seat] = [
        Answer(kind, table.game.dump_move(move), press, part)
        for part, (kind, move) in enumerate(zip(kinds, moves, strict=True), first)
    ]
    if expected is not None:
        expected.presses.append(press)
    draft.touched = True


def answered_by(game: AnyGame, state: Any, seat: int, moves: Sequence[Any]) -> list[str]:
    """The kinds of decisions that a seat answers by these moves one after the other, each at once or ahead.

    Changes nothing. Raises `IllegalMove` if a move would be illegal, and `Stale` if it answers nothing.
    """
    kinds: list[str] = []
    for move in moves:
        asked = kind_asked(game, state, seat) is not None
        state = game.copy(state) if asked else game.ahead(state, seat)
        if state is None:
            raise Stale
        kind = kind_asked(game, state, seat)
        assert kind is not None
        kinds.append(kind)
        game.apply(state, seat, move)
    return kinds


def take_back(draft: Draft, user_id: int, press: int) -> int:
    """Takes a person's answers of this press back; returns their seat.

    Raises `Refused`, and `Stale` if they have been played, or others have been given since.
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
    """The first seat that is asked and has answered ahead; None if there is none."""
    if table.status != "playing" or not table.body.answers:
        return None
    seats = [decision.seat for decision in table.game.pending(table.state)]
    return next((seat for seat in seats if seat in table.body.answers), None)
