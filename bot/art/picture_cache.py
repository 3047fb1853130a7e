"""Renders pictures in a process beside the event loop, and caches the files.

Rendering holds Python's global interpreter lock, so a thread would delay every press: with a thread, the event loop's
waits had a p99 of 61 ms; with a process, 14 to 24 ms on two busy cores (30 pictures of 55 ms in sequence).

The queue has at most one picture per place: a newer request for the place, or none, drops the older picture. Pictures of
private screens come first, because the answer to a press waits for them. Equal drawings share one file.
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
from bot.art.rendering import PICTURE_CACHE, PictureCacheLimits, render, render_clear
from bot.processes import Pool

log = logging.getLogger(__name__)

Place = tuple[str, int] | tuple[str, int, int]
"""The place of a picture: the kind of screen, the table, and for a private screen the user id."""

Seen = Callable[[Literal["rendered", "dropped", "failed"], float | None], None]
"""Called with the outcome of a picture, and with the duration of its rendering in seconds; None if it was dropped."""

_NOTHING: Final = Picture("·", 1, 1, PAPER, (), {})
_PLACES: Final = 5000
"""The number of places whose newest picture is known."""
_LONGEST: Final = 15.0
"""Seconds after which a rendering is given up, and its process ended."""
_NICE: Final = 10
"""The niceness of the rendering process (see nice(1)): the bot itself comes first."""


class Plate(NamedTuple):
    """A rendered picture: its file name, which identifies the drawing, its bytes, and its alt text."""

    name: str
    data: bytes
    alt: str


def _is_private(place: Place) -> bool:
    return len(place) == 3


def _unseen(_outcome: str, _seconds: float | None) -> None:
    pass


def _stand_back(nice: int) -> None:
    """Runs once in the rendering process: presses come before pictures."""
    os.nice(nice)


class PictureCache:
    """Renders pictures, one at a time, and caches them. If `on` is False, there are no pictures."""

    def __init__(
        self, *, on: bool = True, seen: Seen | None = None, limits: PictureCacheLimits = PICTURE_CACHE
    ) -> None:
        self.on = on
        self._limits = limits
        self._seen: Seen = seen if seen is not None else _unseen
        self._kept: OrderedDict[str, bytes] = OrderedDict()
        """The rendered pictures by key, most recently used last."""
        self._bytes = 0
        self._rendered_at: OrderedDict[Place, tuple[str, str]] = OrderedDict()
        """By place: the key and the alt text of the newest rendered picture."""
        self._failed: set[str] = set()
        """The keys of pictures that are not rendered again, because the drawing itself causes the failure."""
        self._suspected: set[str] = set()
        """The keys of pictures during whose rendering the process ended or hung once, perhaps for another reason."""
        self._waiting: OrderedDict[Place, Picture] = OrderedDict()
        """The queue: the picture to be rendered for each place."""
        self._done: dict[str, asyncio.Future[None]] = {}
        """By key: a future that is resolved when the picture has been rendered, dropped or given up."""
        self._work: asyncio.Task[None] | None = None
        self._began: float | None = None
        """The start of the current rendering, on the event loop's clock; None if there is none."""
        self._slow = False
        self._usual = 0.0
        """Seconds that a rendering takes, on average of the last few."""
        self._pool = Pool(1, _stand_back, _NICE)

    def open(self) -> None:
        """Starts the rendering process, so that no press waits for its start."""
        if self.on and not self._pool.is_open:
            self._pool.open().submit(render, _NOTHING)

    def at_hand(self, picture: Picture, place: Place) -> Plate | None:
        """The picture, if cached. If not, queues it; it replaces an older queued picture of this place."""
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
        """The picture, as `at_hand`; waits for it up to `within` seconds if it can be expected by then."""
        plate = self.at_hand(picture, place)
        expected = self._usual * self._ahead(place)
        if plate is not None or not self.comes(picture) or self._late or within <= expected:
            return plate
        await asyncio.wait({self._done[picture.key]}, timeout=within)
        return self.at_hand(picture, place) if picture.key in self._kept else None

    def drop(self, place: Place) -> None:
        """Drops the queued picture of this place, which shows no picture now."""
        self._no_more(self._waiting.pop(place, None), None)

    def newest(self, place: Place) -> Plate | None:
        """The newest rendered picture of this place, which may show an earlier state."""
        picture = self._rendered_at.get(place)
        data = self._kept.get(picture[0]) if picture is not None else None
        return None if picture is None or data is None else Plate(f"{picture[0]}.png", data, picture[1])

    def _note(self, place: Place, picture: Picture) -> None:
        self._rendered_at[place] = picture.key, picture.alt
        self._rendered_at.move_to_end(place)
        if len(self._rendered_at) > _PLACES:
            self._rendered_at.popitem(last=False)

    def call_when_done(self, picture: Picture, act: Callable[[], None]) -> None:
        """Calls `act` once the picture is rendered, dropped or given up; never if it is not queued or running."""
        done = self._done.get(picture.key)
        if done is not None:
            done.add_done_callback(lambda _done: act())

    def comes(self, picture: Picture) -> bool:
        """Whether the picture is queued or being rendered."""
        return picture.key in self._done

    async def file(self, picture: Picture) -> bytes | None:
        """The picture as a file with a transparent ground, such as an emoji. The file is not cached.

        None if the picture cannot be rendered now. Raises `ValueError` if a retry would fail too.
        """
        if not self.on:
            return None
        self.open()
        pool = self._pool.open()
        try:
            async with asyncio.timeout(_LONGEST):
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
        """Whether renderings take so long now that screens should not wait for pictures."""
        if self._slow:
            return True
        began = self._began
        return began is not None and asyncio.get_running_loop().time() - began > self._limits.slow

    def _ahead(self, place: Place) -> int:
        """The number of renderings until that of this queued place has ended."""
        queued = sum(map(_is_private, self._waiting)) if _is_private(place) else len(self._waiting)
        return queued + (self._began is not None)

    def _want(self, picture: Picture, place: Place) -> None:
        older = self._waiting.get(place)
        self._waiting[place] = picture  # in the older picture's position
        loop = asyncio.get_running_loop()
        if picture.key not in self._done:
            self._done[picture.key] = loop.create_future()
        self._no_more(older, picture)
        if self._work is None:
            self._work = loop.create_task(self._render_all(), name="pictures")

    def _no_more(self, older: Picture | None, newer: Picture | None) -> None:
        """Reports a place's older picture as dropped; ends the waits for it, unless another place has it queued too."""
        if older is None or (newer is not None and older.key == newer.key):
            return
        self._seen("dropped", None)
        if all(other.key != older.key for other in self._waiting.values()):
            self._resolve(older.key)

    def _resolve(self, key: str) -> None:
        done = self._done.pop(key, None)
        if done is not None and not done.done():
            done.set_result(None)

    async def _render_all(self) -> None:
        try:
            while self._waiting:
                place = next(filter(_is_private, self._waiting), next(iter(self._waiting)))
                picture = self._waiting.pop(place)
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
            self._slow = True  # screens do not wait for the start of a process
        try:
            async with asyncio.timeout(_LONGEST):
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
