"""The recovery of messages that were posted but not noted, and the deletion of messages that were replaced."""

from __future__ import annotations

import math
from typing import Final

from bot.tables.messages import Messages
from bot.tables.model import Table
from bot.ui.display.left_behind import take_in
from bot.ui.display.parts import Parts
from bot.ui.display.state import DisplayState

ARRIVED_AFTER: Final = 30.0
"""Seconds after which a post of an earlier process cannot be on its way to Discord."""


class Recovery:
    """Finds the messages that a killed process left behind, and deletes those that nobody should press."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._tables = parts.tables
        self._sender = parts.sender

    async def find(self, table: Table, state: DisplayState) -> Table:
        """Searches the channel for messages that were posted but never noted.

        The search is made once in each process, whenever an answer of Discord's got lost, and while an announcement is
        noted that may have been posted (`Messages.calling`): then once more after `ARRIVED_AFTER`. After a
        search that failed because of an outage the messages go on, and it is made again after that time.
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
        if state.unread or (calling and not state.unsearchable):
            state.search_again_at = now + ARRIVED_AFTER
            state.check(state.search_again_at)
        if not left_behind:
            return table
        by_dm = self._parts.calls.by_dm
        async with self._tables.change(table.id) as draft:
            # A letter that was sent is not noted either: it is sent once more, and Discord recognises its nonce.
            take_in(
                draft.table,
                [
                    left._replace(people={user for user in left.people if not by_dm(user)})
                    for left in left_behind
                ],
            )
            draft.touch()
        return draft.table

    async def delete_retired(self, table: Table, state: DisplayState) -> Table:
        """Deletes the retired messages, which others have replaced."""
        # A message that seemed left behind may meanwhile have its place, because Discord recognised its nonce.
        messages = table.body.messages
        gone = [
            message
            for message in messages.retired
            if message in messages.placed or await self._parts.sender_of(table).delete(table, state, message)
        ]
        if not gone:
            return table
        async with self._tables.change(table.id) as draft:
            kept = draft.table.body.messages
            kept.retired = [message for message in kept.retired if message not in gone]
            draft.touched = True
        return draft.table

    async def recognise(self, table: Table, message: int) -> None:
        """Notes a public message of the table that somebody has pressed, if it is not noted yet.

        If the lobby has no message yet, the pressed message becomes the lobby's. Otherwise a message that a crash has
        left behind is retired.
        """
        if message in table.body.messages.known or _may_be_noted_soon(table, message):
            return
        async with self._tables.change(table.id) as draft:
            messages = draft.table.body.messages
            if message in messages.known:
                return
            if draft.table.status == "lobby" and messages.lobby is None:
                messages.lobby = message
                draft.touched = True
            elif _newest(messages) is not None and not _may_be_noted_soon(draft.table, message):
                messages.retired.append(message)
                draft.touch()


def _may_be_noted_soon(table: Table, message: int) -> bool:
    """Whether an unnoted message has perhaps just been posted: it is newer than all noted ones.

    Otherwise the search for messages that were left behind finds it. In a group DM the bot cannot search: there only a
    start message is left for that reason, and a board that is noted after all is retired no longer.
    """
    newest = _newest(table.body.messages)
    return newest is not None and message > newest and (table.starting or not table.in_group)


def _newest(messages: Messages) -> int | None:
    """The newer one of table message and announcement; None if there is no table message."""
    place = messages.board or messages.lobby
    return None if place is None else max(place, messages.announcement or 0)
