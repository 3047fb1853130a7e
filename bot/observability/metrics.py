"""Prometheus metrics: counters, histograms and gauges, in a registry of their own.

Label values come from closed lists of the program or of discord.py: intents, kinds of jobs and of events, games,
levels, routes. No label value is a hidden card, a name, user input, or the id of a user, a server or a table.

Counting is always on, and takes 20 µs per press. Gauges are set when the metrics are read
(`bot.observability.endpoint`).
"""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Mapping
from importlib.metadata import version
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final, Literal

import aiohttp
import prometheus_client as prometheus

from bot.observability.context import Operation
from bot.version import own_version

if TYPE_CHECKING:
    from bot.fleet.member import FleetStatus
    from bot.fleet.shard_states import ShardChange

prometheus.disable_created_metrics()  # otherwise each counter and histogram has a second series with its creation time

PREFIX: Final = "digsite_"

ANSWERED: Final = (0.01, 0.025, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 5)
"""Bucket bounds in seconds: the bot defers an answer after 1.5 s, and Discord rejects an answer after 3 s."""
DURABLE: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
"""Bucket bounds in seconds for waits for a disk."""
TOGETHER: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)
"""Bucket bounds for writes per commit."""
WORK: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15)
"""Bucket bounds in seconds for agents and rendering."""

Lost = Literal["late", "undelivered", "failed"]
"""The reason for a lost answer: too late, refused by Discord, or an error of the program."""
FilesRefused = Literal["forbidden", "refused", "failed"]
"""The reason for files that were not accepted: no permission, their size, or an error or no answer in time."""
Rendered = Literal["rendered", "dropped", "failed"]
"""The outcome of a picture; "dropped": a newer one replaced it."""

_PARTS: Final = frozenset(
    (
        *("@me", "@original", "applications", "bot", "callback", "channels", "commands", "emojis", "gateway"),
        *("guilds", "interactions", "members", "messages", "oauth2", "threads", "users", "webhooks"),
    )
)
"""The path segments that a route contains unchanged."""
_AFTER_INTERACTION: Final = ("interactions", "webhooks")
"""The first segments of paths with an interaction token, which is the third segment."""
_DEEPEST: Final = 7
"""The maximum number of segments in a path that the bot requests."""


def route_of(path: str) -> str:
    """The route of a path, without ids and tokens.

    >>> route_of("/api/v10/channels/123/messages/456")
    '/channels/:id/messages/:id'
    >>> route_of("/api/v10/interactions/123/aW50ZXJ/callback")
    '/interactions/:id/:token/callback'
    """
    parts = [part for part in path.split("/") if part]
    if parts[:1] == ["api"]:
        parts = parts[2:] if parts[1:2] and parts[1].startswith("v") else parts[1:]
    if len(parts) > _DEEPEST:
        return "other"
    shown: list[str] = []
    for place, part in enumerate(parts):
        if place == 2 and parts[0] in _AFTER_INTERACTION:
            shown.append(":token")
        elif part in _PARTS:
            shown.append(part)
        elif part.isascii() and part.isdigit():
            shown.append(":id")
        else:
            return "other"
    return "/" + "/".join(shown)


class Metrics:
    """The metrics of this process."""

    def __init__(self) -> None:
        self.registry = prometheus.CollectorRegistry()
        prometheus.ProcessCollector(registry=self.registry)
        self._operation_metrics()
        self._work_metrics()
        self._fleet_metrics()
        self._gauges()
        self.build.labels(own_version(), version("discord.py"), platform.python_version()).set(1)

    def _counter(self, name: str, what: str, *labels: str) -> prometheus.Counter:
        return prometheus.Counter(f"{PREFIX}{name}", what, labels, registry=self.registry)

    def _gauge(self, name: str, what: str, *labels: str) -> prometheus.Gauge:
        return prometheus.Gauge(f"{PREFIX}{name}", what, labels, registry=self.registry)

    def _histogram(
        self, name: str, what: str, buckets: tuple[float, ...], *labels: str
    ) -> prometheus.Histogram:
        return prometheus.Histogram(f"{PREFIX}{name}", what, labels, registry=self.registry, buckets=buckets)

    def _operation_metrics(self) -> None:
        self._presses = self._counter(
            "presses", "Presses, forms and commands, by intent and outcome", "intent", "outcome"
        )
        self._skipped = self._counter(
            "events_skipped", "Gateway events that could not be parsed, by kind", "event"
        )
        self._lost = self._counter(
            "answers_lost", "Answers to interactions that were lost, by reason", "reason"
        )
        self._uploads_refused = self._counter(
            "uploads_refused", "Messages that Discord accepted only without their files, by reason", "reason"
        )
        self._answer = self._histogram(
            "answer_seconds",
            "Time from the arrival of a press until Discord accepted the first answer",
            ANSWERED,
        )
        self._durable = self._histogram(
            "durable_seconds", "Time from the arrival of a press until its change was durable", DURABLE
        )
        self._jobs = self._counter("jobs", "Jobs run, by kind and outcome", "kind", "outcome")
        self._late = self._histogram(
            "job_late_seconds",
            "Delay of a job: time from due to started",
            (0.1, 0.5, 1, 2, 5, 15, 60, 300),
            "kind",
        )

    def _fleet_metrics(self) -> None:
        self._shards_moved = self._counter(
            "shards_moved", "Shards gained or lost by this process, by cause", "how"
        )
        self._check_late = self._histogram(
            "fleet_late_seconds",
            "Delay of a check of the fleet's locks",
            (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 6),
        )

    def _work_metrics(self) -> None:
        self._commit = self._histogram(
            "commit_seconds", "Duration of a commit of the store, disk wait included", DURABLE
        )
        self._writes = self._histogram("commit_writes", "Writes per commit", TOGETHER)
        self._requests = self._counter(
            "requests",
            "Requests to Discord, by route and status; status 0: no answer",
            "method",
            "route",
            "status",
        )
        self._agents = self._histogram(
            "agent_seconds", "Duration of an agent's move, queueing included", WORK, "game", "level"
        )
        self._pictures = self._counter("pictures", "Pictures, by outcome", "outcome")
        self._picture = self._histogram("picture_seconds", "Duration of rendering a picture", WORK)

    def _gauges(self) -> None:
        self.build = self._gauge("build_info", "Versions; always 1", "version", "discordpy", "python")
        self.up = self._gauge("ready", "1 if the store is open and all shards are connected, else 0")
        self.live = self._gauge("live_tables", "Live tables by game, lobbies included", "game")
        self.shards = self._gauge("shards", "Shards of this process, by connection state", "connected")
        self._fleet_shards = self._gauge(
            "fleet_shards",
            "Shards of this process: owned, standby (about to be received), given (given away, still connected)",
            "state",
        )
        self._shard_count = self._gauge("fleet_shard_count", "Shard count of the fleet")
        self._answer_age = self._gauge(
            "fleet_answer_age_seconds", "Seconds since the last answer on the fleet session"
        )
        self._processes = self._gauge("fleet_processes", "Live processes of the fleet, by state", "state")
        self.servers = self._gauge("servers", "Servers of this process")
        self.waiting = self._gauge("jobs_waiting", "Due jobs that are queued, redraws included", "kind")
        self.overdue = self._gauge("job_overdue_seconds", "Delay of the job that is overdue longest", "kind")
        self.load = self._gauge("request_load", "Recent requests as a fraction of the request rate limit")

    # -- events

    def answered(self, operation: Operation, first_answer: float | None) -> None:
        """Counts a completed press or command; `first_answer` is on the event loop's clock."""
        self._presses.labels(operation.name, operation.outcome).inc()
        if first_answer is not None:
            self._answer.observe(first_answer - operation.began)
        if operation.durable is not None:
            self._durable.observe(operation.durable - operation.began)

    def answer_lost(self, reason: Lost) -> None:
        self._lost.labels(reason).inc()

    def upload_refused(self, reason: FilesRefused) -> None:
        """Counts a message that Discord accepted only without its files."""
        self._uploads_refused.labels(reason).inc()

    def event_skipped(self, event: str) -> None:
        """Counts an event that could not be parsed."""
        self._skipped.labels(event).inc()

    def job_done(self, operation: Operation, late: float) -> None:
        """Counts a job that succeeded or failed; it started `late` seconds after it was due."""
        self._jobs.labels(operation.name, operation.outcome).inc()
        self._late.labels(operation.name).observe(max(0.0, late))

    def committed(self, writes: int, seconds: float) -> None:
        """Counts a commit of this many writes."""
        self._commit.observe(seconds)
        self._writes.observe(writes)

    def thought(self, game: str, level: str, seconds: float) -> None:
        self._agents.labels(game, level).observe(seconds)

    def picture(self, outcome: Rendered, seconds: float | None = None) -> None:
        self._pictures.labels(outcome).inc()
        if seconds is not None:
            self._picture.observe(seconds)

    # -- the fleet

    def shards_moved(self, how: ShardChange, shards: int) -> None:
        """Counts gained or lost shards."""
        self._shards_moved.labels(how).inc(shards)

    def check_late(self, seconds: float) -> None:
        """Counts a check of the fleet's locks that was this many seconds late."""
        self._check_late.observe(max(0.0, seconds))

    def set_fleet_status(self, status: FleetStatus) -> None:
        """Sets the gauges of the fleet."""
        for state in ("owned", "standby", "given"):
            self._fleet_shards.labels(state).set(len(getattr(status, state)))
        self._shard_count.set(status.shard_count)
        self._answer_age.set(status.answer_age)
        self._processes.labels("member").set(status.members)
        self._processes.labels("draining").set(status.draining)

    # -- requests

    def watch_requests(self, trace: aiohttp.TraceConfig) -> None:
        """Counts the requests of the sessions with this trace."""

        async def ended(
            _session: aiohttp.ClientSession, _context: SimpleNamespace, request: aiohttp.TraceRequestEndParams
        ) -> None:
            self.requested(request.method, request.url.raw_path, request.response.status)

        async def failed(
            _session: aiohttp.ClientSession,
            _context: SimpleNamespace,
            request: aiohttp.TraceRequestExceptionParams,
        ) -> None:
            if not isinstance(request.exception, asyncio.CancelledError):
                self.requested(request.method, request.url.raw_path, 0)

        trace.on_request_end.append(ended)
        trace.on_request_exception.append(failed)

    def requested(self, method: str, path: str, status: int) -> None:
        """Counts a request that has ended; the status is 0 if it failed."""
        self._requests.labels(method, route_of(path), str(status)).inc()

    # -- gauges

    def set_live(self, tables: Mapping[str, int]) -> None:
        """Sets the number of live tables by game."""
        for game, number in tables.items():
            self.live.labels(game).set(number)

    def text(self) -> bytes:
        """All metrics in Prometheus' text format."""
        return prometheus.generate_latest(self.registry)
