"""The agents play with whatever card list a host puts in the place of the built-in one."""

from __future__ import annotations

import json
from hashlib import sha256
from importlib import import_module, resources
from random import Random
from typing import Any

import pytest

from engine.game import AnyGame

SEATS = [("archaeology", 2), ("archaeology", 4), ("expedition", 2), ("expedition", 5)]


def other_table(key: str) -> dict[str, Any]:
    """Dear Pot Shards, two more of them than a hand can sell at once, long sets of Maps, cheap Masks."""
    card_list = json.loads(resources.files(f"engine.{key}").joinpath("cards.json").read_text("utf-8"))
    for treasure in card_list["treasures"]:
        if treasure["key"] == "pot_shard":
            treasure |= {"trade": 5, "copies": 40, "sales": [1, 2, 3, 4, 15, 50, 51, 80]}
        elif treasure["key"] == "map":
            treasure |= {"sales": [1, 2, 9]}
        elif treasure["key"] == "pharaohs_mask":
            treasure |= {"trade": 1, "sales": [1]}
    return card_list


def other_game(key: str) -> AnyGame:
    return import_module(f"engine.{key}").create(other_table(key))


@pytest.mark.parametrize(("key", "seats"), SEATS)
def test_agents_play_legally_with_another_card_list(key: str, seats: int) -> None:
    game = other_game(key)
    for options in game.variants(seats):
        state = game.new(seats, options, sha256(f"other {options}".encode()).digest())
        players = [list(game.agents.values())[seat % len(game.agents)] for seat in range(seats)]
        moves = 0
        while pending := game.pending(state):
            seat = pending[0].seat
            game.apply(state, seat, players[seat].choose(game.view(state, seat), Random(moves)))
            moves += 1
            assert moves < 3000
        assert game.outcome(state)


@pytest.mark.parametrize("key", ["archaeology", "expedition"])
def test_an_expert_beats_a_novice_with_another_card_list_too(key: str) -> None:
    game = other_game(key)
    agents = game.agents
    won = 0.0
    for match in range(40):
        seats = [agents["expert"], agents["novice"]][:: 1 if match % 2 else -1]
        state = game.new(2, game.options_type(), sha256(f"strange {match // 2}".encode()).digest())
        while pending := game.pending(state):
            seat = pending[0].seat
            game.apply(state, seat, seats[seat].choose(game.view(state, seat), Random(0)))
        outcome = game.outcome(state)
        assert outcome
        won += (seats.index(agents["expert"]) in outcome.winners) / len(outcome.winners)
    assert won >= 22
