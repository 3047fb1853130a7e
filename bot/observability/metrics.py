"""What the operator can measure: counters, histograms and gauges for Prometheus, in a registry of their own.

Labels come from closed lists that the program itself or discord.py declares: intents, kinds of jobs and of events,
games, levels, routes. None is a hidden card, a name, a text from outside, or the id of a person, a server or a table.

Events are always counted, whether or not anybody reads the figures: a press takes 20 µs for it. Gauges are filled only
when somebody reads them (`bot.observability.endpoint`).
"""

from __future__ import annotations

import asyncio
import platform
from collections.abc import Mapping
from importlib.metadata import version
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final, Literal

import aiohttp
from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    ProcessCollector,
    disable_created_metrics,
    generate_latest,
)

from bot.observability.context import Act
from bot.version import own_version

if TYPE_CHECKING:
    from bot.fleet.holding import Passing
    from bot.fleet.member import Standing

disable_created_metrics()  # a series beside each counter and histogram that says only when the process began

PREFIX: Final = "digsite_"

ANSWERED: Final = (0.01, 0.025, 0.05, 0.1, 0.2, 0.35, 0.5, 0.75, 1, 1.5, 2, 2.5, 3, 5)
"""Upper bounds in seconds: an answer is deferred after 1.5 s, and Discord gives up after 3 s."""
DURABLE: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5)
"""Upper bounds in seconds for what waits for a disk."""
TOGETHER: Final = (1, 2, 4, 8, 16, 32, 64, 128, 256)
"""Upper bounds for how many writes share a commit."""
WORK: Final = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15)
"""Upper bounds in seconds for thinking and rendering."""

Lost = Literal["late", "undelivered", "failed"]
"""Why an answer did not arrive: too late, Discord did not take it, or the program failed."""
Rendered = Literal["rendered", "dropped", "failed"]
"""What became of a picture; "dropped": a newer one was wanted in its place."""

_PARTS: Final = frozenset(
    (
        *("@me", "@original", "applications", "bot", "callback", "channels", "commands", "emojis", "gateway"),
        *("guilds", "interactions", "members", "messages", "oauth2", "threads", "users", "webhooks"),
    )
)
"""The parts of Discord's addresses that are shown as they are."""
_AFTER_INTERACTION: Final = ("interactions", "webhooks")
_DEEPEST: Final = 7
"""More parts than this no address has that the bot asks for."""


def route_of(path: str) -> str:
    """The kind of address that a path is, without ids and tokens.

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
    """Everything that is measured in this process."""

    def __init__(self) -> None:
        self.registry = CollectorRegistry()
        ProcessCollector(registry=self.registry)
        self._count_acts()
        self._count_work()
        self._count_moves_of_shards()
        self._fill_on_demand()
        self.build.labels(own_version(), version("discord.py"), platform.python_version()).set(1)

    def _counter(self, name: str, what: str, *labels: str) -> Counter:
        return Counter(f"{PREFIX}{name}", what, labels, registry=self.registry)

    def _gauge(self, name: str, what: str, *labels: str) -> Gauge:
        return Gauge(f"{PREFIX}{name}", what, labels, registry=self.registry)

    def _histogram(self, name: str, what: str, buckets: tuple[float, ...], *labels: str) -> Histogram:
        return Histogram(f"{PREFIX}{name}", what, labels, registry=self.registry, buckets=buckets)

    def _count_acts(self) -> None:
        self._presses = self._counter(
            "presses", "Presses, forms and commands, by what they meant and came to", "intent", "outcome"
        )
        self._skipped = self._counter(
            "events_skipped", "Events of Discord's that could not be read, by kind", "event"
        )
        self._lost = self._counter("answers_lost", "Answers that did not arrive, by reason", "reason")
        self._answer = self._histogram(
            "answer_seconds", "From a press's arrival until Discord took the first answer to it", ANSWERED
        )
        self._durable = self._histogram(
            "durable_seconds", "From a press's arrival until its change of a table was durable", DURABLE
        )
        self._jobs = self._counter("jobs", "Jobs that were done, by kind and outcome", "kind", "outcome")
        self._late = self._histogram(
            "job_late_seconds",
            "From when a job was due until it was begun",
            (0.1, 0.5, 1, 2, 5, 15, 60, 300),
            "kind",
        )

    def _count_moves_of_shards(self) -> None:
        self._shards_moved = self._counter(
            "shards_moved", "Shards that this process gained or lost, by how that came", "how"
        )
        self._look_late = self._histogram(
            "fleet_late_seconds",
            "How much later than planned this process looked at its fleet's locks",
            (0.01, 0.05, 0.1, 0.25, 0.5, 1, 2, 4, 6),
        )

    def _count_work(self) -> None:
        self._commit = self._histogram(
            "commit_seconds", "How long the store took for a commit, the wait for the disk included", DURABLE
        )
        self._writes = self._histogram("commit_writes", "How many writes shared a commit", TOGETHER)
        self._requests = self._counter(
            "requests",
            "Requests to Discord by route and status; the status is 0 if there was no answer",
            "method",
            "route",
            "status",
        )
        self._agents = self._histogram(
            "agent_seconds", "How long an agent took for a move, waiting included", WORK, "game", "level"
        )
        self._pictures = self._counter("pictures", "Pictures by what became of them", "outcome")
        self._picture = self._histogram("picture_seconds", "How long the rendering of a picture took", WORK)

    def _fill_on_demand(self) -> None:
        self.build = self._gauge(
            "build_info", "The versions in use; always 1", "version", "discordpy", "python"
        )
        self.up = self._gauge("ready", "1 if the store is open and all shards are connected, else 0")
        self.live = self._gauge("live_tables", "Live tables by game, lobbies included", "game")
        self.shards = self._gauge(
            "shards", "Shards of this process, by whether they are connected", "connected"
        )
        self._fleet_shards = self._gauge(
            "fleet_shards",
            "Shards of this process: owned, standby (about to be received), given (given away, still connected)",
            "state",
        )
        self._shard_count = self._gauge(
            "fleet_shard_count", "Shards that all processes of the fleet have together"
        )
        self._silence = self._gauge(
            "fleet_answer_age_seconds", "Seconds since the database last answered about the fleet's locks"
        )
        self._processes = self._gauge(
            "fleet_processes", "Processes of the fleet that live, by state", "state"
        )
        self.servers = self._gauge("servers", "Servers that this process serves")
        self.waiting = self._gauge(
            "jobs_waiting", "Jobs that are due and wait for their turn, redraws among them", "kind"
        )
        self.overdue = self._gauge(
            "job_overdue_seconds", "Since when the job that has waited longest was due", "kind"
        )
        self.load = self._gauge("request_load", "Which part of the requests it may make it has made lately")

    # -- what happens

    def answered(self, act: Act, first_answer: float | None) -> None:
        """Counts a press or a command that has been dealt with; `first_answer` is on the event loop's clock."""
        self._presses.labels(act.name, act.outcome).inc()
        if first_answer is not None:
            self._answer.observe(first_answer - act.began)
        if act.durable is not None:
            self._durable.observe(act.durable - act.began)

    def answer_lost(self, reason: Lost) -> None:
        self._lost.labels(reason).inc()

    def event_skipped(self, event: str) -> None:
        """Counts an event of Discord's of this kind that could not be read."""
        self._skipped.labels(event).inc()

    def job_done(self, act: Act, late: float) -> None:
        """Counts a job that has been done or has failed; it was begun `late` seconds after it was due."""
        self._jobs.labels(act.name, act.outcome).inc()
        self._late.labels(act.name).observe(max(0.0, late))

    def committed(self, writes: int, seconds: float) -> None:
        """Counts a commit of the store, which so many writes shared."""
        self._commit.observe(seconds)
        self._writes.observe(writes)

    def thought(self, game: str, level: str, seconds: float) -> None:
        self._agents.labels(game, level).observe(seconds)

    def picture(self, outcome: Rendered, seconds: float | None = None) -> None:
        self._pictures.labels(outcome).inc()
        if seconds is not None:
            self._picture.observe(seconds)

    # -- the fleet

    def shards_moved(self, how: Passing, shards: int) -> None:
        """Counts shards that this process has gained or lost."""
        self._shards_moved.labels(how).inc(shards)

    def look_late(self, seconds: float) -> None:
        """Counts a look at the fleet's locks that began so many seconds later than planned."""
        self._look_late.observe(max(0.0, seconds))

    def set_standing(self, standing: Standing) -> None:
        """Sets how it stands with this process in its fleet."""
        for state in ("owned", "standby", "given"):
            self._fleet_shards.labels(state).set(len(getattr(standing, state)))
        self._shard_count.set(standing.shard_count)
        self._silence.set(standing.silence)
        self._processes.labels("member").set(standing.members)
        self._processes.labels("draining").set(standing.draining)

    # -- requests

    def watch_requests(self, trace: aiohttp.TraceConfig) -> None:
        """Counts the requests of the sessions that have this trace."""

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

    # -- what is read

    def set_live(self, tables: Mapping[str, int]) -> None:
        """Sets how many tables are live, by game."""
        for game, number in tables.items():
            self.live.labels(game).set(number)

    def text(self) -> bytes:
        """All of it in Prometheus' text format."""
        return generate_latest(self.registry)
