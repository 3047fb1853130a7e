"""Makes films in a worker process, one at a time, and caches the most recently requested ones.

A film takes seconds; the worker process ends with the film. The other films wait in a fair queue
(`bot.ratelimit.fair_queue`): the next film belongs to the server and person with the least recent use. People who
request the same film share it. Each person has at most one film queued; a newer request replaces it. A film for which
nobody waits is cancelled.
"""

from __future__ import annotations

import asyncio
import json
import logging
import multiprocessing
import os
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Protocol, cast

from bot.background import Background, Pending
from bot.processes import close_pool, open_pool
from bot.ratelimit.fair_queue import FairQueue, QueueKey, Usage
from bot.replay.film import Film, NoFilm, make_film
from bot.replay.page import NothingToShow, make_page
from bot.replay.progress import FILM_QUEUE, FilmQueueLimits
from bot.tables.refusals import Refused
from bot.ui.screens.game_screens import AnyScreens
from engine.game import AnyGame
from engine.record import Record, verify
from engine.registry import load_games

log = logging.getLogger(__name__)

Key = tuple[int, int, int, bool]
"""The identity of a film: table, number of moves, number of moves undone, and whether it shows all hands."""

Waiting = tuple[int, Key]
"""A person, and the film that the person waits for."""
_KEPT: Final = 32_000_000
"""The size of the cache, in bytes."""
_STALLED: Final = 120.0
"""Seconds without a further picture after which a film is given up. A busy machine may take long for a whole one."""
_PAGES: Final = 4
"""The most pages that are made at the same time, each in a process of its own."""
_NICE: Final = 10
"""The niceness of the worker (see nice(1))."""


class Maker(Protocol):
    """A class of screens, which makes the screens of its game."""

    @property
    def game(self) -> str: ...
    def __call__(self, game: AnyGame, /) -> AnyScreens: ...


@dataclass(frozen=True, slots=True)
class FilmRequest:
    """A request for a film. `record` is a match's record as JSON, with its seed."""

    key: Key
    record: str = field(repr=False)

    @property
    def everything(self) -> bool:
        """Whether the film shows all hands."""
        return self.key[3]


class PendingFilm(Pending[Film]):
    """A queued or running film, and the people who wait for it. Its exception is `NoFilm`."""

    def __init__(self, request: FilmRequest, server: int) -> None:
        super().__init__()
        self.request = request
        self.server = server
        """The server of the film's table; 0 if unknown."""
        self.people: dict[int, set[int]] = {}
        """By person: the ids of the presses whose replies will show the film."""
        self._counts: Sequence[int] | None = None

    @property
    def begun(self) -> bool:
        """Whether the drawing of the film has started."""
        return self._counts is not None

    @property
    def progress(self) -> tuple[int, int]:
        """The number of frames drawn, and the number of all frames: 0 until it is known."""
        return (0, 0) if self._counts is None else (self._counts[0], self._counts[1])

    def begin(self) -> Any:
        """Marks the film as started; returns shared memory for the worker's progress."""
        self._counts = counts = multiprocessing.get_context("spawn").RawArray("i", 2)
        return counts

    def is_awaited(self, person: int, press: int) -> bool:
        """Whether this press still waits for the film."""
        return press in self.people.get(person, ())


class FilmQueue:
    """The film queue and the film cache."""

    def __init__(
        self,
        screens: Mapping[str, AnyScreens],
        card_lists: Path | None = None,
        limits: FilmQueueLimits = FILM_QUEUE,
    ) -> None:
        self._screens = screens
        self._card_lists = card_lists
        self._limits = limits
        self._kept: OrderedDict[Key, Film] = OrderedDict()
        """The cached films, most recently requested last."""
        self._pending: dict[Key, PendingFilm] = {}
        """The queued and running films, without cancelled ones."""
        self._usage = Usage()
        """Seconds of drawing per server and person."""
        self._queue = FairQueue[Waiting](self._usage)
        """One request per person and queued film."""
        self._work: asyncio.Task[None] | None = None
        """The drawing task, which ends after its process has ended."""
        self._drawing = Background()
        self._drawn: PendingFilm | None = None
        """The film that is being drawn."""
        self._closed = False
        self._pages = 0
        """The number of pages that are being made."""
        self.made = 0
        """The number of films completed so far."""

    @property
    def waiting(self) -> int:
        """The number of queued films."""
        return sum(not pending.begun for pending in self._pending.values())

    def cached(self, key: Key) -> Film | None:
        """The film, if cached."""
        film = self._kept.get(key)
        if film is not None:
            self._kept.move_to_end(key)
        return film

    def make(self, request: FilmRequest, tenant: QueueKey, press: int) -> PendingFilm:
        """Queues a film for a server and a person, unless it is queued or running already.

        `press` is the press whose reply will show the film; the caller must call `leave` with this press in the end.
        Drops the person's earlier requests as `supersede` does. Raises `Refused` if the queue is full, and then drops
        no request.
        """
        server, person = tenant
        pending = self._pending.get(request.key)
        if pending is None:
            self._check_room(server, person)
            pending = PendingFilm(request, server)
        self.supersede(request.key, person)
        if self._closed:
            pending.settle(NoFilm("closing"))
            return pending
        self._pending[request.key] = pending
        pending.people.setdefault(person, set()).add(press)
        waiting_person = person, request.key
        if not pending.begun and waiting_person not in self._queue:
            self._queue.put(tenant, waiting_person)
        self._start_next()
        return pending

    def _check_room(self, server: int, person: int) -> None:
        # A queued film for which only this person waits will be replaced, so it does not count.
        waiting = [each for each in self._pending.values() if not each.begun and {*each.people} != {person}]
        here = sum(each.server == server for each in waiting)
        limits = self._limits
        if len(waiting) >= limits.waiting or (server and here >= limits.waiting_here):
            raise Refused("films-full")

    def supersede(self, key: Key, person: int) -> None:
        """Drops the person's requests for other films that are queued or of the same table."""
        for pending in list(self._pending.values()):
            other = pending.request.key
            if person in pending.people and other != key and (other[0] == key[0] or not pending.begun):
                self._drop(pending, person)

    def leave(self, pending: PendingFilm, person: int, press: int) -> None:
        """Ends the wait of this press."""
        if pending.is_awaited(person, press):
            pending.people[person].remove(press)
            if not pending.people[person]:
                self._drop(pending, person)

    def _drop(self, pending: PendingFilm, person: int) -> None:
        """Drops a person's request; cancels the film if no other person waits for it."""
        del pending.people[person]
        self._queue.remove((person, pending.request.key))
        if pending.people:
            return
        if self._pending.get(pending.request.key) is pending:
            del self._pending[pending.request.key]
        pending.settle(NoFilm("superseded"))
        if pending is self._drawn and self._work is not None:
            self._work.cancel()

    def _start_next(self) -> None:
        if self._work is not None or self._closed or not self._queue:
            return
        tenant, (_person, key) = self._queue.take()
        pending = self._drawn = self._pending[key]
        for person in pending.people:
            self._queue.remove((person, key))
        work = self._draw(pending, tenant, pending.begin())
        self._work = self._drawing.start(work, f"film of table {key[0]}")
        self._work.add_done_callback(self._ended)

    async def _draw(self, pending: PendingFilm, tenant: QueueKey, counts: Any) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            film = await self._made(pending.request, counts)
        except NoFilm as error:
            pending.settle(error)
        else:
            self._keep(pending.request.key, film)
            self.made += 1
            pending.settle(film)
        finally:
            self._usage.charge(tenant, loop.time(), loop.time() - began)

    def _ended(self, _work: asyncio.Task[None]) -> None:
        pending, self._work, self._drawn = self._drawn, None, None
        assert pending is not None
        pending.settle(NoFilm("closing"))  # no effect unless the task was cancelled
        if self._pending.get(pending.request.key) is pending:
            del self._pending[pending.request.key]
        self._start_next()

    async def page(self, request: FilmRequest, language: str) -> bytes:
        """The page of a match with all hands, in a language: about a second of work. Raises `Refused`."""
        if self._closed or self._pages >= _PAGES:
            raise Refused("films-full")
        self._pages += 1
        pool = self._worker(multiprocessing.get_context("spawn").RawArray("i", 2))
        try:
            work = asyncio.get_running_loop().run_in_executor(pool, _page, request, language)
            return await asyncio.wait_for(work, _STALLED)
        except (BrokenProcessPool, TimeoutError, NothingToShow) as error:
            log.warning("table %s: could not make a page (%s)", request.key[0], type(error).__name__)
            raise Refused("not-drawn") from None
        finally:
            self._pages -= 1
            close_pool(pool)

    def _worker(self, counts: Any) -> ProcessPoolExecutor:
        makers = [cast("Maker", type(screens)) for screens in self._screens.values()]
        return open_pool(1, _prepare, self._card_lists, makers, counts, _NICE)

    async def _made(self, request: FilmRequest, counts: Any) -> Film:
        pool = self._worker(counts)
        work = asyncio.get_running_loop().run_in_executor(pool, _film, request)
        try:
            before: list[int] = []
            while not (await asyncio.wait([work], timeout=_STALLED))[0]:
                if before == list(counts):
                    raise TimeoutError
                before = list(counts)
            return work.result()
        except NoFilm:
            raise
        except (BrokenProcessPool, TimeoutError) as error:
            log.warning("table %s: gave up a film (%s)", request.key[0], type(error).__name__)
        except Exception:
            log.exception("table %s: could not make a film", request.key[0])
        finally:
            work.cancel()
            close_pool(pool)
        raise NoFilm("failed")

    def _keep(self, key: Key, film: Film) -> None:
        for outdated in [each for each in self._kept if each[0] == key[0]]:
            del self._kept[outdated]  # the match has gone on, so nobody can ask for that film again
        self._kept[key] = film
        while sum(len(each.data) for each in self._kept.values()) > _KEPT:
            self._kept.popitem(last=False)

    def close(self) -> None:
        """Cancels all films; waiting replies get `NoFilm("closing")`."""
        self._closed = True
        for pending in self._pending.values():
            pending.settle(NoFilm("closing"))
        if self._work is not None:
            self._work.cancel()


# -- in the worker process

_games: dict[str, AnyGame] = {}
_screens: dict[str, AnyScreens] = {}
_counts: Any = None


def _prepare(card_lists: Path | None, makers: Sequence[Maker], counts: Any, nice: int) -> None:
    global _counts
    os.nice(nice)
    _games.update(load_games(card_lists))
    _screens.update({maker.game: maker(_games[maker.game]) for maker in makers})
    _counts = counts


def _film(request: FilmRequest) -> Film:
    record = Record.model_validate_json(request.record)
    return make_film(record, _games, _screens, everything=request.everything, report=_report)


def _page(request: FilmRequest, language: str) -> bytes:
    verdict = verify(json.loads(request.record), _games)
    checked = (
        f"Seed: {verdict.record.host_seed}\nSHA-256: {verdict.record.commitment}" if verdict.record else ""
    )
    return make_page(verdict, checked, _games, _screens, language).encode()


def _report(drawn: int, of: int) -> None:
    _counts[0], _counts[1] = drawn, of
