"""Every reason for which a move is refused, with the facts that screens word; nothing is changed by it."""

from __future__ import annotations

from typing import Any

import pytest

from engine.artifact import moves as m
from engine.artifact.rules import ArtifactOptions
from engine.artifact.state import State
from tests.engine.artifact.oracle import CODES
from tests.engine.artifact.scene import GAME, KEY, LOW, d10, encounter, play, refused, roll, scene


def making(tens: int = 1) -> State:
    """Seat 0 has rolled so many 10s."""
    state = GAME.new(2, ArtifactOptions(), KEY)
    state.rolls[0] = (10,) * tens + (1,) * (16 - tens)
    return state


def facing(aids: str) -> State:
    """A Challenge of agility, mechanics and strength."""
    state = scene(3, 1, aids={0: aids})
    roll(state, 2, encounter("rope_bridge"))
    return state


def fighting(own: str = "", other: str = "", ability: int = 1) -> State:
    """A fight; the ability is Combat unless another is rolled."""
    state = scene(3, 5, aids={0: own, 1: other})
    roll(state, 2, d10(ability))
    return state


def choosing() -> State:
    state = scene(3, 5, 5, 9)
    roll(state, 2)
    return state


def heading() -> State:
    state = scene(9, 20, holder=1)
    roll(state, 2)
    return state


def losing() -> State:
    state = scene(18, 9, aids={0: "maps tomes"})
    roll(state, 2, encounter("idol"), LOW)
    return state


TWO = ("pistols", "texts")
REFUSALS: list[tuple[str, State, Any, dict[str, Any]]] = [
    ("unknown-move", scene(1, 1), "roll", {}),
    ("unknown-move", scene(1, 1), (), {}),
    ("unknown-move", making(), None, {}),
    ("unknown-move", heading(), True, {}),
    ("other-decision", scene(1, 1), m.FORWARD, {}),
    ("other-decision", scene(1, 1), m.Create((), TWO), {}),
    ("other-decision", making(), m.ROLL, {}),
    ("other-decision", heading(), m.ROLL, {}),
    ("other-decision", facing("picks"), m.GiveUp("picks"), {}),
    ("other-decision", losing(), m.HOLD_BACK, {}),
    ("other-decision", fighting(ability=10), m.HOLD_BACK, {}),
    ("wrong-number-of-tens", making(2), m.Create((0,), TWO), {"need": 2, "have": 1}),
    ("wrong-number-of-tens", making(0), m.Create((0,), TWO), {"need": 0, "have": 1}),
    ("no-such-ability", making(), m.Create((9,), TWO), {}),
    ("no-such-ability", making(), m.Create((-1,), TWO), {}),
    ("no-such-ability", fighting(ability=10), m.Name(9), {}),
    ("no-such-ability", fighting(ability=10), m.Name(-1), {}),
    ("wrong-number-of-pieces", making(), m.Create((0,), ("pistols",)), {"need": 2, "have": 1}),
    ("wrong-number-of-pieces", making(), m.Create((0,), (*TWO, "maps")), {"need": 2, "have": 3}),
    ("no-such-equipment", making(), m.Create((0,), ("pistols", "letter")), {}),
    ("same-equipment", making(), m.Create((0,), ("pistols", "pistols")), {}),
    ("no-such-direction", heading(), m.Go(1), {}),  # pyright: ignore[reportArgumentType]
    ("no-such-opponent", choosing(), m.Meet(0), {}),
    ("no-such-opponent", choosing(), m.Meet(3), {}),
    ("no-such-opponent", choosing(), m.Meet(4), {}),
    ("no-such-opponent", choosing(), m.Meet(-1), {}),
    ("aid-not-held", facing("picks"), m.Use(("lockpicks",)), {"aid": "lockpicks"}),
    ("aid-not-held", facing("picks"), m.Use(("picks", "picks")), {"aid": "picks"}),
    ("aid-not-held", fighting("pistols"), m.Use(("picks",)), {"aid": "picks"}),
    ("aid-not-held", fighting(other="pistols"), m.Use(("nothing",)), {"aid": "nothing"}),
    ("aid-not-held", losing(), m.GiveUp("picks"), {"aid": "picks"}),
    ("aid-does-not-fit", facing("picks pistols"), m.Use(("pistols",)), {"aid": "pistols"}),
    ("aid-does-not-fit", fighting("picks pistols"), m.Use(("pistols", "picks")), {"aid": "picks"}),
    ("aid-does-not-fit", fighting(other="picks pistols"), m.Use(("picks",)), {"aid": "picks"}),
]


@pytest.mark.parametrize(
    ("code", "state", "move", "facts"),
    REFUSALS,
    ids=[f"{number}-{code}" for number, (code, *_) in enumerate(REFUSALS)],
)
def test_a_move_is_refused_for_its_reason(code: str, state: State, move: Any, facts: dict[str, Any]):
    error = refused(state, move)
    assert (error.code, error.facts) == (code, facts)


def test_who_is_not_asked_is_told_so_whatever_the_move():
    for seat in (-1, 1, 2):
        for move in (m.ROLL, m.HOLD_BACK, None):
            assert refused(scene(1, 1), move, seat).code == "not-your-move"


def test_who_has_made_a_party_is_not_asked_again():
    state = making(0)
    play(state, m.Create((), TWO), seat=0)
    assert refused(state, m.Create((), TWO), 0).code == "not-your-move"
    assert refused(state, m.Create((), TWO), 2).code == "not-your-move"


def test_in_a_fight_only_who_is_due_may_show_aids():
    state = fighting("pistols", "pistols")
    assert refused(state, m.HOLD_BACK, 1).code == "not-your-move"
    play(state, m.HOLD_BACK)
    assert refused(state, m.HOLD_BACK, 0).code == "not-your-move"


def test_when_the_match_is_over_nobody_may_move():
    state = scene(2, 1, holder=0)
    roll(state, 1)
    for seat in (0, 1):
        assert refused(state, m.ROLL, seat).code == "not-your-move"


def test_every_code_is_here():
    assert {code for code, *_ in REFUSALS} | {"not-your-move"} == CODES
