"""The picture cache renders what is wanted last, once for all who see the same, and survives its process."""

from __future__ import annotations

import asyncio
import io
import os
import signal
import threading
from collections import Counter
from collections.abc import AsyncIterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from PIL import Image

from bot import processes
from bot.art import picture_cache as module
from bot.art.picture import Picture
from bot.art.picture_cache import PictureCache
from bot.art.rendering import PICTURE_CACHE, PictureCacheLimits
from bot.art.scene import Scene

HERE = ("table", 1)
THERE = ("table", 2)
LONG = 20.0
OUTCOMES = Counter[str]()


def picture(number: int, alt: str = "a number") -> Picture:
    return Scene(300, 120).figure(number, 150, 20, 80).picture(alt)


class Studio:
    """Renders in a thread what the test lets it render, and notes what it was."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.gate = threading.Event()
        self.seen: list[str] = []
        monkeypatch.setattr(processes, "open_pool", lambda *_arguments: ThreadPoolExecutor(1))
        monkeypatch.setattr(processes, "close_pool", lambda pool: pool.shutdown(wait=False))
        monkeypatch.setattr(module, "render", self._render)

    def _render(self, picture: Picture) -> bytes:
        assert self.gate.wait(LONG)
        self.seen.append(picture.key)
        return b"x" * 1000


@pytest.fixture
def studio(monkeypatch: pytest.MonkeyPatch) -> Studio:
    return Studio(monkeypatch)


@pytest.fixture
def limits() -> PictureCacheLimits:
    return PICTURE_CACHE


@pytest.fixture
async def cache(limits: PictureCacheLimits) -> AsyncIterator[PictureCache]:
    made = PictureCache(limits=limits, seen=lambda outcome, _seconds: OUTCOMES.update([outcome]))
    OUTCOMES.clear()
    try:
        yield made
    finally:
        made.close()


async def ready(cache: PictureCache, wanted: Picture) -> None:
    async with asyncio.timeout(LONG):
        while cache.comes(wanted):
            await asyncio.sleep(0.01)


async def test_a_picture_becomes_a_png_with_a_palette_in_a_process_of_its_own(cache: PictureCache) -> None:
    wanted = picture(42)
    assert cache.at_hand(wanted, HERE) is None
    await ready(cache, wanted)
    plate = cache.at_hand(wanted, HERE)
    assert plate is not None
    image = Image.open(io.BytesIO(plate.data))
    assert (image.format, image.mode, image.size) == ("PNG", "P", (300, 120))
    assert plate.name == f"{wanted.key}.png"
    assert plate.alt == "a number"


async def test_of_the_pictures_wanted_at_a_place_the_newest_is_rendered(
    cache: PictureCache, studio: Studio
) -> None:
    for number in range(5):
        cache.at_hand(picture(number), HERE)
    await asyncio.sleep(0.05)  # the first of them is under way
    for number in range(5, 9):
        cache.at_hand(picture(number), HERE)
    studio.gate.set()
    await ready(cache, picture(8))
    assert cache.at_hand(picture(8), HERE) is not None
    assert len(studio.seen) <= 2
    assert OUTCOMES["dropped"] >= 6
    assert not cache.comes(picture(6))


async def test_private_pictures_are_rendered_before_public_ones(cache: PictureCache, studio: Studio) -> None:
    for number, place in enumerate((("table", 3), HERE, THERE, ("own", 1, 700), ("own", 1, 701))):
        cache.at_hand(picture(number), place)
        await asyncio.sleep(0.05 if number == 0 else 0)  # the first of them is under way
    studio.gate.set()
    await ready(cache, picture(2))
    assert studio.seen == [picture(number).key for number in (0, 3, 4, 1, 2)]


async def test_the_answer_to_a_press_waits_for_its_picture_however_many_public_ones_do(
    cache: PictureCache, studio: Studio, monkeypatch: pytest.MonkeyPatch
) -> None:
    studio.gate.set()
    await render_now(cache, picture(0))
    studio.gate.clear()
    monkeypatch.setattr(cache, "_usual", LONG / 10)
    for number in range(1, 20):
        cache.at_hand(picture(number), ("table", number))
    assert await cache.soon(picture(20), ("table", 20), LONG) is None
    answer = asyncio.create_task(cache.soon(picture(21), ("own", 1, 700), LONG))
    await asyncio.sleep(0)
    studio.gate.set()
    assert await answer is not None


async def test_places_take_turns_and_share_what_looks_alike(cache: PictureCache, studio: Studio) -> None:
    cache.at_hand(picture(1, "a one"), HERE)
    cache.at_hand(picture(1, "eine Eins"), THERE)
    studio.gate.set()
    await ready(cache, picture(1))
    assert len(studio.seen) == 1
    first, second = (
        cache.at_hand(picture(1, "a one"), HERE),
        cache.at_hand(picture(1, "eine Eins"), THERE),
    )
    assert first is not None
    assert second is not None
    assert (first.name, first.alt, second.alt) == (second.name, "a one", "eine Eins")


async def test_a_picture_that_is_dropped_in_one_place_is_rendered_for_another(
    cache: PictureCache, studio: Studio
) -> None:
    cache.at_hand(picture(0), ("table", 3))
    await asyncio.sleep(0.05)
    cache.at_hand(picture(1), HERE)
    cache.at_hand(picture(1), THERE)
    cache.at_hand(picture(2), HERE)
    assert cache.comes(picture(1))
    studio.gate.set()
    await ready(cache, picture(1))
    assert cache.at_hand(picture(1), THERE) is not None


async def test_who_waits_for_a_picture_hears_at_once_that_a_newer_one_is_there_already(
    cache: PictureCache, studio: Studio
) -> None:
    studio.gate.set()
    await render_now(cache, picture(2))
    studio.gate.clear()
    cache.at_hand(picture(0), THERE)
    await asyncio.sleep(0.05)
    cache.at_hand(picture(1), HERE)
    notified: list[bool] = []
    cache.call_when_done(picture(1), lambda: notified.append(True))
    assert cache.at_hand(picture(2), HERE) is not None
    await asyncio.sleep(0)
    assert notified
    assert not cache.comes(picture(1))
    assert OUTCOMES["dropped"] == 1
    studio.gate.set()


async def test_a_picture_is_not_rendered_once_its_place_shows_none(
    cache: PictureCache, studio: Studio
) -> None:
    cache.at_hand(picture(0), THERE)
    await asyncio.sleep(0.05)  # it is under way
    cache.at_hand(picture(1), HERE)
    called: list[int] = []
    cache.call_when_done(picture(1), lambda: called.append(1))
    cache.drop(HERE)
    cache.drop(HERE)
    assert not cache.comes(picture(1))
    studio.gate.set()
    await ready(cache, picture(0))
    assert called == [1]
    assert studio.seen == [picture(0).key]
    assert OUTCOMES["dropped"] == 1


async def test_while_pictures_are_wanted_faster_than_rendered_the_newest_that_is_ready_is_known(
    cache: PictureCache, studio: Studio
) -> None:
    assert cache.newest(HERE) is None
    cache.at_hand(picture(1, "the first"), HERE)
    await asyncio.sleep(0.05)  # it is under way
    cache.at_hand(picture(2), HERE)
    cache.at_hand(picture(3), HERE)
    studio.gate.set()
    await ready(cache, picture(1))
    first = cache.newest(HERE)
    assert first is not None
    assert first.alt in ("the first", "a number")
    await ready(cache, picture(3))
    last = cache.newest(HERE)
    assert last is not None
    assert last.name == f"{picture(3).key}.png"
    assert cache.newest(THERE) is None


async def test_nobody_waits_longer_than_they_said(cache: PictureCache, studio: Studio) -> None:
    wanted = picture(1)
    async with asyncio.timeout(LONG / 2):
        assert await cache.soon(wanted, HERE, 0.01) is None
    assert cache.comes(wanted)
    called: list[int] = []
    cache.call_when_done(wanted, lambda: called.append(1))
    studio.gate.set()
    await ready(cache, wanted)
    await asyncio.sleep(0)
    assert called == [1]
    assert await cache.soon(wanted, HERE, 0.01) is not None


@pytest.mark.parametrize("limits", [PictureCacheLimits(slow=0.0)])
async def test_while_a_rendering_takes_long_nobody_waits_at_all(cache: PictureCache, studio: Studio) -> None:
    cache.at_hand(picture(1), HERE)
    await asyncio.sleep(0.05)
    async with asyncio.timeout(LONG / 2):
        assert await cache.soon(picture(2), THERE, LONG) is None
    studio.gate.set()


@pytest.mark.parametrize("limits", [PictureCacheLimits(kept=2500)])
async def test_what_was_not_looked_at_for_longest_is_forgotten_first(
    cache: PictureCache, studio: Studio
) -> None:
    studio.gate.set()
    for number in (1, 2):
        cache.at_hand(picture(number), HERE)
        await ready(cache, picture(number))
    assert cache.at_hand(picture(1), HERE) is not None
    cache.at_hand(picture(3), HERE)
    await ready(cache, picture(3))
    rendered = len(studio.seen)
    assert cache.at_hand(picture(1), HERE) is not None
    assert cache.at_hand(picture(3), HERE) is not None
    assert cache.at_hand(picture(2), HERE) is None
    await ready(cache, picture(2))
    assert len(studio.seen) == rendered + 1


async def test_a_process_that_dies_is_started_anew(cache: PictureCache) -> None:
    await render_now(cache, picture(1))
    [number] = worker_of(cache)
    os.kill(number, signal.SIGKILL)
    await asyncio.sleep(0.2)
    cache.at_hand(picture(2), HERE)
    await ready(cache, picture(2))
    await render_now(cache, picture(3))
    assert worker_of(cache) != [number]


async def render_now(cache: PictureCache, wanted: Picture) -> None:
    cache.at_hand(wanted, HERE)
    await ready(cache, wanted)
    assert cache.at_hand(wanted, HERE) is not None


def worker_of(cache: PictureCache) -> list[int]:
    assert cache._pool.is_open
    return list(getattr(cache._pool.open(), "_processes"))  # noqa: B009


async def test_a_gallery_that_is_off_or_closed_has_no_picture(studio: Studio) -> None:
    off = PictureCache(on=False)
    off.open()
    assert await off.soon(picture(1), HERE, 1) is None
    assert not off.comes(picture(1))
    closed = PictureCache()
    closed.close()
    assert closed.at_hand(picture(1), HERE) is None
    assert studio.seen == []
