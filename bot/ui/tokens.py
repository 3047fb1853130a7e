"""The tokens of interactions, by which messages are edited, posted and deleted without counting towards the limit.

Discord accepts the first answer to an interaction once: it is tried again where it may not have arrived.

Discord limits how many requests a bot may make in a second. A request with the token of an interaction does not
count. A token is valid for 15 minutes. It edits and deletes the interaction's *original*, which is the message that
answered the interaction or the public message whose button was pressed, and every message posted through the token.

Tokens are secrets. They are held in memory only, and neither a log nor a `repr` shows them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import Any, Final, TypeVar

import aiohttp
import discord

from bot.ratelimit.limiter import counting_tries
from bot.ui.screens.kit import ScreenView
from bot.ui.uploads import Attachments, Uploads


class Token:
    """The token of one interaction. `original` is the id of the message that it edits; None if the id is not known."""

    __slots__ = ("_interaction", "_uploads", "original", "posts", "until")

    def __init__(
        self, interaction: discord.Interaction[Any], original: int | None, until: float, uploads: Uploads
    ) -> None:
        self._interaction = interaction
        self._uploads = uploads
        self.original = original
        self.until = until
        """When the token expires, in host time."""
        self.posts = 0
        """The number of messages that were posted through the token, or may have been."""

    @property
    def posts_are_found(self) -> bool:
        """Whether the bot may search the channel for messages posted there through this token."""
        return self._interaction.app_permissions.read_message_history

    @property
    def _channel(self) -> int:
        return self._interaction.channel_id or 0

    @property
    def in_thread(self) -> bool:
        """Whether the token posts in a thread."""
        return isinstance(self._interaction.channel, discord.Thread)

    def prepare(self, view: ScreenView) -> ScreenView:
        """The view of a private message, without its pictures while they pause in the token's channel."""
        view.private = True
        return self._uploads.prepare(self._channel, view)

    def __repr__(self) -> str:
        return f"<Token of interaction {self._interaction.id}>"

    async def edit(
        self,
        message: int | None,
        view: ScreenView,
        mentions: discord.AllowedMentions | None = None,
        *,
        held: Attachments | None = None,
    ) -> Attachments:
        """Edits a message that belongs to this token; None is the original. The message mentions nobody but `mentions`.

        `held` are the message's present files, if they are known. Returns its new files.
        """
        # The client's default does not apply to an edit without text.
        mentions = mentions or ringing(())

        async def send(attachments: list[Any]) -> discord.Message:
            if message is None or message == self.original:
                return await self._interaction.edit_original_response(
                    view=view, attachments=attachments, allowed_mentions=mentions
                )
            return await self._interaction.followup.edit_message(
                message, view=view, attachments=attachments, allowed_mentions=mentions
            )

        return (await self._uploads.send(self._channel, view, send, held=held)).attachments

    async def delete(self, message: int | None) -> None:
        """Deletes a message that belongs to this token; None is the original."""
        if message is None or message == self.original:
            await self._interaction.delete_original_response()
        else:
            await self._interaction.followup.delete_message(message)

    async def post(self, view: ScreenView, mentions: discord.AllowedMentions) -> discord.Message:
        """Posts a public message."""
        self.posts += 1
        send = self._interaction.followup.send
        return await self._uploads.send(
            self._channel,
            view,
            lambda files: send(view=view, files=files, allowed_mentions=mentions, wait=True),
        )


def ringing(people: Sequence[int]) -> discord.AllowedMentions:
    """The mentions of a message that notifies these people and nobody else."""
    mentions = discord.AllowedMentions.none()
    mentions.users = [discord.Object(user_id) for user_id in people]
    return mentions


T = TypeVar("T")

ALREADY_ANSWERED: Final = 40060
"""Discord's error code for an interaction that has already been answered."""


async def twice(send: Callable[[], Awaitable[T]]) -> T:
    """Makes a request; if its connection drops, once more."""
    try:
        return await send()
    except (aiohttp.ClientError, OSError):
        return await send()


class FirstAnswer:
    """The first answer to one interaction, or its deferral."""

    def __init__(self) -> None:
        self.at: float | None = None
        """When Discord accepted it, on the event loop's clock."""
        self.beaten = False
        """Whether another process or bot had already answered at this process's first try."""
        self._may_have_arrived = False
        """Whether a try failed, or was given up, in a way that leaves open whether it arrived."""

    async def send(self, send: Callable[[], Awaitable[T]]) -> T | None:
        """Sends the answer; if the connection drops, once more.

        Returns None if an earlier try turns out to have arrived. Raises the errors of `send`.
        """
        with counting_tries() as tries:  # discord.py tries again by itself after an error of Discord's
            try:
                answer = await twice(partial(self._try, send))
            except discord.HTTPException as error:
                if error.code != ALREADY_ANSWERED:
                    raise
                if not self._may_have_arrived and tries.made <= 1:
                    self.beaten = True
                    raise
                answer = None
        self.note_accepted()
        return answer

    async def _try(self, send: Callable[[], Awaitable[T]]) -> T:
        try:
            return await send()
        except discord.HTTPException as error:
            self._may_have_arrived |= error.status >= 500
            raise
        except (aiohttp.ClientError, OSError, asyncio.CancelledError):
            self._may_have_arrived = True
            raise

    def note_accepted(self) -> None:
        """Notes that Discord has accepted the answer."""
        if self.at is None:
            self.at = asyncio.get_running_loop().time()
