"""Registers the commands and their texts with Discord when they have changed: once for all processes, never older ones.

The store holds a digest of the commands registered last, and the version of the program that registered them. In a
fleet the leader registers the commands, even if it becomes the leader only later.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import logging
from typing import Any, Final

import discord
from discord import app_commands

from bot.app.services import Services
from bot.gateway.errors import UNDELIVERED, Brief
from bot.language import SOURCE, language_for, speaking
from bot.store.model import StoreError
from bot.tables.model import HOUR
from bot.version import is_older, own_version

log = logging.getLogger(__name__)

FACT: Final = "commands"
"""The fact that holds the digest of the commands that were registered last, and the version that registered them."""
REGISTER_AGAIN: Final = HOUR
"""Seconds after which a registration of the commands that failed is tried again."""


class Registration:
    """The commands of this process, and whether they are registered."""

    def __init__(
        self, tree: app_commands.CommandTree[Any], services: Services, *, version: str | None = None
    ) -> None:
        self._tree = tree
        self._store = services.store
        self._fleet = services.fleet
        self._clock = services.clock
        self._again = REGISTER_AGAIN
        self._always = services.settings.register_commands == "always"
        self._version = version if version is not None else own_version()
        self._seen_to = False
        """Whether the commands were checked, and registered if necessary, since this process became the leader."""
        self._tried = -self._again
        self.task: asyncio.Task[None] | None = None
        """The registration under way."""

    def start_due(self, now: float) -> None:
        """Starts a registration if this process is the leader and has not made one. `now` may have jumped back."""
        if not self._fleet.is_leader:
            self._seen_to, self._tried = False, -self._again
        elif not self._seen_to and self.task is None and not 0 <= now - self._tried < self._again:
            self.task = asyncio.create_task(self._do(), name="commands")

    async def _do(self) -> None:
        try:
            await self.register()
        except StoreError as error:
            log.warning("whether the commands are registered could not be looked up or noted: %s", error)
        except Exception:
            log.exception("the commands could not be registered")
        finally:
            self.task = None

    async def register(self) -> None:
        """Registers the commands if this process is the leader and they have changed. Raises `StoreError`."""
        if not self._fleet.is_leader:
            return
        self._tried = self._clock.now()
        commands = [
            await command.get_translated_payload(self._tree, self._tree.translator)
            if self._tree.translator
            else command.to_dict(self._tree)
            for command in self._tree.get_commands()
        ]
        application = self._tree.client.application_id
        text = json.dumps([application, commands], sort_keys=True, default=str)
        digest = hashlib.sha256(text.encode()).hexdigest()
        if self._always or await self._differ(digest):
            try:
                await self._tree.sync()
            except UNDELIVERED as error:
                # Matches can go on with their buttons.
                log.error("the commands could not be registered: %s", Brief(error))
                return
            await self._store.set_fact(FACT, json.dumps({"digest": digest, "version": self._version}))
            log.info("registered %s commands", len(commands))
        self._seen_to = True

    async def _differ(self, digest: str) -> bool:
        """Whether the commands differ from those registered last; False if a newer version registered these."""
        last: dict[str, str] = json.loads(await self._store.fact(FACT) or "{}")
        if last.get("digest") == digest:
            return False
        # A single process registers its commands whatever its version is. In a fleet, a process of a newer version may
        # run: of a later release, or of a later build of the same release.
        version = last.get("version", "")
        if not self._fleet.alone and is_older(self._version, version):
            log.warning(
                "the commands stay those of version %s, and this is version %s", version, self._version
            )
            return False
        return True


class CommandTexts(app_commands.Translator):
    """Translates descriptions, choices, and names of options and of menu entries, by the `say` of a `locale_str`."""

    async def translate(
        self,
        string: app_commands.locale_str,
        locale: discord.Locale,
        context: app_commands.TranslationContext[Any, Any],
    ) -> str | None:
        if language_for(locale.value) == SOURCE:
            return None
        names = (
            app_commands.TranslationContextLocation.command_name,
            app_commands.TranslationContextLocation.group_name,
        )
        if context.location in names and not isinstance(context.data, app_commands.ContextMenu):
            return None  # command names are the same in all languages, so that players can tell them to each other
        say = string.extras.get("say")
        if say is None:
            return None
        with speaking(locale.value):
            text = say()
        return text if text != string.message else None
