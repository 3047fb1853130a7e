"""Invariants at every moment of every match, whatever the monument and the number of players."""

from __future__ import annotations

from itertools import product
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import MAP, SANDSTORM, THIEF
from engine.expedition import moves as x
from engine.expedition.rules import ExpeditionOptions
from engine.expedition.state import MONUMENTS, ExpeditionState, MonumentKey
from tests.engine.archaeology_family import SMALL, any_moves, census, check_tried, sell
from tests.engine.expedition.oracle import CODES, is_legal
from tests.engine.expedition.scene import GAME, LAID, begin, explore, play, scene
from tests.sampling import examples

Match = tuple[int, MonumentKey, int]

matches = st.tuples(st.integers(2, 5), st.sampled_from(MONUMENTS), st.integers(0, 2**32 - 1))
"""Seats, the monument, and a number that names the match."""


def start(match: Match) -> tuple[ExpeditionState, Random]:
    seats, monument, number = match
    return begin(seats, monument, number.to_bytes(32, "big")), Random(number)


def explorer(state: ExpeditionState, seat: int, rng: Random) -> Any:
    """A random legal move, an exploration whenever there is one."""
    for _ in range(30 if state.phase == "act" and state.hands[seat][MAP] and not state.explored else 0):
        move = GAME.sample(state, seat, rng)
        if isinstance(move, m.Explore | x.Guess):
            return move
    return GAME.sample(state, seat, rng)


def step(state: ExpeditionState, rng: Random) -> Any:
    """Plays a random legal move and returns it."""
    (decision,) = GAME.pending(state)
    move = explorer(state, decision.seat, rng)
    assert is_legal(state, decision.seat, move)
    GAME.apply(state, decision.seat, move)
    return move


def somewhere(match: Match, moves: int) -> ExpeditionState:
    """A match after so many random moves, or before its end."""
    state, rng = start(match)
    for _ in range(moves):
        before = GAME.copy(state)
        step(state, rng)
        if not GAME.pending(state):
            return before
    return state


def check(state: ExpeditionState) -> None:
    """Nothing is lost, and the monument is as it may be."""
    assert census(state) == list(GAME.copies[: state.kinds])
    hazards = (GAME.card_list.thieves.by_seats[state.seats], GAME.card_list.sandstorms.by_seats[state.seats])
    assert (
        state.thieves + state.site.count(THIEF),
        state.sandstorms + state.site.count(SANDSTORM),
    ) == hazards
    places = (state.market, *state.hands, *state.chambers, *state.within, *state.known)
    assert all(n >= 0 for counts in places for n in counts)
    assert len(state.chambers) == len(LAID[state.monument])
    assert not any(chamber[MAP] for chamber in state.chambers)
    for chamber, known in zip(state.chambers, state.within, strict=True):
        assert all(n <= have for n, have in zip(known, chamber, strict=True))
    for hand, known in zip(state.hands, state.known, strict=True):
        assert all(n <= have for n, have in zip(known, hand, strict=True))
    if state.monument == "ruins":
        assert state.within == state.chambers
        assert len(state.pile) == 12 - 3 * min(4, state.sandstorms)
    assert bool(state.turned) == (state.phase == "mine")
    assert (state.opened is not None) == (state.phase == "keep")


@given(matches)
@examples(90)
def test_every_card_is_somewhere_after_each_move_and_the_match_ends(match: Match):
    state, rng = start(match)
    for moves in range(5_000):
        assert state.moves == moves
        check(state)
        if not GAME.pending(state):
            break
        step(state, rng)
    assert GAME.outcome(state)
    assert not state.site
    assert not any(map(any, state.hands))
    assert state.maps_gone <= GAME.copies[MAP]


@given(matches)
@examples(30)
def test_what_anybody_knows_is_so_and_can_be_determinized(match: Match):
    state, rng = start(match)
    while GAME.pending(state):
        step(state, rng)
        public = GAME.view(state, None)
        for viewer in (None, *range(state.seats)):
            view = GAME.view(state, viewer)
            for chamber, known, everybody in zip(state.chambers, view.within, public.within, strict=True):
                assert all(a <= b <= n for a, b, n in zip(everybody, known, chamber, strict=True))
            twin = GAME.determinize(view, rng)
            check(twin)
            assert GAME.view(twin, viewer) == view
            assert GAME.view(twin, None) == public
            for number, privy in enumerate(state.privy):
                assert (twin.chambers[number] == state.chambers[number]) or viewer not in privy


@given(st.integers(2, 5), st.integers(0, 2**32 - 1))
@examples(20)
def test_a_drawn_monument_is_that_of_the_same_match_with_it_chosen(seats: int, number: int):
    key = number.to_bytes(32, "big")
    drawn = GAME.new(seats, ExpeditionOptions(), key)
    chosen = begin(seats, drawn.monument, key)
    without = {**GAME.dump(drawn), "counters": None}
    assert without == {**GAME.dump(chosen), "counters": None}


# -- moves of every kind, well formed and not

any_move = any_moves(
    9,
    3,
    lambda chosen: [
        st.builds(x.UseTent, st.booleans()),
        st.builds(x.LookAt, SMALL),
        st.builds(x.Keep, chosen),
        st.builds(x.Guess, st.tuples(SMALL, SMALL)),
        st.sampled_from([x.TurnUp(), x.Stop()]),
    ],
)


@given(matches, st.integers(0, 200), st.integers(-1, 5), st.lists(any_move, min_size=1, max_size=25))
@examples(250)
def test_a_move_is_played_if_it_is_legal_and_else_changes_nothing(
    match: Match, moves: int, other: int, tried: list[Any]
):
    state, rng = somewhere(match, moves), Random(moves)
    everything = (*tried, *(GAME.sample(state, state.asked, rng) for _ in range(10)))
    check_tried(GAME, state, product((state.asked, other), everything), is_legal, CODES, check)


# -- every answer may come up in random play


@pytest.mark.parametrize("monument", MONUMENTS)
def test_random_play_comes_to_everything_that_a_monument_has(monument: MonumentKey):
    shown: set[str] = set()
    moves: set[str] = set()
    for number in range(60):
        state, rng = start((2 + number % 4, monument, number))
        shown |= {event.kind for event in GAME.opening(state)}
        while GAME.pending(state):
            seat, move = state.asked, explorer(state, state.asked, rng)
            moves.add(type(move).__name__)
            shown |= {event.kind for event in GAME.apply(state, seat, move)}
    family = {"Dig", "Steal", "Discard", "Trade", "Sell", "EndTurn", "UseTent"}
    own = {
        "great_pyramid": ({"Explore"}, {"explored"}),
        "temple": ({"Explore", "LookAt"}, {"explored", "looked"}),
        "tomb": ({"Explore", "Keep"}, {"explored", "opened", "kept"}),
        "mine": ({"Explore", "TurnUp", "Stop"}, {"entered", "turned_up", "mined", "collapsed"}),
        "sphinx": ({"Guess"}, {"named", "revealed"}),
        "ruins": ({"Explore"}, {"explored", "uncovered"}),
    }[monument]
    assert moves == family | own[0]
    common = {
        "monument",
        "first",
        "found",
        "thief",
        "stolen",
        "sandstorm",
        "tent",
        "lost",
        "traded",
        "sold",
        "passed",
        "ended",
        "over",
    }
    assert shown == common | own[1]


def sampled(state: ExpeditionState) -> set[Any]:
    return {GAME.sample(state, state.asked, Random(n)) for n in range(3000)}


def test_every_answer_may_be_sampled():
    tent = scene("coin*2", "coin*2", site="sandstorm coin", dig=True)
    play(tent, m.Dig())
    assert sampled(tent) == {x.UseTent(True), x.UseTent(False)}
    look = scene("coin*2", "coin", monument="temple", chambers=("coin*5", "", "coin*5"), site="coin")
    play(look, sell("coin"))
    looks = {move for move in sampled(look) if isinstance(move, x.LookAt)}
    assert looks == {x.LookAt(0), x.LookAt(2)}
    assert sampled(look) > looks
    mine = scene("map", "coin", monument="mine", site="coin")
    play(mine, explore())
    assert sampled(mine) == {x.TurnUp(), x.Stop()}
    tomb = scene("map", "coin", monument="tomb", site="coin")
    play(tomb, explore())
    assert sampled(tomb) == {x.Keep(((2, 2),)), x.Keep(((2, 1), (3, 1))), x.Keep(((3, 2),))}
    sphinx = scene("map", "coin", monument="sphinx", site="coin")
    guesses = {move.treasures for move in sampled(sphinx) if isinstance(move, x.Guess)}
    assert {tuple(sorted(pair)) for pair in guesses} == {(a, b) for b in range(7) for a in range(b)}
