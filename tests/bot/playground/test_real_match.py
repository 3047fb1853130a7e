"""The whole bot in the playground, in a real browser: start, join, dig, look at the hand, trade, come back."""

from __future__ import annotations

import re
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from tests.bot.playground.browser import (
    CHROMIUM,
    PersonsPage,
    RunningPlayground,
    open_browser,
    running_playground,
    until,
)

pytestmark = pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"there is no {CHROMIUM}")

BOT = [sys.executable, "-m", "bot", "play"]
ALL = "Trade at the market …"
BUILD = "Build your own trade …"
TAKE = "Choose what to take …"
PAY = "Pay with …"
VICTIM = re.compile(r" · \d+ cards? · \$\d+$")
"""The end of the label of a button that chooses a Thief's victim."""


@asynccontextmanager
async def digsite(folder: Path, port: int = 0) -> AsyncGenerator[RunningPlayground]:
    environment = {"DATABASE_PATH": str(folder / "digsite.sqlite3"), "AGENT_DELAY": "[0.7, 0.9]"}
    async with running_playground(BOT, port=port, environment=environment) as playground:
        yield playground
        assert "ERROR" not in playground.output, playground.output
        assert "Traceback" not in playground.output, playground.output


async def menu_labels(page: PersonsPage, placeholder: str) -> list[str]:
    """The labels of a menu's options."""
    if placeholder not in await page.menus():
        return []
    menu = await page.open_menu(placeholder)
    labels = await menu.locator(".option .label").all_inner_texts()
    await page.page.keyboard.press("Escape")
    return labels


async def picture_of(what: str, page: PersonsPage) -> str:
    """The alt text of the newest picture whose alt text has these words."""
    pictures = page.page.locator(f'img[alt*="{what}"]')

    async def alt() -> str | None:
        return await pictures.last.get_attribute("alt") if await pictures.count() else None

    return await until(alt, f"a picture of {what!r}")


async def who_is_asked(pages: dict[str, PersonsPage]) -> str:
    """Those of these people who are to act now, by the table message."""
    some = next(iter(pages.values()))

    async def asked() -> str | None:
        boards = [text for text in await some.messages(private=False) if " · $" in text]
        lines = [line for line in boards[-1].splitlines() if "▶️" in line] if boards else []
        # The first marks whose turn it is, the last, right above the buttons, who is asked.
        return next((name for name in pages if lines and name in lines[-1]), None)

    return await until(asked, "somebody to be asked")


async def own_screen(page: PersonsPage) -> list[str]:
    """Opens the private screen of whoever is asked, until it shows what they can do; returns its buttons.

    They can do nothing where somebody else is asked by now: the table message had not followed yet.
    """

    async def controls() -> list[str] | None:
        buttons = await page.buttons(private=True)
        if any(label in ("Dig", "End Turn") or label.startswith("Lose") for label in buttons):
            return buttons
        if any("⏳" in text for text in (await page.messages(private=True))[-1:]):
            return buttons
        return buttons if any(map(VICTIM.search, buttons)) else None

    await page.press("Hand", private=False)
    return await until(controls, "the private screen's choices")


async def take_part(page: PersonsPage, *, trade: bool) -> bool:
    """Does what is asked of a person, whatever it is; True where they traded."""
    buttons = await own_screen(page)
    losing = [label for label in buttons if label.startswith("Lose")]
    if "Dig" in buttons:
        await page.press("Dig", private=True)
    elif losing:
        await page.press(losing[0], private=True)
    elif "End Turn" in buttons:
        traded = trade and await trade_something(page)
        await page.press("End Turn", private=True)
        return traded
    elif victims := [label for label in buttons if VICTIM.search(label)]:
        await page.press(victims[0], private=True)
    return False


async def nothing_chosen(page: PersonsPage) -> bool:
    """Whether the menu of trades has no choice, as after a trade that is made."""
    menu = page.page.locator(f'[role=combobox][aria-label="{ALL}"]').last
    return (await menu.inner_text()).strip() == ALL


async def trade_something(page: PersonsPage) -> bool:
    """Takes one card from the market and pays with the first payment that is offered, exact or not."""
    await page.select(ALL, BUILD, private=True)
    for label in await menu_labels(page, TAKE):
        await page.select(TAKE, label, private=True)
        offers = await menu_labels(page, PAY)
        if not offers:
            continue
        await page.select(PAY, offers[0], private=True)
        await page.sees("You give", private=True)
        (trade,) = [label for label in await page.buttons(private=True) if label.startswith("Trade")]
        await page.press(trade, private=True)
        await until(partial(nothing_chosen, page), "a menu of trades without a choice")
        return True
    return False


async def test_two_people_and_an_agent_play_in_two_windows(tmp_path: Path) -> None:
    async with digsite(tmp_path) as playground, open_browser() as browser:
        ana = await browser.open(playground.url, "Ana")
        await ana.command("archaeology start", agents=1)
        await ana.sees("no one can choose or change it", private=False)
        ben = await browser.open(playground.url, "Ben", width=400, height=850)
        await ben.press("Join")
        await ana.sees("3 of 4 taken", private=False)
        await ana.press("Start Match")
        pages = {"Ana": ana, "Ben": ben}

        traded = False
        for _ in range(60):
            # Thieves, Sandstorms and a market that offers nothing may come before the first trade.
            name = await who_is_asked(pages)
            if await take_part(pages[name], trade=True):
                other = pages["Ben" if name == "Ana" else "Ana"]
                await other.sees(" trades ", private=False)
                traded = True
                break
        assert traded
        for page in pages.values():
            assert page.errors == []
            assert page.elsewhere == []  # the playground needs no network
        assert await playground.stop() == 0


@pytest.mark.system
async def test_a_match_goes_on_where_it_was_when_the_playground_starts_again(tmp_path: Path) -> None:
    async with open_browser() as browser:
        async with digsite(tmp_path) as playground:
            ana = await browser.open(playground.url, "Ana")
            await ana.command("expedition start", agents=1, monument="Mine")
            await ana.press("Start Match")
            await ana.sees(" · $", private=False)
            await who_is_asked({"Ana": ana})
            await ana.press("Hand", private=False)
            hand = await picture_of("Your hand", ana)
            await playground.stop()
        async with digsite(tmp_path) as playground:
            ana = await browser.open(playground.url, "Ana")
            await ana.sees(" · $", private=False)
            assert "Mine" in await picture_of("In the market", ana)
            await ana.press("Hand", private=False)
            assert await picture_of("Your hand", ana) == hand
            await playground.stop()


@pytest.mark.system
async def test_the_page_shows_the_bots_own_emoji_in_texts_and_on_buttons(tmp_path: Path) -> None:
    async with digsite(tmp_path) as playground, open_browser() as browser:
        ana = await browser.open(playground.url, "Ana")
        shown = ana.page.locator(".list img.emoji")

        async def on_the_screen() -> bool:
            await ana.press("Hand", private=False)
            return await shown.count() > 0

        await ana.command("archaeology start", agents=1)
        await ana.press("Start Match")
        await ana.sees(" · $", private=False)
        await until(on_the_screen, "the bot's own emoji", patience=60)

        async def drawn() -> list[list[object]] | None:
            found: list[list[object]] = await shown.evaluate_all(
                "images => images.map(one => [one.naturalWidth, one.closest('button') !== null])"
            )
            return found if all(width for width, _on_a_button in found) else None

        found = await until(drawn, "their pictures")
        assert {width for width, _on_a_button in found} == {128}
        assert "<:" not in await ana.private_text()
        assert ana.errors == []
        assert ana.elsewhere == []
        await playground.stop()
