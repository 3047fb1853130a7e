"""A playground with the whole bot for the tests of one module, and people who open its page in a browser."""

from __future__ import annotations

import sys
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.bot.playground.browser import CHROMIUM, PersonsPage, Visitors, open_browser, running_playground

BOT = (sys.executable, "-m", "bot", "play")
MARKS = [
    pytest.mark.system,
    pytest.mark.asyncio(loop_scope="module"),
    pytest.mark.usefixtures("closed_at_the_end"),
    pytest.mark.skipif(not Path(CHROMIUM).exists(), reason=f"there is no {CHROMIUM}"),
]
"""The marks of a module whose tests share a house."""
QUICK = {"AGENT_DELAY": "[0.1, 0.2]", "NEW_TABLES_PER_PERSON": "0", "TABLES_PER_PERSON": "0"}
"""Computer players who do not keep a test waiting, and people who open any number of tables."""


@dataclass
class House:
    """A running playground and a browser."""

    url: str
    browser: Visitors
    pages: list[PersonsPage] = field(default_factory=list[PersonsPage])
    """The pages that the present test has opened."""

    async def open(self, people: str, place: str = "", *, width: int = 390, height: int = 844) -> PersonsPage:
        """Opens a page as this person, in this place."""
        page = await self.browser.open(self.url, people, width=width, height=height)
        self.pages.append(page)
        if place:
            await page.go_to(place)
        return page

    async def close_pages(self) -> None:
        """Closes the test's pages, because a place that is open somewhere has no unread messages."""
        while self.pages:
            page = self.pages.pop()
            await page.page.context.close()
            assert page.errors == [], page.errors
            assert page.elsewhere == []  # the playground needs no network


@asynccontextmanager
async def open_house(folder: Path) -> AsyncGenerator[House]:
    """Runs the playground; at its end there is no error in its log."""
    environment = {**QUICK, "DATABASE_PATH": str(folder / "digsite.sqlite3")}
    async with running_playground(BOT, environment=environment) as playground, open_browser() as browser:
        yield House(playground.url, browser)
        await playground.stop()
        assert "ERROR" not in playground.output, playground.output
        assert "Traceback" not in playground.output, playground.output
