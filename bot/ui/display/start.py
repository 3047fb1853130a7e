"""The start of a match: posts the start message, and then begins the match."""

from __future__ import annotations

from bot.tables import lobby
from bot.tables.locks import Locks
from bot.tables.model import Table
from bot.ui.display.parts import Parts
from bot.ui.display.state import DisplayStates
from bot.ui.token_sender import NoToken


class Starts:
    """Starts matches. A start has a lock of its own, because it must not wait for a slow edit of the lobby."""

    def __init__(self, parts: Parts, states: DisplayStates) -> None:
        self._tables = parts.tables
        self._public = parts.public
        self._sender_of = parts.sender_of
        self._states = states
        self._locks = Locks()

    async def start(self, table_id: int, *, first: bool = False) -> Table:
        """Continues a start whose seats and words are frozen: posts the start message and begins the match.

        `first` says that the message cannot have been posted before. Returns the changed table. Raises
        `discord.HTTPException` if Discord does not accept the message; the table is then unchanged. In a group DM
        without a token, the start waits for the next press there.
        """
        async with self._locks.hold(table_id):
            table = await self._tables.latest(table_id)
            if not table.starting or table.body.asleep is not None:
                return table
            try:
                message = await self._message(table, first)
            except NoToken:
                async with self._tables.change(table_id) as draft:
                    draft.table.body.messages.waits = draft.touched = True
                return draft.table
            async with self._tables.change(table_id) as draft:
                if draft.table.starting:
                    lobby.begin(draft, message)
                else:  # meanwhile the lobby was closed or opened again
                    draft.table.body.messages.retired.append(message)
                    draft.touch()
            return draft.table

    async def _message(self, table: Table, first: bool) -> int:
        """The id of the start message: of a message that was left behind, or else of a new one."""
        state = self._states.of(table.id)
        if not first:
            for left in await self._sender_of(table).left_behind(table, state):
                if left.kind == "start":
                    return left.message
        view = self._public.start(table).view()
        return await self._sender_of(table).post(table, state, f"start {table.body.starts}", view)
