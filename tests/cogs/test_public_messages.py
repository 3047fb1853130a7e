"""No message that others see has a text for one person, whatever the id of the pressed button or menu says.

The fixture `room` looks at every edit of a public message (`tests.cogs.public_edits`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from typing import Final

import pytest

from bot.tables.play import view_version_of
from bot.ui import interaction
from bot.ui.screens.game_screens import GAME_INTENTS, SHEET_INTENTS
from bot.ui.screens.ids import Id
from bot.ui.screens.names import Names
from bot.ui.screens.pages import RULES_OF
from tests.cogs import some_game
from tests.cogs.page import Page
from tests.cogs.table_driver import Delivery, Person, Room
from tests.cogs.without_server import group_of

ARGUMENTS: Final = ("", "0", "on", "GAME.1.0")
VALUES: Final = ("0", "GAME.1.0")
"""Parts of the ids and menus of many buttons, so that many presses have an effect."""

AT_ONCE: Final = 2
"""The number of intents that are pressed at once."""

# -- the public messages


async def lobby(people: Sequence[Person]) -> Page:
    page = await people[0].command("start")
    await people[1].press(page, "Join")
    return page


async def board(people: Sequence[Person]) -> Page:
    await people[0].press(await lobby(people), "Start Match")
    await people[0].room.stage(some_game.TURN)
    return await people[0].room.board()


async def call(people: Sequence[Person]) -> Page:
    await board(people)
    await people[0].room.minds_wander()
    return people[0].room.announcements()[-1]


async def result(people: Sequence[Person]) -> Page:
    room = people[0].room
    shown = await board(people)
    await room.stage(some_game.last_move(2))
    await some_game.move(people[0], await people[0].press(shown, "Hand"))
    return await room.result()


Shown = Callable[[Sequence[Person]], Awaitable[Page]]
SHOWN: Final[dict[str, tuple[Shown, bool]]] = {
    "lobby": (lobby, False),
    "board": (board, False),
    "call": (call, False),
    "result": (result, False),
    "lobby of a group": (lobby, True),
    "board of a group": (board, True),
    "result of a group": (result, True),
}
"""Each public message, and whether it stands in a group DM."""


async def set_up(room: Room, name: str) -> tuple[Person, Page, int]:
    """This message of a new table, a person of the table, and the table's number."""
    shown, in_group = SHOWN[name]
    if in_group:
        people: Sequence[Person] = group_of(room, "Ana", "Ben")
    else:
        room.guild = room.env.create_guild(
            "Other Digs"
        )  # presses may have changed the settings of the one before
        room.channel = room.guild.create_text_channel("games")
        people = room.manager("Ana"), room.person("Ben")
    page = await shown(people)
    return people[0], page, (await room.table()).id


# -- every intent


def intents(room: Room) -> list[str]:
    """Every intent that the host and the game know."""
    screens = room.host.screens[room.game]
    view = room.host.tables.games[room.game].view(some_game.TURN, None)
    families = {
        GAME_INTENTS: [*screens.presses()],
        SHEET_INTENTS: [action.intent for action in screens.sheets(view, Names([]))],
        RULES_OF: [f"{RULES_OF}{room.game}", f"{RULES_OF}{room.game}-page"],
    }
    known = room.host.router._actions
    return [intent for key in known for intent in (families[key] if key.endswith(".") else [key])]


async def presses(person: Person, page: Page, intent: str, number: int) -> list[Delivery]:
    """Presses of buttons and choices in menus of this intent, on the page."""
    room = person.room
    to, table = Id(intent, number), await room.table(number)
    if intent.startswith(GAME_INTENTS) and table.status == "playing":
        to = to._replace(view_version=view_version_of(table, table.game.pending(table.state)[0]))
    made = [
        person.forging(page, str(to._replace(arg=argument.replace("GAME", room.game))))
        for argument in ARGUMENTS
    ]
    return made + [person.forging(page, str(to), [value.replace("GAME", room.game)]) for value in VALUES]


@pytest.mark.system
@pytest.mark.parametrize("name", SHOWN)
async def test_no_press_on_a_public_message_puts_there_what_is_for_one_person(room: Room, name: str) -> None:
    known, made = intents(room), list[Delivery]()
    person, page, number = await set_up(room, name)
    for at_once in [known[begin : begin + AT_ONCE] for begin in range(0, len(known), AT_ONCE)]:
        if not page.exists or (await room.table(number)).seat_of(person.id) is None:
            person, page, number = await set_up(room, name)
        new = [press for intent in at_once for press in await presses(person, page, intent, number)]
        await room.deliver(*new)
        made += new
    meant = [press for press in made if press.answers and "older version of me" not in press.answer.text]
    assert len(meant) > len(known) / 5, (
        "too few have a meaning, though each answer takes the earlier one's place"
    )


@pytest.mark.parametrize("intent", ["log-page", "rules-page", f"{RULES_OF}GAME-page"])
async def test_page_that_is_turned_on_the_board_comes_for_the_presser_alone(room: Room, intent: str) -> None:
    ana, page, number = await set_up(room, "board")
    before = page.text
    press = ana.forging(page, str(Id(intent.replace("GAME", room.game), number, arg="0")))
    await room.deliver(press)
    assert page.text == before
    assert press.answer.ephemeral
    assert ("### The match" if intent == "log-page" else "1/10") in press.answer.text


async def test_late_answer_on_the_board_comes_for_the_presser_alone(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(interaction, "DEFER_AFTER", 0)
    ana, page, number = await set_up(room, "board")
    before = page.text
    press = ana.forging(page, str(Id("log-page", number, arg="0")))
    await room.deliver(press)
    assert page.text == before
    assert press.answer.ephemeral
    assert "### The match" in press.answer.text
