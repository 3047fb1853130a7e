"""The bot's processes, and a service manager that starts each again when it has ended."""

from __future__ import annotations

import asyncio
import json
import re
import signal
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

from tests.proof.discord import DATED, ProofDiscord
from tests.proof.plan import DRAIN_SECONDS, ENDED_WITHIN

AGAIN_AFTER: Final = 1.0
"""Seconds after the end of a process until it is started again."""
GIVEN_UP_AFTER: Final = 20.0
"""Seconds after which a process is killed that was told to end and does not."""
SENT_AGAIN_AFTER: Final = 0.2
"""Seconds between two signals to end. At the first one a process drains, at the second one it ends at once."""

Fate = Literal["killed", "terminated", "drained", ""]


@dataclass(eq=False)
class Process:
    """One process from its start to its end. Times are on the loop's clock."""

    name: str
    pid: int
    log: Path
    started: float
    running: asyncio.subprocess.Process | None = None
    ended: float | None = None
    status: int | None = None
    fate: Fate = ""
    """The trouble that ends it."""
    doomed: float | None = None
    """When that came. A drained process serves until it has given everything away, and has no such time."""
    drains: float | None = None
    """When it was told to drain."""
    frozen: list[tuple[float, float | None]] = field(default_factory=list[tuple[float, float | None]])
    """From when to when it was frozen."""
    severed: list[float] = field(default_factory=list[float])
    """When the server ended its sessions."""

    @property
    def alive(self) -> bool:
        return self.doomed is None and self.ended is None

    @property
    def is_frozen(self) -> bool:
        return bool(self.frozen) and self.frozen[-1][1] is None

    @property
    def stopped(self) -> float | None:
        """From when on it can do nothing any more."""
        return self.doomed if self.doomed is not None else self.ended

    def ran(self, since: float, until: float) -> bool:
        """Whether it was there, was left alone and was not frozen in all of this time."""
        if self.started > since or (self.stopped is not None and self.stopped <= until):
            return False
        return not self._froze(since, until)

    def was_disturbed(self, since: float, until: float) -> bool:
        """Whether it was frozen, or lost its sessions, at some time of this."""
        return self._froze(since, until) or any(since <= at <= until for at in self.severed)

    def was_harmed(self, since: float, until: float) -> bool:
        """The same, or whether it was drained or ended in that time."""
        ends = (at for at in (self.drains, self.stopped) if at is not None)
        return self.was_disturbed(since, until) or any(since <= at <= until for at in ends)

    def _froze(self, since: float, until: float) -> bool:
        return any(at <= until and (till is None or till > since) for at, till in self.frozen)

    def kill(self) -> None:
        self._end("killed", signal.SIGKILL)

    async def terminate(self) -> None:
        """Tells it to end at once."""
        draining = self.drains is not None
        self._end("terminated", signal.SIGTERM)
        if not draining:
            await asyncio.sleep(SENT_AGAIN_AFTER)
            if self.ended is None:
                self._signal(signal.SIGTERM)

    async def drain(self) -> None:
        """Has it give all of its shards away and end, and waits for that, but not for ever."""
        self.fate, self.drains = "drained", asyncio.get_running_loop().time()
        self._signal(signal.SIGTERM)
        with suppress(TimeoutError):
            async with asyncio.timeout(DRAIN_SECONDS + ENDED_WITHIN):
                await self.wait()

    async def freeze(self, seconds: float) -> None:
        loop = asyncio.get_running_loop()
        self.frozen.append((loop.time(), None))
        self._signal(signal.SIGSTOP)
        await asyncio.sleep(seconds)
        self._signal(signal.SIGCONT)
        self.frozen[-1] = self.frozen[-1][0], loop.time()

    async def wait(self) -> None:
        assert self.running is not None
        self.status = await self.running.wait()
        if self.ended is None:
            self.ended = asyncio.get_running_loop().time()

    def _end(self, fate: Fate, how: signal.Signals) -> None:
        self.fate, self.doomed = fate, asyncio.get_running_loop().time()
        self._signal(how)

    def _signal(self, number: signal.Signals) -> None:
        assert self.running is not None
        with suppress(ProcessLookupError):
            self.running.send_signal(number)


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
        process = Process(name, running.pid, log, asyncio.get_running_loop().time(), running)
        self.processes.append(process)
        return process

    async def end(self) -> None:
        """Tells the process to end, and starts no other."""
        assert self._keeper is not None
        self._keeper.cancel()
        process = self.processes[-1]
        if process.status is None:
            await process.terminate()
            try:
                async with asyncio.timeout(GIVEN_UP_AFTER):
                    await process.wait()
            except TimeoutError:
                process.kill()
                process.fate = ""  # it should have ended by itself
                await process.wait()


_NUMBER: Final = re.compile(r"\d+(\.\d+)?")


def errors(log: Path) -> list[str]:
    """The errors in a log, with # for each number; those with a traceback have its last line as well."""
    found: list[str] = []
    for line in log.read_text(errors="replace").splitlines():
        if not line.startswith("{"):
            found.append(f"not a line of the log: {line[:200]}")
            continue
        with suppress(ValueError):
            entry = json.loads(line)
            if entry.get("level") in ("ERROR", "CRITICAL"):
                last = str(entry.get("traceback", "")).strip().splitlines()[-1:]
                found.append(_NUMBER.sub("#", " | ".join([entry["message"], *last]))[:300])
    return found
