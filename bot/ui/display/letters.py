"""Direct messages about a table, such as calls for people who wish to be called there.

People whom a digest tells of their turns are not called.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import Mapping, Sequence

import discord

from bot.gateway.errors import Brief
from bot.tables.messages import Letter
from bot.tables.model import Table
from bot.ui.call_choices import CallChoices
from bot.ui.display.state import Call, Calls, DisplayState
from bot.ui.interaction import UNDELIVERED, UNKNOWN_MESSAGE
from bot.ui.public_screens import PublicScreens
from bot.ui.screens.kit import ScreenView
from bot.ui.sender import nonce_of
from bot.ui.tokens import ringing

log = logging.getLogger(__name__)


class Letters:
    """Sends calls by direct message. `choices` says who wishes so."""

    def __init__(
        self,
        client: discord.Client,
        public: PublicScreens,
        choices: CallChoices,
    ) -> None:
        self._client = client
        self._public = public
        self._choices = choices

    async def call(
        self, table: Table, state: DisplayState, seats: Sequence[int], calls: Calls, name: str
    ) -> dict[int, Letter | None]:
        """Calls the people in these seats who wish no call at the table.

        Returns the letters by the people's ids, and None for people who need no call. All others are to be called at
        the table: those who wish so, and those who cannot be reached by direct message. `name` identifies the calls:
        for some minutes a second message under the same name makes no second letter. Raises `StoreError`.
        """
        reached = await asyncio.gather(
            *[self._reach(table, state, seat, calls[seat], name) for seat in seats]
        )
        return {
            table.seats[seat].user_id or 0: letter
            for seat, (done, letter) in zip(seats, reached, strict=True)
            if done
        }

    async def _reach(
        self, table: Table, state: DisplayState, seat: int, call: Call, name: str
    ) -> tuple[bool, Letter | None]:
        """Whether the person in this seat needs no call at the table, and the letter that calls them instead."""
        user = table.seats[seat].user_id or 0
        if not self._choices.by_dm(user):
            if self._choices.digest(user) is None:
                return False, None
            digest = await self._choices.digest_state(user)  # the cached state may not know yet of a refusal
            if digest is None or digest.refused:
                return False, None
            asked = table.body.asked.get(seat)
            if not call[1] or asked is None or asked.at <= digest.listed:
                return True, None
        tried, letter = state.letters.get(user, (None, None))
        if tried != call:
            view = self._view(table, seat)
            letter = await send_letter(self._client, table, user, view, name)
            state.letters[user] = call, letter
            if letter is not None:
                state.message(letter[1]).note_posted(view.digest)
        return letter is not None, letter

    async def update(self, table: Table, state: DisplayState, seat: int) -> None:
        """Edits the letter that calls this seat's person if it has a hand that is not the present one any more."""
        user = table.seats[seat].user_id or 0
        letter = table.body.messages.letters.get(user)
        if letter is None or not self._choices.with_hand(user):
            return
        channel, message = letter
        at, view = state.message(message), self._view(table, seat)
        if at.drawing is None or at.drawing == view.digest or at.edits_sent:
            return  # nothing is known of a letter from before a restart, and most of these are up to date
        partial = self._client.get_partial_messageable(channel).get_partial_message(message)
        try:
            with at.editing(view):
                await partial.edit(view=view, attachments=[], allowed_mentions=ringing(()))
        except UNDELIVERED as error:
            at.forget_drawing()
            log.info("table %s: a direct message could not be edited (%s)", table.id, Brief(error))

    def _view(self, table: Table, seat: int) -> ScreenView:
        user = table.seats[seat].user_id or 0
        locale = self._choices.language(user, table.body.locale)
        return self._public.letter(table, seat, locale, with_hand=self._choices.with_hand(user))


def note_letters(table: Table, letters: Mapping[int, Letter | None]) -> None:
    """Notes these people's letters at the table; None for a person without one any more."""
    for user, letter in letters.items():
        table.body.messages.letters.pop(user, None)
        sits = table.seat_of(user) is not None or table.has_left(user)
        if letter is not None and sits:  # not forgotten meanwhile
            table.body.messages.letters[user] = letter


async def send_letter(
    client: discord.Client, table: Table, user_id: int, view: ScreenView, name: str, *, silent: bool = False
) -> Letter | None:
    """Sends a person a direct message about a table; None if Discord has not accepted it.

    For some minutes a second message to the person under the same `name` makes no second letter, unless the first one
    was deleted.
    """
    try:
        channel = await client.create_dm(discord.Object(user_id))
        try:
            nonce = nonce_of(table, f"{name} to {user_id}")
            sent = await channel.send(view=view, nonce=nonce, silent=silent)
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            # The person was called to this decision before, and the call was withdrawn meanwhile.
            sent = await channel.send(view=view, nonce=secrets.token_hex(12), silent=silent)
    except UNDELIVERED as error:
        log.info("table %s: a direct message could not be sent (%s)", table.id, Brief(error))
        return None
    return channel.id, sent.id
