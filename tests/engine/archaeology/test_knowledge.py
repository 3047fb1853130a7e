"""The knowledge of a seat about the other hands (R8): kept as long as it is sure, and no longer."""

from random import Random

from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.state import State
from engine.game import Options
from tests.engine.archaeology.scene import GAME, counts, explore, play, scene
from tests.engine.archaeology_family import DIG_MOVE, END_TURN, KEY, discard, kind, sell, trade


def known(state, viewer: int | None, seat: int) -> list[int]:
    """The content of the viewer's view about a hand."""
    return list(GAME.view(state, viewer).known[seat])


def key_that_steals(treasure: str, hand: str) -> bytes:
    """A match's key under which the first Thief takes this treasure out of such a hand."""
    for number in range(1000):
        key = number.to_bytes(32, "big")
        state = scene("", hand, site="thief coin", dig=True, key=key)
        if play(state, DIG_MOVE)[1].secret["treasure"] == kind(treasure):
            return key
    raise AssertionError


def test_everybody_knows_what_was_taken_from_the_market():
    state = scene("coin*2", "coin", "coin", market="talisman pot_shard", site="coin")
    play(state, trade("coin*2", "talisman pot_shard"))
    for viewer in (None, 1, 2):
        assert known(state, viewer, 0) == counts("talisman pot_shard")


def test_a_seats_view_shows_what_everybody_knows_of_its_own_hand():
    state = scene("coin*2 map", "coin", market="talisman", site="coin")
    play(state, trade("coin*2", "talisman"))
    assert known(state, 0, 0) == counts("talisman")


def test_nobody_knows_what_was_dug_or_explored():
    state = scene("map", "coin", site="talisman coin", dig=True)
    play(state, DIG_MOVE, explore(0))
    assert known(state, 1, 0) == counts("")


def test_what_is_sold_traded_or_lost_is_known_no_more():
    hands = ("talisman*4 coin", "")
    for move in (sell("talisman*2"), trade("talisman*2", "coin")):
        state = scene(*hands, market="coin", site="coin", known=[counts("talisman*3"), counts("")])
        play(state, move)
        assert known(state, None, 0)[kind("talisman")] == 1
    state = scene(*hands, site="sandstorm coin", dig=True, known=[counts("talisman*3"), counts("")])
    play(state, DIG_MOVE, discard("talisman*2"))
    assert known(state, None, 0) == counts("talisman")


def test_maps_spent_on_a_chamber_are_known_no_more():
    state = scene("map*2", "coin", site="coin", known=[counts("map*2"), counts("")])
    play(state, explore(0))
    assert known(state, None, 0) == counts("map")


def test_r8_thief_and_victim_know_the_stolen_card_and_others_do_not():
    state = scene("coin", "map*2", "coin", site="thief coin", dig=True)
    play(state, DIG_MOVE, m.Steal(1))
    assert known(state, 1, 0) == counts("map")
    for viewer in (2, None):
        assert known(state, viewer, 0) == counts("")


def test_to_others_any_known_card_may_be_the_stolen_one():
    hand = "coin*2 talisman"
    state = scene(
        "",
        hand,
        "",
        site="thief coin",
        dig=True,
        known=[counts(""), counts(hand), counts("")],
        key=key_that_steals("coin", hand),
    )
    play(state, DIG_MOVE)
    assert known(state, 2, 1) == counts("coin")
    assert known(state, None, 1) == counts("coin")


def test_the_thief_still_knows_what_was_not_stolen():
    hand = "coin*2 talisman"
    state = scene(
        "",
        hand,
        "",
        site="thief coin",
        dig=True,
        known=[counts(""), counts(hand), counts("")],
        key=key_that_steals("coin", hand),
    )
    play(state, DIG_MOVE)
    assert known(state, 0, 1) == counts("coin talisman")


def test_what_one_seat_alone_knows_of_a_hand_outlasts_a_theft_from_it_as_far_as_it_is_sure():
    hand = "coin*2 talisman"
    state = scene("", hand, "", site="thief coin", dig=True, key=key_that_steals("coin", hand))
    state.learnt[1] = {0: counts(hand), 2: counts(hand)}
    play(state, DIG_MOVE)
    assert known(state, 0, 1) == counts("coin talisman"), "the thief has seen which card went"
    assert known(state, 2, 1) == counts("coin"), "to others it may have been either"
    assert known(state, None, 1) == counts("")


def test_what_a_victim_knows_of_the_thief_goes_with_the_card():
    state = scene("coin", "map", "coin", site="thief coin coin coin", dig=True)
    play(state, DIG_MOVE, m.Steal(1))
    assert known(state, 1, 0) == counts("map")
    play(state, sell("map"))
    assert known(state, 1, 0) == counts("")


def test_a_second_thief_makes_the_first_victim_unsure():
    state = scene("", "map", "", site="thief coin thief coin coin", dig=True)
    play(state, DIG_MOVE)
    assert known(state, 1, 0) == counts("map")
    play(state, END_TURN, DIG_MOVE, END_TURN)
    assert state.hands == [counts("map"), counts("coin"), counts("")]
    play(state, DIG_MOVE, m.Steal(0))
    assert known(state, 1, 0) == counts("")
    assert known(state, 0, 2) == counts("map")
    assert known(state, 2, 0) == counts("")


def test_open_losses_are_taken_off_what_all_know_before_what_one_knows():
    state = scene("coin*3", "", "", site="coin", known=[counts("coin"), counts(""), counts("")])
    state.learnt[0] = {1: counts("coin")}
    play(state, sell("coin"))
    assert (known(state, None, 0), known(state, 1, 0)) == (counts(""), counts("coin"))
    play(state, sell("coin"))
    assert known(state, 1, 0) == counts("")


# -- what all know and what one seat knows beyond it, apart


def one(card: int) -> list[int]:
    return [int(number == card) for number in range(7)]


def with_knowledge() -> tuple[State, list[int]]:
    """A match, and four cards in seat 1's hand: all know the first, seat 0 the second, seat 2 the third."""
    state = GAME.new(3, Options(), KEY)
    held = [card for card, n in enumerate(state.hands[1]) for _ in range(n)]
    state.known[1] = one(held[0])
    state.learnt[1] = {0: one(held[1]), 2: one(held[2])}
    return state, held


def test_a_view_keeps_what_its_viewer_alone_knows_apart_from_what_all_know():
    state, held = with_knowledge()
    for viewer, own in (
        (None, ()),
        (0, ((1, tuple(one(held[1]))),)),
        (1, ()),
        (2, ((1, tuple(one(held[2]))),)),
    ):
        view = GAME.view(state, viewer)
        assert view.public_known[1] == tuple(one(held[0]))
        assert view.learnt == own
    assert known(state, 0, 1) == [a + b for a, b in zip(one(held[0]), one(held[1]), strict=True)]


def test_what_one_seat_knows_is_determinized_as_known_to_that_seat_alone():
    state, _ = with_knowledge()
    for viewer in (None, 0, 1, 2):
        twin = GAME.determinize(GAME.view(state, viewer), Random(3))
        assert twin.known == state.known
        assert twin.learnt[1] == ({viewer: state.learnt[1][viewer]} if viewer in (0, 2) else {})
        assert all(n <= have for n, have in zip(known(state, viewer, 1), twin.hands[1], strict=True))


def test_the_rest_is_determinized_as_often_as_the_cards_allow():
    """Seat 0 knows two of seat 1's four cards; each of the others is any card it cannot place, Maps in no chamber."""
    view = GAME.view(with_knowledge()[0], 0)
    assert view.hand
    unseen = list(GAME.copies)
    for place in (view.hand, view.market, *view.known):
        unseen = [n - seen for n, seen in zip(unseen, place, strict=True)]
    others, laid = sum(unseen) - unseen[MAP], sum(view.chambers)
    draws, rng = 4_000, Random(5)
    found, buried = [0] * 7, [0] * 7
    for _ in range(draws):
        twin = GAME.determinize(view, rng)
        found = [n + have for n, have in zip(found, twin.hands[1], strict=True)]
        buried = [n + sum(places) for n, *places in zip(buried, *twin.chambers, strict=True)]
    for card, copies in enumerate(unseen):
        in_chambers = 0.0 if card == MAP else laid * copies / others
        in_hand = view.known[1][card] + 2 * (copies - in_chambers) / (sum(unseen) - laid)
        assert abs(found[card] / draws - in_hand) < 0.04, card
        assert abs(buried[card] / draws - in_chambers) < 0.12, card
