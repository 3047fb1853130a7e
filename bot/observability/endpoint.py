"""The HTTP endpoint for monitoring: `/metrics`, `/healthz` and `/readyz`.

The server runs on the event loop that answers presses, so an answer shows that the loop is running.
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


_requests_log = logging.getLogger(f"{__name__}.requests")
# A malformed request gets status 400, and needs no log.
_requests_log.addFilter(
    lambda each: not (each.exc_info and isinstance(each.exc_info[1], HttpProcessingError))
)


class CannotListen(Exception):
    """The address is in use or invalid. The text gives the reason."""


class HealthSource(Protocol):
    """The source of the endpoint's answers."""

    async def figures(self) -> bytes:
        """All metrics in Prometheus' text format."""
        ...

    async def not_ready(self) -> str | None:
        """The reason why the process is not ready; None if it is."""
        ...

    def ready_line(self) -> str:
        """The text of `/readyz` while the process is ready."""
        ...


@asynccontextmanager
async def serving(source: HealthSource, address: Address | None) -> AsyncGenerator[int]:
    """A context in which the server listens at the address; yields the port, 0 without an address.

    Raises `CannotListen`.
    """
    if address is None:
        yield 0
        return

    async def metrics(_request: web.Request) -> web.Response:
        return web.Response(body=await source.figures(), headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def health(_request: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def readiness(_request: web.Request) -> web.Response:
        why = await source.not_ready()
        return web.Response(text=f"{why or source.ready_line()}\n", status=503 if why else 200)

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
