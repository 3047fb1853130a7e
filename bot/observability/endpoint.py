"""The address at which monitoring asks about this process: `/metrics`, `/healthz` and `/readyz`.

It is served by the event loop that also answers presses, so an answer shows that the loop turns.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from typing import Protocol

from aiohttp import web
from aiohttp.http_exceptions import HttpProcessingError
from prometheus_client import CONTENT_TYPE_LATEST

from bot.settings import Address

log = logging.getLogger(__name__)


def _is_the_bots_fault(record: logging.LogRecord) -> bool:
    """Whether this is no request that could not be read. Such a request is answered by status 400, and not logged."""
    return not (record.exc_info and isinstance(record.exc_info[1], HttpProcessingError))


_requests_log = logging.getLogger(f"{__name__}.requests")
_requests_log.addFilter(_is_the_bots_fault)


class CannotListen(Exception):
    """The address is in use or cannot be used. The text says so."""


class Subject(Protocol):
    """What the endpoint asks of the process that it tells about."""

    async def figures(self) -> bytes:
        """All metrics in Prometheus' text format."""
        ...

    async def not_ready(self) -> str | None:
        """Why the process cannot serve everybody now; None if it can."""
        ...

    def ready_line(self) -> str:
        """The sentence of `/readyz` while the process can serve everybody."""
        ...


class Endpoint:
    """Serves what monitoring asks about a process."""

    def __init__(self, subject: Subject) -> None:
        self._subject = subject

    async def _metrics(self, _request: web.Request) -> web.Response:
        return web.Response(body=await self._subject.figures(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def _health(self, _request: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def _readiness(self, _request: web.Request) -> web.Response:
        why = await self._subject.not_ready()
        return web.Response(text=f"{why or self._subject.ready_line()}\n", status=503 if why else 200)

    @asynccontextmanager
    async def serving(self, address: Address | None) -> AsyncGenerator[int]:
        """A context in which the address is served; gives its port, or 0 if there is no address.

        Raises `CannotListen`.
        """
        if address is None:
            yield 0
            return
        app = web.Application()
        app.router.add_get("/metrics", self._metrics)
        app.router.add_get("/healthz", self._health)
        app.router.add_get("/readyz", self._readiness)
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
            log.info("figures are served at http://%s/metrics", address._replace(port=port))
            yield port
        finally:
            await runner.cleanup()
