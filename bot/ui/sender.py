"""Posts, edits and deletes the messages of tables in their channels.

Requests use the token of an interaction (`bot.ui.tokens`) where they can, because such requests do not count towards
the limit on the bot's requests. All other requests, and those that Discord refuses for a token, use the bot's own.

Each message is posted only once, even if a crash or an outage left it uncertain whether it was posted.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Awaitable, Coroutine, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final, Literal, cast

import discord

from bot.clock import Clock
from bot.gateway.errors import MISSING_ACCESS, MISSING_PERMISSIONS, Brief, is_transient
from bot.ratelimit.limiter import counting_tries
from bot.tables.model import DAY, MINUTE, Table
from bot.ui.display.left_behind import LeftBehind, read_left_behind
from bot.ui.display.state import ANNOUNCEMENT, DisplayState
from bot.ui.interaction import UNDELIVERED, UNKNOWN_MESSAGE
from bot.ui.screens import components as ui
from bot.ui.screens.kit import ScreenView
from bot.ui.tokens import Token, ringing
from bot.ui.uploads import Attachments, Uploads

log = logging.getLogger(__name__)

# Discord's error codes.
UNKNOWN_CHANNEL: Final = 10003
TOO_MANY_EDITS: Final = 30046
THREAD_ARCHIVED: Final = 50083
THREAD_EXISTS: Final = 160004

Edited = Literal["kept", "gone", "full", "archived", "later"]
"""The outcome of an edit: the message shows the drawing ("kept"), does not exist ("gone"), accepts no edits for now
because it has had too many ("full"), or is in an archived thread ("archived"); or the edit would have needed a request
that counts towards the limit ("later").
"""

_EDITED: Final[Mapping[int, Edited]] = {
    UNKNOWN_MESSAGE: "gone",
    TOO_MANY_EDITS: "full",
    THREAD_ARCHIVED: "archived",
}
UNAVAILABLE: Final = 503
_LOOKED_THROUGH: Final = 100
"""How many of a channel's newest messages are searched for messages that were left behind."""
_PAUSES: Final = (0.2, 0.6)
"""The pauses, in seconds, before each further try of a post if Discord was unavailable. Short, because somebody waits
for it."""
_THREAD_QUIET: Final = 7 * DAY
"""Seconds without a message after which Discord archives a match thread, until the next message. Discord
takes an hour, or 1, 3 or 7 days."""


class Sender:
    """Sends the bot's requests that concern the messages of tables.

    Each method reads and updates the table's `DisplayState`.
    """

    def __init__(
        self,
        client: discord.Client,
        clock: Clock,
        uploads: Uploads,
    ) -> None:
        self._client = client
        self._clock = clock
        self._uploads = uploads

    def _channel(self, table: Table, channel: int | None = None) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(channel or table.channel_id, guild_id=table.guild_id)

    def _channel_with(self, table: Table, message: int) -> discord.PartialMessageable:
        """The channel that has this message: for two of them, the parent channel of the match thread."""
        thread = table.body.thread
        above = thread is not None and message in (thread.starter, thread.parent_result)
        return self._channel(table, thread.parent if thread is not None and above else None)

    def prepare(self, table: Table, view: ScreenView) -> ScreenView:
        """The view, without its pictures while they pause in the table's channel."""
        return self._uploads.prepare(table.channel_id, view)

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
        """Posts a message in the table's channel or another, and returns its id.

        The message may mention the people whose ids are in `ring`.

        `what` identifies the message among all messages that the table ever has. A second post under the same name, for
        example after a crash before the id was stored, makes no second message: for some minutes, Discord recognises
        the first one by its nonce.
        """
        try:
            sent = await self._send(self._channel(table, channel), view, ring, nonce_of(table, what))
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            # The message was posted earlier under this nonce, and has been deleted since.
            sent = await self._send(self._channel(table, channel), view, ring, secrets.token_hex(12))
        if [_unnamed(mark) for mark in _marks(sent.components)] == [
            _unnamed(mark) for mark in _marks(view.to_components())
        ]:
            # Otherwise an earlier process has posted the message with other content.
            state.message(sent.id).note_posted(view.digest, sent.attachments)
        return sent.id

    async def _send(
        self, channel: discord.PartialMessageable, view: ScreenView, ring: Sequence[int], nonce: str
    ) -> discord.Message:
        """Sends a new message; if Discord is unavailable, tries again after short pauses."""
        rung = ringing(ring)

        def once(files: list[Any]) -> Coroutine[Any, Any, discord.Message]:
            return channel.send(view=view, files=files, allowed_mentions=rung, nonce=nonce)

        uncertain: discord.HTTPException | None = None
        for pause in (*_PAUSES, None):
            try:
                return await self._uploads.send(channel.id, view, once)
            except discord.HTTPException as error:
                # discord.py itself tries again after other outages. Discord may have accepted the message despite the
                # error.
                if error.status != UNAVAILABLE or pause is None:
                    raise uncertain or error from None
                uncertain = error
            await asyncio.sleep(pause)
        raise AssertionError

    async def announce(
        self, table: Table, state: DisplayState, what: str, view: ScreenView, ring: Sequence[int]
    ) -> int:
        """Posts an announcement as `post` does, or through a token if there is a valid one and the channel is readable.

        Discord accepts no nonce with a post through a token. An announcement that was already posted can then be found
        only in the channel: by `left_behind`, which is to be called for tables in doubt (`DisplayState.doubtful`), and
        after a restart. Where the bot may not or cannot read the channel, the announcement is therefore posted with a
        nonce, by a request that counts towards the limit.
        """
        token = state.posting_token(self._clock.now())
        if token is None or not token.posts_are_found or state.unsearchable:
            return await self.post(table, state, what, view, ring=ring)
        try:
            with counting_tries() as tries:
                sent = await self._post_by_token(token, state, view, ring)
        except UNDELIVERED as error:
            state.lose(token)
            if is_transient(error):
                state.doubtful = True
                raise
            return await self.post(table, state, what, view, ring=ring)
        if tries.made > 1:  # the first try may have succeeded too
            state.doubtful = True
        return sent

    async def _post_by_token(
        self, token: Token, state: DisplayState, view: ScreenView, ring: Sequence[int]
    ) -> int:
        """Posts a message through a token, which from then on edits and deletes it; returns the message's id."""
        sent = await token.post(view, ringing(ring))
        at = state.message(sent.id)
        at.token = token
        at.note_posted(view.digest, sent.attachments)
        return sent.id

    async def announce_opened(self, table: Table, channel: int, view: ScreenView) -> None:
        """Posts a message about a table in another channel of its server. A refusal is logged, and not tried again."""
        place = self._client.get_partial_messageable(channel, guild_id=table.guild_id)
        try:
            await place.send(view=view, allowed_mentions=ringing(()), nonce=nonce_of(table, "opened"))
        except UNDELIVERED as error:
            log.warning("table %s: could not announce it in channel %s (%s)", table.id, channel, Brief(error))

    async def start_thread(self, parent: int, starter: int, name: str) -> None:
        """Starts a thread from a message of the channel `parent`, unless it has been started before.

        The thread has the message's id. Raises `discord.HTTPException`.
        """
        start = self._client.http.start_thread_with_message
        minutes: Any = _THREAD_QUIET // MINUTE
        try:
            await start(parent, starter, name=name, auto_archive_duration=minutes)
        except discord.HTTPException as error:
            if error.code != THREAD_EXISTS:
                raise

    async def edit_thread(self, table: Table, **changes: Any) -> None:
        """Changes the name of a match thread, or whether it is archived. Raises `discord.HTTPException`."""
        await self._client.http.edit_channel(table.channel_id, **changes)

    async def delete_in(self, channel: int, message: int) -> None:
        """Deletes a message that has become useless. A failure is logged, and not tried again."""
        try:
            await self._client.http.delete_message(channel, message)
        except UNDELIVERED as error:
            log.info("a message in channel %s could not be deleted (%s)", channel, Brief(error))

    async def take_back(self, table: Table, state: DisplayState, what: str) -> None:
        """Deletes the announcement of this name, which may have been posted, in a channel that cannot be searched.

        For some minutes, a post with the same nonce returns the announcement. If it was never posted, this post makes a
        message that notifies nobody, and the message is deleted.
        """
        view = ScreenView([ui.text("…", id=ANNOUNCEMENT)])
        send, nonce = self._channel(table).send, nonce_of(table, what)
        try:
            sent = await send(view=view, allowed_mentions=ringing(()), nonce=nonce, silent=True)
        except discord.HTTPException as error:
            if is_transient(error):
                raise
            return  # the announcement has been deleted already, or the bot may not post there
        await self.delete(table, state, sent.id)

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
        """Edits the message to show this drawing, unless it already shows it or another edit of it is on its way.

        `names` are the ids of the people whom the message goes on mentioning; an edit notifies nobody. With `may_count`
        False no request is made that counts towards the limit. Raises `discord.HTTPException` if Discord refuses for a
        reason that `Edited` does not name.
        """
        at = state.message(message)
        if at.shows(self.prepare(table, view).digest) or at.edits_sent:
            return "kept"
        if not may_count and state.token_of(message, self._clock.now()) is None:
            return "later"
        try:
            with at.editing(view):
                held = await self._edit(table, state, message, view, ringing(names))
            at.note_attachments(held)
        except discord.HTTPException as error:
            if not is_transient(error) or error.code in _EDITED:
                at.forget_drawing()  # the edit has had no effect
            if error.code not in _EDITED:
                raise
            return _EDITED[error.code]
        return "kept"

    async def _edit(
        self,
        table: Table,
        state: DisplayState,
        message: int,
        view: ScreenView,
        mentions: discord.AllowedMentions,
    ) -> Attachments:
        held = state.message(message).attachments
        token = state.token_of(message, self._clock.now())
        if token is not None:
            try:
                return await token.edit(message, view, mentions, held=held)
            except UNDELIVERED as error:
                state.lose(token)
                if is_transient(error):
                    raise
        partial = self._channel_with(table, message).get_partial_message(message)

        async def send(attachments: list[Any]) -> discord.Message:
            return await partial.edit(view=view, attachments=attachments, allowed_mentions=mentions)

        return (await self._uploads.send(partial.channel.id, view, send, held=held)).attachments

    async def delete(self, table: Table, state: DisplayState, message: int) -> bool:
        """Deletes the message, unless Discord forbids it. Returns False if the message is in an archived thread."""
        try:
            if not await self._delete_by_token(state, message):
                await self._channel(table).get_partial_message(message).delete()
        except discord.HTTPException as error:
            if error.code == THREAD_ARCHIVED:
                return False
            if error.code not in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL, MISSING_ACCESS, MISSING_PERMISSIONS):
                raise
        state.forget_message(message)
        return True

    async def _delete_by_token(self, state: DisplayState, message: int) -> bool:
        token = state.token_of(message, self._clock.now())
        if token is None:
            return False
        try:
            await token.delete(message)
        except UNDELIVERED as error:
            if isinstance(error, discord.HTTPException) and error.code == UNKNOWN_MESSAGE:
                return True
            state.lose(token)
            if is_transient(error):
                raise
            return False
        return True

    async def left_behind(self, table: Table, state: DisplayState) -> list[LeftBehind]:
        """The messages of this table that were posted but not noted, for example because the process was killed.

        The newest comes first. The list is empty if the bot may not or cannot read the channel. Only the channel's
        newest messages are searched, by one request: others wait for this search, so it is not repeated at once.
        """
        assert self._client.user is not None
        own, known, found = self._client.user.id, table.body.messages.known, list[LeftBehind]()
        # All messages of a table are newer than its lobby. The search compares Discord's ids, because the machine's
        # clock may be off.
        lobby = table.body.messages.lobby
        since = None if lobby is None else discord.Object(lobby)
        seen = state.unread = False
        history = self._channel(table).history(after=since, oldest_first=False, limit=_LOOKED_THROUGH)
        try:
            with counting_tries(most=1):
                async for message in history:
                    seen = True
                    if message.author.id == own and message.id not in known and not message.flags.ephemeral:
                        left = read_left_behind(message.id, message.components, table.id)
                        if left is not None:
                            found.append(left)
        except UNDELIVERED as error:
            state.unread = is_transient(error)
            if not (state.unread or isinstance(error, discord.Forbidden)):
                raise
            log.info("table %s: its channel could not be searched (%s)", table.id, Brief(error))
        # Where the bot may not read the history, Discord returns no messages: not even the table message.
        state.unsearchable = not seen
        return found


def _marks(components: Iterable[Any]) -> Iterator[str]:
    """The texts, custom_ids and labels of components in order, alike for sent components and those Discord returned."""
    for component in components:
        for name in ("content", "custom_id", "label"):
            text = _field(component, name)
            if isinstance(text, str):
                yield text
        yield from _marks(_field(component, "components") or _field(component, "children") or ())


def _field(component: Any, name: str) -> Any:
    """The attribute of a component with this name: one to send is a mapping, one that Discord returned an object."""
    if isinstance(component, dict):
        return cast("dict[str, Any]", component).get(name)
    return getattr(component, name, None)


def _unnamed(text: str) -> str:
    """The text without the names of the application's emoji: only their ids matter to Discord."""
    return re.sub(r"<(a?):\w+:(\d+)>", r"<\1:\2>", text)


def nonce_of(table: Table, what: str) -> str:
    """A nonce for a message of the table, in the 25 characters that Discord accepts.

    The nonce is a digest of everything that distinguishes one table from another, because a table in another database
    may have the same number.
    """
    named = f"{table.channel_id}:{table.id}:{table.created_at}:{what}"
    return blake2b(named.encode(), digest_size=12).hexdigest()


async def together(*work: Awaitable[None]) -> None:
    """Awaits all of these at the same time, so that a slow one delays no other.

    If some fail, raises the error of the first failed argument.
    """
    if len(work) == 1:
        await work[0]  # it needs no task of its own
        return
    results = await asyncio.gather(*work, return_exceptions=True)
    for error in results:
        if error is not None:
            raise error
