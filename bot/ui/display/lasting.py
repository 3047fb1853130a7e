"""The messages that stay in the channel and seldom change: the started lobby, the start message, and the result.

A match begins after its start message is posted.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from typing import Final, Literal

from bot.background import Locks
from bot.tables import lobby
from bot.tables.model import Table
from bot.tables.same_deal import compare
from bot.ui.display.parts import EDIT_TRIES, Parts, digest
from bot.ui.display.state import DisplayState, DisplayStates
from bot.ui.screens import lobby as lobbies
from bot.ui.screens import threads
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.kit import Screen, ScreenView
from bot.ui.token_sender import NoToken

log = logging.getLogger(__name__)

Kind = Literal["lobby", "start", "starter", "result", "parent-result"]
_DRAWN: Final[Mapping[Kind, Callable[[Table, AnyScreens], Screen]]] = {
    "lobby": lobbies.lobby,
    "start": lambda table, _screens: lobbies.left_start_message(table),
    "starter": threads.starter,
    "parent-result": threads.parent_result,
}
"""The messages that have no picture."""


class LastingMessages:
    """Posts the result, and updates the parts that seldom change: the link to the table, and people's names."""

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self._tables = parts.tables
        self._public = parts.public

    async def post_result(self, table: Table, state: DisplayState) -> Table:
        """Posts the result of a match, once, and mentions everybody who has a seat. Then private screens show it.

        People in their quiet hours are mentioned without a notification.
        """
        messages = table.body.messages
        if messages.result is not None or not (table.status == "over" or messages.farewell):
            return table
        screen, complete = await self._draw(table, state, "result")
        quiet_until, now = self._parts.calls.quiet_until, self._parts.now()
        people = [user for seat in table.seats if (user := seat.user_id) and quiet_until(user, now) is None]
        view = screen.view()
        sent = await self._parts.sender_of(table).post(table, state, "result", view, ring=people)
        async with self._tables.change(table.id) as draft:
            messages = draft.table.body.messages
            messages.result, messages.farewell = sent, False
            if complete and not view.lacks_files:
                messages.shows["result"] = _result_digest(table)
            draft.touched = True
        await self._parts.private.follow(draft.table)
        return draft.table

    async def update(self, table: Table, state: DisplayState) -> Table:
        """Edits the outdated messages, and notes their new contents."""
        if not (table.live or table.body.compared):
            table = await compare(self._tables, table)
        shown: dict[str, str] = {}
        for kind, message, content in _wanted(table):
            if table.body.messages.shows.get(kind) == content:
                continue
            screen, complete = await self._draw(table, state, kind)
            settled = await self._settled(table, state, message, screen.view())
            if settled and complete and not screen.view().lacks_files:
                shown[kind] = content
        if not shown:
            return table
        async with self._tables.change(table.id) as draft:
            draft.table.body.messages.shows.update(shown)
            draft.touched = True
        return draft.table

    async def _draw(self, table: Table, state: DisplayState, kind: Kind) -> tuple[Screen, bool]:
        """The message's screen, and whether the screen has its picture; if not, the table is drawn again soon."""
        if kind != "result":
            return self._public.draw(table, _DRAWN[kind]), True
        screen, complete = await self._public.result(table)
        if not complete:
            self._parts.wait_for_picture(state)
        return screen, complete

    async def _settled(self, table: Table, state: DisplayState, message: int, view: ScreenView) -> bool:
        """Edits the message to show this view. Returns whether the message certainly shows it, or never will."""
        edited = await self._parts.sender_of(table).edit(table, state, message, view)
        at = state.message(message)
        if edited == "full":
            at.too_many_edits += 1
            if at.too_many_edits < EDIT_TRIES:
                return False
        if edited == "later":
            return False
        if edited != "kept":
            log.info("table %s: message %s cannot be brought up to date (%s)", table.id, message, edited)
            return True
        at.too_many_edits = 0
        return at.shows(view.digest) and not at.edits_sent


def _wanted(table: Table) -> list[tuple[Kind, int, str]]:
    """The lasting messages of a table: kind, id, and an identifier of the content that the message should have.

    Those in the parent channel come first, because they outlive a thread that was deleted.
    """
    messages = table.body.messages
    wanted: list[tuple[Kind, int, str]] = []
    thread = table.body.thread
    if thread is not None and thread.starter is not None:
        wanted.append(("starter", thread.starter, digest(threads.host_name(table))))
    if thread is not None and thread.parent_result:
        wanted.append(("parent-result", thread.parent_result, _result_digest(table)))
    if table.state is not None:
        # In a group DM the board moves with each call, and nothing links to it.
        link = "begun" if table.in_group else f"board {messages.board}"
        if messages.lobby is not None:
            wanted.append(("lobby", messages.lobby, link))
        if messages.start is not None and messages.start != messages.board:
            wanted.append(("start", messages.start, link))
    if not table.live and messages.result is not None:
        wanted.append(("result", messages.result, _result_digest(table)))
    return wanted


def _result_digest(table: Table) -> str:
    """A digest of what may change on a result: the names, which people can have deleted, if it compares tables."""
    names = [(seat.name, seat.user_id is None) for seat in table.seats]
    if table.status == "abandoned":
        names.append(("", table.body.ended_by is None))
    if table.body.compared:
        names.append(("compared", True))
    return digest(repr(names))


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
        view = self._public.draw(table, lobbies.start_message).view()
        return await self._sender_of(table).post(table, state, f"start {table.body.starts}", view)
