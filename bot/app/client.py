"""The Discord client: it passes Discord's events on to the host, and opens and closes the connections."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import app_commands

from bot import time_zones
from bot.app.build import build_host
from bot.app.command_sync import CommandTexts, Registration
from bot.app.connection import Connectivity, JobLoop
from bot.app.guild_removals import Servers
from bot.app.host import Host
from bot.app.services import DEFAULT, AppTiming, Services
from bot.clock import Clock
from bot.fleet.fleet import Fleet, ShardHandler
from bot.gateway.errors import final_reason, keep_texts_out_of_logs
from bot.gateway.lean_http import install_lean_http
from bot.gateway.lean_state import LeanState, use_parsing_sockets
from bot.gateway.shards import IdentifyBudget, Limit, Shards
from bot.gateway.token_session import TokenSession
from bot.gateway.uploading import watch_uploads
from bot.language import speaking
from bot.observability.metrics import Metrics
from bot.people.front.games import greet
from bot.ratelimit.limiter import RateLimiter, count_try
from bot.settings import Settings
from bot.store.backends import backend_of
from bot.store.model import StoreError
from bot.store.store import Store
from bot.tables.refusals import Refused
from bot.ui.screens.messages import say
from bot.ui.screens.refusals import refusal
from engine.game import AnyGame

if TYPE_CHECKING:
    import yarl

    from bot.fleet.member import Member

log = logging.getLogger(__name__)

_OF_ANOTHER_VERSION: Final = (app_commands.CommandNotFound, app_commands.CommandSignatureMismatch)
"""The errors of commands that another version has registered, while an update is under way."""

AddCogs = Callable[[Host, app_commands.CommandTree[Any]], None]
"""Registers every game's screens with the host, and all commands with the tree."""

# The bot does not use voice, so discord.py need not warn that voice is not supported.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False
_DISCONNECT: Final = 0.5
"""Seconds for closing the connections to Discord."""
LAUNCHES: Final = 200
"""How often opening a shard's first connection is tried again, every 5 s, before the bot gives up."""
_WAIT_FOR_STORE: Final = 3.0
"""Seconds at the start for which the bot waits until another process, such as a command, releases the store."""
keep_texts_out_of_logs()


class _Tree(app_commands.CommandTree["Digsite"]):
    async def on_error(
        self, interaction: discord.Interaction[Any], error: app_commands.AppCommandError, /
    ) -> None:
        """Answers a command that failed before it reached the router, which handles its own errors."""
        if not self.client.host.fleet.serves(interaction.guild_id or 0):
            return
        if isinstance(error, _OF_ANOTHER_VERSION):
            log.warning("a command is that of another version: %s", error)
            why = Refused("other-version")
        else:
            log.error("a command failed before it was read", exc_info=error)
            why = Refused("failed", reference="-")
        if not interaction.response.is_done():
            language_of = self.client.host.call_choices.language
            with speaking(language_of(interaction.user.id, interaction.locale.value)):
                screen = say(refusal(why))
            await interaction.response.send_message(view=screen.view(), ephemeral=True)


class Digsite(discord.AutoShardedClient):
    """The bot. It requests only the guilds intent from Discord, reads no messages and caches no members."""

    def __init__(self, services: Services, add_cogs: AddCogs, fleet: Member | None, **options: Any) -> None:
        """`fleet` is given if other processes may have the store open too."""
        trace = services.limiter.trace()
        services.metrics.watch_requests(trace)
        watch_uploads(trace)
        self._skipped = services.metrics.event_skipped
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            http_trace=trace,
            **options,
        )
        self.timing = services.timing
        self._token_session = (
            TokenSession(self.http.user_agent, count_try, services.metrics.requested)
            if services.settings.own_connections
            else None
        )
        self._add_cogs = add_cogs
        self.settings = services.settings
        self.fleet = fleet
        """None for a single process."""
        self.tree = _Tree(self)
        self.registration = Registration(self.tree, services)
        self._identify_budget = IdentifyBudget(self._identify_limit)
        may_identify, every = services.store.may_identify, services.timing.identify_every
        self._gateway = Shards(self, may_identify, self._identify_budget, every)
        """The connections of a process of a fleet, whose shards come and go."""
        self.servers = Servers(self, self._gateway.is_listed if fleet is not None else None)
        self.host = build_host(self, services, self.registration, self.servers.leave)
        self.connectivity = Connectivity(self)
        self.job_loop = JobLoop(self.host, self.connectivity, services.timing)
        self._joined = asyncio.Event()
        self._launches = Counter[int]()
        """How often opening each shard's present connection has failed so far."""

    def install_lean_http(self) -> None:
        """Has the current task, and those that it starts from now on, make requests as `bot.gateway.lean_http` does."""
        install_lean_http(self._token_session)

    async def setup_hook(self) -> None:
        use_parsing_sockets()
        await self.host.start(None if self.fleet is None else self._join)
        self.job_loop.host_started()
        self._add_cogs(self.host, self.tree)
        await self.tree.set_translator(CommandTexts())
        await self.registration.register()

    def _get_state(self, **options: Any) -> LeanState:
        own = {"dispatch": self.dispatch, "handlers": self._handlers, "hooks": self._hooks, "http": self.http}
        return LeanState(skipped=self._skipped, **own, **options)

    async def close(self) -> None:
        """Finishes running work, then closes the connections to Discord, which may be slow."""
        self._gateway.close()
        await self.host.close()
        if self._token_session is not None:
            self._token_session.close()
        try:
            async with asyncio.timeout(_DISCONNECT):
                await super().close()
        except TimeoutError:
            log.warning("Discord does not say goodbye; the connection is cut")
            await self.http.close()

    # -- one of several processes

    async def _join(self) -> bool:
        """Joins the other processes; returns whether any live already. Raises `StoreRefused`."""
        assert self.fleet is not None
        advised, address, limits = await self.http.get_bot_gateway()

        async def advice() -> int:
            return advised

        host, gateway = self.host, self._gateway
        handler = ShardHandler(
            *(self._gained, host.gave_up, host.finish, gateway.want, gateway.is_connected),
            *(gateway.waits_in_turn, host.services.limiter.share),
        )
        others_live = await self.fleet.begin(handler, self.settings.shard_count, advice)
        gateway.begin(self.fleet.status.shard_count, address, limits["max_concurrency"])
        self.fleet.on_change(self._look_at_servers)
        self._joined.set()
        return others_live

    async def _gained(self, shards: frozenset[int]) -> None:
        await self.host.took_over(shards)
        self.connectivity.expect()

    async def _identify_limit(self) -> Limit:
        _, _, limit = await self.http.get_bot_gateway()
        return Limit(limit["total"], limit["remaining"], limit["reset_after"] / 1000)

    async def run_fleet(self) -> None:
        """Owns this process's share of the shards until the process was drained. `bot.app.running` runs this.

        Raises `StoreLost`, `Partitioned`, and any error that prevents the connection of a shard for good.
        """
        assert self.fleet is not None
        await self._joined.wait()
        await self.fleet.run(self._gateway.failure())

    # -- connections

    async def launch_shards(self) -> None:
        """Opens the connections of all shards; in a fleet, each is opened when this process receives its shard."""
        if self.fleet is None:
            await super().launch_shards()
        else:
            self.fleet.go()
            self.connectivity.reached.set()

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """Opens a shard's connection. Raises the error if Discord refuses it for good or cannot be reached."""
        # After a failure discord.py calls this again from its `except` block, and would do so until Python's stack is
        # full.
        error, limit = sys.exception(), LAUNCHES
        self._launches[shard_id] = 0 if error is None else self._launches[shard_id] + 1
        if error is not None and (final_reason(error) is not None or self._launches[shard_id] > limit):
            raise error
        if self.fleet is not None and not self._gateway.is_wanted(shard_id):
            return
        await super().launch_shard(gateway, shard_id, initial=initial)

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        if self.fleet is None or shard_id is None:
            await self._identify_budget.wait(self.shard_count or 1)
            await super().before_identify_hook(shard_id, initial=initial)
        else:
            await self._gateway.wait_to_identify(shard_id)

    # -- Discord's events

    async def on_connect(self) -> None:
        self.connectivity.reached.set()

    async def on_ready(self) -> None:
        """Finds removals, once all shards of this process are connected and Discord has sent their servers."""
        if self.fleet is None:  # in a fleet, `on_shard_ready` reports each shard
            await self._find_removals(None)

    async def on_shard_connect(self, shard_id: int) -> None:
        if self.fleet is not None:
            self._gateway.on_connected(shard_id)
            self.fleet.look()

    async def on_shard_resumed(self, shard_id: int) -> None:
        await self.on_shard_connect(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        self._gateway.on_disconnected(shard_id)
        if self.fleet is not None:
            self.fleet.look()

    async def on_shard_ready(self, shard_id: int) -> None:
        """Finds removals, once Discord has sent this shard's servers. A single process waits for all (`on_ready`)."""
        if self.fleet is not None:
            self._gateway.on_guilds_listed(shard_id)
            if shard_id in self.fleet.status.owned:
                await self._find_removals(frozenset({shard_id}))

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        await self.host.router.on_interaction(interaction)

    async def on_channel_gone(self, guild: int, channel: int) -> None:
        """Ends the match of a deleted channel, or of a thread deleted with its channel (`bot.gateway.lean_state`)."""
        if self.host.fleet.serves(
            guild
        ):  # two processes may for a moment, and the second finds the match ended
            await self.host.channel_gone(channel)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        await self.on_channel_gone(payload.guild_id, payload.thread_id)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Records that the bot was removed from a server. (For an outage the event is `on_guild_unavailable`.)"""
        await self.host.housekeeping.removals.left(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        """Introduces the bot on a server that it has just joined. (At a start the event is `on_guild_available`.)"""
        await self.on_guild_available(guild)
        try:
            self.host.blocklist.check(0, guild.id)
        except Refused:
            return
        self.host.tasks.start(guild.id, greet(self, guild), "first words", outside=True)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        await self.host.housekeeping.removals.joined(guild.id)

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        log.exception("the event %s failed", event_method)

    # -- the servers

    async def _look_at_servers(self, gained: frozenset[int], _lost: frozenset[int]) -> None:
        """Finds the servers that the bot was removed from while another process owned their shard."""
        if listed := frozenset(filter(self._gateway.is_listed, gained)):
            await self._find_removals(listed)

    async def _find_removals(self, shards: frozenset[int] | None) -> None:
        """Finds the servers of these shards, or of all, that the bot was removed from.

        If the store cannot be read, a failing redraw finds the removal of its server later.
        """
        try:
            only = None if shards is None else (self.shard_count or 1, shards)
            await self.host.housekeeping.removals.ready(self.servers, only)
        except StoreError as error:
            log.warning("which servers I was removed from could not be looked up: %s", error)


def make_client(
    settings: Settings,
    clock: Clock,
    games: Mapping[str, AnyGame],
    add_cogs: AddCogs,
    timing: AppTiming = DEFAULT,
    **options: Any,
) -> Digsite:
    """The whole bot, ready to be started."""
    time_zones.use_package()
    metrics, shared = Metrics(), settings.shares_store
    patience = _WAIT_FOR_STORE
    store = backend_of(settings).store(
        clock, lock_timeout=patience, committed=metrics.committed, shared=shared
    )
    limiter = RateLimiter(settings.requests, shared=shared)
    fleet = _member(store, metrics) if shared else None
    services = Services(settings, clock, store, games, limiter, metrics, fleet or Fleet(), timing)
    return Digsite(services, add_cogs, fleet, **options)


def _member(store: Store, metrics: Metrics) -> Member:
    # A bot with a file requires no driver for PostgreSQL.
    from bot.fleet.locks import Locks
    from bot.fleet.member import Member
    from bot.fleet.notifications import Notifications
    from bot.store.postgres.engine import PostgresEngine

    assert isinstance(store.engine, PostgresEngine)
    primary = store.engine.primary
    return Member(Locks(primary), Notifications(primary), metrics)
