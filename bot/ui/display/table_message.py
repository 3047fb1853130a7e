"""The table message: the lobby, and then the board."""

from __future__ import annotations

from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import discord

from bot.gateway.errors import is_transient
from bot.store.model import Job
from bot.tables.draft import REDRAW
from bot.tables.guests import notified
from bot.tables.matchmaking import LIMITS, give_back
from bot.tables.messages import Messages
from bot.tables.model import Table
from bot.ui.display.parts import Parts, note_place, place_of
from bot.ui.display.state import DisplayState
from bot.ui.interaction import OnAccepted
from bot.ui.screens.kit import ScreenView
from bot.ui.screens.lobby import lobby
from bot.ui.sender import Edited


class TableMessages:
    """Draws lobbies and boards into their messages, in a redraw or in the answer to a press."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._tables = parts.tables
        self._sender = parts.sender

    # -- in a redraw

    async def draw(self, table: Table, state: DisplayState) -> Table:
        """Draws the lobby or the board into its message. If the message had to be posted anew, notes the new one."""
        if state.lags and place_of(table) is not None:
            return table
        screen, complete = await self._parts.public.table(table)
        if not complete:
            self._parts.wait_for_picture(state)
        old, view = place_of(table), self._sender.prepare(table, screen.view())
        moving = table.live and table.body.messages.moving
        if old is not None and not moving:
            edited = await self._edit(table, state, old, view)
            # After the end, a deleted board is not posted again. A board that cannot be edited is, because it would
            # still look live; the post also opens an archived thread, so that the thread shows the end too.
            if edited in ("kept", "later") or (edited == "gone" and not table.live):
                return table
        elif not table.live:
            return table
        try:
            new = await self._post(table, state, old, view)
        except discord.HTTPException as error:
            if old is None and table.status == "lobby" and not is_transient(error):
                # A lobby that nobody sees would only take the channel, and count against its opener.
                await give_back(self._tables, table.id)
            raise
        return await self._note(table, old, new, moving)

    async def _edit(self, table: Table, state: DisplayState, message: int, view: ScreenView) -> Edited:
        """Edits the table message, or puts the edit off if no token can edit it and it was edited a moment ago.

        Several changes then become one edit.
        """
        at, now = state.message(message), self._parts.now()
        due = at.counted_at + self._parts.load.debounce_window()
        if at.counted_at <= now < due and table.live and state.urgent_since is None:
            edited = await self._sender.edit(table, state, message, view, may_count=False)
            if edited == "later":
                state.check(due)
            return edited
        counts = state.token_of(message, now) is None and not at.shows(view.digest)
        edited = await self._sender.edit(table, state, message, view)
        if counts and edited == "kept":
            at.counted_at = now
        return edited

    async def _post(self, table: Table, state: DisplayState, old: int | None, view: ScreenView) -> int:
        """Posts the table message anew, unless an earlier post of it is in the channel; returns the message's id."""
        first, state.first_post = state.first_post, False
        if not first and (old is None or table.body.messages.moving):
            kind = "lobby" if table.state is None else "board"
            for left in await self._sender.left_behind(table, state):
                if left.kind == kind:
                    return left.message
        ring = await self._called(table) if old is None else ()  # nobody is called to a lobby a second time
        return await self._sender.post(table, state, f"table after {old}", view, ring=ring)

    async def _called(self, table: Table) -> list[int]:
        """The people whom the first message of a lobby notifies.

        People who were seated by mail are not notified in their quiet hours; the match calls them after these.
        """
        matched = table.matched()
        if table.body.limit != LIMITS["now"]:
            quiet_until, now = self._parts.calls.quiet_until, self._parts.now()
            matched = [user_id for user_id in matched if quiet_until(user_id, now) is None]
        return matched or await notified(self._tables, table)

    async def _note(self, table: Table, old: int | None, new: int, moving: bool) -> Table:
        """Notes the new table message, or retires it if the table has another one meanwhile."""
        async with self._tables.change(table.id) as draft:
            messages = draft.table.body.messages
            begun = (draft.table.state is None) != (table.state is None)
            if begun or place_of(draft.table) not in (old, new):
                messages.retired.append(new)
            else:
                note_place(messages, new, begun=table.state is not None)
                messages.moving = False
                if old is not None and old != new:
                    _retire(messages, old, moving)
            draft.touch()  # links to the table must lead to its new place
        return draft.table

    # -- in the answer to a press

    async def in_answer(self, table: Table, state: DisplayState, message: int) -> ScreenView | None:
        """The screen that the answer to a press on this public message draws into it.

        None if the message is neither the lobby nor the board of a live match, or already shows the present state.
        """
        if table.body.asleep is not None:
            return None
        if table.state is not None and message == table.body.messages.lobby:
            screen = self._parts.public.draw(table, lobby)
        elif message == place_of(table) and (table.live or table.state is None):
            screen = await self._parts.public.table_at_once(table)
        else:
            return None
        view, at = self._sender.prepare(table, screen.view()), state.message(message)
        return None if at.shows(view.digest) or at.edits_sent else view

    @asynccontextmanager
    async def answering(
        self, table: Table, state: DisplayState, message: int, view: ScreenView
    ) -> AsyncGenerator[OnAccepted]:
        """The context in which the answer to a press draws `table` into the pressed message.

        If the table has changed before the answer arrives, or it is uncertain what the message shows, the message is
        drawn anew.
        """
        at = state.message(message)
        try:
            with at.editing(view):
                yield at.note_attachments
        finally:
            now = await self._tables.get(table.id)
            if message != place_of(now):
                # The table message has moved, and an edit of this one to link to it may have preceded the answer.
                await self._link_again(table.id, message)
            if now.version != table.version or at.unsure:
                await self._tables.store.set_job(Job(table.id, REDRAW, self._parts.now()))

    async def _link_again(self, table_id: int, message: int) -> None:
        """Has a message that is no longer the table message edited once more, so that it links to the present one."""
        async with self._tables.change(table_id) as draft:
            messages = draft.table.body.messages
            for kind, each in (("lobby", messages.lobby), ("start", messages.start)):
                if each == message and messages.shows.pop(kind, None) is not None:
                    draft.touched = True


def _retire(messages: Messages, old: int, moving: bool) -> None:
    """Has the old table message deleted. The start message stays, so that everybody can compare its id."""
    if old == messages.start:
        if moving:
            return
        messages.start = None
    messages.retired.append(old)
