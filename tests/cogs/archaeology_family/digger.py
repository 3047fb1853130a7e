"""Plays the Archaeology games by what stands on the screens, as somebody does who has only just learnt them."""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from random import Random

from bot.ui.screens.ids import read_id
from tests.cogs.page import Page
from tests.cogs.table_driver import Delivery, Person, Room

LOSE = "Lose something else"
OFFER = "Trade at the market"
BUILD = "Build your own trade …"
TAKE = "Choose what to take …"
PAY = "Pay with"
SELL = "Sell another set"
KEEP = "Keep"
SPHINX = "Ask the Sphinx"
TENT = "Use the Tent"
MINE = "Explore the Mine for 1 Map"
TURN_UP = "Reveal a Card"
LOOK = "may look into one chamber"


async def take(person: Person, page: Page, label: str) -> Page:
    """Chooses what to take in a trade of one's own, to which the menu of all trades leads."""
    if not page.offers(TAKE):
        page = await person.choose(page, OFFER, BUILD)
    return await person.choose(page, TAKE, label)


async def act(person: Person, page: Page, rng: Random) -> Page:
    """One press or choice on the private screen of whoever is asked; returns the answer."""
    if "Dig" in page.buttons:
        return await person.press(page, "Dig")
    if victims := labelled(page, "g.steal"):
        return await person.press(page, rng.choice(victims))
    if labelled(page, "g.discard"):
        return await person.press(page, lose_button(page))
    answer = await _monument(person, page, rng)
    return answer or await _turn(person, page, rng)


async def _monument(person: Person, page: Page, rng: Random) -> Page | None:
    """The questions of The New Expedition alone: Tents and monuments."""
    if TENT in page.buttons:
        return await person.press(page, rng.choice([TENT, save_and_lose_button(page)]))
    if LOOK in page.text and rng.random() < 0.7:
        looks = [label for label in page.buttons if label.startswith("Chamber")]
        return await person.press(page, rng.choice(looks))
    if page.offers(KEEP):
        return await person.choose(page, KEEP, *rng.sample(list(page.menu(KEEP).options), 2))
    if TURN_UP in page.buttons:
        stops = [label for label in page.buttons if label.startswith("Stop")]
        return await person.press(page, rng.choice([TURN_UP, TURN_UP, *stops]))
    if MINE in page.buttons:
        return await person.press(page, MINE)
    if page.offers(SPHINX):
        return await person.choose(page, SPHINX, *rng.sample(list(page.menu(SPHINX).options), 2))
    return None


async def _turn(person: Person, page: Page, rng: Random) -> Page:
    chance = rng.random()
    if explorations := labelled(page, "g.explore"):
        return await person.press(page, explorations[-1])
    if page.offers(PAY):
        return await _pay(person, page, rng)
    if chance < 0.1 and page.offers(OFFER):
        return await person.choose(page, OFFER, rng.choice(list(page.menu(OFFER).options)))
    if page.offers(TAKE):
        return await person.choose(page, TAKE, rng.choice(list(page.menu(TAKE).options)))
    end = next((label for label in page.buttons if label.startswith("End Turn")), "End Turn")
    if (
        end in page.buttons
        and chance < 0.75
        and "**Dig site** · empty" not in (await person.room.board()).text
    ):
        return await person.press(page, end)
    if page.offers(SELL) and chance < 0.85:
        return await person.choose(page, SELL, rng.choice(list(page.menu(SELL).options)))
    sales = labelled(page, "g.sell-all") if chance > 0.95 else labelled(page, "g.sell")
    if not sales and "End Turn" in page.greyed:  # with an empty dig site, cards are to be sold first
        sales = labelled(page, "g.sell") or labelled(page, "g.sell-all")
    return await person.press(page, sales[0] if sales else end)


async def _pay(person: Person, page: Page, rng: Random) -> Page:
    if trades := labelled(page, "g.trade"):
        return await person.press(page, trades[0])
    return await person.choose(page, PAY, rng.choice(list(page.menu(PAY).options)))


async def sell(person: Person, page: Page, cards: str, price: int) -> Page:
    """Sells this set, wherever it is offered."""
    label = f"Sell {cards} · ${price}"
    if label in page.buttons:
        return await person.press(page, label)
    return await person.choose(page, SELL, f"{cards} · ${price}")


def selling(person: Person, page: Page, cards: str, price: int) -> Delivery:
    """The same, to be delivered later."""
    label = f"Sell {cards} · ${price}"
    if label in page.buttons:
        return person.pressing(page, label)
    return person.choosing(page, SELL, f"{cards} · ${price}")


def labelled(page: Page, intent: str) -> list[str]:
    """The labels of the buttons that mean this."""
    ids = {label: read_id(custom_id) for label, custom_id in page.buttons.items()}
    return [label for label, to in ids.items() if to is not None and to.intent == intent]


def lose_button(page: Page) -> str:
    """The button that accepts the choice for the Sandstorm."""
    return _by_intent(page, "g.discard")


def save_and_lose_button(page: Page) -> str:
    """The button that saves the Tent and accepts the choice for the Sandstorm."""
    return _by_intent(page, "g.save-and-lose")


def trade_button(page: Page) -> str:
    """The button that makes the trade."""
    return _by_intent(page, "g.trade")


def _by_intent(page: Page, intent: str) -> str:
    labels = labelled(page, intent)
    assert labels, f"no button {intent} among {list(page.buttons)}, greyed: {page.greyed}"
    return labels[0]


async def asked(room: Room, people: Mapping[int, Person]) -> Person:
    """For whom the match waits."""
    return await room.asked(people.values())


async def step(
    room: Room, people: Mapping[int, Person], screens: MutableMapping[int, Page], rng: Random
) -> Person:
    """Lets the person who is called do one thing, on the screen they have open; returns who it was."""
    person = await asked(room, people)
    page = screens.get(person.id)
    if page is None or not page.exists:
        page = await person.press(await room.board(), "Hand")
    screens[person.id] = await act(person, page, rng)
    return person


async def play(room: Room, people: list[Person], rng: Random, *, limit: int = 2000) -> dict[int, Page]:
    """Plays on until the match is over; returns the private screens."""
    by_id = {person.id: person for person in people}
    screens: dict[int, Page] = {}
    for _ in range(limit):
        if (await room.table()).status == "over":
            return screens
        await step(room, by_id, screens, rng)
    raise AssertionError(f"no end after {limit} steps")
