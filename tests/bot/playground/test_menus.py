"""Each menu of each lesson and of a first match of each game opens on every width, and takes what is chosen in it."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Callable, Sequence
from contextlib import suppress
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import pytest
import pytest_asyncio
from playwright.async_api import Locator, Page
from pydantic import SecretStr

import cogs
from bot.app.client import Digsite, make_client
from bot.app.host import Host
from bot.clock import Clock
from bot.playground import play
from bot.playground.opening import Games
from bot.settings import Settings
from bot.tables.model import Table
from engine.registry import load_games
from tests.bot.playground.browser import ADDRESS, CHROMIUM, PATIENCE, PersonsPage, open_browser, tick, until
from tests.cogs.lessons import Press, course

pytestmark = [
    pytest.mark.system,
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"there is no {CHROMIUM}"),
]

GAMES: Final = sorted(load_games())
SIZES: Final = ((360, 740), (412, 915), (1280, 900), (390, 844))
"""The windows in which each menu is opened. A test plays on in the last one."""
DECISIONS: Final = 8
"""The decisions of a first match that are made."""
SAMPLES: Final = 20
MOST: Final = 400
"""The most selections that are tried for the way to a move."""
TABS: Final = 40
"""The most presses of Tab between two controls of a message."""


class House(NamedTuple):
    """The bot in a playground of this process, and a page in which matches alone are played."""

    client: Digsite
    page: PersonsPage

    async def newest_table(self) -> Table:
        """The match that was opened last."""
        rows = await self.client.host.store.live_tables()
        return await self.client.host.tables.get(max(row.id for row in rows))


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[House]:
    folder = tmp_path_factory.mktemp("menus")
    settings = Settings(
        _env_file=None,  # pyright: ignore[reportCallIssue]
        discord_token=SecretStr("none"),
        database_path=folder / "digsite.sqlite3",
        register_commands="always",
        agent_delay=(0.0, 0.0),
        new_tables_per_person=0,
        tables_per_person=0,
    )
    clients: list[Digsite] = []
    lines: list[str] = []

    def make(clock: Clock) -> tuple[Digsite, Host, Callable[[], Games]]:
        clients.append(make_client(settings, clock, load_games(None), cogs.setup, shard_count=1))
        return clients[0], clients[0].host, dict

    playing = asyncio.create_task(
        play(settings.database_path, make_client=make, port=0, open_browser=False, say=lines.append)
    )

    async def printed() -> bool:
        return bool(ADDRESS.search("\n".join(lines))) or playing.done()

    await until(printed, "the playground's address", patience=PATIENCE)
    found = ADDRESS.search("\n".join(lines))
    assert found
    async with open_browser() as browser:
        page = await browser.open(found.group(0), "Ana", width=390, height=844)
        yield House(clients[0], page)
        assert page.errors == []
    playing.cancel()
    with suppress(asyncio.CancelledError):
        await playing


@pytest.mark.parametrize("game", GAMES)
async def test_each_menu_of_a_lesson_opens_and_takes_its_choice(house: House, game: str) -> None:
    screens = house.client.host.screens[game]
    lesson = screens.lesson
    assert lesson is not None
    await house.page.go_to("games")
    await house.page.command(f"{game} learn")
    table = await house.newest_table()
    opened = 0
    for number, step in enumerate(lesson.steps, 1):
        await house.page.sees(f"{number}/{len(lesson.steps)}", private=True)
        opened += await every_menu_opens(house.page)
        table = await house.client.host.tables.get(table.id)
        await take(house.page, course(table, screens, step.move))
    assert opened
    assert not (await house.client.host.tables.get(table.id)).live


@pytest.mark.parametrize("game", GAMES)
async def test_a_lesson_is_played_by_keyboard_alone(house: House, game: str) -> None:
    screens = house.client.host.screens[game]
    lesson = screens.lesson
    assert lesson is not None
    page, keys = house.page.page, house.page.page.keyboard
    await house.page.go_to("museum")
    await house.page.command(f"{game} learn")
    table = await house.newest_table()
    for number, step in enumerate(lesson.steps, 1):
        await house.page.sees(f"{number}/{len(lesson.steps)}", private=True)
        table = await house.client.host.tables.get(table.id)
        for press in course(table, screens, step.move):
            await tab_to(page, f'.list > :last-child [data-key="{press.custom_id}"]')
            await keys.press("Enter")
            if press.values is not None:
                await choose_by_keys(house.page, press.values)
            await house.page.wait_ready()
            assert await page.evaluate("() => document.activeElement !== document.body"), press
    assert not (await house.client.host.tables.get(table.id)).live


async def tab_to(page: Page, selector: str) -> None:
    """Presses Shift+Tab or Tab until the control has the focus; Tab begins at what has the focus."""
    control = page.locator(selector)
    for key in ("Shift+Tab", "Tab"):
        for _ in range(TABS):
            if await control.evaluate("control => control === document.activeElement"):
                return
            await page.keyboard.press(key)
    raise AssertionError(f"Tab does not lead to {selector}")


async def choose_by_keys(page: PersonsPage, values: Sequence[str]) -> None:
    keys, menu = page.page.keyboard, page.page.locator(".menu")
    await menu.wait_for()
    options = await menu.locator(".option").all()
    several = await menu.locator("[aria-multiselectable]").count()
    await keys.press("Home")
    for option in options:
        ticked = await option.get_attribute("aria-selected") == "true"
        if (await option.get_attribute("data-value") in values) != (ticked and bool(several)):
            await keys.press("Space" if several else "Enter")
            if not several:
                return
        await keys.press("ArrowDown")
    await keys.press("Enter")


@pytest.mark.parametrize("game", GAMES)
async def test_each_menu_of_a_first_match_opens_and_takes_its_choice(house: House, game: str) -> None:
    screens, rng = house.client.host.screens[game], Random(3)
    await house.page.go_to("Digsite")
    await house.page.command(f"{game} start")
    table_id = (await house.newest_table()).id
    for _ in range(DECISIONS):
        table = await asked(house, table_id)
        if not table.live:
            break
        await every_menu_opens(house.page)
        await take(house.page, some_course(table, screens, rng))


async def asked(house: House, table_id: int) -> Table:
    """The table, once its person is to decide."""

    async def due() -> Table | None:
        table = await house.client.host.tables.get(table_id)
        return table if not table.live or 0 in table.body.asked else None

    return await until(due, "the person's turn")


def some_course(table: Table, screens: Any, rng: Random) -> Sequence[Press]:
    """The presses for a random move; with too many menus, as for five tens, for the one that stands there."""
    game, usual = table.game, table.game.agents["novice"].choose(table.game.view(table.state, 0), rng)
    for move in (*(game.sample(table.state, 0, rng) for _ in range(SAMPLES)), usual):
        with suppress(AssertionError):
            return course(table, screens, move, MOST)
    raise AssertionError("no move has a way")


async def every_menu_opens(page: PersonsPage) -> int:
    """Opens and closes every menu of the newest message, in windows of every size. Returns how many there are."""
    await page.wait_ready()
    menus = page.page.locator(".list > .message").last.locator(".select:not([disabled])")
    for width, height in SIZES:
        await page.page.set_viewport_size({"width": width, "height": height})
        for menu in await menus.all():
            await menu.click()
            await stands_in_the_window(page, page.page.locator(".menu"))
            await page.page.keyboard.press("Escape")
            await page.page.locator(".menu").wait_for(state="detached")
    return await menus.count()


async def stands_in_the_window(page: PersonsPage, box: Locator) -> None:
    await box.wait_for()
    found, size = await box.bounding_box(), page.page.viewport_size
    assert found
    assert size
    assert found["x"] >= 0
    assert found["y"] >= 0
    assert found["x"] + found["width"] <= size["width"]
    assert found["y"] + found["height"] <= size["height"]
    assert await box.locator(".option").first.is_visible()


async def take(page: PersonsPage, presses: Sequence[Press]) -> None:
    """Makes these presses on the page."""
    for press in presses:
        control = page.page.locator(f'.list [data-key="{press.custom_id}"]').last
        await control.click()
        if press.values is not None:
            await page.page.locator(".menu").wait_for()
            await choose(page, press.values)
        await page.wait_ready()


async def choose(page: PersonsPage, values: Sequence[str]) -> None:
    options = page.page.locator(".menu .option")
    if not await page.page.locator(".menu [aria-multiselectable]").count():
        [value] = values
        await page.page.locator(f'.menu .option[data-value="{value}"]').click()
        return
    await tick(options, [await each.get_attribute("data-value") in values for each in await options.all()])
    await page.page.locator(".menu .button").click()
