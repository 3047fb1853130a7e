"""Invariants of Artifact, whatever the moves."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.artifact import Artifact
from engine.artifact import moves as m
from engine.artifact.party import EQUIPMENT_KEYS, GONE, ROLLS, SIZES, WELL, counted
from engine.artifact.rules import ArtifactOptions
from engine.artifact.state import END, HOME, NOBODY, OVER, PARTY, State
from engine.errors import IllegalMove
from tests.engine.artifact.every_move import every_move
from tests.engine.artifact.oracle import CODES
from tests.engine.artifact.scenarios import HARSH, LOADED
from tests.engine.artifact.scene import GAME, after, d10, encounter, scene
from tests.sampling import examples

GAMES = {"lost_city": GAME, "drowned_temple": GAME, "ice_tomb": GAME, "loaded": LOADED, "harsh": HARSH}

Match = tuple[str, Any, int, int]
matches = st.tuples(
    st.sampled_from(sorted(GAMES)),
    st.sampled_from(["corrected", "printed"]),
    st.integers(2, 6),
    st.integers(0, 2**32 - 1),
)


def start(match: Match) -> tuple[Artifact, State, Random]:
    scenario, challenges, seats, number = match
    game = GAMES[scenario]
    options = ArtifactOptions(scenario=scenario, challenges=challenges)
    return game, game.new(seats, options, number.to_bytes(32, "big")), Random(number)


def step(game: Artifact, state: State, rng: Random) -> list[Any]:
    seat = rng.choice(game.pending(state)).seat
    return game.apply(state, seat, game.sample(state, seat, rng))


def somewhere(match: Match, moves: int) -> tuple[Artifact, State, Random]:
    game, state, rng = start(match)
    for _ in range(moves):
        if not game.pending(state):
            break
        step(game, state, rng)
    return game, state, rng


def check(game: Artifact, state: State) -> None:
    """Sheets add up, parties stand where they can, the Artifact is in one place."""
    if state.phase == PARTY:
        assert all(len(rolls) == ROLLS for rolls in state.rolls)
        return
    scenario = game.catalogue.scenarios[state.scenario]
    for seat in range(state.seats):
        party, wounds = state.members[seat], state.wounds[seat]
        assert state.counts[seat] == counted(party)
        for member, wound, size in zip(party, wounds, SIZES, strict=True):
            assert len(member) == (0 if wound == GONE else size - wound)
        assert wounds[0] == WELL or set(wounds[1:]) == {GONE}
        assert (state.at[seat] == 0) == (set(wounds) == {GONE})
        assert HOME <= state.at[seat] <= END or state.at[seat] == 0
        assert list(state.aids[seat]) == sorted(state.aids[seat])
        assert all(key in scenario.aids for key in state.aids[seat])
    assert (state.holder == NOBODY) == (state.lies != 0)
    if state.holder != NOBODY:
        assert state.at[state.holder] != 0
        assert state.hands[-1].seat == state.holder
    assert bool(state.hands) == (state.lies != END)
    read = game.load(game.dump(state))
    assert read == state


@given(matches)
@examples(60)
def test_all_adds_up_after_each_move_and_the_match_ends(match: Match):
    game, state, rng = start(match)
    for moves in range(10_000):
        assert state.moves == moves
        check(game, state)
        if not game.pending(state):
            break
        before = state.copy()
        events = step(game, state, rng)
        wounds = sum(event.kind in ("wounded", "member_out") for event in events)
        grown = sum(map(sum, state.wounds)) - sum(map(sum, before.wounds)) if before.phase != PARTY else 0
        assert grown == wounds
        assert state.round >= before.round
        assert all(now >= then for now, then in zip(state.journal, before.journal, strict=True))
    outcome = game.outcome(state)
    assert outcome
    assert outcome.ranks.count(1) == 1
    assert outcome.why == ("home" if state.at[outcome.winners[0]] == HOME and state.holder >= 0 else "last")


@given(matches, st.integers(0, 400))
@examples(60)
def test_a_view_determinized_is_the_match_but_for_what_is_hidden(match: Match, moves: int):
    game, state, rng = somewhere(match, moves)
    hidden = {"key", "counters", *(("rolls", "created") if state.phase == PARTY else ())}
    for viewer in (None, *range(state.seats)):
        twin = game.determinize(game.view(state, viewer), rng)
        assert game.view(twin, viewer) == game.view(state, viewer)
        check(game, twin)
        for slot in set(State.slots) - hidden:
            assert getattr(twin, slot) == getattr(state, slot)


def test_every_roll_and_every_choice_of_the_others_is_determinized():
    state = GAME.new(2, ArtifactOptions(), bytes(32))
    GAME.apply(state, 1, GAME.sample(state, 1, Random(0)))
    view, rng = GAME.view(state, 0), Random(1)
    rolls: Counter[int] = Counter()
    equipment: Counter[str] = Counter()
    for _ in range(400):
        twin = GAME.determinize(view, rng)
        rolls.update(twin.rolls[1])
        created = twin.created[1]
        assert created
        assert len(created.tens) == twin.rolls[1].count(10)
        equipment.update(created.equipment)
    assert set(rolls) == set(range(1, 11))
    assert all(500 < n < 790 for n in rolls.values())
    assert set(equipment) == set(EQUIPMENT_KEYS)
    assert all(60 < n < 145 for n in equipment.values())


def test_determinized_matches_roll_other_dice():
    state = scene(3, 1)
    view, rng = GAME.view(state, 0), Random(2)
    rolled = {GAME.apply(GAME.determinize(view, rng), 0, m.ROLL)[0].facts["die"] for _ in range(100)}
    assert rolled == set(range(1, 7))


# -- moves of every kind, well formed and not

small = st.integers(-2, 10)
keys = st.sampled_from([*EQUIPMENT_KEYS, "letter", "outboard", "loaded_1_2", "harsh_1_5", "nothing", ""])
any_move = st.one_of(
    st.builds(m.Create, st.lists(small, max_size=4).map(tuple), st.lists(keys, max_size=3).map(tuple)),
    st.just(m.ROLL),
    st.builds(m.Go, st.booleans()),
    st.builds(m.Meet, small),
    st.builds(m.Name, small),
    st.builds(m.Use, st.lists(keys, max_size=3).map(tuple)),
    st.builds(m.GiveUp, keys),
    st.sampled_from([None, (), "roll", 7, True]),
)


def tidy(move: Any) -> Any:
    """The move with its Aids in order: any order means the same."""
    return move._replace(aids=tuple(sorted(move.aids))) if isinstance(move, m.Use) else move


@given(matches, st.integers(0, 300), st.integers(-1, 6), st.lists(any_move, min_size=1, max_size=25))
@examples(150)
def test_a_move_is_played_if_it_is_among_all_moves_and_else_changes_nothing(
    match: Match, moves: int, other: int, tried: list[Any]
):
    game, state, rng = somewhere(match, moves)
    if not (pending := game.pending(state)):
        return
    before = game.dump(state)
    asked = pending[0].seat
    every = {(type(move), move) for move in every_move(state)}
    for move in (*tried, *(game.sample(state, asked, rng) for _ in range(5))):
        for seat in (asked, other):
            if state.phase == PARTY and isinstance(move, m.Create):
                continue
            if seat == asked and (type(move), tidy(move)) in every:
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
        scene(1, 1),
        after(scene(9, 20, holder=1), 3),
        after(scene(3, 5, 5, 5), 2),
        after(scene(3, 5), 2, d10(10)),
        after(scene(3, 5, aids={0: "pistols pistols maps"}), 2, d10(1)),
        after(scene(3, 5, aids={1: "pistols pistols"}), 2, d10(1)),
        after(scene(3, 1, aids={0: "picks lockpicks climbing_gear"}), 2, encounter("rope_bridge")),
        after(scene(18, 1, aids={0: "maps tomes texts"}), 2, encounter("idol"), 35),
    ],
)
def test_every_legal_move_may_be_sampled(state: State):
    seat = GAME.pending(state)[0].seat
    sampled = {GAME.sample(state, seat, Random(number)) for number in range(400)}
    assert sampled == set(every_move(state))


def test_every_way_to_make_a_party_may_be_sampled():
    state = GAME.new(2, ArtifactOptions(), bytes(32))
    state.rolls[0] = (10,) + (1,) * 15
    sampled = {GAME.sample(state, 0, Random(number)) for number in range(6_000)}
    assert len(sampled) == 9 * 28


def test_random_play_comes_to_everything():
    kinds: set[str] = set()
    moves: set[type] = set()
    phases: set[str] = set()
    whys: set[str] = set()
    names = sorted(GAMES)
    for number in range(120):
        game, state, rng = start((names[number % 5], "corrected", 2 + number % 5, number))
        kinds |= {event.kind for event in game.opening(state)}
        while pending := game.pending(state):
            phases.add(state.phase)
            seat = rng.choice(pending).seat
            move = game.sample(state, seat, rng)
            moves.add(type(move))
            kinds |= {event.kind for event in game.apply(state, seat, move)}
        assert state.phase == OVER
        outcome = game.outcome(state)
        assert outcome
        whys.add(outcome.why)
    assert moves == set(m.Move.__args__)
    assert whys == {"home", "last"}
    assert phases == {
        "party", "roll", "direction", "opponent", "ability", "attack", "defend", "challenge", "give_up",
    }  # fmt: skip
    assert kinds == {
        "scenario", "rolled_party", "created", "parties", "order", "rolled", "moved", "reached", "picked_up", "met",
        "named", "used", "fought", "seized", "aid", "challenge", "faced", "wounded", "member_out", "party_out", "fell",
        "turn_lost", "thrown_back", "aid_lost", "skipped", "over",
    }  # fmt: skip
