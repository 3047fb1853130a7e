"""The emoji at Discord, and the requests that make them those of the games: look, upload, delete."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import discord

from bot.art.gallery import Gallery
from bot.gateway.errors import Brief
from bot.store.model import EmojiRow
from bot.store.store import Store
from bot.ui.application_emoji.signs import Sign, Signs

log = logging.getLogger(__name__)

MOST_BYTES: Final = 256_000
"""How large an emoji's file may be."""
MOST: Final = 2000
"""How many emoji an application may have."""
NO_ROOM: Final = 30008
"""Discord's error code for an application that has as many emoji as it may have."""
BAD_REQUEST: Final = 400
"""The HTTP status with which Discord refuses what it will never accept, or a name that is there already."""
FACT: Final = "emoji of"
"""The store's fact that says to which application the emoji belong that it keeps."""


class EmojiUploads:
    """The games' emoji that Discord has, as far as this process knows, and the requests that change them."""

    def __init__(self, client: discord.Client, store: Store, cache: Gallery, signs: Signs) -> None:
        self._client = client
        self._store = store
        self._cache = cache
        self.signs = signs
        self._known: dict[str, EmojiRow] = {}
        """By name: the games' emoji, present or outdated, that are known to be at Discord."""
        self._there: dict[str, discord.Emoji] | None = None
        """By name: all that Discord has; None if that has to be looked up."""
        self._refused: set[str] = set()
        """Names that Discord did not accept once, perhaps because another process had just uploaded them."""
        self._passed_over: set[str] = set()
        """The refused names that wait until Discord's emoji have been looked through again."""
        self._spoilt: set[str] = set()
        """Names of emoji that cannot be made, or that Discord did not accept twice."""
        self.unpublished = False
        """Whether the store keeps other emoji than other processes have been told of."""

    @property
    def application(self) -> int | None:
        """The application's id; None as long as the client is not logged in."""
        return self._client.application_id

    @property
    def known(self) -> Mapping[str, EmojiRow]:
        """By name: the games' emoji, present or outdated, that are known to be at Discord."""
        return self._known

    @property
    def looked(self) -> bool:
        """Whether it is known which emoji Discord has."""
        return self._there is not None

    # -- the store

    async def load(self) -> None:
        """Reads which emoji the store keeps. Raises `StoreError`."""
        self._known = {row.name: row for row in await self._store.emoji()}

    async def claim(self) -> None:
        """Forgets the emoji that the store keeps if they are another application's. Raises `StoreError`."""
        application = str(self._client.application_id)
        if await self._store.fact(FACT) != application:
            await self.drop()
            await self._store.set_fact(FACT, application)

    async def drop(self) -> None:
        """Forgets all emoji that the store keeps. Raises `StoreError`."""
        await self._store.drop_emoji([row.name for row in await self._store.emoji()])
        self.withdraw()

    def withdraw(self) -> None:
        """Knows of no emoji until Discord has been asked."""
        self._known.clear()
        self._there = None

    def look_again(self) -> None:
        """Has Discord's emoji looked through before the next change, because they may be others by then."""
        self._there = None

    # -- what is to be done

    def missing(self) -> list[Sign]:
        """The signs that Discord does not have, without those that it cannot have."""
        absent = [sign for name, sign in self.signs.by_name().items() if name not in self._known]
        return [sign for sign in absent if sign.name not in self._spoilt]

    def to_upload(self) -> list[Sign]:
        """The missing signs that can be uploaded now."""
        if len(self._there or {}) >= MOST:
            return []
        return [sign for sign in self.missing() if sign.name not in self._passed_over]

    def to_delete(self, before: float) -> list[EmojiRow]:
        """The emoji of signs that no game has. They stay if the newest upload was after `before`.

        They do not stay if their room is needed.
        """
        wanted, there = self.signs.by_name(), self._there or {}
        outdated = [row for name, row in self._known.items() if name not in wanted]
        if not outdated:
            return []
        newest = max((_made_at(row.id) for name, row in self._known.items() if name in wanted), default=0.0)
        crowded = len(there) + len(self.missing()) > MOST
        return outdated if crowded or newest <= before else []

    def take_up_passed_over(self) -> bool:
        """Lets names be tried again that were passed over. Returns whether one of them is still missing."""
        passed_over = {sign.name for sign in self.missing()} & self._passed_over
        self._passed_over.clear()
        return bool(passed_over)

    # -- requests

    async def look(self, *, store: bool) -> bool:
        """Looks through what Discord has. Takes up what is there although the store did not keep it.

        `store` says whether to bring the store up to date. Returns whether other emoji are known than before.
        """
        self._there = {emoji.name: emoji for emoji in await self._client.fetch_application_emojis()}
        kept = {row.name: row for row in await self._store.emoji()}
        digests = {row.name: row.digest for row in kept.values()}
        digests |= {name: sign.digest for name, sign in self.signs.by_name().items()}
        known = {
            name: EmojiRow(name, digests[name], emoji.id)
            for name, emoji in self._there.items()
            if name in digests
        }
        if store:
            gone = [name for name in kept if name not in known]
            found = [row for name, row in known.items() if kept.get(name) != row]
            await self._store.drop_emoji(gone)
            await self._store.keep_emoji(found)
            self.unpublished = self.unpublished or bool(gone or found)
        changed, self._known = known != self._known, known
        return changed

    async def upload(self, sign: Sign) -> bool:
        """Uploads an emoji. Returns False if it could not be rendered now."""
        try:
            data = await self._cache.file(sign.picture)
        except ValueError as error:
            log.error("the emoji %s cannot be rendered: %s", sign.name, error)
            self._spoilt.add(sign.name)
            return True
        if data is None:
            return False
        if len(data) > MOST_BYTES:
            log.error("the emoji %s has %s bytes, and Discord takes %s", sign.name, len(data), MOST_BYTES)
            self._spoilt.add(sign.name)
            return True
        try:
            emoji = await self._client.create_application_emoji(name=sign.name, image=data)
        except discord.HTTPException as error:
            if error.status != BAD_REQUEST or error.code == NO_ROOM:
                raise
            self._refuse(sign, error)
            return True
        assert self._there is not None
        row = self._known[sign.name] = EmojiRow(sign.name, sign.digest, emoji.id)
        self._there[sign.name] = emoji
        await self._store.keep_emoji([row])
        self.unpublished = True
        return True

    def _refuse(self, sign: Sign, error: discord.HTTPException) -> None:
        """Passes over a sign that Discord did not accept; the second time, for good."""
        if sign.name in self._refused:
            log.error("Discord does not accept the emoji %s (%s)", sign.name, Brief(error))
            self._spoilt.add(sign.name)
        self._refused.add(sign.name)
        self._passed_over.add(sign.name)

    async def delete(self, row: EmojiRow) -> None:
        """Deletes an emoji."""
        assert self._there is not None
        emoji = self._there.pop(row.name)
        with suppress(discord.NotFound):  # somebody else was quicker
            await emoji.delete()
        del self._known[row.name]
        await self._store.drop_emoji([row.name])
        self.unpublished = True


def _made_at(number: int) -> float:
    """When Discord gave out this id, in seconds since 1970."""
    return discord.utils.snowflake_time(number).timestamp()
