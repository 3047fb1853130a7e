"""The log and the moves of a table, read together with the table at one version; and one person's moves of a match.

These are the moves that are certainly the person's, with what that person saw when they made each.

A table and its log are two reads, between which the table may change. A screen that is made from both therefore takes
both from here: the table that is returned is its newest state if it has changed since it was read.

The record of an ended match has all that a replay needs, but no ids; the button **Fairness** attaches it.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Mapping, Sequence
from typing import Any, Final, NamedTuple

from bot.store.model import LogRow, MoveRow
from bot.tables.model import Table
from bot.tables.service import Tables
from engine.game import AnyGame
from engine.record import Agreement, Record, make_record, replay

ALL: Final = 2**62
"""More rows than a log has."""


async def with_log(
    tables: Tables, table: Table, *, last: int = ALL, since: Callable[[Table], int] = lambda _table: 0
) -> tuple[Table, list[LogRow]]:
    """A table that is in the store, and the newest rows of its log, oldest first: at most `last`.

    `since` leaves out the rows from before that many moves had been made. Raises `Refused` and `StoreError`.
    """
    tails = tables.cache.tails
    limit = max(last, tails.length)
    while True:
        table = max(table, tables.at_hand(table.id) or table, key=lambda each: each.version)
        kept = tails.newest(table.id, table.version, last, since(table))
        if kept is not None:
            return table, kept
        rows = await tables.store.log(table.id, last=limit)
        newer = await tables.newer(table)
        if newer is None:
            at_hand = tables.at_hand(table.id)
            if at_hand is not None and at_hand.version == table.version:
                tails.keep(table.id, table.version, rows, whole=len(rows) < limit)
            return table, [row for row in rows[-last:] if row.sequence >= since(table)]
        table = newer


async def with_moves(tables: Tables, table: Table) -> tuple[Table, list[MoveRow]]:
    """A table that is in the store, and its moves. Raises `Refused` and `StoreError`."""
    while True:
        moves = await tables.store.moves(table.id)
        newer = await tables.newer(table)
        if newer is None:
            return table, moves
        table = newer


class OwnMove(NamedTuple):
    """A move of a person: its number, counted from 1, and the view of its seat before it."""

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
    pressed = [move for move in moves if move.seat == seat and move.interaction_id is not None]
    return seen_moves(record, games, {move.sequence for move in pressed if move.sequence > since})


def seen_moves(record: Record, games: Mapping[str, AnyGame], numbers: Container[int]) -> list[OwnMove]:
    """The moves of these numbers, each with the view of its seat before it, as far as the record can be replayed."""
    game, found, view = games[record.game], list[OwnMove](), None
    for step in replay(record, games):
        if step.move and view is not None:
            found.append(OwnMove(step.move, view, game.load_move(dict(record.moves[step.move - 1][1]))))
        wanted = step.move < len(record.moves) and step.move + 1 in numbers
        view = game.view(step.state, record.moves[step.move][0]) if wanted else None
    return found


def record_of(table: Table, moves: Sequence[MoveRow]) -> str:
    """The record as JSON text."""
    record = make_record(
        table.game,
        Agreement(
            options=table.game.load_options(table.body.options),
            seats=table.body.sitters,
            host_seed=bytes.fromhex(table.body.host_seed),
            contributions=table.contributions,
            scheme=table.body.scheme,
        ),
        [(move.seat, json.loads(move.move)) for move in moves],
        table.game.outcome(table.state),
    )
    return record.model_dump_json(indent=1)
