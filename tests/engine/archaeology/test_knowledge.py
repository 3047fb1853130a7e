"""The knowledge of a seat about the other hands (R8): kept as long as it is sure, and no longer."""

from __future__ import annotations

from functools import partial
from random import Random
from typing import Any

from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.state import State
from engine.game import Options
from tests.engine.archaeology.scene import GAME, counts, explore, play, scene
from tests.engine.archaeology_family import DIG_MOVE, END_TURN, KEY, discard, kind, read_in, sell, trade
from tests.engine.rulings import Ruling, check, each, row


def known(state: State, viewer: int | None, seat: int) -> list[int]:
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


HAND = "coin*2 talisman"
THEFT: dict[str, Any] = {"site": "thief coin", "dig": True, "key": key_that_steals("coin", HAND)}
NONE = counts("")
RICH = ("talisman*4 coin", "")
KNOWN = [counts("talisman*3"), NONE]

KNOWLEDGE = [
    row("everybody knows what was taken from the market",
        scene("coin*2", "coin", "coin", market="talisman pot_shard", site="coin"),
        trade("coin*2", "talisman pot_shard"),
        knows={(viewer, 0): "pot_shard talisman" for viewer in (None, 0, 1, 2)}),
    row("nobody what was dug or explored", scene("map", "coin", site="talisman coin", dig=True), DIG_MOVE,
        explore(0), knows={(1, 0): "", (None, 0): ""}),
    row("what is sold is known no more", scene(*RICH, site="coin", known=KNOWN), sell("talisman*2"),
        knows={(None, 0): "talisman"}),
    row("nor what is traded", scene(*RICH, market="coin", site="coin", known=KNOWN),
        trade("talisman*2", "coin"), knows={(None, 0): "coin talisman"}),
    row("nor what is lost", scene(*RICH, site="sandstorm coin", dig=True, known=KNOWN), DIG_MOVE,
        discard("talisman*2"), knows={(None, 0): "talisman"}),
    row("nor Maps that were spent", scene("map*2", "coin", site="coin", known=[counts("map*2"), NONE]),
        explore(0), knows={(None, 0): "map"}),
    row("R8 thief and victim know the stolen card",
        scene("coin", "map*2", "coin", site="thief coin", dig=True), DIG_MOVE, m.Steal(1),
        knows={(1, 0): "map", (2, 0): "", (None, 0): ""}),
    row("to others any known card may be the stolen one",
        scene("", HAND, "", known=[NONE, counts(HAND), NONE], **THEFT), DIG_MOVE,
        knows={(2, 1): "coin", (None, 1): "coin", (0, 1): "coin talisman"}),
    row("what one seat alone knows outlasts a theft as far as it is sure",
        scene("", HAND, "", learnt=[{}, {0: counts(HAND), 2: counts(HAND)}, {}], **THEFT), DIG_MOVE,
        knows={(0, 1): "coin talisman", (2, 1): "coin", (None, 1): ""}),
    row("what a victim knows of the thief goes with the card",
        scene("coin", "map", "coin", site="thief coin", dig=True), DIG_MOVE, m.Steal(1), sell("map"),
        knows={(1, 0): ""}),
    row("a second Thief makes the first victim unsure",
        scene("", "map", "", site="thief coin thief coin coin", dig=True), DIG_MOVE, END_TURN, DIG_MOVE,
        END_TURN, DIG_MOVE, m.Steal(0), knows={(1, 0): "", (0, 2): "map", (2, 0): ""}),
    row("open losses are taken off what all know first", scene("coin*3", "", "", site="coin",
        known=[counts("coin"), NONE, NONE], learnt=[{1: counts("coin")}, {}, {}]), sell("coin"),
        knows={(None, 0): "", (1, 0): "coin"}),
    row("and then off what one knows", scene("coin*3", "", "", site="coin",
        known=[counts("coin"), NONE, NONE], learnt=[{1: counts("coin")}, {}, {}]), sell("coin"), sell("coin"),
        knows={(1, 0): ""}),
]  # fmt: skip


@each(KNOWLEDGE)
def test_a_seat_knows_what_is_sure_and_no_more(ruling: Ruling):
    check(GAME, ruling, play, partial(read_in, GAME))


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
