"""Whether this process can serve everybody now, and the gauges that are read from its parts at each request."""

from __future__ import annotations

from contextlib import suppress

from bot.app.client import Digsite
from bot.store.model import StoreError


class Readiness:
    """The state of a client as `bot.observability.endpoint` and systemd report it."""

    def __init__(self, client: Digsite) -> None:
        self._client = client

    async def not_ready(self) -> str | None:
        """The reason why the bot cannot serve everybody now; None if it can."""
        host, shards, fleet = self._client.host, self._client.shards, self._client.fleet
        if not host.is_open:
            return "the store is not open"
        try:
            await host.store.next_due()
        except StoreError:
            return "the store cannot be read"
        expected = set(range(self._client.shard_count or 1))
        if fleet is not None:
            status = fleet.status
            if not status.certain:
                return "the database does not say whether this process still owns its shards"
            if status.drains:
                return "draining"
            if not status.is_member or len(status.owned) < status.share:
                return f"{len(status.owned)} of {status.share or 'no'} shards are this process's own yet"
            expected = set(status.owned)
        connected = sum(not shard.is_closed() for number, shard in shards.items() if number in expected)
        if connected < len(expected):
            return f"{connected} of {len(expected)} shards are connected"
        return None

    @property
    def serves(self) -> str:
        """The bot's activity while it can serve everybody."""
        if self._client.fleet is None:
            return "serving tables"
        status = self._client.fleet.status
        return (
            f"owning {len(status.owned)} of {status.shard_count} shards, "
            f"one of {status.members + status.draining} processes"
        )

    async def figures(self) -> bytes:
        """All metrics in Prometheus' text format, with the present values of the gauges."""
        await self._refresh()
        return self._client.host.metrics.text()

    def ready_line(self) -> str:
        """The sentence of `/readyz` while this process can serve everybody."""
        return "ready" if self._client.fleet is None else f"ready: {self.serves}"

    async def _refresh(self) -> None:
        """Sets the gauges. A gauge that cannot be read retains its last value."""
        host, metrics = self._client.host, self._client.host.metrics
        metrics.up.set(await self.not_ready() is None)
        closed = [shard.is_closed() for shard in self._client.shards.values()]
        metrics.shards.labels("yes").set(closed.count(False))
        metrics.shards.labels("no").set(closed.count(True))
        if self._client.fleet is not None:
            metrics.set_fleet_status(self._client.fleet.status)
        metrics.servers.set(len(self._client.guilds))
        metrics.load.set(host.load.requests)
        for kind, (number, overdue) in host.jobs.waiting().items():
            metrics.waiting.labels(kind).set(number)
            metrics.overdue.labels(kind).set(overdue)
        with suppress(StoreError):  # `digsite_ready` reports the failure
            metrics.set_live(dict.fromkeys(host.games, 0) | await host.store.live_by_game())
