"""Every side of every card does what the card list says, and nothing else."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest

from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.choices import abilities, dice_of, dive_bonus, faces
from engine.artifacts_inc.moves import SellOne
from engine.artifacts_inc.state import ABILITIES, CARDS, State
from tests.engine.artifacts_inc import by_hand
from tests.engine.artifacts_inc import scene as scenes
from tests.engine.artifacts_inc.scene import (
    BUILT_IN,
    PASS,
    buy,
    collect,
    cubes,
    dive,
    facts,
    fill,
    gather,
    held,
    kinds,
    own,
    put,
    roll_again,
    turn,
    turn_die,
)

scene = partial(scenes.scene, game=BUILT_IN)
play = partial(scenes.play, game=BUILT_IN)
code = partial(scenes.code, game=BUILT_IN)
legal = partial(scenes.legal, game=BUILT_IN)
sound = partial(scenes.sound, game=BUILT_IN)

U_NUMBERS = [part.split()[0] for part in by_hand.DIVES.strip().split("·")]
RICH = 20
"""Dollars that pay for anything."""

IDS = [f"{side.key}-{side.level}" for side in by_hand.SIDES]
every_side = pytest.mark.parametrize("side", by_hand.SIDES, ids=IDS)


def name(side: by_hand.CopiedSide) -> str:
    return side.key + "+" * (side.level - 1)


def with_side(
    side: by_hand.CopiedSide, die: int, artifacts: str = "fossil*2 scroll gem@headquarters"
) -> State:
    state = scene(name(side), dice=f"{die} {die}", artifacts=artifacts, dollars=RICH)
    assert sound(state)
    return state


def parts(effect: str) -> tuple[str, int]:
    """The effect of a slot, and the dollars that it pays: "fossil and $1", "sell $4", "$2"."""
    if "$" not in effect:
        return effect, 0
    what, _, dollars = effect.partition("$")
    return what.removesuffix("and ").strip() or "earn", int(dollars)


def slots_of(effects: set[str]) -> list[object]:
    return [
        pytest.param(side, slot, id=f"{side.key}-{side.level}-{slot}")
        for side in by_hand.SIDES
        for slot, (_, effect) in enumerate(side.slots)
        if parts(effect)[0] in effects
    ]


def any_die(side: by_hand.CopiedSide, slot: int) -> int:
    """A die that meets the slot's requirement."""
    return max(by_hand.FACES[side.slots[slot][0]])


# -- slots


def moves_on(side: by_hand.CopiedSide, slot: int, die: int) -> list[object]:
    """A move of each kind on a slot."""
    key = side.key
    return [
        put(die, key, slot),
        gather(die, "fossil", key)._replace(on=put(die, key, slot).on),
        fill(die, "fossil", 0)._replace(on=put(die, key, slot).on),
        collect(die, "fossil")._replace(on=put(die, key, slot).on),
        buy(die, "airfield", at=key, slot=slot, where="lower:0"),
        SellOne(die, put(die, key, slot).on, 0),
    ]


WANTED = dict.fromkeys(ARTIFACTS, 0) | {
    "earn": 0,
    "expedition's": 1,
    "museum": 2,
    "collectors": 3,
    "buy": 4,
    "sell": 5,
}
"""The kind of move, in `moves_on`, that does what the copy says."""


@every_side
@pytest.mark.parametrize("die", range(1, 7))
def test_a_slot_takes_the_faces_that_its_requirement_names(side: by_hand.CopiedSide, die: int):
    state = with_side(side, die)
    for slot, (requires, effect) in enumerate(side.slots):
        for kind, move in enumerate(moves_on(side, slot, die)):
            fits = die in by_hand.FACES[requires]
            assert legal(state, move) == (fits and kind == WANTED[parts(effect)[0]])


@every_side
def test_a_side_has_no_other_slots(side: by_hand.CopiedSide):
    state = with_side(side, 6)
    for move in moves_on(side, len(side.slots), 6):
        assert code(state, move) == "no-such-slot"


@pytest.mark.parametrize(("side", "slot"), slots_of(set(ARTIFACTS)))
def test_a_slot_gains_its_artifact_on_its_card(side: by_hand.CopiedSide, slot: int):
    artifact, dollars = parts(side.slots[slot][1])
    die = any_die(side, slot)
    state = with_side(side, die, artifacts="")
    events = play(state, put(die, side.key, slot))
    assert cubes(state, side.key) == {artifact: 1}
    assert held(state, artifact) == 1
    assert state.dollars[0] == RICH + dollars
    assert facts(events, "gained") == {"on": side.key, "die": die, "artifact": artifact, "dollars": dollars}


@pytest.mark.parametrize(("side", "slot"), slots_of({"sell"}))
def test_an_antiquarian_buys_one_artifact_of_any_kind(side: by_hand.CopiedSide, slot: int):
    _, dollars = parts(side.slots[slot][1])
    die = any_die(side, slot)
    for number, artifact in enumerate(ARTIFACTS):
        state = with_side(side, die, artifacts=f"{artifact}*2@headquarters")
        events = play(state, SellOne(die, put(die, side.key, slot).on, number))
        assert state.dollars[0] == RICH + dollars
        assert held(state, artifact) == 1
        assert facts(events, "sold") == {"on": side.key, "die": die, "artifact": artifact, "dollars": dollars}


@pytest.mark.parametrize(("side", "slot"), slots_of({"earn"}))
def test_a_slot_pays_its_dollars(side: by_hand.CopiedSide, slot: int):
    _, dollars = parts(side.slots[slot][1])
    die = min(by_hand.FACES[side.slots[slot][0]])
    state = with_side(side, die)
    events = play(state, put(die, side.key, slot))
    assert state.dollars[0] == RICH + dollars
    assert facts(events, "earned") == {"on": side.key, "die": die, "dollars": dollars}


@pytest.mark.parametrize(("side", "slot"), slots_of({"collectors"}))
def test_an_auction_house_pays_as_private_collectors_and_more(side: by_hand.CopiedSide, slot: int):
    _, more = parts(side.slots[slot][1])
    die = any_die(side, slot)
    state = with_side(side, die)
    events = play(state, collect(die, "fossil*2 gem", side.key))
    assert state.dollars[0] == RICH + 3 + 1 + more
    assert state.artifacts[0] == [0, 1, 0, 0]
    assert facts(events, "collected")["dollars"] == 4 + more


@pytest.mark.parametrize(("side", "slot"), slots_of({"expedition's"}))
def test_a_biplane_gains_what_an_expedition_of_ones_own_yields(side: by_hand.CopiedSide, slot: int):
    _, dollars = parts(side.slots[slot][1])
    die = any_die(side, slot)
    state = with_side(side, die, artifacts="")
    assert code(state, gather(die, "gem")) == "no-expedition-yields"
    assert code(state, gather(die, "statue")) == "no-expedition-yields"
    events = play(state, gather(die, "scroll"))
    assert cubes(state, "desert_expedition") == {"scroll": 1}
    assert state.dollars[0] == RICH + dollars
    assert facts(events, "gathered") == {
        "on": "biplane",
        "die": die,
        "artifact": "scroll",
        "lies": "desert_expedition",
        "dollars": dollars,
    }


@pytest.mark.parametrize(("side", "slot"), slots_of({"museum"}))
def test_a_curators_office_sells_to_any_museum(side: by_hand.CopiedSide, slot: int):
    """Whatever the museum's own slot requires (R38)."""
    _, more = parts(side.slots[slot][1])
    die = min(by_hand.FACES[side.slots[slot][0]])
    for artifact, _, bonus, _ in by_hand.rows(by_hand.MUSEUMS):
        state = with_side(side, die, artifacts=f"{artifact}@headquarters")
        events = play(state, fill(die, artifact, 0, side.key))
        paid = 1 + int(bonus[1:]) + more
        assert state.dollars[0] == RICH + paid
        assert state.orders[ARTIFACTS.index(artifact)][0] == 0
        sold = facts(events, "filled")
        assert (sold["on"], sold["bonus"], sold["dollars"]) == (side.key, int(bonus[1:]), paid)


@pytest.mark.parametrize(("side", "slot"), slots_of({"buy"}))
def test_a_buy_slot_buys_and_turns(side: by_hand.CopiedSide, slot: int):
    die = any_die(side, slot)
    for move in (buy(die, "airfield", at=side.key, slot=slot), turn(die, "canyon_expedition", slot=slot)):
        state = with_side(side, die)
        assert kinds(play(state, move))[0] in ("bought", "turned_card")


# -- reputation, dice, dives, abilities


def bought(side: by_hand.CopiedSide, **more: Any) -> State:
    """A state in which this side has just been turned up, by a purchase or by turning the card."""
    if side.level == 1:
        state = scene(offer=side.key, dice="1 1", artifacts="scroll*2", dollars=RICH, **more)
        play(state, buy(1, side.key))
    else:
        state = scene(side.key, dice="1 1", artifacts="scroll*2", dollars=RICH, **more)
        play(state, turn(1, side.key))
    return state


@pytest.mark.parametrize(
    "side",
    [pytest.param(side, id=name(side)) for side in by_hand.SIDES if side.key not in by_hand.START_KEYS],
)
def test_a_side_of_a_pile_costs_and_scores_what_the_list_says(side: by_hand.CopiedSide):
    """Alone: no finds, no cubes on museums, the Adventurers beside it."""
    (card,) = [card for card in by_hand.CARDS if card.key == side.key]
    before = scene(side.key if side.level == 2 else "")
    state = bought(side)
    assert state.earned[0][CARDS] - before.earned[0][CARDS] == side.rep
    assert state.earned[0][ABILITIES] == 0
    assert state.dollars[0] == RICH - card.dollars
    assert held(state, "scroll") == 2 - card.scrolls


@pytest.mark.parametrize(
    "side", [side for side in by_hand.SIDES if side.key in by_hand.START_KEYS and side.level == 2]
)
def test_turning_a_starting_card_costs_and_scores_what_the_list_says(side: by_hand.CopiedSide):
    (card,) = [card for card in by_hand.CARDS if card.key == side.key]
    state = scene(dice="1 1", dollars=RICH)
    play(state, turn(1, side.key))
    assert state.earned[0] == (side.rep, 0, 0, 0)
    assert state.dollars[0] == RICH - card.dollars


@every_side
def test_a_side_counts_what_the_list_names(side: by_hand.CopiedSide):
    """Two pottery, one doubloon, two sunken cities; cubes on two museums; two Expeditions beside the place."""
    if side.key in by_hand.START_KEYS:
        return
    orders = {"fossil": {0: 0}, "gem": {0: 0, 1: 1}}
    divers = (0, 1, 0, 0, 0, 1, 1, 0)
    around = {"divers": divers, "orders": orders}
    counts = {"pottery": 2, "doubloon": 1, "sunken_city": 2, "museum": 2, "expedition": 2}
    beside = "mountain_expedition" if side.key == "jungle_expedition" else "jungle_expedition"
    if side.level == 1:
        state = scene(
            f"{beside}@lower:0", offer=side.key, dice="1 1", artifacts="scroll", dollars=RICH, **around
        )
        play(state, buy(1, side.key, "lower:1"))
    else:
        laid = f"{beside}@lower:0 {side.key}@lower:1"
        state = scene(laid, dice="1 1", artifacts="scroll", dollars=RICH, **around)
        play(state, turn(1, side.key))
    assert state.earned[0][ABILITIES] == sum(counts[counted] for counted in side.per)


@every_side
def test_a_side_gives_its_dice_and_its_dives(side: by_hand.CopiedSide):
    """Beside the starting cards' three dice, of which the Adventurers' own side is one's own."""
    state = scene(name(side))
    assert dice_of(state, 0) == (side.dice if side.key == "adventurers" else 3 + side.dice)
    assert dive_bonus(state, 0) == side.dive


@every_side
def test_the_dice_of_a_side_are_rolled(side: by_hand.CopiedSide):
    state = scene(name(side), dice="1")
    events = play(state, PASS, PASS)
    assert len(facts(events, "rolled")["dice"]) == (side.dice if side.key == "adventurers" else 3 + side.dice)


@every_side
def test_a_dive_counts_what_a_side_adds(side: by_hand.CopiedSide):
    least = int(U_NUMBERS[3]) - side.dive
    for missing in (0, 1):
        high = min(6, least - 1)
        state = scene(name(side), dice=f"{high} {least - high - missing}", divers=(1, 1, 1))
        assert legal(state, dive(*state.dice)) == (not missing)


@every_side
def test_a_side_has_the_ability_that_the_list_names_so_many_times(side: by_hand.CopiedSide):
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


@pytest.mark.parametrize("row", by_hand.rows(by_hand.MUSEUMS), ids=lambda row: row[0])
@pytest.mark.parametrize(("seats", "sizes"), [(2, by_hand.SIX), (3, by_hand.NINE), (4, by_hand.NINE)])
def test_a_museum_buys_each_of_its_orders(row: list[str], seats: int, sizes: tuple[int, ...]):
    artifact, requires, bonus, _ = row
    for die in range(1, 7):
        state = scene(dice=f"{die} 1", artifacts=f"{artifact}*6@headquarters", seats=seats)
        assert legal(state, fill(die, artifact, 0)) == (die in by_hand.FACES[requires])
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
    number, find = by_hand.DIVES.strip().split("·")[taken].split()
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


def test_the_engine_knows_the_cards_by_the_names_of_the_list():
    assert {card.key for card in BUILT_IN.catalogue.cards if len(card.sides) == 2} == {
        c.key for c in by_hand.CARDS
    }
