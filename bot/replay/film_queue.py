"""Makes films of matches in a process beside the event loop, and keeps those that were asked for last.

A film takes seconds to a minute. One is made at a time, in a process that ends with it, and the others wait in a fair
queue (`bot.ratelimit.fair_queue`): next is the film of the server and the person for whom the process has drawn least
lately. Several people who ask for the same film share it. One film waits for a person; it gives way to the next that
the person asks for. The drawing of a film ends when nobody waits for it any longer.
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
"""How many bytes of films are kept for those who ask for the same."""
AT_MOST: Final = 180.0
"""Seconds after which a film is given up, and its process ended."""
WAITING: Final = 40
"""How many films may wait. At 6 to 13 s a film, the last of them is ready while the token of its press still lives."""
WAITING_HERE: Final = 10
"""How many of them may be of one server."""
NICE: Final = 10
"""How far the process stands back behind the bot (see nice(1))."""

Key = tuple[int, int, int, bool]
"""What tells films apart: the table, how many moves were made and how many taken back, and whether it shows all."""

Wish = tuple[int, Key]
"""A person, and the film for which they wait."""


class Maker(Protocol):
    """The class of a game's screens. An object is made with its game."""

    @property
    def game(self) -> str: ...
    def __call__(self, game: AnyGame, /) -> AnyScreens: ...


@dataclass(frozen=True, slots=True)
class Order:
    """A film that somebody wishes for. `record` is a match's record as JSON text, with its seed."""

    key: Key
    record: str = field(repr=False)

    @property
    def everything(self) -> bool:
        """Whether it shows all that happened, or only what all may know."""
        return self.key[3]


class Progress(NamedTuple):
    """How far a film is: so many frames of so many are drawn. `of` is 0 before that is known."""

    drawn: int
    of: int


class Showing:
    """A film that is being drawn or waits for its turn, and the people who wait for it."""

    def __init__(self, order: Order, server: int) -> None:
        self.order = order
        self.server = server
        """The server of its table; 0 if that is not known."""
        self.people: dict[int, set[int]] = {}
        """For each person who waits for it: the ids of the presses whose answers are to show it."""
        self.result: asyncio.Future[Film] = asyncio.get_running_loop().create_future()
        """The film. Raises `Unwatchable` if there can be none."""
        self.result.add_done_callback(
            lambda done: done.cancelled() or done.exception()
        )  # nobody may be left to ask
        self._counts: Sequence[int] | None = None

    @property
    def begun(self) -> bool:
        """Whether it is its turn."""
        return self._counts is not None

    @property
    def progress(self) -> Progress:
        return Progress(0, 0) if self._counts is None else Progress(self._counts[0], self._counts[1])

    def begin(self) -> Any:
        """Notes that it is its turn; returns the memory in which the process that draws it notes its progress."""
        self._counts = counts = multiprocessing.get_context("spawn").RawArray("i", 2)
        return counts

    def settle(self, outcome: Film | Unwatchable) -> None:
        """Gives those who wait the film, or the reason why there is none; what was given first holds."""
        if self.result.done():
            return
        if isinstance(outcome, Unwatchable):
            self.result.set_exception(outcome)
        else:
            self.result.set_result(outcome)

    def awaited(self, person: int, press: int) -> bool:
        """Whether the answer to this press of the person is to show it."""
        return press in self.people.get(person, ())

    async def wait(self, seconds: float) -> bool:
        """Waits for the film so long at most. Returns whether it is ready or has failed."""
        done, _waiting = await asyncio.wait({self.result}, timeout=seconds)
        return bool(done)


class Replays:
    """Makes films, and keeps those that were asked for last."""

    def __init__(self, screens: Mapping[str, AnyScreens], card_lists: Path | None = None) -> None:
        self._screens = screens
        self._card_lists = card_lists
        self._kept: OrderedDict[Key, Film] = OrderedDict()
        """Films by key, those asked for last at the end."""
        self._showings: dict[Key, Showing] = {}
        """The film that is being drawn and those that wait, without those for which nobody waits any longer."""
        self._usage = Usage()
        """For how many seconds the process has drawn on behalf of each server and person."""
        self._queue = FairQueue[Wish](self._usage)
        """A wish for each person who waits for a film that has not begun."""
        self._work: asyncio.Task[None] | None = None
        """The drawing of a film; it lasts until its process has been ended."""
        self._drawn: Showing | None = None
        """The film that is being drawn."""
        self._closed = False
        self.made = 0
        """How many films were made so far."""

    @property
    def waiting(self) -> int:
        """How many films wait for their turn."""
        return sum(not showing.begun for showing in self._showings.values())

    def at_hand(self, key: Key) -> Film | None:
        """The film, if it has been made already."""
        film = self._kept.get(key)
        if film is not None:
            self._kept.move_to_end(key)
        return film

    def make(self, order: Order, lane: Lane, press: int) -> Showing:
        """Has a film made on behalf of a server and a person, unless it is being made already.

        `press` is the id of the press whose answer is to show it; `leave` is to be called with it in the end. Drops the
        person's earlier wishes as `supersede` says. Raises `Refused` if too many films wait, and then drops nothing.
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
        # A film for which this person alone waits gives its place to the new one.
        waiting = [each for each in self._showings.values() if not each.begun and {*each.people} != {person}]
        here = sum(each.server == server for each in waiting)
        if len(waiting) >= WAITING or (server and here >= WAITING_HERE):
            raise Refused("films-full")

    def supersede(self, key: Key, person: int) -> None:
        """Drops the person's wishes for other films: all that have not begun, and any of the same table."""
        for showing in list(self._showings.values()):
            other = showing.order.key
            if person in showing.people and other != key and (other[0] == key[0] or not showing.begun):
                self._drop(showing, person)

    def leave(self, showing: Showing, person: int, press: int) -> None:
        """Notes that the answer to this press does not wait for the film any longer."""
        if showing.awaited(person, press):
            showing.people[person].remove(press)
            if not showing.people[person]:
                self._drop(showing, person)

    def _drop(self, showing: Showing, person: int) -> None:
        """Drops a person's wish; the film, too, if nobody else waits for it."""
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
        """Begins with the film whose turn it is, unless one is being drawn."""
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
        showing.settle(Unwatchable("closing"))  # unless it has been settled, its task was cancelled
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
            log.warning("table %s: its film was given up (%s)", order.key[0], type(error).__name__)
        except Exception:
            log.exception("table %s: its film could not be made", order.key[0])
        finally:
            close_pool(pool)
        raise Unwatchable("failed")

    def _keep(self, key: Key, film: Film) -> None:
        self._kept[key] = film
        while sum(len(each.data) for each in self._kept.values()) > KEPT:
            self._kept.popitem(last=False)

    def close(self) -> None:
        """Gives up all films that are drawn or wait: those who wait for them are told `Unwatchable("closing")`."""
        self._closed = True
        for showing in self._showings.values():
            showing.settle(Unwatchable("closing"))
        if self._work is not None:
            self._work.cancel()


# -- in the process that makes a film

_games: dict[str, AnyGame] = {}
_screens: dict[str, AnyScreens] = {}
_counts: Any = None


def _prepare(card_lists: Path | None, makers: Sequence[Maker], counts: Any) -> None:
    """Runs once in the process."""
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
