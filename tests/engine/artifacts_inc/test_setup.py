"""How a match begins (the rule page's "Set-up")."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.artifacts_inc.card_list import ARTIFACTS, PILES
from engine.artifacts_inc.choices import next_dive
from engine.artifacts_inc.company import UPPER, Place
from engine.artifacts_inc.state import State, company
from engine.errors import BadData
from engine.game import Options
from tests.engine.artifacts_inc import by_hand
from tests.engine.artifacts_inc.scene import BUILT_IN, KEY, START, asked

every_number = pytest.mark.parametrize("seats", [2, 3, 4])


def begin(seats: int, number: int | None = None) -> State:
    return BUILT_IN.new(seats, Options(), KEY if number is None else number.to_bytes(32, "big"))


@every_number
def test_museums_show_nine_orders_and_six_with_two_players(seats: int):
    state = begin(seats)
    assert [len(orders) for orders in state.orders] == [6 if seats == 2 else 9] * 4
    assert all(seat == -1 for orders in state.orders for seat in orders)
    for museum in range(len(ARTIFACTS)):
        assert state.catalogue.orders(museum, seats) == (by_hand.SIX if seats == 2 else by_hand.NINE)


@every_number
def test_four_cards_of_piles_a_b_and_c_and_one_of_d_and_e_are_on_offer(seats: int):
    state = begin(seats)
    assert [len(offer) for offer in state.offers] == [4, 4, 4, 1, 1]
    assert [len(pile) for pile in state.piles] == [6, 6, 6, 4, 4]
    for pile, offer, name in zip(state.piles, state.offers, PILES, strict=True):
        keys = Counter(state.catalogue.cards[number].key for number in (*pile, *offer))
        assert keys == {card.key: card.copies for card in by_hand.CARDS if card.pile == name}


def test_the_piles_are_shuffled_by_the_matchs_key():
    orders = {(begin(2, n).piles[0], begin(2, n).offers[0]) for n in range(50)}
    assert len(orders) > 45
    assert begin(2, 7).piles == begin(2, 7).piles


def test_every_card_of_a_pile_may_lie_anywhere_in_it():
    found = Counter((*begin(2, n).offers[1], *begin(2, n).piles[1])[5] for n in range(500))
    assert len(found) == 5
    assert all(70 < n < 130 for n in found.values())


@every_number
def test_each_player_has_the_four_starting_cards_in_the_upper_row(seats: int):
    state = begin(seats)
    for seat in range(seats):
        cards = company(state, seat)
        assert tuple(held.card.key for held in cards) == START
        assert [held.level for held in cards] == [1] * 4
        assert [held.place for held in cards] == [Place(UPPER, column) for column in range(4)]
        assert not any(state.artifacts[seat])


@every_number
def test_dollars_go_by_the_turn_order_and_reputation_begins_at_0(seats: int):
    for number in range(30):
        state = begin(seats, number)
        turns = [(state.first + turn) % seats for turn in range(seats)]
        assert [state.dollars[seat] for seat in turns] == [2, 3, 3, 4][:seats]
        assert state.reputation == [0] * seats


def test_the_u_pile_begins_with_the_2():
    top = next_dive(begin(3))
    assert top
    assert top.number == 2


@every_number
def test_the_highest_roll_begins(seats: int):
    for number in range(60):
        state = begin(seats, number)
        last = list(state.rolls[-seats:]) if len(state.rolls) == seats else None
        if last:
            sums = {seat: one + other for seat, one, other in last}
            assert max(sums, key=lambda seat: sums[seat]) == state.first
            assert list(sums.values()).count(max(sums.values())) == 1


@every_number
def test_everybody_may_begin(seats: int):
    first = Counter(begin(seats, n).first for n in range(400))
    assert all(400 / seats * 0.7 < first[seat] < 400 / seats * 1.3 for seat in range(seats))


def test_the_first_player_is_asked_for_the_order_of_the_starting_cards():
    state = begin(4)
    assert asked(state) == (state.first, "arrange")
    assert (state.round, state.dice, state.moves) == (1, [], 0)


@pytest.mark.parametrize("seats", [0, 1, 5])
def test_other_numbers_of_players_are_refused(seats: int):
    with pytest.raises(BadData, match="2 to 4"):
        begin(seats)


@every_number
def test_the_opening_tells_what_is_on_offer_and_how_the_first_player_was_found(seats: int):
    state = begin(seats)
    offered, first = BUILT_IN.opening(state)
    assert (offered.kind, offered.seat, first.kind, first.seat) == ("offered", None, "first", state.first)
    cards = state.catalogue.cards
    shown = {
        pile: [cards[number].key for number in offer] for pile, offer in zip(PILES, state.offers, strict=True)
    }
    assert offered.facts == {"offers": shown}
    assert first.facts == {"rolls": state.rolls, "dollars": state.dollars}
    assert all(event.reveals and not event.secret for event in (offered, first))
