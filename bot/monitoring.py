"""The address at which monitoring asks about this process: `/metrics`, `/healthz` and `/readyz`.

It is served by the event loop that also answers presses, so an answer shows that the loop turns.
"""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from typing import TYPE_CHECKING

from aiohttp import web
from prometheus_client import CONTENT_TYPE_LATEST

from bot.store.base import StoreError

if TYPE_CHECKING:
    from bot.client import Digsite
    from bot.settings import Address

log = logging.getLogger(__name__)


class CannotListen(Exception):
    """The address is in use or cannot be used. The text says so."""


class Monitoring:
    """Answers what monitoring asks about a client."""

    def __init__(self, client: Digsite) -> None:
        self._client = client

    async def not_ready(self) -> str | None:
        """Why the bot cannot serve everybody now; None if it can."""
        host, shards, fleet = self._client.host, self._client.shards, self._client.fleet
        if not host.is_open:
            return "the store is not open"
        try:
            await host.store.next_due()
        except StoreError:
            return "the store cannot be read"
        if fleet is not None and fleet.lapsed:
            return "the leases have run out and could not be renewed"
        if fleet is not None and fleet.standing.cut_off:
            return "this process is cut off from Discord, and others serve its shards"
        held = self._client.shard_ids or range(self._client.shard_count or 1)
        expected = set(held if fleet is None else fleet.standing.held)
        connected = sum(not shard.is_closed() for number, shard in shards.items() if number in expected)
        if connected < len(expected):
            return f"{connected} of {len(expected)} shards are connected"
        return None

    @property
    def serves(self) -> str:
        """What the bot does while it can serve everybody."""
        if self._client.fleet is None:
            return "serving tables"
        standing = self._client.fleet.standing
        return (
            f"{'draining, ' if standing.drains else ''}holding {len(standing.held)} of {standing.shard_count} shards, "
            f"one of {standing.serving + standing.draining} processes"
        )

    async def refresh(self) -> None:
        """Fills the gauges with what holds now. What cannot be read keeps its last figure."""
        host, metrics = self._client.host, self._client.host.metrics
        metrics.up.set(await self.not_ready() is None)
        closed = [shard.is_closed() for shard in self._client.shards.values()]
        metrics.shards.labels("yes").set(closed.count(False))
        metrics.shards.labels("no").set(closed.count(True))
        if self._client.fleet is not None:
            metrics.set_standing(self._client.fleet.standing)
        metrics.servers.set(len(self._client.guilds))
        metrics.load.set(host.request_load)
        for kind, (number, overdue) in host.waiting_jobs().items():
            metrics.waiting.labels(kind).set(number)
            metrics.overdue.labels(kind).set(overdue)
        with suppress(StoreError):  # `digsite_ready` tells it
            metrics.set_live(dict.fromkeys(host.games, 0) | await host.store.live_by_game())

    async def _metrics(self, _request: web.Request) -> web.Response:
        await self.refresh()
        text = self._client.host.metrics.text()
        return web.Response(body=text, headers={"Content-Type": CONTENT_TYPE_LATEST})

    async def _health(self, _request: web.Request) -> web.Response:
        return web.Response(text="ok\n")

    async def _readiness(self, _request: web.Request) -> web.Response:
        why = await self.not_ready()
        ready = "ready" if self._client.fleet is None else f"ready: {self.serves}"
        return web.Response(text=f"{why or ready}\n", status=503 if why else 200)

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
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.1)
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
