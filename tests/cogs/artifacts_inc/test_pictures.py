"""The pictures of Artifacts, Inc.: what they show, what they say of it, and that everything on them is told apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import combinations
from random import Random
from typing import Any

import pytest

from bot.art import common, ink
from bot.art.picture import ALT_TEXT, Picture
from bot.art.scene import WIDTH
from bot.language import languages, speaking
from bot.ui.screens.game_screens import Pressed, SeenEvent
from cogs.artifacts_inc import names as name
from cogs.artifacts_inc import table
from cogs.artifacts_inc.art import alt, board, cards, company, draw, goods, strips
from cogs.artifacts_inc.screens import ArtifactsIncScreens
from engine.artifacts_inc import ArtifactsInc, create
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.card_list import ARTIFACTS, FINDS
from engine.artifacts_inc.choices import museum_points, places
from engine.artifacts_inc.company import CompanyCard, Space
from engine.artifacts_inc.state import FREE, OVER, State, View
from engine.cards import card_data
from engine.game import Options
from tests.cogs import pictures as checks
from tests.engine.artifacts_inc.scene import BUILT_IN, scene

KEY = ArtifactsInc.key
SCREENS = ArtifactsIncScreens(BUILT_IN)
CATALOGUE = BUILT_IN.catalogue

SIGNS = (
    "fossil",
    "scroll",
    "statue",
    "gem",
    "pottery",
    "doubloon",
    "sunken-city",
    "trident",
    "museum",
    "reputation",
    "price",
    "company",
    "sale",
    "buying",
    "improving",
    "dive",
    "used",
    "any-artifact",
    "selling-one",
    "slot",
    "tent",
    "level-2",
)
"""The drawings that a company's goods and deeds have."""

LEVELS_APART = 9.0
"""How far the drawings of a card's two levels must be apart in greyscale: as much as a spot of ink on paper that is
nine of the 44 pixels wide and high. Level 2 shows what level 1 shows and something more, and cards bear a ribbon too.
"""
SEATS = BUILT_IN.max_seats
APART = 18.0
"""How far drawings must be apart that stand for different things: as much as a spot that is 13 pixels wide and high."""


def public(state: State) -> View:
    return BUILT_IN.view(state, None)


def test_nobody_is_marked_on_the_table_once_no_decision_is_open() -> None:
    view = replace(public(BUILT_IN.new(2, Options(), bytes(32))), pending=())
    assert SCREENS.table_picture(replace(view, active=0)) == SCREENS.table_picture(replace(view, active=1))


def full_table() -> View:
    """A table of four on which everything is as full as it can get: dice, orders, artifacts, finds, cards, offers."""
    company_of_all = (
        "explorers_club+ biplane+ caravan+ dig_camp@lower:0 field_office+@lower:1 auction_house@lower:2"
    )
    state = scene(
        f"{company_of_all} hired_adventurers+ airfield",
        dice="1 3 6",
        artifacts="fossil*12 scroll*11 statue*12@biplane gem*14@biplane",
        dollars=88,
        others={
            1: "mountain_expedition jungle_expedition diving_bell+ hired_adventurers airfield+@lower:0 grand_hall+",
            2: "research_institute salvage_fleet+ hired_adventurers+ antiquarian+@lower:3 curators_office",
            3: "world_exhibition+ mountain_expedition+ diving_bell antiquarian@lower:2 airfield",
        },
        orders={artifact: {at: at % 4 for at in range(9)} for artifact in ARTIFACTS},
        divers=[0, 1, 2, 3, 0, 1, 2, 3, 0],
        seats=4,
        game=BUILT_IN,
    )
    state.covered = [Space(0), Space(1), Space(CATALOGUE.numbers["dig_camp"])]
    state.laid, state.dived = [2, 4, 5], (6,)
    state.used = [CompanyCard(CATALOGUE.numbers["caravan"])]
    for seat in range(1, 4):
        state.cubes[seat][: len(ARTIFACTS)] = [10 + seat, 12, 13, 14]
        state.dollars[seat] = 40 + seat
    state.derive()
    return public(state)


RENAMED = {"mountain_expedition": "polar_expedition", "grand_hall": "zeppelin"}
"""Cards of the built-in list, and what an owner's own list has in their place."""


def check_within(picture: Picture) -> None:
    """Checks that no sheet of the picture, such as a card or a company, goes beyond its edges."""
    sheets = [layer for layer in picture.layers if layer.element.startswith("<rect")]
    assert sheets
    for x, y, width, height, _element in sheets:
        assert 0 <= x <= x + width <= picture.width
        assert 0 <= y <= y + height <= picture.height


def owners_game() -> ArtifactsInc:
    """The game with an owner's card list."""
    data: Any = card_data("artifacts_inc", None)
    for pile in data["piles"].values():
        for asset in pile:
            asset["key"] = RENAMED.get(asset["key"], asset["key"])
    return create(data)


# -- all pictures


@pytest.mark.sampled
def test_every_part_is_in_a_picture() -> None:
    covered = [scene(dice="6", seats=2, game=BUILT_IN) for _museum in ARTIFACTS]
    for museum, state in enumerate(covered):
        state.covered, state.laid = [Space(museum)], [6]
    extra = [board.table(public(state)) for state in covered]
    sold_out = scene("field_office", dice="1", game=BUILT_IN)
    sold_out.used = [CompanyCard(sold_out.catalogue.numbers["field_office"])]
    sold_out.offers = [() for _pile in sold_out.offers]
    extra.append(company.offers(public(sold_out)))
    extra.append(company.picture(BUILT_IN.view(sold_out, 0), 0))
    owners = owners_game()
    state = scene(offer=" ".join(RENAMED.values()), game=owners)
    extra.append(company.offers(owners.view(state, None)))
    checks.check_drawings(draw, SCREENS, [*checks.all_pictures(KEY), *extra])


FULLEST: dict[str, tuple[str, Callable[[View], Picture]]] = {
    "table": ("table", board.table),
    "own company": ("own", lambda view: company.picture(view, 0)),
    "offers": ("sheet", company.offers),
    "both sides": ("sheet", lambda view: company.both_sides(view, 0)),
}


@pytest.mark.parametrize("what", FULLEST)
def test_the_fullest_picture_keeps_its_size_and_its_text_within_limits(what: str) -> None:
    kind, draw = FULLEST[what]
    view = full_table()
    for language in languages():
        with speaking(language):
            checks.check_drawing(kind, draw(view))
    check_within(draw(view))
    checks.check_file(draw(view))


# -- the table


def test_a_table_too_full_for_its_text_still_tells_how_many_cards_are_on_offer() -> None:
    view = full_table()
    with speaking("de"):
        text = board.table(view).alt
    assert len(text) <= ALT_TEXT
    assert "Karten sind im Angebot." in text


def test_a_table_on_which_nothing_is_left_says_so() -> None:
    state = scene(dice="1", divers=[0] * len(CATALOGUE.dives), seats=3, game=BUILT_IN)
    state.offers = [() for _pile in state.offers]
    state.orders = [(2,) * len(orders) for orders in state.orders]
    view = public(state)
    picture = board.table(view)
    checks.check_drawing("table", picture)
    for sentence in (
        "All dives have been completed.",
        "Nothing is on offer.",
        "Gem Museum: no free order, first is the green square",
    ):
        assert sentence in picture.alt
    assert company.offers(view).alt == "Nothing is on offer."
    checks.check_drawing("sheet", company.offers(view))


def placed(picture: Picture, body: str) -> int:
    """How often a part is placed in a picture."""
    names = [name for name, drawn in picture.parts.items() if drawn == body]
    return sum(f'href="#{name}"' in layer.element for name in names for layer in picture.layers)


def test_a_die_on_an_own_card_takes_the_place_of_the_die_that_the_card_wants() -> None:
    own = CATALOGUE.numbers["mountain_expedition"]
    state = scene("mountain_expedition", dice="2 6", seats=2, game=BUILT_IN)
    before = board.table(public(state))
    BUILT_IN.apply(state, 0, m.PlaceDie(6, Space(own)))
    after = board.table(public(state))
    laid = common.die(6, ink.SHADE).body
    assert (placed(before, laid), placed(after, laid)) == (0, 1)


PHONE = 265 / WIDTH
"""The size of a picture on a phone."""


def test_cards_and_dice_of_a_company_are_no_specks_on_a_phone() -> None:
    view = public(scene("biplane+ airfield", dice="2", seats=4, game=BUILT_IN))
    for number in (0, 1, 2, 3):
        rows, scale = strips.rows_of(view, number)
        assert len(rows) == 1
        for held in (thing.held for thing in rows[0] if thing.held):
            assert strips.CARD * scale * PHONE >= 22, held.card.key
            for slot in held.side.slots:
                assert strips.chip_width(slot.requires) * scale * PHONE >= 10
    assert cards.DIGITS * PHONE >= 10


def test_the_dice_of_a_card_stand_apart_from_each_other_and_from_its_drawing() -> None:
    picture = board.table(public(scene(dice="2", seats=2, game=BUILT_IN)))
    canyon = CATALOGUE.cards[CATALOGUE.numbers["canyon_expedition"]]
    (name,) = (name for name, body in picture.parts.items() if body == cards.drawing(canyon).body)
    drawing = next(layer for layer in picture.layers if f'href="#{name}"' in layer.element)
    chips = [strips.chip(slot.requires, strips.chip_width(slot.requires)) for slot in canyon.side(1).slots]
    one, three = (next(layer for layer in picture.layers if chip.inner in layer.element) for chip in chips)
    room = 2 * strips.EDGE - ink.FINE
    assert one.x + one.width - room < three.x
    assert drawing.y + drawing.height - room < one.y


def test_the_cards_on_offer_leave_the_table_to_very_large_companies_alone() -> None:
    def offered(view: View) -> int:
        return placed(board.table(view), cards.drawing(CATALOGUE.cards[view.offers[0][0]]).body)

    usual, fullest = public(scene("biplane+ airfield dig_camp", seats=4, game=BUILT_IN)), full_table()
    assert offered(usual) > offered(fullest) == 0
    assert board.table(fullest).height <= board.HIGHEST
    assert placed(company.offers(fullest), cards.drawing(CATALOGUE.cards[fullest.offers[0][0]]).body) == 1


def test_the_museums_share_of_the_track_follows_the_majorities_and_is_counted_once() -> None:
    state = scene(dice="1", seats=2, orders={"fossil": {0: 1}, "gem": {0: 1, 1: 0, 2: 0}}, game=BUILT_IN)
    worth = [CATALOGUE.museums[ARTIFACTS.index(kind)].majority for kind in ("fossil", "gem")]
    assert [museum_points(public(state), seat) for seat in (0, 1)] == [worth[1], worth[0]]
    state.earned = [(5, 0, 0, worth[1]), (4, 0, 0, worth[0])]
    state.phase = OVER
    state.derive()
    assert [museum_points(public(state), seat) for seat in (0, 1)] == [worth[1], worth[0]]
    assert "more from museums" not in board.table(public(state)).alt


def test_the_reputation_of_many_museums_stays_left_of_the_track() -> None:
    orders = {kind: {0: 0} for kind in ARTIFACTS}
    picture = board.table(public(scene(dice="1", seats=2, orders=orders, game=BUILT_IN)))
    (bar, *_others) = [each for each in picture.layers if (each.width, each.height) == (180, 20)]
    beside = [each for each in picture.layers if abs(each.y - bar.y) < 12 and 148 <= each.x < bar.x]
    assert beside
    assert all(each.x + each.width < bar.x for each in beside), "+14"


def test_a_card_on_offer_hides_nothing_behind_its_price() -> None:
    for card in CATALOGUE.cards[CATALOGUE.public :]:
        picture = board.offer(card)
        (tab,) = (
            layer for layer in picture.layers if f'fill="{ink.GOLD}"' in layer.element and layer.width == 24
        )
        (name,) = (name for name, body in picture.parts.items() if body == cards.drawing(card).body)
        (drawing,) = (layer for layer in picture.layers if f'href="#{name}"' in layer.element)
        apart = drawing.x >= tab.x + tab.width or drawing.y + drawing.height <= tab.y + 2
        assert apart, card.key


# -- a company


def test_places_for_a_new_card_have_the_numbers_of_the_menu() -> None:
    state = scene("antiquarian@lower:1", dice="2 5", dollars=9, game=BUILT_IN)
    view = BUILT_IN.view(state, 0)
    assert "numbered" not in company.picture(view, 0).alt, "no card is chosen"
    chosen = replace(view, phase=company.PLACING)
    picture = company.picture(chosen, 0)
    empty = [layer for layer in picture.layers if f'stroke="{ink.STONE}"' in layer.element]
    assert len(empty) == len(places(view, 0)) == 5
    assert "A new card can lie in 5 numbered places." in picture.alt
    check_within(picture)
    assert "numbered" not in company.picture(chosen, 1).alt, "others have none"


def test_a_used_ability_is_crossed_out() -> None:
    state = scene("airfield+", dice="2 4", game=BUILT_IN)
    before = company.picture(public(state), 0)
    BUILT_IN.apply(state, 0, m.TurnDie(CompanyCard(CATALOGUE.numbers["airfield"]), 2, 6))
    after = company.picture(public(state), 0)
    setting = draw("setting-a-die").body
    assert placed(before, setting) == placed(after, setting) == 2
    assert placed(before, draw("used").body) == 0
    assert placed(after, draw("used").body) == 1


def test_a_very_wide_company_still_fits() -> None:
    airfields = " ".join(
        ["airfield"] * 5 + ["hired_adventurers"] * 5 + ["field_office"] * 3 + ["dig_camp"] * 2
    )
    picture = company.picture(public(scene(airfields, dice="1 2 3", game=BUILT_IN)), 0)
    checks.check_drawing("own", picture)
    check_within(picture)
    checks.check_file(picture)


@pytest.mark.parametrize(
    ("intent", "arg"),
    [
        (table.COMPANY, "9.0.0"),
        (table.COMPANY, "0.2.0"),
        (table.COMPANY, "x"),
        (table.COMPANY, ""),
        ("s.else", "0"),
    ],
)
def test_a_press_that_means_nothing_has_no_picture(intent: str, arg: str) -> None:
    assert SCREENS.sheet_picture(public(scene(dice="1", game=BUILT_IN)), Pressed(intent, arg, {})) is None


# -- vignettes


def sale(kind: str, seat: int, on: str, dollars: int, **more: Any) -> SeenEvent:
    """A sale with a die on a card, as the engine tells it."""
    return SeenEvent(kind, seat, {"die": 4, "on": on, "dollars": dollars, **more})


def purchase(kind: str, seat: int, card: str, cost: int, reputation: int, counted: int = 0) -> SeenEvent:
    """A card that is bought or improved, as the engine tells it."""
    facts = {
        "card": card,
        "cost": cost,
        "scrolls": 0,
        "reputation": reputation,
        "counted": counted,
        "dollars": 0,
    }
    return SeenEvent(kind, seat, facts)


DIVE = SeenEvent(
    "dived", 0, {"dice": [6, 2], "bonus": 0, "number": 8, "find": "sunken_city", "reputation": 1}
)
ORDER = sale("filled", 1, "statue_museum", 9, artifact="statue", order=8, count=6, bonus=3)
PURCHASE = purchase("bought", 3, "world_exhibition", 9, 5)
GOAL = SeenEvent("reached", 1, {"reputation": 21, "round": 9})
DULL = [
    SeenEvent("rolled", 0, {"dice": [1, 1, 2]}),
    sale("earned", 0, "guide_work", 1),
    purchase("bought", 0, "dig_camp", 2, 1),
    sale("filled", 0, "fossil_museum", 3, artifact="fossil", order=0, count=1, bonus=2),
    SeenEvent("passed", 0, {"dice": [1]}),
]


def test_a_dull_turn_has_none() -> None:
    assert SCREENS.vignette(DULL) is None
    assert SCREENS.vignette([]) is None


def test_the_weightiest_event_of_a_turn_is_shown() -> None:
    events = [PURCHASE, DIVE, GOAL, ORDER]
    for chance in range(4):
        Random(chance).shuffle(events)
        assert SCREENS.vignette(events) == SCREENS.vignette([GOAL])


def test_a_sale_that_takes_the_lead_is_shown_rather_than_a_first_dive() -> None:
    first = SeenEvent("dived", 0, {**DIVE.facts, "number": 2, "find": "pottery"})
    sold = sale(
        "filled", 0, "fossil_museum", 5, artifact="fossil", order=4, count=3, bonus=2, takes_lead=True
    )
    assert SCREENS.vignette([first, sold]) == SCREENS.vignette([sold])


def test_a_majority_that_turns_and_the_twenty_are_drawn_as_wide_as_a_message() -> None:
    state, gem = scene(dice="6", artifacts="gem " * 6), ARTIFACTS.index("gem")
    first = BUILT_IN.apply(BUILT_IN.copy(state), 0, m.FillOrder(6, Space(gem, 0), gem, 2))
    state.orders[gem] = (FREE, 1, *state.orders[gem][2:])
    turned = BUILT_IN.apply(state, 0, m.FillOrder(6, Space(gem, 0), gem, 2))
    sold = [[SeenEvent(each.kind, each.seat, each.facts) for each in events] for events in (first, turned)]
    drawn = [SCREENS.vignette(events) for events in (*sold, [DIVE, GOAL])]
    assert [picture is not None and picture.width == WIDTH for picture in drawn] == [False, True, True]


def test_scenes_of_different_finds_and_companies_differ() -> None:
    made: set[str] = set()
    for find in FINDS:
        for seat in range(4):
            picture = SCREENS.vignette([SeenEvent("dived", seat, {**DIVE.facts, "find": find})])
            assert picture is not None
            made.add(picture.key)
    assert len(made) == 12


def test_a_card_that_the_card_list_no_longer_has_is_still_told() -> None:
    picture = SCREENS.vignette([SeenEvent("bought", 0, {**PURCHASE.facts, "card": "zeppelin"})])
    assert picture is not None
    assert "zeppelin" in picture.alt


# -- what differs


def test_cards_artifacts_and_signs_are_told_apart_without_their_colours() -> None:
    checks.check_distinct({card.key: cards.drawing(card) for card in CATALOGUE.cards}, APART)
    checks.check_distinct({key: goods.artifact(kind) for kind, key in enumerate(ARTIFACTS)}, APART)
    checks.check_distinct({key: goods.find(kind) for kind, key in enumerate(FINDS)}, APART)
    checks.check_distinct(goods.emoji(), APART)
    museums = {f"museum of {key}": goods.museum_of(kind) for kind, key in enumerate(ARTIFACTS)}
    abilities = {key: draw(sign) for key, sign in goods.ABILITIES.items()}
    checks.check_distinct({name: draw(name) for name in SIGNS} | museums | abilities, APART)


@pytest.mark.parametrize(
    "card", [card for card in CATALOGUE.cards if len(card.sides) > 1], ids=lambda card: card.key
)
def test_a_cards_two_levels_are_told_apart(card: cards.Card) -> None:
    assert checks.grey_distance(cards.drawing(card, 1), cards.drawing(card, 2)) >= LEVELS_APART


def test_every_card_of_the_game_has_drawings_of_its_own() -> None:
    made = [cards.drawing(card, level) for card in CATALOGUE.cards for level in range(1, len(card.sides) + 1)]
    assert len({part.body for part in made}) == len(made)
    assert not {"card asset 1", "card expedition 1"} & {part.name for part in made}, (
        "drawings for owners' cards"
    )
    assert {part.name for part in made} <= {part.name for part in draw.all()}


def test_an_owners_cards_are_drawn_too() -> None:
    """Cards that this program does not know: an Expedition shows tents, anything else crates."""
    game = owners_game()
    catalogue = game.catalogue
    drawn = {key: cards.drawing(catalogue.cards[catalogue.numbers[key]]).name for key in RENAMED.values()}
    assert drawn == {"polar_expedition": "card expedition 1", "zeppelin": "card asset 1"}
    screens = ArtifactsIncScreens(game)
    view = game.view(game.new(3, Options(), bytes(32)), None)
    checks.check_drawing("sheet", company.offers(view))
    table = screens.table_picture(view)
    assert table is not None
    checks.check_drawing("table", table)


def test_when_the_match_is_over_nothing_is_used_any_more() -> None:
    state = scene("airfield", dice="2 4", game=BUILT_IN)
    BUILT_IN.apply(state, 0, m.TurnDie(CompanyCard(CATALOGUE.numbers["airfield"]), 2, 6))
    state.phase = OVER
    assert placed(company.picture(public(state), 0), draw("used").body) == 0


def test_every_emoji_of_the_texts_has_a_part() -> None:
    used = {
        name.DIE, name.REPUTATION, name.MONEY, name.DIVING, name.MUSEUM, name.BUYING, name.IMPROVING,
        *name.ARTIFACT, *name.FIND, *name.SEAT[:SEATS], SCREENS.words().own_screen_emoji,
    }  # fmt: skip
    assert used <= SCREENS.emoji_parts().keys()


def test_a_seats_part_is_its_token_on_the_pictures() -> None:
    drawn = SCREENS.emoji_parts()
    assert all(common.token(seat).body in drawn[name.SEAT[seat]].body for seat in range(SEATS))


# -- texts that are cut


def test_the_last_sentences_are_cut_first() -> None:
    said = [
        alt.Said("First."),
        alt.Said("A long second.", "Second."),
        alt.Said("A third."),
        alt.Said("Long.", "End."),
    ]
    assert alt.fitted(said) == "First. A long second. A third. Long."
    assert alt.fitted(said, 35) == "First. A long second. A third. End."
    assert alt.fitted(said, 30) == "First. A long second. End."
    assert alt.fitted(said, 20) == "First. Second. End."
    assert alt.fitted(said, 8) == "First. …"


def test_seats_are_called_by_tokens_that_differ() -> None:
    for language in languages():
        with speaking(language):
            assert all(alt.seat(one) != alt.seat(other) for one, other in combinations(range(4), 2))
