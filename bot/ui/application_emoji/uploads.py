"""The games' emoji as drawings, and the requests that update those at Discord: list, upload, delete."""

from __future__ import annotations

import logging
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Final

import discord

from bot.art.ink import Part
from bot.art.picture import Picture
from bot.art.picture_cache import PictureCache
from bot.art.scene import Scene
from bot.gateway.errors import Brief
from bot.store.model import EmojiRow, snowflake_time
from bot.store.store import Store
from bot.ui.screens.game_screens import AnyScreens

log = logging.getLogger(__name__)

SIDE: Final = 128
"""Width and height of an emoji, the largest that Discord stores. In pixels."""
NAME_ROOM: Final = 32
"""The greatest length of an emoji's name, in characters."""
DIGEST: Final = 8
"""The length of the digest's part in the name, in characters."""


@dataclass(frozen=True, slots=True)
class Sign:
    """One of the games' emoji: the word in its place where the emoji cannot be shown, and its drawing."""

    word: str
    picture: Picture

    @property
    def digest(self) -> str:
        return self.picture.key

    @property
    def name(self) -> str:
        """The emoji's name at Discord."""
        return f"{self.word}_{self.digest[:DIGEST]}"


def sign_of(part: Part) -> Sign:
    """The emoji with this part as its drawing.

    >>> sign_of(Part("Pot Shard emoji", 100, 80, "")).word
    'pot_shard'
    """
    words = re.sub(r"[^a-z0-9]+", "_", part.name.lower()).strip("_")
    word = (words.removesuffix("_emoji") or "emoji")[: NAME_ROOM - DIGEST - 1].strip("_")
    scale = SIDE / max(part.width, part.height)
    x, y = ((SIDE - length * scale) / 2 for length in (part.width, part.height))
    return Sign(word, Scene(SIDE, SIDE, ground=None).place(part, x, y, part.width * scale).picture(word))


class Signs:
    """The signs of all games. Each game draws its emoji once."""

    def __init__(self, screens: Mapping[str, AnyScreens]) -> None:
        self._screens = screens
        self._drawn: dict[str, dict[str, Sign]] = {}

    def of(self, game: str) -> Mapping[str, Sign]:
        """The signs of a game, by the ordinary emoji in whose place they are shown."""
        if game not in self._drawn:
            try:
                parts = self._screens[game].emoji_parts()
                self._drawn[game] = {emoji: sign_of(part) for emoji, part in parts.items()}
            except Exception:  # texts are complete without own emoji
                log.exception("the emoji of %s cannot be drawn", game)
                self._drawn[game] = {}
        return self._drawn[game]

    def by_name(self) -> dict[str, Sign]:
        """The signs of all games by their names at Discord. Games may share signs."""
        return {sign.name: sign for game in self._screens for sign in self.of(game).values()}


MOST_BYTES: Final = 256_000
"""The greatest size of an emoji's file, in bytes."""
MOST: Final = 2000
"""The greatest number of an application's emoji."""
NO_ROOM: Final = 30008
"""Discord's error code for an application that already has the greatest number of emoji."""
BAD_REQUEST: Final = 400
"""The HTTP status with which Discord refuses an image that it will never accept, or a name that is in use."""
FACT: Final = "emoji of"
"""The name of the store's fact with the id of the application to which the stored emoji belong."""


class EmojiUploads:
    """The games' emoji that are known to be at Discord, and the requests that change them."""

    def __init__(self, client: discord.Client, store: Store, cache: PictureCache, signs: Signs) -> None:
        self._client = client
        self._store = store
        self._cache = cache
        self.signs = signs
        self._known: dict[str, EmojiRow] = {}
        """By name: the games' emoji, present or outdated, that are known to be at Discord."""
        self._there: dict[str, discord.Emoji] | None = None
        """By name: all of the application's emoji at Discord; None if they have to be listed again."""
        self._refused: set[str] = set()
        """Names that Discord refused once, perhaps because another process had just uploaded them."""
        self._spoilt: set[str] = set()
        """Names of emoji that cannot be rendered, or that Discord refused twice."""
        self.unpublished = False
        """Whether the stored emoji have changed since the other processes were last notified."""

    @property
    def application(self) -> int | None:
        """The application's id; None until the client is logged in."""
        return self._client.application_id

    @property
    def known(self) -> Mapping[str, EmojiRow]:
        """By name: the games' emoji, present or outdated, that are known to be at Discord."""
        return self._known

    @property
    def looked(self) -> bool:
        """Whether the emoji at Discord are listed in `_there`."""
        return self._there is not None

    # -- the store

    async def load(self) -> None:
        """Reads the stored emoji. Raises `StoreError`."""
        self._known = {row.name: row for row in await self._store.emoji.all()}

    async def claim(self) -> None:
        """Deletes the stored emoji if they are another application's. Raises `StoreError`."""
        application = str(self._client.application_id)
        if await self._store.fact(FACT) != application:
            await self.drop()
            await self._store.set_fact(FACT, application)

    async def drop(self) -> None:
        """Deletes all stored emoji, and forgets the known ones. Raises `StoreError`."""
        await self._store.emoji.drop([row.name for row in await self._store.emoji.all()])
        self.withdraw()

    def withdraw(self) -> None:
        """Forgets all known emoji until those at Discord are listed again."""
        self._known.clear()
        self._there = None

    def look_again(self) -> None:
        """Has Discord's emoji listed again before the next change, because they may have changed by then."""
        self._there = None

    # -- the changes to make

    def missing(self) -> list[Sign]:
        """The signs that are not at Discord, without those that cannot be uploaded."""
        absent = [sign for name, sign in self.signs.by_name().items() if name not in self._known]
        return [sign for sign in absent if sign.name not in self._spoilt]

    def to_upload(self) -> list[Sign]:
        """The missing signs that can be uploaded now."""
        if len(self._there or {}) >= MOST:
            return []
        return self.missing()

    def to_delete(self, before: float) -> list[EmojiRow]:
        """The outdated emoji to delete now: those of signs that no game has.

        Empty if the newest upload was after `before`, unless their room is needed.
        """
        wanted, there = self.signs.by_name(), self._there or {}
        outdated = [row for name, row in self._known.items() if name not in wanted]
        if not outdated:
            return []
        newest = max(
            (snowflake_time(row.id) for name, row in self._known.items() if name in wanted), default=0.0
        )
        crowded = len(there) + len(self.missing()) > MOST
        return outdated if crowded or newest <= before else []

    # -- requests

    async def look(self, *, store: bool) -> bool:
        """Lists the emoji at Discord, and registers the games' own ones even if the store does not have them.

        `store` says whether to bring the store up to date. Returns whether the known emoji have changed.
        """
        self._there = {emoji.name: emoji for emoji in await self._client.fetch_application_emojis()}
        kept = {row.name: row for row in await self._store.emoji.all()}
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
            await self._store.emoji.drop(gone)
            await self._store.emoji.keep(found)
            self.unpublished = self.unpublished or bool(gone or found)
        changed, self._known = known != self._known, known
        return changed

    async def upload(self, sign: Sign) -> bool:
        """Uploads an emoji. Returns False if the picture cache could not render it now."""
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
        await self._store.emoji.keep([row])
        self.unpublished = True
        return True

    def _refuse(self, sign: Sign, error: discord.HTTPException) -> None:
        """Has Discord's emoji listed again before another try of a refused sign; gives it up after a second refusal."""
        if sign.name not in self._refused:
            self._refused.add(sign.name)
            self.look_again()
            return
        log.error("Discord does not accept the emoji %s (%s)", sign.name, Brief(error))
        self._spoilt.add(sign.name)

    async def delete(self, row: EmojiRow) -> None:
        """Deletes an emoji."""
        assert self._there is not None
        emoji = self._there.pop(row.name)
        with suppress(discord.NotFound):  # somebody else has deleted it
            await emoji.delete()
        del self._known[row.name]
        await self._store.emoji.drop([row.name])
        self.unpublished = True
