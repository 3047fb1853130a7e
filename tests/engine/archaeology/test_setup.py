"""How a match begins (the rule page's "Cards" and "Set-up")."""

import pytest

from engine.archaeology_family.card_list import MAP, SANDSTORM, THIEF, TREASURES
from engine.archaeology_family.state import DIG
from engine.errors import BadData
from engine.game import Options
from tests.engine.archaeology.scene import GAME, scene
from tests.engine.archaeology_family import KEY, census

SEATS = (2, 3, 4)


def begin(seats: int, seed: bytes = KEY):
    return GAME.new(seats, Options(), seed)


def test_the_cards_are_those_of_the_box():
    prices = dict(zip(TREASURES, GAME.prices, strict=False))
    assert dict(zip(TREASURES, GAME.copies, strict=False)) == {
        "pot_shard": 18,
        "parchment_scrap": 16,
        "coin": 14,
        "talisman": 8,
        "broken_cup": 6,
        "map": 6,
        "pharaohs_mask": 4,
    }
    assert sum(GAME.copies) == 72
    assert GAME.trade == (1, 1, 2, 3, 2, 3, 4)
    assert prices["pot_shard"] == (1, 2, 3, 4, 15)
    assert prices["parchment_scrap"] == (1, 2, 3, 10)
    assert prices["coin"] == (2, 5, 10, 18, 30)
    assert prices["talisman"] == (3, 7, 14, 24, 40)
    assert prices["broken_cup"] == (2, 15)
    assert prices["map"] == (3,)
    assert prices["pharaohs_mask"] == (4, 12, 26, 50)


def test_every_number_was_read_off_the_cards():
    card_list = GAME.card_list
    words = [word for treasure in card_list.treasures for word in treasure.provenance.values()]
    words += [*card_list.thieves.provenance.values(), *card_list.sandstorms.provenance.values()]
    assert set(words) == {"printed"}


@pytest.mark.parametrize(("seats", "site"), [(2, 58), (3, 53), (4, 48)])
def test_the_dig_site_holds_what_the_set_up_leaves(seats: int, site: int):
    state = begin(seats)
    assert len(state.site) == site
    assert GAME.view(state, None).site == site


@pytest.mark.parametrize(("seats", "sandstorms"), [(2, 6), (3, 5), (4, 4)])
def test_fewer_players_meet_more_sandstorms_and_always_eight_thieves(seats: int, sandstorms: int):
    state = begin(seats)
    assert state.site.count(SANDSTORM) == sandstorms
    assert state.site.count(THIEF) == 8
    view = GAME.view(state, 0)
    assert (view.thieves, view.sandstorms) == (8, sandstorms)


@pytest.mark.parametrize("seats", SEATS)
def test_four_cards_each_five_in_the_market_and_three_chambers(seats: int):
    state = begin(seats)
    assert [sum(hand) for hand in state.hands] == [4] * seats
    assert sum(state.market) == 5
    assert [sum(chamber) for chamber in state.chambers] == [3, 5, 7]
    assert state.phase == DIG
    assert not any(state.sold)


@pytest.mark.parametrize("seats", SEATS)
def test_the_maps_all_lie_in_the_dig_site(seats: int):
    for number in range(30):
        state = begin(seats, number.to_bytes(32, "big"))
        assert state.site.count(MAP) == 6
        assert not any(place[MAP] for place in (state.market, *state.hands, *state.chambers))


@pytest.mark.parametrize("seats", SEATS)
def test_all_72_treasures_are_somewhere(seats: int):
    assert census(begin(seats)) == list(GAME.copies)


def test_any_seat_may_be_drawn_to_begin():
    firsts = [begin(4, number.to_bytes(32, "big")).active for number in range(200)]
    assert {firsts.count(seat) > 30 for seat in range(4)} == {True}


def test_the_opening_tells_who_begins_and_what_lies_in_the_market():
    state = begin(3)
    (event,) = GAME.opening(state)
    assert (event.kind, event.seat, event.reveals) == ("first", state.active, True)
    assert event.facts == {"market": tuple((kind, n) for kind, n in enumerate(state.market) if n)}
    assert not event.secret


def test_hands_and_site_are_new_with_every_key():
    hands = {str(begin(2, number.to_bytes(32, "big")).hands) for number in range(20)}
    sites = {str(begin(2, number.to_bytes(32, "big")).site) for number in range(20)}
    assert len(hands) == len(sites) == 20


@pytest.mark.parametrize("seats", [-1, 0, 1, 5, 100])
def test_other_numbers_of_players_are_refused(seats: int):
    with pytest.raises(BadData, match="2 to 4 players"):
        begin(seats)


def test_the_match_waits_for_the_first_player_to_dig():
    state = begin(2)
    (decision,) = GAME.pending(state)
    assert decision == (0, state.active, "dig")


def test_a_hand_shows_nothing_of_itself_in_the_states_text():
    assert repr(scene("coin*3", "map")) == "<State seats=2 moves=0 phase=act>"
