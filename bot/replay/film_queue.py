"""Makes films of matches in a process beside the event loop, and keeps those that were asked for last.

A film takes seconds to a minute. One is made at a time, in a process that ends with it; who asks for another one
meanwhile waits. Several people who ask for the same film share it.
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
from bot.replay.film import Film, Unwatchable, make_film
from bot.ui.screens.game_screens import AnyScreens
from engine.game import AnyGame
from engine.record import Record
from engine.registry import load_games

log = logging.getLogger(__name__)

KEPT: Final = 32_000_000
"""How many bytes of films are kept for those who ask for the same."""
AT_MOST: Final = 180.0
"""Seconds after which a film is given up, and its process ended."""
NICE: Final = 10
"""How far the process stands back behind the bot (see nice(1))."""

Key = tuple[int, int, int, bool]
"""What tells films apart: the table, how many moves were made and how many taken back, and whether it shows all."""


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
    """A film that is being made, or waits until another one is ready."""

    def __init__(self, work: asyncio.Task[Film], counts: Sequence[int], *, begun: bool) -> None:
        self.work = work
        self.begun = begun
        """Whether it is its turn, or is at once."""
        self._counts = counts

    @property
    def progress(self) -> Progress:
        return Progress(self._counts[0], self._counts[1]) if self.begun else Progress(0, 0)

    async def wait(self, seconds: float) -> bool:
        """Waits for the film so long at most. Returns whether it is ready or has failed."""
        done, _waiting = await asyncio.wait({self.work}, timeout=seconds)
        return bool(done)


class Replays:
    """Makes films, and keeps those that were asked for last."""

    def __init__(self, screens: Mapping[str, AnyScreens], card_lists: Path | None = None) -> None:
        self._screens = screens
        self._card_lists = card_lists
        self._kept: OrderedDict[Key, Film] = OrderedDict()
        """Films by key, those asked for last at the end."""
        self._showing: dict[Key, Showing] = {}
        self._turn = asyncio.Lock()
        self._closed = False
        self.made = 0
        """How many films were made so far."""

    def at_hand(self, key: Key) -> Film | None:
        """The film, if it has been made already."""
        film = self._kept.get(key)
        if film is not None:
            self._kept.move_to_end(key)
        return film

    def make(self, order: Order) -> Showing:
        """Has a film made, unless it is being made already. Its work raises `Unwatchable` if there can be none."""
        showing = self._showing.get(order.key)
        if showing is None:
            counts: Any = multiprocessing.get_context("spawn").RawArray("i", 2)
            work = asyncio.create_task(self._make(order, counts), name=f"film of table {order.key[0]}")
            showing = self._showing[order.key] = Showing(work, counts, begun=not self._showing)
            # If nobody is left who waits for it, its failure is nobody's business.
            work.add_done_callback(lambda done: done.cancelled() or done.exception())
        return showing

    async def _make(self, order: Order, counts: Any) -> Film:
        try:
            async with self._turn:
                if self._closed:
                    raise Unwatchable("closing")
                self._showing[order.key].begun = True
                film = await self._made(order, counts)
        except asyncio.CancelledError:
            raise Unwatchable("closing") from None
        finally:
            del self._showing[order.key]
        self._keep(order.key, film)
        self.made += 1
        return film

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
        """Gives up the films that are being made: those who wait for them are told `Unwatchable("closing")`."""
        self._closed = True
        for showing in self._showing.values():
            showing.work.cancel()


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
