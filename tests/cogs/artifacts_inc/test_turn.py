"""A turn on the private screen: what it offers, what it says of it, and what can be taken back."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
from simcord import SetupError

from bot.ui.screens.game_screens import Pressed, Selection, meant_by
from bot.ui.screens.ids import Id
from bot.ui.screens.names import Names
from bot.ui.screens.private import Personal, explained, private
from cogs.artifacts_inc import companies, intents, shop, turn, uses
from engine.artifacts_inc.state import State
from engine.errors import IllegalMove
from tests.cogs.artifacts_inc import roller
from tests.cogs.in_memory import SCREENS, Match
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room
from tests.engine.artifacts_inc.scene import GAME, scene

SPACE = "\N{NO-BREAK SPACE}"


async def turn_of_ana(room: Room, state: State) -> tuple[Person, Page]:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(state)
    return ana, await roller.own_page(ana)


async def test_a_die_shows_only_what_it_can_do_with_what_it_brings(room: Room) -> None:
    ana, page = await turn_of_ana(room, scene(dice="1 2 5", artifacts="gem*2", dollars=1))
    assert roller.uses(page) == [
        "5 → Gem Museum: 2 for $5 · you lead",
        "1 → Canyon Expedition: 1 Fossil",
        "5 → Desert Expedition: 1 Scroll",
    ], "each with its card, what gains most first"
    assert page.menu(roller.OTHERS).details == {
        "2 → Guide Work: $1": "",
        "2 → Private Collectors: all for $2": "",
        "2 → Private Collectors: choose what to sell …": "",
        "5 → Gem Museum: 1 for $4": "you lead (⭐4); whoever fills order 2 then leads",
        "Dive with Other Dice …": "Dive (2): ⭐ 1, Pottery",
    }
    await ana.press(page, "Die 5")
    assert "Guide Work: $1" in roller.uses(page)
    await ana.press(page, "Canyon Expedition: 1 Fossil")
    assert "You place 5️⃣ on Canyon Expedition" in page.text
    await ana.press(page, "Undo")
    await ana.press(page, "Die 1")
    assert "Canyon Expedition: 1 Fossil" in roller.uses(page)
    assert not any("Gem Museum" in title or "Desert" in title for title in roller.uses(page))
    await ana.press(page, "▸ Die 1")
    assert page.offers(roller.OTHERS), "another press and any die will do"


async def test_few_uses_are_buttons_with_their_cards_and_all_that_they_bring(room: Room) -> None:
    covered = [(card, 0, 0) for card in (4, 5)]
    ana, page = await turn_of_ana(
        room, scene(dice="2 5", artifacts="gem", covered=covered, laid=[4, 4], divers=[1, 1, 1])
    )
    assert roller.uses(page) == [
        "5 → Gem Museum: 1 for $4 · you lead (⭐4); whoever fills order 2 then leads",
        "5 → Canyon Expedition: 1 Fossil",
        "5 → Desert Expedition: 1 Scroll",
    ]
    assert not page.offers("What ")
    await ana.press(page, "Die 5")
    assert "▸ Die 5" in page.buttons


async def test_a_die_that_can_do_nothing_is_greyed_and_the_turn_ends_at_once(room: Room) -> None:
    covered = [(card, 0, 0) for card in (5, 7, 8)]
    state = scene(dice="2 2", covered=covered, laid=[4, 4, 4], divers=[1, 1, 1])
    ana, page = await turn_of_ana(room, state)
    assert "You can't place the 2 anywhere now." in page.text
    await ana.press(page, "End Turn")
    assert (await room.table()).state.active == 1


async def test_a_die_that_cannot_be_placed_is_greyed_unless_it_can_be_turned(room: Room) -> None:
    covered = [(card, 0, 0) for card in (5, 7, 8)]
    lying: dict[str, Any] = {"dice": "2 5", "covered": covered, "laid": [4, 4, 4], "divers": [1, 1, 1]}
    ana, page = await turn_of_ana(room, scene(**lying))
    assert page.greyed == ["Die 2"]
    await room.stage(scene("airfield", **lying))
    page = await roller.own_page(ana)
    assert not page.greyed
    await ana.press(page, "Die 2")
    assert "You can't place the 2 anywhere now." in page.text
    await ana.choose(page, roller.OTHERS, "Turn 2 to 5")
    assert list((await room.table()).state.dice) == [5, 5]


async def test_equal_orders_are_filled_from_the_higher_one(room: Room) -> None:
    """It decides ties, so nobody would want the other."""
    state = scene(dice="2 2", artifacts="fossil", seats=3)
    people = await room.match_of("Ana", "Ben", "Cara")
    await room.stage(state)
    page = await roller.own_page(people[0])
    await people[0].press(page, "Fossil Museum: 1 for $2 · you lead (⭐3); whoever fills order 2 then leads")
    assert (await room.table()).state.orders[0][:2] == (-1, 0)


async def test_of_dice_that_fit_a_use_the_one_with_fewest_other_uses_is_offered(room: Room) -> None:
    ana, page = await turn_of_ana(room, scene("desert_expedition+", dice="3 5"))
    await ana.press(page, "3 → Desert Expedition: 1 Scroll")
    assert "Desert Expedition: 1 Scroll" in roller.uses(page), "the 5 still finds the slot for 4+"


async def test_a_dive_proposes_the_fewest_dice_and_offers_others(room: Room) -> None:
    ana, page = await turn_of_ana(room, scene(dice="1 2 3 6", divers=[0, 1, 1]))
    assert "Dive (2 + 6): ⭐ 1, Sunken City" in page.buttons
    await ana.choose(page, roller.OTHERS, "Dive with Other Dice …")
    assert "The next dive needs 8." in page.text
    menu = page.menu("Dive with")
    assert menu.chosen == ("2 + 6 = 8",)
    assert "3 + 6 = 9" in menu.options
    assert "1 + 2 + 3 = 6" not in menu.options
    await ana.choose(page, "Dive with", "3 + 6 = 9")
    await ana.press(page, "Dive 3 + 6")
    assert "You dive for 8 with 3️⃣ 6️⃣ and find 🔱 Sunken City. ⭐\N{NO-BREAK SPACE}+1" in page.text


async def test_a_dive_adds_what_cards_give(room: Room) -> None:
    ana, page = await turn_of_ana(room, scene("diving_bell", dice="1 5 6 6", divers=[0, 1, 1, 1]))
    await ana.choose(page, roller.OTHERS, "Dive with Other Dice …")
    assert "Your cards add 2 to your dice." in page.text
    await ana.press(page, roller.BACK)
    await ana.press(page, "Dive (5 + 6, +2): ⭐ 1, Doubloon")
    assert "You dive for 10 with 5️⃣ 6️⃣ (+2)" in page.text
    assert "Undo" in page.buttons, "it was at once, and can be taken back"


async def test_a_purchase_shows_both_sides_what_it_scores_and_its_best_place(room: Room) -> None:
    state = scene("mountain_expedition@lower:1", dice="4 4", dollars=9, offer="explorers_club")
    ana, page = await turn_of_ana(room, state)
    details = page.menu(roller.BUY).details["Explorers' Club · $6"]
    assert [*page.menu(roller.BUY).options][:2] == ["World Exhibition · $8", "Explorers' Club · $6"], (
        "most ⭐ first"
    )
    assert details.startswith("⭐ 4"), "beside two Expeditions, if it is laid well"
    await ana.choose(page, roller.BUY, "Explorers' Club · $6")
    assert "4️⃣ **Headquarters**" in page.text
    assert "💰 $9" in page.text
    assert "I · ⭐ 2 · ⭐ +1 for each adjacent Expedition" in page.text
    assert "It scores ⭐ 4 (2 + 2) immediately." in page.text
    menu = page.menu(roller.WHERE)
    assert [label.partition(" · ")[0] for label in menu.options] == [f"Place {n}" for n in range(1, 6)]
    assert menu.chosen == ("Place 3 · ⭐ 4 (2 + 2) · Below Desert Expedition",)
    assert menu.details[menu.chosen[0]] == "also beside Mountain Expedition"
    await ana.choose(page, roller.WHERE, next(label for label in menu.options if "+" not in label))
    assert "It scores ⭐ 2 immediately." in page.text
    await ana.press(page, roller.BACK)
    assert not any(label.startswith("Die") for label in page.buttons), "both dice are alike"


async def test_a_card_without_the_scroll_that_it_costs_is_out_of_reach(room: Room) -> None:
    ana, page = await turn_of_ana(room, scene(dice="4 4", dollars=2, offer="caravan airfield"))
    assert "Airfield · $2" in page.menu(roller.BUY).options
    assert not any(label.startswith("Caravan") for label in page.menu(roller.BUY).options)
    await ana.choose(page, roller.BUY, "Airfield · $2")
    assert "💰 $2" in page.text


async def test_whoever_comes_back_reads_each_turn_of_the_others_since_their_own_last_move_in_a_line(
    room: Room,
) -> None:
    ana, ben, cara = await room.match_of("Ana", "Ben", "Cara")
    await room.stage(scene(dice="1 3 4 6", seats=3))
    assert "\n⏳ **Ana** rolls 1️⃣ 3️⃣ 4️⃣ 6️⃣." in (await roller.own_page(ben)).text
    page = await roller.own_page(ana)
    for use in (
        "4 → Desert Expedition: 1 Scroll",
        "1 → Canyon Expedition: 1 Fossil",
        "3 → Scroll Museum: 1 for $2 · you lead",
    ):
        await ana.press(page, use)
    await ana.press(page, "Guide Work: $1")
    turn = (
        "**Ana** finds 🦴 1 Fossil and 📜 1 Scroll, "
        "**sells 📜 1 Scroll to the Scroll Museum for $2 (now in the lead)** and earns $1 with Guide Work."
    )
    his = await roller.own_page(ben)
    assert turn in his.text
    assert "You roll" not in his.text, "the dice stand on the screen"
    guide_work = next(label for label in roller.uses(his) if "Guide Work" in label)
    await ben.press(his, guide_work)
    _before, own, below = his.text.partition("on Guide Work and earn $1.")
    assert own
    assert turn not in below, "his own move stands directly above his dice"
    hers = await roller.own_page(cara)
    assert turn in hers.text
    assert "**Ben** earns $1 with Guide Work" in hers.text
    assert "**Ben** earns $1 with Guide Work" in (await roller.own_page(ana)).text


async def test_a_card_of_ones_own_is_improved(room: Room) -> None:
    ana, page = await turn_of_ana(room, scene("airfield airfield", dice="4 4", dollars=3))
    await ana.choose(page, roller.BUY, "Airfield (2) → II · $2")
    assert "II · ⭐ 3" in page.text
    assert "It scores ⭐ 3 immediately." in page.text
    await ana.press(page, "Upgrade for $2")
    assert "You upgrade Airfield for $2. ⭐\N{NO-BREAK SPACE}+3" in page.text
    assert (await room.table()).state.reputation[0] == 5
    await ana.press(page, "Undo")
    assert (await room.table()).state.reputation[0] == 2


async def test_what_is_sold_to_collectors_can_be_chosen(room: Room) -> None:
    ana, page = await turn_of_ana(room, scene(dice="2 2", artifacts="fossil*3 gem"))
    assert "Private Collectors: all for $5" in roller.uses(page)
    await ana.press(page, "Private Collectors: choose what to sell …")
    assert page.menu("Fossil").chosen == ("1 Fossil",), "one of each kind brings most for each"
    assert page.menu("Gem").chosen == ("1 Gem",)
    assert [*page.menu("Fossil").options] == ["0 Fossils", "1 Fossil", "2 Fossils", "3 Fossils"]
    assert "Sell for $3" in page.buttons
    await ana.choose(page, "Gem", "0 Gems")
    assert "Sell for $1" in page.buttons
    await ana.choose(page, "Fossil", "0 Fossils")
    assert "Sell for $0" in page.greyed
    await ana.choose(page, "Fossil", "3 Fossils")
    await ana.press(page, "Sell for $3")
    assert (await room.table()).state.artifacts[0] == [0, 0, 0, 1]
    await ana.press(page, "Undo")
    assert (await room.table()).state.artifacts[0] == [3, 0, 0, 1]


async def test_dice_are_turned_set_and_rolled_again(room: Room) -> None:
    ana, page = await turn_of_ana(room, scene("field_office airfield caravan", dice="1 4"))
    menu = page.menu(roller.OTHERS)
    turned = [label for label in menu.options if label.startswith("Turn 1")]
    assert turned[:3] == ["Turn 1 to 2", "Turn 1 to 3", "Turn 1 to 4"]
    await ana.press(page, "Die 4")
    menu = page.menu(roller.OTHERS)
    turned = [label for label in menu.options if label.startswith("Turn 4")]
    assert turned[:2] == ["Turn 4 to 3", "Turn 4 to 5"]
    assert menu.details["Turn 4 to 6"] == "Airfield, 1 use left"
    await ana.choose(page, roller.OTHERS, "Turn 4 to 6")
    assert "You turn 4️⃣ to 6️⃣ with Airfield." in page.text
    await ana.press(page, "Undo")
    await ana.press(page, "Reroll …")
    assert "A reroll can't be undone." in page.text
    await ana.choose(page, "Dice to reroll", "1", "4")
    await ana.press(page, "Reroll 1, 4")
    assert "Reroll …" not in page.buttons
    assert "Undo" not in page.buttons


async def test_cards_that_turn_a_die_alike_are_offered_once(room: Room) -> None:
    _ana, page = await turn_of_ana(room, scene("field_office field_office", dice="4 4"))
    offered = [label for label in page.menu(roller.OTHERS).options if label.startswith("Turn")]
    assert offered == ["Turn 4 to 3", "Turn 4 to 5"]


def test_of_two_sales_the_one_that_pays_more_comes_first() -> None:
    view = GAME.view(scene("auction_house", dice="4", artifacts="gem"), 0)
    sales = [use.label for use in uses.uses(view, [4]) if " for $" in use.label and "Museum" not in use.label]
    assert [label.partition(":")[0] for label in sales] == ["Auction House", "Private Collectors"]


def test_all_dice_that_can_do_nothing_are_proposed_for_another_roll() -> None:
    covered = [(card, 0, 0) for card in (5, 7, 8)]
    state = scene("caravan", dice="2 2 5", covered=covered, laid=[4, 4, 4], divers=[1, 1, 1])
    assert turn.idle_dice(GAME.view(state, 0)) == ["2.0", "2.1"]
    assert turn.idle_dice(GAME.view(scene("caravan", dice="4 5"), 0)) == ["4.0"], "or else the lowest"


async def test_the_starting_cards_are_rolled_as_they_lie_or_in_another_order(room: Room) -> None:
    people = await room.match_of("Ana", "Ben")
    first = await room.asked(people)
    page = await roller.own_page(first)
    wanted = "Headquarters · Desert Expedition · Canyon Expedition · Adventurers"
    await first.press(page, "Rearrange My Cards …")
    await first.choose(page, roller.ORDER, wanted)
    await first.press(page, "Roll")
    state = (await room.table()).state
    assert [GAME.catalogue.cards[side >> 1].key for side in state.sides[state.active]] == [
        "headquarters",
        "desert_expedition",
        "canyon_expedition",
        "adventurers",
    ]
    assert "You arrange your starting cards: Headquarters ·" in page.text


async def test_whoever_waits_sees_their_own_company(room: Room) -> None:
    _ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(scene(dice="1", others={1: "biplane+"}))
    page = await roller.own_page(ben)
    assert "Your company" in page.text
    assert "Biplane II** · ⭐ 3 · `any` an artifact that your Expeditions yield" in page.text
    assert not roller.uses(page)


_NAMES = Names(Match(GAME, scene(), []).table(names=["Ana", "Ben"]).seats)

# -- presses that mean no move

SPOILT = [
    "",
    "x",
    "put",
    "put.1",
    "put.1.2.3.x",
    "fill.5.3.0.0.99.99",
    "buy.1.2.3",
    "again.1.2.3",
    "put." + "9" * 40,
]


@pytest.mark.parametrize("intent", sorted(SCREENS["artifacts-inc"].presses()))
def test_whatever_a_press_carries_is_a_move_a_choice_or_refused(intent: str) -> None:
    state = scene("caravan airfield", dice="1 2 5", artifacts="gem*2 fossil", dollars=9)
    view, screens = GAME.view(state, 0), SCREENS["artifacts-inc"]
    before, lines = GAME.dump(state), list[str]()
    for arg in SPOILT:
        for values in ([], [arg], [arg, arg]):
            pressed = Pressed(intent, arg, {intent: values, shop.CARD: values})
            try:
                meant = meant_by(screens, view, pressed)
                if isinstance(meant, Selection):
                    assert screens.private(view, _NAMES, meant.choices, Id("", 1, "1"))
                else:
                    assert GAME.apply(state.copy(), 0, meant)
            except IllegalMove as error:
                lines.append(screens.refuse(error))
    assert all(lines), "each refusal has words"
    assert GAME.dump(state) == before


def test_a_screen_of_what_was_never_offered_is_refused() -> None:
    view = GAME.view(scene(dice="1 2 5", dollars=9), 0)
    screens = SCREENS["artifacts-inc"]
    for choices in (
        {shop.CARD: ["card.5.6.0.0.5.0"]},
        {shop.CARD: ["up.5.6.0.0.99.0.0"]},
        {intents.GOODS: ["x"]},
    ):
        with pytest.raises(IllegalMove):
            screens.private(view, _NAMES, choices, Id("", 1, "1"))


LAST = "Your last die: placing it ends your turn"


@pytest.mark.parametrize(
    "steps",
    [
        [(roller.BUY, "Airfield · $2")],
        [(roller.BUY, "Airfield → II · $2")],
        [(roller.BUY, "Private Collectors: choose what to sell …")],
    ],
)
@pytest.mark.parametrize("dice", ["6", "6 6"])
async def test_whatever_asks_before_the_last_die_is_placed_says_that_it_ends_the_turn(
    room: Room, steps: list[str | tuple[str, str]], dice: str
) -> None:
    state = scene("airfield", dice=dice, dollars=2, offer="airfield", artifacts="gem*2", divers=[0])
    ana, page = await turn_of_ana(room, state)
    for step in steps:
        if isinstance(step, tuple):
            await ana.choose(page, *step)
        else:
            await ana.press(page, step)
    assert (LAST in page.text) == (dice == "6")


async def test_a_dive_with_the_last_die_asks_first_and_says_that_it_ends_the_turn(room: Room) -> None:
    ana, page = await turn_of_ana(room, scene(dice="6", divers=[0]))
    await ana.press(page, "Dive (6): ⭐ 1, Doubloon")
    assert LAST in page.text


async def test_a_dive_with_all_dice_says_that_it_ends_the_turn(room: Room) -> None:
    ana, page = await turn_of_ana(room, scene(dice="3 6", divers=[0, 1, 1]))
    await ana.press(page, "Dive (3 + 6): ⭐ 1, Sunken City")
    assert "The dive takes all your dice and ends your turn." in page.text


async def test_a_menu_of_dice_to_roll_again_cannot_be_emptied(room: Room) -> None:
    """It would lead back to the dice, and what it was for would be forgotten."""
    ana, page = await turn_of_ana(room, scene("caravan", dice="3 6", artifacts="gem*2"))
    await ana.press(page, "Reroll …")
    with pytest.raises(SetupError, match="Select expects between 1 and 2 value"):
        await ana.choose(page, "Dice to reroll")


async def test_places_name_what_they_score_only_where_that_differs(room: Room) -> None:
    ana, page = await turn_of_ana(room, scene(dice="4 4", dollars=9, offer="airfield"))
    await ana.choose(page, roller.BUY, "Airfield · $2")
    assert page.menu(roller.WHERE).chosen == ("Place 2 · Right of Adventurers",)


async def test_a_purchase_says_why_and_whether_its_place_matters(room: Room) -> None:
    state = scene(dice="2 2", dollars=9, offer="dig_camp explorers_club mountain_expedition")
    ana, page = await turn_of_ana(room, state)
    await ana.choose(page, roller.BUY, "Mountain Expedition · $3")
    menu = page.menu(roller.WHERE)
    assert "Expedition" in menu.chosen[0], "such a place is chosen"
    assert any("Right of Adventurers" in each for each in menu.options)


async def test_an_improvement_says_that_its_dice_stand_instead_of_the_cards_present_ones(room: Room) -> None:
    ana, page = await turn_of_ana(room, scene("hired_adventurers", dice="4 4", dollars=9))
    (label,) = [
        label for label in page.menu(roller.BUY).options if label.startswith("Hired") and "→ II" in label
    ]
    assert "(instead of 1)" in page.menu(roller.BUY).details[label]
    await ana.choose(page, roller.BUY, label)
    assert "(instead of 1)" in page.text


async def test_the_way_to_the_last_round_and_the_rivals_stand_on_the_own_screen(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(scene("airfield", dice="2 2"))
    assert "**Your turn** · ⭐ 1/20 · Ben 0/20\n" in (await roller.own_page(ana)).text.replace(SPACE, " ")
    assert "\n⭐ 0/20 · Ana 1/20\n" in (await roller.own_page(ben)).text.replace(SPACE, " ")
    state = scene(dice="2")
    state.earned = [(21, 0, 0, 0), (12, 0, 0, 0)]
    state.derive()
    assert companies.race(GAME.view(state, 1), 1, _NAMES)[0].replace(SPACE, " ") == "⭐ 12 · Ana 21", (
        "the last round has begun"
    )


def test_the_own_screen_counts_the_museums_and_marks_who_is_near_the_end() -> None:
    state = scene("airfield", dice="2 2")
    state.earned = [(18, 0, 0, 0), (19, 0, 0, 0)]
    state.orders[0] = (0, 0, *state.orders[0][2:])
    state.derive()
    bonus = state.catalogue.museums[0].majority
    views = [GAME.view(state, seat) for seat in (0, 1)]
    assert [
        [
            line.replace(SPACE, " ")
            for line in (*companies.race(view, seat, _NAMES), *companies.alarm(view, seat, _NAMES))
        ]
        for seat, view in enumerate(views)
    ] == [
        [
            "⭐ 18/20 · Ben 19/20",
            f"🏛️ Museums: +{bonus} 🦴 → **you lead {18 + bonus} to 19**",
            "🏁 **Ben could reach ⭐ 20 in one turn: after that, you have no more turns.**",
        ],
        [
            "⭐ 19/20 · Ana 18/20",
            f"🏛️ Museums: Ana +{bonus} 🦴 → **Ana leads {18 + bonus} to 19**",
            "🏁 **Ana could reach ⭐ 20 in one turn: after that, you have one more turn.**",
        ],
    ]
    assert companies.alarm(replace(views[0], laid=(2,)), 0, _NAMES), "it stays until the turn ends"


@pytest.mark.parametrize("newcomer", [True, False])
def test_hints_for_a_first_time_stand_behind_the_button_once_a_match_has_been_played(newcomer: bool) -> None:
    match = Match(GAME, scene(dice="1 6", artifacts="fossil"), [])
    screens = SCREENS["artifacts-inc"]
    first, later = "A sale leaves your cube", "to the highest order"
    shown = private(match.table(), screens, 0, [], Personal(newcomer=newcomer))
    text = str(shown.items)
    assert (first in text and later in text) == newcomer
    assert "Your first match?" not in text, "that is said in the first turn alone"
    assert first in str(explained(match.table(), screens, 0).items)


@pytest.mark.parametrize("is_rolled", [False, True])
async def test_last_die_is_taken_back_until_the_next_player_s_dice_are_rolled(
    room: Room, is_rolled: bool
) -> None:
    ana, page = await turn_of_ana(room, scene(dice="2", round=1 + is_rolled))
    assert "Your last die: placing it ends your turn" in page.text
    await ana.press(page, "Guide Work: $1")
    assert "Guide Work: $1" not in page.buttons
    if is_rolled:  # from the second round on, they are rolled with the end of the turn
        assert "Undo" not in page.buttons
        return
    await ana.press(page, "Undo")
    assert "Guide Work: $1" in page.buttons
