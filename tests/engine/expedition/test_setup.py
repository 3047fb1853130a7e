"""How a match begins (the rule page's "Cards" and "Set-up")."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.archaeology_family.card_list import MAP, SANDSTORM, THIEF, TREASURES, bundles
from engine.archaeology_family.state import DIG
from engine.errors import BadData
from engine.expedition.state import MONUMENTS, MonumentKey
from engine.game import Options
from tests.engine.archaeology_family import KEY, census
from tests.engine.expedition.scene import GAME, begin

SEATS = (2, 3, 4, 5)

every_monument = pytest.mark.parametrize("monument", MONUMENTS)
every_number = pytest.mark.parametrize("seats", SEATS)


def test_the_cards_are_those_of_the_page():
    assert dict(zip(TREASURES, zip(GAME.copies, GAME.trade, GAME.prices, strict=True), strict=True)) == {
        "pot_shard": (16, 1, (1, 2, 3, 4, 15)),
        "parchment_scrap": (16, 1, (1, 2, 3, 10)),
        "coin": (12, 2, (2, 5, 10, 18, 30)),
        "talisman": (8, 3, (3, 7, 14, 24, 40)),
        "broken_cup": (6, 2, (2, 15)),
        "map": (6, 3, (3,)),
        "pharaohs_mask": (4, 4, (4, 12, 26, 50)),
        "broken_tablet": (12, 2, (2, 4, 6, 26)),
        "broken_pendant": (5, 3, (3, 6, 32)),
    }


def test_every_number_says_how_it_is_known():
    said = {treasure.key: dict(treasure.provenance) for treasure in GAME.card_list.treasures}
    assert all(provenance.pop("copies") == "printed" for provenance in said.values())
    assert said == {
        "pot_shard": {"trade": "inferred", "sales": "house"},
        "parchment_scrap": {"trade": "printed", "sales": "printed"},
        "coin": {"trade": "printed", "sales": "house"},
        "talisman": {"trade": "inferred", "sales": "house", "largest": "printed"},
        "broken_cup": {"trade": "house", "sales": "house", "largest": "inferred"},
        "map": {"trade": "house", "sales": "house"},
        "pharaohs_mask": {"trade": "house", "sales": "house"},
        "broken_tablet": {"trade": "house", "sales": "house"},
        "broken_pendant": {"trade": "house", "sales": "house"},
    }
    assert set(GAME.card_list.thieves.provenance.values()) == {"printed"}
    assert GAME.card_list.sandstorms.provenance == {2: "printed", 3: "inferred", 4: "inferred", 5: "inferred"}


def test_thieves_and_sandstorms_go_by_the_number_of_players():
    assert GAME.card_list.thieves.by_seats == {2: 4, 3: 6, 4: 8, 5: 10}
    assert GAME.card_list.sandstorms.by_seats == {2: 6, 3: 5, 4: 4, 5: 4}


@every_number
def test_tablets_are_in_play_from_four_players_on_and_pendants_with_five(seats: int):
    state = begin(seats)
    assert state.kinds == {2: 7, 3: 7, 4: 8, 5: 9}[seats]
    assert census(state) == list(GAME.copies[: state.kinds])
    assert GAME.view(state, 0).copies == GAME.copies[: state.kinds]


@every_monument
@every_number
def test_the_dig_site_holds_what_the_page_says(seats: int, monument: MonumentKey):
    state = begin(seats, monument)
    assert len(state.site) == {2: 50, 3: 47, 4: 56, 5: 59}[seats]
    assert state.site.count(THIEF) == {2: 4, 3: 6, 4: 8, 5: 10}[seats]
    assert state.site.count(SANDSTORM) == {2: 6, 3: 5, 4: 4, 5: 4}[seats]
    assert state.site.count(MAP) == 6
    assert [sum(hand) for hand in state.hands] == [4] * seats
    assert sum(state.market) == 5
    assert state.tents == [True] * seats
    assert state.phase == DIG


@pytest.mark.parametrize(
    ("monument", "sizes", "pile"),
    [
        ("great_pyramid", [2, 5, 8], 0),
        ("temple", [5, 5, 5], 0),
        ("tomb", [7, 8], 0),
        ("mine", [15], 0),
        ("sphinx", [15], 0),
        ("ruins", [1, 1, 1], 12),
    ],
)
def test_each_monument_takes_fifteen_cards(monument: MonumentKey, sizes: list[int], pile: int):
    state = begin(3, monument)
    assert [sum(chamber) for chamber in state.chambers] == sizes
    assert len(state.pile) == pile
    assert sum(sizes) + pile == 15


@every_monument
def test_no_map_lies_in_hands_market_or_monument_at_first(monument: MonumentKey):
    for number in range(20):
        state = begin(2 + number % 4, monument, number.to_bytes(32, "big"))
        assert not any(place[MAP] for place in (*state.hands, state.market, *state.chambers))
        assert MAP not in state.pile


def test_r17_the_host_may_choose_the_monument():
    for monument in MONUMENTS:
        assert {begin(3, monument, bytes([n] * 32)).monument for n in range(10)} == {monument}


def test_r17_else_it_is_drawn_at_random_by_the_matchs_key():
    drawn = Counter(begin(2, seed=n.to_bytes(32, "big")).monument for n in range(600))
    assert set(drawn) == set(MONUMENTS)
    assert all(60 < n < 140 for n in drawn.values())
    assert begin(2).monument == begin(2).monument
    assert GAME.new(2, Options(), KEY).monument == begin(2).monument


def test_the_monument_chosen_changes_no_other_chance():
    assert len({tuple(begin(3, monument).site) for monument in ("great_pyramid", "temple", "mine")}) == 1
    assert len({tuple(map(tuple, begin(3, monument).hands)) for monument in (None, *MONUMENTS)}) == 1


def test_r17_the_first_player_is_drawn_at_random():
    drawn = Counter(begin(5, seed=n.to_bytes(32, "big")).active for n in range(500))
    assert all(70 < drawn[seat] < 130 for seat in range(5))


@pytest.mark.parametrize("seats", [0, 1, 6])
def test_other_numbers_of_players_are_refused(seats: int):
    with pytest.raises(BadData):
        begin(seats)


@every_number
def test_every_monument_is_a_variant(seats: int):
    assert [options.model_dump() for options in GAME.variants(seats)] == [
        {"monument": monument} for monument in MONUMENTS
    ]


@every_monument
def test_the_opening_names_the_monument_the_market_and_who_begins(monument: MonumentKey):
    state = begin(3, monument)
    events = GAME.opening(state)
    laid, first = events[0], events[-1]
    assert (laid.kind, laid.seat) == ("monument", None)
    assert laid.facts == {"monument": monument, "chambers": [sum(c) for c in state.chambers]}
    assert (first.kind, first.seat, first.facts) == ("first", state.active, {"market": bundles(state.market)})
    assert all(event.reveals and not event.secret for event in events)
    assert len(events) == (3 if monument == "ruins" else 2)


def test_the_opening_shows_the_three_cards_of_the_ruins():
    state = begin(3, "ruins")
    uncovered = GAME.opening(state)[1]
    assert uncovered.kind == "uncovered"
    assert uncovered.facts["pile"] == 12
    assert [[(treasure, 1)] for treasure in uncovered.facts["treasures"]] == [
        list(bundles(chamber)) for chamber in state.chambers
    ]
