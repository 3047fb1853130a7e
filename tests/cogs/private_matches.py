"""Private matches for tests: opened past the commands, and played on their private screens."""

from __future__ import annotations

from random import Random

import pytest

from bot.tables.lobby import Deal, NewTable
from bot.tables.model import NOWHERE, Seat, Table
from engine.fairness import SCHEME, Contribution
from tests.cogs import some_game
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room

LASTS = 3600.0
WAITING = {"?", "Log", "End the Match"}
"""The buttons of a private screen whose person is asked for nothing."""


def private_match(person: Person, *, seed: int = 1, opens: float | None = None) -> NewTable:
    """A private match of this person with two novices, which lasts for an hour."""
    room = person.room
    deal = Deal(bytes([seed] * 32), SCHEME, (Contribution("start", "1"),), LASTS, opens)
    return NewTable(
        room.host.games[room.game],
        room.guild.id,
        NOWHERE,
        person.id,
        [Seat(person.name, person.id)],
        "en",
        limit=None,
        agents=2,
        pace="quick",
        deal=deal,
    )


async def open_private(person: Person, *, seed: int = 1, opens: float | None = None) -> tuple[Table, Page]:
    """A private match that has just begun, and its screen."""
    table = await person.room.host.tables.open(private_match(person, seed=seed, opens=opens))
    await person.room.catch_up()
    return table, await screen_of(person)


@pytest.fixture(autouse=True)
def board_of_a_private_match(monkeypatch: pytest.MonkeyPatch) -> dict[str, Page]:
    """The driver looks at the table message for what the private screen of these matches has itself."""
    shown: dict[str, Page] = {}
    table_message = Room.board

    async def board(room: Room) -> Page:
        return shown["page"] if shown else await table_message(room)

    act = some_game.act

    async def remembered(person: Person, page: Page, rng: Random) -> Page:
        shown["page"] = page
        return await act(person, page, rng)

    monkeypatch.setattr(Room, "board", board)
    monkeypatch.setattr(some_game, "act", remembered)
    return shown


async def screen_of(person: Person) -> Page:
    """The screen of the person's only match, opened from the list."""
    return await person.press(await person.command("/games mine"), "Open")


async def to_the_end(person: Person, page: Page, rng: Random | None = None) -> Page:
    """Plays a match from its private screen to its end; returns the last screen."""
    rng = rng or Random(1)
    for _ in range(2000):
        if "End the Match" not in page.buttons:
            return page
        if "⏳" in page.text and not page.menus and not {*page.buttons} - WAITING:
            await person.room.later(1)  # an agent's turn goes on
        else:
            page = await some_game.act(person, page, rng)
    raise AssertionError("the match does not end")


async def near_the_end(person: Person, table: Table, rng: Random) -> None:
    """Puts a match that has begun into a state near its end, with the person's decision due, as if it had been played.

    The table's log and record do not have those moves.
    """
    game, own = table.game, table.seat_of(person.id)
    state, due = game.load(game.dump(table.state)), []
    while pending := game.pending(state):
        seat = pending[0].seat
        if seat == own:
            due = [*due[-1:], game.dump(state)]
        game.apply(state, seat, game.sample(state, seat, rng))
    await person.room.stage(game.load(due[0]), table.id)
