"""Replays a stored table, to check that its seed, moves, log and stored states still match.

A database cannot detect that a digit of a seed or a letter of a move was changed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, cast

from bot.store.model import LogRow, MoveRow, TableRow
from bot.tables.model import FORM, Table, digest_of, read_snapshot, read_table
from engine.errors import BadData, IllegalMove, UnknownVersion
from engine.fairness import commitment, match_key
from engine.game import AnyGame, load_event


class Unreplayable(Exception):
    """The table has a version of its game or a card list that this program does not have."""


class _Wrong(Exception):
    """A fault that the replay has found."""


def faults_of(
    row: TableRow, moves: Sequence[MoveRow], log: Sequence[LogRow], games: Mapping[str, AnyGame]
) -> list[str]:
    """The faults of a table, in parts of sentences that name no card and no seed; empty if there are none.

    Requires all moves and the whole log of the table, in order. Raises `Unreplayable`.
    """
    game = games.get(row.game)
    if game is None:
        raise Unreplayable(f"this version has no game {row.game!r}")
    try:
        table = read_table(row, game)
    except BadData as error:
        if isinstance(error, UnknownVersion) or _is_of_another_form(row.body):
            raise Unreplayable(str(error)) from None
        return [f"it cannot be read: {error}"]
    faults = [*_log_faults(table, log)]
    if table.body.commitment and table.body.commitment != _commitment(table):
        faults.append("its seed is not the one to which its lobby was committed")
    if not _has_all(table, moves):
        faults.append(f"its moves are not numbered from 1 to {table.sequence} without a gap")
    elif table.state is None:
        if table.status in ("playing", "paused", "over"):
            faults.append("its match has no stored state")
    elif table.body.rules != game.version:
        raise Unreplayable(f"it began with version {table.body.rules} of the rules; these are {game.version}")
    else:
        try:
            _replay(table, moves)
        except _Wrong as wrong:
            faults.append(str(wrong))
    return faults


def accept_states(table: Table, moves: Sequence[MoveRow]) -> None:
    """Gives a table of an older version the digest of its snapshot, which its next change stores.

    Requires all moves, and plays them again, so that no damaged snapshot gets a digest. Raises `BadData` if they lead
    to another state. A match that began with other rules cannot be replayed, and is taken as it is.
    """
    if not _has_all(table, moves):
        raise BadData("the snapshot is damaged: its number of moves is not that of the match")
    if table.body.rules == table.game.version:
        try:
            _replay(table, moves)
        except _Wrong as wrong:
            raise BadData(f"the snapshot is damaged: {wrong}") from None
    snapshot = table.snapshot()
    assert snapshot is not None
    table.body.digest = digest_of(snapshot)


def _has_all(table: Table, moves: Sequence[MoveRow]) -> bool:
    return [move.sequence for move in moves] == [*range(1, table.sequence + 1)]


def _is_of_another_form(body: str) -> bool:
    try:
        data: Any = json.loads(body)
    except ValueError:
        return False
    return isinstance(data, dict) and cast("dict[str, Any]", data).get("form", FORM) != FORM


def _commitment(table: Table) -> str:
    try:
        return commitment(bytes.fromhex(table.body.host_seed))
    except ValueError:
        return ""


def _log_faults(table: Table, log: Sequence[LogRow]) -> list[str]:
    faults: list[str] = []
    before = 0
    for line in log:
        # The lines of moves that were taken back are deleted. A line of the table itself may have followed them.
        if line.number != before + 1 and not (table.body.undone and line.source == "table"):
            faults.append(f"lines are missing in its log before line {line.number}")
            break
        before = line.number
    if any(not 0 <= line.sequence <= table.sequence for line in log):
        faults.append("its log tells of moves that were not made")
    for line in log:
        try:
            load_event(json.loads(line.event))
        except (ValueError, TypeError, LookupError, AttributeError):
            faults.append(f"line {line.number} of its log cannot be read")
            break
    return faults


def _replay(table: Table, moves: Sequence[MoveRow]) -> None:
    """Plays the match again and compares its states with the stored ones. Raises `_Wrong`."""
    game, body = table.game, table.body
    state = _set_up(table)
    # The present state and those to which moves are taken back, by the number of moves made before each.
    stored, at = {table.sequence: table.state}, table.sequence
    for undo in reversed(body.undo):
        at -= undo.moves
        try:
            stored[at] = read_snapshot(undo.snapshot, game, undo.digest)
        except BadData:
            raise _Wrong(f"the state that was stored after move {at} cannot be read") from None
    _compare(game, state, stored, 0)
    for move in moves:
        _play(game, state, move)
        _compare(game, state, stored, move.sequence)
    if (game.outcome(state) is not None) != (table.status == "over") and table.status != "abandoned":
        raise _Wrong("its moves lead to an end, but it goes on" if table.live else "its moves lead to no end")


def _set_up(table: Table) -> Any:
    body = table.body
    try:
        key = match_key(bytes.fromhex(body.host_seed), table.contributions)
        return table.game.new(len(body.seats), table.game.load_options(body.options), key)
    except (BadData, ValueError):
        raise _Wrong("its match cannot be set up again from its seed and options") from None


def _play(game: AnyGame, state: Any, made: MoveRow) -> None:
    try:
        game.apply(state, made.seat, game.load_move(json.loads(made.move)))
    except (BadData, ValueError, TypeError):
        raise _Wrong(f"its move {made.sequence} cannot be read") from None
    except IllegalMove:
        raise _Wrong(f"its move {made.sequence} is against the rules where it stands") from None


def _compare(game: AnyGame, state: Any, stored: Mapping[int, Any], moves: int) -> None:
    if moves in stored and _plain(game, state) != _plain(game, stored[moves]):
        raise _Wrong(f"seed, words and moves do not lead to the state that was stored after move {moves}")


def _plain(game: AnyGame, state: Any) -> Any:
    return json.loads(json.dumps(game.replayed(state)))
