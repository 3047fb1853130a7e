"""The playground's page: from a press in the browser to the board's new picture, early and late in a long day."""

from __future__ import annotations

import asyncio
import json
import tempfile
from pathlib import Path
from statistics import median, quantiles
from typing import Final

import aiohttp

from tests.bench.report import Report
from tests.bot.playground.browser import PersonsPage, open_browser
from tests.bot.playground.test_in_a_browser import toys

PRESSES: Final = 30
SAID: Final = 2_000
"""The messages of a long day."""
PRESS_TO_PICTURE: Final = """(moves) => new Promise((resolve) => {
    const board = () => [...document.querySelectorAll(".message:has(.picture)")].at(-1);
    const button = [...board().querySelectorAll("button.button")].find((each) => each.textContent === "Dig");
    const before = board().querySelector(".picture img").src, start = performance.now();
    button.click();
    const look = () => {
        const image = board().querySelector(".picture img");
        const written = board().textContent.includes(`Toy table, ${moves} moves`);
        const drawn = image.src !== before && image.complete;
        written && drawn ? resolve(performance.now() - start) : requestAnimationFrame(look);
    };
    look();
})"""


def run() -> Report:
    """The page with the toy bot of the playground's tests, so that hardly anything but the page takes time."""
    rows = asyncio.run(_measured())
    notes = [
        f"{PRESSES} presses each, in a headless Chromium on the same machine.",
        "SimCord's Preview, the page before this one, took 861 ms in the median with few messages, minutes before this "
        "page took 191 ms, on two cores that were busy otherwise.",
    ]
    return Report("Playground: press to picture", ("messages", "median ms", "p95 ms"), rows, notes)


async def _measured() -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    with tempfile.TemporaryDirectory() as folder:
        async with toys(Path(folder)) as playground, open_browser() as browser:
            page = await browser.open(playground.url, "Ana")
            await page.command("toy start")
            times = await _presses(page, 0)
            rows.append(("few", *_figures(times)))
            await _say(playground.url, SAID)
            await page.command("toy start")
            times = await _presses(page, 0)
            rows.append((f"{SAID:,}", *_figures(times)))
            await playground.stop()
    return rows


async def _presses(page: PersonsPage, moves: int) -> list[float]:
    await page.wait_ready()
    return [await page.page.evaluate(PRESS_TO_PICTURE, moves + number) for number in range(1, PRESSES + 1)]


def _figures(times: list[float]) -> tuple[str, str]:
    return f"{median(times):.0f}", f"{quantiles(times, n=20)[-1]:.0f}"


async def _say(url: str, count: int) -> None:
    """Writes so many messages into the channel, as somebody else."""
    async with aiohttp.ClientSession() as session, session.ws_connect(f"{url}live?person=ben") as socket:
        for number in range(1, count + 1):
            await socket.send_json({"do": "say", "n": number, "text": f"Message {number}"})
        async for message in socket:
            if json.loads(message.data).get("re") == count:
                return
