"""Calls by direct message, for people who wish to be called there."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence

import discord

from bot.gateway.errors import Brief
from bot.tables.model import Table
from bot.ui.call_choices import CallChoices
from bot.ui.interaction import UNDELIVERED
from bot.ui.public_screens import PublicScreens
from bot.ui.sender import nonce_of

log = logging.getLogger(__name__)


class Letters:
    """Sends calls by direct message. `choices` says who wishes so."""

    def __init__(self, client: discord.Client, public: PublicScreens, choices: CallChoices) -> None:
        self._client = client
        self._public = public
        self._choices = choices

    async def call(self, table: Table, seats: Sequence[int], name: str) -> set[int]:
        """Calls the people in these seats who wish a direct message; returns the seats that were reached.

        `name` identifies the call: for some minutes a second message under the same name makes no second letter. A
        person who cannot be reached so is to be called at the table.
        """
        wishing = [seat for seat in seats if self._choices.by_dm(table.seats[seat].user_id or 0)]
        reached = await asyncio.gather(*[self._send(table, seat, name) for seat in wishing])
        return {seat for seat, sent in zip(wishing, reached, strict=True) if sent}

    async def _send(self, table: Table, seat: int, name: str) -> bool:
        user_id = table.seats[seat].user_id
        assert user_id is not None
        try:
            channel = await self._client.create_dm(discord.Object(user_id))
            await channel.send(
                view=self._public.letter(table, seat), nonce=nonce_of(table, f"{name} for seat {seat}")
            )
        except UNDELIVERED as error:
            log.info("table %s: a call could not be sent by direct message (%s)", table.id, Brief(error))
            return False
        return True
