"""A match of Artifacts, Inc. outlives restarts in every kind of decision and in the middle of every choice."""

from __future__ import annotations

from random import Random

import pytest

from tests.cogs.artifacts_inc import roller
from tests.cogs.page import Page
from tests.cogs.table_driver import Room
from tests.engine.artifacts_inc.scene import scene


@pytest.mark.system
async def test_a_match_goes_on_though_the_bot_restarts_after_every_step(room: Room) -> None:
    people = await room.match_of("Ana", "Ben")
    rng, screens, steps = Random(3), dict[int, Page](), 0
    while steps < 120 and (await room.table()).status != "over":
        person = await room.asked(people)
        page = screens.get(person.id) or await roller.own_page(person)
        if not any(to.intent.startswith("g.") for to in page.ids):
            page = await roller.own_page(person)  # it could not follow across the restart
        screens[person.id] = await roller.act(person, page, rng)
        await room.restart(crash=steps % 2 == 0)
        steps += 1
    state = (await room.table()).state
    assert state.round > 3
    assert any(len(sides) > 4 for sides in state.sides), "something was bought"


async def test_another_order_of_the_starting_cards_is_remembered_by_the_screen(room: Room) -> None:
    people = await room.match_of("Ana", "Ben")
    person = await room.asked(people)
    page = await roller.own_page(person)
    wanted = "Adventurers · Headquarters · Canyon Expedition · Desert Expedition"
    await person.press(page, "Rearrange My Cards …")
    await person.choose(page, roller.ORDER, wanted)
    await room.restart(crash=True)
    await person.press(page, "Roll")
    assert f"You arrange your starting cards: {wanted}." in page.text


HALF_WAY = {
    "a die": (["Die 2"], "Private Collectors: all for $4", "for $4"),
    "a purchase": ([(roller.BUY, "Airfield · $2")], "Buy for $2", "You buy"),
    "an improvement": ([(roller.BUY, "Airfield → II · $2")], "Upgrade for $2", "You upgrade"),
    "a place": (
        [(roller.BUY, "Airfield · $2"), (roller.WHERE, "Place 5 · Below Headquarters")],
        "Buy for $2",
        "You buy",
    ),
    "a dive": ([(roller.OTHERS, "Dive with Other Dice …"), ("Dive with", "6")], "Dive 6", "You dive"),
    "another roll": (["Reroll …", ("Dice to reroll", "2")], "Reroll 2", "You reroll 2️⃣"),
    "a sale": (
        [(roller.OTHERS, "2 → Private Collectors: choose what to sell …"), ("Fossil", "0 Fossils")],
        "Sell for $1",
        "sell 💎 1 Gem",
    ),
    "the end": (["End Turn"], "End Turn, 3 Dice Left", "You end your turn"),
}


@pytest.mark.parametrize("what", HALF_WAY)
async def test_the_selection_survives_a_crash(room: Room, what: str) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    state = scene(
        "airfield caravan", dice="2 5 6", artifacts="gem fossil*2", dollars=3, offer="airfield", divers=[0]
    )
    await room.stage(state)
    page = await roller.own_page(ana)
    steps, last, line = HALF_WAY[what]
    for step in steps:
        await room.restart(crash=True)
        if isinstance(step, tuple):
            await ana.choose(page, *step)
        else:
            await ana.press(page, step)
    await room.restart(crash=True)
    await ana.press(page, last)
    assert line in (await ana.command("log")).text
    if what == "a place":
        assert (1, 2) in (await room.table()).state.places[0]
