"""Planned turns of Artifacts, Inc.: what a plan says of a move is what the rules make of it, whatever the cards."""

from __future__ import annotations

from hashlib import sha256
from random import Random

import pytest

from engine.artifacts_inc import ArtifactsInc
from engine.artifacts_inc.agents.box import Box
from engine.artifacts_inc.agents.expert import opinionated, opinions_of
from engine.artifacts_inc.agents.playouts import Haste, Playouts
from engine.artifacts_inc.agents.standing import Standing
from engine.artifacts_inc.agents.table import Course, table_of
from engine.artifacts_inc.agents.turn import Turn
from engine.artifacts_inc.moves import Buy, Collect, TurnCard
from engine.artifacts_inc.state import ACT, OVER, State
from engine.game import Options
from tests.engine.artifacts_inc.card_lists import BARE, STRANGE
from tests.engine.artifacts_inc.scene import BUILT_IN, GAME, scene

whatever_cards = pytest.mark.parametrize(
    "game", [GAME, BUILT_IN, STRANGE, BARE], ids=["scene", "built-in", "strange", "bare"]
)


def box_of(game: ArtifactsInc) -> Box:
    return Box(opinionated(game.catalogue, opinions_of(game.catalogue)))


def start(game: ArtifactsInc, seats: int, number: int) -> State:
    return game.new(seats, Options(), sha256(f"plans {seats} {number}".encode()).digest())


def positions(game: ArtifactsInc, seats: int, share: float) -> list[State]:
    """A part of the positions of a match of random play with many dollars and artifacts, in which a turn goes on."""
    state, rng, found = start(game, seats, 0), Random(f"{seats}"), list[State]()
    while game.pending(state):
        if state.phase == ACT and rng.random() < share:
            found.append(state.copy())
        seat = state.active
        game.apply(state, seat, game.sample(state, seat, rng))
    return found


def as_ruled(game: ArtifactsInc, state: State, moves: tuple[object, ...], box: Box) -> Course:
    """The course once the rules have made these moves; a die that fits nowhere keeps the turn from its end."""
    after = state.copy()
    after.dice, after.piles = [0, *after.dice], [() for _ in after.piles]
    for move in moves:
        game.apply(after, state.active, move)
    after.dice.remove(0)
    return Standing(table_of(after), box).begun(after)


@whatever_cards
@pytest.mark.parametrize("seats", [2, 4])
def test_a_planned_move_brings_what_the_rules_bring(game: ArtifactsInc, seats: int) -> None:
    box, kinds, looked = box_of(game), set[str](), 0
    for state in positions(game, seats, 0.3):
        state.dollars[state.active] += 9
        standing = Standing(table_of(state), box)
        for moves, course in Turn(standing).steps(standing.begun(state)):
            assert as_ruled(game, state, moves, box) == course._replace(since=-1)
            kinds |= {type(move).__name__ for move in moves}
            looked += 1
    assert looked > 200
    assert kinds >= {"PlaceDie", "FillOrder", "Buy", "TurnCard"}
    if game is STRANGE:
        assert kinds >= {"Gather", "SellOne", "Collect", "Dive"}


@pytest.mark.parametrize("game", [BUILT_IN, STRANGE], ids=["built-in", "strange"])
def test_what_follows_a_planned_purchase_is_what_the_rules_leave(game: ArtifactsInc) -> None:
    box, kinds = box_of(game), set[str]()
    for state in positions(game, 2, 0.05):
        state.dollars[state.active] += 20
        state.dice = [4, 6]
        standing = Standing(table_of(state), box)
        turn = Turn(standing)
        for moves, course in turn.steps(standing.begun(state)):
            if isinstance(moves[-1], Buy | TurnCard):
                for more, then in turn.steps(course):
                    assert as_ruled(game, state, moves + more, box) == then._replace(since=-1)
                    kinds.add(type(more[-1]).__name__)
    assert kinds >= {"PlaceDie", "Buy", "Collect"}


def test_of_the_choices_of_what_to_sell_so_many_are_tried_and_all_first() -> None:
    state = scene(dice="1", artifacts="gem*2@headquarters scroll fossil")
    standing = Standing(table_of(state), box_of(GAME))
    start = standing.begun(state)

    def sold(*most: int) -> list[tuple[int, ...]]:
        moves = [move for moves, _ in Turn(standing, 2, 99, *most).steps(start) for move in moves]
        return [move.artifacts for move in moves if isinstance(move, Collect)]

    every = sold()
    assert len(set(every)) == len(every) > 2
    assert sold(1) == every[:1] == [tuple(state.artifacts[0])]
    assert sold(2) == every[:2]


@whatever_cards
@pytest.mark.parametrize(
    ("seats", "haste"), [(2, Haste(4, purchases=2, sales=1)), (2, Haste()), (4, Haste())]
)
def test_a_match_is_played_on_from_wherever_it_stands(game: ArtifactsInc, seats: int, haste: Haste) -> None:
    """An illegal move would be refused."""
    playouts = Playouts(game, box_of(game))
    playouts.haste = haste
    for state in positions(game, seats, 0.02)[:2]:
        while state.phase != OVER:
            seat, number = state.active, state.round
            playouts.turn(state)
            assert state.phase == OVER or (state.active, state.round) != (seat, number), "a turn is played"
        assert game.outcome(state)


def test_a_line_is_tried_without_a_change_of_the_world() -> None:
    playouts = Playouts(GAME, box_of(GAME))
    for state in positions(GAME, 3, 0.05):
        before, moves = state.copy(), playouts.plan(state).moves
        result = playouts.outlook_after(state, moves)
        assert state == before
        assert playouts.outlook_after(state, moves) == result


def test_what_playouts_remember_of_one_match_says_nothing_of_another() -> None:
    """The judgements that are kept between turns follow from what they are kept under."""
    playouts = Playouts(BUILT_IN, box_of(BUILT_IN))
    for seats in (2, 4):
        for state in positions(BUILT_IN, seats, 0.1):
            fresh = Playouts(BUILT_IN, box_of(BUILT_IN))
            assert playouts.plan(state)[:2] == fresh.plan(state)[:2]


def test_plans_stay_the_same_when_memory_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    every = positions(BUILT_IN, 2, 0.3)
    roomy, narrow = (Playouts(BUILT_IN, box_of(BUILT_IN)) for _ in range(2))
    expected = [roomy.outlook_after(state, ()) for state in every]
    monkeypatch.setattr("engine.artifacts_inc.agents.box._MOST_KEPT", 30)
    assert [narrow.outlook_after(state, ()) for state in every] == expected
