"""The novice of Artifact: at home with every decision, sensible in plain positions, far better than chance."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from random import Random
from typing import Any

import pytest

from engine.artifact import Artifact
from engine.artifact import moves as m
from engine.artifact.party import ABILITIES
from engine.artifact.rules import ArtifactOptions
from engine.artifact.state import State
from tests.engine.artifact.scenarios import HARSH, LOADED
from tests.engine.artifact.scene import GAME, LOW, d10, encounter, roll, scene

NOVICE = GAME.agents["novice"]


def match(seats: str, number: int, game: Artifact = GAME, **options: Any) -> tuple[State, Counter[str]]:
    """A match of novices ("n") and random players ("r"), and how often novices made each kind of move."""
    key = sha256(f"novice {number}".encode()).digest()
    state = game.new(len(seats), ArtifactOptions(**options), key)
    rng, played = Random(number), Counter[str]()
    while pending := game.pending(state):
        seat = pending[0].seat
        if seats[seat] == "n":
            move = game.agents["novice"].choose(game.view(state, seat), rng)
            played[type(move).__name__] += 1
        else:
            move = game.sample(state, seat, rng)
        game.apply(state, seat, move)
    return state, played


def test_a_novice_beats_chance():
    won = 0
    for number in range(120):
        outcome = GAME.outcome(match("nr" if number % 2 else "rn", number)[0])
        assert outcome
        won += outcome.winners == (number % 2 == 0,)
    assert won >= 85


@pytest.mark.parametrize("seats", [2, 4, 6])
def test_matches_among_novices_are_as_long_as_matches_should_be(seats: int):
    rounds = sorted(match("n" * seats, number)[0].round for number in range(25))
    assert 14 <= rounds[12] <= 21
    assert rounds[22] <= 25


def test_a_novice_uses_all_that_there_is_to_do():
    played: Counter[str] = Counter()
    for number in range(40):
        played += match("n" * (2 + number % 5), number)[1]
    assert set(played) == {kind.__name__ for kind in m.Move.__args__}


@pytest.mark.parametrize(
    ("game", "options"),
    [
        (LOADED, {"scenario": "loaded"}),
        (HARSH, {"scenario": "harsh"}),
        (GAME, {"challenges": "printed"}),
    ],
)
def test_a_novice_plays_whatever_the_scenario(game: Artifact, options: dict[str, Any]):
    for number in range(10):
        state, _ = match("nr" if number % 2 else "nnnn", number, game, **options)
        assert game.outcome(state)


def choice(state: State, seat: int | None = None) -> Any:
    seat = GAME.pending(state)[0].seat if seat is None else seat
    return NOVICE.choose(GAME.view(state, seat), Random(0))


def after(state: State, face: int, *numbers: int) -> State:
    roll(state, face, *numbers)
    return state


def test_a_novice_spends_an_aid_that_decides_and_keeps_one_that_does_not():
    doubtful = after(
        scene(3, 1, parties={0: "agility agility"}, aids={0: "picks"}), 2, encounter("rope_bridge")
    )
    assert choice(doubtful) == m.Use(("picks",))
    sure = "agility agility agility agility agility / agility agility agility / agility agility agility"
    certain = after(scene(3, 1, parties={0: sure}, aids={0: "picks"}), 2, encounter("rope_bridge"))
    assert choice(certain) == m.HOLD_BACK


def test_a_novice_spends_a_piece_of_equipment_that_adds_one_chance_in_ten():
    six, seven = (
        "agility agility agility agility agility / agility",
        "agility agility agility agility agility / agility agility",
    )
    for party, chosen in ((six, m.Use(("picks",))), (seven, m.HOLD_BACK)):
        state = after(scene(3, 1, parties={0: party}, aids={0: "picks"}), 2, encounter("rope_bridge"))
        assert choice(state) == chosen


def test_to_the_letter_a_novice_keeps_its_aids():
    state = scene(3, 1, aids={0: "picks"}, challenges="printed")
    assert choice(after(state, 2, encounter("rope_bridge"))) == m.HOLD_BACK


def test_a_novice_fights_for_the_artifact_with_all_that_helps():
    state = scene(3, 5, parties={0: "combat"}, aids={0: "pistols"}, holder=1)
    roll(state, 2)
    assert choice(state) == m.FORWARD
    state = scene(3, 5, aids={0: "pistols", 1: "pistols"}, holder=0, active=1)
    roll(state, 2)
    assert choice(state) == m.BACK


def test_a_novice_goes_where_the_artifact_lies():
    assert choice(after(scene(9, 20, lies=6), 4)) == m.BACK
    assert choice(after(scene(9, 20, lies=11), 4)) == m.FORWARD
    assert choice(after(scene(9, 20, lies=25), 4)) == m.FORWARD


def test_a_novice_waits_between_the_holder_and_home():
    assert choice(after(scene(20, 22, holder=1), 3)) == m.BACK
    assert choice(after(scene(20, 10, holder=1), 3)) == m.BACK
    assert choice(after(scene(4, 20, holder=1), 3)) == m.FORWARD


def test_a_novice_fights_the_weaker_party_and_names_its_best_ability():
    strong = "combat strength agility navigation survival / mechanics linguistics science / combat strength agility"
    state = scene(3, 5, 5, parties={1: strong, 2: "! / x / x / x / x / x"})
    assert choice(after(state, 2)) == m.Meet(2)
    state = scene(3, 5, parties={0: "science science science", 1: "combat"})
    assert choice(after(state, 2, d10(10))) == m.Name(ABILITIES.index("science"))


def test_a_novice_gives_up_the_aid_of_least_worth():
    state = scene(18, 9, aids={0: "outboard rubbings"})
    assert choice(after(state, 2, encounter("idol"), LOW)) == m.GiveUp("rubbings")
