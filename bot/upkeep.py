"""The host's regular work that is no table's job: erasing data, the operator's orders, and ending
matches on servers that removed the bot.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Final

from bot.controls import Controls
from bot.guilds import Guilds
from bot.store.base import StoreError
from bot.tables.erasures import Erasures
from bot.tables.service import Tables

log = logging.getLogger(__name__)

EVERY: Final = 1.0
"""Seconds between two checks. They are short because an operator who asks for an erasure waits for it."""


class Upkeep:
    """Checks every second whether there is something to do."""

    def __init__(self, tables: Tables) -> None:
        self.erasures = Erasures(tables)
        self.guilds = Guilds(tables)
        self.controls = Controls(tables)
        self.task: asyncio.Task[None] | None = None
        self._looked = 0.0

    def start_due(self, now: float) -> None:
        """Starts a check if one is due and none is under way. `now` may have jumped back."""
        if self.task is None and not 0 <= now - self._looked < EVERY:
            self._looked = now
            self.task = asyncio.create_task(self._do(), name="upkeep")

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
