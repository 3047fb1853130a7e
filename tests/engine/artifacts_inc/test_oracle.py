"""Thousands of random moves beside the oracle, which tells the rules a second time: everything public agrees."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any

import pytest

from engine.artifacts_inc import ArtifactsInc
from engine.artifacts_inc.state import State
from engine.errors import BadData
from engine.game import Options
from tests.engine.artifacts_inc.card_lists import BARE, STRANGE, bare_list, strange_list
from tests.engine.artifacts_inc.every_move import every_move
from tests.engine.artifacts_inc.oracle import CODES, Oracle
from tests.engine.artifacts_inc.public_facts import public_facts
from tests.engine.artifacts_inc.scene import BUILT_IN
from tests.engine.rulings import judged
from tests.sampling import amount

LISTS: dict[str, tuple[ArtifactsInc, dict[str, Any] | None]] = {
    "built-in": (BUILT_IN, None),
    "strange": (STRANGE, strange_list()),
    "bare": (BARE, bare_list()),
}
every_table = pytest.mark.parametrize("name", LISTS)
every_number = pytest.mark.parametrize("seats", [2, 3, 4])


def begin(name: str, seats: int, number: int) -> tuple[ArtifactsInc, State, Oracle]:
    game, card_list = LISTS[name]
    key = number.to_bytes(32, "big")
    return game, game.new(seats, Options(), key), Oracle(seats, key, card_list)


def agree(game: ArtifactsInc, state: State, oracle: Oracle) -> None:
    said, expected = public_facts(game.view(state, None)), oracle.public()
    assert {part: said[part] for part in expected if said[part] != expected[part]} == {}
    assert said.keys() == expected.keys()


@pytest.mark.sampled
@every_table
@every_number
def test_a_random_match_goes_as_the_page_says(name: str, seats: int):
    for number in range(amount(12, 2)):
        game, state, oracle = begin(name, seats, number)
        rng = Random(number)
        while BUILT_IN.pending(state):
            agree(game, state, oracle)
            move = game.sample(state, state.active, rng)
            data = json.loads(json.dumps(game.dump_move(move)))
            assert oracle.may(state.active, data), data
            game.apply(state, state.active, move)
            oracle.play(data)
        agree(game, state, oracle)
        assert oracle.over


@every_table
@every_number
def test_the_list_of_all_moves_is_what_the_page_allows(name: str, seats: int):
    """Every move that is listed is legal by the page, what is sampled is listed, and nothing is listed twice."""
    game, state, oracle = begin(name, seats, 100 + seats)
    rng = Random(seats)
    while game.pending(state):
        listed = list(every_move(game.view(state, None)))
        assert listed == list(every_move(state))
        assert len(set(listed)) == len(listed)
        for move in listed if len(listed) < 60 else rng.sample(listed, 60):
            assert oracle.may(state.active, game.dump_move(move)), move
        move = game.sample(state, state.active, rng)
        assert move in listed
        game.apply(state, state.active, move)
        oracle.play(game.dump_move(move))


def altered(data: dict[str, Any], rng: Random, keys: list[str]) -> dict[str, Any]:
    """A move's data with something in them changed."""
    data = json.loads(json.dumps(data))
    inner: Any = data
    key: Any = rng.choice([key for key in data if key != "kind"] or ["kind"])
    while isinstance(inner[key], dict | list) and inner[key]:
        inner = inner[key]
        key = rng.choice(list(inner) if isinstance(inner, dict) else list(range(len(inner))))
    value = inner[key]
    if isinstance(value, int):
        inner[key] = max(0, value + rng.choice((-2, -1, 1, 2)))
    elif key == "card" or value in keys:
        inner[key] = rng.choice(keys)
    elif key in ("artifact", "museum"):
        inner[key] = rng.choice(["fossil", "scroll", "statue", "gem"])
    elif key == "row":
        inner[key] = rng.choice(["upper", "lower"])
    return data


@pytest.mark.sampled
@every_table
def test_what_the_page_forbids_is_refused_and_nothing_else(name: str):
    """Moves of earlier turns, of others, and legal moves with something changed, at every moment of some matches."""
    verdicts: Counter[str] = Counter()
    for number in range(amount(8, 2)):
        game, state, oracle = begin(name, 2 + number % 3, 200 + number)
        rng, keys = Random(number), [card.key for card in game.catalogue.cards]
        earlier: list[dict[str, Any]] = [{"kind": "pass"}]
        while game.pending(state):
            moves = [game.dump_move(game.sample(state, state.active, rng)) for _ in range(4)]
            tried = [*moves, *rng.choices(earlier, k=6)]
            tried += [altered(data, rng, keys) for data in (*tried, *moves, *moves)]
            for data in tried:
                try:
                    move = game.load_move(data)
                except BadData:
                    continue
                verdict = judged(game, state, state.active, move)
                verdicts[verdict] += 1
                assert (verdict == "legal") == oracle.may(state.active, data), (data, verdict)
            earlier.append(moves[0])
            game.apply(state, state.active, game.load_move(moves[0]))
            oracle.play(moves[0])
    assert verdicts["legal"] > amount(2_000, 500)
    assert len(verdicts) > 15
    assert verdicts.keys() <= {*CODES, "legal"}
