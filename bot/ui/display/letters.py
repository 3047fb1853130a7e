"""Direct messages about a table, such as calls for people who wish to be called there.

People whom a digest tells of their turns are not called.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

import discord

from bot.gateway.errors import Brief
from bot.tables.model import Table
from bot.ui.call_choices import CallChoices
from bot.ui.display.calls import Call, Calls
from bot.ui.interaction import UNDELIVERED
from bot.ui.public_screens import PublicScreens
from bot.ui.screens.kit import ScreenView
from bot.ui.sender import nonce_of

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

    async def call(self, table: Table, seats: Sequence[int], calls: Calls, name: str) -> set[int]:
        """Calls the people in these seats who wish no call at the table; returns the seats that need none there.

        `name` identifies the calls: for some minutes a second message under the same name makes no second letter. A
        person who cannot be reached by direct message is to be called at the table. Raises `StoreError`.
        """
        reached = await asyncio.gather(*[self._reach(table, seat, calls[seat], name) for seat in seats])
        return {seat for seat, done in zip(seats, reached, strict=True) if done}

    async def _reach(self, table: Table, seat: int, call: Call, name: str) -> bool:
        """Whether the person in this seat is called by direct message, or a digest tells of the turn."""
        user = table.seats[seat].user_id or 0
        if self._choices.by_dm(user):
            return await self._send(table, seat, name)
        if self._choices.digest(user) is None:
            return False
        state = await self._choices.digest_state(user)  # the cached state may not know yet of a refusal
        if state is None or state.refused:
            return False
        asked = table.body.asked.get(seat)
        if not call[1] or asked is None:
            return True
        return asked.at <= state.listed or await self._send(table, seat, name)

    async def _send(self, table: Table, seat: int, name: str) -> bool:
        user_id = table.seats[seat].user_id
        assert user_id is not None
        view = self._public.letter(table, seat)
        return await send_letter(self._client, table, user_id, view, f"{name} for seat {seat}")


async def send_letter(
    client: discord.Client, table: Table, user_id: int, view: ScreenView, name: str, *, silent: bool = False
) -> bool:
    """Sends a person a direct message about a table; returns whether Discord accepted it.

    For some minutes a second message under the same `name` makes no second letter.
    """
    try:
        channel = await client.create_dm(discord.Object(user_id))
        await channel.send(view=view, nonce=nonce_of(table, name), silent=silent)
    except UNDELIVERED as error:
        log.info("table %s: a direct message could not be sent (%s)", table.id, Brief(error))
        return False
    return True
