"""A match of the sample game on Discord, driven by what stands on the screens."""

from __future__ import annotations

import pytest

from tests.cogs.table_driver import Room, add_game
from tests.oasis.rules import Oasis, State
from tests.oasis.screens import OasisScreens


@pytest.fixture(autouse=True)
def oasis(monkeypatch: pytest.MonkeyPatch) -> None:
    add_game(monkeypatch, Oasis(), OasisScreens)


@pytest.fixture
def room(room: Room) -> Room:
    room.game = Oasis.key
    return room


async def state_of(room: Room) -> State:
    return (await room.table()).state


async def test_a_match_is_played_to_its_end_by_the_buttons_of_the_hand(room: Room) -> None:
    people = await room.match_of("Ana", "Ben")
    while (await room.table()).status == "playing":
        page = await (await room.asked(people)).hand()
        drinks = [label for label in page.buttons if label.startswith("Drink")]
        await (await room.asked(people)).press(page, drinks[0] if "Draw" in page.greyed else "Draw")
    points = (await state_of(room)).points
    assert f"**{max(points)}**" in (await room.result()).text


async def test_a_drawn_card_stands_on_its_owners_screen_alone(room: Room) -> None:
    people = await room.match_of("Ana", "Ben")
    asked = await room.asked(people)
    (other,) = [person for person in people if person is not asked]
    theirs = await other.hand()
    page = await asked.press(await asked.hand(), "Draw")
    assert "You draw a **" in page.text
    assert f"**{asked.name}** draws a card." in (await room.board()).text
    assert "You draw" not in theirs.text


async def test_the_board_shows_what_was_drunk_and_who_is_next(room: Room) -> None:
    people = await room.match_of("Ana", "Ben")
    asked = await room.asked(people)
    page = await asked.hand()
    drink = next(label for label in page.buttons if label.startswith("Drink"))
    await asked.press(page, drink)
    (following,) = [person for person in people if person is not asked]
    board = (await room.board()).text
    assert f"**{asked.name}** drinks {drink.removeprefix('Drink ').partition(' · ')[0]}" in board
    assert f"It is **{following.name}**'s turn." in board


async def test_a_restart_changes_nothing(room: Room) -> None:
    people = await room.match_of("Ana", "Ben", agents=1)
    asked = await room.asked(people)
    before = (await asked.hand()).text
    await room.restart(crash=True)
    assert (await asked.hand()).text == before
    await asked.press(await asked.hand(), "Draw")
