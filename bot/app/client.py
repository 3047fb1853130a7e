"""The Discord client: connects the host to Discord, and registers the commands when they have changed."""

from __future__ import annotations

import asyncio
import logging
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import app_commands

from bot.app.command_sync import Registration
from bot.app.host import AWAY, Host
from bot.app.load import Busyness
from bot.clock import Clock
from bot.gateway.close_codes import final_reason
from bot.gateway.errors import keep_texts_out_of_logs
from bot.gateway.identify_limit import Limit, Logins
from bot.gateway.lean_http import spare_the_processor
from bot.gateway.lean_state import LeanState
from bot.gateway.shards import Shards
from bot.gateway.unreadable import use_careful_sockets
from bot.language import SOURCE, language_for, speaking
from bot.observability.metrics import Metrics
from bot.ratelimit.limiter import MOST, Pace, count_try
from bot.settings import Settings
from bot.store.model import StoreError, StoreLost, shard_of
from bot.store.places import place_of
from bot.store.store import Store
from bot.tables.refusals import Refused
from bot.ui.interaction import UNDELIVERED
from bot.ui.screens import table as show
from bot.ui.screens.words import refusal
from engine.game import AnyGame

if TYPE_CHECKING:
    import yarl

    from bot.fleet.member import Member

log = logging.getLogger(__name__)

GOODBYE: Final = 0.5
"""Seconds that the bot takes at most to say goodbye to Discord."""
IDLE: Final = 0.25
"""Seconds between two searches for due jobs, if no job is due soon."""
SOON: Final = 0.05
"""The same if a job is due now or within `IDLE`."""
AFTER_ERROR: Final = 5.0
"""The same after an error."""
LAUNCHES: Final = 200
"""How often opening a shard's first connection is tried again, every 5 s, before the bot gives up."""
CONNECTING: Final = 60.0
"""Seconds for which jobs, which need no connection, are done although shards that were taken over are not connected."""
PATIENCE: Final = 3.0
"""Seconds that the bot waits at its start for another process, such as an operator's command, to release the store."""

_OF_ANOTHER_VERSION: Final = (app_commands.CommandNotFound, app_commands.CommandSignatureMismatch)
"""With these errors fail commands that another version has registered, while an update is under way."""

AddCogs = Callable[[Host, app_commands.CommandTree[Any]], None]
"""Registers every game's screens with the host, and all commands with the tree."""

# The bot does not use voice, so discord.py need not warn that voice is not supported.
discord.VoiceClient.warn_nacl = False
discord.VoiceClient.warn_dave = False
keep_texts_out_of_logs()


class _CommandTexts(app_commands.Translator):
    """Translates the commands' descriptions, by calling the `say` of a `locale_str` in each language."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContext[Any, Any],
    ) -> str | None:
        if language_for(locale.value) == SOURCE:
            return None
        if context.location in (
            app_commands.TranslationContextLocation.command_name,
            app_commands.TranslationContextLocation.group_name,
            app_commands.TranslationContextLocation.parameter_name,
        ):
            return None  # command names are the same in all languages, so that players can tell them to each other
        say = string.extras.get("say")
        if say is None:
            return None
        with speaking(locale.value):
            text = say()
        return text if text != string.message else None


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
            with speaking(interaction.locale.value):
                screen = show.say(refusal(why))
            await interaction.response.send_message(view=screen.view(), ephemeral=True)


class Digsite(discord.AutoShardedClient):
    """The bot. It asks Discord only for the guilds intent, reads no messages and caches no members."""

    def __init__(
        self,
        settings: Settings,
        clock: Clock,
        store: Store,
        pace: Pace,
        games: Mapping[str, AnyGame],
        add_cogs: AddCogs,
        metrics: Metrics,
        fleet: Member | None = None,
        **options: Any,
    ) -> None:
        """`fleet` is given if other processes may have the store open too."""
        trace = pace.trace()
        metrics.watch_requests(trace)
        self._skipped = metrics.event_skipped
        self._requested = metrics.requested
        super().__init__(
            intents=discord.Intents(guilds=True),
            allowed_mentions=discord.AllowedMentions.none(),
            member_cache_flags=discord.MemberCacheFlags.none(),
            chunk_guilds_at_startup=False,
            max_messages=None,
            http_trace=trace,
            **options,
        )
        self.settings = settings
        self.tree = _Tree(self)
        self.host = Host(self, settings, clock, store, games, pace, metrics, fleet)
        self.host.upkeep.controls.leave_server = self.leave_server
        self.registration = Registration(
            self.tree, store, self.host.fleet, clock, always=settings.register_commands == "always"
        )
        self._add_cogs = add_cogs
        self._pace = pace
        self.fleet = fleet
        """None if this process has the store alone."""
        self._logins = Logins(self._limit_on_logins)
        self._gateway = Shards(self, store.may_identify, self._logins)
        """The connections of a process of a fleet, whose shards come and go."""
        self._joined = asyncio.Event()
        self._connects_until = 0.0
        """Until when, on the event loop's clock, shards that were just taken over need not be connected."""
        self._launches = Counter[int]()
        """How often opening each shard's present connection has failed so far."""
        self._reached = asyncio.Event()
        """Set once the first shard is connected; the others may take minutes."""
        self._in_reach_at = 0.0

    async def setup_hook(self) -> None:
        spare_the_processor(count_try, self._requested)
        use_careful_sockets()
        await self.host.start(None if self.fleet is None else self._join)
        self._in_reach_at = self.host.clock.now()
        self._add_cogs(self.host, self.tree)
        await self.tree.set_translator(_CommandTexts())
        await self.register_commands()

    # -- one of several processes

    async def _join(self) -> bool:
        """Joins the other processes; returns whether any live already. Raises `StoreRefused`."""
        assert self.fleet is not None
        advised, gateway, limits = await self.http.get_bot_gateway()

        async def advice() -> int:
            return advised

        others_live = await self.fleet.begin(self, self.settings.shard_count, advice)
        self._gateway.begin(self.fleet.standing.shard_count, gateway, limits["max_concurrency"])
        self.fleet.on_change(self._look_at_servers)
        self._joined.set()
        return others_live

    async def _limit_on_logins(self) -> Limit:
        _, _, limit = await self.http.get_bot_gateway()
        return Limit(limit["total"], limit["remaining"], limit["reset_after"] / 1000)

    async def run_fleet(self) -> None:
        """Owns this process's share of the shards until it was drained. The composition root runs this.

        Raises `StoreLost`, `CutOff`, and what keeps a shard from ever being connected.
        """
        assert self.fleet is not None
        await self._joined.wait()
        await self.fleet.run(self._gateway.failure())

    async def gained(self, shards: frozenset[int]) -> None:
        await self.host.took_over(shards)
        self._connects_until = asyncio.get_running_loop().time() + CONNECTING

    def lost(self, shards: frozenset[int]) -> None:
        self.host.gave_up(shards)

    async def finish(self, shards: frozenset[int], within: float) -> None:
        await self.host.finish(shards, within)

    def connect_only(self, shards: frozenset[int]) -> None:
        self._gateway.want(shards)

    def connected(self, shard: int) -> bool:
        return self._gateway.is_connected(shard)

    def waits_in_turn(self) -> bool:
        return self._gateway.waits_in_turn()

    def shared_by(self, processes: int, at: float) -> None:
        self._pace.share(max(1, processes), at)

    async def _look_at_servers(self, gained: frozenset[int], _lost: frozenset[int]) -> None:
        """Finds the servers that the bot was removed from while another process owned their shard."""
        if listed := frozenset(filter(self._gateway.is_listed, gained)):
            await self._find_removals(listed)

    async def on_shard_connect(self, shard_id: int) -> None:
        if self.fleet is not None:
            self._gateway.came(shard_id)
            self.fleet.look()

    async def on_shard_resumed(self, shard_id: int) -> None:
        await self.on_shard_connect(shard_id)

    async def on_shard_disconnect(self, shard_id: int) -> None:
        self._gateway.went(shard_id)
        if self.fleet is not None:
            self.fleet.look()

    async def on_shard_ready(self, shard_id: int) -> None:
        """Discord has told which servers are this shard's. Who is alone waits for all of its shards (`on_ready`)."""
        if self.fleet is not None:
            self._gateway.listed(shard_id)
            if shard_id in self.fleet.standing.owned:
                await self._find_removals(frozenset({shard_id}))

    async def launch_shards(self) -> None:
        """Opens the connections of all shards; in a fleet, those of single shards are opened as they are shared out."""
        if self.fleet is None:
            await super().launch_shards()
        else:
            self.fleet.go()
            self._reached.set()

    async def before_identify_hook(self, shard_id: int | None, *, initial: bool = False) -> None:
        if self.fleet is None or shard_id is None:
            await self._logins.wait(self.shard_count or 1)
            await super().before_identify_hook(shard_id, initial=initial)
        else:
            await self._gateway.wait_to_identify(shard_id)

    # -- Discord

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """Opens a shard's connection. Raises if Discord refuses it for good or cannot be reached."""
        # After a failure discord.py calls this again from its `except` block, and would do so until Python's stack is
        # full.
        error = sys.exception()
        self._launches[shard_id] = 0 if error is None else self._launches[shard_id] + 1
        if error is not None and (final_reason(error) is not None or self._launches[shard_id] > LAUNCHES):
            raise error
        if self.fleet is not None and not self._gateway.wants(shard_id):
            return
        await super().launch_shard(gateway, shard_id, initial=initial)

    async def register_commands(self) -> None:
        """Registers the commands: now, or once this process is the leader of its fleet."""
        self.host.upkeep.registration = self.registration
        await self.registration.register()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        await self.host.router.on_interaction(interaction)

    def _get_state(self, **options: Any) -> LeanState:
        own = {"dispatch": self.dispatch, "handlers": self._handlers, "hooks": self._hooks, "http": self.http}
        return LeanState(skipped=self._skipped, **own, **options)

    async def on_channel_gone(self, guild: int, channel: int) -> None:
        """A channel of this server was deleted, or a thread with its channel (`bot.gateway.lean_state`)."""
        if self.host.fleet.serves(guild):  # two may for a moment, and the second finds it done
            await self.host.channel_gone(channel)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        if self.host.fleet.serves(payload.guild_id):
            await self.host.channel_gone(payload.thread_id)

    async def on_ready(self) -> None:
        """Discord reports that all shards of this process are connected and their servers known."""
        if self.fleet is None:  # in a fleet, that is told of each shard
            await self._find_removals(None)

    async def _find_removals(self, shards: frozenset[int] | None) -> None:
        """Finds the servers of these shards, or of all, that the bot was removed from.

        Without the store, a redraw that fails there tells it.
        """
        try:
            only = None if shards is None else (self.shard_count or 1, shards)
            await self.host.upkeep.guilds.ready(self, only)
        except StoreError as error:
            log.warning("which servers I was removed from could not be looked up: %s", error)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Discord reports that the bot was removed. (For an outage the event is `on_guild_unavailable`.)"""
        await self.host.upkeep.guilds.left(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        await self.host.upkeep.guilds.joined(guild.id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        await self.on_guild_join(guild)

    def memberships(self) -> set[int]:
        return {guild.id for guild in self.guilds}

    def is_ours(self, guild: int) -> bool:
        shard = shard_of(guild, self.shard_count or 1)
        return self.fleet is None or self._gateway.is_listed(shard)

    async def is_member(self, guild: int) -> bool:
        try:
            await self.fetch_guild(guild, with_counts=False)
        except (discord.NotFound, discord.Forbidden):
            return False
        except UNDELIVERED as error:
            log.info("whether I am on server %s could not be asked (%s)", guild, type(error).__name__)
        return True

    async def leave_server(self, guild: int) -> bool:
        """Leaves a server; returns whether the bot was on it."""
        try:
            found = self.get_guild(guild) or await self.fetch_guild(guild, with_counts=False)
            await found.leave()
        except (discord.NotFound, discord.Forbidden):
            return False
        return True

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        log.exception("the event %s failed", event_method)

    async def on_connect(self) -> None:
        self._reached.set()

    async def close(self) -> None:
        """Finishes what is under way, then leaves Discord, which may take its time to say goodbye."""
        self._gateway.close()
        await self.host.close()
        try:
            async with asyncio.timeout(GOODBYE):
                await super().close()
        except TimeoutError:
            log.warning("Discord does not say goodbye; the connection is cut")
            await self.http.close()

    async def run_jobs(self) -> None:
        """Does the due jobs until it is cancelled. The composition root runs this.

        Raises `StoreLost` once nothing can be kept any more.

        Time during which nobody could press a button does not count. While Discord is out of reach no job is done, and
        afterwards that time is given back to the players, as is the time for which the machine slept.
        """
        await self._reached.wait()
        clock, loop = self.host.clock, asyncio.get_running_loop()
        busyness = Busyness()
        while True:
            began, pause = loop.time(), IDLE
            if self.within_reach:
                try:
                    away = clock.now() - self._in_reach_at
                    if away > AWAY and self.fleet is None:
                        log.warning("Discord was out of reach for %.0f s, which are given back", away)
                        await self.host.give_back(away)
                    elif away > AWAY:
                        # The processes of a fleet give time back together (`Store.beat`), and only if none of them
                        # could serve people.
                        self.host.grant_grace()
                    self._in_reach_at = clock.now()
                    due = await self.host.start_due()
                    if due is not None and due < clock.now() + IDLE:
                        pause = SOON
                except StoreLost:
                    raise
                except Exception:
                    log.exception("what is due could not be looked up")
                    pause = AFTER_ERROR
            # However much is due, at least half of the time is left to presses.
            pause = max(pause, loop.time() - began)
            due = loop.time() + pause
            await asyncio.sleep(pause)
            self.host.felt(loop.time() - due)
            self.host.worked(busyness.lately())

    @property
    def within_reach(self) -> bool:
        """Whether any shard is connected to Discord, so that people can press buttons, or will be in a moment."""
        if any(not shard.is_closed() for shard in self.shards.values()):
            return True
        return self.fleet is not None and asyncio.get_running_loop().time() < self._connects_until


def make_client(
    settings: Settings, clock: Clock, games: Mapping[str, AnyGame], add_cogs: AddCogs, **options: Any
) -> Digsite:
    """The whole bot, ready to be started."""
    metrics, shared = Metrics(), settings.shares_store
    store = place_of(settings).store(clock, patience=PATIENCE, committed=metrics.committed, shared=shared)
    pace = Pace(settings.requests, shared=True) if shared else Pace(settings.requests, MOST)
    fleet = _member(settings.database_url.get_secret_value(), metrics) if shared else None
    return Digsite(settings, clock, store, pace, games, add_cogs, metrics, fleet, **options)


def _member(url: str, metrics: Metrics) -> Member:
    # A bot with a file needs no driver of PostgreSQL's.
    from bot.fleet.locks import Locks
    from bot.fleet.member import Member
    from bot.fleet.signals import Signals

    return Member(Locks(url), Signals(url), metrics)
