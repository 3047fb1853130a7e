"""The rules of the sample: each ruling, each refusal, what each seat knows."""

from __future__ import annotations

from itertools import chain
from random import Random

import pytest

from engine.errors import IllegalMove, NotYourMove
from engine.game import Options
from tests.oasis.rules import CARDS, MOST, Draw, Drink, Oasis, State

GAME = Oasis()


def scene(*hands: list[int], well: int = 9) -> State:
    """A match in which seat 0 is asked; so many of the other cards are left in the well."""
    state = GAME.new(len(hands), Options(), bytes(32))
    others = list(CARDS)
    for card in chain(*hands):
        others.remove(card)
    state.hands = [sorted(hand) for hand in hands]
    state.well, state.drunk, state.turn = others[:well], others[well:], 0
    return state


def test_three_equal_cards_bring_nine_times_their_value() -> None:
    """R1."""
    state = scene([2, 5, 5, 5], [1])
    (event,) = GAME.apply(state, 0, Drink(5, 3))
    assert event.facts == {"value": 5, "count": 3, "points": 45}
    assert (state.hands[0], state.points, state.turn) == ([2], [45, 0], 1)


def test_whoever_holds_five_cards_must_drink() -> None:
    """R2."""
    state = scene([1, 2, 3, 4, 5], [1])
    with pytest.raises(IllegalMove) as refused:
        GAME.apply(state, 0, Draw())
    assert (refused.value.code, refused.value.facts) == ("hand-full", {"most": MOST})
    assert all(isinstance(GAME.sample(state, 0, Random(n)), Drink) for n in range(20))


def test_the_last_card_of_the_well_ends_the_match_and_hands_count_nothing() -> None:
    """R3."""
    state = scene([6, 6, 6], [1], well=1)
    state.points = [0, 4]
    *_drew, over = GAME.apply(state, 0, Draw())
    outcome = GAME.outcome(state)
    assert over.facts == {"winners": [1]}
    assert outcome is not None
    assert (outcome.scores, outcome.winners) == ((0, 4), (1,))
    assert not GAME.pending(state)
    with pytest.raises(NotYourMove):
        GAME.apply(state, 1, Drink(1, 1))


def test_a_card_that_is_not_held_is_not_drunk_and_nobody_moves_out_of_turn() -> None:
    state = scene([1], [6])
    with pytest.raises(IllegalMove, match="not-in-hand"):
        GAME.apply(state, 0, Drink(6, 1))
    with pytest.raises(NotYourMove):
        GAME.apply(state, 1, Drink(6, 1))


def test_a_drawn_card_is_told_to_its_owner_alone() -> None:
    state = scene([1], [6])
    top = state.well[-1]
    (drew,) = GAME.apply(state, 0, Draw())
    assert [drew.seen_by(viewer) for viewer in (0, 1, None)] == [{"value": top}, {}, {}]
    assert top in (GAME.view(state, 0).hand or ())
    assert GAME.view(state, None).hand is None


def test_others_may_hold_every_card_that_nobody_has_seen_and_no_other() -> None:
    state = scene([1, 1, 1], [6, 6], well=15)
    view = GAME.view(state, 0)
    held = {tuple(GAME.determinize(view, Random(n)).hands[1]) for n in range(2000)}
    unseen = [*state.well, *state.hands[1]]
    assert held == {(min(a, b), max(a, b)) for i, a in enumerate(unseen) for b in unseen[i + 1 :]}
