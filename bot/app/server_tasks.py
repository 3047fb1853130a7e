"""The tasks of this process for single servers, awaited when a shard is given away or the process ends.

Among them are the updates, at once, of the private screens of players who must act.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine, Sequence
from contextvars import Context, copy_context
from typing import Any

from bot.fleet.fleet import Fleet
from bot.ratelimit.limiter import presser
from bot.store.model import StoreError
from bot.tables.model import Table
from bot.ui.display.state import PrivateScreen
from bot.ui.private_screens import PrivateScreens


class ServerTasks:
    """Tasks, each for one server. They are started only while the host is open and this process owns the server."""

    def __init__(self, fleet: Fleet) -> None:
        self._fleet = fleet
        self._server_of: dict[asyncio.Task[None], int] = {}
        self._outside = Context()
        self.is_open = False

    def open(self) -> None:
        """Allows tasks to start. Called at the start of the host, outside of any press and job."""
        self._outside = copy_context()
        self.is_open = True

    def close(self) -> None:
        """Prevents the start of further tasks."""
        self.is_open = False

    @property
    def running(self) -> set[asyncio.Task[None]]:
        """All tasks that have not ended."""
        return {*self._server_of}

    def of(self, chosen: Callable[[int], bool]) -> set[asyncio.Task[None]]:
        """The tasks of the servers for which `chosen` is true."""
        return {task for task, server in self._server_of.items() if chosen(server)}

    def start(
        self, server: int, work: Coroutine[Any, Any, None], name: str, *, outside: bool = False
    ) -> asyncio.Task[None] | None:
        """Starts a task for a server; None if the host is closed or does not own the server.

        With `outside` the task is no part of the press or job that starts it, so its requests do not count for either.
        """
        if not self.is_open or not self._fleet.owns(server):
            work.close()
            return None
        task = asyncio.create_task(work, name=name, context=self._outside.copy() if outside else None)
        self._server_of[task] = server
        task.add_done_callback(self._server_of.__delitem__)
        return task


log = logging.getLogger(__name__)


def prompting(private: PrivateScreens, tasks: ServerTasks) -> Callable[[Table], None]:
    """Returns what updates the open private screens of players whom a change of their table asks for a decision.

    The player whose press made the change gets an answer anyway.
    """

    async def update(table: Table, asked: Sequence[PrivateScreen]) -> None:
        try:
            await private.hurry(table, asked)
        except StoreError as error:  # the redraw tries again, as after any other failure
            log.info(
                "table %s: could not update the screens of the players who are asked: %s", table.id, error
            )
        except Exception:
            log.exception("table %s: could not update the screens of the players who are asked", table.id)

    def table_changed(table: Table) -> None:
        if asked := private.asks_anew(table, presser()):
            tasks.start(table.guild_id, update(table, asked), f"asked at table {table.id}", outside=True)

    return table_changed
