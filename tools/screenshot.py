"""Makes a picture of a match in the playground, for the documentation.

    python tools/screenshot.py [docs/playground.png]

The steps below are what people do before the picture is taken, each by whoever is named.
"""

from __future__ import annotations

import argparse
import asyncio
import re
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

from playwright.async_api import Error as PlaywrightError

sys.path.insert(0, str(Path(__file__).parents[1]))

from tests.bot.playground.browser import REPOSITORY, PersonsPage, open_browser, running_playground

PICTURE = REPOSITORY / "docs" / "playground.png"
PLAY = (sys.executable, "-m", "bot", "play")
DATABASE_VARIABLE = "DATABASE_PATH"
# A slash command with its options, a button's label, or a text in “…” that is waited for. The picture is of
# what the one who acts last sees.
STEPS = (
    ("Ana", "/archaeology start agents=2"),
    ("Ana", "Start Match"),
    ("Ana", "“@Ana, ”"),
    ("Ana", "Hand"),
    ("Ana", "“Your hand”"),
    ("Ana", "Dig"),
    ("Ana", "“End Turn”"),
)
DRAWN = 10.0
"""Seconds in which the playground draws the application's emoji, which are seen from then on."""
ATTEMPTS = 5
"""Chance is real here: a Thief or a Sandstorm asks for other steps, and another match is begun."""


async def take_picture(
    path: Path,
    *,
    command: Sequence[str] = PLAY,
    environment: Mapping[str, str],
    steps: Sequence[tuple[str, str]] = STEPS,
    width: int = 1280,
    height: int = 1860,
) -> None:
    """Play `steps` in a playground of its own, and save what is then to be seen."""
    async with running_playground(command, environment=environment) as playground, open_browser() as browser:
        await asyncio.sleep(DRAWN)
        pages: dict[str, PersonsPage] = {}
        for person, step in steps:
            if person not in pages:
                pages[person] = await browser.open(playground.url, person, width=width, height=height)
            await take_step(pages[person], step)
        await pages[steps[-1][0]].screenshot(path)
        await playground.stop()


async def take_step(page: PersonsPage, step: str) -> None:
    """Do one thing on a page; see `STEPS`."""
    if step.startswith("/"):
        name, *options = re.split(r"\s+(?=\w+=)", step[1:])
        await page.command(name, **dict(option.split("=", 1) for option in options))
    elif step.startswith("“"):
        await page.sees(step.strip("“”"))
    else:
        await page.press(step)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("picture", type=Path, nargs="?", default=PICTURE)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        environment = {DATABASE_VARIABLE: str(Path(folder) / "digsite.sqlite")}
        for attempt in range(1, ATTEMPTS + 1):
            try:
                asyncio.run(take_picture(options.picture, environment=environment))
                break
            except (AssertionError, PlaywrightError):
                if attempt == ATTEMPTS:
                    raise


if __name__ == "__main__":
    main()
