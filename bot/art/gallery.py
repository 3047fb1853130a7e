"""Renders pictures in a process beside the event loop, and keeps what was rendered.

Rendering holds Python's lock, so a thread would hold up every press: with one, the event loop's waits had a p99 of
61 ms, with a process 14 to 24 ms on two busy cores (30 pictures of 55 ms one after the other).

What is asked for last at a place is what matters there: if a newer picture is wanted at the same place, or none, before
the older one's turn has come, the older one is dropped. Pictures that look alike share one file.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections import OrderedDict
from collections.abc import Callable
from concurrent.futures.process import BrokenProcessPool
from typing import Final, Literal, NamedTuple

from bot.art.ink import PAPER
from bot.art.picture import Picture
from bot.art.rendering import render, render_clear
from bot.art.timing import GALLERY, GalleryLimits
from bot.processes import Pool

log = logging.getLogger(__name__)

Place = tuple[str, int] | tuple[str, int, int]
"""Where a picture is seen: what kind of screen it is, at which table, and whose, if it is one person's."""

Seen = Callable[[Literal["rendered", "dropped", "failed"], float | None], None]
"""Called with what became of a picture, and the seconds for which it was being rendered, if it was."""

_NOTHING: Final = Picture("·", 1, 1, PAPER, (), {})


class Plate(NamedTuple):
    """A rendered picture: the name of its file, which tells what it shows, its bytes, and its description."""

    name: str
    data: bytes
    alt: str


def _unseen(_outcome: str, _seconds: float | None) -> None:
    pass


def _stand_back(nice: int) -> None:
    """Runs once in the rendering process: presses come before pictures."""
    os.nice(nice)


class Gallery:
    """Renders pictures, one at a time. With `on` False it has none."""

    def __init__(self, *, on: bool = True, seen: Seen | None = None, limits: GalleryLimits = GALLERY) -> None:
        self.on = on
        self._limits = limits
        self._seen: Seen = seen if seen is not None else _unseen
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        """Rendered pictures by key, those used last at the end."""
        self._bytes = 0
        self._rendered_at: OrderedDict[Place, tuple[str, str]] = OrderedDict()
        """By place: the key and the description of the newest picture that was rendered for it."""
        self._failed: set[str] = set()
        """Pictures that cannot be rendered, which must be a fault of theirs."""
        self._suspected: set[str] = set()
        """Pictures during whose rendering the process ended or hung, which need not be their fault."""
        self._waiting: OrderedDict[Place, Picture] = OrderedDict()
        """What is wanted where, in the order in which the places' turns come."""
        self._done: dict[str, asyncio.Future[None]] = {}
        """By key: resolved when the picture has been rendered, dropped or given up."""
        self._work: asyncio.Task[None] | None = None
        self._began: float | None = None
        """Since when a picture is being rendered, by the event loop's clock."""
        self._slow = False
        self._usual = 0.0
        """Seconds that a rendering takes, on average of the last few."""
        self._pool = Pool(1, _stand_back, limits.nice)
        self.rendered = 0
        """How many pictures were rendered so far."""
        self.dropped = 0
        """How many were wanted no more when their turn came."""

    def open(self) -> None:
        """Starts the rendering process, so that nobody waits for that later."""
        if self.on and not self._pool.is_open:
            self._pool.open().submit(render, _NOTHING)

    def at_hand(self, picture: Picture, place: Place) -> Plate | None:
        """The picture if it has been rendered. If not, it will be, unless a newer one is wanted at the same place."""
        if not self.on:
            return None
        data = self._kept.get(picture.key)
        if data is not None:
            self._kept.move_to_end(picture.key)
            self._no_more(self._waiting.pop(place, None), picture)
            self._note(place, picture)
            return Plate(f"{picture.key}.png", data, picture.alt)
        if picture.key not in self._failed:
            self._want(picture, place)
        return None

    async def soon(self, picture: Picture, place: Place, within: float) -> Plate | None:
        """The picture, as `at_hand`, but waits for it so many seconds, if it can be expected by then."""
        plate = self.at_hand(picture, place)
        expected = self._usual * len(self._done)
        if plate is not None or not self.comes(picture) or self._late or within <= expected:
            return plate
        await asyncio.wait({self._done[picture.key]}, timeout=within)
        return self.at_hand(picture, place) if picture.key in self._kept else None

    def drop(self, place: Place) -> None:
        """Drops the picture that waits for its turn at this place, because none is to be seen there now."""
        self._no_more(self._waiting.pop(place, None), None)

    def newest(self, place: Place) -> Plate | None:
        """The newest picture of this place that has been rendered, which may be of an earlier state."""
        picture = self._rendered_at.get(place)
        data = self._kept.get(picture[0]) if picture is not None else None
        return None if picture is None or data is None else Plate(f"{picture[0]}.png", data, picture[1])

    def _note(self, place: Place, picture: Picture) -> None:
        self._rendered_at[place] = picture.key, picture.alt
        self._rendered_at.move_to_end(place)
        if len(self._rendered_at) > self._limits.places:
            self._rendered_at.popitem(last=False)

    def call_when_done(self, picture: Picture, act: Callable[[], None]) -> None:
        """Calls this once the picture is rendered, dropped or given up; never, if it is not going to be rendered."""
        done = self._done.get(picture.key)
        if done is not None:
            done.add_done_callback(lambda _done: act())

    def comes(self, picture: Picture) -> bool:
        """Whether the picture is going to be rendered, or is being rendered now."""
        return picture.key in self._done

    async def file(self, picture: Picture) -> bytes | None:
        """The picture as a file of its own with a transparent ground, such as an emoji. It is not kept.

        None if it cannot be rendered now. Raises `ValueError` if it never can.
        """
        if not self.on:
            return None
        self.open()
        pool = self._pool.open()
        try:
            async with asyncio.timeout(self._limits.longest):
                return await asyncio.get_running_loop().run_in_executor(pool, render_clear, picture.svg)
        except BrokenProcessPool:
            self._pool.end(pool)
        except TimeoutError:
            pass  # if the process hangs, the next picture ends it
        except asyncio.CancelledError:
            if self._pool.is_now(pool):
                raise
        log.warning("a file could not be rendered now")
        return None

    @property
    def _late(self) -> bool:
        """Whether pictures take so long now that nobody should wait for them."""
        if self._slow:
            return True
        began = self._began
        return began is not None and asyncio.get_running_loop().time() - began > self._limits.slow

    def _want(self, picture: Picture, place: Place) -> None:
        older = self._waiting.get(place)
        self._waiting[place] = picture  # it takes the older one's turn
        loop = asyncio.get_running_loop()
        if picture.key not in self._done:
            self._done[picture.key] = loop.create_future()
        self._no_more(older, picture)
        if self._work is None:
            self._work = loop.create_task(self._render_all(), name="pictures")

    def _no_more(self, older: Picture | None, newer: Picture | None) -> None:
        """Tells those who wait for a place's older picture that it will not come, unless it is wanted elsewhere too."""
        if older is None or (newer is not None and older.key == newer.key):
            return
        self.dropped += 1
        self._seen("dropped", None)
        if all(other.key != older.key for other in self._waiting.values()):
            self._resolve(older.key)

    def _resolve(self, key: str) -> None:
        done = self._done.pop(key, None)
        if done is not None and not done.done():
            done.set_result(None)

    async def _render_all(self) -> None:
        """Renders what is wanted until nothing is."""
        try:
            while self._waiting:
                place, picture = self._waiting.popitem(last=False)
                if picture.key not in self._kept and picture.key not in self._failed:
                    await self._render(picture)
                if picture.key in self._kept:
                    self._note(place, picture)
                self._resolve(picture.key)
        finally:
            self._work = self._began = None
            for key in list(self._done):
                self._resolve(key)

    async def _render(self, picture: Picture) -> None:
        loop = asyncio.get_running_loop()
        self._began = loop.time()
        if not self._pool.is_open:
            self._slow = True  # nobody waits for a process to start
        try:
            async with asyncio.timeout(self._limits.longest):
                data = await loop.run_in_executor(self._pool.open(), render, picture)
        except (BrokenProcessPool, TimeoutError) as error:
            log.warning("the process that renders pictures is started anew (%s)", type(error).__name__)
            if picture.key in self._suspected:
                self._failed.add(picture.key)
            self._suspected.add(picture.key)
            self._slow = True
            self._seen("failed", loop.time() - self._began)
            self._pool.end()
        except (ValueError, OSError) as error:
            log.error("a picture cannot be rendered: %s", error)
            self._failed.add(picture.key)
            self._seen("failed", loop.time() - self._began)
        else:
            took = loop.time() - self._began
            self._slow = took > self._limits.slow
            self._usual += (took - self._usual) / 8
            self.rendered += 1
            self._seen("rendered", took)
            self._keep(picture.key, data)
        finally:
            self._began = None

    def _keep(self, key: str, data: bytes) -> None:
        self._kept[key] = data
        self._bytes += len(data)
        while self._bytes > self._limits.kept:
            _key, oldest = self._kept.popitem(last=False)
            self._bytes -= len(oldest)

    def close(self) -> None:
        """Ends the rendering process."""
        self.on = False
        if self._work is not None:
            self._work.cancel()
        self._pool.end()
