"""The playground's page without a mouse, and by the rules of accessibility."""

from __future__ import annotations

import asyncio

import pytest
from playwright.async_api import Page, expect

from tests.bot.playground.house import MARKS, House

axe = pytest.importorskip("axe_playwright_python.async_playwright")

pytestmark = MARKS

WIDTHS = (360, 1280)
TABS = 60
"""The most presses of Tab that lead to any control of a page with a few messages."""


async def faults(page: Page) -> list[str]:
    """The findings of axe on the page as it is now, frames included."""
    found = (await axe.Axe().run(page)).response["violations"]
    return [f"{each['id']}: {node['html'][:200]}" for each in found for node in each["nodes"]]


@pytest.mark.parametrize("width", WIDTHS)
async def test_axe_finds_nothing_on_the_page_its_lists_and_its_dialogs(house: House, width: int) -> None:
    page = await house.open("Ana", width=width, height=800)
    assert await faults(page.page) == []
    await page.go_to({360: "games", 1280: "museum"}[width])
    await page.command("archaeology start", agents=1)
    await page.press("Rules & Settings")
    await page.press("Settings")
    assert await faults(page.page) == []
    await page.page.locator("dialog .select").click()
    assert await faults(page.page) == []
    await page.page.keyboard.press("Escape")
    await page.page.keyboard.press("Escape")
    await page.press("Lucky Word")
    assert await faults(page.page) == []
    await page.page.keyboard.press("Escape")
    await page.press("Start Match")
    await page.press("Hand", private=False)
    await page.sees(" cards · ", private=True)
    await page.page.locator(".more:visible, .more").last.focus()
    await page.page.keyboard.press("Enter")
    assert await faults(page.page) == []
    await page.page.keyboard.press("Escape")
    for text in ("/", "/archaeology start ", "agents:"):
        await page.page.locator(".composer .line").fill(text)
        assert await faults(page.page) == []
    await page.page.keyboard.press("Escape")
    if width < 700:
        await page.page.locator(".drawer").click()
        await asyncio.sleep(0.3)  # the list slides in
        assert await faults(page.page) == []


async def test_axe_finds_nothing_where_two_people_stand_side_by_side(house: House) -> None:
    page = await house.browser.open(house.url, "Ana,Ben", width=1280, height=900, waits=False)
    house.pages.append(page)
    for person in ("Ana", "Ben"):
        frame = page.page.frame_locator(f'iframe[title="{person}’s view"]')
        await expect(frame.locator(".message").first).to_be_visible(timeout=30_000)
    assert await faults(page.page) == []


async def tab_to(page: Page, selector: str, *, back: bool = False) -> None:
    """Presses Tab until an element that fits the selector has the focus."""
    for _ in range(TABS):
        if await page.evaluate("selector => document.activeElement?.matches(selector)", selector):
            return
        await page.keyboard.press("Shift+Tab" if back else "Tab")
    raise AssertionError(f"Tab does not lead to {selector}")


async def test_a_match_is_begun_and_played_by_keyboard_alone(house: House) -> None:
    page = await house.open("Chen", "camp", width=1280, height=900)
    keys = page.page.keyboard
    await keys.press("/")
    await keys.type("archaeology start")
    await keys.press("Enter")  # chooses the command
    await keys.press("Enter")  # sends it
    await page.sees("1 of 4 taken")
    await tab_to(page.page, '.button[data-key*=":lobby-more:"]')
    await keys.press("Enter")
    settings = '.button[data-key*=":settings:"]'
    await page.page.locator(settings).wait_for()
    await tab_to(page.page, settings)
    await keys.press("Enter")
    limit = page.page.locator('dialog .select[aria-label="Turn limit"]')
    await expect(limit).to_be_focused()
    await keys.press("Enter")
    await keys.press("3")  # 3 days
    await keys.press("Enter")
    await expect(limit).to_have_text("3 days")
    await expect(limit).to_be_focused()
    await tab_to(page.page, "dialog [type=submit]")
    await keys.press("Enter")
    await page.sees("Turn limit: 3 days")
    await expect(page.page.locator(settings)).to_be_focused()
    await tab_to(page.page, '.button[data-key*=":word:"]')
    await keys.press("Enter")
    await page.page.locator("dialog input").wait_for()
    await keys.type("Owl")
    for _ in range(4):  # the dialog keeps the focus
        await keys.press("Tab")
        assert not await page.page.evaluate("() => Boolean(document.activeElement.closest('.view'))")
    await page.page.locator("dialog input").focus()
    await keys.press("Enter")
    await page.sees("Owl", private=False)
    await page.page.locator("dialog").wait_for(state="detached")


async def test_keys_move_within_a_list_and_esc_closes_it_without_a_choice(house: House) -> None:
    page = await house.open("Dora", "market", width=390)
    await page.command("settings")
    trigger = page.page.locator('.select[aria-label="Quiet hours"]')
    await trigger.focus()
    keys = page.page.keyboard
    await keys.press("Enter")
    options = page.page.locator(".menu .option")
    count = await options.count()
    for key, place in (
        ("End", count - 1),
        ("ArrowDown", 0),
        ("ArrowUp", count - 1),
        ("Home", 0),
        ("ArrowDown", 1),
    ):
        await keys.press(key)
        assert await options.nth(place).evaluate("option => option.classList.contains('active')"), key
        assert await options.nth(place).is_visible()
    await keys.press("Escape")
    await expect(page.page.locator(".menu")).to_have_count(0)
    await expect(trigger).to_be_focused()
    await page.sees("Quiet hours: none")


async def test_the_list_of_places_and_inspect_are_reached_by_keys(house: House) -> None:
    page = await house.open("Dora", "games", width=390)
    keys = page.page.keyboard
    await page.page.locator("body").press("Tab")
    await tab_to(page.page, ".drawer")
    await keys.press("Enter")
    await tab_to(page.page, ".place[data-place]:not([aria-current])")
    await keys.press("Enter")
    await expect(page.page.locator("h1")).to_contain_text("museum")
    await page.go_to("games")
    await tab_to(page.page, ".more")
    await keys.press("i")
    dialog = page.page.get_by_role("dialog", name="Inspect")
    await expect(dialog).to_contain_text("components")
    await keys.press("Escape")
    await expect(dialog).to_have_count(0)
