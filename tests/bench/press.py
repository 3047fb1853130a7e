"""Where a press spends its time: shares of the event loop's thread while the bot answers presses as fast as it can.

The bot runs as `python -m bot run` does. Its first thread interrupts itself every few milliseconds of the processor's
time and looks at what it is doing: the innermost function that is named in `PURPOSES` says what for, and the innermost
within it that is named in `WORK` what exactly.
"""

from __future__ import annotations

import asyncio
import inspect
import json
import os
import signal
import tempfile
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from tests.bench.presses import SECONDS, TABLES, WARMING, digsite
from tests.bench.report import Report

EVERY: Final = 0.002
"""Seconds of the processor between two looks."""
LONGER: Final = 4
"""How many times longer it is pressed than in a round of `presses`."""

PURPOSES: Final[Mapping[str, str]] = {
    "Interaction.serve": "the answer",
    "Router._answer": "the answer",
    "Router._serve": "the answer",
    "PrivateScreens._refresh": "other private screens",
    "Redraws._draw": "table message, calls",
    "Redraws._draw_all": "table message, calls",
    "Host.start_due": "finding what is due",
    "JobRunner._do": "finding what is due",
    "RedrawJobs.follow": "finding what is due",
    "Shard.worker": "hearing of the press",
    "Client._run_event": "hearing of the press",
}
WORK: Final[Mapping[str, str]] = {
    "Tables.play": "the move, until it is durable",
    "Tables.change": "changing the table",
    "OneThread.submit": "asking the store",
    "Store.read": "asking the store",
    "Store.write": "asking the store",
    "private": "composing",
    "board": "composing",
    "PublicScreens.announcement": "composing",
    "Screen.view": "putting it into Discord's form",
    "ScreenView.to_components": "putting it into Discord's form",
    "ScreenView.digest": "putting it into Discord's form",
    "AsyncWebhookAdapter.request": "the request itself",
    "Message.__init__": "reading a message of Discord's",
    "InteractionCallbackResponse.__init__": "reading a message of Discord's",
    "Interaction.__init__": "reading the press",
    "Uploads.send": "discord.py around the request",
    "with_emoji": "discord.py around the request",
}
REST: Final = "the rest"
LOOP: Final = "sockets, and the event loop itself"


def place_of(stack: Sequence[str]) -> str:
    """The work of functions of these names, of which each was called by the one before it.

    >>> place_of(["Client._run_event", "Router._serve", "Uploads.send", "AsyncWebhookAdapter.request", "write"])
    'the answer: the request itself'
    >>> place_of(["Handle._run", "read"])
    'sockets, and the event loop itself'
    """
    work = REST
    for name in reversed(stack):
        if name in PURPOSES:
            return f"{PURPOSES[name]}: {work}"
        if work == REST:
            work = WORK.get(name, REST)
    return LOOP


_SAMPLER: Final = """
import signal as _signal, time as _time
{names}
{place_of}
class _Sampler:
    def __init__(self):
        self.seconds, self.last = {{}}, 0.0
        _signal.signal(_signal.SIGUSR1, self.begin)
        _signal.signal(_signal.SIGUSR2, self.end)
    def begin(self, *_):
        self.last = _time.thread_time()
        _signal.signal(_signal.SIGPROF, self.look)
        _signal.setitimer(_signal.ITIMER_PROF, {every}, {every})
    def look(self, _number, frame):
        # Other threads' work sets off the timer too, but is not counted here.
        now = _time.thread_time()
        stack = []
        while frame is not None:
            stack.append(frame.f_code.co_qualname)
            frame = frame.f_back
        place = place_of(stack[::-1])
        self.seconds[place] = self.seconds.get(place, 0.0) + now - self.last
        self.last = _time.thread_time()
    def end(self, *_):
        import json
        _signal.setitimer(_signal.ITIMER_PROF, 0)
        with open({path!r} + ".part", "w") as file:
            json.dump(self.seconds, file)
        import os
        os.rename({path!r} + ".part", {path!r})
_Sampler()
"""
"""Run in the bot's process before it starts."""


def run() -> Report:
    """Where a press spends its time."""
    return asyncio.run(measure())


async def measure() -> Report:
    """Presses for a while, and looks."""
    with tempfile.TemporaryDirectory(prefix="digsite-bench-") as folder:
        path = Path(folder) / "seconds.json"
        async with digsite("Digsite", TABLES, before=sampler(path), PICTURES="off") as bot:
            pressing = bot.press(0.0)
            await asyncio.sleep(WARMING)
            (process,) = bot.discord.bots
            bot.evening.waits.clear()
            os.kill(process, signal.SIGUSR1)
            await asyncio.sleep(SECONDS * LONGER)
            presses = len(bot.evening.waits)
            os.kill(process, signal.SIGUSR2)
            async with asyncio.timeout(10):
                while not path.exists():
                    await asyncio.sleep(0.05)
            pressing.cancel()
            await asyncio.gather(pressing, return_exceptions=True)
        return shares(json.loads(path.read_text()), presses)


def sampler(path: Path) -> str:
    """The code that looks on, from one signal to another, and then writes the seconds by place to this file."""
    names = "\n".join(
        f"{name} = {value!r}"
        for name, value in (("PURPOSES", PURPOSES), ("WORK", WORK), ("REST", REST), ("LOOP", LOOP))
    )
    code = inspect.getsource(place_of).replace("stack: Sequence[str]", "stack")
    return _SAMPLER.format(names=names, place_of=code, every=EVERY, path=str(path))


def shares(seconds: Mapping[str, float], presses: int) -> Report:
    """The seconds by place as shares and for each press, what takes most first."""
    whole, by_purpose = sum(seconds.values()) or 1.0, defaultdict[str, float](float)
    for place, spent in seconds.items():
        by_purpose[place.partition(":")[0]] += spent
    rows: list[tuple[str, ...]] = []

    def figures(spent: float) -> tuple[str, str]:
        return f"{100 * spent / whole:.0f} %", f"{spent / max(1, presses) * 1e6:,.0f}"

    for purpose, spent in sorted(by_purpose.items(), key=lambda item: -item[1]):
        rows.append((purpose, *figures(spent)))
        rows += [(f"- {name}", *figures(part)) for name, part in _parts_of(purpose, seconds)]
    rows.append(("all of it", *figures(sum(seconds.values()))))
    return Report(
        f"Where a press spends its time, at {TABLES} tables that press as fast as they can",
        ("", "share", "µs a press"),
        rows,
        (
            "Of the event loop's thread, without pictures. What one press makes necessary for others (their screens, "
            "the table message) is shared by the presses that it is drawn for.",
        ),
    )


def _parts_of(purpose: str, seconds: Mapping[str, float]) -> Iterator[tuple[str, float]]:
    parts = {place: spent for place, spent in seconds.items() if place.startswith(f"{purpose}: ")}
    for place in sorted(parts, key=lambda place: -parts[place]):
        yield place.partition(": ")[2], parts[place]
