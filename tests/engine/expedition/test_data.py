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


DAMAGES: list[tuple[MonumentKey, str, dict[str, Any]]] = [
    ("great_pyramid", "act", {"monument": "temple"}),
    ("great_pyramid", "act", {"monument": "tower"}),
    ("great_pyramid", "act", {"tents": [True, False]}),
    ("great_pyramid", "act", {"sheltered": [0]}),
    ("great_pyramid", "act", {"turned": [0]}),
    ("great_pyramid", "act", {"opened": 0}),
    ("great_pyramid", "act", {"pile": [0]}),
    ("great_pyramid", "act", {"privy": [[0], [], []]}),
    ("great_pyramid", "act", {"privy": [[], []]}),
    ("great_pyramid", "act", {"within": [[0] * 7] * 2}),
    ("great_pyramid", "act", {"within": [[0] * 6] * 3}),
    ("great_pyramid", "act", {"within": [[1] + [0] * 6] * 3}),
    ("great_pyramid", "act", {"look": 12, "moves": 12}),
    ("temple", "act", {"look": 13, "moves": 12}),
    ("temple", "act", {"look": -2}),
    ("great_pyramid", "act", {"phase": "mine"}),
    ("great_pyramid", "act", {"phase": "keep"}),
    ("great_pyramid", "act", {"phase": "picnic"}),
    ("great_pyramid", "dig", {"explored": True}),
    ("great_pyramid", "tent", {"tents": [False, False, False]}),
    ("great_pyramid", "tent", {"sheltered": [7]}),
    ("temple", "act", {"phase": "mine"}),
    ("temple", "act", {"look": 12, "moves": 12, "fruitful": False}),
    ("temple", "dig", {"look": 12, "moves": 12}),
    ("temple", "act", {"privy": [[5], [], []]}),
    ("temple", "act", {"privy": [[1, 0], [], []]}),
    ("temple", "act", {"privy": [[0, 0], [], []]}),
    ("temple", "act", {"within": [[1] + [0] * 6] * 3}),
    ("tomb", "keep", {"opened": None}),
    ("tomb", "keep", {"opened": 2}),
    ("tomb", "keep", {"opened": -1}),
    ("tomb", "keep", {"privy": [[], []]}),
    ("tomb", "keep", {"explored": False}),
    ("tomb", "keep", {"phase": "act"}),
    ("mine", "mine", {"turned": []}),
    ("mine", "mine", {"turned": [9]}),
    ("mine", "mine", {"turned": [8]}),
    ("mine", "mine", {"turned": [6, 6]}),
    ("mine", "mine", {"within": [[15] * 7]}),
    ("mine", "mine", {"phase": "act"}),
    ("ruins", "act", {"pile": [0, 0]}),
    ("ruins", "act", {"pile": [5] * 12}),
    ("ruins", "act", {"within": [[0] * 7] * 3}),
]


@pytest.mark.parametrize(("monument", "phase", "damage"), DAMAGES)
def test_a_damaged_snapshot_is_refused(monument: MonumentKey, phase: str, damage: dict[str, Any]):
    data = GAME.dump(reached(monument, phase))
    GAME.load(data)
    with pytest.raises(BadData):
        GAME.load({**data, **damage})


@pytest.mark.parametrize("monument", MONUMENTS)
def test_a_card_too_many_or_too_few_in_a_chamber_is_refused(monument: MonumentKey):
    data = GAME.dump(reached(monument, "act"))
    for change in (-1, 1):
        wrong = deepcopy(data)
        kind = next(kind for kind, n in enumerate(wrong["chambers"][-1]) if n)
        wrong["chambers"][-1][kind] += change
        if monument == "ruins":
            wrong["within"][-1][kind] += change
        with pytest.raises(BadData):
            GAME.load(wrong)


def test_a_map_in_the_monument_is_refused():
    data = GAME.dump(begin(2, "ruins"))
    kind, data["pile"][0] = data["pile"][0], 5
    data["site"][data["site"].index(5)] = kind
    with pytest.raises(BadData, match="Maps"):
        GAME.load(data)
    data = GAME.dump(begin(2, "tomb"))
    kind = next(kind for kind, n in enumerate(data["chambers"][0]) if n)
    data["chambers"][0][kind] -= 1
    data["chambers"][0][5] += 1
    data["site"][data["site"].index(5)] = kind
    with pytest.raises(BadData, match="Maps"):
        GAME.load(data)


def moved(data: dict[str, Any], number: int, from_: str, to: str) -> dict[str, Any]:
    """The snapshot with so many cards moved from one place to another, what is known of the Ruins adapted."""
    wrong = deepcopy(data)
    for _ in range(number):
        source = wrong["chambers"][0] if from_ == "chamber" else wrong[from_]
        kind = next(kind for kind, n in enumerate(source) if n and kind != 5)
        source[kind] -= 1
        if to in ("pile", "turned"):
            wrong[to].append(kind)
        else:
            (wrong["chambers"][0] if to == "chamber" else wrong[to])[kind] += 1
    if data["monument"] == "ruins":
        wrong["within"] = deepcopy(wrong["chambers"])
    return wrong


def refused(data: dict[str, Any]) -> None:
    with pytest.raises(BadData):
        GAME.load(data)


def test_cards_in_places_where_none_can_lie_are_refused():
    refused(moved(GAME.dump(begin(2, "temple")), 1, "chamber", "market"))
    refused(moved(GAME.dump(begin(2, "great_pyramid")), 1, "market", "chamber"))
    refused(moved(GAME.dump(begin(2, "ruins")), 1, "market", "chamber"))
    refused(moved(GAME.dump(begin(2, "ruins")), 3, "market", "pile"))
    refused(moved(GAME.dump(reached("mine", "mine")), 5, "chamber", "turned"))
    data = GAME.dump(begin(2, "ruins"))
    treasures = [chamber.index(1) for chamber in data["chambers"]]
    nothing = [[0] * 7] * 3
    refused({**data, "chambers": nothing, "within": nothing, "pile": data["pile"] + treasures})


def test_a_mine_with_nothing_left_to_turn_up_is_refused():
    data = GAME.dump(reached("mine", "mine"))
    refused(moved(data, sum(data["chambers"][0]), "chamber", "market"))
    refused({**data, "explored": False})


def test_a_look_into_empty_chambers_is_refused():
    data = GAME.dump(reached("temple", "act")) | {"look": 12, "moves": 12, "fruitful": True, "acted": True}
    assert GAME.view(GAME.load(data), 0).look
    for chamber in data["chambers"]:
        data["market"] = [a + b for a, b in zip(data["market"], chamber, strict=True)]
    refused({**data, "chambers": [[0] * 7] * 3, "privy": [[], [], []]})


def test_public_knowledge_of_a_hidden_chamber_is_refused():
    for monument in MONUMENTS[:3]:
        data = GAME.dump(begin(2, monument))
        refused({**data, "within": data["chambers"]})


def test_a_used_tent_that_is_still_there_is_refused():
    state = reached("mine", "tent", queued=True)
    GAME.apply(state, state.asked, USE_TENT)
    GAME.load(GAME.dump(state))
    refused({**GAME.dump(state), "tents": [True, True, True]})


@pytest.mark.parametrize(
    "name", ["monument", "explored", "look", "tents", "within", "privy", "pile", "turned", "opened"]
)
def test_a_snapshot_without_one_of_its_parts_is_refused(name: str):
    data = GAME.dump(begin(3))
    del data[name]
    with pytest.raises(BadData):
        GAME.load(data)


@given(
    st.sampled_from(MONUMENTS),
    st.sampled_from(
        ["monument", "explored", "look", "tents", "sheltered", "within", "privy", "pile", "turned", "opened"]
    ),
    json_values,
)
@examples(150)
def test_a_part_of_another_form_is_read_or_refused(monument: MonumentKey, name: str, value: Any):
    data = {**GAME.dump(begin(2, monument)), name: value}
    try:
        state = GAME.load(data)
    except BadData:
        return
    GAME.view(state, 0)


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
