"""A person takes their own last moves back, as long as nothing was revealed or drawn and nobody else has moved."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from bot.store.model import Repeated
from bot.tables import absence, ending, play, seats
from bot.tables.history import record_of
from bot.tables.model import HOUR, MINUTE, Table
from bot.tables.play import UNDO_DEPTH, may_undo, undo_view_version, view_version_of
from bot.tables.refusals import Stale
from bot.tables.service import Tables
from engine.archaeology_family import moves as m
from engine.archaeology_family.state import ACT
from engine.errors import IllegalMove
from engine.game import AnyGame
from engine.record import verify
from engine.registry import load_games
from tests.bot.tables.samples import (
    ANA,
    BEN,
    CARA,
    GAME,
    SEALED,
    Presses,
    change,
    events_of,
    make_tables,
    match_of,
    refused,
    stage,
)
from tests.cogs.archaeology_family.crafted import craft
from tests.manual_clock import ManualClock
from tests.sampling import amount

GAMES = load_games()


async def undo(tables: Tables, table: Table, person: int, view_version: str | None = None) -> Table:
    now = await tables.get(table.id)
    name = undo_view_version(now) if view_version is None else view_version
    return await change(tables, table, lambda draft: play.undo(draft, person, name))


async def game_lines(tables: Tables, table: Table) -> list[Any]:
    return [json.loads(row.event) for row in await tables.store.log(table.id) if row.source == "game"]


async def a_turn(tables: Tables, *, limit: int | None = None) -> Table:
    """A match in which Ana may act."""
    table = await match_of(tables, ANA, BEN, limit=limit)
    hands = [{"coin": 6, "talisman": 6}, {"map": 2}]
    return await stage(tables, table, craft(hands, site=["map"] * 3, phase=ACT))


async def act(tables: Tables, table: Table, person: int, move: Any, interaction: int = 1) -> Table:
    table = await tables.get(table.id)
    view_version = view_version_of(table, table.game.pending(table.state)[0])
    return await tables.play(table.id, person, view_version, move, interaction)


def seen(table: Table) -> list[Any]:
    return [table.game.view(table.state, viewer) for viewer in (None, *range(len(table.seats)))]


@pytest.mark.sampled
@pytest.mark.parametrize("game", [*GAMES.values(), SEALED], ids=lambda game: game.key)
async def test_wherever_it_is_offered_all_is_exactly_as_before_the_move(
    tables: Tables, game: AnyGame
) -> None:
    taken_back = offers = 0
    for seed in range(amount(3, 1)):
        presses, rng = Presses(tables, seed), Random(seed)
        people = (ANA, BEN, CARA)
        table = await match_of(tables, *people, channel=seed + 1, limit=None, game=game)
        while table.live:
            before, lines = table, await game_lines(tables, table)
            table = await presses.move(table)
            new = (await game_lines(tables, table))[len(lines) :]
            mover = (await tables.store.moves(table.id))[-1].seat
            offered = [seat for seat in range(3) if may_undo(table, seat, tables.clock.now())]
            revealed = any(event.get("final") for event in new)
            enough = table.body.undone_now >= UNDO_DEPTH
            assert offered == ([] if revealed or enough or not table.live else [mover])
            for seat in {0, 1, 2} - set(offered):
                assert await refused(undo(tables, table, people[seat])) in ("nothing-to-undo", "match-over")
            offers += len(offered)
            if offered and rng.random() < 0.5:
                back = await undo(tables, table, people[mover])
                assert game.dump(back.state) == game.dump(before.state)
                assert seen(back) == seen(before)
                assert await game_lines(tables, back) == lines
                assert back.sequence == before.sequence
                assert sorted(back.body.asked) == sorted(before.body.asked)
                taken_back += 1
                table = back
        record = record_of(table, await tables.store.moves(table.id))
        assert verify(record, {game.key: game}).sound, "the record holds what stood in the end"
    assert taken_back > 5 or offers < 20, "where all that is done draws or reveals, nothing is taken back"
    assert taken_back > 5 or game.key != GAME.key


async def test_several_moves_are_taken_back_one_by_one_also_after_a_restart(
    tables: Tables, clock: ManualClock
) -> None:
    table = await a_turn(tables)
    states = [GAME.dump(table.state)]
    for number in range(3):
        table = await act(tables, table, ANA, m.Sell(2, 1), number + 1)
        states.append(GAME.dump(table.state))
    tables = make_tables(tables.store, clock)
    for state in reversed(states[:-1]):
        table = await undo(tables, table, ANA)
        assert GAME.dump(table.state) == state
    assert await refused(undo(tables, table, ANA)) == "nothing-to-undo"
    assert await events_of(tables, table) == ["undone"] * 3
    assert await tables.store.moves(table.id) == []


async def test_the_moves_of_one_press_become_durable_and_are_taken_back_together(tables: Tables) -> None:
    table = await a_turn(tables)
    table = await act(tables, table, ANA, m.Sell(2, 1), 1)
    before, lines = GAME.dump(table.state), await game_lines(tables, table)
    table = await act(tables, table, ANA, play.Moves((m.Sell(2, 5), m.Sell(3, 1), m.Sell(3, 5))), 2)
    moves = await tables.store.moves(table.id)
    assert [(move.sequence, move.interaction_id) for move in moves] == [(1, 1), (2, 2), (3, 2), (4, 2)]
    assert table.state.active == 1, "the last of the sales has ended the turn"
    table = await undo(tables, table, ANA)
    assert GAME.dump(table.state) == before
    assert await game_lines(tables, table) == lines
    assert len(await tables.store.moves(table.id)) == table.sequence == 1
    table = await undo(tables, table, ANA)
    assert table.sequence == 0


async def test_of_the_moves_of_one_press_none_is_made_if_one_is_illegal_or_the_press_comes_twice(
    tables: Tables,
) -> None:
    table = await a_turn(tables)
    with pytest.raises(IllegalMove):
        await act(tables, table, ANA, play.Moves((m.Sell(2, 1), m.Sell(2, 6))), 1)
    assert (await tables.get(table.id)).sequence == 0
    press = play.Moves((m.Sell(2, 1), m.Sell(2, 2)))
    await act(tables, table, ANA, press, 1)
    with pytest.raises(Repeated):
        await act(tables, table, ANA, press, 1)
    assert (await tables.get(table.id)).sequence == 2


async def test_the_end_of_a_turn_can_be_taken_back_until_somebody_else_moves(tables: Tables) -> None:
    table = await a_turn(tables)
    table = await act(tables, table, ANA, m.Sell(2, 1), 1)
    table = await act(tables, table, ANA, m.EndTurn(), 2)
    assert list(table.body.asked) == [1]
    table = await undo(tables, table, ANA)
    assert list(table.body.asked) == [0]
    table = await act(tables, table, ANA, m.EndTurn(), 3)
    table = await act(tables, table, BEN, m.Dig(), 4)
    assert await refused(undo(tables, table, ANA)) == "nothing-to-undo"


async def test_nothing_is_taken_back_across_a_revelation(tables: Tables) -> None:
    table = await match_of(tables, ANA, BEN, limit=None)
    table = await stage(tables, table, craft([{"map": 3}, {"coin": 1}], site=["coin"] * 3, phase=ACT))
    table = await act(tables, table, ANA, m.Sell(5, 1), 1)
    table = await act(tables, table, ANA, m.Explore(0), 2)
    assert await refused(undo(tables, table, ANA)) == "nothing-to-undo"


async def test_a_screen_from_before_does_nothing_afterwards_though_its_decision_comes_again(
    tables: Tables,
) -> None:
    table = await a_turn(tables)
    first = view_version_of(table, table.game.pending(table.state)[0])
    table = await tables.play(table.id, ANA, first, m.Sell(2, 1), 1)
    second = view_version_of(table, table.game.pending(table.state)[0])
    offered = undo_view_version(table)
    table = await undo(tables, table, ANA, offered)
    for view_version in (first, second):
        with pytest.raises(Stale):
            await tables.play(table.id, ANA, view_version, m.Sell(2, 1), 1)
    with pytest.raises(Stale):  # the press on Undo is delivered once more
        await undo(tables, table, ANA, offered)
    table = await act(tables, table, ANA, m.Sell(2, 1), 2)
    assert table.sequence == 1


async def test_a_press_that_is_delivered_again_after_its_move_was_taken_back_plays_nothing(
    tables: Tables,
) -> None:
    table = await a_turn(tables)
    view_version = view_version_of(table, table.game.pending(table.state)[0])
    await tables.play(table.id, ANA, view_version, m.Sell(2, 1), 77)
    table = await undo(tables, table, ANA)
    with pytest.raises((Stale, Repeated)):
        await tables.play(table.id, ANA, view_version, m.Sell(2, 1), 77)


async def test_who_has_left_or_was_replaced_takes_nothing_back(tables: Tables) -> None:
    table = await act(tables, await a_turn(tables), ANA, m.Sell(2, 1))
    table = await change(tables, table, lambda draft: seats.leave(draft, ANA))
    assert not may_undo(table, 0, tables.clock.now())
    table = await tables.take_over(table.id, CARA, "Cara", 0)
    assert await refused(undo(tables, table, CARA)) == "nothing-to-undo"
    assert await refused(undo(tables, table, ANA)) == "not-seated"


async def test_an_agents_move_is_nobodys_to_take_back(tables: Tables) -> None:
    table = await match_of(tables, ANA, agents=1, limit=None, first=1)
    await tables.agent_turn(table.id)
    table = await tables.get(table.id)
    assert table.sequence == 1
    assert not table.body.undo


async def test_moving_and_taking_back_gains_no_time_for_ever(
    tables: Tables, clock: ManualClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(play, "UNDO_DEPTH", 1000)
    table = await a_turn(tables, limit=HOUR)
    began = clock.now()
    interaction = 0
    while clock.now() < began + 2 * HOUR - 5 * MINUTE:
        clock.advance(5 * MINUTE)
        interaction += 1
        table = await act(tables, table, ANA, m.Sell(2, 1), interaction)
        table = await undo(tables, table, ANA)
        deadline = table.body.asked[0].deadline
        assert deadline is not None
        assert deadline <= began + 2 * HOUR
    clock.advance(5 * MINUTE)
    table = await act(tables, table, ANA, m.Sell(2, 1), interaction + 1)
    assert await refused(undo(tables, table, ANA)) == "nothing-to-undo"


async def test_after_taking_back_there_is_time_for_another_move(tables: Tables, clock: ManualClock) -> None:
    table = await a_turn(tables, limit=HOUR)
    clock.advance(HOUR - 30)
    table = await act(tables, table, ANA, m.Sell(2, 1), 1)
    table = await act(tables, table, ANA, m.EndTurn(), 2)
    clock.advance(20 * MINUTE)
    table = await undo(tables, table, ANA)
    deadline = table.body.asked[0].deadline
    assert deadline is not None
    assert deadline >= clock.now() + 2 * MINUTE


async def test_the_next_player_is_not_called_and_called_off_for_ever(tables: Tables) -> None:
    table = await a_turn(tables)
    for number in range(UNDO_DEPTH):
        table = await act(tables, table, ANA, m.EndTurn(), number + 1)
        table = await undo(tables, table, ANA)
    table = await act(tables, table, ANA, m.EndTurn(), 100)
    assert await refused(undo(tables, table, ANA)) == "nothing-to-undo"


async def test_a_turn_that_was_missed_is_not_undone(tables: Tables, clock: ManualClock) -> None:
    table = await a_turn(tables, limit=HOUR)
    table = await act(tables, table, ANA, m.EndTurn(), 1)
    clock.advance(HOUR + 1)
    table = await change(tables, table, absence.time_passes)
    assert table.seats[1].missed == 1
    assert await refused(undo(tables, table, ANA)) == "nothing-to-undo"


async def test_an_ended_match_keeps_no_states_of_before(tables: Tables) -> None:
    table = await act(tables, await a_turn(tables), ANA, m.Sell(2, 1))
    table = await change(tables, table, lambda draft: ending.abandon(draft, "host"))
    assert table.body.undo == []
