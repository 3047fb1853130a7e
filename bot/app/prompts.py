"""Updates, at once, the private screens of players who must act; all other screens wait for the next redraw."""

from __future__ import annotations

import logging
from collections.abc import Sequence

from bot.app.server_tasks import ServerTasks
from bot.ratelimit.limiter import presser
from bot.store.model import StoreError
from bot.tables.model import Table
from bot.ui.display.state import OpenScreen
from bot.ui.private_screens import PrivateScreens

log = logging.getLogger(__name__)


class Prompts:
    """Updates the open private screens of players whom a change of their table asks for a decision."""

    def __init__(self, private: PrivateScreens, tasks: ServerTasks) -> None:
        self._private = private
        self._tasks = tasks

    def table_changed(self, table: Table) -> None:
        """Starts the updates after a change. The player whose press made the change gets an answer anyway."""
        asked = self._private.asks_anew(table, presser())
        if asked:
            work = self._update(table, asked)
            self._tasks.start(table.guild_id, work, f"asked at table {table.id}", outside=True)

    async def _update(self, table: Table, asked: Sequence[OpenScreen]) -> None:
        try:
            await self._private.hurry(table, asked)
        except StoreError as error:  # the redraw tries again, as after any other failure
            log.info(
                "table %s: could not update the screens of the players who are asked: %s", table.id, error
            )
        except Exception:
            log.exception("table %s: could not update the screens of the players who are asked", table.id)
