"""How a match begins (the rule page's "Cards" and "Set-up")."""

from engine.archaeology_family.card_list import TREASURES
from engine.game import Options
from tests.engine.archaeology.scene import GAME
from tests.engine.archaeology_family import KEY


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


def test_any_seat_may_be_drawn_to_begin():
    firsts = [begin(4, number.to_bytes(32, "big")).active for number in range(200)]
    assert {firsts.count(seat) > 30 for seat in range(4)} == {True}


def test_hands_and_site_are_new_with_every_key():
    hands = {str(begin(2, number.to_bytes(32, "big")).hands) for number in range(20)}
    sites = {str(begin(2, number.to_bytes(32, "big")).site) for number in range(20)}
    assert len(hands) == len(sites) == 20
