"""The built-in cards are those that were copied by hand, and say how their numbers are known."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.artifacts_inc.card_list import ARTIFACTS, FINDS, Asset, CardList, Museum, Side
from tests.engine.artifacts_inc import by_hand, scene

BUILT_IN: CardList = scene.BUILT_IN.card_list
ASSETS: dict[str, Asset] = {card.key: card for card in BUILT_IN.start} | {
    card.key: card for cards in BUILT_IN.piles.values() for card in cards
}

DOES: dict[str, dict[str, object]] = {
    **{artifact: {"do": "gain", "artifact": artifact} for artifact in ARTIFACTS},
    "buy": {"do": "buy"},
    "sell": {"do": "sell"},
    "earn": {"do": "earn"},
    "collectors": {"do": "collect"},
    "expedition's": {"do": "gather"},
    "museum": {"do": "museum"},
}
"""The meaning of the copy's words in the list, dollars aside."""


def action(effect: str) -> dict[str, object]:
    """The effect of a slot of the copy, as the list says it: "fossil and $1", "sell $4", "$2"."""
    what, _, dollars = effect.partition("$")
    does = DOES[what.removesuffix(" and ").strip() or "earn"]
    return {**does, "dollars": int(dollars)} if dollars else does


@pytest.mark.parametrize("card", by_hand.CARDS, ids=lambda card: card.key)
def test_an_asset_is_that_of_the_copy(card: by_hand.CopiedCard):
    asset = ASSETS[card.key]
    assert asset.name == card.name
    assert asset.expedition == ("Expedition" in card.name)  # R29
    assert (asset.cost.dollars, asset.cost.scrolls) == (card.dollars, card.scrolls)
    for side, expected in zip(asset.sides, card.sides, strict=True):
        check_side(side, expected)


def check_side(side: Side, expected: by_hand.CopiedSide) -> None:
    assert (side.reputation, side.dice, side.dive) == (expected.rep, expected.dice, expected.dive)
    assert dict(side.per) == dict.fromkeys(expected.per, 1)
    ability = side.ability and (side.ability.do, side.ability.uses)
    assert ability == expected.ability
    slots = [(slot.requires, slot.action.model_dump(exclude_unset=True)) for slot in side.slots]
    assert slots == [(requires, action(effect)) for requires, effect in expected.slots]


def test_the_piles_hold_the_cards_of_the_copy():
    for pile, cards in BUILT_IN.piles.items():
        expected = {card.key: card.copies for card in by_hand.CARDS if card.pile == pile}
        assert {card.key: card.copies for card in cards} == expected
    assert [card.key for card in BUILT_IN.start] == [card.key for card in by_hand.CARDS if card.pile == "S"]


def test_the_box_holds_72_cards():
    piles = {pile: sum(card.copies for card in cards) for pile, cards in BUILT_IN.piles.items()}
    assert piles == {"A": 10, "B": 10, "C": 10, "D": 5, "E": 5}
    public = len(BUILT_IN.museums) + len(BUILT_IN.public)
    assert public == 6
    assert public + 4 * len(BUILT_IN.start) + sum(piles.values()) + len(BUILT_IN.dives) == 72


@pytest.mark.parametrize(
    ("row", "museum"), [*zip(by_hand.rows(by_hand.MUSEUMS), BUILT_IN.museums, strict=True)]
)
def test_a_museum_is_that_of_the_copy(row: list[str], museum: Museum):
    artifact, requires, bonus, majority = row
    assert (museum.artifact, museum.key) == (artifact, f"{artifact}_museum")
    assert (museum.requires, f"${museum.bonus}", str(museum.majority)) == (requires, bonus, majority)
    assert (museum.nine, museum.six) == (by_hand.NINE, by_hand.SIX)


def test_the_other_public_cards_are_those_of_the_copy():
    collectors, guide = BUILT_IN.public
    assert (collectors.name, guide.name) == ("Private Collectors", "Guide Work")
    assert [card.slot.requires for card in BUILT_IN.public] == ["any", "any"]
    assert collectors.slot.action.model_dump(exclude_unset=True) == {"do": "collect"}
    assert guide.slot.action.model_dump(exclude_unset=True) == {"do": "earn", "dollars": 1}


def test_the_u_cards_are_those_of_the_copy():
    expected = [part.split() for part in by_hand.DIVES.strip().split("·")]
    assert [[str(dive.number), dive.find] for dive in BUILT_IN.dives] == expected
    assert {dive.reputation for dive in BUILT_IN.dives} == {1}
    assert Counter(dive.find for dive in BUILT_IN.dives).keys() == set(FINDS)


# -- provenance


def test_what_the_text_shows_is_printed():
    fossil, scroll, statue, gem = BUILT_IN.museums
    assert fossil.known("majority") == fossil.known("six") == "printed"
    assert gem.known("bonus") == "printed"
    desert, canyon, _, adventurers = BUILT_IN.start
    for card, slots in ((desert, 1), (canyon, 2)):
        assert [slot.provenance for slot in card.sides[0].slots] == ["printed"] * slots
    assert adventurers.sides[0].known("dice") == "printed"
    assert canyon.sides[1].known("reputation") == "inferred"
    for slot in (*BUILT_IN.piles["A"][0].sides[0].slots, *BUILT_IN.piles["A"][0].sides[1].slots):
        assert (slot.known("action"), slot.known("requires")) == ("printed", "house")
    assert BUILT_IN.public[1].slot.known("action") == "printed"
    assert BUILT_IN.dives[0].known("number") == "printed"
    assert {dive.known("reputation") for dive in BUILT_IN.dives} == {"printed"}
    assert {museum.known("six") for museum in (scroll, statue, gem)} == {"inferred"}


def test_nothing_else_is_said_to_be_printed():
    printed: list[str] = []
    for museum in BUILT_IN.museums:
        fields = ("requires", "bonus", "majority", "nine")
        printed += [f"{museum.key} {field}" for field in fields if museum.known(field) == "printed"]
    for key, asset in ASSETS.items():
        fields = ("cost", "copies")
        printed += [f"{key} {field}" for field in fields if asset.known(field) == "printed"]
        for level, side in enumerate(asset.sides, 1):
            given = sorted(side.model_fields_set - {"slots", "provenance"})
            printed += [f"{key} {level} {field}" for field in given if side.known(field) == "printed"]
            for slot in side.slots:
                for field in ("requires", "action"):
                    if slot.known(field) == "printed":
                        printed.append(f"{key} {level} {slot.requires} {field}")
    assert printed == [
        "fossil_museum majority",
        "gem_museum bonus",
        "desert_expedition 1 4+ requires",
        "desert_expedition 1 4+ action",
        "canyon_expedition 1 =1 requires",
        "canyon_expedition 1 =1 action",
        "canyon_expedition 1 3+ requires",
        "canyon_expedition 1 3+ action",
        "adventurers 1 dice",
        "mountain_expedition 1 5+ action",
        "mountain_expedition 2 4+ action",
        "mountain_expedition 2 =6 action",
    ]
    assert [dive.number for dive in BUILT_IN.dives if dive.known("number") == "printed"] == [2]
    assert not any(dive.known("find") == "printed" for dive in BUILT_IN.dives)


def test_artifacts_and_finds_keep_their_order():
    """Their places are their numbers in snapshots."""
    assert ARTIFACTS == ("fossil", "scroll", "statue", "gem")
    assert FINDS == ("pottery", "doubloon", "sunken_city")
