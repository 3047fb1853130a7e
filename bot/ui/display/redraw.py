"""The redraw of a table: all of its messages, step by step, and the open private screens."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Sequence
from typing import Final

import discord

from bot.background import Locks
from bot.gateway.errors import Brief, is_transient
from bot.tables import ending
from bot.tables.draft import REDRAW
from bot.tables.model import Table
from bot.tables.refusals import Refused
from bot.tables.same_deal import compare
from bot.ui.display.parts import EDIT_TRIES, EDITS_AGAIN, PICTURE_AGAIN, Parts, Step
from bot.ui.display.state import DisplayState, DisplayStates, MessageState
from bot.ui.interaction import UNDELIVERED
from bot.ui.screens.permissions import refused_for
from bot.ui.sender import UNKNOWN_CHANNEL, together
from bot.ui.token_sender import NoToken

log = logging.getLogger(__name__)
_UNCERTAIN: Final = 2.0
"""Seconds until a table is drawn again if it is uncertain what its messages show."""
_PASSES: Final = 3
"""How often in a row the messages are drawn if their edits overlapped with others."""


class Redraws:
    """Redraws tables. A table has one redraw at a time."""

    def __init__(
        self,
        parts: Parts,
        states: DisplayStates,
        locks: Locks,
        opening: Step,
        steps_of: Callable[[Table], Sequence[Step]],
    ) -> None:
        """`steps_of` returns the steps for a table, which run one after the other, each for one kind of message.

        Before them `opening` opens the match thread.
        """
        self._parts = parts
        self._tables = parts.tables
        self._states = states
        self._locks = locks
        self._opening = opening
        self._steps_of = steps_of

    async def redraw(self, table_id: int) -> float | None:
        """Brings all messages of a table up to date. Raises `discord.HTTPException` if Discord does not accept one.

        Returns the seconds until the next redraw if a part was put off, or if it is uncertain what the messages show.
        Returns None if all messages are up to date, or if Discord will not accept them at all.
        """
        async with self._locks.hold(table_id):
            for _pass in range(_PASSES):
                try:
                    table = await self._tables.latest(table_id)
                except Refused:
                    return None
                if table.body.asleep is not None:
                    return None
                state, drawn = self._states.of(table_id), table.version
                token = state.token
                if not await self._delivered(table, state):
                    return None
                table = await self._note_waits(await self._tables.get(table_id), state)
                if table.body.messages.waits and state.token not in (None, token):
                    continue  # a press has come meanwhile
                messages = [state.message(message) for message in table.body.messages.known]
                if state.doubtful or any(message.edits_sent for message in messages):
                    break
                if not any(message.unsure for message in messages):
                    if state.urgent_since is not None and state.urgent_since <= drawn:
                        state.urgent_since = None
                    return self._next(table, state, messages)
            return _UNCERTAIN

    async def _delivered(self, table: Table, state: DisplayState) -> bool:
        """Draws all messages of a table. Returns False if Discord will not accept them at all."""
        state.check_at, state.waits = None, False
        try:
            await self._draw_all(table, state)
        except discord.NotFound as error:
            if error.code != UNKNOWN_CHANNEL:
                raise
            await self.channel_gone(table)
            return False
        except discord.Forbidden as error:
            # The bot may not post or edit in the channel. The table's next change makes another try.
            log.warning("table %s: its message cannot be drawn (%s)", table.id, Brief(error))
            if table.live:
                in_thread = table.body.thread is not None or (
                    state.token is not None and state.token.in_thread
                )
                state.trouble = refused_for(error, "thread" if in_thread else "channel")
            else:
                self._states.forget(table.id)
            return False
        state.trouble = None
        return True

    async def _draw_all(self, table: Table, state: DisplayState) -> None:
        """Draws the messages and the private screens at the same time, so that a slow one delays no other.

        The screens of people who watch come after them.
        """
        state.lags = self._may_lag(table, state)
        following = asyncio.ensure_future(self._parts.private.follow(table, asked_only=state.lags))
        state.following = following
        try:
            # A private match has no messages but private screens.
            drawing = [] if table.is_private else [self._draw(table, state)]
            await together(*drawing, following)
            if not state.lags:
                self._parts.private.follow_watching(table)
        finally:
            state.following, state.lags = None, False

    def _may_lag(self, table: Table, state: DisplayState) -> bool:
        """Whether only the parts that somebody waits for are drawn now, because of the load, and the others later."""
        now, lag = self._parts.now(), self._parts.load.staleness_budget()
        since = now - state.drawn_whole_at
        at_once = table.status != "playing" or table.body.messages.moving or state.urgent_since is not None
        if at_once or not 0 <= since < lag:
            state.drawn_whole_at = now
            return False
        state.check(now + lag - since)
        return True

    async def _draw(self, table: Table, state: DisplayState) -> None:
        # If Discord does not accept one message now, the other messages are brought up to date all the same.
        table = await self._opening(table, state)
        if table.awaits_thread:
            return  # it was closed before it had a thread, and so before it had messages
        failed: Exception | None = None
        for step in self._steps_of(table):
            try:
                table = await step(table, state)
            except NoToken:
                state.waits = True
            except UNDELIVERED as error:
                if failed is None or is_transient(error):  # after a transient error, the table is drawn again
                    failed = error
        if failed is not None:
            raise failed

    async def _note_waits(self, table: Table, state: DisplayState) -> Table:
        """Notes durably whether a message of a table in a group DM waits for a press.

        A start message that waits is none of a redraw's messages.
        """
        waits, state.waits = state.waits, False
        if waits == table.body.messages.waits or (table.starting and not waits):
            return table
        async with self._tables.change(table.id) as draft:
            draft.table.body.messages.waits = waits
            draft.touched = True
        return draft.table

    def _next(self, table: Table, state: DisplayState, messages: Sequence[MessageState]) -> float | None:
        """The seconds until parts are drawn that were put off or accept no edits for now; None if there are none."""
        uploads, channel = self._parts.public.pictures.uploads, table.channel_id
        back = uploads.paused_until(channel)
        # Without the permission to attach files, messages of matches that are over would be tried for ever.
        if back is not None and (table.live or not uploads.is_forbidden(channel)):
            state.check(back)
        if state.check_at is not None:
            check, state.check_at = state.check_at, None
            return max(0.0, check - self._parts.now())
        limit = EDIT_TRIES
        tries = [each.too_many_edits for each in messages if 0 < each.too_many_edits < limit]
        if tries:
            return EDITS_AGAIN * 2 ** (max(tries) - 1)
        if table.live or table.awaits_result:  # the result then waits for a press in a group DM
            return None
        if self._parts.private.any_of(table.id):  # its last picture is not ready
            return max(PICTURE_AGAIN, self._parts.load.staleness_budget())
        self._states.forget(table.id)
        return None

    async def channel_gone(self, table: Table) -> None:
        """Ends a match whose channel was deleted."""
        async with self._tables.change(table.id) as draft:
            if draft.table.live:
                ending.abandon(draft, "channel-gone")
                draft.cancel(REDRAW)
        await compare(self._tables, draft.table)
        self._states.forget(table.id)
