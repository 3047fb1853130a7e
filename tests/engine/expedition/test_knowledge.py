"""The knowledge of seats: public facts, facts that one seat alone has seen, and how long they stay (R8, R15, R16)."""

from __future__ import annotations

from random import Random

import pytest

from engine.expedition.state import ExpeditionState, MonumentKey
from engine.game import Event
from tests.engine.archaeology_family import DIG_MOVE, END_TURN, counts, sell
from tests.engine.expedition.scene import (
    GAME,
    PILE,
    STOP,
    TURN_UP,
    begin,
    explore,
    guess,
    keep,
    look,
    play,
    scene,
)

NOTHING = (0,) * 7


def within(state: ExpeditionState, viewer: int | None, number: int = 0) -> tuple[int, ...]:
    """The viewer's knowledge of a chamber, after checking that whatever is determinized has just that in it."""
    view = GAME.view(state, viewer)
    for seed in range(5):
        twin = GAME.determinize(view, Random(seed))
        assert GAME.view(twin, viewer).within == view.within
        assert GAME.view(twin, None).within == GAME.view(state, None).within == view.public_within
        assert all(n <= have for n, have in zip(view.within[number], twin.chambers[number], strict=True))
    return view.within[number]


def told(event: Event, seats: int = 2) -> list[bool]:
    """Which viewers, the spectator last, are told of cards."""
    return ["cards" in event.seen_by(viewer) for viewer in (*range(seats), None)]


# -- the Temple


def test_r16_what_was_seen_in_the_temple_stays_in_the_sellers_view_alone():
    state = scene("coin*3", "coin*2", monument="temple", site="coin " * 6)
    (event,) = play(state, sell("coin"), look(1))
    assert told(event) == [True, False, False]
    for _ in range(4):
        assert within(state, 0, 1) == tuple(counts("pot_shard*5", 7))
        assert within(state, 1, 1) == within(state, None, 1) == NOTHING
        assert within(state, 0, 0) == NOTHING
        play(state, END_TURN, DIG_MOVE)


def test_r16_until_that_chamber_is_explored():
    state = scene("coin*3", "map*2 coin", monument="temple", site="coin " * 6)
    play(state, sell("coin"), look(1), sell("coin"), look(2), END_TURN, DIG_MOVE, explore(1))
    assert within(state, 0, 1) == NOTHING
    assert within(state, 0, 2) == tuple(counts("parchment_scrap*5", 7))
    assert state.privy == [[], [], [0]]


def test_several_may_have_looked_and_all_see_who():
    state = scene("coin*3", "coin*2", monument="temple", site="coin " * 6)
    play(state, sell("coin"), look(1), END_TURN, DIG_MOVE, sell("coin"), look(1))
    assert within(state, 0, 1) == within(state, 1, 1) == tuple(counts("pot_shard*5", 7))
    assert within(state, None, 1) == NOTHING
    assert GAME.view(state, None).privy == ((), (0, 1), ())


def test_a_second_look_at_the_same_chamber_changes_nothing():
    state = scene("coin*3", "coin*2", monument="temple", site="coin " * 6)
    play(state, sell("coin"), look(1), sell("coin"), look(1))
    assert state.privy == [[], [0], []]


def test_r8_what_comes_out_of_a_hidden_chamber_is_known_to_who_explored_it():
    hidden: tuple[MonumentKey, ...] = ("great_pyramid", "temple")
    for monument in hidden:
        state = scene("map*2", "coin", monument=monument, site="coin")
        (event,) = play(state, explore(1))
        assert told(event) == [True, False, False]
        assert event.seen_by(1)["count"] == 5
        assert GAME.view(state, 1).known[0] == NOTHING
        assert GAME.view(state, 1).sizes[0] == 5


# -- the Tomb


def test_r16_what_was_left_in_the_tomb_stays_with_who_left_it():
    state = scene("map coin", "coin", monument="tomb", site="coin " * 6)
    (opened,) = play(state, explore(0))
    assert told(opened) == [True, False, False]
    assert within(state, 0) == tuple(counts("coin*5 talisman*2", 7))
    assert GAME.view(state, 0).choice == within(state, 0)
    assert within(state, 1) == within(state, None) == NOTHING
    assert GAME.view(state, 1).choice is GAME.view(state, None).choice is None
    (kept,) = play(state, keep("talisman*2"))
    assert told(kept) == [True, False, False]
    for _ in range(4):
        assert within(state, 0) == tuple(counts("coin*5", 7))
        assert within(state, 1) == NOTHING
        assert GAME.view(state, 1).known[0] == NOTHING
        play(state, END_TURN, DIG_MOVE)


def test_r16_until_somebody_else_explores_that_chamber():
    state = scene("map coin", "map*2 coin", monument="tomb", site="coin " * 6)
    play(state, explore(0), keep("talisman*2"), END_TURN, DIG_MOVE, explore(0))
    assert within(state, 0) == NOTHING
    assert within(state, 1) == tuple(counts("coin*5", 7))
    play(state, keep("coin*2"))
    assert within(state, 0) == NOTHING
    assert within(state, 1) == tuple(counts("coin*3", 7))
    assert GAME.view(state, 0).privy == ((1,), ())


def test_r16_another_chambers_exploration_takes_no_knowledge():
    state = scene("map coin", "map coin", monument="tomb", site="coin " * 6)
    play(state, explore(0), keep("talisman*2"), END_TURN, DIG_MOVE, explore(1), keep("pot_shard*2"))
    assert within(state, 0, 0) == tuple(counts("coin*5", 7))
    assert within(state, 1, 1) == tuple(counts("pot_shard*5 talisman", 7))
    assert within(state, 0, 1) == within(state, 1, 0) == NOTHING


def test_r16_ones_own_second_exploration_keeps_ones_knowledge():
    state = scene("map*2 coin", "coin", monument="tomb", site="coin " * 6)
    play(state, explore(0), keep("talisman*2"), END_TURN, DIG_MOVE, END_TURN, DIG_MOVE)
    play(state, explore(0), keep("coin*2"))
    assert within(state, 0) == tuple(counts("coin*3", 7))


def test_an_emptied_chamber_of_the_tomb_is_known_to_nobody():
    state = scene("map coin", "coin", monument="tomb", chambers=("coin*2", "coin*8"), site="coin")
    state.privy[0] = [1]
    (event,) = play(state, explore(0))
    assert told(event) == [True, False, False]
    assert state.privy == [[], []]


# -- what is public


@pytest.mark.parametrize("viewer", [None, 0, 1])
def test_the_numbers_of_cards_are_public(viewer: int | None):
    state = scene("map coin", "coin", monument="ruins", pile=PILE, site="coin")
    view = GAME.view(state, viewer)
    assert (view.chambers, view.pile, view.costs) == ((1, 1, 1), 12, (1, 1, 1))
    assert view.monument == "ruins"
    assert view.tents == (True, True)


def test_r15_mine_sphinx_and_ruins_tell_all_the_same():
    open_ones: dict[MonumentKey, list[object]] = {
        "mine": [explore(), TURN_UP, STOP],
        "sphinx": [guess("coin", "talisman")],
        "ruins": [explore(0)],
    }
    for monument, moves in open_ones.items():
        state = scene("map coin", "coin", monument=monument, site="coin")
        for move in moves:
            assert all(not event.secret for event in play(state, move))
        views = [GAME.view(state, viewer) for viewer in (None, 0, 1)]
        assert len({view.known[0] for view in views}) == 1
        assert len({view.within for view in views}) == 1


def test_what_is_known_of_the_mine_is_determinized_there():
    state = scene("map coin", "coin", monument="mine", chambers=("talisman*8",), site="coin")
    play(state, explore(), TURN_UP)
    for seed in range(10):
        twin = GAME.determinize(GAME.view(state, 1), Random(seed))
        assert twin.chambers[0][3] >= 2
        assert sum(twin.chambers[0]) == 8


def test_unknown_chambers_and_the_pile_are_determinized_in_many_ways():
    for monument in ("great_pyramid", "temple", "tomb", "mine", "sphinx", "ruins"):
        view = GAME.view(begin(3, monument), 0)
        twins = [GAME.determinize(view, Random(seed)) for seed in range(10)]
        assert len({f"{twin.chambers} {twin.pile}" for twin in twins}) == 10
        assert all(not chamber[5] for twin in twins for chamber in twin.chambers)


def test_texts_of_states_views_and_events_hide_what_they_hold():
    state = scene("map coin", "coin", monument="tomb", site="coin")
    (event,) = play(state, explore(0))
    texts = f"{state!r} {GAME.view(state, 0)!r} {event!r}"
    assert "ExpeditionView viewer=0" in texts
    assert "tomb" not in texts
    assert "(" not in repr(GAME.view(state, 0))


def test_cards_that_left_a_known_hand_are_forgotten():
    state = scene("map coin", "coin", monument="ruins", site="coin")
    play(state, explore(1))
    assert GAME.view(state, 1).known[0] == tuple(counts("talisman", 7))
    play(state, sell("talisman"))
    assert GAME.view(state, 1).known[0] == NOTHING
