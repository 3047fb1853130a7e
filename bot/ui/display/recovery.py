"""The recovery of messages that were posted but not noted, and the deletion of messages that were replaced."""

from __future__ import annotations

import math

from bot.tables.messages import Messages
from bot.tables.model import Table
from bot.ui.display.left_behind import take_in
from bot.ui.display.parts import Parts
from bot.ui.display.state import DisplayState


class Recovery:
    """Finds the messages that a killed process left behind, and deletes those that nobody should press."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._tables = parts.tables
        self._sender = parts.sender

    async def find(self, table: Table, state: DisplayState) -> Table:
        """Looks for messages that were posted but never noted.

        It does so once in a process, whenever an answer got lost, and whenever a call was to be posted and it is not
        noted whether it was: then once more after `DisplayTiming.landed`.
        """
        now, calling = self._parts.now(), bool(table.body.messages.calling)
        if calling or not state.searched:
            state.doubtful = True
        if not state.doubtful and now < state.search_again_at:
            if state.search_again_at < math.inf:
                state.check(state.search_again_at)
            return table
        left_behind = await self._sender.left_behind(table, state)
        state.searched, state.doubtful, state.search_again_at = True, False, math.inf
        if calling and not state.unsearchable:
            state.search_again_at = now + self._parts.timing.landed
            state.check(state.search_again_at)
        if not left_behind:
            return table
        async with self._tables.change(table.id) as draft:
            take_in(draft.table, left_behind)
            draft.touch()
        return draft.table

    async def delete_retired(self, table: Table, state: DisplayState) -> Table:
        """Deletes the messages that others have replaced."""
        # A message that seemed left behind may have got its place meanwhile, because Discord recognised its nonce.
        messages = table.body.messages
        gone = [
            message
            for message in messages.retired
            if message in messages.placed or await self._sender.delete(table, state, message)
        ]
        if not gone:
            return table
        async with self._tables.change(table.id) as draft:
            kept = draft.table.body.messages
            kept.retired = [message for message in kept.retired if message not in gone]
            draft.touched = True
        return draft.table

    async def recognise(self, table: Table, message: int) -> None:
        """Gives a public message of the table that somebody has pressed its place, if it is not noted.

        If the message was left behind by a crash, it is deleted; but if the table's lobby has no message yet, it
        becomes the lobby's message.
        """
        messages = table.body.messages
        newest = _newest(messages)
        if message in messages.known or (newest is not None and message > newest):
            return  # a message that was only just posted may not have been noted yet
        async with self._tables.change(table.id) as draft:
            messages = draft.table.body.messages
            newest = _newest(messages)
            if message in messages.known:
                return
            if draft.table.status == "lobby" and messages.lobby is None:
                messages.lobby = message
                draft.touched = True
            elif newest is not None and message < newest:
                messages.retired.append(message)
                draft.touch()


def _newest(messages: Messages) -> int | None:
    """The newer one of table message and announcement; None if there is no table message."""
    place = messages.board or messages.lobby
    return None if place is None else max(place, messages.announcement or 0)
