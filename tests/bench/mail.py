"""How often a match by mail waits for people: three who come when they are called, do what they can, and go again.

The table layer says who is called; moves are the Novice's. Each match is played twice with the same cards: as
it is, and without premoves.
"""

from __future__ import annotations

import asyncio
import tempfile
from copy import copy
from functools import partial
from itertools import count
from pathlib import Path
from random import Random
from statistics import mean
from typing import Any, NamedTuple

from bot.tables.model import Table
from bot.tables.play import Moves
from bot.tables.premoves import Question, question_for
from bot.tables.service import Tables
from bot.tables.thinking import Thinkers
from engine.game import AnyGame
from engine.registry import load_games
from tests.bench.report import Report
from tests.bot.store.samples import in_file
from tests.bot.tables.samples import do_due, match_of, stage
from tests.manual_clock import ManualClock

MATCHES = 20
PEOPLE = (1001, 1002, 1003)
GAMES = ("archaeology", "expedition")


class Waits(NamedTuple):
    """The effort of one match: calls that rang for somebody, and how often nothing went on until somebody had come.

    `called_out` and `out` are those in another player's turn, and `times` says how often people were asked in one.
    """

    calls: int
    waits: int
    called_out: int
    out: int
    times: int


def run() -> Report:
    """Both games in which seats are asked one after the other in another seat's turn."""
    rows: list[tuple[str, ...]] = []
    for key in GAMES:
        game = load_games()[key]
        before, now = (asyncio.run(measured(each, MATCHES)) for each in (one_by_one(game), game))
        for name, found in (("one by one", before), ("premoves", now)):
            times = sum(match.times for match in found)
            figures = [
                mean(match.calls for match in found),
                mean(match.waits for match in found),
                sum(match.called_out for match in found) / times,
                sum(match.out for match in found) / times,
            ]
            rows.append((f"{key}, {name}", *(f"{figure:.2f}" for figure in figures)))
    notes = [
        f"Means of {MATCHES} matches of three people by mail. A wait ends when all have come who are called then.",
        "Whoever comes does all that they can; whoever digs up a Sandstorm is there, and answers at once.",
        "Sandstorms in which nobody else is asked do not count; nor does the call to whoever dug to dig again.",
    ]
    head = ("", "calls a match", "waits a match", "calls a Sandstorm", "waits a Sandstorm")
    return Report("What a match by mail waits for", head, rows, notes)


def one_by_one(game: AnyGame) -> AnyGame:
    """The game without premoves."""
    twin = copy(game)
    twin.upcoming = lambda state, seat: None
    return twin


async def measured(game: AnyGame, matches: int) -> list[Waits]:
    """Some matches of a game, the same cards in each call."""
    clock, presses = ManualClock(1_800_000_000), count(1)
    with tempfile.TemporaryDirectory(prefix="digsite-bench-") as folder:
        store = in_file(Path(folder) / "mail.sqlite3", clock)
        await store.open()
        tables = Tables(store, {game.key: game}, clock, Thinkers(0))
        found: list[Waits] = []
        for number in range(1, matches + 1):
            table = await match_of(tables, *PEOPLE, channel=number, limit=None, game=game)
            state = game.new(len(PEOPLE), game.load_options({}), number.to_bytes(32, "big"))
            found.append(await _played(tables, await stage(tables, table, state), presses))
        await store.close()
    return found


async def _played(tables: Tables, table: Table, presses: count[int]) -> Waits:
    called: dict[int, int] = {}
    calls = waits = called_out = out = times = 0
    in_storm = False
    while table.live:
        now = _called(table)
        rung = sum(called.get(seat) != since for seat, since in now.items())
        calls, waits, called = calls + rung, waits + 1, now
        before, in_storm = in_storm, any(map(partial(_out_of_turn, table), now))
        if in_storm:
            called_out, out, times = called_out + rung, out + 1, times + (not before)
        for seat in now:
            table = await _comes(tables, table, seat, presses)
    return Waits(calls, waits, called_out, out, times)


def _out_of_turn(table: Table, seat: int) -> bool:
    """Whether a seat is called for something that is asked in another player's turn."""
    question = question_for(table, seat)
    return question is not None and question.kind in table.game.time_shares


def _called(table: Table) -> dict[int, int]:
    """The people called now, and after how many moves that became due."""
    body = table.body
    called = {seat: asked.since for seat, asked in body.asked.items()}
    return called | {seat: each.since for seat, each in body.expected.items() if each.at_once}


async def _comes(tables: Tables, table: Table, seat: int, presses: count[int]) -> Table:
    """Does all that the person of this seat can do now."""
    while table.live and seat not in table.body.answers:
        question = question_for(table, seat)
        if question is None:
            break
        answer = Moves(tuple(_answers(table.game, question)))
        await tables.play(table.id, PEOPLE[seat], question.view_version, answer, next(presses))
        await do_due(tables)
        table = await tables.get(table.id)
    return table


def _answers(game: AnyGame, question: Question) -> list[Any]:
    """The Novice's move, and what it leads to as long as that is in another seat's turn."""
    seat, state, moves = question.seat, question.state, []
    while True:
        move = game.agents["novice"].choose(game.view(state, seat), Random(f"{question.view_version} {seat}"))
        moves.append(move)
        twin = game.copy(state)
        game.apply(twin, seat, move)
        state = game.upcoming(twin, seat)
        if state is None and question.is_premove:
            out_of_turn = any(d.seat == seat and d.kind in game.time_shares for d in game.pending(twin))
            state = twin if out_of_turn else None
        if state is None:
            return moves
