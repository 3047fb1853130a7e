"""The announcement: the message that calls the players with an open or an upcoming decision."""

from __future__ import annotations

import asyncio
import math
from collections.abc import Iterable, Mapping, Sequence

import discord

from bot.gateway.errors import is_transient
from bot.tables.messages import Letter
from bot.tables.model import Table
from bot.ui.display.letters import note_letters
from bot.ui.display.parts import Parts
from bot.ui.display.state import Calls, DisplayState, calls_of, gist, name_of


class Announcements:
    """Posts announcements, brings them up to date, and replaces them when somebody else is to be called."""

    def __init__(self, parts: Parts) -> None:
        self._tables = parts.tables
        self._public = parts.public
        self._private = parts.private
        self._sender = parts.sender
        self._letters = parts.letters
        self._choices = parts.calls
        self._now = parts.now

    async def call(self, table: Table, state: DisplayState) -> Table:
        """Mentions every player with a decision who has not been mentioned yet, and notes the present announcement."""
        if table.state is None:
            return table
        table, calls = await self.due(table, state)
        messages = table.body.messages
        fresh = [seat for seat, call in calls.items() if messages.called.get(seat) != call]
        name = name_of(table, calls) if fresh else ""
        if messages.calling and state.doubtful:
            return table  # the channel could not be searched for the noted call; the redraw is tried again
        if messages.calling not in ("", name):
            # The table may have changed meanwhile, so that others are to be called, or nobody.
            return await self.call(await self._take_back(table, state), state)
        if not fresh and (calls or messages.announcement is None):
            return await self._update(table, state, calls)
        return await self._replace(table, state, calls, fresh, name)

    async def due(self, table: Table, state: DisplayState) -> tuple[Table, Calls]:
        """The calls that are due now, with those that were made before, and the table with its notes of letters.

        Deletes the letters of people who are not called any more, and brings the others up to date.
        """
        calls = await self._due(table, state)
        tended = await self._tend_letters(table, state, calls)
        # While letters were deleted, the table may have changed.
        return tended, calls if tended is table else await self._due(tended, state)

    async def _due(self, table: Table, state: DisplayState) -> Calls:
        return self._without_quiet(table, state, await self._unread(table, state))

    async def _unread(self, table: Table, state: DisplayState) -> Calls:
        """The calls, in quiet hours too.

        A player who has just pressed something is left out, and called later if need be.
        """
        calls, called = self._reminded(table, state), table.body.messages.called
        # A seat with an upcoming decision is called in any case, so that a call does not reveal whether somebody has
        # just pressed.
        asked = table.body.asked
        fresh = [s for s, call in calls.items() if s in asked and called.get(s) != call and not call[1]]
        if not fresh or state.following is None or not self._private.any_of(table.id):
            return calls
        # Only a screen that can be edited shows its owner the open decision.
        await asyncio.wait({state.following})
        for seat in fresh:
            until = self._private.present_until(table, seat)
            if until is not None:
                state.check(until)
                del calls[seat]
        return calls

    def _reminded(self, table: Table, state: DisplayState) -> Calls:
        """The calls with as many reminders as each person wishes. They change no limit."""
        calls = calls_of(table)
        for seat, (since, _reminders) in calls.items():
            user, asked = table.seats[seat].user_id or 0, table.body.asked.get(seat)
            every = self._choices.reminders(user)
            if every is None or asked is None or self._choices.digest(user) is not None:
                continue  # one reminder late in the turn; a digest tells of the turn anyway
            reminders = 0
            if not math.isinf(every):
                begun = asked.at + self._tables.time.downtime
                reminders = max(0, int((self._now() - begun) // every))
                state.check(begun + (reminders + 1) * every)
            before = table.body.messages.called.get(seat, (since, 0))
            calls[seat] = since, max(reminders, before[1] if before[0] == since else 0)
        return calls

    def _without_quiet(self, table: Table, state: DisplayState, calls: Calls) -> Calls:
        called, due = table.body.messages.called, Calls()
        for seat, call in calls.items():
            until = self._choices.quiet_until(table.seats[seat].user_id or 0, self._now())
            if until is None or called.get(seat) == call:
                due[seat] = call
                continue
            state.check(until)
            if seat in called and called[seat][0] == call[0]:
                due[seat] = called[seat]  # the reminder waits, and the call before it stays
        return due

    async def _tend_letters(self, table: Table, state: DisplayState, calls: Calls) -> Table:
        """Deletes the letters of people who are not called any more, and brings the others up to date."""
        letters = table.body.messages.letters
        if not letters:
            return table
        called = {table.seats[seat].user_id: seat for seat in calls}
        for seat in [seat for user, seat in called.items() if user in letters]:
            until = self._private.present_until(table, seat)
            if until is None:
                await self._letters.update(table, state, seat)
            else:
                state.check(until)  # the person plays, and reads their screen
        ended = [user for user in letters if user not in called]
        if not ended:
            return table
        await self._delete_letters(table, state, ended)
        async with self._tables.change(table.id) as draft:
            for user in ended:
                draft.table.body.messages.letters.pop(user, None)
            draft.touched = True
        return draft.table

    async def _delete_letters(self, table: Table, state: DisplayState, users: Iterable[int]) -> None:
        letters = table.body.messages.letters
        for user, letter in [(user, letters[user]) for user in users if user in letters]:
            channel, message = letter
            await self._sender.delete_in(channel, message)
            state.forget_message(message)
            if state.letters.get(user, (None, None))[1] == letter:
                del state.letters[user]  # the person may be called to the same decision once more

    async def write_letters(
        self, table: Table, state: DisplayState, calls: Calls, fresh: Sequence[int], name: str
    ) -> tuple[dict[int, Letter | None], list[int]]:
        """Replaces the letters to the people in the `fresh` seats, as far as they wish letters and can be reached.

        Returns their letters, None for people without one, and the people who are to be called at the table.
        """
        people = [table.seats[seat].user_id or 0 for seat in fresh]
        await self._delete_letters(table, state, people)
        reached = await self._letters.call(table, state, fresh, calls, name)
        return {user: reached.get(user) for user in people}, [user for user in people if user not in reached]

    async def _replace(
        self, table: Table, state: DisplayState, calls: Calls, fresh: Sequence[int], name: str
    ) -> Table:
        """Deletes the old announcement, and posts a new one that mentions the people in the `fresh` seats."""
        old = table.body.messages.announcement
        deleted = old is None or await self._sender.delete(table, state, old)
        new: int | None = None
        letters: dict[int, Letter | None] = {}
        if calls:
            await self._note_calling(table, name)
            letters, people = await self.write_letters(table, state, calls, fresh, name)
            view = self._public.announcement(table, calls)
            try:
                new = await self._sender.announce(table, state, name, view, people)
            except discord.HTTPException as error:
                if not is_transient(error):
                    await self._note_refused(table, calls, letters)
                raise
            state.message(new).gist = gist(table, calls)
            if not deleted and old is not None:
                # The new announcement has opened the archived thread.
                await self._sender.delete(table, state, old)
        async with self._tables.change(table.id) as draft:
            messages = draft.table.body.messages
            messages.announcement, messages.called, messages.calling = new, calls, ""
            note_letters(draft.table, letters)
            draft.touched = True
        return draft.table

    async def _note_refused(self, table: Table, calls: Calls, letters: Mapping[int, Letter | None]) -> None:
        """Notes that no announcement was posted, and the calls that were made by letter all the same."""
        async with self._tables.change(table.id) as draft:
            messages = draft.table.body.messages
            messages.calling = ""
            written = [seat for seat in calls if letters.get(table.seats[seat].user_id or 0) is not None]
            messages.called = messages.called | {seat: calls[seat] for seat in written}
            note_letters(draft.table, letters)
            draft.touched = True

    async def _note_calling(self, table: Table, name: str) -> None:
        """Notes durably that an announcement is about to be posted under this name; "": that none is.

        After a crash, the note says that an unnoted announcement with these calls may be in the channel.
        """
        async with self._tables.change(table.id) as draft:
            if draft.table.body.messages.calling != name:
                draft.table.body.messages.calling = name
                draft.touched = True

    async def _take_back(self, table: Table, state: DisplayState) -> Table:
        """Deletes the noted announcement, which may have been posted and is not due, and the note.

        In a channel that can be searched, `Recovery.find` has already found the announcement if it exists.
        """
        if state.unsearchable:
            await self._sender.take_back(table, state, table.body.messages.calling)
        await self._note_calling(table, "")
        return await self._tables.get(table.id)

    async def _update(self, table: Table, state: DisplayState, calls: Calls) -> Table:
        announcement = table.body.messages.announcement
        if not calls or announcement is None:
            return table
        # An edit notifies nobody, so a call requires a new message.
        view, says = self._public.announcement(table, calls), gist(table, calls)
        names = [table.seats[seat].user_id or 0 for seat in calls]
        at = state.message(announcement)
        matters = at.gist != says or state.urgent_since is not None
        edited = await self._sender.edit(table, state, announcement, view, names=names, may_count=matters)
        if edited == "kept":
            at.gist = says
        if edited in ("kept", "later"):
            return table
        async with self._tables.change(table.id) as draft:  # somebody has deleted the message, so it was seen
            draft.table.body.messages.announcement = None
            draft.touched = True
        return draft.table
