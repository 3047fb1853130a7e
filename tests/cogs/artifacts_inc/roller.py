"""Plays Artifacts, Inc. by what stands on the screens, as somebody does who has only just learnt it."""

from __future__ import annotations

from random import Random

from cogs.artifacts_inc import intents, shop
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room

BUY = "Buy"
"""The beginning of the menu with cards, and of the one that has other uses too."""
WHERE = "Where to place it"
ORDER = "The order"
OTHERS = "Other ways to use"
"""The beginning of the menu with further uses."""
BACK = "Back to Dice"

CONFIRMING = (shop.BUY, intents.DIVE, intents.AGAIN, intents.SELL)
"""The intents that make the move on a screen that has been opened for it."""


def uses(page: Page) -> list[str]:
    """The uses of the chosen die that are buttons."""
    return page.of_intent(intents.USE)


def dice(page: Page) -> list[str]:
    return page.of_intent(intents.DIE)


async def act(person: Person, page: Page, rng: Random) -> Page:
    """One press or choice on the private screen of whoever is asked; returns the answer."""
    if page.of_intent(intents.ROLL):
        if rng.random() < 0.3 and not page.offers(ORDER):
            page = await person.press(page, "Rearrange My Cards …")
            return await person.choose(page, ORDER, rng.choice(list(page.menu(ORDER).options)))
        return await person.press(page, "Roll")
    if confirming := page.of_intent(*CONFIRMING):
        if page.offers(WHERE) and rng.random() < 0.3:
            return await person.choose(page, WHERE, rng.choice(list(page.menu(WHERE).options)))
        return await person.press(page, confirming[0])
    if page.of_intent(intents.END_NOW):
        return await person.press(page, page.of_intent(intents.END_NOW)[0])
    return await _place(person, page, rng)


async def _place(person: Person, page: Page, rng: Random) -> Page:
    """A die, a dive, an ability, or the end of the turn."""
    chance = rng.random()
    aside = page.of_intent(intents.ASK_DIVE, intents.ASK_AGAIN)
    if aside and chance < 0.5:
        return await person.press(page, rng.choice(aside))
    for menu in (BUY, OTHERS):
        if page.offers(menu) and rng.random() < 0.6:
            return await person.choose(page, menu, rng.choice(list(page.menu(menu).options)))
    found = uses(page)
    if found and chance < 0.95:
        return await person.press(page, rng.choice(found))
    return await person.press(page, page.of_intent(intents.END)[0])


async def own_page(person: Person) -> Page:
    """Opens the private screen as people do."""
    return await person.press(await person.room.board(), "My Company")


async def play(room: Room, people: list[Person], rng: Random, *, limit: int = 3000) -> dict[int, Page]:
    """Plays on until the match is over; returns the private screens."""
    screens: dict[int, Page] = {}
    for _ in range(limit):
        if (await room.table()).status == "over":
            return screens
        person = await room.asked(people)
        page = screens.get(person.id) or await own_page(person)
        screens[person.id] = await act(person, page, rng)
    raise AssertionError(f"no end after {limit} steps")
