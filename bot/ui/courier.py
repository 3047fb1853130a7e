"""Posts, edits and deletes the messages of tables' channels, each once, whatever a crash or an outage leaves open."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Coroutine, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from typing import Any, Final, Literal, cast

import discord
from discord import ui

from bot.discord_errors import passes
from bot.tables.model import Table
from bot.ui.edits import Edits, drawing
from bot.ui.ids import read_id

# Discord's error codes.
UNKNOWN_CHANNEL: Final = 10003
UNKNOWN_MESSAGE: Final = 10008
TOO_MANY_EDITS: Final = 30046
MISSING_ACCESS: Final = 50001
MISSING_PERMISSIONS: Final = 50013
THREAD_ARCHIVED: Final = 50083

Edited = Literal["kept", "gone", "full", "archived"]
"""What became of an edit: the message shows it, is no more, takes no more edits for now, or stands in an archived
thread.
"""

_EDITED: Final[Mapping[int, Edited]] = {
    UNKNOWN_MESSAGE: "gone",
    TOO_MANY_EDITS: "full",
    THREAD_ARCHIVED: "archived",
}
UNAVAILABLE: Final = 503
PAUSES: Final = (0.2, 0.6)
"""Seconds before a post is tried once more that Discord was unavailable for: somebody waits for it."""
ANNOUNCEMENT: Final = 1929
"""The number of a component of every announcement: these have no button of the bot's to be known by."""
_LOOKED_THROUGH: Final = 100
"""So many of a channel's newest messages are looked through for one that was left behind."""


class Courier:
    """The bot's way to the messages of tables' channels."""

    def __init__(self, client: discord.Client) -> None:
        self._client = client
        self.edits = Edits()

    def _channel(self, table: Table) -> discord.PartialMessageable:
        return self._client.get_partial_messageable(table.channel_id, guild_id=table.guild_id)

    async def post(self, table: Table, what: str, view: ui.LayoutView, *, ring: Sequence[int] = ()) -> int:
        """Posts a message and returns its id. `ring`: the ids of those whom it may mention.

        `what` names it among all messages that the table ever has. Posted again under that name, as after a crash
        before its id was kept, it is the same one: Discord knows it by its nonce for some minutes.
        """
        channel = self._channel(table)
        rung = discord.AllowedMentions.none()
        rung.users = [discord.Object(user_id) for user_id in ring]

        async def send(nonce: str) -> discord.Message:
            uncertain: discord.HTTPException | None = None
            for pause in (*PAUSES, None):
                try:
                    return await channel.send(view=view, allowed_mentions=rung, nonce=nonce)
                except discord.HTTPException as error:
                    # discord.py tries other outages again by itself. Discord may have taken what it said it could not.
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
            # That one was posted before, and has been deleted since.
            sent = await send(secrets.token_hex(12))
        if list(_marks(sent.components)) == list(
            _marks(view.children)
        ):  # else an earlier process has drawn it
            self.edits.note(sent.id, drawing(view))
        return sent.id

    async def edit(self, table: Table, message: int, view: ui.LayoutView) -> Edited:
        """Has the message show this drawing, unless it is known to show it, or another edit of it is on its way.

        Raises `discord.HTTPException` where Discord refuses for another reason than those that `Edited` names.
        """
        payload = drawing(view)
        if self.edits.shows(message, payload) or self.edits.on_its_way(message):
            return "kept"
        try:
            with self.edits.making(message, payload):
                # An edit without text takes no default from the client: nobody is to be mentioned by it either.
                silent = discord.AllowedMentions.none()
                await (
                    self._channel(table).get_partial_message(message).edit(view=view, allowed_mentions=silent)
                )
        except discord.HTTPException as error:
            if not passes(error) or error.code in _EDITED:
                self.edits.forget([message])  # this one has not landed
            if error.code not in _EDITED:
                raise
            return _EDITED[error.code]
        return "kept"

    async def delete(self, table: Table, message: int) -> bool:
        """Deletes the message, if that is possible at all; False in a thread that is archived."""
        try:
            await self._channel(table).get_partial_message(message).delete()
        except discord.HTTPException as error:
            if error.code == THREAD_ARCHIVED:
                return False
            if error.code not in (UNKNOWN_MESSAGE, UNKNOWN_CHANNEL, MISSING_ACCESS, MISSING_PERMISSIONS):
                raise
        self.edits.forget([message])
        return True

    async def left_behind(self, table: Table) -> list[tuple[int, set[str]]]:
        """The messages of this table's that were posted, and that whoever posted them did not live to note: the newest
        first, each with the intents of its buttons; "" stands for the announcement, which has none.

        Empty where the bot may not read the channel. Only its newest messages are looked through.
        """
        assert self._client.user is not None
        own, known, found = self._client.user.id, table.body.messages.known, list[tuple[int, set[str]]]()
        # Discord's own numbers, not the machine's time: all of a table's messages are younger than its lobby.
        lobby = table.body.messages.lobby
        since = None if lobby is None else discord.Object(lobby)
        try:
            async for message in self._channel(table).history(
                after=since, oldest_first=False, limit=_LOOKED_THROUGH
            ):
                if message.author.id == own and message.id not in known and not message.flags.ephemeral:
                    intents = _intents(message.components, table.id)
                    if intents:
                        found.append((message.id, intents))
        except discord.Forbidden:
            return []
        return found


def _intents(components: Iterable[Any], table: int) -> set[str]:
    """What this table's buttons and menus among these components are for; "" marks an announcement."""
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
    """The texts and meanings of components, as they are sent and as Discord returns them, in their order."""
    for component in components:
        for name in ("content", "custom_id", "label"):
            text = getattr(component, name, None)
            if isinstance(text, str):
                yield text
        yield from _marks(cast("Iterable[Any]", getattr(component, "children", ())))


def _nonce(table: Table, what: str) -> str:
    """Names a message of the table, in the 25 characters that Discord takes.

    Every bot's messages share these names, so all goes in that tells one table from another: its number may come
    again in another file.
    """
    named = f"{table.channel_id}:{table.id}:{table.created_at}:{what}"
    return blake2b(named.encode(), digest_size=12).hexdigest()


async def together(*work: Coroutine[Any, Any, None]) -> None:
    """Does all of it side by side, so that what Discord is slow to take holds up nothing else; then raises what failed
    first in this order.
    """
    results = await asyncio.gather(*work, return_exceptions=True)
    for error in results:
        if error is not None:
            raise error
