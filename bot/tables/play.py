"""The match itself: moves, and how it ends."""

from __future__ import annotations

import json
from typing import Any

from bot.store.base import MoveRow
from bot.tables.absence import wait
from bot.tables.draft import AGENT, CLOCKED, Draft
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
    """Plays a move for a seat. Raises `engine.errors.IllegalMove` before anything changes."""
    table = draft.table
    game = table.game
    state = game.copy(table.state)
    events = game.apply(state, seat, move)
    table.state = state
    table.sequence += 1
    text = json.dumps(game.dump_move(move), separators=(",", ":"))
    draft.move = MoveRow(table.sequence, seat, text, interaction_id, draft.now)
    draft.record(events)
    if game.outcome(state) is None:
        wait(draft, mover=seat)
    else:
        finish(draft)
    draft.touch()


def play_own(draft: Draft, seat: int, move: Any, interaction_id: int) -> None:
    """Plays a person's own move: they are here, whatever they missed before."""
    own = draft.table.seats[seat]
    own.missed = 0
    own.away = False
    asked = draft.table.body.asked.get(seat)
    if asked:
        asked.stand_in = False
    make_move(draft, seat, move, interaction_id)


def finish(draft: Draft) -> None:
    """The match has come to its end."""
    table = draft.table
    table.status = "over"
    table.ended_at = draft.now
    table.body.asked = {}
    draft.cancel(AGENT, *CLOCKED)


def may_end(table: Table, user_id: int, *, manages: bool) -> bool:
    """Whether this person may end the match alone; False: all seated people must agree.

    Raises `Refused` for people who have no say.
    """
    if not table.live:
        raise Refused("match-over")
    if manages:
        return True
    seat = table.seat_of(user_id)
    if seat is None:
        raise Refused("not-seated")
    if table.status == "lobby":
        if user_id != table.body.host:
            raise Refused("host-only", host=table.body.host)
        return True
    return table.body.host == user_id and table.people() == [seat]


def vote_end(draft: Draft, user_id: int) -> bool:
    """Counts a seated person's wish to end the match; True where with it all who are present agree."""
    table = draft.table
    seat = table.seat_of(user_id)
    if seat is None:
        raise Refused("not-seated")
    if not table.under_way:
        raise Refused("match-over")
    votes = table.body.end_votes
    if seat not in votes:
        votes.append(seat)
        draft.tell("end-vote", seat)
    draft.touch()
    return all(n in votes for n, s in enumerate(table.seats) if s.present)


def abandon(draft: Draft, why: str) -> None:
    """Ends a match before its end."""
    table = draft.table
    table.status = "abandoned"
    table.body.ending = why
    table.ended_at = draft.now
    table.body.asked = {}
    draft.cancel(AGENT, *CLOCKED)
    draft.tell("abandoned", why=why)
    draft.touch()
