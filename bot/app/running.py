"""Runs the real bot from start to end: the reasons to stop, the time that a stop may take, and readiness.

Readiness says if this process can serve everybody now. The gauges of parts are read at each request for metrics.
"""

from __future__ import annotations

import asyncio
import logging
import os
import signal
import threading
from collections.abc import Callable, Coroutine, Mapping
from contextlib import suppress
from typing import Any, Final

import aiohttp
import discord

from bot.app.client import Digsite
from bot.fleet.fleet import Partitioned
from bot.gateway.errors import brief, final_reason
from bot.observability.endpoint import CannotListen, Systemd, serving
from bot.processes import stop_signals
from bot.store.model import StoreError, StoreLost


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


log = logging.getLogger(__name__)

CONNECTION, JOBS, FLEET = "connection", "jobs", "fleet"
"""The names of the tasks of the process."""
UNREACHABLE: Final = (
    discord.ConnectionClosed,
    discord.GatewayNotFound,
    discord.HTTPException,
    aiohttp.ClientError,
    OSError,
)
"""Errors that mean that Discord cannot be reached."""
_TASKS: Final = 0.3
"""Seconds that the connection and the job loop have to end after they were cancelled, before the host closes."""
_PROCESS: Final = 4.5
"""Seconds after which the process ends in any case, even if a disk, Discord or a name lookup hangs."""


class Stopped(Exception):
    """The bot has stopped without a stop signal. The text gives the reason, and `status` is the exit status."""

    def __init__(self, why: str, status: int) -> None:
        super().__init__(why)
        self.status = status


async def run_until_stopped(client: Digsite, token: str) -> None:
    """Runs the bot until SIGTERM, SIGINT or SIGHUP.

    One of several processes then drains first, for `DRAIN_SECONDS` at most; a second signal ends the draining. Raises
    `Stopped` if the address for monitoring cannot be served, Discord cannot be reached, the store is lost, or the job
    loop has failed. Passes on any other error that prevented the start, such as `StoreRefused`.
    """
    watchdog = Watchdog(_PROCESS)
    systemd, readiness = Systemd(), Readiness(client)
    signals = StopSignals(watchdog, lambda: _drains(client))
    try:
        parts = (readiness.figures, readiness.not_ready, readiness.ready_line)
        async with serving(client.settings.metrics, *parts):
            notifying = asyncio.create_task(_notify_systemd(systemd, client, readiness), name="systemd")
            try:
                await _run_until(client, token, signals, watchdog, systemd)
            finally:
                notifying.cancel()
    except CannotListen as error:
        watchdog.end_soon(2)
        raise Stopped(str(error), 2) from None


async def _notify_systemd(systemd: Systemd, client: Digsite, readiness: Readiness) -> None:
    async def state() -> str:
        return await readiness.not_ready() or readiness.serves

    if systemd.listens:
        await systemd.report_status(lambda: client.host.is_open, state)


def _drains(client: Digsite) -> bool:
    """Starts to drain the process if another process can take the shards; returns whether it drains."""
    fleet = client.fleet
    if fleet is None or not fleet.can_drain or not client.settings.drain_seconds:
        return False
    fleet.drain()
    return True


async def _stopped(signals: StopSignals, client: Digsite, systemd: Systemd) -> None:
    """Returns when the process is to end: at a signal, or later if it drains first."""
    await signals.first.wait()
    if signals.drains:
        drain_seconds = client.settings.drain_seconds
        longest = drain_seconds + _PROCESS
        systemd.notify(f"EXTEND_TIMEOUT_USEC={int(longest * 1_000_000)}")
        with suppress(TimeoutError):
            async with asyncio.timeout(drain_seconds):
                await signals.second.wait()


async def _run_until(
    client: Digsite, token: str, signals: StopSignals, watchdog: Watchdog, systemd: Systemd
) -> None:
    """Runs connection, jobs and fleet until one of them ends or the process is to end; then closes the client."""
    client.install_lean_http()  # for the connection's task, which answers, and for the job loop's, which redraws
    works: dict[str, Coroutine[Any, Any, None]] = {
        "stopping": _stopped(signals, client, systemd),
        CONNECTION: client.start(token),
        JOBS: client.job_loop.run(),
    }
    if client.fleet is not None:
        works[FLEET] = client.run_fleet()
    tasks = {asyncio.create_task(work, name=name) for name, work in works.items()}
    ended: set[asyncio.Task[None]] = set()
    try:
        ended, _pending = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
    finally:
        watchdog.end_soon(0 if signals.first.is_set() else 1)
        systemd.notify("STOPPING=1")
        for task in tasks - ended:
            task.cancel()
        # No `TaskGroup`: it would wait for a task that hangs, and the store has to be closed all the same.
        await asyncio.wait(tasks, timeout=_TASKS)
        await client.close()
    errors = {task.get_name(): None if task.cancelled() else task.exception() for task in ended}
    if not signals.first.is_set() or any(errors.values()):
        raise _exit_reason(errors) from None


def _exit_reason(errors: Mapping[str, BaseException | None]) -> BaseException:
    """The exception that reports why the bot stops. `errors` has the error, if any, of each task that has ended."""
    for error in errors.values():
        if isinstance(error, StoreLost):
            log.critical("the store is lost: %s", error)
            return Stopped(str(error), 2)  # starting again would only create an empty store
    if CONNECTION in errors:
        return _connection_ended(errors[CONNECTION])
    if FLEET in errors:
        return _connection_ended(errors[FLEET])
    log.critical("the job loop has failed, so the bot stops", exc_info=errors.get(JOBS))
    return Stopped(
        "The bot has stopped, for a reason that its log tells. Matches are kept; start it again.", 1
    )


def _connection_ended(error: BaseException | None) -> BaseException:
    final = final_reason(error)
    if final is not None:
        return Stopped(final, 2)
    if isinstance(error, Partitioned):
        return Stopped(f"{error} Matches are kept and go on elsewhere.", 1)
    if error is not None and not isinstance(error, UNREACHABLE):
        return error
    why = brief(error) if error else "the connection has ended"
    return Stopped(f"Discord cannot be reached: {why}. Matches are kept; start again later.", 1)


class Watchdog(threading.Thread):
    """A thread that ends the process if the process has not ended by itself some time after `end_soon`.

    The thread is started early and waits, because a signal handler must not start one.
    """

    def __init__(self, seconds: float) -> None:
        super().__init__(name="watchdog", daemon=True)
        self._seconds = seconds
        self._status = 1
        self._asked, self._called_off = threading.Event(), threading.Event()
        self.start()

    def end_soon(self, status: int) -> None:
        """Ends the process with this status if it still runs after `seconds` from now. Further calls change nothing."""
        if not self._asked.is_set():
            self._status = status
            self._asked.set()

    def call_off(self) -> None:
        """Cancels `end_soon`, because the process drains; `end_soon` may be called again."""
        self._asked.clear()
        self._called_off.set()

    def run(self) -> None:
        while True:
            self._asked.wait()
            if not self._called_off.wait(self._seconds):
                os._exit(self._status)  # nothing is lost: all that was acknowledged is durable
            self._called_off.clear()


class StopSignals:
    """Handles the stop signals. The second signal ends the process even while it drains.

    asyncio's own signal handlers do not suffice: they run only when the loop is free, and the watchdog must not wait.
    """

    def __init__(self, watchdog: Watchdog, drain: Callable[[], bool]) -> None:
        """`drain` starts to drain the process, and returns whether it drains."""
        self.first, self.second = asyncio.Event(), asyncio.Event()
        self.drains = False
        """Whether the process drains since the first signal."""
        self._watchdog, self._drain = watchdog, drain
        self._loop = asyncio.get_running_loop()
        self._signals = 0
        for number in stop_signals():
            signal.signal(number, self._on_signal)

    def _on_signal(self, _number: int, _frame: object) -> None:
        self._signals += 1
        self._watchdog.end_soon(0)  # also if the loop is stuck
        if self._signals == 1:
            self._later(self._begin)
            return
        # Later signals do nothing; SIG_IGN would be inherited by thinking processes.
        for number in stop_signals():
            signal.signal(number, _nothing)
        self._later(self.second.set)

    def _later(self, act: Callable[[], None]) -> None:
        with suppress(RuntimeError):  # the loop has ended, so no task is left to end
            self._loop.call_soon_threadsafe(act)

    def _begin(self) -> None:
        self.drains = self._signals == 1 and self._drain()
        if self.drains:
            self._watchdog.call_off()
            if self._signals > 1:
                self._watchdog.end_soon(0)
        self.first.set()


def _nothing(_number: int, _frame: object) -> None:
    pass
