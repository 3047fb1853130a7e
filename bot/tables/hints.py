"""Hints: advice on an open decision for the person who has to make it. It follows from what that person sees."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from contextlib import suppress
from typing import Any

from pydantic_core import from_json, to_json

from bot.store.model import MoveRow
from bot.tables import play
from bot.tables.draft import Draft
from bot.tables.history import record_of, seen_moves
from bot.tables.model import Table
from bot.tables.premoves import Question, question_for
from bot.tables.refusals import Refused, Stale
from bot.tables.thinking import Thinkers
from engine.agents.advice import Advice, Past, Reason, adviser_of, dump_fact, load_fact
from engine.errors import BadData
from engine.record import Record


def may_take(table: Table) -> bool:
    """Whether people at this table may take hints, in a game whose agents give reasons.

    Never in a lesson, nor in a match that is compared with others of the same deal.
    """
    may = table.is_alone or not table.is_private
    return table.hints and may and adviser_of(table.game) is not None


def has_button(table: Table) -> bool:
    """Whether newcomers who are asked have the button **Hint**. Where a table has hints off, its answer says so."""
    return may_take(table) or (not table.is_private and adviser_of(table.game) is not None)


def question_of(table: Table, user_id: int) -> Question:
    """The open or upcoming decision for which this person may take a hint. Raises `Refused`."""
    seat = table.seat_of(user_id)
    open_to = None if seat is None else question_for(table, seat)
    question = play.check_move(table, user_id, open_to and open_to.view_version)
    if not may_take(table):
        raise Refused("no-hints" if table.is_private else "hints-off")
    return question


def _noted(table: Table, seat: int) -> int | None:
    """The number for which a hint is noted: the id of the seat's open decision; below 0 for one that is upcoming."""
    expected, decision = table.body.expected.get(seat), play.decision_id(table, seat)
    return ~expected.since if expected is not None and decision is None else decision


def hint_taken(table: Table, seat: int) -> Advice | None:
    """The hint that this seat's person took for the present decision; None if they took none."""
    own = table.seats[seat]
    if own.advised is None or own.advised[0] != _noted(table, seat):
        return None
    reason = Reason("unknown")
    with suppress(BadData):  # another version may have noted it
        move = table.game.load_move(from_json(own.advised[1]))
        with suppress(BadData, LookupError, TypeError, ValueError):
            reason = load_fact(table.game, from_json(own.reason))
        return Advice(move, reason)
    return None


class Hints:
    """Requests hints from the agents: at most one at a time for each seat of a table."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._asked: set[tuple[int, int]] = set()
        """The seats for which an agent is thinking: table and seat."""

    async def think(self, table: Table, question: Question, moves: Sequence[MoveRow] = ()) -> Advice:
        """The best move for a decision, with a reason. `moves` are those of the match.

        The chance in it comes from public facts alone, so that a hint follows from the view. Raises
        `Refused("thinking")` while the seat's earlier hint is thought about, and `Refused("hint-late")` if the agents
        have too much to think about.
        """
        seat = table.id, question.seat
        if seat in self._asked:
            raise Refused("thinking")
        self._asked.add(seat)
        try:
            seed = hashlib.sha256(f"hint:{table.id}:{question.seat}".encode()).digest()
            views, past = _earlier(table, question.seat, moves)
            views.append(table.game.view(question.state, question.seat))
            advised = await self._thinkers.advise(table.game, views, seed, past)
        except TimeoutError:
            raise Refused("hint-late") from None
        finally:
            self._asked.discard(seat)
        assert advised is not None
        return advised


def _earlier(table: Table, seat: int, moves: Sequence[MoveRow]) -> tuple[list[Any], Past]:
    """The views of decisions with hints since chance last had a say, oldest first, and what the seat did before. The
    moves since then can be taken back.
    """
    own, undo = table.seats[seat], [undo for undo in table.body.undo if undo.seat == seat]
    if not moves:
        return [], Past()
    record, hinted = Record.model_validate_json(record_of(table, moves)), {each + 1 for each in own.hinted}
    since = table.sequence - sum([each.moves for each in undo])
    numbers = hinted.union(range(since + 1, table.sequence + 1))
    seen = seen_moves(record, {record.game: table.game}, numbers)
    turn = [each for each in seen if each.number > since and each.view.viewer == seat]
    before = [each for each in seen if each.number <= since and each.view.moves in own.followed]
    views = [each.view for each in turn if each.number in hinted]
    return views, Past((before[-1].view, before[-1].move) if before else None, turn[0].view if turn else None)


def take(draft: Draft, user_id: int, view_version: str, hint: Advice) -> None:
    """Records that this person takes the hint in the decision with this view version.

    Raises `Refused`; `Stale` if the person has to make another decision now.
    """
    question = question_of(draft.table, user_id)
    if question.view_version != view_version:
        raise Stale
    table, own = draft.table, draft.table.seats[question.seat]
    decision = _noted(table, question.seat)
    assert decision is not None
    advised = decision, to_json(table.game.dump_move(hint.move)).decode()
    reason = to_json(dump_fact(table.game, hint.reason)).decode()
    if (own.advised, own.reason) != (advised, reason):
        own.advised, own.reason = advised, reason
        own.hinted = sorted({*own.hinted, decision})
        draft.touched = True
