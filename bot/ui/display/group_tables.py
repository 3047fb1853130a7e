"""The table messages of tables in group DMs. A board there also calls the players.

Only tokens post and edit there, and a message can be deleted only soon after it was posted or pressed. A call is
therefore no message of its own: the board is posted anew with it, at the bottom, and the board before it is deleted.
Calls and redraws that are due while there is no token wait for the next press.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from bot.tables.messages import Letter
from bot.tables.model import Table
from bot.ui.display.announcement import Announcements
from bot.ui.display.letters import note_letters
from bot.ui.display.parts import Parts, note_place, place_of
from bot.ui.display.state import Calls, DisplayState, name_of
from bot.ui.interaction import UNDELIVERED
from bot.ui.sender import Edited
from bot.ui.token_sender import NoToken


class GroupTables:
    """Draws lobbies and boards in group DMs, and calls the players."""

    def __init__(self, parts: Parts, announcements: Announcements) -> None:
        self._parts = parts
        self._tables = parts.tables
        self._sender = parts.by_token
        self._announcements = announcements

    async def draw(self, table: Table, state: DisplayState) -> Table:
        """Brings the table message up to date, or posts it anew if somebody is to be called or it cannot be edited.

        Raises `NoToken` if there is no table message and none can be posted.
        """
        table, calls, letters, people = await self._calls(table, state)
        here = [seat for seat in calls if table.seats[seat].user_id in people]
        may_post = self._sender.posting_token(state) is not None
        if here and not may_post:
            state.waits = True
            calls, here = {seat: call for seat, call in calls.items() if seat not in here}, []
        screen, complete = await self._parts.public.table(table, calls)
        if not complete:
            self._parts.wait_for_picture(state)
        old, view = place_of(table), screen.view()
        if old is not None and not here:
            # An edit notifies nobody: the message goes on mentioning these people.
            edited = await self._sender.edit(table, state, old, view, names=_people(table, calls))
            if self._stays(table, state, edited, may_post=may_post):
                return await self._note(table, old, old, calls, letters)
        if not table.live and old is None:
            return table  # the lobby was closed before it had a message
        try:
            new = await self._sender.post(table, state, "table", view, ring=_people(table, here))
        except (NoToken, *UNDELIVERED):  # the letters have arrived; the next post calls the people here
            made = {seat: call for seat, call in calls.items() if seat not in here}
            await self._note(table, old, old, made, letters)
            raise
        return await self._note(table, old, new, calls, letters)

    async def _calls(
        self, table: Table, state: DisplayState
    ) -> tuple[Table, Calls, dict[int, Letter | None], list[int]]:
        if table.state is None:
            return table, {}, {}, []
        table, calls = await self._announcements.due(table, state)
        fresh = [seat for seat, call in calls.items() if table.body.messages.called.get(seat) != call]
        if not fresh:
            return table, calls, {}, []
        name = name_of(table, calls)
        return table, calls, *await self._announcements.write_letters(table, state, calls, fresh, name)

    def _stays(self, table: Table, state: DisplayState, edited: Edited, *, may_post: bool) -> bool:
        """Whether the table message stays after this outcome of an edit. If not, it is to be posted anew.

        After the end a board stays as it is, until somebody presses it. So does a lobby: people join by pressing it.
        """
        if edited == "kept" or not table.live or (edited == "later" and table.state is None):
            return True
        if may_post:
            return False
        state.waits = True
        return True

    async def placed(self, table: Table, message: int) -> None:
        """Notes that the answer to a command has posted the table message anew."""
        await self._note(table, place_of(table), message, None, {})

    async def _note(
        self,
        table: Table,
        old: int | None,
        new: int | None,
        calls: Calls | None,
        letters: Mapping[int, Letter | None],
    ) -> Table:
        """Notes the table message, the calls that were made, and their letters.

        Retires the message if there is another one meanwhile. The start message stays, so that everybody can compare
        its id. `calls` is None if the message was not posted by a redraw: the table is then drawn once more.
        """
        if new == old and calls == table.body.messages.called:
            return table
        async with self._tables.change(table.id) as draft:
            messages = draft.table.body.messages
            begun = (draft.table.state is None) != (table.state is None)
            if new is None or new == old:
                pass
            elif begun or place_of(draft.table) != old:
                messages.retired.append(new)
            else:
                note_place(messages, new, begun=table.state is not None)
                if old is not None and old != messages.start:
                    messages.retired.append(old)
            note_letters(draft.table, letters)
            draft.touched = True
            if calls is None:
                draft.touch()
            elif not begun:
                messages.called = calls
        return draft.table


def _people(table: Table, seats: Iterable[int]) -> list[int]:
    return [table.seats[seat].user_id or 0 for seat in seats]
