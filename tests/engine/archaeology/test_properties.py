"""Invariants at every moment of every match: nothing is lost, nothing illegal changes anything, it ends."""

from __future__ import annotations

import re
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

import engine
from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import SANDSTORM, THIEF
from engine.archaeology_family.state import State
from engine.game import Options
from tests.engine.archaeology.oracle import CODES, is_legal
from tests.engine.archaeology.scene import GAME
from tests.engine.archaeology_family import any_moves, census, check_tried
from tests.sampling import examples

matches = st.tuples(st.integers(2, 4), st.integers(0, 2**32 - 1))
"""Seats and a number that names the match."""


def begin(match: tuple[int, int]) -> tuple[State, Random]:
    seats, number = match
    return GAME.new(seats, Options(), number.to_bytes(32, "big")), Random(number)


def step(state: State, rng: Random) -> Any:
    """Plays a random legal move and returns it."""
    (decision,) = GAME.pending(state)
    move = GAME.sample(state, decision.seat, rng)
    assert is_legal(state, decision.seat, move)
    GAME.apply(state, decision.seat, move)
    return move


def somewhere(match: tuple[int, int], moves: int) -> State:
    """A match after so many random moves, or before its end."""
    state, rng = begin(match)
    for _ in range(moves):
        before = GAME.copy(state)
        step(state, rng)
        if not GAME.pending(state):
            return before
    return state


def check(state: State) -> None:
    assert census(state) == list(GAME.copies)


@given(matches)
@examples(60)
def test_every_card_is_somewhere_after_each_move_and_the_match_ends(match: tuple[int, int]):
    state, rng = begin(match)
    hazards = (GAME.card_list.thieves.by_seats[state.seats], GAME.card_list.sandstorms.by_seats[state.seats])
    for moves in range(5_000):
        assert state.moves == moves
        assert census(state) == list(GAME.copies)
        assert state.thieves + state.site.count(THIEF) == hazards[0]
        assert state.sandstorms + state.site.count(SANDSTORM) == hazards[1]
        assert all(n >= 0 for counts in (state.market, *state.hands, *state.chambers) for n in counts)
        if not GAME.pending(state):
            break
        step(state, rng)
    assert GAME.outcome(state)
    assert not state.site
    assert not any(map(any, state.hands))


@given(matches)
@examples(30)
def test_what_is_known_of_a_hand_is_in_it_and_is_determinized_without_telling_anybody_else(
    match: tuple[int, int],
):
    state, rng = begin(match)
    while GAME.pending(state):
        step(state, rng)
        public = GAME.view(state, None)
        for viewer in range(state.seats):
            view = GAME.view(state, viewer)
            for held, known, all_ in zip(state.hands, view.known, public.known, strict=True):
                assert all(least <= n <= have for least, n, have in zip(all_, known, held, strict=True))
            assert GAME.view(GAME.determinize(view, rng), None) == public


# -- moves of every kind, well formed and not

any_move = any_moves(7, 4)


def near(move: Any, rng: Random) -> Any:
    """The move with one of its numbers one more or one less."""
    parts = [[list(pair) for pair in part] if isinstance(part, tuple) else [[part]] for part in move]
    numbers = [(pair, place) for part in parts for pair in part for place in range(len(pair))]
    if not numbers:
        return move
    pair, place = rng.choice(numbers)
    pair[place] += rng.choice((-1, 1))
    fields = zip(move, parts, strict=True)
    return type(move)(
        *(tuple(map(tuple, new)) if isinstance(old, tuple) else new[0][0] for old, new in fields)
    )


def test_a_near_move_is_one_step_off():
    drawn = {near(m.Trade(((2, 1),), ((0, 3),)), Random(n)) for n in range(60)}
    assert len(drawn) == 8
    assert m.Trade(((2, 2),), ((0, 3),)) in drawn


@given(matches, st.integers(0, 160), st.integers(-1, 4), st.lists(any_move, min_size=1, max_size=25))
@examples(250)
def test_a_move_is_played_if_it_is_legal_and_else_changes_nothing(
    match: tuple[int, int], moves: int, other: int, tried: list[Any]
):
    state, rng = somewhere(match, moves), Random(moves)
    legal = [GAME.sample(state, state.asked, rng) for _ in range(10)]
    everything = (*tried, *legal, *(near(move, rng) for move in legal))
    check_tried(GAME, state, product((state.asked, other), everything), is_legal, CODES, check)


def test_no_other_code_is_in_use():
    """Every reason for which a move of the family or of Archaeology is refused has its test, and no more."""
    folders = [Path(engine.__path__[0]) / name for name in ("archaeology_family", "archaeology")]
    text = "\n".join(file.read_text(encoding="utf-8") for folder in folders for file in folder.glob("*.py"))
    raised = set(re.findall(r'IllegalMove\("([a-z-]+)"', text)) | set(
        re.findall(r', "(not-in-[a-z]+)"\)', text)
    )
    assert raised | {"not-your-move"} == CODES
