"""Posts, edits and deletes the messages of tables in group DMs, by the tokens of interactions alone.

The bot is no member of a group DM, so Discord accepts none of its other requests there. A request for which there is no
token waits for the next press in the group.

Nothing protects these posts from being made twice. Discord takes a nonce with a message of the bot's own
(`MessageCreateRequest` in Discord's OpenAPI document), but none with a follow-up (`IncomingWebhookRequestPartial`) or
with the answer to an interaction (`CreateMessageInteractionCallbackRequest`), and the bot may not search the group. If
the response to a post is lost, the repeated post is a second message. The first press on a message that the table does
not know deletes it (`bot.ui.display.recovery`).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import discord

from bot.gateway.errors import is_transient
from bot.tables.model import Table
from bot.ui.display.left_behind import LeftBehind
from bot.ui.display.state import DisplayState
from bot.ui.interaction import UNDELIVERED, UNKNOWN_MESSAGE
from bot.ui.screens.kit import ScreenView
from bot.ui.sender import Edited, Sender
from bot.ui.tokens import Token
from bot.ui.uploads import Attachments

POSTS_IN_GROUP: Final = 4
"""The number of messages that a table in a group DM posts through the token of one interaction. Discord accepts 5
there, and the interaction's own answer may be one of them."""


class NoToken(Exception):
    """There is no token by which a message can be posted in a group DM."""


class TokenSender(Sender):
    """A sender that makes no request but those through tokens."""

    def posting_token(self, state: DisplayState) -> Token | None:
        """The token that posts the table's next message; None if there is none."""
        token = state.posting_token(self._clock.now())
        return token if token is not None and token.posts < POSTS_IN_GROUP else None

    async def post(
        self,
        table: Table,
        state: DisplayState,
        what: str,
        view: ScreenView,
        *,
        ring: Sequence[int] = (),
        channel: int | None = None,
    ) -> int:
        """As `Sender.post`, without its protection from second messages. Raises `NoToken`."""
        token = self.posting_token(state)
        if token is None:
            raise NoToken
        try:
            return await self._post_by_token(token, state, view, ring)
        except UNDELIVERED as error:
            if is_transient(error):
                raise
            state.lose(token)
            raise NoToken from None

    async def edit(
        self,
        table: Table,
        state: DisplayState,
        message: int,
        view: ScreenView,
        *,
        names: Sequence[int] = (),
        may_count: bool = True,
    ) -> Edited:
        """As `Sender.edit`, but "later" also means that Discord has refused the token."""
        try:
            edited = await super().edit(table, state, message, view, names=names, may_count=False)
        except discord.HTTPException as error:
            if is_transient(error):
                raise
            edited = "later"
        state.waits = state.waits or edited == "later"
        return edited

    async def _edit(
        self,
        table: Table,
        state: DisplayState,
        message: int,
        view: ScreenView,
        mentions: discord.AllowedMentions,
    ) -> Attachments:
        token = state.token_of(message, self._clock.now())
        assert token is not None  # as `edit` has just found
        try:
            return await token.edit(message, view, mentions, held=state.message(message).attachments)
        except UNDELIVERED as error:
            gone = isinstance(error, discord.HTTPException) and error.code == UNKNOWN_MESSAGE
            if not (gone or is_transient(error)):
                state.lose(token)
            raise

    async def delete(self, table: Table, state: DisplayState, message: int) -> bool:
        """Deletes the message if there is a token for it. If not, it stays, until somebody presses it."""
        await self._delete_by_token(state, message)
        state.forget_message(message)
        return True

    async def left_behind(self, table: Table, state: DisplayState) -> list[LeftBehind]:
        """None: the bot may not read the channel."""
        return []

    def _channel(self, table: Table, channel: int | None = None) -> discord.PartialMessageable:
        raise AssertionError("a request to a group DM without a token")
