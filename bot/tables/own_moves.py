"""The moves of a match that are certainly one person's, with what that person saw when they made each."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from bot.store.model import LogRow, MoveRow
from bot.tables.model import Table
from engine.game import AnyGame
from engine.record import Record, replay


class OwnMove(NamedTuple):
    """A move that a person made: the view of their seat before it, and its number, counted from 1."""

    number: int
    view: Any
    move: Any


def own_seat(table: Table, user_id: int, log: Sequence[LogRow]) -> tuple[int, int] | None:
    """The seat of a person who has it, or left it, and after how many moves the last takeover of the seat was.

    None without such a seat, and if somebody else took it over: what the seat saw since is not that person's to see.
    """
    for number, seat in enumerate(table.seats):
        if user_id in (seat.user_id, seat.left_by):
            takeovers = [row.sequence for row in log if row.source == "table" and _took_over(row, number)]
            return number, max(takeovers, default=0)
    return None


def _took_over(row: LogRow, seat: int) -> bool:
    event = json.loads(row.event)
    return event["kind"] == "took-over" and event["seat"] == seat


def own_moves(
    record: Record, games: Mapping[str, AnyGame], moves: Sequence[MoveRow], seat: int, since: int
) -> list[OwnMove]:
    """The moves that the person in this seat pressed after the first `since` moves of the match.

    `moves` are those of the record as they are stored: an agent's have no press. The list ends where the record cannot
    be replayed.
    """
    game, found, view = games[record.game], list[OwnMove](), None
    for step in replay(record, games):
        if step.move and view is not None:
            found.append(OwnMove(step.move, view, game.load_move(dict(record.moves[step.move - 1][1]))))
        following = moves[step.move] if step.move < len(moves) else None
        pressed = following is not None and following.seat == seat and following.interaction_id is not None
        view = game.view(step.state, seat) if pressed and step.move >= since else None
    return found
