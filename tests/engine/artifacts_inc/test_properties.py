"""Invariants of Artifacts, Inc., whatever the moves."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.artifacts_inc import ArtifactsInc
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.choices import places
from engine.artifacts_inc.company import MOST_DICE, CompanyCard, Place, Space, around
from engine.artifacts_inc.state import GOAL, MUSEUMS, OVER, ROUNDS, State
from engine.errors import IllegalMove
from engine.game import Options
from tests.engine.artifacts_inc.card_lists import BARE, STRANGE
from tests.engine.artifacts_inc.every_move import every_move
from tests.engine.artifacts_inc.oracle import CODES
from tests.engine.artifacts_inc.public_facts import EVENTS
from tests.engine.artifacts_inc.scene import GAME, KEY, play, put, roll, scene
from tests.sampling import examples

GAMES = {"built-in": GAME, "strange": STRANGE, "bare": BARE}

Match = tuple[str, int, int]
matches = st.tuples(st.sampled_from(sorted(GAMES)), st.integers(2, 4), st.integers(0, 2**32 - 1))


def start(match: Match) -> tuple[ArtifactsInc, State, Random]:
    name, seats, number = match
    game = GAMES[name]
    return game, game.new(seats, Options(), number.to_bytes(32, "big")), Random(number)


def somewhere(match: Match, moves: int) -> tuple[ArtifactsInc, State, Random]:
    game, state, rng = start(match)
    for _ in range(moves):
        if not game.pending(state):
            break
        game.apply(state, state.active, game.sample(state, state.active, rng))
    return game, state, rng


def check(game: ArtifactsInc, state: State) -> None:
    """Cards are somewhere, once; nothing is negative; what is derived is what it follows from."""
    catalogue, kinds = game.catalogue, len(ARTIFACTS)
    for number, pile in enumerate(catalogue.piles):
        bought = [side >> 1 for sides in state.sides for side in sides]
        there = [card for card in bought if catalogue.cards[card].pile == number]
        assert Counter((*state.piles[number], *state.offers[number], *there)) == Counter(pile)
    for seat in range(state.seats):
        taken = state.places[seat]
        assert len(set(taken)) == len(taken) == len(state.sides[seat])
        assert all(any(beside in taken for beside in around(where)) for where in taken)
        assert min(state.cubes[seat]) >= 0
        assert [sum(state.cubes[seat][kind::kinds]) for kind in range(kinds)] == state.artifacts[seat]
        assert state.dollars[seat] >= 0
        assert sum(state.earned[seat]) == state.reputation[seat]
        assert bool(state.earned[seat][MUSEUMS]) <= (state.phase == OVER)
    assert state.dice == sorted(state.dice)
    assert len(state.dice) + len(state.laid) + len(state.dived) <= MOST_DICE
    assert len(set(state.covered)) == len(state.covered) == len(state.laid)
    assert len(state.divers) <= len(catalogue.dives)
    assert state.round <= ROUNDS
    assert state.last == any(sum(earned[:MUSEUMS]) >= GOAL for earned in state.earned)
    read = game.load(game.dump(state))
    assert read == state


@given(matches)
@examples(40)
def test_all_is_conserved_after_each_move_and_the_match_ends(match: Match):
    game, state, rng = start(match)
    for moves in range(10_000):
        assert state.moves == moves
        check(game, state)
        if not game.pending(state):
            break
        seat, before = state.active, state.copy()
        events = game.apply(state, seat, game.sample(state, seat, rng))
        assert all(now >= then for now, then in zip(state.reputation, before.reputation, strict=True))
        assert all(state.dollars[s] == before.dollars[s] for s in range(state.seats) if s != seat)
        if state.active == seat and state.phase != OVER and state.round == before.round:
            dice = [len(s.dice) + len(s.laid) + len(s.dived) for s in (before, state)]
            assert dice[0] == dice[1] or events[-1].kind == "rolled"
    assert game.outcome(state)


@given(matches, st.integers(0, 300))
@examples(60)
def test_a_view_determinized_is_the_match_but_for_the_piles_order(match: Match, moves: int):
    game, state, rng = somewhere(match, moves)
    view = game.view(state, None)
    twin = game.determinize(view, rng)
    assert game.view(twin, None) == view
    check(game, twin)
    for slot in set(State.slots) - {"piles", "key", "counters"}:
        assert getattr(twin, slot) == getattr(state, slot)


def test_every_order_of_a_pile_is_determinized():
    state = scene()
    state.piles[0] = state.piles[0][:3]
    view, rng = GAME.view(state, 0), Random(1)
    orders = Counter(GAME.determinize(view, rng).piles[0] for _ in range(600))
    assert len(orders) == 6 // (3 - len(set(state.piles[0])) + 1)
    assert all(n > 600 / len(orders) * 0.7 for n in orders.values())


# -- moves of every kind, well formed and not

small = st.integers(-2, 9)
numbers = st.integers(-2, 32)
spaces = st.builds(Space, numbers, small, small)
own_cards = st.builds(CompanyCard, numbers, small)
dice = st.lists(small, max_size=8).map(tuple)
any_move = st.one_of(
    st.builds(m.Roll, st.none() | st.permutations([6, 7, 8, 9]).map(tuple) | dice),
    st.builds(m.PlaceDie, small, spaces),
    st.builds(m.Gather, small, spaces, small),
    st.builds(m.FillOrder, small, spaces, small, small),
    st.builds(m.Collect, small, spaces, dice),
    st.builds(m.SellOne, small, spaces, small),
    st.builds(m.Buy, small, spaces, numbers, st.builds(Place, small, small)),
    st.builds(m.TurnCard, small, spaces, own_cards),
    st.builds(m.Dive, dice),
    st.builds(m.TurnDie, own_cards, small, small),
    st.builds(m.RollAgain, own_cards, dice),
    st.sampled_from([m.PASS, None, (), "pass", 7]),
)


def tidy(move: Any) -> Any:
    """The move with its dice in ascending order: any order means the same."""
    return move._replace(dice=tuple(sorted(move.dice))) if isinstance(move, m.Dive | m.RollAgain) else move


@given(matches, st.integers(0, 300), st.integers(-1, 4), st.lists(any_move, min_size=1, max_size=25))
@examples(200)
def test_a_move_is_played_if_it_is_among_all_moves_and_else_changes_nothing(
    match: Match, moves: int, other: int, tried: list[Any]
):
    game, state, rng = somewhere(match, moves)
    if not game.pending(state):
        return
    before = game.dump(state)
    every = {(type(move), move) for move in every_move(state)}
    for move in (*tried, *(game.sample(state, state.active, rng) for _ in range(10))):
        for seat in (state.active, other):
            if seat == state.active and (type(move), tidy(move)) in every:
                twin = game.copy(state)
                assert game.apply(twin, seat, move)
                check(game, twin)
            else:
                with pytest.raises(IllegalMove) as caught:
                    game.apply(state, seat, move)
                assert caught.value.code in CODES
            assert game.dump(state) == before


# -- every legal move may come up in random play


@pytest.mark.parametrize(
    "state",
    [
        scene("field_office", dice="2 5", artifacts="fossil scroll", orders={"fossil": {1: 1}}),
        scene("airfield caravan+", dice="1 6"),
        scene("biplane curators_office+", dice="3 3", artifacts="fossil*2 gem@headquarters"),
        scene("auction_house diving_bell", dice="1 2", artifacts="statue*2@headquarters", divers=(1, 1)),
        scene("antiquarian", dice="4 1", dollars=3),
        scene("headquarters+", dice="1", dollars=4, artifacts="scroll", seats=4),
        GAME.new(2, Options(), KEY),
        scene("antiquarian+ curators_office", dice="2 5", artifacts="fossil statue", game=STRANGE),
    ],
)
def test_every_legal_move_may_be_sampled(state: State):
    assert {GAME.sample(state, state.active, Random(n)) for n in range(8_000)} == set(every_move(state))


def test_random_play_comes_to_everything():
    kinds: set[str] = set()
    moves: set[type] = set()
    whys: set[str] = set()
    for number in range(150):
        game, state, rng = start(("strange" if number % 3 else "built-in", 2 + number % 3, number))
        kinds |= {event.kind for event in game.opening(state)}
        while game.pending(state):
            move = game.sample(state, state.active, rng)
            moves.add(type(move))
            kinds |= {event.kind for event in game.apply(state, state.active, move)}
        outcome = game.outcome(state)
        assert outcome
        whys.add(outcome.why)
    assert moves == set(m.Move.__args__)
    assert kinds == {*EVENTS}
    assert {"reputation", "dollars"} <= whys


def test_what_a_match_has_before_it_does_not_follow_from_its_key_for_a_viewer():
    """Imagined matches roll other dice."""
    state = GAME.new(2, Options(), KEY)
    view, rng = GAME.view(state, state.first), Random(2)
    rolled = {tuple(play(GAME.determinize(view, rng), roll())[0].facts["dice"]) for _ in range(60)}
    assert len(rolled) > 20
    play(state, roll())
    assert put(state.dice[0], "guide_work") in set(every_move(state))
    assert places(state, 0) == places(state, 1)
