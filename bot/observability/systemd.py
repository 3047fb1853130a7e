"""Tells systemd how the service is: that it is up, that it still lives, and that it is ending (see sd_notify(3)).

Each message is one datagram. Where no systemd asks for them, nothing is sent.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

log = logging.getLogger(__name__)

LOOK: Final = 0.5
"""Seconds between two checks whether the bot is up, and whether its state has changed."""


class Systemd:
    """The service manager that has started this process, if there is one."""

    def __init__(self, environment: Mapping[str, str] = os.environ) -> None:
        path = environment.get("NOTIFY_SOCKET", "")
        self._path = "\0" + path[1:] if path.startswith("@") else path
        """A name that begins with @ is in the kernel's abstract name space and no file."""
        self.watchdog = _seconds(environment)
        """Seconds within which systemd wants a sign of life; None if it wants none."""

    @property
    def listens(self) -> bool:
        return bool(self._path)

    def tell(self, *lines: str) -> None:
        """Sends these assignments. A failure is logged: systemd then acts as if nothing had been said."""
        if not self._path:
            return
        try:
            with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as out:
                out.setblocking(False)
                out.connect(self._path)
                out.send("\n".join(lines).encode())
        except OSError as error:
            log.warning("systemd could not be told how the bot is: %s", error)

    async def keep_told(self, up: Callable[[], bool], state: Callable[[], Awaitable[str]]) -> None:
        """Tells systemd when the bot is up, what its state is, and that it lives, until it is cancelled.

        The signs of life come from the event loop, so they end if it is stuck.
        """
        loop = asyncio.get_running_loop()
        every = self.watchdog / 3 if self.watchdog else None
        told, said, sign_due = False, "", loop.time()
        while True:
            lines: list[str] = []
            if every is not None and loop.time() >= sign_due:
                lines.append("WATCHDOG=1")
                sign_due = loop.time() + every
            if not told and up():
                told = True
                lines.append("READY=1")
            if told and (now := await state()) != said:
                said = now
                lines.append(f"STATUS={now}")
            if lines:
                self.tell(*lines)
            await asyncio.sleep(LOOK if every is None else min(LOOK, every))


def _seconds(environment: Mapping[str, str]) -> float | None:
    wanted, pid = environment.get("WATCHDOG_USEC", ""), environment.get("WATCHDOG_PID", "")
    if not wanted.isdigit() or not int(wanted) or (pid and pid != str(os.getpid())):
        return None
    return int(wanted) / 1_000_000
