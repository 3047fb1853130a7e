"""Makes the README's pictures of a match in the playground: its board, and one player's hand.

    python tools/screenshot.py [docs]

The steps below are what people do before the pictures are taken, each by whoever is named. Both pictures are as wide as
a phone's screen and hold one message each.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
from collections.abc import Mapping
from functools import partial
from pathlib import Path

from playwright.async_api import Error as PlaywrightError

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.bot.playground.browser import REPOSITORY, PersonsPage, open_browser, running_playground, until

FOLDER = REPOSITORY / "docs"
PLAY = (sys.executable, "-m", "bot", "play")
# The agents move quickly here. Nobody watches them.
ENVIRONMENT = {"AGENT_DELAY": "[0.1, 0.2]"}
DATABASE_VARIABLE = "DATABASE_PATH"
# A slash command with its options, a button's label, or a text in “…” that is waited for. A button with an ellipsis is
# pressed until what it shows has the application's own emoji. The pictures are of what the one who acts last sees.
STEPS = (
    ("Ana", "/archaeology start agents=2"),
    ("Ana", "Start Match"),
    ("Ana", "Hand …"),
    ("Ana", "“Your hand”"),
    ("Ana", "Dig"),
    ("Ana", "End Turn"),
    ("Ana", "Dig"),
    ("Ana", "“End Turn”"),
    ("Ana", "“Ana may trade”"),
)
# The picture's file, a button that its message has, and whether only one person sees that message.
PICTURES = (("board.png", "More", False), ("hand.png", "End Turn", True))
WIDTH, HEIGHT, SCALE = 390, 1900, 1.5
"""A phone's width, room for the longest message, and how many dots a pixel of the page has."""
PATIENCE = 45.0
"""Seconds for a step: the playground draws the application's emoji in the meantime, and the pictures at the end."""
ATTEMPTS = 8
"""Chance is real here: a Thief or a Sandstorm asks for other steps. Another match is begun then, after `PATIENCE`."""


async def take_pictures(folder: Path, environment: Mapping[str, str]) -> None:
    """Play `STEPS` in a playground of its own, and save what is then to be seen."""
    async with running_playground(PLAY, environment=environment) as playground, open_browser() as browser:
        pages: dict[str, PersonsPage] = {}
        for person, step in STEPS:
            if person not in pages:
                pages[person] = await browser.open(
                    playground.url, person, width=WIDTH, height=HEIGHT, scale=SCALE
                )
            async with asyncio.timeout(PATIENCE):
                await take_step(pages[person], step)
        page = pages[STEPS[-1][0]]
        for file, button, private in PICTURES:
            await until(partial(is_whole, page, private=private), f"all of {file}", patience=PATIENCE)
            await page.picture_of_message(folder / file, button, private=private)
        await playground.stop()


async def take_step(page: PersonsPage, step: str) -> None:
    """Do one thing on a page; see `STEPS`."""
    if step.startswith("/"):
        name, *options = re.split(r"\s+(?=\w+=)", step[1:])
        await page.command(name, **dict(option.split("=", 1) for option in options))
    elif step.startswith("“"):
        await page.sees(step.strip("“”"))
    elif step.endswith(" …"):
        await until(partial(shows_emoji, page, step.removesuffix(" …")), "emoji", patience=PATIENCE)
    else:
        await page.press(step)


async def shows_emoji(page: PersonsPage, button: str) -> bool:
    """Press a button of the table. True if what it shows has the application's own emoji."""
    await page.press(button, private=False)
    return await page.page.locator(".message.mine").last.locator("img.emoji").count() > 0


async def is_whole(page: PersonsPage, *, private: bool) -> bool:
    """Whether the newest message with a picture has its emoji, and its picture is of what its text says."""
    messages = page.page.locator(".message.mine" if private else ".message:not(.mine)")
    message = messages.filter(has=page.page.locator(".picture img")).last
    if not await message.locator("img.emoji").count():
        return False
    text = await message.inner_text()
    shown = await message.locator(".picture img").first.get_attribute("alt") or ""
    if private:
        hand = re.search(r"Your hand · (\d+) card", text)
        return hand is not None and sum(map(int, re.findall(r"(\d+) [A-Z]", shown))) == int(hand[1])
    players = re.findall(r"(\d+ cards?) · (\$\d+)", text)
    return bool(players) and all(f"{cards}, {money}" in shown for cards, money in players)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, nargs="?", default=FOLDER)
    options = parser.parse_args()
    for attempt in range(1, ATTEMPTS + 1):
        with tempfile.TemporaryDirectory() as folder:
            environment = {**ENVIRONMENT, DATABASE_VARIABLE: str(Path(folder) / "digsite.sqlite")}
            try:
                asyncio.run(take_pictures(options.folder, environment))
                break
            except (AssertionError, PlaywrightError, TimeoutError):
                if attempt == ATTEMPTS:
                    raise


if __name__ == "__main__":
    main()
