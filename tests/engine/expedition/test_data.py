"""The New Expedition's moves, options, snapshots and card list as JSON data: read right, or refused in words."""

from __future__ import annotations

import json
from copy import deepcopy
from importlib import resources
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.archaeology_family import moves as m
from engine.errors import BadData, UnknownVersion
from engine.expedition import create
from engine.expedition.rules import ExpeditionOptions
from engine.expedition.state import MONUMENTS, ExpeditionState, MonumentKey
from tests.engine.archaeology_family import DIG_MOVE, sell
from tests.engine.data import json_values, replaced
from tests.engine.expedition.scene import GAME, STOP, TURN_UP, USE_TENT, begin, explore, guess, keep, look
from tests.sampling import examples

CARDS = json.loads(resources.files("engine.expedition").joinpath("cards.json").read_text())

# -- moves


@pytest.mark.parametrize(
    ("move", "data"),
    [
        (DIG_MOVE, {"kind": "dig"}),
        (explore(1), {"kind": "explore", "chamber": 1}),
        (sell("broken_pendant*3"), {"kind": "sell", "treasure": "broken_pendant", "count": 3}),
        (USE_TENT, {"kind": "use_tent", "use": True}),
        (look(2), {"kind": "look_at", "chamber": 2}),
        (keep("coin broken_tablet"), {"kind": "keep", "cards": {"coin": 1, "broken_tablet": 1}}),
        (TURN_UP, {"kind": "turn_up"}),
        (STOP, {"kind": "stop"}),
        (guess("map", "coin"), {"kind": "guess", "treasures": ["map", "coin"]}),
    ],
)
def test_a_move_is_data_that_people_can_read(move: Any, data: dict[str, Any]):
    assert GAME.dump_move(move) == data
    assert GAME.load_move(json.loads(json.dumps(data))) == move
    assert type(GAME.load_move(data)) is type(move)


@pytest.mark.parametrize(
    "data",
    [
        {},
        {"kind": "fly"},
        {"kind": "use_tent"},
        {"kind": "use_tent", "use": 1},
        {"kind": "use_tent", "use": "yes"},
        {"kind": "look_at"},
        {"kind": "look_at", "chamber": -1},
        {"kind": "look_at", "chamber": "1"},
        {"kind": "keep"},
        {"kind": "keep", "cards": {"coin": 0}},
        {"kind": "keep", "cards": {"gold": 2}},
        {"kind": "turn_up", "count": 2},
        {"kind": "guess", "treasures": ["coin"]},
        {"kind": "guess", "treasures": ["coin", "map", "talisman"]},
        {"kind": "guess", "treasures": ["coin", "gold"]},
        {"kind": "guess", "treasures": "coin map"},
    ],
)
def test_a_malformed_move_is_refused(data: dict[str, Any]):
    with pytest.raises(BadData):
        GAME.load_move(data)


@given(st.dictionaries(st.sampled_from(["kind", "use", "chamber", "cards", "treasures"]), json_values))
@examples(100)
def test_whatever_is_sent_as_a_move_is_read_or_refused(data: dict[str, Any]):
    for kind in ("use_tent", "look_at", "keep", "turn_up", "stop", "guess"):
        try:
            move = GAME.load_move({**data, "kind": kind})
        except BadData:
            continue
        assert GAME.load_move(GAME.dump_move(move)) == move


# -- options


def test_options_name_the_monument_or_none():
    for monument in (None, *MONUMENTS):
        options = GAME.load_options({"monument": monument})
        assert options == ExpeditionOptions(monument=monument)
        assert options.model_dump(mode="json") == {"monument": monument}
    assert GAME.load_options({}) == ExpeditionOptions()


@pytest.mark.parametrize("data", [{"monument": "tower"}, {"monument": 1}, {"seats": 3}])
def test_other_options_are_refused(data: dict[str, Any]):
    with pytest.raises(BadData, match="options of expedition"):
        GAME.load_options(data)


# -- snapshots


def reached(monument: MonumentKey, phase: str, *, queued: bool = False) -> ExpeditionState:
    """A random match with this monument in this phase; with others to be asked after, if `queued`."""
    for number in range(300):
        state, rng = begin(3, monument, number.to_bytes(32, "big")), Random(number)
        while GAME.pending(state):
            if state.phase == phase and (state.queue or not queued):
                return state
            GAME.apply(state, state.asked, GAME.sample(state, state.asked, rng))
    raise AssertionError("no such match")


def test_a_snapshot_is_read_as_it_was_in_every_phase():
    phases: dict[MonumentKey, str] = {
        "great_pyramid": "tent",
        "ruins": "sandstorm",
        "temple": "act",
        "tomb": "keep",
        "mine": "mine",
        "sphinx": "act",
    }
    for monument, phase in phases.items():
        state = reached(monument, phase)
        data = json.loads(json.dumps(GAME.dump(state)))
        assert GAME.dump(GAME.load(data)) == GAME.dump(state)


def test_a_snapshot_shares_nothing_with_the_match():
    state = reached("ruins", "act")
    data = GAME.dump(state)
    before = deepcopy(data)
    for name in ("tents", "within", "privy", "pile", "chambers"):
        data[name].clear()
    assert GAME.dump(state) == before


def test_a_snapshot_of_another_form_or_table_is_refused():
    data = GAME.dump(begin(3))
    with pytest.raises(UnknownVersion, match="form 2"):
        GAME.load({**data, "form": 2})
    with pytest.raises(UnknownVersion, match="card list"):
        GAME.load({**data, "card_list": "0" * 16})


# -- the card list


def damaged(*path: str | int, value: Any = None) -> Any:
    """The built-in list with one value replaced."""
    return replaced(CARDS, *path, value=value)


def test_a_table_of_ones_own_takes_the_place_of_ours():
    theirs = create(damaged("treasures", 7, "sales", value=[2, 5, 9, 30]))
    assert theirs.prices[7] == (2, 5, 9, 30)
    assert theirs.cards_digest != GAME.cards_digest
    assert create(CARDS).cards_digest == GAME.cards_digest
    state = theirs.new(4, ExpeditionOptions(monument="mine"), bytes(32))
    assert theirs.view(state, 0).prices[7] == (2, 5, 9, 30)


@pytest.mark.parametrize(
    ("path", "value", "where"),
    [
        (("game",), "archaeology", ("game",)),
        (("treasures", 0, "trade"), 0, ("treasures", 0, "trade")),
        (("treasures", 8, "key"), "broken_vase", ()),
        (("treasures", 7, "from_seats"), 1, ("treasures", 7, "from_seats")),
        (("treasures", 8, "from_seats"), 3, ()),
        (("treasures", 2, "provenance"), {"copies": "printed"}, ("treasures", 2)),
        (("treasures", 2, "provenance", "trade"), "guessed", ("treasures", 2, "provenance", "trade")),
        (("thieves", "by_seats"), {"2": 4, "3": 6, "4": 8}, ("thieves",)),
        (("sandstorms", "by_seats", "5"), -1, ("sandstorms", "by_seats", "5")),
        (("treasures",), CARDS["treasures"][:7], ("treasures",)),
    ],
)
def test_a_damaged_table_is_refused_with_the_path_of_the_fault(path: Any, value: Any, where: Any):
    with pytest.raises(BadData) as caught:
        create(damaged(*path, value=value))
    assert tuple(map(str, caught.value.where)) == tuple(map(str, where))


def test_a_table_of_too_few_cards_is_refused():
    card_list = deepcopy(CARDS)
    for treasure in card_list["treasures"]:
        treasure["copies"] = 1
    with pytest.raises(BadData, match="too few for the set-up"):
        create(card_list)


def test_a_mine_of_dear_cards_collapses_at_the_first():
    card_list = deepcopy(CARDS)
    for treasure in card_list["treasures"]:
        treasure["trade"] = 6
    game = create(card_list)
    state = game.new(2, ExpeditionOptions(monument="mine"), bytes(32))
    state.phase = "act"
    state.hands[state.asked][5] = 1
    assert [event.kind for event in game.apply(state, state.asked, m.Explore(0))] == [
        "entered",
        "turned_up",
        "collapsed",
    ]
    assert sum(state.chambers[0]) == 15
