"""How a match begins (the rule page's "Cards" and "Set-up")."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.archaeology_family.card_list import MAP, SANDSTORM, THIEF, TREASURES
from engine.archaeology_family.state import DIG
from engine.expedition.state import MONUMENTS, MonumentKey
from engine.game import Options
from tests.engine.archaeology_family import KEY
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


def test_r17_the_host_may_choose_the_monument():
    for monument in MONUMENTS:
        assert {begin(3, monument, bytes([n] * 32)).monument for n in range(10)} == {monument}


def test_r17_else_it_is_drawn_at_random_by_the_matchs_key():
    drawn = Counter(begin(2, seed=n.to_bytes(32, "big")).monument for n in range(600))
    assert set(drawn) == set(MONUMENTS)
    assert all(60 < n < 140 for n in drawn.values())
    assert begin(2).monument == begin(2).monument
    assert GAME.new(2, Options(), KEY).monument == begin(2).monument


def test_r17_the_first_player_is_drawn_at_random():
    drawn = Counter(begin(5, seed=n.to_bytes(32, "big")).active for n in range(500))
    assert all(70 < drawn[seat] < 130 for seat in range(5))
