"""Match threads: opens them, posts the result in the parent channel, and archives them after the match.

A table is stored before its thread exists, so that a press that is delivered twice, or a killed process, makes no
second table: the table's redraw opens the thread. The thread is started from a message in the parent channel, the
*starter*, which is posted with a nonce, and Discord gives the thread that message's id. The table therefore has the
thread for its channel as soon as the starter is noted, so that no other table can be opened there first, and a redraw
that is repeated finds the thread that an earlier one has opened.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Coroutine, Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any, Final

import discord

from bot.gateway.errors import Brief, is_transient
from bot.language import speaking
from bot.tables.matchmaking import give_back
from bot.tables.messages import MatchThread
from bot.tables.model import Table
from bot.ui.display.parts import EDITS_AGAIN, Parts, digest
from bot.ui.display.state import DisplayState
from bot.ui.screens import threads as screens
from bot.ui.sender import UNKNOWN_CHANNEL

log = logging.getLogger(__name__)
_RENAME: Final = 5.0
"""Seconds for which a redraw waits until Discord accepts a thread's new name."""


class MatchThreads:
    """Opens, names and archives match threads. Every outcome is stored with the table."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._tables = parts.tables
        self._public = parts.public
        self._sender = parts.sender
        self._named_from: dict[int, float] = {}
        """By table, when its thread's name is tried again."""

    async def open(self, table: Table, state: DisplayState) -> Table:
        """Opens the thread of a new table. An archived thread is opened again, because its messages are to be edited.

        Raises `discord.HTTPException` if there is no thread yet and Discord does not accept one; after a refusal for
        good, the lobby is closed.
        """
        thread = table.body.thread
        if thread is None:
            return table
        if not thread.opened:
            return await self._start(table, state, thread) if table.live else table
        if table.live or not thread.archived:
            return table
        try:
            await self._try(table, self._sender.edit_thread(table, archived=False))
        except discord.NotFound:
            # The thread was deleted. Names may still have to vanish from the messages in the parent channel.
            return table
        return await self._note(table, archived=False)

    async def _start(self, table: Table, state: DisplayState, thread: MatchThread) -> Table:
        name, starter = self._name(table), thread.starter
        try:
            if starter is None:
                view = self._public.draw(table, screens.starter).view()
                starter = await self._sender.post(table, state, "thread", view, channel=thread.parent)
                # The thread will have the starter's id. It is the table's before anybody can open another table there.
                thread = replace(thread, starter=starter)
                await self._note_thread(table, starter, thread)
            await self._sender.start_thread(thread.parent, starter, name)
        except discord.HTTPException as error:
            if not is_transient(error):
                if starter is not None:
                    await self._sender.delete_in(thread.parent, starter)
                if error.code != UNKNOWN_CHANNEL:
                    await give_back(self._tables, table.id)
            raise
        shows = {"thread": digest(name)}
        return await self._note_thread(table, starter, replace(thread, opened=True), shows)

    async def _note_thread(
        self, table: Table, channel: int, thread: MatchThread, shows: Mapping[str, str] = MappingProxyType({})
    ) -> Table:
        """Notes the table's thread, which has the id `channel`, and what it shows."""
        async with self._tables.change(table.id) as draft:
            draft.table.channel_id = channel
            draft.table.body.thread = thread
            draft.table.body.messages.shows |= shows
            draft.touch()
        return draft.table

    async def settle(self, table: Table, state: DisplayState) -> Table:
        """Renames the thread after another host. After the match, tells the parent channel, and archives the thread."""
        thread = table.body.thread
        if thread is None:
            return table
        if thread.starter is not None:
            table = await self._rename(table, state)
        messages = table.body.messages
        if table.live or messages.farewell or (table.status == "over" and messages.result is None):
            return table  # it is archived once the result is posted
        if messages.result is not None and thread.parent_result is None:
            table = await self._post_parent_result(table, state, thread)
        return table if thread.archived else await self._archive(table, state)

    async def _rename(self, table: Table, state: DisplayState) -> Table:
        """Gives the thread the name of its present host. Discord accepts two names of a channel in ten minutes.

        A name that is not accepted at once is given later, so that the table's messages do not wait for it.
        """
        name, now = self._name(table), self._parts.now()
        named = table.body.messages.shows.get("thread") == digest(name)
        if named or now < self._named_from.get(table.id, now):
            return table
        try:
            async with asyncio.timeout(_RENAME):
                await self._try(table, self._sender.edit_thread(table, name=name))
        except TimeoutError:
            self._named_from[table.id] = now + EDITS_AGAIN
            state.check(self._named_from[table.id])
            return table
        self._named_from.pop(table.id, None)
        async with self._tables.change(table.id) as draft:
            draft.table.body.messages.shows["thread"] = digest(name)
            draft.touched = True
        return draft.table

    async def _post_parent_result(self, table: Table, state: DisplayState, thread: MatchThread) -> Table:
        view = self._public.draw(table, screens.parent_result).view()
        try:
            parent_result = await self._sender.post(
                table, state, "parent-result", view, channel=thread.parent
            )
        except discord.HTTPException as error:
            if is_transient(error):
                raise
            log.info("table %s: its result could not be told in the channel (%s)", table.id, Brief(error))
            parent_result = 0
        return await self._note(table, parent_result=parent_result)

    async def _archive(self, table: Table, state: DisplayState) -> Table:
        """Archives the thread, unless messages in it are to be edited once more or another table is played in it."""
        if state.following is not None:
            await asyncio.wait({state.following})
        if state.check_at is not None or self._parts.private.any_of(table.id):
            return table  # the redraw that follows archives it
        # If Play Again has opened the next lobby in the thread, the end of the next match archives it.
        if await self._tables.store.live_table(table.channel_id) is None:
            await self._try(table, self._sender.edit_thread(table, archived=True))
            if await self._tables.store.live_table(table.channel_id) is not None:  # it was opened meanwhile
                await self._try(table, self._sender.edit_thread(table, archived=False))
        return await self._note(table, archived=True)

    async def _note(
        self, table: Table, *, parent_result: int | None = None, archived: bool | None = None
    ) -> Table:
        async with self._tables.change(table.id) as draft:
            thread = draft.table.body.thread
            assert thread is not None
            thread.parent_result = thread.parent_result if parent_result is None else parent_result
            thread.archived = thread.archived if archived is None else archived
            draft.touched = True
        return draft.table

    async def _try(self, table: Table, request: Coroutine[Any, Any, None]) -> None:
        """Makes a request that the match does not depend on. A refusal is logged, and not tried again."""
        try:
            await request
        except discord.HTTPException as error:
            if is_transient(error) or error.code == UNKNOWN_CHANNEL:
                raise
            log.info("table %s: its thread could not be changed (%s)", table.id, Brief(error))

    def _name(self, table: Table) -> str:
        with speaking(table.body.locale):
            return screens.thread_name(table, self._public.screens[table.game.key])
