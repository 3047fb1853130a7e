"""Two processes make reviews of one match at once: one result of each person stands, and nothing is lost."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from types import SimpleNamespace
from typing import Any

import pytest

from bot.replay.findings import Played
from bot.replay.reviews import _Request
from bot.tables.history import own_moves, record_of
from bot.tables.model import Table
from bot.ui.screens.appraisals import Review, Reviewed
from engine.agents.advice import Appraisal, Reason
from engine.agents.search import Outlook
from engine.record import Record
from tests.bot.fleets import Process, fleet, server_of
from tests.bot.replay.records import SCREENS
from tests.bot.tables.samples import ANA, BEN, Presses, match_of


@pytest.fixture
async def processes() -> AsyncIterator[tuple[Process, Process]]:
    async with fleet() as started:
        yield await started.start("one", 0, 1), await started.start("two", 2, 3)


class Maker:
    """A process's findings about the decisions of a seat."""

    def __init__(self, process: Process, table: Table, seat: int) -> None:
        self._reviews, self._tables = process.host.reviews, process.tables
        self._request = _Request(table, seat, 0, 0)

    async def store(self, decisions: int) -> Review:
        """Stores a review that has looked at so many decisions; returns the one that its person is shown."""
        table = self._request.table
        moves = await self._tables.store.moves(table.id)
        record = Record.model_validate_json(record_of(table, moves))
        made = own_moves(record, self._tables.games, moves, self._request.seat, 0)
        played = Played.of(record, self._tables.games, SCREENS[record.game], made)
        figures = (6.5, 0.0, 1.0, Outlook(2.0, 6.0), Outlook(5.0, 12.5))
        cost: Reviewed = played.reviewed(made[3], Appraisal(made[3].move, Reason("due"), *figures))
        review = played.with_course(Review(decisions, [cost], [], []), {made[3].number: Outlook(0.0, 20.0)})
        context: Any = SimpleNamespace(tables=self._tables)
        pending: Any = SimpleNamespace(request=self._request, person=(ANA, BEN)[self._request.seat])
        return await self._reviews._store(context, pending, played, review)


async def over(process: Process) -> Table:
    table, presses = await match_of(process.tables, ANA, BEN, server=server_of(0)), Presses(process.tables)
    while table.live:
        table = await presses.move(table)
    return table


async def test_one_review_stands_and_both_processes_show_it(processes: tuple[Process, Process]) -> None:
    one, two = processes
    table = await over(one)
    makers = [Maker(process, await process.tables.get(table.id), 0) for process in processes]
    shown = await asyncio.gather(*(maker.store(20 + n) for n, maker in enumerate(makers)))
    assert shown[0] == shown[1]
    bodies = [(await process.tables.get(table.id)).body for process in processes]
    assert [body.reviews[0]["decisions"] for body in bodies] == [shown[0].decisions] * 2
    assert (await one.tables.get(table.id)).version == (await two.tables.get(table.id)).version


async def test_reviews_of_several_people_at_once_are_all_stored(processes: tuple[Process, Process]) -> None:
    table = await over(processes[0])
    for again in range(3):
        makers = [Maker(process, table, seat) for seat, process in enumerate(processes)]
        await asyncio.gather(*(maker.store(20) for maker in makers))
        row = await processes[again % 2].tables.get(table.id)
        assert {*row.body.reviews} == {0, 1}
