"""The gateway connections of a client whose shards are opened and closed at run time, and the identify budget.

The budget is the number of sessions that the bot may still start today (`session_start_limit`).

discord.py opens all shards at the start and never closes single ones. This module contains all access to the private
parts of discord.py that open and close shards; `tests/bot/gateway/test_shards.py` fails if they change.

Discord resets the token of a bot that exceeds its budget. Resuming a session is free.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import Any, Final, cast

import discord
import yarl
from discord.gateway import KeepAliveHandler

from bot.clock import ELAPSED
from bot.gateway.errors import UNDELIVERED
from bot.store.model import StoreError

IDENTIFY_EVERY: Final = 5.5
"""Seconds between two identifies of the same bucket. Discord asks for 5, counted on arrival; the first may take longer
on its way than the second."""

log = logging.getLogger(__name__)
_ANSWER_VALID: Final = 30.0
"""Seconds for which an answer of Discord is used."""
ANSWER_VALID_IF_FEW: Final = 5.0
"""The same while the budget is low, because other processes use it too."""
_ANSWER_WITHIN: Final = 10.0
"""Timeout of the request, in seconds. Until then the last answer holds."""
_RESERVE: Final = 3
"""The part of the budget that is never used, because several processes may count it at the same time."""
_FEW: Final = 20
"""The budget is low below one part in this many of the day's, or below the shard count."""


@dataclass(frozen=True, slots=True)
class Limit:
    """Discord's `session_start_limit`; `reset_after` is in seconds."""

    total: int
    remaining: int
    reset_after: float


@dataclass(frozen=True, slots=True)
class Allowance:
    """Seconds to wait before an identify, and seconds between two identifies; both 0.0 with a sufficient budget."""

    wait: float = 0.0
    every: float = 0.0


PLENTY: Final = Allowance()


def allowance(limit: Limit, shards: int) -> Allowance:
    """The allowance for this many shards.

    A low budget is spread over the time until its reset.
    """
    if limit.remaining > max(shards, limit.total // _FEW):
        return PLENTY
    if limit.remaining <= _RESERVE:
        return Allowance(wait=limit.reset_after)
    return Allowance(every=limit.reset_after / (limit.remaining - _RESERVE))


class IdentifyBudget:
    """The identify budget, which all processes of the bot share."""

    def __init__(
        self,
        ask: Callable[[], Awaitable[Limit]],
        elapsed: Callable[[], float] = ELAPSED,
        valid_if_few: float = ANSWER_VALID_IF_FEW,
    ) -> None:
        self._ask = ask
        self._elapsed = elapsed
        self._valid_if_few = valid_if_few
        self._limit: Limit | None = None
        self._asked = self._answered = 0.0
        """The times of the last request and of the last answer."""
        self._asking = asyncio.Lock()
        self._used = 0
        """Identifies since the last answer."""
        self._last = 0.0
        """The time of this process's last identify."""
        self._logged: str | None = None

    async def left(self, shards: int) -> Allowance:
        """The present allowance for this many shards."""
        async with self._asking:
            allowed = self._allowed(shards)
            valid = _ANSWER_VALID if allowed == PLENTY else self._valid_if_few
            if self._limit is None or self._elapsed() - self._asked >= valid:
                await self._fetch()
                allowed = self._allowed(shards)
            self._log_state(allowed, shards)
            return allowed

    def used(self) -> None:
        """Counts an identify."""
        self._used += 1
        self._last = self._elapsed()

    async def wait(self, shards: int) -> None:
        """Returns when a single process may identify, and counts the identify."""
        while True:
            allowed = await self.left(shards)
            wait = max(allowed.wait, self._last + allowed.every - self._elapsed() if self._last else 0.0)
            if wait <= 0:
                self.used()
                return
            await asyncio.sleep(min(wait, _ANSWER_VALID))

    async def _fetch(self) -> None:
        self._asked = self._elapsed()  # set for a failed request too
        try:
            async with asyncio.timeout(_ANSWER_WITHIN):
                limit = await self._ask()
        except (discord.DiscordException, *UNDELIVERED) as error:
            log.info("could not fetch the identify budget (%s)", type(error).__name__)
        else:
            self._limit, self._used, self._answered = limit, 0, self._elapsed()

    def _allowed(self, shards: int) -> Allowance:
        if self._limit is None:
            return PLENTY
        left = max(0.0, self._limit.reset_after - (self._elapsed() - self._answered))
        now = Limit(self._limit.total, self._limit.remaining - self._used, left)
        return allowance(now, shards)

    def _log_state(self, allowed: Allowance, shards: int) -> None:
        """Logs once that the budget is low, and once that it is used up."""
        limit = self._limit
        kind = "none" if allowed.wait else "few" if allowed.every else None
        if limit is not None and kind is not None and kind != self._logged:
            log.error(
                "identify budget is low: %s of %s a day are left, for %s shards; reset in %.1f hours. %s Find out "
                "why the bot started, or lost its connections, so often; do not restart it before",
                max(0, limit.remaining - self._used),
                limit.total,
                shards,
                limit.reset_after / 3600,
                "Until then no shard is connected, because a bot that exceeds its budget loses its token."
                if kind == "none"
                else f"Until then one shard is connected every {allowed.every:.0f} seconds.",
            )
        self._logged = kind


MayIdentify = Callable[[int, float], Awaitable[float]]
"""0.0 if a shard of this bucket may identify now, else the seconds to wait: `Store.may_identify`."""
_TURN_VALID: Final = 0.5
"""Seconds for which a granted turn to identify is valid: at most what `identify_every` exceeds Discord's 5 s by."""
_ASK_AGAIN: Final = 1.0
"""Seconds until the store is asked again after a failure."""


class Shards:
    """Opens and closes the connections of single shards, while the client's own `connect` runs."""

    def __init__(
        self,
        client: discord.AutoShardedClient,
        may_identify: MayIdentify,
        identify_budget: IdentifyBudget,
        identify_every: float = IDENTIFY_EVERY,
    ) -> None:
        self._client = client
        self._may_identify = may_identify
        self._identify_budget = identify_budget
        self._identify_every = identify_every
        self._gateway = yarl.URL()
        self._concurrency = 1
        self._wanted: frozenset[int] = frozenset()
        self._opening: dict[int, asyncio.Task[None]] = {}
        self._closing: set[asyncio.Task[None]] = set()
        self._turn_by_bucket: dict[int, asyncio.Lock] = {}
        """By bucket: held while a shard is opened, because an open connection must not wait long to identify."""
        self._in_turn: set[int] = set()
        """Shards that wait for their turn to identify."""
        self._connected: set[int] = set()
        self._listed: set[int] = set()
        self._failed: asyncio.Future[None] | None = None
        self._closes = False

    def begin(self, shard_count: int, gateway: str, concurrency: int) -> None:
        """Sets the shard count, the gateway URL, and the number of concurrent identifies."""
        self._failed = asyncio.get_running_loop().create_future()
        self._gateway = yarl.URL(gateway)
        self._concurrency = max(1, concurrency)
        self._client.shard_count = shard_count
        # discord.py sets this attribute in `launch_shards`, which would open all shards at once.
        self._client._connection.shard_count = shard_count  # pyright: ignore[reportPrivateUsage]

    # -- wanted shards

    def want(self, shards: frozenset[int]) -> None:
        """Opens the connections of these shards, and closes all others."""
        if self._closes:
            return
        self._wanted = shards
        for shard in sorted(self._library_shards().keys() - shards):
            self._remove(shard)
        for shard in sorted(shards - self._library_shards().keys() - self._opening.keys()):
            task = asyncio.create_task(self._open(shard), name=f"opening shard {shard}")
            self._opening[shard] = task
            task.add_done_callback(self._opened)

    def _opened(self, task: asyncio.Task[None]) -> None:
        for shard in [shard for shard, each in self._opening.items() if each is task]:
            del self._opening[shard]
        error = None if task.cancelled() else task.exception()
        if error is not None and self._failed is not None and not self._failed.done():
            self._failed.set_exception(error)
        if error is None and not self._client.is_closed():
            self.want(self._wanted)  # the wanted shards may have changed meanwhile

    async def _open(self, shard: int) -> None:
        turn = self._turn_by_bucket.setdefault(shard % self._concurrency, asyncio.Lock())
        async with turn:
            await self._wait_for_budget(shard)
            if shard in self._wanted:
                await self._client.launch_shard(self._gateway, shard)

    async def _wait_for_budget(self, shard: int) -> None:
        """Returns when the identify budget allows an identify or the shard is not wanted now.

        Called before the connection is opened, because an open connection must identify soon.
        """
        self._in_turn.add(shard)
        try:
            while shard in self._wanted:
                allowed = await self._allowance()
                if allowed.wait <= 0:
                    return
                await asyncio.sleep(min(allowed.wait, self._identify_every))
        finally:
            self._in_turn.discard(shard)

    async def _allowance(self) -> Allowance:
        return await self._identify_budget.left(self._client.shard_count or 1)

    def _remove(self, shard: int) -> None:
        """Closes the shard's connection and removes its servers from the cache."""
        gone = self._library_shards().pop(shard)
        self._connected.discard(shard)
        self._listed.discard(shard)
        _disable_reconnect(gone)
        closing = asyncio.ensure_future(gone.close())
        self._closing.add(closing)
        closing.add_done_callback(self._closed)
        state = self._client._connection  # pyright: ignore[reportPrivateUsage]
        # discord.py would otherwise announce the shard's servers.
        if (ready := state._ready_tasks.pop(shard, None)) is not None:  # pyright: ignore[reportPrivateUsage]
            ready.cancel()
        for guild in self._client.guilds:
            if guild.shard_id == shard:
                # discord.py removes a server only when the bot was removed from it.
                state._remove_guild(guild)  # pyright: ignore[reportPrivateUsage]

    def _closed(self, closing: asyncio.Task[None]) -> None:
        self._closing.discard(closing)
        if not closing.cancelled() and (error := closing.exception()) is not None:
            log.info("could not close a shard's connection (%s)", type(error).__name__)

    def _library_shards(self) -> dict[int, Any]:
        """discord.py's private mapping of shards, because discord.py has no public way to remove a shard."""
        return cast("dict[int, Any]", vars(self._client)["_AutoShardedClient__shards"])

    async def failure(self) -> None:
        """Waits for an error after which no shard can be connected, and raises it."""
        assert self._failed is not None
        await asyncio.shield(self._failed)

    def is_wanted(self, shard: int) -> bool:
        return shard in self._wanted

    def close(self) -> None:
        """Stops opening connections; the client closes the open ones."""
        self._closes = True
        self._wanted = frozenset()
        for task in [*self._opening.values(), *self._closing]:
            task.cancel()

    # -- events of Discord

    def on_connected(self, shard: int) -> None:
        """Marks the shard as connected."""
        if shard in self._wanted:
            self._connected.add(shard)

    def on_guilds_listed(self, shard: int) -> None:
        """Marks the shard's servers as known."""
        if shard in self._wanted:
            self._listed.add(shard)

    def on_disconnected(self, shard: int) -> None:
        """Marks the shard as disconnected."""
        self._connected.discard(shard)

    def is_connected(self, shard: int) -> bool:
        """Whether this process receives the shard's events."""
        return shard in self._connected

    def waits_in_turn(self) -> bool:
        """Whether any shard waits only for its turn to identify."""
        return bool(self._in_turn)

    def is_listed(self, shard: int | None) -> bool:
        """Whether the shard's servers are known."""
        return shard in self._listed

    async def wait_to_identify(self, shard: int) -> None:
        """Returns when this shard may identify. discord.py calls this on an open connection, also after an outage."""
        self._in_turn.add(shard)
        try:
            await self._wait_to_identify(shard)
        except asyncio.CancelledError:
            self._abandon(shard)
            raise
        finally:
            self._in_turn.discard(shard)

    def _abandon(self, shard: int) -> None:
        """Closes a connection that discord.py opened but will not use, and stops the connection's heartbeat thread."""
        known = self._library_shards().get(shard)
        for thread in threading.enumerate():
            if isinstance(thread, KeepAliveHandler) and thread.shard_id == shard:
                socket = thread.ws
                ours = socket._connection is self._client._connection  # pyright: ignore[reportPrivateUsage]
                if ours and (known is None or socket is not known.ws):
                    thread.stop()
                    closing = asyncio.ensure_future(socket.close(code=1000))
                    self._closing.add(closing)
                    closing.add_done_callback(self._closed)

    async def _wait_to_identify(self, shard: int) -> None:
        while True:
            if shard not in self._wanted:
                raise asyncio.CancelledError  # the only exception after which discord.py does not retry
            asked = ELAPSED()
            wait = await self._wait_of(shard)
            if wait <= 0 and ELAPSED() - asked < _TURN_VALID:
                self._identify_budget.used()
                return
            # A turn that was granted long ago, because this process was frozen, may be another shard's by now.
            await asyncio.sleep(min(wait, self._identify_every))

    async def _wait_of(self, shard: int) -> float:
        """Seconds until this shard's next request for a turn; 0.0 if it may identify now."""
        allowed = await self._allowance()
        if allowed.wait > 0:
            return allowed.wait
        # With a low budget, all shards of the fleet share one bucket.
        bucket = 0 if allowed.every else shard % self._concurrency
        try:
            return await self._may_identify(bucket, max(self._identify_every, allowed.every))
        except StoreError as error:
            log.warning("could not reserve an identify slot for shard %s: %s", shard, error)
            return _ASK_AGAIN


def _disable_reconnect(shard: Any) -> None:

    async def nothing(*_arguments: Any) -> None:
        pass

    shard.reidentify = shard.reconnect = nothing
    shard.launch = lambda: asyncio.ensure_future(shard.ws.close(code=1000))
