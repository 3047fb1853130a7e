"""Plays Artifact by what stands on the screens, as somebody does who has only just learnt it."""

from __future__ import annotations

from random import Random

from cogs.artifact import turn
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room

MOVES = (
    turn.SET_OUT,
    turn.ROLL,
    turn.FORWARD,
    turn.BACK,
    turn.MEET,
    turn.NAME,
    turn.USE,
    turn.SPEND,
    turn.GIVE_UP,
)
OTHER_AIDS = "Choose Boons to spend …"
GIVE_UP = "The Boon to give up"
EQUIPMENT = "Two pieces of equipment"


async def own_page(person: Person) -> Page:
    """Opens the private screen as people do."""
    return await person.press(await person.room.board(), "My Party")


async def act(person: Person, page: Page, rng: Random) -> Page:
    """One press or choice on the private screen of whoever is asked; returns the answer."""
    if page.offers(GIVE_UP):  # only for many kinds of Aids
        return await person.choose(page, GIVE_UP, rng.choice(list(page.menu(GIVE_UP).options)))
    if page.offers(OTHER_AIDS) and not page.of_intent(turn.SPEND) and rng.random() < 0.5:
        return await person.choose(page, OTHER_AIDS, rng.choice(list(page.menu(OTHER_AIDS).options)))
    return await person.press(page, rng.choice(page.of_intent(*MOVES)))


async def play(room: Room, people: list[Person], rng: Random, *, limit: int = 1500) -> None:
    """Plays on until the match is over."""
    for _ in range(limit):
        if (await room.table()).status == "over":
            return
        person = await room.asked(people)
        await act(person, await own_page(person), rng)
    raise AssertionError(f"no end after {limit} steps")
