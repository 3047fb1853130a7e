"""Digests: one direct message every few hours that lists the matches in which it is a person's turn.

A digest takes the place of the one before. Several processes may try to send the same digest: the state in the store
decides (`CallChoices.move`). A process that claims a digest makes it due again a little later, in case it dies before
the digest is sent; the second try has the same nonce.
"""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Mapping
from contextlib import suppress
from hashlib import blake2b
from typing import Final

import discord

from bot.gateway.errors import Brief, is_transient
from bot.language import speaking
from bot.people.own_matches.screens import Shown, own_matches
from bot.store.model import StoreError
from bot.tables.calling import Digest, DigestState
from bot.tables.draft import Draft
from bot.tables.model import HOUR, MINUTE
from bot.tables.own_tables import ListedTable, own_tables
from bot.tables.refusals import Refused
from bot.tables.service import Tables
from bot.ui.call_choices import DIGEST, CallChoices
from bot.ui.interaction import UNDELIVERED
from bot.ui.screens.game_screens import AnyScreens

log = logging.getLogger(__name__)
_AGAIN: Final = MINUTE
"""Seconds after which a digest is tried again that may not have been sent. Discord knows its nonce for longer."""
_AT_ONCE: Final = 10
"""The number of digests that are sent at the same time."""


class Digests:
    """Sends the digests that are due, and hands the calls back of people who no longer get one."""

    def __init__(
        self,
        client: discord.Client,
        tables: Tables,
        screens: Mapping[str, AnyScreens],
        choices: CallChoices,
    ) -> None:
        self._client = client
        self._tables = tables
        self._screens = screens
        self._choices = choices

    def due(self, now: float) -> list[tuple[int, DigestState]]:
        """The digests with work to do now, by person."""
        found: list[tuple[int, DigestState]] = []
        for user, state in self._choices.digest_states():
            ended = self._choices.digest(user) is None or (state.refused and state.slot)
            if ended or (state.due <= now and self._choices.quiet_until(user, now) is None):
                found.append((user, state))
        return found

    async def send_due(self, now: float) -> None:
        """Sends the digests that are due. Raises `StoreError`."""
        due = self.due(now)
        for first in range(0, len(due), _AT_ONCE):
            some = due[first : first + _AT_ONCE]
            await asyncio.gather(*[self._try(user, state, now) for user, state in some])

    async def _try(self, user: int, state: DigestState, now: float) -> None:
        """Does the work for one person, whose failure does not hold up others. Raises `StoreError`."""
        try:
            await self._work(user, state, now)
        except StoreError:
            raise
        except Exception:
            log.exception("a digest could not be sent")

    async def _work(self, user: int, state: DigestState, now: float) -> None:
        digest = self._choices.digest(user)
        if digest is None:
            await self._end(user, state)
        elif state.refused:
            await self._hand_back(user, state)
            await self._choices.move(user, DIGEST, state, state._replace(slot=0.0))
        else:
            claimed = state._replace(due=now + _AGAIN)
            if await self._choices.move(user, DIGEST, state, claimed):
                await self._send(user, digest, claimed, now)

    async def _send(self, user: int, digest: Digest, claimed: DigestState, now: float) -> None:
        """Sends a digest that this process has claimed. Sends nothing, and deletes the last one, if no match waits."""
        following = now + digest.hours * HOUR
        waiting = await self._waiting(user)
        try:
            channel = await self._client.create_dm(discord.Object(user))
            message = await self._post(channel, user, digest, claimed, waiting) if waiting else 0
            if claimed.message not in (0, message):
                await _delete(channel, claimed.message)
        except UNDELIVERED as error:
            log.info("a digest could not be sent (%s)", Brief(error))
            if is_transient(error):
                return  # tried again
            new = DigestState(math.inf, claimed.slot, claimed.listed)
        else:
            listed = now - self._tables.time.downtime if waiting else claimed.listed
            new = DigestState(following, following, listed, message)
        if await self._choices.move(user, DIGEST, claimed, new) and new.refused:
            await self._work(user, new, now)

    async def _post(
        self,
        channel: discord.DMChannel,
        user: int,
        digest: Digest,
        claimed: DigestState,
        waiting: list[ListedTable],
    ) -> int:
        with speaking(self._choices.language(user, digest.locale)):
            shown = Shown(self._tables.utc, self._tables.time.shown_later, in_server=False)
            view = own_matches(waiting, self._screens, shown, 0).view()
        nonce = blake2b(f"digest {user} {claimed.slot!r}".encode(), digest_size=12).hexdigest()
        return (await channel.send(view=view, nonce=nonce)).id

    async def _waiting(self, user: int) -> list[ListedTable]:
        """The matches in which it is the person's turn, as `/games mine` lists them."""
        found = await own_tables(self._tables, user)
        return [one for one in found if one.waits and one.table.game.key in self._screens]

    async def _end(self, user: int, state: DigestState) -> None:
        await self._hand_back(user, state)
        if state.message:
            with suppress(*UNDELIVERED):
                await _delete(await self._client.create_dm(discord.Object(user)), state.message)
        await self._choices.move(user, DIGEST, state, None)

    async def _hand_back(self, user: int, state: DigestState) -> None:
        """Has the person called for the turns of which no digest has told."""

        for one in await self._waiting(user):
            if one.since > state.listed:
                with suppress(Refused):  # the match has just ended
                    await self._tables.apply(one.table.id, lambda draft: _call_again(draft, user))


def _call_again(draft: Draft, user: int) -> None:
    seat = draft.table.seat_of(user)
    if seat is not None and draft.table.body.messages.called.pop(seat, None) is not None:
        draft.touch()


async def _delete(channel: discord.DMChannel, message: int) -> None:
    with suppress(discord.NotFound):
        await channel.get_partial_message(message).delete()
