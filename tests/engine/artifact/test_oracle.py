"""Thousands of random moves beside the oracle, which tells the rules a second time: everything public agrees."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from engine.artifact import Artifact
from engine.artifact.rules import ArtifactOptions
from engine.artifact.state import PARTY, State
from engine.errors import BadData
from tests.engine.artifact.every_move import every_move
from tests.engine.artifact.oracle import ABILITIES, BUILT_IN, CODES, EQUIPMENT, Oracle
from tests.engine.artifact.public_facts import public_facts
from tests.engine.artifact.scenarios import HARSH, LOADED, harsh, loaded
from tests.engine.artifact.scene import GAME
from tests.engine.rulings import judged
from tests.sampling import amount

GAMES: dict[str, tuple[Artifact, list[Any]]] = {
    "built-in": (GAME, list(BUILT_IN.values())),
    "loaded": (LOADED, [*BUILT_IN.values(), loaded()]),
    "harsh": (HARSH, [*BUILT_IN.values(), harsh()]),
}
"""The games by name: each with the scenario of this name, where there is one, else a drawn one."""
every_game = pytest.mark.parametrize("name", GAMES)
every_number = pytest.mark.parametrize("seats", [2, 3, 4, 5, 6])
both_ways = pytest.mark.parametrize("challenges", ["corrected", "printed"])


def begin(
    name: str, seats: int, number: int, challenges: Any = "corrected"
) -> tuple[Artifact, State, Oracle]:
    game, scenarios = GAMES[name]
    scenario = None if name == "built-in" else name
    key = number.to_bytes(32, "big")
    options = ArtifactOptions(scenario=scenario, challenges=challenges)
    return game, game.new(seats, options, key), Oracle(seats, key, scenarios, scenario, challenges)


def agree(game: Artifact, state: State, oracle: Oracle) -> None:
    said, expected = public_facts(game.view(state, None)), oracle.public()
    assert {part: (said[part], expected[part]) for part in expected if said[part] != expected[part]} == {}
    assert said.keys() == expected.keys()
    for seat in range(state.seats):
        assert list(game.view(state, seat).rolls) == (oracle.rolls[seat] if state.phase == PARTY else [])


@pytest.mark.sampled
@both_ways
@every_game
@every_number
def test_a_random_match_goes_as_the_page_says(name: str, seats: int, challenges: str):
    for number in range(amount(8, 2)):
        game, state, oracle = begin(name, seats, 1_000 * seats + number, challenges)
        rng = Random(number)
        while pending := game.pending(state):
            agree(game, state, oracle)
            seat = rng.choice(pending).seat
            data = json.loads(json.dumps(game.dump_move(game.sample(state, seat, rng))))
            assert oracle.may(seat, data), data
            game.apply(state, seat, game.load_move(data))
            oracle.play(seat, data)
        agree(game, state, oracle)
        assert oracle.winner is not None


@pytest.mark.sampled
@every_game
@every_number
def test_the_list_of_all_moves_is_what_the_page_allows(name: str, seats: int):
    """Every move that is listed is legal by the page, what is sampled is listed, and nothing is listed twice."""
    for number in range(amount(3, 1)):
        game, state, oracle = begin(name, seats, 100 + number)
        rng = Random(seats)
        while pending := game.pending(state):
            seat = pending[0].seat
            listed = list(every_move(game.view(state, None)))
            assert listed == list(every_move(state))
            assert len(set(map(repr, listed))) == len(listed)
            for move in listed if len(listed) < 40 else rng.sample(listed, 40):
                assert oracle.may(seat, game.dump_move(move)), move
            move = game.sample(state, seat, rng)
            assert state.phase == PARTY or move in listed
            game.apply(state, seat, move)
            oracle.play(seat, game.dump_move(move))


def altered(data: dict[str, Any], rng: Random, aids: list[str]) -> dict[str, Any]:
    """A move's data with something in them changed."""
    data = json.loads(json.dumps(data))
    key = rng.choice([key for key in data if key != "kind"] or ["kind"])
    value = data[key]
    if isinstance(value, list):
        pool = ABILITIES if key == "tens" else list(EQUIPMENT) if key == "equipment" else aids
        if value and rng.random() < 0.5:
            value[rng.randrange(len(value))] = rng.choice(pool)
        elif value and rng.random() < 0.3:
            value.pop()
        else:
            value.append(rng.choice(pool))
    elif isinstance(value, int):
        data[key] = rng.randrange(6)
    elif key == "aid":
        data[key] = rng.choice(aids)
    elif key == "ability":
        data[key] = rng.choice(ABILITIES)
    return data


@pytest.mark.sampled
@every_game
def test_what_the_page_forbids_is_refused_and_nothing_else(name: str):
    """Moves of earlier turns, of others, and legal moves with something changed, at every moment of some matches."""
    verdicts: Counter[str] = Counter()
    for number in range(amount(10, 3)):
        game, state, oracle = begin(name, 2 + number % 5, 200 + number)
        rng = Random(number)
        aids = list(game.catalogue.scenarios[state.scenario].aids)
        earlier: list[dict[str, Any]] = [{"kind": "roll"}]
        while pending := game.pending(state):
            seat = rng.choice(pending).seat
            moves = [game.dump_move(game.sample(state, seat, rng)) for _ in range(3)]
            tried = [*moves, *rng.choices(earlier, k=4)]
            tried += [altered(data, rng, aids) for data in (*tried, *moves)]
            for data in tried:
                try:
                    move = game.load_move(data)
                except BadData:
                    continue
                other = rng.choice([seat, seat, rng.randrange(state.seats)])
                verdict = judged(game, state, other, move)
                verdicts[verdict] += 1
                assert (verdict == "legal") == oracle.may(other, data), (data, verdict)
            earlier.append(moves[0])
            game.apply(state, seat, game.load_move(moves[0]))
            oracle.play(seat, moves[0])
    assert verdicts["legal"] > amount(2_000, 500)
    assert len(verdicts) > 6
    assert verdicts.keys() <= {*CODES, "legal"}
