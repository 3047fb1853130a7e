"""The tokens of interactions, by which messages are edited, posted and deleted without counting towards the limit.

Discord limits how many requests a bot may make in a second. What is done through the token of an interaction does not
count. A token lives for 15 minutes. It edits and deletes the interaction's *original*, which is the message that
answered it or the public message whose button was pressed, and everything that was posted through it.

Tokens are secrets. They are kept in memory only, and neither a log nor a `repr` shows them.
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from typing import Any, Final

import discord

from bot.clock import Clock
from bot.ui.pictures import Attachments, with_emoji, with_pictures
from bot.ui.screens.kit import Drawn

TOKEN_LIVES: Final = 14 * 60
"""Seconds for which a token is used. Discord accepts it for 15 minutes."""
AWAITED: Final = 1.0
"""Seconds, by the event loop's clock, for which a table's messages wait for the answer to a press.

The answer usually draws some of them itself, and once it is delivered its token can edit the others.
"""


class Token:
    """The token of one interaction. `original` is the id of the message that it edits; None if that is not known."""

    __slots__ = ("_interaction", "original", "until")

    def __init__(self, interaction: discord.Interaction[Any], original: int | None, until: float) -> None:
        self._interaction = interaction
        self.original = original
        self.until = until
        """The time on the host's clock from which on it is no longer used."""

    @property
    def posts_are_found(self) -> bool:
        """Whether the bot may search the channel for what was posted there through this token."""
        return self._interaction.app_permissions.read_message_history

    def __repr__(self) -> str:
        return f"<Token of interaction {self._interaction.id}>"

    async def edit(
        self,
        message: int | None,
        view: Drawn,
        mentions: discord.AllowedMentions | None = None,
        *,
        held: Attachments | None = None,
    ) -> Attachments:
        """Edits a message that belongs to this token; None is the original. It mentions nobody but `mentions`.

        `held` are the files that it has, if that is known. Returns the files that it has then.
        """
        # The client's default does not apply to an edit without text.
        mentions = mentions or ringing(())

        async def send(attachments: Any) -> discord.Message:
            if message is None or message == self.original:
                return await self._interaction.edit_original_response(
                    view=view, attachments=attachments, allowed_mentions=mentions
                )
            return await self._interaction.followup.edit_message(
                message, view=view, attachments=attachments, allowed_mentions=mentions
            )

        return (await with_pictures(send, view, held)).attachments

    async def delete(self, message: int | None) -> None:
        """Deletes a message that belongs to this token; None is the original."""
        if message is None or message == self.original:
            await self._interaction.delete_original_response()
        else:
            await self._interaction.followup.delete_message(message)

    async def post(self, view: Drawn, mentions: discord.AllowedMentions) -> discord.Message:
        """Posts a message that the whole channel sees."""
        send = self._interaction.followup.send
        return await with_emoji(lambda: send(view=view, allowed_mentions=mentions, wait=True), view)


class Tokens:
    """The living tokens, by what can be done with them."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._of_message: dict[int, Token] = {}
        """The newest token that edits and deletes this message."""
        self._of_table: dict[int, Token] = {}
        """The newest token by which messages can be posted in the table's channel."""
        self._answering: dict[int, list[float]] = {}
        """By table: since when its presses are being answered that have no answer yet."""

    # -- gaining and losing them

    def gained(self, table_id: int, token: Token, *, public: bool) -> None:
        """Notes the token of an interaction that has been answered. `public` says that all can see its original."""
        self._of_table[table_id] = token
        if public and token.original is not None:
            self._of_message[token.original] = token

    def posted(self, message: int, token: Token) -> None:
        """Notes that this message was posted through this token."""
        self._of_message[message] = token

    def opened(self, table_id: int, message: int, token: Token | None) -> None:
        """Notes that the answer to this interaction has opened a table, with this message as its lobby."""
        if token is not None:
            self._of_table[table_id] = token
            self._of_message[message] = token

    def lost(self, token: Token) -> None:
        """Uses this token no more, because Discord has not accepted it."""
        for known in (self._of_message, self._of_table):
            for key in [key for key, each in known.items() if each is token]:
                del known[key]

    def forget(self, table_id: int, messages: Iterable[int]) -> None:
        """Forgets the tokens of a table that is over."""
        self._of_table.pop(table_id, None)
        for message in messages:
            self._of_message.pop(message, None)

    def keep_only(self, tables: Collection[int], messages: Collection[int]) -> None:
        """Forgets the tokens of all other tables and messages, because another process edits them."""
        self._of_table = {table: token for table, token in self._of_table.items() if table in tables}
        self._of_message = {
            message: token for message, token in self._of_message.items() if message in messages
        }

    def sweep(self) -> None:
        """Forgets the tokens that have died."""
        now = self._clock.now()
        for known in (self._of_message, self._of_table):
            for key in [key for key, token in known.items() if token.until <= now]:
                del known[key]

    # -- which to use

    def of_message(self, message: int) -> Token | None:
        """A living token by which this message can be edited and deleted."""
        return self._living(self._of_message.get(message))

    def of_table(self, table_id: int) -> Token | None:
        """A living token by which a message can be posted in the table's channel."""
        return self._living(self._of_table.get(table_id))

    def _living(self, token: Token | None) -> Token | None:
        return token if token is not None and token.until > self._clock.now() else None

    # -- presses that are being answered

    @contextmanager
    def answering(self, table_id: int) -> Generator[None]:
        """The context in which a press at this table is answered, which will gain a token."""
        if not table_id:
            yield
            return
        began = asyncio.get_running_loop().time()
        under_way = self._answering.setdefault(table_id, [])
        under_way.append(began)
        try:
            yield
        finally:
            under_way.remove(began)
            if not under_way:
                self._answering.pop(table_id, None)

    def awaited(self, table_id: int) -> bool:
        """Whether a press at this table has only just come and is being answered."""
        began = self._answering.get(table_id, ())
        return bool(began) and max(began) > asyncio.get_running_loop().time() - AWAITED


def ringing(people: Sequence[int]) -> discord.AllowedMentions:
    """Lets a message mention these people and nobody else."""
    mentions = discord.AllowedMentions.none()
    mentions.users = [discord.Object(user_id) for user_id in people]
    return mentions
