"""The Discord client: connects the host to Discord, and registers the commands when they have changed."""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
import sys
import time
from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Final

import discord
from discord import app_commands

from bot.clock import Clock
from bot.discord_errors import Brief, keep_texts_out_of_logs
from bot.gateway import final_reason
from bot.host import Host
from bot.language import SOURCE, language_for, speaking
from bot.metrics import Metrics
from bot.pace import Pace
from bot.settings import DISCORD_TAKES, Settings
from bot.store.base import Store, StoreLost
from bot.tables.refusals import Refused
from bot.ui import table_screens as show
from bot.ui.visit import UNDELIVERED
from bot.ui.words import refusal
from engine.game import AnyGame

if TYPE_CHECKING:
    import yarl

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
AWAY: Final = 90.0
"""Only if Discord was out of reach for longer than this many seconds is the time given back to players.

Shorter gaps happen at every reconnection.
"""
PATIENCE: Final = 3.0
"""Seconds that the bot waits at its start for another process, such as an operator's command, to release the store."""

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
        log.error("a command failed before it was read", exc_info=error)
        if not interaction.response.is_done():
            with speaking(interaction.locale.value):
                screen = show.say(refusal(Refused("failed", reference="-")))
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
        **options: Any,
    ) -> None:
        trace = pace.trace()
        metrics.watch_requests(trace)
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
        self.host = Host(self, settings, clock, store, games, pace, metrics)
        self.host.upkeep.controls.leave_server = self.leave_server
        self._add_cogs = add_cogs
        self._launches = 0
        """How often opening the present connection has failed so far."""
        self._reached = asyncio.Event()
        """Set once the first shard is connected; the others may take minutes."""
        self._in_reach_at = 0.0

    async def setup_hook(self) -> None:
        await self.host.start()
        self._in_reach_at = self.host.clock.now()
        self._add_cogs(self.host, self.tree)
        await self.tree.set_translator(_CommandTexts())
        await self.register_commands()

    async def launch_shard(self, gateway: yarl.URL, shard_id: int, *, initial: bool = False) -> None:
        """Opens a shard's connection. Raises if Discord refuses it for good or cannot be reached."""
        # After a failure discord.py calls this again from its `except` block, and would do so until Python's stack is
        # full.
        error = sys.exception()
        self._launches = 0 if error is None else self._launches + 1
        if error is not None and (final_reason(error) is not None or self._launches > LAUNCHES):
            raise error
        await super().launch_shard(gateway, shard_id, initial=initial)

    async def register_commands(self) -> None:
        """Registers the commands with Discord, unless they are the same as those registered last."""
        commands = [
            await command.get_translated_payload(self.tree, self.tree.translator)
            if self.tree.translator
            else command.to_dict(self.tree)
            for command in self.tree.get_commands()
        ]
        text = json.dumps([self.application_id, commands], sort_keys=True, default=str)
        digest = hashlib.sha256(text.encode()).hexdigest()
        if self.settings.register_commands == "changed" and await self.host.store.fact("commands") == digest:
            return
        try:
            await self.tree.sync()
        except discord.HTTPException as error:
            # Matches can go on with their buttons, and the next start tries again.
            log.error("the commands could not be registered: %s", Brief(error))
            return
        await self.host.store.set_fact("commands", digest)
        log.info("registered %s commands", len(commands))

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        await self.host.router.on_interaction(interaction)

    async def on_guild_channel_delete(self, channel: discord.abc.GuildChannel) -> None:
        await self.host.channel_gone(channel.id)

    async def on_raw_thread_delete(self, payload: discord.RawThreadDeleteEvent) -> None:
        await self.host.channel_gone(payload.thread_id)

    async def on_ready(self) -> None:
        """Discord reports that all shards of this process are connected and their servers known."""
        await self.host.upkeep.guilds.ready(self)

    async def on_guild_remove(self, guild: discord.Guild) -> None:
        """Discord reports that the bot was removed. (For an outage the event is `on_guild_unavailable`.)"""
        await self.host.upkeep.guilds.left(guild.id)

    async def on_guild_join(self, guild: discord.Guild) -> None:
        await self.host.upkeep.guilds.joined(guild.id)

    async def on_guild_available(self, guild: discord.Guild) -> None:
        await self.host.upkeep.guilds.joined(guild.id)

    def memberships(self) -> set[int]:
        return {guild.id for guild in self.guilds}

    def is_ours(self, guild: int) -> bool:
        return (guild >> 22) % (self.shard_count or 1) in (self.shard_ids or range(self.shard_count or 1))

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
        found = self.get_guild(guild)
        if found is None:
            return False
        await found.leave()
        return True

    async def on_error(self, event_method: str, /, *args: Any, **kwargs: Any) -> None:
        log.exception("the event %s failed", event_method)

    async def on_connect(self) -> None:
        self._reached.set()

    async def close(self) -> None:
        """Finishes what is under way, then leaves Discord, which may take its time to say goodbye."""
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
        while True:
            began, computed, pause = loop.time(), time.thread_time(), IDLE
            if self.within_reach:
                try:
                    away = clock.now() - self._in_reach_at
                    if away > AWAY:
                        log.warning("Discord was out of reach for %.0f s, which are given back", away)
                        await self.host.give_back(away)
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
            self.host.worked((time.thread_time() - computed) / (loop.time() - began))

    @property
    def within_reach(self) -> bool:
        """Whether any shard is connected to Discord, so that people can press buttons."""
        return any(not shard.is_closed() for shard in self.shards.values())


def make_client(
    settings: Settings, clock: Clock, games: Mapping[str, AnyGame], add_cogs: AddCogs, **options: Any
) -> Digsite:
    """The whole bot, ready to be started."""
    shards = settings.shard_ids, settings.shard_count
    share = len(shards[0]) / shards[1] if shards[0] and shards[1] else 1.0
    pace = Pace(share * settings.requests, share * DISCORD_TAKES)
    metrics = Metrics()
    store = settings.place.store(clock, patience=PATIENCE, committed=metrics.committed)
    return Digsite(settings, clock, store, pace, games, add_cogs, metrics, **options)
