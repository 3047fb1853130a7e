"""Posts, edits and deletes the messages of tables in their channels.

What can be done through the token of an interaction (`bot.ui.tokens`) is done so, because it does not count towards the
limit on the bot's requests. All else goes the ordinary way, and so does what a token is refused for.

Each message is posted only once, even if a crash or an outage left it uncertain whether it was posted.
"""

from __future__ import annotations

import asyncio
import re
import secrets
from collections.abc import Callable, Coroutine, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final, Literal, cast

import discord

from bot.gateway.errors import is_transient
from bot.ratelimit.limiter import counting_tries
from bot.tables.model import Table
from bot.ui.edits import Edits
from bot.ui.interaction import UNDELIVERED, UNKNOWN_MESSAGE
from bot.ui.pictures import Attachments, files_of, with_emoji, with_pictures
from bot.ui.screens import components as ui
from bot.ui.screens.ids import read_id
from bot.ui.screens.kit import Drawn
from bot.ui.tokens import Tokens, ringing

# Discord's error codes.
UNKNOWN_CHANNEL: Final = 10003
TOO_MANY_EDITS: Final = 30046
MISSING_ACCESS: Final = 50001
MISSING_PERMISSIONS: Final = 50013
THREAD_ARCHIVED: Final = 50083

Edited = Literal["kept", "gone", "full", "archived", "later"]
"""What became of an edit: the message shows it ("kept"), does not exist any more ("gone"), accepts no more edits for
now ("full"), stands in an archived thread ("archived"), or would have needed a request that counts ("later").
"""

_EDITED: Final[Mapping[int, Edited]] = {
    UNKNOWN_MESSAGE: "gone",
    TOO_MANY_EDITS: "full",
    THREAD_ARCHIVED: "archived",
}
UNAVAILABLE: Final = 503
PAUSES: Final = (0.2, 0.6)
"""Seconds before a post is tried again if Discord was unavailable. They are short because somebody waits for it."""
ANNOUNCEMENT: Final = 1929
"""The id of a component in every announcement, by which it is recognised. Its buttons are those of other messages."""
_LOOKED_THROUGH: Final = 100
"""How many of a channel's newest messages are searched for one that was left behind."""


class Courier:
    """Sends the bot's requests that concern the messages of tables."""

    def __init__(self, client: discord.Client, tokens: Tokens, in_words: Callable[[str, str], str]) -> None:
        """`in_words` puts words in place of the emoji in a game's text (`bot.ui.application_emoji.Shelf.in_words`)."""
        self._client = client
        self._in_words = in_words
        self._tokens = tokens
        self.edits = Edits()
        self.doubtful: set[int] = set()
        """Tables for which an announcement may have been posted although Discord's answer did not come, or twice."""
        self.unsearchable: set[int] = set()
        """Tables whose channel the bot might not read when it was last searched."""
        self._strays: dict[int, list[str]] = {}
        """The texts of announcements that were left behind, with words in place of emoji."""

    def _channel(self, table: Table) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)

    async def post(self, table: Table, what: str, view: Drawn, *, ring: Sequence[int] = ()) -> int:
        """Posts a message and returns its id. It may mention the people whose ids are in `ring`.

        `what` identifies the message among all messages that the table ever has. If it is posted again under that name,
        for example because a crash came before its id was kept, no second message appears: for some minutes, Discord
        recognises the first one by its nonce.
        """
        channel = self._channel(table)
        rung = ringing(ring)
        plates = view.plates

        def once(nonce: str) -> Coroutine[Any, Any, discord.Message]:
            return channel.send(view=view, files=files_of(plates), allowed_mentions=rung, nonce=nonce)

        async def send(nonce: str) -> discord.Message:
            uncertain: discord.HTTPException | None = None
            for pause in (*PAUSES, None):
                try:
                    return await with_emoji(lambda: once(nonce), view)
                except discord.HTTPException as error:
                    # discord.py itself tries again after other outages. Discord may have accepted the message despite
                    # the error.
                    if error.status != UNAVAILABLE or pause is None:
                        raise uncertain or error from None
                    uncertain = error
                await asyncio.sleep(pause)
            raise AssertionError

        try:
            sent = await send(_nonce(table, what))
        except discord.NotFound as error:
            if error.code != UNKNOWN_MESSAGE:
                raise
            # The message was posted earlier under this nonce, and has been deleted since.
            sent = await send(secrets.token_hex(12))
        if [_unnamed(mark) for mark in _marks(sent.components)] == [
            _unnamed(mark) for mark in _marks(view.to_components())
        ]:
            # Otherwise an earlier process has posted it.
            self.edits.note(sent.id, view.digest)
            self.edits.has(sent.id, sent.attachments)
        return sent.id

    async def announce(self, table: Table, what: str, view: Drawn, ring: Sequence[int]) -> int:
        """Posts an announcement as `post` does, or through a token if one lives and the channel can be searched.

        Discord takes no nonce with what is posted through a token. Whether the announcement stands already is then seen
        in the channel alone: by `left_behind`, which is to be called for the tables in `doubtful`, and after a restart.
        Where the bot may not read the channel, the post is therefore made in the way that counts, with a nonce.
        """
        shown = self._marks_in_words(table, view.to_components())
        for message, marks in self._strays.items():
            if marks == shown:
                del self._strays[message]
                return message
        token = self._tokens.of_table(table.id)
        if token is None or not token.posts_are_found:
            return await self.post(table, what, view, ring=ring)
        try:
            with counting_tries() as tries:
                sent = await token.post(view, ringing(ring))
        except UNDELIVERED as error:
            self._tokens.lost(token)
            if is_transient(error):
                self.doubtful.add(table.id)
                raise
            return await self.post(table, what, view, ring=ring)
        if tries.made > 1:  # the first try may have succeeded too
            self.doubtful.add(table.id)
        self._tokens.posted(sent.id, token)
        self.edits.note(sent.id, view.digest)
        return sent.id

    async def take_back(self, table: Table, what: str) -> None:
        """Deletes the announcement of this name, which may have been posted, in a channel that cannot be searched.

        Its nonce finds it for some minutes. If it was not posted, a message that notifies nobody takes its place until
        it is deleted.
        """
        view = Drawn([ui.text("…", id=ANNOUNCEMENT)])
        send, nonce = self._channel(table).send, _nonce(table, what)
        try:
            sent = await send(view=view, allowed_mentions=ringing(()), nonce=nonce, silent=True)
        except discord.HTTPException as error:
            if is_transient(error):
                raise
            return  # it has been deleted already, or the bot may post nothing there
        await self.delete(table, sent.id)

    async def edit(
        self,
        table: Table,
        message: int,
        view: Drawn,
        *,
        names: Sequence[int] = (),
        may_count: bool = True,
    ) -> Edited:
        """Edits the message to show this drawing, unless it is known to show it or another edit of it is on its way.

        `names` are the people whom the message goes on mentioning; an edit notifies nobody. With `may_count` False this
        makes no request that counts towards the limit. Raises `discord.HTTPException` if Discord refuses for a reason
        that `Edited` does not name.
        """
        if self.edits.shows(message, view.digest) or self.edits.on_its_way(message):
            return "kept"
        if not may_count and self._tokens.of_message(message) is None:
            return "later"
        try:
            with self.edits.making(message, view.digest):
                held = await self._edit(table, message, view, ringing(names))
            self.edits.has(message, held)
        except discord.HTTPException as error:
            if not is_transient(error) or error.code in _EDITED:
                self.edits.forget([message])  # this edit has had no effect
            if error.code not in _EDITED:
                raise
            return _EDITED[error.code]
        return "kept"

    async def _edit(
        self, table: Table, message: int, view: Drawn, mentions: discord.AllowedMentions
    ) -> Attachments:
        """Edits the message; returns the files that it has then."""
        held = self.edits.attachments(message)
        token = self._tokens.of_message(message)
        if token is not None:
            try:
                return await token.edit(message, view, mentions, held=held)
            except UNDELIVERED as error:
                self._tokens.lost(token)
                if is_transient(error):
                    raise
        partial = self._channel(table).get_partial_message(message)

        async def send(attachments: Any) -> discord.Message:
            return await partial.edit(view=view, attachments=attachments, allowed_mentions=mentions)

        return (await with_pictures(send, view, held)).attachments

    async def delete(self, table: Table, message: int) -> bool:
        """Deletes the message, if that is possible at all. Returns False if it is in an archived thread."""
        try:
            if not await self._delete_by_token(message):
                await self._channel(table).get_partial_message(message).delete()
        except discord.HTTPException as error:
            if error.code == THREAD_ARCHIVED:
                return False
            if error.code not in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL, MISSING_ACCESS, MISSING_PERMISSIONS):
                raise
        self.edits.forget([message])
        self._strays.pop(message, None)
        return True

    async def _delete_by_token(self, message: int) -> bool:
        """Deletes the message through a token. Returns whether it is gone now."""
        token = self._tokens.of_message(message)
        if token is None:
            return False
        try:
            await token.delete(message)
        except UNDELIVERED as error:
            if isinstance(error, discord.HTTPException) and error.code == UNKNOWN_MESSAGE:
                return True
            self._tokens.lost(token)
            if is_transient(error):
                raise
            return False
        return True

    async def left_behind(self, table: Table) -> list[tuple[int, set[str]]]:
        """The messages of this table that an earlier process posted but was killed before it noted their ids.

        The newest comes first, each with the intents of its buttons; "" marks an announcement. The list is empty if the
        bot may not read the channel. Only the channel's newest messages are searched.
        """
        assert self._client.user is not None
        own, known, found = self._client.user.id, table.body.messages.known, list[tuple[int, set[str]]]()
        # All messages of a table are newer than its lobby. This compares Discord's ids, because the machine's clock
        # may be off.
        lobby = table.body.messages.lobby
        since = None if lobby is None else discord.Object(lobby)
        seen = False
        try:
            async for message in self._channel(table).history(
                after=since, oldest_first=False, limit=_LOOKED_THROUGH
            ):
                seen = True
                if message.author.id == own and message.id not in known and not message.flags.ephemeral:
                    intents = _intents(message.components, table.id)
                    if intents:
                        found.append((message.id, intents))
                    if "" in intents:
                        self._strays[message.id] = self._marks_in_words(table, message.components)
        except discord.Forbidden:
            seen = False
        # Where the bot may not read the history, Discord returns no messages: not even the table message.
        (self.unsearchable.discard if seen else self.unsearchable.add)(table.id)
        return found

    def _marks_in_words(self, table: Table, components: Iterable[Any]) -> list[str]:
        """What can be read there. It is the same whether ordinary emoji were shown or the application's own."""
        return [self._in_words(table.game.key, mark) for mark in _marks(components)]


def _intents(components: Iterable[Any], table: int) -> set[str]:
    """The intents of this table's buttons and menus among these components; "" marks an announcement."""
    found: set[str] = set()
    for component in components:
        to = read_id(getattr(component, "custom_id", None) or "")
        if to is not None and to.table == table:
            found.add(to.intent)
        if component.id == ANNOUNCEMENT:
            found.add("")
        found |= _intents(cast("Iterable[Any]", getattr(component, "children", ())), table)
    return found


def _marks(components: Iterable[Any]) -> Iterator[str]:
    """The texts and custom_ids of components in their order, alike for those to send and those Discord returns."""
    for component in components:
        for name in ("content", "custom_id", "label"):
            text = _field(component, name)
            if isinstance(text, str):
                yield text
        yield from _marks(_field(component, "components") or _field(component, "children") or ())


def _field(component: Any, name: str) -> Any:
    """What a component has under this name: one to send is a mapping, one that Discord returned an object."""
    if isinstance(component, dict):
        return cast("dict[str, Any]", component).get(name)
    return getattr(component, name, None)


def _unnamed(text: str) -> str:
    """The text without the names of the application's emoji: only their ids matter to Discord."""
    return re.sub(r"<(a?):\w+:(\d+)>", r"<\1:\2>", text)


def _nonce(table: Table, what: str) -> str:
    """A nonce for a message of the table, in the 25 characters that Discord accepts.

    It is calculated from everything that distinguishes one table from another, because a table in another database may
    have the same number.
    """
    named = f"{table.channel_id}:{table.id}:{table.created_at}:{what}"
    return blake2b(named.encode(), digest_size=12).hexdigest()


async def together(*work: Coroutine[Any, Any, None]) -> None:
    """Runs all of these at the same time, so that one that is slow holds up no other.

    If some fail, raises the error of the one that stands first among the arguments.
    """
    if len(work) == 1:
        await work[0]  # a task of its own would be in vain
        return
    results = await asyncio.gather(*work, return_exceptions=True)
    for error in results:
        if error is not None:
            raise error
