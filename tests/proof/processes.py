"""The bot's processes, and a service manager that starts each again when it has ended."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
import socket
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final, Literal

from tests.bot.fake_discord import ROOT
from tests.proof.discord import DATED, ProofDiscord

AGAIN_AFTER: Final = 1.0
"""Seconds after the end of a process until it is started again."""
GIVEN_UP_AFTER: Final = 20.0
"""Seconds after which a process is killed that was told to end and does not."""

Fate = Literal["killed", "told", "drained", ""]


class Process:
    """One process from its start to its end. Times are on the loop's clock."""

    def __init__(self, name: str, running: asyncio.subprocess.Process, log: Path) -> None:
        self.name = name
        self._running = running
        self.pid = running.pid
        self.log = log
        self._loop = asyncio.get_running_loop()
        self.started = self._loop.time()
        self.ended: float | None = None
        self.fate: Fate = ""
        """What was done to it that ends it."""
        self.doomed: float | None = None
        """When that was done. A process that is drained serves until it has handed over everything."""
        self.frozen: list[tuple[float, float | None]] = []
        """From when to when it was frozen."""

    @property
    def status(self) -> int | None:
        return self._running.returncode

    @property
    def alive(self) -> bool:
        return self.doomed is None and self.ended is None

    @property
    def is_frozen(self) -> bool:
        return bool(self.frozen) and self.frozen[-1][1] is None

    def kill(self) -> None:
        self._end(signal.SIGKILL, "killed")

    def tell(self) -> None:
        """Tells it to end."""
        self._end(signal.SIGTERM, "told")

    def _end(self, how: signal.Signals, fate: Fate) -> None:
        self.fate, self.doomed = fate, self._loop.time()
        with suppress(ProcessLookupError):
            self._running.send_signal(how)

    async def drain(self, settings: Mapping[str, str]) -> bool:
        """Has it hand over all of its shards, as an operator does. Returns whether that was seen to end well."""
        self.fate = "drained"
        ordered = await asyncio.create_subprocess_exec(
            *(sys.executable, "-m", "bot", "drain", f"{socket.gethostname()}-{self.pid}"),
            cwd=ROOT,
            env={**os.environ, **settings, "DISCORD_TOKEN": "x"},
            stdout=asyncio.subprocess.DEVNULL,
            stderr=asyncio.subprocess.DEVNULL,
        )
        return await ordered.wait() == 0

    async def freeze(self, seconds: float) -> None:
        self.frozen.append((self._loop.time(), None))
        with suppress(ProcessLookupError):
            self._running.send_signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        with suppress(ProcessLookupError):
            self._running.send_signal(signal.SIGCONT)
        self.frozen[-1] = self.frozen[-1][0], self._loop.time()

    @property
    def stopped(self) -> float | None:
        """From when on it can do nothing any more."""
        return self.doomed if self.doomed is not None else self.ended

    def ran(self, since: float, until: float) -> bool:
        """Whether it was there, was left alone and was not frozen in all of this time."""
        if self.started > since or (self.stopped is not None and self.stopped <= until):
            return False
        return all((till is not None and till < since) or at > until for at, till in self.frozen)

    def rests(self) -> list[tuple[float, float | None]]:
        """From when to when it did not run, its end included, which lasts for ever."""
        end = self.stopped
        spans = [span for span in self.frozen if end is None or span[0] < end]
        return spans if end is None else [*spans, (end, None)]

    async def wait(self) -> None:
        await self._running.wait()
        self.ended = self._loop.time()


class Service:
    """Keeps one process running."""

    def __init__(
        self, name: str, discord: ProofDiscord, folder: Path, settings: dict[str, str], before: str = ""
    ) -> None:
        self._name = name
        self.discord = discord
        self.folder = folder
        self.settings = settings
        self.before = before
        """Python code that each process runs first, such as what makes it another version."""
        self.stays_down = False
        """Whether no process is started any more when the present one has ended."""
        self.processes: list[Process] = []
        self._keeper: asyncio.Task[None] | None = None

    @property
    def now(self) -> Process | None:
        """The process that runs now, if it was left alone so far."""
        found = self.processes[-1] if self.processes else None
        return found if found is not None and found.alive else None

    def start(self) -> None:
        self._keeper = asyncio.create_task(self._keep())

    async def _keep(self) -> None:
        while True:
            process = await self._begin()
            await process.wait()
            if self.stays_down:
                return
            await asyncio.sleep(AGAIN_AFTER)

    async def _begin(self) -> Process:
        name = f"{self._name}.{len(self.processes) + 1}"
        log = self.folder / f"{name}.log"
        with log.open("wb") as file:
            self.discord.output = file
            running = await self.discord.start_bot(
                self.folder / "unused.sqlite3", process=name, before=DATED + self.before, **self.settings
            )
        process = Process(name, running, log)
        self.processes.append(process)
        return process

    async def end(self) -> None:
        """Tells the process to end, and starts no other."""
        assert self._keeper is not None
        self._keeper.cancel()
        process = self.processes[-1]
        if process.status is None:
            process.tell()
            try:
                async with asyncio.timeout(GIVEN_UP_AFTER):
                    await process.wait()
            except TimeoutError:
                process.kill()
                process.fate = ""  # it should have ended by itself
                await process.wait()


_NUMBER: Final = re.compile(r"\d+(\.\d+)?")


def errors(log: Path) -> list[str]:
    """What a log tells of errors, with # for each number; those with a traceback are told by its last line as well."""
    found: list[str] = []
    for line in log.read_text(errors="replace").splitlines():
        if not line.startswith("{"):
            found.append(f"not a line of the log: {line[:200]}")
            continue
        with suppress(ValueError):
            told = json.loads(line)
            if told.get("level") in ("ERROR", "CRITICAL"):
                last = str(told.get("traceback", "")).strip().splitlines()[-1:]
                found.append(_NUMBER.sub("#", " | ".join([told["message"], *last]))[:300])
    return found
