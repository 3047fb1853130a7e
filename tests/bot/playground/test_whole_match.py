"""A whole match on a phone's page, by the controls that the page offers, and what it offers after the match."""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Final

from playwright.async_api import Locator, expect
from playwright.async_api import TimeoutError as PlaywrightTimeout

from tests.bot.playground.browser import REPOSITORY, PersonsPage
from tests.bot.playground.house import MARKS, House

pytestmark = MARKS

REPLAY: Final = (sys.executable, "-m", "bot", "replay")
PRESSES: Final = 600
"""The most presses of a match. One of Archaeology takes about 80."""
FILM_PATIENCE: Final = 240_000
"""Milliseconds in which a film is drawn, by a process that gives way to all others."""
OWN_MOVES: Final = '[data-key*=":g."]:not([disabled])'
"""The controls of a game's own on a private screen."""


async def test_whole_match_is_played_and_its_table_film_and_page_are_opened(house: House) -> None:
    ana = await house.open("Ana", "games")
    await ana.page.get_by_role("button", name="Play Archaeology: The Card Game", exact=True).click()
    await ana.press("Start Match", private=False)
    await play_to_the_end(ana, Random(5))
    result = ana.page.locator(".message", has=ana.page.locator('[data-key*=":again:"]'))
    await expect(result).to_be_in_viewport()
    await ana.press("Log", private=False)
    await ana.follow_link("Go to the Table")
    logged = ana.page.locator(".message", has=ana.page.locator('[data-key*=":log:"]'))
    table = logged.filter(has_not=ana.page.locator('[data-key*=":again:"]'))
    await expect(table).to_be_in_viewport()
    await the_page_of_the_record_opens(ana)
    await ana.press("Replay", private=False)
    film = ana.page.locator('.message.mine img[src$=".gif"]')
    await expect(film).to_be_visible(timeout=FILM_PATIENCE)
    assert await film.evaluate("film => film.naturalWidth") > 0


async def play_to_the_end(page: PersonsPage, rng: Random) -> None:
    """Presses, at random, what the newest private screen offers, until the match is over."""
    over = page.page.locator('[data-key*=":again:"]')
    controls = page.page.locator(".message.mine").last.locator(OWN_MOVES)
    for _ in range(PRESSES):
        await expect(controls.or_(over).first).to_be_visible(timeout=30_000)
        if await over.count():
            return
        offered = await controls.all()
        with suppress(PlaywrightTimeout):  # another player's move may have replaced it
            await use(page, rng.choice(offered), rng)
        await page.wait_ready()
    raise AssertionError(f"The match was not over after {PRESSES} presses")


async def use(page: PersonsPage, control: Locator, rng: Random) -> None:
    """Presses a button, or chooses as many options of a menu as it takes at least."""
    is_menu = await control.get_attribute("role", timeout=2_000) == "combobox"
    await control.click(timeout=2_000)
    if not is_menu:
        return
    menu = page.page.locator(".menu")
    await menu.wait_for(timeout=2_000)
    await rng.choice(await menu.locator(".option").all()).click(timeout=2_000)
    done = menu.locator(".button")
    if await done.count():
        await (done.click(timeout=2_000) if await done.is_enabled() else page.page.keyboard.press("Escape"))


async def the_page_of_the_record_opens(page: PersonsPage) -> None:
    """Downloads the record of the match, makes its page from it, and opens the page as a file."""
    await page.press("Fairness", private=True)
    async with page.page.expect_download() as downloading:
        await page.page.locator(".message.mine a.file").last.click()
    download = await downloading.value
    record = Path(await download.path()).with_name(download.suggested_filename)
    await download.save_as(record)
    making = await asyncio.create_subprocess_exec(*REPLAY, str(record), cwd=REPOSITORY)
    assert await making.wait() == 0
    shown = await page.page.context.new_page()
    errors: list[str] = []
    shown.on("pageerror", lambda error: errors.append(str(error)))
    await shown.goto(record.with_suffix(".html").as_uri())
    await expect(shown.locator("body")).to_contain_text("Archaeology")
    await shown.get_by_role("button", name="Next move").click()
    await expect(shown.locator("body")).to_contain_text("Move 1 of")
    assert errors == []
    await shown.close()
