"""The record of an ended match, which the button **Fairness** attaches. It has all that a replay needs, but no ids."""

from __future__ import annotations

import json
from collections.abc import Sequence

from bot.store.model import MoveRow
from bot.tables.model import Table
from engine.record import Agreement, make_record


def record_of(table: Table, moves: Sequence[MoveRow]) -> str:
    """The record as JSON text."""
    record = make_record(
        table.game,
        Agreement(
            options=table.game.load_options(table.body.options),
            seats=table.body.sitters or _sitters(table),
            host_seed=bytes.fromhex(table.body.host_seed),
            contributions=table.contributions,
            scheme=table.body.scheme,
        ),
        [(move.seat, json.loads(move.move)) for move in moves],
        table.game.outcome(table.state),
    )
    return record.model_dump_json(indent=1)


def _sitters(table: Table) -> list[str]:
    """The kinds of the present players. Used for matches of scheme 1, whose players at the start were not stored."""
    return ["person" if seat.user_id else f"agent:{seat.agent}" for seat in table.seats]
