"""The host's regular work that is no table's job: erasing data, the operator's orders, ending matches on servers that
removed the bot, and registering the commands.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from bot.app.command_sync import Registration
from bot.app.guild_removals import Guilds
from bot.app.operator import Controls
from bot.fleet.fleet import Fleet, SingleProcess
from bot.store.model import StoreError
from bot.tables.erasures import Erasures
from bot.tables.service import Tables

log = logging.getLogger(__name__)

EVERY: Final = 1.0
"""Seconds between two checks. They are short because an operator who asks for an erasure waits for it."""


class Upkeep:
    """Checks every second whether there is something to do, and at once when another process says so."""

    def __init__(self, tables: Tables, fleet: Fleet | None = None) -> None:
        fleet = fleet if fleet is not None else SingleProcess()
        self.erasures = Erasures(tables, fleet)
        self.guilds = Guilds(tables, fleet)
        self.controls = Controls(tables, fleet)
        self.registration: Registration | None = None
        """Registers the commands; None where there are none."""
        self.task: asyncio.Task[None] | None = None
        self._looked = 0.0
        fleet.on("forgotten", self._asked)
        fleet.on("controls", self._look_soon)
        fleet.on_change(self._changed)

    @property
    def tasks(self) -> set[asyncio.Task[None]]:
        """What is being done now."""
        registering = self.registration.task if self.registration is not None else None
        return {task for task in (self.task, registering) if task is not None}

    def start_due(self, now: float) -> None:
        """Starts a check if one is due and none is under way. `now` may have jumped back."""
        if self.task is None and not 0 <= now - self._looked < EVERY:
            self._looked = now
            self.task = asyncio.create_task(self._do(), name="upkeep")
        if self.registration is not None:
            self.registration.start_due(now)

    async def _do(self) -> None:
        try:
            await self.erasures.take_up()
            await self.controls.take_up()
            await self.guilds.end_overdue()
        except StoreError as error:
            log.warning("what is to be seen to could not be looked up: %s", error)
        except Exception:
            log.exception("what is to be seen to could not be done")
        finally:
            self.task = None

    async def _look_soon(self) -> None:
        self._looked = 0.0

    async def _asked(self) -> None:
        """Somebody has asked another process to be forgotten, or was."""
        self.erasures.look_again()
        await self._look_soon()

    async def _changed(self, gained: frozenset[int], _lost: frozenset[int]) -> None:
        """This process owns other shards than before. Raises `StoreError`."""
        if gained:
            await self._asked()
            await self.guilds.load()
