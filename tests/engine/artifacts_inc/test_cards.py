"""Every side of every card does what the rule page says, and nothing else."""

from __future__ import annotations

from typing import Any

import pytest

from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.choices import abilities, dice_of, dive_bonus, faces
from engine.artifacts_inc.state import ABILITIES, CARDS, State
from tests.engine.artifacts_inc import page
from tests.engine.artifacts_inc.scene import (
    GAME,
    PASS,
    buy,
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
    own,
    play,
    put,
    roll_again,
    scene,
    sound,
    turn,
    turn_die,
)

IDS = [f"{side.key}-{side.level}" for side in page.SIDES]
every_side = pytest.mark.parametrize("side", page.SIDES, ids=IDS)


def name(side: page.PageSide) -> str:
    return side.key + "+" * (side.level - 1)


def with_side(side: page.PageSide, die: int, artifacts: str = "fossil*2 scroll gem@headquarters") -> State:
    state = scene(name(side), dice=f"{die} {die}", artifacts=artifacts, dollars=20)
    assert sound(state)
    return state


def slots_of(effects: set[str]) -> list[object]:
    return [
        pytest.param(side, slot, id=f"{side.key}-{side.level}-{slot}")
        for side in page.SIDES
        for slot, (_, effect) in enumerate(side.slots)
        if effect in effects
    ]


def any_die(side: page.PageSide, slot: int) -> int:
    """A die that meets the slot's requirement by the page."""
    return max(page.FACES[side.slots[slot][0]])


# -- slots


def moves_on(side: page.PageSide, slot: int, die: int) -> list[object]:
    """A move of each kind on a slot."""
    key = side.key
    return [
        put(die, key, slot),
        gather(die, "fossil", key)._replace(on=put(die, key, slot).on),
        fill(die, "fossil", 0)._replace(on=put(die, key, slot).on),
        collect(die, "fossil")._replace(on=put(die, key, slot).on),
        buy(die, "airfield", at=key, slot=slot, where="lower:0"),
    ]


WANTED = {"gain": 0, "earn": 0, "expedition's": 1, "museum": 2, "collectors": 3, "buy": 4}


def wanted(effect: str) -> int:
    if effect in ARTIFACTS:
        return WANTED["gain"]
    return WANTED["earn" if effect.startswith("$") else effect.split()[0]]


@every_side
@pytest.mark.parametrize("die", range(1, 7))
def test_a_slot_takes_the_faces_that_its_requirement_names(side: page.PageSide, die: int):
    state = with_side(side, die)
    for slot, (requires, effect) in enumerate(side.slots):
        for kind, move in enumerate(moves_on(side, slot, die)):
            fits = die in page.FACES[requires]
            assert legal(state, move) == (fits and kind == wanted(effect))


@every_side
def test_a_side_has_no_other_slots(side: page.PageSide):
    state = with_side(side, 6)
    for move in moves_on(side, len(side.slots), 6):
        assert code(state, move) == "no-such-slot"


@pytest.mark.parametrize(("side", "slot"), slots_of(set(ARTIFACTS)))
def test_a_slot_gains_its_artifact_on_its_card(side: page.PageSide, slot: int):
    _, artifact = side.slots[slot]
    die = any_die(side, slot)
    state = with_side(side, die, artifacts="")
    events = play(state, put(die, side.key, slot))
    assert cubes(state, side.key) == {artifact: 1}
    assert held(state, artifact) == 1
    assert state.dollars[0] == 20
    assert facts(events, "gained") == {"on": side.key, "die": die, "artifact": artifact, "dollars": 0}


@pytest.mark.parametrize(("side", "slot"), slots_of({"$2", "$3"}))
def test_a_slot_pays_its_dollars(side: page.PageSide, slot: int):
    dollars = int(side.slots[slot][1][1:])
    die = min(page.FACES[side.slots[slot][0]])
    state = with_side(side, die)
    events = play(state, put(die, side.key, slot))
    assert state.dollars[0] == 20 + dollars
    assert facts(events, "earned") == {"on": side.key, "die": die, "dollars": dollars}


@pytest.mark.parametrize(("side", "slot"), slots_of({"collectors and $2", "collectors and $3"}))
def test_an_auction_house_pays_as_private_collectors_and_more(side: page.PageSide, slot: int):
    more = int(side.slots[slot][1][-1])
    state = with_side(side, 2)
    events = play(state, collect(2, "fossil*2 gem", side.key))
    assert state.dollars[0] == 20 + 3 + 1 + more
    assert state.artifacts[0] == [0, 1, 0, 0]
    assert facts(events, "collected")["dollars"] == 4 + more


@pytest.mark.parametrize(("side", "slot"), slots_of({"expedition's"}))
def test_a_biplane_gains_what_an_expedition_of_ones_own_yields(side: page.PageSide, slot: int):
    state = with_side(side, 3, artifacts="")
    assert code(state, gather(3, "gem")) == "no-expedition-yields"
    assert code(state, gather(3, "statue")) == "no-expedition-yields"
    events = play(state, gather(3, "scroll"))
    assert cubes(state, "desert_expedition") == {"scroll": 1}
    assert facts(events, "gathered") == {
        "on": "biplane",
        "die": 3,
        "artifact": "scroll",
        "lies": "desert_expedition",
        "dollars": 0,
    }


@pytest.mark.parametrize(("side", "slot"), slots_of({"museum", "museum and $1"}))
def test_a_curators_office_sells_to_any_museum(side: page.PageSide, slot: int):
    more = 1 if side.slots[slot][1].endswith("$1") else 0
    for artifact, bonus in (("fossil", 1), ("scroll", 1), ("gem", 3)):
        state = with_side(side, 1)
        events = play(state, fill(1, artifact, 0, side.key))
        assert state.dollars[0] == 20 + 1 + bonus + more
        assert state.orders[ARTIFACTS.index(artifact)][0] == 0
        sold = facts(events, "filled")
        assert (sold["on"], sold["bonus"], sold["dollars"]) == (side.key, bonus, 1 + bonus + more)


@pytest.mark.parametrize(("side", "slot"), slots_of({"buy"}))
def test_a_buy_slot_buys_and_turns(side: page.PageSide, slot: int):
    for move in (buy(1, "airfield", at=side.key, slot=slot), turn(1, "canyon_expedition", slot=slot)):
        state = with_side(side, 1)
        assert kinds(play(state, move))[0] in ("bought", "turned_card")


# -- reputation, dice, dives, abilities


def bought(side: page.PageSide, **more: Any) -> State:
    """A state in which this side has just been turned up, by a purchase or by turning the card."""
    if side.level == 1:
        state = scene(offer=side.key, dice="1 1", artifacts="scroll*2", dollars=20, **more)
        play(state, buy(1, side.key))
    else:
        state = scene(side.key, dice="1 1", artifacts="scroll*2", dollars=20, **more)
        play(state, turn(1, side.key))
    return state


@pytest.mark.parametrize(
    "side", [pytest.param(side, id=name(side)) for side in page.SIDES if side.key not in page.START_KEYS]
)
def test_a_side_of_a_pile_costs_and_scores_what_the_page_says(side: page.PageSide):
    """Alone: no finds, no cubes on museums, the Adventurers beside it."""
    (card,) = [card for card in page.CARDS if card.key == side.key]
    before = scene(side.key if side.level == 2 else "")
    state = bought(side)
    assert state.earned[0][CARDS] - before.earned[0][CARDS] == side.rep
    assert state.earned[0][ABILITIES] == 0
    assert state.dollars[0] == 20 - card.dollars
    assert held(state, "scroll") == 2 - card.scrolls


@pytest.mark.parametrize(
    "side", [side for side in page.SIDES if side.key in page.START_KEYS and side.level == 2]
)
def test_turning_a_starting_card_costs_and_scores_what_the_page_says(side: page.PageSide):
    (card,) = [card for card in page.CARDS if card.key == side.key]
    state = scene(dice="1 1", dollars=10)
    play(state, turn(1, side.key))
    assert state.earned[0] == (2, 0, 0, 0) == (side.rep, 0, 0, 0)
    assert state.dollars[0] == 10 - card.dollars


@every_side
def test_a_side_counts_what_the_page_names(side: page.PageSide):
    """Two pottery, one doubloon, two sunken cities; cubes on two museums; two Expeditions beside the place."""
    if side.key in page.START_KEYS:
        return
    orders = {"fossil": {0: 0}, "gem": {0: 0, 1: 1}}
    divers = (0, 1, 0, 0, 0, 1, 1, 0)
    around = {"divers": divers, "orders": orders}
    counts = {"pottery": 2, "doubloon": 1, "sunken_city": 2, "museum": 2, "expedition": 2}
    if side.level == 1:
        state = scene(
            "jungle_expedition@lower:0", offer=side.key, dice="1 1", artifacts="scroll", dollars=9, **around
        )
        play(state, buy(1, side.key, "lower:1"))
    else:
        laid = f"jungle_expedition@lower:0 {side.key}@lower:1"
        state = scene(laid, dice="1 1", artifacts="scroll", dollars=9, **around)
        play(state, turn(1, side.key))
    assert state.earned[0][ABILITIES] == sum(counts[counted] for counted in side.per)


@every_side
def test_a_side_gives_its_dice_and_its_dives(side: page.PageSide):
    """Beside the starting cards' three dice, of which the Adventurers' own side is one's own."""
    state = scene(name(side))
    assert dice_of(state, 0) == (side.dice if side.key == "adventurers" else 3 + side.dice)
    assert dive_bonus(state, 0) == side.dive


@every_side
def test_the_dice_of_a_side_are_rolled(side: page.PageSide):
    state = scene(name(side), dice="1")
    events = play(state, PASS, PASS)
    assert len(facts(events, "rolled")["dice"]) == (side.dice if side.key == "adventurers" else 3 + side.dice)


@every_side
def test_a_dive_counts_what_a_side_adds(side: page.PageSide):
    """The top U card's number is 8."""
    for missing in (0, 1):
        dice = f"{8 - side.dive - missing}" if side.dive else f"2 {6 - missing}"
        state = scene(name(side), dice=dice, divers=(1, 1, 1))
        assert legal(state, dive(*state.dice)) == (not missing)


@every_side
def test_a_side_has_the_ability_that_the_page_names_so_many_times(side: page.PageSide):
    state = scene(name(side), dice="2 5")
    uses = 0
    while found := [left for card, _, left in abilities(state) if card == own(side.key)]:
        assert side.ability
        do, most = side.ability
        assert found == [most - uses]
        die = state.dice[0]
        targets = {"turn": {die - 1, die + 1} - {0, 7}, "set": set(range(1, 7)) - {die}, "roll": set[int]()}
        reached = {face for face in range(8) if legal(state, turn_die(side.key, die, face))}
        assert reached == targets[do] == set(faces(abilities(state)[0][1], die))
        assert legal(state, roll_again(side.key, die)) == (do == "roll")
        play(
            state,
            roll_again(side.key, *state.dice) if do == "roll" else turn_die(side.key, die, min(reached)),
        )
        uses += 1
    assert uses == (side.ability[1] if side.ability else 0)
    for move in (turn_die(side.key, state.dice[0], 7 - state.dice[0]), roll_again(side.key, state.dice[0])):
        assert code(state, move) in ("no-such-ability", "ability-used")


# -- public cards and dives


@pytest.mark.parametrize("row", page.rows(page.MUSEUMS), ids=lambda row: row[0])
@pytest.mark.parametrize(("seats", "sizes"), [(2, page.SIX), (3, page.NINE), (4, page.NINE)])
def test_a_museum_buys_each_of_its_orders(row: list[str], seats: int, sizes: tuple[int, ...]):
    artifact, requires, bonus, _ = row
    for die in range(1, 7):
        state = scene(dice=f"{die} 1", artifacts=f"{artifact}*6@headquarters", seats=seats)
        assert legal(state, fill(die, artifact, 0)) == (die in page.FACES[requires])
    for order, size in enumerate(sizes):
        state = scene(dice="6 1", artifacts=f"{artifact}*6@headquarters", seats=seats)
        play(state, fill(6, artifact, order))
        assert state.dollars[0] == size + int(bonus[1:])
        assert held(state, artifact) == 6 - size
        assert state.orders[ARTIFACTS.index(artifact)][order] == 0
    state = scene(dice="6 1", artifacts=f"{artifact}*6@headquarters", seats=seats)
    assert code(state, fill(6, artifact, len(sizes))) == "no-such-order"


@pytest.mark.parametrize("die", range(1, 7))
def test_guide_work_pays_a_dollar_for_any_die(die: int):
    state = scene(dice=f"{die} 1")
    play(state, put(die, "guide_work"))
    assert state.dollars[0] == 1


@pytest.mark.parametrize("die", range(1, 7))
def test_private_collectors_take_any_die(die: int):
    state = scene(dice=f"{die} 1", artifacts="fossil")
    play(state, collect(die, "fossil"))
    assert state.dollars[0] == 1


@pytest.mark.parametrize("taken", range(10))
def test_each_u_card_has_its_number_its_find_and_a_reputation(taken: int):
    number, find = page.DIVES.strip().split("·")[taken].split()
    dice = [6] * (int(number) // 6) + ([int(number) % 6] if int(number) % 6 else [])
    state = scene(dice="1", divers=(1,) * taken)
    state.dice = sorted([*dice, 1])
    low = sorted(state.dice)
    low.remove(max(low))
    assert code(state, dive(*low)) == "dive-too-low"
    events = play(state, dive(*dice))
    assert facts(events, "dived") == {
        "dice": tuple(sorted(dice)),
        "bonus": 0,
        "number": int(number),
        "find": find,
        "reputation": 1,
    }
    assert state.earned[0] == (0, 0, 1, 0)
    assert state.divers == (*(1,) * taken, 0)


def test_the_engine_knows_the_cards_by_the_pages_names():
    assert {card.key for card in GAME.catalogue.cards if len(card.sides) == 2} == {c.key for c in page.CARDS}
