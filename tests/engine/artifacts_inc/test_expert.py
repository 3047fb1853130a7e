"""The expert of Artifacts, Inc.: it plans turns, whatever the cards, and beats novices. Its leanings."""

from __future__ import annotations

from collections.abc import Callable
from hashlib import sha256
from math import log
from random import Random
from typing import Any

import pytest

from engine.artifacts_inc import ArtifactsInc
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.agents.box import best_place, open_neighbours
from engine.artifacts_inc.agents.expert import (
    USUAL,
    WEIGHTS,
    Effort,
    Expert,
    learnt,
    opinionated,
    opinions_of,
)
from engine.artifacts_inc.agents.income import CHEAP, NO_LEANING, Leaning, Weights
from engine.artifacts_inc.agents.turn import Turn
from engine.artifacts_inc.catalogue import NO_PILE
from engine.artifacts_inc.state import State, View
from engine.game import Agent, Options
from tests.bench.agents import Job, compare
from tests.engine.artifacts_inc.card_lists import BARE, STRANGE
from tests.engine.artifacts_inc.scene import (
    BUILT_IN,
    GAME,
    START,
    card,
    collect,
    dive,
    fill,
    place,
    scene,
    turn_die,
)

QUICK = Effort(width=5, limit=250, rolls=3, rolled_width=2, rolled_limit=60)
QUICKLY = Expert(GAME, QUICK)
"""The expert with little search, which is not much weaker."""


def turn(state: State, agent: Expert = QUICKLY, seat: int = 0) -> list[m.Move]:
    """The agent's moves until its turn ends, asked before each; dice that fall meanwhile are the match's."""
    moves: list[m.Move] = []
    rounds = state.round
    while GAME.pending(state) and (state.active, state.round) == (seat, rounds):
        moves.append(agent.choose(GAME.view(state, seat), Random(1)))
        GAME.apply(state, seat, moves[-1])
        assert len(moves) < 30
    return moves


# -- strength


def victories(seats: int, seeds: int) -> float:
    """Victories of an expert among novices, from each seat of each seed."""
    return sum(compare(Job(GAME.key, "expert", "novice", seats, seed) for seed in range(seeds)).shares)


@pytest.mark.system
def test_a_expert_beats_a_novice():
    assert victories(2, 4) >= 6  # of 8; it wins 99 in a hundred


@pytest.mark.exhaustive
def test_a_expert_among_three_novices_wins_far_more_than_its_share():
    assert victories(4, 1) >= 3  # of 4, where a fair share is 1; it wins 97 in a hundred


def test_what_experts_have_learnt_is_for_the_built_in_cards():
    assert learnt().cards == BUILT_IN.catalogue.digest
    assert opinions_of(BUILT_IN.catalogue) == learnt().opinions
    sides = {f"{card.key} {level}" for card in BUILT_IN.catalogue.cards for level in (1, 2)}
    assert learnt().opinions.keys() <= sides | set(WEIGHTS)


def test_experts_have_no_opinions_of_other_cards_of_the_same_name():
    assert opinions_of(STRANGE.catalogue) == {}


def test_an_opinion_of_a_side_is_dollars_a_turn_while_it_is_up():
    catalogue = BUILT_IN.catalogue
    biplane = 2 * catalogue.numbers["biplane"]
    sides = (*(2 * number for number in catalogue.start), biplane)
    plain, fond = opinionated(catalogue, {}), opinionated(catalogue, {"biplane 1": 0.75})
    assert fond.of(sides, 0).dollars == pytest.approx(plain.of(sides, 0).dollars + 0.75)
    assert fond.of(sides[:-1], 0) == plain.of(sides[:-1], 0)
    assert fond.of((*sides[:-1], biplane + 1), 0) == plain.of((*sides[:-1], biplane + 1), 0)


def test_an_opinion_of_a_weight_is_the_logarithm_of_the_factor_on_it():
    catalogue = BUILT_IN.catalogue
    assert opinionated(catalogue, {"dollar": log(2)}).weights.dollar == pytest.approx(2 * Weights().dollar)


@pytest.mark.exhaustive
@pytest.mark.parametrize("game", [STRANGE, BARE], ids=["strange", "bare"])
def test_a_expert_plays_and_wins_with_whatever_cards(game: ArtifactsInc):
    expert, novice = Expert(game, QUICK), game.agents["novice"]
    won, kinds = 0.0, set[str]()
    for number in range(10):
        seats: list[Agent[View, m.Move]] = [expert, novice][:: 1 if number % 2 else -1]
        state = game.new(2, Options(), sha256(f"strange {number // 2}".encode()).digest())
        while game.pending(state):
            seat = state.active
            move = seats[seat].choose(game.view(state, seat), Random(number))
            if seats[seat] is expert:
                kinds.add(type(move).__name__)
            game.apply(state, seat, move)
        outcome = game.outcome(state)
        assert outcome
        won += (seats.index(expert) in outcome.winners) / len(outcome.winners)
    assert won >= 7
    assert kinds >= {"PlaceDie", "FillOrder", "Buy"}
    if game is STRANGE:
        assert kinds >= {"SellOne", "TurnDie", "Dive"}


# -- a turn

LAST: dict[str, Any] = {"round": 60, "active": 1}
"""The last turn of a match that seat 0 began."""


def test_what_is_gained_is_sold_in_the_same_turn_and_its_dollars_spent():
    state = scene(dice="1 1 3", dollars=1, divers=(1,) * 10, offer="antiquarian")
    moves = turn(state)
    assert [type(move) for move in moves[:2]] == [m.PlaceDie, m.FillOrder]
    assert isinstance(moves[2], m.Buy)


def test_a_low_die_does_what_any_die_can_do():
    state = scene(dice="2 5", artifacts="gem@headquarters fossil", divers=(1,) * 10)
    assert fill(5, "gem", 0) in turn(state)


def test_a_die_is_turned_where_that_sells_gems():
    state = scene("airfield", dice="2", artifacts="gem@headquarters", divers=(1,) * 10)
    assert turn(state)[:2] in ([turn_die("airfield", 2, face), fill(face, "gem", 0)] for face in (5, 6))


def test_a_die_is_turned_to_reach_a_dive():
    state = scene("airfield", dice="1 2", divers=(1,) * 3, **LAST)  # the next needs 8
    state.orders = [(0,) * len(orders) for orders in state.orders]
    assert turn(state, seat=1)[:2] == [turn_die("airfield", 1, 6), dive(2, 6)]


def test_poor_dice_are_rolled_again():
    state = scene("caravan", dice="2 2 2", artifacts="gem*3@headquarters", divers=(1,) * 10)
    assert any(isinstance(move, m.RollAgain) for move in turn(state))


def test_good_dice_are_not_rolled_again():
    state = scene("caravan", dice="5", artifacts="gem@headquarters", divers=(1,) * 10)
    assert turn(state)[0] == fill(5, "gem", 0)


def test_in_the_last_turn_dollars_become_reputation():
    turned = " ".join(f"{key}+" for key in START)
    state = scene(turned, dice="1", dollars=8, offer="grand_hall", divers=(0,) * 10, **LAST)
    state.offers = [(), (), (card("grand_hall"),), (), ()]
    assert isinstance(turn(state, seat=1)[0], m.Buy)


def test_in_the_last_turn_a_cube_that_wins_a_majority_goes_before_dollars():
    state = scene(
        dice="5",
        artifacts="gem*2@headquarters fossil*5 scroll*5",
        orders={"gem": {0: 0}},
        divers=(0,) * 10,
        **LAST,
    )
    assert turn(state, seat=1) == [fill(5, "gem", 1)]


def test_a_tie_in_the_last_turn_is_broken_by_dollars():
    state = scene(dice="1", artifacts="scroll*3", divers=(0,) * 5 + (1,) * 5, **LAST)
    assert turn(state, seat=1) == [collect(1, "scroll*3")]


def test_a_turn_planned_at_once_is_the_turn_played_move_by_move():
    state = scene(dice="1 3 4")
    planned = list(QUICKLY.moves(GAME.view(state, 0), Random(1)))
    assert len(planned) >= 2
    assert turn(state)[: len(planned)] == planned


def test_a_plan_ends_where_a_card_is_revealed():
    state = scene(dice="1 3 4", dollars=5)
    planned = QUICKLY.moves(GAME.view(state, 0), Random(1))
    assert isinstance(planned[-1], m.Buy)
    assert len(planned) < 3


# -- places


def test_a_card_that_counts_expeditions_lies_beside_most_of_them():
    state = scene("mountain_expedition@lower:-1", dice="1", dollars=9)
    sides, places = state.sides[0], state.places[0]
    found = best_place(GAME.catalogue, sides, places, card("explorers_club"))
    assert found in (place("lower:0"), place("upper:-1"))
    assert open_neighbours(GAME.catalogue, sides, places) == 2


def test_an_expedition_leaves_a_place_beside_many():
    state = scene(dice="1", dollars=9)
    sides, places = state.sides[0], state.places[0]
    found = best_place(GAME.catalogue, sides, places, card("jungle_expedition"))
    with_it = (*sides, 2 * card("jungle_expedition")), (*places, found)
    assert open_neighbours(GAME.catalogue, *with_it) == 2
    assert open_neighbours(GAME.catalogue, sides, places) == 1


# -- leanings


def paid_above_cheap(state: State, side: int) -> int:
    """Dollars above `CHEAP` that a company has paid for one of its cards, bought and turned."""
    found = state.catalogue.cards[side >> 1]
    return max(0, found.dollars - CHEAP) * ((found.pile != NO_PILE) + (side & 1))


Deeds = Callable[[State, int], int]
"""How often a seat did what a plan is about."""
LEANINGS: list[tuple[Leaning, Deeds]] = [
    (Leaning(museums=2), lambda state, seat: sum(orders.count(seat) for orders in state.orders)),
    (Leaning(dives=2), lambda state, seat: state.divers.count(seat)),
    (Leaning(dear=3), lambda state, seat: sum(paid_above_cheap(state, side) for side in state.sides[seat])),
    (Leaning(adventurers=4), lambda state, seat: state.powers[seat].dice),
]


@pytest.mark.exhaustive
@pytest.mark.parametrize(("leaning", "deeds"), LEANINGS, ids=["museums", "dives", "dear", "adventurers"])
def test_an_agent_that_leans_to_a_plan_does_more_of_it(leaning: Leaning, deeds: Deeds):
    done = {NO_LEANING: 0, leaning: 0}
    for inclined in done:
        agent, other = Expert(GAME, QUICK, inclined), GAME.agents["novice"]
        for number in range(6):
            state = GAME.new(2, Options(), sha256(f"leaning {number}".encode()).digest())
            while GAME.pending(state):
                player = agent if state.active == number % 2 else other
                GAME.apply(state, state.active, player.choose(GAME.view(state, state.active), Random(number)))
            done[inclined] += deeds(state, number % 2)
    assert done[leaning] > done[NO_LEANING]


# -- effort


@pytest.mark.parametrize("game", [GAME, BUILT_IN, STRANGE], ids=["scene", "built-in", "strange"])
def test_a_decision_judges_a_bounded_number_of_positions_whatever_the_cards(
    game: ArtifactsInc, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns: list[Turn] = []

    class Counted(Turn):
        def __init__(self, *parts: Any, **named: Any) -> None:
            super().__init__(*parts, **named)
            turns.append(self)

    monkeypatch.setattr("engine.artifacts_inc.agents.expert.Turn", Counted)
    state, rng = game.new(4, Options(), bytes(32)), Random(1)
    expert = Expert(game)
    for _ in range(60):
        if not (waiting := game.pending(state)):
            break
        view = game.view(state, waiting[0].seat)
        game.apply(state, waiting[0].seat, expert.choose(view, rng))
    limit = USUAL.positions + USUAL.rolls * USUAL.rolled_limit
    assert len(turns) > 30
    assert max(turn.judged for turn in turns) <= limit
    if game is BUILT_IN:
        assert max(turn.judged for turn in turns) < USUAL.positions, "nothing is left out with these cards"
