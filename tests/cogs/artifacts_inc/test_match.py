"""Whole matches and whole turns by presses alone, and how many presses they take."""

from __future__ import annotations

import json
from random import Random

from cogs.artifacts_inc import intents
from engine.record import verify
from engine.registry import load_games
from tests.cogs.artifacts_inc import roller
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room
from tests.cogs.test_absence import leave
from tests.engine.artifacts_inc.scene import scene


async def test_three_people_and_an_agent_play_to_the_result(room: Room) -> None:
    people = await room.match_of("Ana", "Ben", "Cara", agents=1)
    await roller.play(room, people, Random(1))
    result, board = await room.result(), await room.board()
    assert "wins" in result.text or "share" in result.text
    assert result.text.count("⭐ **") == 4
    assert "cards " in result.text
    assert all(person.name in result.text for person in people)
    assert not room.announcements(), "nobody is called after the end"
    assert "Roll" not in board.buttons
    assert "Cards" in board.buttons, "companies can still be looked at"
    ((_name, data),) = (await people[0].press(result, "Fairness")).files.items()
    assert verify(data.decode(), load_games(room.settings.card_lists)).sound
    assert json.loads(data)["game"] == "artifacts-inc"


class Counted:
    """A person's private screen, with how often something was pressed."""

    def __init__(self, person: Person, page: Page) -> None:
        self.person = person
        self.page = page
        self.presses = 0

    async def press(self, label: str) -> None:
        self.presses += 1
        self.page = await self.person.press(self.page, label)

    async def choose(self, menu: str, label: str) -> None:
        self.presses += 2
        self.page = await self.person.choose(self.page, menu, label)


async def test_a_first_turn_from_its_roll_to_its_end_takes_a_press_a_die(room: Room) -> None:
    people = await room.match_of("Ana", "Ben")
    person = await room.asked(people)
    screen = Counted(person, await room.board())
    await screen.press("Roll")
    assert screen.page.ephemeral, "the roll has opened their own screen"
    seat, dice = (await room.table()).state.active, len((await room.table()).state.dice)
    while (await room.table()).state.active == seat:
        moves = [label for label in roller.uses(screen.page) if not label.endswith("…")]
        if moves:
            await screen.press(moves[-1])
            continue
        await screen.press(screen.page.of_intent(intents.END)[0])
    assert screen.presses <= 1 + dice


async def test_a_turn_of_four_dice_takes_five_presses(room: Room) -> None:
    """Later turns begin with the dice rolled: the first press opens the screen, and each die takes one."""
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(scene("dig_camp", dice="3 4 5 6", artifacts="gem*2 scroll"))
    screen = Counted(ana, await room.board())
    await screen.press("My Company")
    for use in (
        "5 → Gem Museum: 2 for $5 · you lead",
        "3 → Scroll Museum: 1 for $2 · you lead",
        "4 → Desert Expedition: 1 Scroll",
        "Canyon Expedition: 1 Fossil",
    ):
        await screen.press(use)
    state = (await room.table()).state
    assert state.dollars[0] == 7
    assert state.active == 1, "the last die has ended the turn"
    assert screen.presses == 1 + 4


async def test_one_may_place_another_die_than_the_one_that_is_offered(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(scene("dig_camp", dice="3 4 5 6", artifacts="gem*2 scroll"))
    screen = Counted(ana, await roller.own_page(ana))
    await screen.press("Die 6")
    await screen.press("Gem Museum: 2 for $5 · you lead")
    assert list((await room.table()).state.dice) == [3, 4, 5]


async def test_a_turn_ends_with_a_die_that_could_be_used_only_after_a_question(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(scene("dig_camp", dice="3 4"))
    screen = Counted(ana, await roller.own_page(ana))
    await screen.press("4 → Desert Expedition: 1 Scroll")
    assert "Dig Camp: 1 Fossil" in roller.uses(screen.page)
    await screen.press("End Turn")
    assert "You still have 1 die you could use: 3️⃣." in screen.page.text
    await screen.press("End Turn, 1 Die Left")
    assert (await room.table()).state.active == 1


async def test_a_purchase_takes_a_choice_and_a_press_and_its_place_one_choice_more(room: Room) -> None:
    """A choice is two presses: one opens the menu."""
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(scene(dice="3 4", dollars=9, offer="explorers_club"))
    screen = Counted(ana, await roller.own_page(ana))
    await screen.choose(roller.BUY, "Explorers' Club · $6")
    menu = screen.page.menu(roller.WHERE)
    (chosen,) = menu.chosen
    best = [label for label in menu.options if "⭐ 3 (2 + 1)" in label]
    assert chosen in best, "the best place is chosen already"
    await screen.choose(roller.WHERE, next(label for label in best if label != chosen))
    await screen.press("Buy for $6")
    assert screen.presses == 2 + 2 + 1
    bought = "You buy Explorers' Club for $6. ⭐\N{NO-BREAK SPACE}+3: 2 + 1 for Expeditions**\n▶️"
    assert bought in screen.page.text


async def test_only_what_an_agent_did_for_somebody_has_its_sign_once_they_are_back(room: Room) -> None:
    """The last move of the agent ends the turn, and has the next person's roll as an event."""
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(scene("dig_camp", dice="3", artifacts="gem*2 scroll"))
    await leave(ana)
    page = (await ana.press(await room.board(), "I'm Back")).text
    log = (await ana.press(await room.board(), "Log")).text
    for written in (page, log):
        assert "🤖 You" in written.replace("**", "")
        assert "🤖\u00a0**Ben**" not in written
    assert "**Ben** rolls" in log
