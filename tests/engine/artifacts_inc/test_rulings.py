"""The rules, the examples and the rulings R20 to R39 and R60 to R66 of the rule page, a row each, and every refusal."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from copy import deepcopy
from typing import Any

import pytest

from engine.artifacts_inc import ArtifactsInc, create
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.choices import dice_of, majority, places, scored_places, usual_place
from engine.artifacts_inc.company import LOWER, UPPER, CompanyCard, Place, Space
from engine.artifacts_inc.state import State
from engine.game import Event, Options
from tests.engine.artifacts_inc.oracle import BUILT_IN, CODES
from tests.engine.artifacts_inc.scene import (
    CARD_LIST,
    GAME,
    KEY,
    PASS,
    START,
    buy,
    card,
    code,
    collect,
    cubes,
    dive,
    facts,
    fill,
    gather,
    held,
    kinds,
    legal,
    on_offer,
    place,
    play,
    put,
    refused,
    roll,
    roll_again,
    scene,
    space,
    turn,
    turn_die,
)
from tests.engine.rulings import Ruling, check, each, row

FOSSIL, SCROLL, STATUE, GEM = range(4)


def fresh(dice: str) -> Callable[[State], None]:
    """A step that gives a seat these dice, and all slots free again."""

    def clear(state: State) -> None:
        state.dice, state.covered, state.laid = [int(die) for die in dice.split()], [], []

    return clear


def step(state: State, move: Any) -> list[Event]:
    if not callable(move):
        return play(state, move)
    move(state)
    return []


def read(state: State, name: str) -> Any:
    """A part of a match: artifacts by their names, those on cards by the cards' keys and copies."""
    match name:
        case "held":
            return {artifact: held(state, artifact) for artifact in ARTIFACTS}
        case "cubes":
            own = [(state.catalogue.cards[own.card].key, own.copy) for own in state.powers[0].cards]
            return {f"{key}#{copy}" if copy else key: cubes(state, key, copy=copy) for key, copy in own}
        case "offered":
            return {pile: on_offer(state, pile) for pile in "ABCDE"}
        case "order":
            return [state.catalogue.cards[side >> 1].key for side in state.sides[state.active]]
        case _:
            return getattr(state, name)


def scores(reputation: list[int], active: int = 0, **more: Any) -> State:
    """A match in which the cards' icons have given this reputation."""
    state = scene(seats=len(reputation), active=active, **more)
    state.earned = [(n, 0, 0, 0) for n in reputation]
    state.derive()
    return state


def first_turn(seats: int = 2) -> State:
    return GAME.new(seats, Options(), KEY)


OTHER_ORDER = ("headquarters", "adventurers", "canyon_expedition", "desert_expedition")

PURCHASES = [
    row("R20 turning a card scores what level 2 shows and level 1 stays",
        scene("field_office", dice="1 1", dollars=2), turn(1, "field_office"), reputation=[4, 0]),
    row("R20 what comes later adds nothing", scene("diving_bell salvage_fleet", dice="6 6", divers=(1,)),
        dive(6), earned={0: (3, 0, 1, 0)}),
    row("R20 a count is made once", scene(offer="diving_bell", dice="1 1 1", dollars=8, divers=(0, 1, 0)),
        buy(1, "diving_bell"), earned={0: (1, 2, 2, 0)}),
    row("R20 and again when the card is turned",
        scene(offer="diving_bell", dice="1 1 1", dollars=8, divers=(0, 1, 0)), buy(1, "diving_bell"),
        fresh("1"), turn(1, "diving_bell"), earned={0: (2, 4, 2, 0)}),
    row("R21 dice of a card bought now are rolled from the next turn on", scene(dice="1 1", dollars=6),
        buy(1, "hired_adventurers"), dice=[1]),
    row("R21 slots may be used at once", scene(offer="antiquarian", dice="1 3 4", dollars=4),
        buy(1, "antiquarian"), put(4, "antiquarian"), dollars={0: 4}),
    row("R21 abilities too", scene(dice="1 3", dollars=4), buy(1, "airfield"), turn_die("airfield", 3, 6),
        dice=[6]),
    row("R21 a die covers the same slot of the new side", scene(dice="1 4 4 6", dollars=3),
        put(4, "desert_expedition"), turn(1, "desert_expedition"), put(4, "desert_expedition", 1),
        held={"scroll": 2}, refuses={"slot-covered": [put(6, "desert_expedition")]}),
    row("R21 uses count against the new side", scene("field_office", dice="1 3 3", dollars=2),
        turn_die("field_office", 3, 4), turn(1, "field_office"), turn_die("field_office", 3, 2),
        refuses={"ability-used": [turn_die("field_office", 2, 3)]}),
    row("R26 a card lies beside another of one's own", scene(dice="6 1", dollars=20),
        refuses={"place-taken": [buy(6, "airfield", "upper:3"), buy(6, "airfield", "upper:1")],
        "place-apart": [buy(6, "airfield", "upper:5"), buy(6, "airfield", "lower:4")],
        "no-such-row": [*(m.Buy(1, space("headquarters"), card("airfield"), Place(n, 0)) for n in (-1, 2))]}),
    row("R34 rows may have gaps which may be filled",
        scene("biplane@lower:0 caravan@lower:2", dice="1 1", dollars=2), buy(1, "airfield", "lower:1"),
        events="bought revealed"),
    row("R34 a card has at most three neighbours",
        scene("mountain_expedition@lower:0 jungle_expedition@lower:2", offer="explorers_club", dice="1 1",
        dollars=6), buy(1, "explorers_club", "lower:1"), facts={"bought": {"counted": 3}}),
    row("R28 a row is shorter once its pile runs out", scene("airfield " * 4, dice="1 1", dollars=2),
        buy(1, "airfield", "lower:0"), events="bought", offered={"E": []}),
    row("a card that has been bought is on offer no more", scene("airfield " * 5, dice="6 1", dollars=20),
        refuses={"not-on-offer": [buy(6, "airfield", "lower:0")]}),
    row("R29 an artifact is spent from whichever card it lies on", scene("dig_camp", dice="1 1 1", dollars=2,
        artifacts="fossil*2@dig_camp scroll@headquarters", offer="caravan"), buy(1, "caravan", "lower:0"),
        fill(1, "fossil", 1), cubes={"headquarters": {}, "dig_camp": {}}),
    row("R64 each purchase is complete before the next",
        scene("headquarters+", offer="caravan", dice="1 1 1", dollars=2, artifacts="scroll*2"),
        buy(1, "caravan"), reputation=[4, 0], dollars={0: 0}, held={"scroll": 1}),
    row("R64 a card bought this turn may be turned this turn",
        scene("headquarters+", dice="1 1 1", dollars=4), buy(1, "airfield"), turn(1, "airfield", slot=1),
        earned={0: (6, 0, 0, 0)}),
    row("R64 several copies may be owned", scene("airfield airfield+ airfield", dice="1 1 1", dollars=4),
        refuses={"turned-already": [turn(1, "airfield", copy=1)]}),
    row("R64 each is turned by itself", scene("airfield airfield+ airfield", dice="1 1", dollars=2),
        turn(1, "airfield", copy=2), facts={"turned_card": {"place": ["upper", 6]}}),
    row("R63 the count after a figure is repeated alone",
        scene("research_institute", dice="1 1", dollars=6, artifacts="scroll", orders={"fossil": {0: 0}}),
        turn(1, "research_institute"), earned={0: (5, 1, 0, 0)}),
    row("R65 only finds taken so far are counted",
        scene(offer="diving_bell", dice="1 6", dollars=4, divers=(1, 1)), buy(1, "diving_bell"),
        earned={0: (1, 0, 0, 0)}),
    row("R66 headquarters may turn itself, and its second slot is then free", scene(dice="1 1 1", dollars=7),
        turn(1, "headquarters"), turn(1, "desert_expedition", slot=1), reputation=[4, 0],
        refuses={"slot-covered": [turn(1, "canyon_expedition")]}),
]  # fmt: skip

DICE = [
    row("example: a 1 and a 3 or more on the Canyon Expedition", scene(dice="1 3 6"),
        put(1, "canyon_expedition", 0), put(3, "canyon_expedition", 1),
        cubes={"canyon_expedition": {"fossil": 2}}, dice=[6],
        refuses={"slot-covered": [put(6, "canyon_expedition", 1)]}),
    row("R22 a bonus at every sale, orders in any sequence",
        scene("curators_office", dice="1 1 1", artifacts="fossil*4"), fill(1, "fossil", 2),
        fill(1, "fossil", 0, "curators_office"), dollars={0: 6}),
    row("example: Tom fills the Gem Museum's order of 2 for $5",
        scene("mountain_expedition", dice="5 1", artifacts="gem*2"), fill(5, "gem", 1), dollars={0: 5},
        cubes={"mountain_expedition": {}}, facts={"filled": {"count": 2, "bonus": 3, "dollars": 5}}),
    row("example: $6 for a fossil, a scroll and two statues",
        scene("jungle_expedition", dice="2 1", artifacts="fossil scroll statue*2"),
        collect(2, "fossil scroll statue*2"), dollars={0: 6}, artifacts={0: [0, 0, 0, 0]}),
    row("R23 Private Collectors need an artifact", scene(dice="1 1", artifacts="fossil"),
        refuses={"nothing-to-sell": [collect(1, "")]}),
    row("R23 a sale through the Curator's Office counts as one to that museum",
        scene("curators_office", dice="1 1", artifacts="gem@headquarters"),
        fill(1, "gem", 0, "curators_office"), orders={GEM: (0, -1, -1, -1, -1, -1)}),
    row("R25 a die lies only where its action is carried out", scene("auction_house biplane", dice="6 6",
        dollars=1), refuses={"too-few-artifacts": [fill(6, "gem", 0)],
        "too-few-dollars": [buy(6, "airfield"), turn(6, "desert_expedition")],
        "nothing-to-sell": [collect(6, "", "auction_house")], "no-expedition-yields": [gather(6, "gem")],
        "no-such-die": [dive(1)]}),
    row("R25 a full museum and an empty U pile take no dice", scene(dice="6 6", artifacts="fossil*6",
        orders={"fossil": dict.fromkeys(range(6), 1)}, divers=(1,) * 10),
        refuses={"order-filled": [fill(6, "fossil", order) for order in range(6)],
        "no-dive-left": [dive(6, 6)]}),
    row("R25 several Diving Bells add up, and a dive needs a die",
        scene("diving_bell+ diving_bell", dice="1 2", divers=(1,) * 3), dive(2),
        facts={"dived": {"bonus": 6}}),
    row("R25 too low", scene("diving_bell+ diving_bell", dice="1 2", divers=(1,) * 3),
        refuses={"dive-needs-dice": [dive()], "dive-too-low": [dive(1)]}),
    row("R25 and R37 dice that need not be placed are left", scene(dice="5 5 6"), PASS,
        events="passed rolled"),
    row("R35 each public card has one slot", scene(dice="1 1 1", artifacts="fossil*3"), put(1, "guide_work"),
        fill(1, "fossil", 0), refuses={"slot-covered": [put(1, "guide_work"), fill(1, "fossil", 1)]}),
    row("R35 free again each turn", scene(dice="1 1", artifacts="fossil*3"), put(1, "guide_work"), PASS,
        fresh("1 1"), put(1, "guide_work"), covered=[space("guide_work")], asked=(1, "act")),
    row("R38 the Office needs its own requirement and leaves the museum free",
        scene("curators_office", dice="1 5 5", artifacts="gem*3@headquarters"), fill(5, "gem", 1),
        fill(1, "gem", 0, "curators_office"), orders={GEM: (0, 0, -1, -1, -1, -1)}),
    row("R38 the museum its own", scene("curators_office", dice="1 5", artifacts="gem*3@headquarters"),
        refuses={"requirement-unmet": [fill(1, "gem", 0)]}),
    row("R39 abilities at any time, and several on one die", scene("airfield field_office", dice="1 2 2"),
        put(2, "guide_work"), turn_die("airfield", 2, 5), turn_die("field_office", 5, 6), dice=[1, 6]),
    row("R39 only unplaced dice are turned", scene("airfield", dice="2 3"), put(2, "guide_work"),
        refuses={"no-such-die": [turn_die("airfield", 2, 6)]}),
    row("R39 a 6 never becomes 1 nor a 1 a 6", scene("field_office", dice="1 6"),
        refuses={"face-out-of-reach": [turn_die("field_office", 6, 1), turn_die("field_office", 1, 6)],
        "no-such-face": [turn_die("field_office", 6, 7), turn_die("field_office", 1, 0)]}),
    row("R39 abilities of another are none of one's own", scene(dice="2 3", others={1: "airfield"}),
        refuses={"no-such-card": [turn_die("airfield", 2, 6)]}),
    row("R39 a Caravan rolls one or more chosen dice", scene("caravan", dice="1 2 6 6"),
        refuses={"roll-needs-dice": [roll_again("caravan")], "no-such-die": [roll_again("caravan", 1, 1)]}),
    row("R60 an Expedition yields what its upper side names, a Dig Camp is none",
        scene("dig_camp biplane", dice="3 3"), gather(3, "fossil"),
        cubes={"dig_camp": {}, "canyon_expedition": {"fossil": 1}}),
    row("R60 slots that gain work alike on any card", scene("dig_camp", dice="3 3"), put(3, "dig_camp"),
        cubes={"dig_camp": {"fossil": 1}}),
    row("R61 spent artifacts come off the card that came first",
        scene("dig_camp dig_camp", dice="1 1", artifacts="fossil@dig_camp fossil*2@canyon_expedition"),
        collect(1, "fossil*2"), cubes={"canyon_expedition": {}, "dig_camp": {"fossil": 1}}),
    row("R61 a Biplane's lies on the first Expedition that yields it",
        scene("jungle_expedition jungle_expedition biplane", dice="3 3"), gather(3, "statue"),
        cubes={"jungle_expedition": {"statue": 1}, "jungle_expedition#1": {}}),
    row("R62 the dive takes more dice than needed, once a turn", scene(dice="1 2 3 4"), dive(2, 3, 4),
        facts={"dived": {"dice": (2, 3, 4)}}, dived=(2, 3, 4), refuses={"dived-already": [dive(1)]}),
    row("R62 and again in the next", scene(dice="1 2"), dive(2), PASS, fresh("4 4"), dive(4), events="dived"),
    *(row(f"R63 level 2 pays in place of level 1: {name}", scene(name, dice="2 2", artifacts="fossil"),
        collect(2, "fossil", "auction_house"), dollars={0: 1 + dollars})
      for name, dollars in (("auction_house", 2), ("auction_house+", 3))),
    row("R65 finds are no artifacts", scene(dice="2 2"), dive(2),
        refuses={"nothing-to-sell": [collect(2, "")]}, artifacts=[[0] * 4] * 2),
    row("R30 cubes do not run out", scene(dice="1 1", artifacts="fossil*40"), put(1, "canyon_expedition"),
        held={"fossil": 41}),
]  # fmt: skip

TURNS = [
    row("R36 the starting order may be changed until the first roll", first_turn(), roll(*OTHER_ORDER),
        events="arranged rolled", facts={"arranged": {"order": [*OTHER_ORDER]}}, order=[*OTHER_ORDER],
        refuses={"rolled-already": [roll(*OTHER_ORDER)]}),
    row("R36 they lie in the usual order unless it is changed", first_turn(), roll(), events="rolled",
        order=[*START]),
    row("R36 by everybody in their first turn", first_turn(3), roll(), PASS, roll(*START), PASS,
        events="passed", asked=((first_turn(3).first + 2) % 3, "arrange")),
    row("R36 and in no other", first_turn(), roll(), PASS, roll(), PASS, events="passed rolled",
        asked=(first_turn().first, "act"), round=2),
    row("what is laid and used is taken back", scene("caravan", dice="2 2 3 3 3"), roll_again("caravan", 2),
        fresh("3 3 3"), put(3, "guide_work"), dive(3), PASS, covered=[], laid=[], used=[], dived=()),
    row("R37 a turn ends by itself when no die is unplaced", scene(dice="4"), put(4, "guide_work"),
        events="earned rolled", asked=(1, "act")),
    row("R37 and goes on while there are any", scene(dice="1 2"), put(1, "guide_work"), asked=(0, "act")),
    row("a pass tells the dice left", scene(dice="2 5"), PASS, facts={"passed": {"dice": [2, 5]}}),
    row("clockwise", scene(dice="1", seats=4, active=2), PASS, PASS, asked=(0, "act"), round=3),
    row("the round is finished once somebody has 20", scores([18, 0, 0], dice="1 1", dollars=4),
        turn(1, "headquarters"), facts={"reached": {"reputation": 20, "round": 2}}, last=True,
        asked=(0, "act")),
    row("to its last turn", scores([18, 0, 0], dice="1 1", dollars=4), turn(1, "headquarters"), PASS, PASS,
        PASS, events="passed over", asked=None),
    row("example: Tom, last in the order, finishes his turn",
        scores([0, 0, 0, 18], active=3, dice="1 1 1", dollars=4), turn(1, "headquarters"),
        put(1, "guide_work"), PASS, events="passed over", asked=None),
    row("19 is not enough", scores([17, 0], dice="1 1 1 1", dollars=20), turn(1, "headquarters"),
        events="turned_card near", last=False),
    row("the goal is told once", scores([20, 0], dice="1 1", dollars=20), turn(1, "headquarters"),
        events="turned_card", last=True),
    row("a dive may reach it", scores([19, 0], dice="2 2"), dive(2), events="dived reached"),
    row("a purchase too", scores([15, 0], dice="1 1", dollars=8, offer="world_exhibition"),
        buy(1, "world_exhibition"), events="bought revealed reached"),
    row("majorities count only at the end", scores([18, 0], dice="1 1", artifacts="fossil*2"),
        fill(1, "fossil", 1), reputation=[18, 0]),
    row("and then do", scores([18, 20], active=1, dice="1", orders={"fossil": {1: 0}}), PASS,
        events="passed majority over", earned={0: (18, 0, 0, 3)}),
    row("example: Wendy on the first order of 1 loses to Tom on the second",
        scene(dice="1", orders={"fossil": {0: 1, 1: 0}}, seats=3, active=2, round=60), PASS,
        earned={0: (0, 0, 0, 3)},
        facts={"majority": {"artifact": "fossil", "cubes": 1, "reputation": 3, "tied": True}}),
    row("nobody may move when it is over", scores([20, 7], active=1, dice="1"), PASS, asked=None,
        refuses={"not-your-move": [PASS]}),
    row("R32 a match ends with its 60th round", scene(dice="1", seats=3, active=2, round=59), PASS, PASS,
        PASS, PASS, events="passed over", round=60),
    row("R32 not before", scene(dice="1", seats=3, active=2, round=59), PASS, asked=(0, "act"), round=60),
]  # fmt: skip


@each([*PURCHASES, *DICE, *TURNS])
def test_the_rule_page_is_followed(ruling: Ruling):
    check(GAME, ruling, step, read)


@pytest.mark.parametrize(
    ("reputation", "dollars", "cubes_", "ranks", "why", "detail"),
    [
        ([20, 21, 3], [9, 0, 0], [3, 0, 0], (2, 1, 3), "reputation", (9, 0, 0)),
        ([20, 20, 3], [2, 3, 9], [3, 0, 0], (2, 1, 3), "dollars", (2, 3, 9)),
        ([20, 20, 3], [2, 2, 9], [1, 2, 0], (2, 1, 3), "cubes", (1, 2, 0)),
        ([20, 20, 3], [2, 2, 9], [1, 1, 0], (1, 1, 3), "shared", (1, 1, 0)),
        ([20, 3, 3], [2, 2, 2], [1, 1, 2], (1, 3, 2), "reputation", (2, 2, 2)),
    ],
)
def test_r24_more_dollars_then_more_cubes_then_the_victory_is_shared(
    reputation: list[int],
    dollars: list[int],
    cubes_: list[int],
    ranks: tuple[int, ...],
    why: str,
    detail: tuple[int, ...],
):
    state = scene(seats=3, dice="1", active=2)
    filled = [seat for seat, n in enumerate(cubes_) for _ in range(n)]
    for museum, seat in enumerate(filled):
        state.orders[museum % 4] = (
            *state.orders[museum % 4][: museum // 4],
            seat,
            *state.orders[0][1 + museum // 4 :],
        )
    won = [sum((3, 2, 4, 4)[museum] for museum, s in enumerate(filled[:4]) if s == seat) for seat in range(3)]
    state.earned = [(n - w, 0, 0, 0) for n, w in zip(reputation, won, strict=True)]
    state.derive()
    state.dollars, state.dice, state.round = list(dollars), [1], 60
    play(state, PASS)
    outcome = GAME.outcome(state)
    assert outcome
    assert (outcome.scores, outcome.ranks, outcome.why, outcome.detail) == (
        tuple(reputation),
        ranks,
        why,
        detail,
    )


def test_r26_the_buyer_chooses_among_all_legal_places():
    state = scene(dice="1 1", dollars=2)
    legal_places = places(state, 0)
    expected = [Place(UPPER, -1), Place(UPPER, 4), *(Place(LOWER, column) for column in range(4))]
    assert legal_places == expected
    for level in (UPPER, LOWER):
        for column in range(-3, 8):
            move = m.Buy(1, space("headquarters"), card("airfield"), Place(level, column))
            assert legal(state, move) == (Place(level, column) in expected)


def test_r26_the_usual_place_is_the_right_end_of_the_upper_row():
    assert usual_place(scene(), 0) == Place(UPPER, 4)
    assert usual_place(scene("biplane@lower:3 caravan@lower:4 airfield@lower:5"), 0) == Place(UPPER, 4)
    assert usual_place(scene("biplane@upper:-1 caravan@upper:4"), 0) == Place(UPPER, 5)


@pytest.mark.parametrize(
    ("filled", "winner"),
    [
        ({}, None),
        ({0: 2}, 2),
        ({0: 1, 1: 0}, 0),  # the later of two orders of 1 is the higher
        ({8: 0, 0: 1, 1: 1}, 1),  # most cubes first
        ({8: 0, 7: 1, 6: 1, 0: 0}, 0),
        ({5: 2, 4: 1}, 2),
        ({0: 0, 1: 1, 2: 2, 3: 0, 4: 1}, 1),
    ],
)
def test_r27_the_majority_goes_to_most_cubes_then_to_the_highest_order(
    filled: dict[int, int], winner: int | None
):
    state = scene(seats=3, orders={"statue": filled})
    assert majority(state, STATUE) == winner
    state.active, state.dice, state.round = 2, [1], 60
    play(state, PASS)
    assert [earned[3] for earned in state.earned] == [4 * (seat == winner) for seat in range(3)]


def test_r28_a_row_is_refilled_at_once_from_its_pile():
    state = scene(offer="caravan", dice="1 1", dollars=2, artifacts="scroll")
    next_card = state.catalogue.cards[state.piles[1][-1]].key
    events = play(state, buy(1, "caravan"))
    assert facts(events, "revealed") == {"pile": "B", "card": next_card}
    assert on_offer(state, "B")[-1] == next_card
    assert len(on_offer(state, "B")) == 4


def test_r28_a_card_that_could_be_another_is_a_revelation():
    state = scene(offer="caravan", dice="1 1", dollars=2, artifacts="scroll")
    (revealed,) = [e for e in play(state, buy(1, "caravan")) if e.kind == "revealed"]
    assert revealed.reveals
    assert revealed.seat is None


def test_r28_a_card_that_all_could_foretell_is_none():
    """Pile E holds nothing but Airfields; the last card of a pile is known by counting."""
    state = scene(dice="1 1", dollars=2)
    assert not any(event.reveals for event in play(state, buy(1, "airfield")))
    state = scene(offer="caravan", dice="1 1", dollars=2, artifacts="scroll")
    state.piles[1] = state.piles[1][:1]
    events = play(state, buy(1, "caravan"))
    assert kinds(events) == ["bought", "revealed"]
    assert not any(event.reveals for event in events)


def strange() -> ArtifactsInc:
    """A game in which the Jungle Expedition's sides yield scrolls too."""
    card_list = deepcopy(CARD_LIST)
    jungle = card_list["piles"]["A"][1]
    jungle["sides"][0]["slots"].append(
        {"requires": "odd", "action": {"do": "gain", "artifact": "scroll"}, "provenance": "house"}
    )
    return create(card_list)


def test_r29_on_a_card_that_yields_two_kinds_they_are_kept_apart():
    game = strange()
    state = scene("jungle_expedition biplane", dice="5 5 5 5", game=game)
    play(state, put(5, "jungle_expedition"), put(5, "jungle_expedition", 1), game=game)
    assert cubes(state, "jungle_expedition") == {"scroll": 1, "statue": 1}
    play(state, gather(5, "statue"), game=game)
    assert cubes(state, "jungle_expedition") == {"scroll": 1, "statue": 2}


def test_r30_die_icons_beyond_seven_give_nothing():
    state = scene("hired_adventurers+ " * 3, dice="1")
    assert dice_of(state, 0) == 7
    assert len(facts(play(state, PASS, PASS), "rolled")["dice"]) == 7


def test_r31_a_view_shows_both_sides_of_every_card():
    view = GAME.view(scene(), 1)
    assert all(len(c.sides) == 2 for c in view.catalogue.cards[view.catalogue.public :])
    state = scene()
    seen = {viewer: GAME.view(state, viewer) for viewer in (None, 0, 1)}
    assert all({**vars(view), "viewer": None} == vars(seen[None]) for view in seen.values())


def test_r34_either_row_may_run_beyond_the_other_at_both_ends():
    laid = "airfield@upper:-1 airfield@lower:-1 airfield@lower:-2 biplane@upper:4 biplane@lower:4 caravan@lower:5"
    state = scene(laid, dice="1 1", dollars=2)
    for where in ("lower:-3", "upper:-2", "lower:6", "upper:5"):
        assert legal(state, buy(1, "airfield", where))


def test_r34_only_directly_touching_places_are_adjacent():
    """A gap breaks adjacency, and corners do not touch."""
    state = scene("mountain_expedition@lower:0", offer="explorers_club", dice="1", dollars=6)
    scores = {where: found.counted for where, found in scored_places(state, card("explorers_club"))}
    assert scores[place("lower:1")] == 2  # right of the one, under the Canyon Expedition
    assert scores[place("lower:2")] == 0
    assert scores[place("lower:-1")] == 1
    assert scores[place("upper:-1")] == 1  # left of the Desert Expedition; the other is at its corner
    state = scene(
        "mountain_expedition@lower:0 jungle_expedition@lower:2", offer="explorers_club", dice="1", dollars=6
    )
    events = play(state, buy(1, "explorers_club", "lower:1"))
    assert facts(events, "bought")["counted"] == 3  # a card has at most three neighbours


def test_r36_the_new_order_decides_on_neighbours():
    state = GAME.new(2, Options(), KEY)
    play(state, roll("desert_expedition", "headquarters", "canyon_expedition", "adventurers"))
    found = dict(scored_places(state, card("explorers_club")))
    assert [found[place(f"lower:{column}")].counted for column in range(4)] == [1, 0, 1, 0]


def test_r39_a_caravan_rolls_one_or_more_chosen_dice():
    state = scene("caravan", dice="1 2 6 6")
    for dice in ((1,), (1, 2), (1, 2, 6, 6)):
        twin = state.copy()
        (event,) = play(twin, roll_again("caravan", *dice))
        assert event.reveals
        assert event.facts["dice"] == list(dice)
        left = [1, 2, 6, 6]
        for die in dice:
            left.remove(die)
        assert twin.dice == sorted(left + event.facts["rolled"])
    assert code(state, roll_again("caravan")) == "roll-needs-dice"
    assert code(state, roll_again("caravan", 1, 1)) == "no-such-die"


def test_r66_a_covered_slot_stays_covered_even_if_its_die_fails_the_new_requirement():
    """A Canyon Expedition's first slot takes a 1; here its level 2 asks for a 6 there."""
    card_list = deepcopy(CARD_LIST)
    card_list["start"][1]["sides"][1]["slots"][0]["requires"] = "=6"
    game = create(card_list)
    state = scene(dice="1 1 6", dollars=3, game=game)
    play(state, put(1, "canyon_expedition"), turn(1, "canyon_expedition"), game=game)
    assert code(state, put(6, "canyon_expedition"), game=game) == "slot-covered"
    assert game.dump(game.load(game.dump(state))) == game.dump(state)


def test_a_roll_is_chance_and_a_placement_is_not():
    state = scene(dice="1 1 1", dollars=9, offer="airfield")
    for move in (put(1, "guide_work"), put(1, "canyon_expedition")):
        assert not any(event.reveals for event in play(state, move))
    events = play(state, PASS)
    assert [event.kind for event in events if event.reveals] == ["rolled"]


# -- the set-up


every_number = pytest.mark.parametrize("seats", [2, 3, 4])


def test_every_card_of_a_pile_may_lie_anywhere_in_it():
    matches = [GAME.new(2, Options(), n.to_bytes(32, "big")) for n in range(500)]
    found = Counter((*state.offers[1], *state.piles[1])[5] for state in matches)
    assert len(found) == 5
    assert all(70 < n < 130 for n in found.values())


@every_number
def test_everybody_may_begin(seats: int):
    first = Counter(GAME.new(seats, Options(), n.to_bytes(32, "big")).first for n in range(400))
    assert all(400 / seats * 0.7 < first[seat] < 400 / seats * 1.3 for seat in range(seats))


# -- refusals


RICH = {"dollars": 20, "artifacts": "fossil*2 scroll*2"}
REFUSALS: list[tuple[str, State, Any, dict[str, Any]]] = [
    ("unknown-move", scene(dice="1"), "pass", {}),
    ("unknown-move", scene(dice="1"), None, {}),
    ("unknown-move", first_turn(), ("roll",), {}),
    ("roll-first", first_turn(), PASS, {}),
    ("roll-first", first_turn(), put(1, "guide_work"), {}),
    ("rolled-already", scene(dice="1"), roll(), {}),
    ("not-the-starting-cards", first_turn(), roll(*START[:3]), {}),
    ("not-the-starting-cards", first_turn(), roll(*START[:3], "airfield"), {}),
    ("not-the-starting-cards", first_turn(), roll(*START[:3], START[0]), {}),
    ("no-such-die", scene(dice="1 2"), put(4, "guide_work"), {"die": 4}),
    ("no-such-die", scene(dice="1 2"), dive(1, 1), {"die": 1}),
    ("no-such-die", scene(dice="1 2"), dive(7), {"die": 7}),
    ("no-such-die", scene("airfield", dice="1 2"), turn_die("airfield", 5, 6), {"die": 5}),
    ("no-such-die", scene("caravan", dice="1 2"), roll_again("caravan", 2, 3), {"die": 3}),
    ("no-such-card", scene(dice="4 1"), put(4, "antiquarian"), {}),
    ("no-such-card", scene(dice="4 1"), m.PlaceDie(4, Space(card("desert_expedition"), 1, 0)), {}),
    ("no-such-card", scene(dice="4 1"), m.PlaceDie(4, Space(card("guide_work"), 1, 0)), {}),
    ("no-such-card", scene(dice="4 1"), m.PlaceDie(4, Space(-1, 0, 0)), {}),
    ("no-such-card", scene(dice="4 1"), m.PlaceDie(4, Space(99, 0, 0)), {}),
    ("no-such-card", scene("airfield", dice="4 1"), turn_die("airfield", 4, 1, copy=1), {}),
    ("no-such-card", scene(dice="1", **RICH), turn(1, "biplane"), {}),
    ("no-such-card", scene(dice="1", **RICH), turn(1, "guide_work"), {}),
    ("no-such-slot", scene(dice="4 1"), put(4, "desert_expedition", 1), {}),
    ("no-such-slot", scene(dice="4 1"), put(4, "desert_expedition", -1), {}),
    ("no-such-slot", scene(dice="4 1"), put(4, "adventurers"), {}),
    ("no-such-slot", scene(dice="4 1"), put(4, "guide_work", 1), {}),
    ("slot-covered", scene(dice="1", covered=[space("guide_work")], laid=[2]), put(1, "guide_work"), {}),
    ("requirement-unmet", scene(dice="3 1"), put(3, "desert_expedition"), {"die": 3, "requires": "4+"}),
    ("requirement-unmet", scene(dice="2 1"), put(2, "canyon_expedition"), {"die": 2, "requires": "=1"}),
    ("other-action", scene(dice="4 1", **RICH), collect(4, "fossil", "desert_expedition"),
        {"action": "gain"}),
    ("other-action", scene(dice="4 1"), put(4, "headquarters"), {"action": "buy"}),
    ("other-action", scene(dice="4 1"), put(4, "private_collectors"), {"action": "collect"}),
    ("other-action", scene(dice="4 1"), put(4, "fossil_museum"), {"action": "museum"}),
    ("no-such-artifact", scene("biplane", dice="4 1"), m.Gather(4, space("biplane"), 4), {}),
    ("no-such-artifact", scene("biplane", dice="4 1"), m.Gather(4, space("biplane"), -1), {}),
    ("no-expedition-yields", scene("biplane", dice="4 1"), gather(4, "gem"), {"artifact": "gem"}),
    ("other-museum", scene(dice="6 1", **RICH), fill(6, "fossil", 0, "gem_museum"), {}),
    ("other-museum", scene("curators_office", dice="6"), m.FillOrder(6, space("curators_office"), 4, 0), {}),
    ("other-museum", scene("curators_office", dice="6"), m.FillOrder(6, space("curators_office"), -1, 0), {}),
    ("no-such-order", scene(dice="6 1", **RICH), fill(6, "fossil", 6), {}),
    ("no-such-order", scene(dice="6 1", **RICH), fill(6, "fossil", -1), {}),
    ("order-filled", scene(dice="6 1", orders={"fossil": {0: 1}}, **RICH), fill(6, "fossil", 0), {}),
    ("too-few-artifacts", scene(dice="6 1", **RICH), fill(6, "fossil", 2),
        {"artifact": "fossil", "need": 3, "have": 2}),
    ("too-few-artifacts", scene(dice="6 1", **RICH), collect(6, "fossil*2 gem"),
        {"artifact": "gem", "need": 1, "have": 0}),
    ("too-few-artifacts", scene(dice="6 1", offer="caravan", dollars=9), buy(6, "caravan"),
        {"artifact": "scroll", "need": 1, "have": 0}),
    ("too-few-artifacts", scene("research_institute", dice="6 1", dollars=9), turn(6, "research_institute"),
        {"artifact": "scroll", "need": 1, "have": 0}),
    ("malformed-artifacts", scene(dice="6"), m.Collect(6, space("private_collectors"), (1,)), {}),
    ("malformed-artifacts", scene(dice="6"), m.Collect(6, space("private_collectors"), ()), {}),
    ("malformed-artifacts", scene(dice="6"), m.Collect(6, space("private_collectors"), (2, -1, 0, 0)), {}),
    ("nothing-to-sell", scene(dice="6 1", **RICH), collect(6, ""), {}),
    ("not-on-offer", scene(dice="6 1", **RICH), buy(6, "desert_expedition"), {}),
    ("not-on-offer", scene(dice="6 1", **RICH), buy(6, "guide_work"), {}),
    ("not-on-offer", scene(dice="6 1", **RICH), m.Buy(6, space("headquarters"), -1, Place(0, 4)), {}),
    ("not-on-offer", scene(dice="6 1", **RICH), m.Buy(6, space("headquarters"), 99, Place(0, 4)), {}),
    ("too-few-dollars", scene(dice="6 1", dollars=1), buy(6, "airfield"), {"cost": 2, "have": 1}),
    ("too-few-dollars", scene(dice="6 1", dollars=3), turn(6, "headquarters"), {"cost": 4, "have": 3}),
    ("no-such-row", scene(dice="6", **RICH), m.Buy(6, space("headquarters"), card("airfield"), Place(2, 0)),
        {}),
    ("place-taken", scene(dice="6 1", **RICH), buy(6, "airfield", "upper:3"), {}),
    ("place-apart", scene(dice="6 1", **RICH), buy(6, "airfield", "upper:5"), {}),
    ("place-apart", scene(dice="6 1", **RICH), buy(6, "airfield", "lower:4"), {}),
    ("turned-already", scene("headquarters+", dice="6 1", **RICH), turn(6, "headquarters"), {}),
    ("dived-already", scene(dice="6", dived=(2,), divers=(0,)), dive(6), {}),
    ("no-dive-left", scene(dice="6", divers=(1,) * 10), dive(6), {}),
    ("dive-needs-dice", scene(dice="6"), dive(), {}),
    ("dive-too-low", scene("diving_bell", dice="1 2", divers=(1, 1)), dive(1, 2),
        {"number": 6, "sum": 5, "bonus": 2}),
    ("no-such-ability", scene("biplane", dice="6"), turn_die("biplane", 6, 5), {}),
    ("no-such-ability", scene("caravan", dice="6"), turn_die("caravan", 6, 5), {}),
    ("no-such-ability", scene("airfield", dice="6"), roll_again("airfield", 6), {}),
    ("ability-used", scene("airfield", dice="6", used=[CompanyCard(card("airfield"))]),
        turn_die("airfield", 6, 5), {"uses": 1}),
    ("no-such-face", scene("airfield", dice="6"), turn_die("airfield", 6, 7), {}),
    ("same-face", scene("airfield", dice="6"), turn_die("airfield", 6, 6), {}),
    ("face-out-of-reach", scene("field_office", dice="6"), turn_die("field_office", 6, 4), {"die": 6}),
    ("roll-needs-dice", scene("caravan", dice="6"), roll_again("caravan"), {}),
]  # fmt: skip


@pytest.mark.parametrize(
    ("code", "state", "move", "facts"),
    REFUSALS,
    ids=[f"{number}-{code}" for number, (code, *_) in enumerate(REFUSALS)],
)
def test_a_move_is_refused_for_its_reason(code: str, state: State, move: Any, facts: dict[str, Any]):
    error = refused(state, move)
    assert (error.code, error.facts) == (code, facts)


def test_a_slot_that_sells_one_artifact_refuses_what_is_not_held():
    card_list = deepcopy(BUILT_IN)
    card_list["piles"]["A"][3]["sides"][0]["slots"][0] |= {
        "requires": "any",
        "action": {"do": "sell", "dollars": 3},
    }
    game = create(card_list)
    state = scene("antiquarian", dice="1 2", artifacts="gem@headquarters", game=game)
    error = refused(state, m.SellOne(1, space("antiquarian"), 0), game=game)
    assert (error.code, error.facts) == ("too-few-artifacts", {"artifact": "fossil", "need": 1, "have": 0})
    assert refused(state, m.SellOne(1, space("antiquarian"), 4), game=game).code == "no-such-artifact"
    (event,) = game.apply(state, 0, m.SellOne(1, space("antiquarian"), 3))
    assert (event.kind, event.facts) == (
        "sold",
        {"on": "antiquarian", "die": 1, "artifact": "gem", "dollars": 3},
    )
    assert (state.dollars[0], state.artifacts[0]) == (3, [0, 0, 0, 0])


def test_who_is_not_asked_is_told_so_whatever_the_move():
    for seat in (-1, 1, 2):
        for move in (PASS, put(1, "guide_work"), None):
            assert refused(scene(dice="1"), move, seat).code == "not-your-move"


def test_every_code_is_here():
    assert {code for code, *_ in REFUSALS} | {"not-your-move"} == CODES
