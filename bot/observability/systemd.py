"""Reports readiness, status, liveness and stopping to systemd (see sd_notify(3)).

Each message is one datagram. Without systemd, nothing is sent.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

log = logging.getLogger(__name__)
_CHECK_EVERY: Final = 0.5
"""Seconds between two checks of readiness and status."""


class Systemd:
    """The service manager that started this process, if any."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        path = environment.get("NOTIFY_SOCKET", "")
        self._path = "\0" + path[1:] if path.startswith("@") else path
        """The address of systemd's socket; empty without systemd. An abstract address begins with @ and is no file."""
        self.watchdog = _seconds(environment)
        """The watchdog timeout in seconds; None if there is none."""

    @property
    def listens(self) -> bool:
        return bool(self._path)

    def notify(self, *lines: str) -> None:
        """Sends these assignments. A failure is only logged."""
        if not self._path:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
                out.setblocking(False)
                out.connect(self._path)
                out.send("\n".join(lines).encode())
        except OSError as error:
            log.warning("could not notify systemd: %s", error)

    async def report_status(self, up: Callable[[], bool], state: Callable[[], Awaitable[str]]) -> None:
        """Sends readiness, status and watchdog keep-alives until cancelled.

        The keep-alives come from the event loop, so they stop if it is stuck.
        """
        loop = asyncio.get_running_loop()
        every = self.watchdog / 3 if self.watchdog else None
        ready_sent, said, sign_due = False, "", loop.time()
        while True:
            lines: list[str] = []
            if every is not None and loop.time() >= sign_due:
                lines.append("WATCHDOG=1")
                sign_due = loop.time() + every
            if not ready_sent and up():
                ready_sent = True
                lines.append("READY=1")
            if ready_sent and (now := await state()) != said:
                said = now
                lines.append(f"STATUS={now}")
            if lines:
                self.notify(*lines)
            await asyncio.sleep(_CHECK_EVERY if every is None else min(_CHECK_EVERY, every))


def _seconds(environment: Mapping[str, str]) -> float | None:
    wanted, pid = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
    if not wanted.isdigit() or not int(wanted) or (pid and pid != str(os.getpid())):
        return None
    return int(wanted) / 1_000_000
