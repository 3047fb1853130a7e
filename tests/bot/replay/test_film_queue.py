"""Which film is drawn next, and which is not drawn at all."""

from __future__ import annotations

import asyncio
import multiprocessing
import time
from collections.abc import AsyncIterator, Iterator
from typing import Any
from unittest.mock import patch

import pytest

from bot.ratelimit.fair_queue import QueueKey
from bot.replay.film import Film, NoFilm
from bot.replay.film_queue import FilmQueue, FilmRequest, Key, PendingFilm
from bot.replay.progress import FILM_QUEUE, FilmQueueLimits
from bot.tables.refusals import Refused
from tests.bot.replay.records import ENGINES, SCREENS, played
from tests.cogs.painted_screens import PaintedScreens
from tests.patience import PATIENCE

ANA, BEN, STRANGER = 1, 2, 3
HERE, THERE = 100, 200
"""Servers."""


class Process:
    """Stands in for the process that draws films: a film is ready when the test says so."""

    def __init__(self) -> None:
        self.begun: list[Key] = []
        self.ended: list[Key] = []
        self._ready: asyncio.Future[Film] | None = None

    async def made(self, order: FilmRequest, _counts: Any) -> Film:
        assert self._ready is None, "one film is drawn at a time"
        self.begun.append(order.key)
        self._ready = asyncio.get_running_loop().create_future()
        try:
            return await self._ready
        finally:
            self._ready = None
            self.ended.append(order.key)

    async def finish(self) -> Key:
        """Finishes the film that is being drawn, and lets the next one begin."""
        await begin()
        assert self._ready is not None
        self._ready.set_result(Film(b"GIF", 2, 1))
        key = self.begun[-1]
        await begin()
        return key


@pytest.fixture
def process() -> Iterator[Process]:
    process = Process()
    with patch.object(FilmQueue, "_made", lambda _replays, *given: process.made(*given)):
        yield process


@pytest.fixture
def limits() -> FilmQueueLimits:
    return FILM_QUEUE


@pytest.fixture
async def replays(limits: FilmQueueLimits) -> AsyncIterator[FilmQueue]:
    replays = FilmQueue(SCREENS, limits=limits)
    yield replays
    replays.close()
    await begin()


async def begin() -> None:
    """Lets what is due happen."""
    for _round in range(6):
        await asyncio.sleep(0)


def order(table: int, moves: int = 0) -> FilmRequest:
    return FilmRequest((table, moves, 0, False), "{}")


class Asker:
    """Counts presses, so that each has an id of its own."""

    def __init__(self, replays: FilmQueue) -> None:
        self.replays, self.presses = replays, 0

    def __call__(self, key: QueueKey, table: int, moves: int = 0) -> PendingFilm:
        self.presses += 1
        return self.replays.make(order(table, moves), key, self.presses)


@pytest.fixture
def ask(replays: FilmQueue) -> Asker:
    return Asker(replays)


async def test_newest_request_of_a_person_replaces_the_queued_one(process: Process, ask: Asker) -> None:
    for moves in range(10):
        ask((HERE, ANA), 1, moves)
        await begin()
    assert ask.replays.waiting == 0
    stranger = ask((THERE, STRANGER), 2)
    assert await process.finish() == (1, 9, 0, False)
    assert await process.finish() == (2, 0, 0, False)
    assert stranger.result.done()
    assert ask.replays.made == 2, "the others were ended"
    assert len(process.ended) == len(process.begun) == 11


async def test_a_film_of_another_table_is_drawn_to_its_end_and_one_alone_waits(
    process: Process, ask: Asker
) -> None:
    drawn, dropped, waiting = (ask((HERE, ANA), table) for table in (1, 2, 3))
    assert (drawn.begun, waiting.begun) == (True, False)
    with pytest.raises(NoFilm, match="superseded"):
        await dropped.result
    assert [(await process.finish())[0] for _ in range(2)] == [1, 3]


async def test_next_film_belongs_to_the_least_recent_use(process: Process, ask: Asker) -> None:
    """Those of one server have had films drawn already; whoever is a stranger there comes before them."""
    ask((HERE, ANA), 1)
    await process.finish()
    ask((HERE, BEN), 2)
    ask((HERE, ANA), 3)
    ask((THERE, STRANGER), 4)
    assert [(await process.finish())[0] for _ in range(3)] == [2, 4, 3]


async def test_one_account_in_many_servers_gets_no_more_than_others(process: Process, ask: Asker) -> None:
    ask((HERE, ANA), 1)
    await begin()
    ask((HERE + 1, ANA), 2)
    ask((THERE, STRANGER), 3)
    await process.finish()
    assert process.begun[-1][0] == 3


async def test_shared_film_starts_at_the_turn_of_any_waiting_person(process: Process, ask: Asker) -> None:
    ask((HERE, ANA), 1)
    await process.finish()
    ask((HERE, BEN), 2)
    ask((HERE, ANA), 3)
    ask((HERE, 4), 4)
    shared = ask((THERE, STRANGER), 3)
    await process.finish()
    assert process.begun[-1][0] == 3
    await process.finish()
    assert shared.result.done()
    await process.finish()
    assert [key[0] for key in process.begun] == [1, 2, 3, 4], "it is drawn once"


async def test_film_is_cancelled_when_the_last_waiting_person_leaves(process: Process, ask: Asker) -> None:
    film = ask((HERE, ANA), 1)
    assert ask((HERE, ANA), 1) is film
    assert ask((HERE, BEN), 1) is film
    await begin()
    for person, press in ((ANA, 1), (ANA, 1), (BEN, 3)):
        ask.replays.leave(film, person, press)
    await begin()
    assert process.ended == []
    ask.replays.leave(film, ANA, 2)
    await begin()
    assert process.ended == [film.request.key]
    assert ask((HERE, BEN), 1) is not film, "a film that is being ended is not joined"
    await process.finish()
    assert ask.replays.made == 1


async def test_returning_person_is_not_removed_by_the_first_press(process: Process, ask: Asker) -> None:
    film = ask((HERE, ANA), 1)
    ask((HERE, BEN), 1)
    ask((HERE, ANA), 1, moves=1)
    assert not film.is_awaited(ANA, 1)
    ask((HERE, ANA), 1)
    ask.replays.leave(film, ANA, 1)
    assert film.is_awaited(ANA, 4)


@pytest.mark.parametrize("limits", [FilmQueueLimits(waiting=3, waiting_here=2)])
async def test_queue_is_limited_in_total_and_per_server(process: Process, ask: Asker) -> None:
    ask((HERE, 10), 1)
    for number in range(2):
        ask((HERE, 11 + number), 2 + number)
    with pytest.raises(Refused, match="films-full"):
        ask((HERE, 13), 4)
    ask((HERE, 13), 2)
    ask((THERE, STRANGER), 5)
    with pytest.raises(Refused, match="films-full"):
        ask((THERE + 1, 14), 6)
    assert ask.replays.waiting == 3


@pytest.mark.parametrize("limits", [FilmQueueLimits(waiting=2)])
async def test_refused_request_keeps_the_earlier_one(process: Process, ask: Asker) -> None:
    ask((HERE, ANA), 1)
    shared = ask((HERE, BEN), 2)
    ask((HERE, STRANGER), 2)
    alone = ask((HERE, 5), 3)
    with pytest.raises(Refused, match="films-full"):
        ask((HERE, BEN), 4)
    assert shared.people.keys() == {BEN, STRANGER}
    ask((HERE, 5), 4)
    assert alone.result.done()
    assert ask.replays.waiting == 2


async def test_a_film_of_a_match_that_has_gone_on_gives_its_room_to_others(
    process: Process, ask: Asker
) -> None:
    for table, moves in ((1, 4), (2, 0), (1, 7)):
        ask((HERE, ANA), table, moves)
        await process.finish()
    kept = [order for order in ((1, 4), (2, 0), (1, 7)) if ask.replays.cached((*order, 0, False))]
    assert kept == [(2, 0), (1, 7)], "nobody can ask for the film after 4 moves again"


async def test_close_fails_all_waiting_films(process: Process, ask: Asker) -> None:
    films = [ask((HERE, person), person) for person in (ANA, BEN)]
    await begin()
    ask.replays.close()
    await begin()
    for film in (*films, ask((THERE, STRANGER), 7)):
        with pytest.raises(NoFilm, match="closing"):
            await film.result
    assert len(process.begun) == 1


async def test_cancelled_film_ends_its_process_and_the_next_one_starts() -> None:
    """The real process, and a film that is really drawn."""
    replays = FilmQueue({"archaeology": PaintedScreens(ENGINES["archaeology"])})
    record = played("archaeology", moves=4).model_dump_json()
    first = replays.make(FilmRequest((1, 4, 0, False), record), (HERE, ANA), 1)
    await asyncio.sleep(0)
    (drawing,) = await children()
    replays.leave(first, ANA, 1)
    second = replays.make(FilmRequest((2, 4, 0, False), record), (HERE, BEN), 2)
    film = await asyncio.wait_for(second.result, PATIENCE)
    assert film.data.startswith(b"GIF")
    await asyncio.to_thread(drawing.join, 60)
    assert drawing.exitcode != 0, "it was ended, and has not finished"
    assert replays.made == 1
    replays.close()


async def test_film_whose_process_draws_nothing_more_is_given_up_and_the_next_one_starts() -> None:
    """The real process, which hangs for the first film."""
    replays = FilmQueue({"archaeology": PaintedScreens(ENGINES["archaeology"])})
    record = played("archaeology", moves=4).model_dump_json()
    with patch("bot.replay.film_queue._film", _hang), patch("bot.replay.film_queue._STALLED", 0.1):
        hung = replays.make(FilmRequest((1, 4, 0, False), record), (HERE, ANA), 1)
        with pytest.raises(NoFilm, match="failed"):
            await asyncio.wait_for(hung.result, PATIENCE)
    film = replays.make(FilmRequest((2, 4, 0, False), record), (HERE, BEN), 2)
    assert (await asyncio.wait_for(film.result, PATIENCE)).data.startswith(b"GIF")
    replays.close()


def _hang(_request: FilmRequest) -> Film:
    time.sleep(3600)
    raise AssertionError


async def children() -> list[Any]:
    """The processes that draw, as soon as there are any."""
    async with asyncio.timeout(PATIENCE):
        while not (found := multiprocessing.active_children()):
            await asyncio.sleep(0.01)
    return found
