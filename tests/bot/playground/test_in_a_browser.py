"""The playground in a real browser: what people do there, and what stays as it was while others play."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from playwright.async_api import Locator

from tests.bot.playground.browser import (
    CHROMIUM,
    PersonsPage,
    RunningPlayground,
    Visitors,
    open_browser,
    running_playground,
    until,
)

pytestmark = [
    pytest.mark.system,
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"there is no {CHROMIUM}"),
]

TOY = [sys.executable, "-m", "tests.bot.playground.toy"]


@asynccontextmanager
async def toys(folder: Path, *, pace: float = 1, port: int = 0) -> AsyncGenerator[RunningPlayground]:
    environment = {"TOY_DATABASE": str(folder / "toy.sqlite"), "TOY_PACE": str(pace)}
    async with running_playground(TOY, port=port, environment=environment) as playground:
        yield playground
        assert "ERROR" not in playground.output, playground.output
        assert "Traceback" not in playground.output, playground.output


@pytest.fixture
async def browser() -> AsyncGenerator[Visitors]:
    async with open_browser() as visitors:
        yield visitors


def nothing_is_wrong(*pages: PersonsPage) -> None:
    for page in pages:
        assert page.errors == []
        assert page.elsewhere == []  # the playground needs no network


async def test_two_people_play_in_two_windows(tmp_path: Path, browser: Visitors) -> None:
    async with toys(tmp_path) as playground:
        ana = await browser.open(playground.url, "Ana")
        ben = await browser.open(playground.url, "Ben", width=400, height=800)
        await ana.command("toy start", robots=1, mood="Sad")
        assert await ana.private_text() == await ana.sees("The toy table is open.", private=True)
        await ben.sees("Robot moves, 0 left", private=False)

        async def picture_shown() -> bool:
            return await ben.pictures_shown() == 1

        await until(picture_shown, "the picture of the board")
        await ben.press("Hand")
        await ben.select("Finds to offer", "Coin", "Dagger")
        assert "Offered: Coin, Dagger" in await ben.private_text()
        await ben.press("Trade")
        await ana.sees("Ben trades Coin + Dagger", private=False)
        assert not any("Your hand" in text for text in await ana.messages())

        await ana.press("Word")
        await ana.fill_form(word="Owl")
        await ana.say("Well played!")
        await ben.sees("Ana says Owl")
        await ben.sees("Well played!")
        nothing_is_wrong(ana, ben)


async def test_selections_stay_while_others_play(tmp_path: Path, browser: Visitors) -> None:
    async with toys(tmp_path, pace=0.5) as playground:
        ana = await browser.open(playground.url, "Ana")
        ben = await browser.open(playground.url, "Ben")
        chen = await browser.open(playground.url, "Chen")
        await ana.command("toy start", robots=20)
        await ben.press("Hand")
        await ben.half_select("Finds to offer", "Coin", "Earring")
        await chen.press("Word")
        await chen.type_into_form(word="Owl")
        await ana.compose("toy start", robots=2, mood="Merry")
        left = int((await ben.sees("Robot moves")).split(" left")[-2].rpartition(" ")[2])
        await ben.sees(f"Robot moves, {left - 4} left")

        await ben.apply()
        assert "Offered: Coin, Earring" in await ben.private_text()
        await chen.fill_form()
        await chen.sees("Kept: Owl", private=True)
        await ana.page.get_by_role("button", name="Send").click()
        await chen.sees("Robot moves, 0 left")
        nothing_is_wrong(ana, ben, chen)


async def test_a_menu_that_the_bot_has_set_back_offers_the_same_choice_again(
    tmp_path: Path, browser: Visitors
) -> None:
    async with toys(tmp_path) as playground:
        ana = await browser.open(playground.url, "Ana")
        await ana.command("toy start")
        await ana.press("Hand")
        for _ in range(2):
            await ana.select("Finds to offer", "Coin")
            assert "Offered: Coin" in await ana.private_text()
            await ana.press("Trade")
            await ana.sees("Offered: nothing", private=True)
        assert (await ana.public_text()).count("Ana trades Coin") == 2
        nothing_is_wrong(ana)


async def test_the_board_does_not_jump_when_its_picture_changes(tmp_path: Path, browser: Visitors) -> None:
    async with toys(tmp_path, pace=0.7) as playground:
        page = await browser.open(playground.url, "Ana")
        await page.command("toy start", robots=10)
        # The toy shows its newest six lines, and an odd board has a button more, which fits beside the others.
        await page.sees("Toy table, 6 moves")
        heights = await page.page.evaluate(
            """() => new Promise((resolve) => {
                const heights = new Set(), end = performance.now() + 2500;
                const measure = () => {
                    heights.add([...document.querySelectorAll(".message")].at(-1).offsetHeight);
                    performance.now() < end ? requestAnimationFrame(measure) : resolve([...heights]);
                };
                measure();
            })"""
        )
        assert "6 moves" not in await page.public_text()
        assert len(heights) == 1, heights


async def test_what_is_pressed_stays_where_it_is_with_the_focus(tmp_path: Path, browser: Visitors) -> None:
    """The board grows by a line a move, and an odd one has a button more before the others."""
    async with toys(tmp_path) as playground:
        page = await browser.open(playground.url, "Ana", height=500)
        await page.command("toy start")
        await page.say("Below the board " * 120)
        dig = page.page.get_by_role("button", name="Dig", exact=True)
        await dig.evaluate("button => button.scrollIntoView({block: 'center'})")
        await dig.focus()
        before = await dig.bounding_box()
        assert before
        for moves in range(1, 5):
            await page.page.keyboard.press("Enter")
            await page.sees(f"Toy table, {moves} moves")
            await page.wait_ready()
            assert await dig.evaluate("button => button === document.activeElement"), moves
            now = await dig.bounding_box()
            assert now
            assert abs(now["y"] - before["y"]) < 2, moves


async def test_press_counts_though_a_message_moves_the_button_meanwhile(
    tmp_path: Path, browser: Visitors
) -> None:
    async with toys(tmp_path) as playground:
        ana, ben = (
            await browser.open(playground.url, "Ana", height=500),
            await browser.open(playground.url, "Ben"),
        )
        await ana.command("toy start")
        dig = ana.page.get_by_role("button", name="Dig", exact=True)
        await dig.hover()
        await ana.page.mouse.down()
        before = await dig.bounding_box()
        await ben.say("Above the end " * 40)
        await ana.sees("Above the end")
        assert await dig.bounding_box() != before
        await ana.page.mouse.up()
        await ana.sees("Toy table, 1 move")


async def test_focus_goes_to_the_nearest_control_if_its_own_is_gone(
    tmp_path: Path, browser: Visitors
) -> None:
    async with toys(tmp_path) as playground:
        page = await browser.open(playground.url, "Ana")
        await page.command("toy start")
        await page.press("Dig")
        await page.page.get_by_role("button", name="Odd", exact=True).focus()
        await page.page.keyboard.press("Enter")
        await page.sees("Toy table, 2 moves")
        await page.wait_ready()
        assert await page.page.get_by_role("button", name="Dig", exact=True).evaluate(
            "one => one === document.activeElement"
        )
        await page.press("Hand")
        await page.page.get_by_role("button", name="Trade", exact=True).focus()
        await page.page.locator(".message.mine .private button").last.dispatch_event("click")
        await page.page.locator(".message", has_text="Your hand").wait_for(state="detached")
        assert await page.page.evaluate("() => document.activeElement !== document.body")


async def test_a_link_leads_to_the_message_and_not_out_of_the_playground(
    tmp_path: Path, browser: Visitors
) -> None:
    async with toys(tmp_path) as playground:
        page = await browser.open(playground.url, "Ana", height=500)
        await page.command("toy start")
        for _ in range(3):
            await page.press("Hand")
        board = page.page.locator(".message", has_text="Toy table, 0 moves")
        assert not await in_sight(board)
        await page.follow_link("Board")

        async def board_in_sight() -> bool:
            return await in_sight(board)

        await until(board_in_sight, "the board")
        assert len(page.page.context.pages) == 1
        nothing_is_wrong(page)


async def in_sight(message: Locator) -> bool:
    """Whether the message's beginning is where the conversation is seen."""
    message_box, timeline = await message.bounding_box(), message.page.locator(".timeline")
    seen = await timeline.bounding_box()
    assert message_box
    assert seen
    return seen["y"] - 1 <= message_box["y"] < seen["y"] + seen["height"]


async def test_one_window_serves_several_people(tmp_path: Path, browser: Visitors) -> None:
    async with toys(tmp_path) as playground:
        page = await browser.open(playground.url, "Ana")
        await page.command("toy start")
        await page.become("Dora")
        await page.press("Dig")
        await page.sees("Dora: Dig")
        assert await page.messages(private=True) == []
        await page.become("Ana")
        assert "The toy table is open." in await page.private_text()
        nothing_is_wrong(page)


async def test_a_page_left_open_works_again_after_a_restart(tmp_path: Path, browser: Visitors) -> None:
    async with toys(tmp_path) as playground:
        page = await browser.open(playground.url, "Ana")
        await page.command("toy start")
        await page.press("Dig")
        await page.sees("Ana: Dig")
        port = int(playground.url.split(":")[2].split("/")[0])
        assert await playground.stop() == 0
    await asyncio.sleep(1)
    async with toys(tmp_path, port=port):
        await page.page.reload()
        await page.sees("Ana: Dig")
        await page.press("Dig")
        await page.sees("Toy table, 2 moves")
        assert [error for error in page.errors if "ERR_CONNECTION_REFUSED" not in error] == []
