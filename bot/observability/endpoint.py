"""The HTTP endpoint for monitoring (`/metrics`, `/healthz`, `/readyz`), and the reports to systemd (sd_notify(3)).

The server runs on the event loop that answers presses, so an answer shows that the loop is running. To systemd go
readiness, status, liveness and stopping, each message as one datagram. Without systemd, nothing is sent.
"""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from typing import Final

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from prometheus_client import CONTENT_TYPE_LATEST

from bot.settings import Address

log = logging.getLogger(__name__)


_requests_log = logging.getLogger(f"{__name__}.requests")
# A malformed request gets status 400, and needs no log.
_requests_log.addFilter(
    lambda each: not (each.exc_info and isinstance(each.exc_info[1], HttpProcessingError))
)


class CannotListen(Exception):
    """The address is in use or invalid. The text gives the reason."""


@asynccontextmanager
async def serving(
    address: Address | None,
    figures: Callable[[], Awaitable[bytes]],
    not_ready: Callable[[], Awaitable[str | None]],
    ready_line: Callable[[], str],
) -> AsyncGenerator[int]:
    """A context in which the server listens at the address; yields the port, 0 without an address.

    `figures` returns all metrics in Prometheus' text format, `not_ready` the reason why the process is not ready (None
    if it is), and `ready_line` the text of `/readyz` while it is. Raises `CannotListen`.
    """
    if address is None:
        yield 0
        return

    async def metrics(_request: web.Request) -> web.Response:
        return web.Response(body=await figures(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def health(_request: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def readiness(_request: web.Request) -> web.Response:
        why = await not_ready()
        return web.Response(text=f"{why or ready_line()}\n", status=503 if why else 200)

    app = web.Application()
    app.router.add_get("/metrics", metrics)
    app.router.add_get("/healthz", health)
    app.router.add_get("/readyz", readiness)
    runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1, logger=_requests_log)
    await runner.setup()
    try:
        try:
            await web.TCPSite(runner, address.host, address.port).start()
        except OSError as error:
            raise CannotListen(
                f"METRICS={address} cannot be served: {error.strerror or error}. Name another address, or none."
            ) from error
        port = int(runner.addresses[0][1])
        log.info("serving metrics at http://%s/metrics", address._replace(port=port))
        yield port
    finally:
        await runner.cleanup()


# -- systemd

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
