"""`/help` and `/games list`: each game with its sign, and a button for everything that the first words promise."""

from __future__ import annotations

import pytest

from bot.language import speaking
from bot.people.front.games import front
from bot.ui.screens import components as ui
from bot.ui.screens.fitting import PHONE, has_room, height
from bot.ui.screens.ids import Id
from bot.ui.screens.lessons import LEARN, START
from tests.cogs.in_memory import ENGINES, PLAYED, SCREENS
from tests.cogs.limits import EVERY_LANGUAGE, fits, message_faults
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room
from tests.cogs.without_server import elsewhere

COMMANDS = {
    "Find Players": "You are looking for a match",
    "Leaderboard": "## Leaderboard",
    "The Daily Dig": "### The Daily Dig",
    "My Matches": "## Your matches",
    "Profile": "### Your profile",
    "Settings": "### ",
}
"""The buttons of the front for everything else, each with the beginning of what its command shows."""


async def pressed(person: Person, page: Page, to: Id) -> Page:
    """The answer to a button that others on the page have the label of."""
    return await person.answered(await person.actor.click(page.as_message(), custom_id=str(to)))


@pytest.mark.parametrize("command", ["/help", "/games list"])
async def test_front_has_each_game_with_start_and_learn(room: Room, command: str) -> None:
    ana = room.person("Ana")
    page = await ana.command(command)
    assert page.ephemeral
    ids = {part.get("custom_id") for part in page.components}
    for key in PLAYED:
        assert SCREENS[key].title() in page.text
        assert SCREENS[key].summary() in page.text
        assert {str(Id(START, arg=key)), str(Id(LEARN, arg=key))} <= ids
    assert message_faults(page.kept.components) == []
    for command in ("/play", "/leaderboard", "/daily", "/games mine", "/profile", "/settings"):
        assert f"`{command}`" not in page.text, "a button does it"


async def test_start_on_the_front_leaves_the_way_to_the_lobby_in_its_place(room: Room) -> None:
    ana = room.person("Ana")
    page = await ana.command("/help")
    lobby = await pressed(ana, page, Id(START, arg=room.game))
    assert "Join" in lobby.buttons
    assert not lobby.ephemeral
    assert page.text == "▶️ Your table is open."
    assert page.links["Go to the Table"].endswith(f"/{lobby.id}")
    assert [each.id for each in room.pages()] == [lobby.id]
    taken = await ana.command("/help")
    offer = await pressed(ana, taken, Id(START, arg=room.game))
    assert (offer.id, [*offer.buttons]) == (taken.id, ["Open in a Thread"])


async def test_lesson_takes_the_place_of_the_front_but_not_of_the_rules(room: Room) -> None:
    ana = room.person("Ana")
    page = await ana.command("/help")
    assert (await pressed(ana, page, Id(LEARN, arg=room.game))).id == page.id
    assert "1/" in page.text
    rules = await ana.command("rules")
    assert (await ana.press(rules, "Learn")).id != rules.id


@pytest.mark.parametrize("label", COMMANDS)
async def test_button_of_the_front_means_the_same_as_its_command(room: Room, label: str) -> None:
    ana = room.person("Ana")
    page = await ana.command("/help")
    answer = await ana.press(page, label)
    assert answer.ephemeral
    assert answer.id != page.id, "the front stays"
    assert COMMANDS[label] in answer.text


async def test_no_button_is_called_play_but_the_one_that_does_what_the_command_does(room: Room) -> None:
    ana = room.person("Ana")
    assert "Play" not in (await ana.command("/daily")).buttons
    waits = await ana.press(await ana.command("/help"), "Find Players")
    assert waits.text == (await ana.command("/play")).text


async def test_without_a_server_the_front_offers_what_works_there(room: Room) -> None:
    ana = elsewhere(room, "Ana", "dm")
    page = await ana.command("/help")
    assert not {"Find Players", "Leaderboard"} & {*page.buttons}
    assert "Invite the Bot" in page.links
    forged = await ana.press_id(page, str(Id("open-play")))
    assert "only works on a server that I'm on" in forged.text


@EVERY_LANGUAGE
def test_games_fit_one_and_a_half_phones_and_the_front_a_message_with_all_signs(language: str) -> None:
    with speaking(language):
        played = {key: SCREENS[key] for key in PLAYED}
        screen = front(ENGINES, played, on_server=True, manages=True)
    fits(screen)
    assert has_room(screen, 2 * sum(one.sign() is not None for one in played.values()))
    games = screen.items[: screen.items.index(ui.separator())]
    assert height(games) <= 1.3 * PHONE, "signs leave the texts less width"
