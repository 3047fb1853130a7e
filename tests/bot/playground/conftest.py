"""The house in which the tests of the page run: one for each module, whose pages close after each test."""

from __future__ import annotations

from collections.abc import AsyncGenerator

import pytest
import pytest_asyncio

from tests.bot.playground.house import House, open_house


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def house(tmp_path_factory: pytest.TempPathFactory) -> AsyncGenerator[House]:
    async with open_house(tmp_path_factory.mktemp("playground")) as house:
        yield house


@pytest_asyncio.fixture(loop_scope="module")
async def closed_at_the_end(house: House) -> AsyncGenerator[None]:
    yield
    await house.close_pages()
