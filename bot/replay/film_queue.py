"""Makes films in a worker process, one at a time, and caches the most recently requested ones.

A film takes seconds to a minute; its process ends with it. The other films wait in a fair queue
(`bot.ratelimit.fair_queue`): the next one belongs to the server and person with the least recent use. People who ask
for the same film share it. Each person has at most one film queued; a newer request replaces it. A film without waiting
people is cancelled.
"""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, NamedTuple, Protocol, cast

from bot.processes import close_pool, open_pool
from bot.ratelimit.fair_queue import FairQueue, Lane, Usage
from bot.replay.film import Film, Unwatchable, make_film
from bot.tables.refusals import Refused
from bot.ui.screens.game_screens import AnyScreens
from engine.game import AnyGame
from engine.record import Record
from engine.registry import load_games

log = logging.getLogger(__name__)

KEPT: Final = 32_000_000
"""The size of the cache, in bytes."""
AT_MOST: Final = 180.0
"""Timeout of a film, in seconds."""
WAITING: Final = 40
"""The maximum length of the queue. At 6 to 13 s a film, the last one is ready before the token of its press expires."""
WAITING_HERE: Final = 10
"""The maximum number of queued films per server."""
NICE: Final = 10
"""The niceness of the worker (see nice(1))."""

Key = tuple[int, int, int, bool]
"""The identity of a film: table, number of moves, number of moves undone, and whether it shows all hands."""

Wish = tuple[int, Key]
"""A person, and the film that the person waits for."""


class Maker(Protocol):
    """The class of a game's screens."""

    @property
    def game(self) -> str: ...
    def __call__(self, game: AnyGame, /) -> AnyScreens: ...


@dataclass(frozen=True, slots=True)
class Order:
    """A request for a film. `record` is a match's record as JSON, with its seed."""

    key: Key
    record: str = field(repr=False)

    @property
    def everything(self) -> bool:
        """Whether the film shows all hands."""
        return self.key[3]


class Progress(NamedTuple):
    """Frames drawn, of how many; `of` is 0 until known."""

    drawn: int
    of: int


class Showing:
    """A queued or running film, and the people who wait for it."""

    def __init__(self, order: Order, server: int) -> None:
        self.order = order
        self.server = server
        """The server of its table; 0 if unknown."""
        self.people: dict[int, set[int]] = {}
        """By person: the ids of the presses whose replies will show the film."""
        self.result: asyncio.Future[Film] = asyncio.get_running_loop().create_future()
        """The film. Raises `Unwatchable`."""
        self.result.add_done_callback(
            lambda done: done.cancelled() or done.exception()
        )  # marks it as retrieved
        self._counts: Sequence[int] | None = None

    @property
    def begun(self) -> bool:
        """Whether the film has started."""
        return self._counts is not None

    @property
    def progress(self) -> Progress:
        return Progress(0, 0) if self._counts is None else Progress(self._counts[0], self._counts[1])

    def begin(self) -> Any:
        """Marks the film as started; returns shared memory for the worker's progress."""
        self._counts = counts = multiprocessing.get_context("spawn").RawArray("i", 2)
        return counts

    def settle(self, outcome: Film | Unwatchable) -> None:
        """Sets the outcome, unless it is set already."""
        if self.result.done():
            return
        if isinstance(outcome, Unwatchable):
            self.result.set_exception(outcome)
        else:
            self.result.set_result(outcome)

    def awaited(self, person: int, press: int) -> bool:
        """Whether this press still waits for the film."""
        return press in self.people.get(person, ())

    async def wait(self, seconds: float) -> bool:
        """Waits for at most `seconds`. Returns whether the film is ready or has failed."""
        done, _waiting = await asyncio.wait({self.result}, timeout=seconds)
        return bool(done)


class Replays:
    """The film queue and the film cache."""

    def __init__(self, screens: Mapping[str, AnyScreens], card_lists: Path | None = None) -> None:
        self._screens = screens
        self._card_lists = card_lists
        self._kept: OrderedDict[Key, Film] = OrderedDict()
        """The cached films, most recently requested last."""
        self._showings: dict[Key, Showing] = {}
        """The queued and running films, without cancelled ones."""
        self._usage = Usage()
        """Seconds of drawing per server and person."""
        self._queue = FairQueue[Wish](self._usage)
        """One request per person and queued film."""
        self._work: asyncio.Task[None] | None = None
        """The drawing task; it ends after its process has ended."""
        self._drawn: Showing | None = None
        """The running film."""
        self._closed = False
        self.made = 0
        """The number of films made so far."""

    @property
    def waiting(self) -> int:
        """The number of queued films."""
        return sum(not showing.begun for showing in self._showings.values())

    def at_hand(self, key: Key) -> Film | None:
        """The film, if cached."""
        film = self._kept.get(key)
        if film is not None:
            self._kept.move_to_end(key)
        return film

    def make(self, order: Order, lane: Lane, press: int) -> Showing:
        """Queues a film for a server and a person, unless it is queued or running already.

        `press` is the press whose reply will show it; the caller must call `leave` with it in the end. Drops the
        person's earlier requests as `supersede` does. Raises `Refused` if the queue is full, and then drops nothing.
        """
        server, person = lane
        showing = self._showings.get(order.key)
        if showing is None:
            self._check_room(server, person)
            showing = Showing(order, server)
        self.supersede(order.key, person)
        if self._closed:
            showing.settle(Unwatchable("closing"))
            return showing
        self._showings[order.key] = showing
        showing.people.setdefault(person, set()).add(press)
        wish = person, order.key
        if not showing.begun and wish not in self._queue:
            self._queue.put(lane, wish)
        self._go_on()
        return showing

    def _check_room(self, server: int, person: int) -> None:
        # A film that only this person waits for is replaced.
        waiting = [each for each in self._showings.values() if not each.begun and {*each.people} != {person}]
        here = sum(each.server == server for each in waiting)
        if len(waiting) >= WAITING or (server and here >= WAITING_HERE):
            raise Refused("films-full")

    def supersede(self, key: Key, person: int) -> None:
        """Drops the person's requests for other films: queued ones, and any of the same table."""
        for showing in list(self._showings.values()):
            other = showing.order.key
            if person in showing.people and other != key and (other[0] == key[0] or not showing.begun):
                self._drop(showing, person)

    def leave(self, showing: Showing, person: int, press: int) -> None:
        """Ends the wait of this press."""
        if showing.awaited(person, press):
            showing.people[person].remove(press)
            if not showing.people[person]:
                self._drop(showing, person)

    def _drop(self, showing: Showing, person: int) -> None:
        """Drops a person's request; cancels the film if no other person waits for it."""
        del showing.people[person]
        self._queue.remove((person, showing.order.key))
        if showing.people:
            return
        if self._showings.get(showing.order.key) is showing:
            del self._showings[showing.order.key]
        showing.settle(Unwatchable("superseded"))
        if showing is self._drawn and self._work is not None:
            self._work.cancel()

    def _go_on(self) -> None:
        """Starts the next film, unless one is running."""
        if self._work is not None or self._closed or not self._queue:
            return
        lane, (_person, key) = self._queue.take()
        showing = self._drawn = self._showings[key]
        for person in showing.people:
            self._queue.remove((person, key))
        work = self._draw(showing, lane, showing.begin())
        self._work = asyncio.create_task(work, name=f"film of table {key[0]}")
        self._work.add_done_callback(self._ended)

    async def _draw(self, showing: Showing, lane: Lane, counts: Any) -> None:
        loop = asyncio.get_running_loop()
        began = loop.time()
        try:
            film = await self._made(showing.order, counts)
        except Unwatchable as error:
            showing.settle(error)
        else:
            self._keep(showing.order.key, film)
            self.made += 1
            showing.settle(film)
        finally:
            self._usage.charge(lane, loop.time(), loop.time() - began)

    def _ended(self, _work: asyncio.Task[None]) -> None:
        showing, self._work, self._drawn = self._drawn, None, None
        assert showing is not None
        showing.settle(Unwatchable("closing"))  # no effect unless the task was cancelled
        if self._showings.get(showing.order.key) is showing:
            del self._showings[showing.order.key]
        self._go_on()

    async def _made(self, order: Order, counts: Any) -> Film:
        makers = [cast("Maker", type(screens)) for screens in self._screens.values()]
        pool = open_pool(1, _prepare, self._card_lists, makers, counts)
        try:
            async with asyncio.timeout(AT_MOST):
                return await asyncio.get_running_loop().run_in_executor(pool, _film, order)
        except Unwatchable:
            raise
        except (BrokenProcessPool, TimeoutError) as error:
            log.warning("table %s: gave up a film (%s)", order.key[0], type(error).__name__)
        except Exception:
            log.exception("table %s: could not make a film", order.key[0])
        finally:
            close_pool(pool)
        raise Unwatchable("failed")

    def _keep(self, key: Key, film: Film) -> None:
        self._kept[key] = film
        while sum(len(each.data) for each in self._kept.values()) > KEPT:
            self._kept.popitem(last=False)

    def close(self) -> None:
        """Cancels all films; waiting replies get `Unwatchable("closing")`."""
        self._closed = True
        for showing in self._showings.values():
            showing.settle(Unwatchable("closing"))
        if self._work is not None:
            self._work.cancel()


# -- in the worker process

_games: dict[str, AnyGame] = {}
_screens: dict[str, AnyScreens] = {}
_counts: Any = None


def _prepare(card_lists: Path | None, makers: Sequence[Maker], counts: Any) -> None:
    """Initialises the worker process."""
    global _counts
    os.nice(NICE)
    _games.update(load_games(card_lists))
    _screens.update({maker.game: maker(_games[maker.game]) for maker in makers})
    _counts = counts


def _film(order: Order) -> Film:
    record = Record.model_validate_json(order.record)
    return make_film(record, _games, _screens, everything=order.everything, report=_report)


def _report(drawn: int, of: int) -> None:
    _counts[0], _counts[1] = drawn, of
