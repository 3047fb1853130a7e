"""The application's own emoji on Discord: uploads the games' drawings, and knows which of them can be shown.

Discord keeps an application's emoji for all servers. Each has a name made of the drawing's own name and a digest of the
drawing, such as `pot_shard_3f8a01c2`: so whoever looks, with whatever store, sees what is there and what is missing.
The store keeps which of them are this program's, so that a start need not wait for Discord to show them, and so that
nothing is ever deleted that somebody else has uploaded.

All this happens beside the tables' work, one request at a time. What is missing is shown as the ordinary emoji with
which all texts are written.
"""

from __future__ import annotations

import asyncio
import logging
import re
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Final

import discord

from bot.art.gallery import Gallery
from bot.art.ink import Part
from bot.art.picture import Picture
from bot.art.scene import Scene
from bot.clock import Clock
from bot.fleet.fleet import Fleet, SingleProcess
from bot.gateway.errors import UNDELIVERED, Brief, is_transient
from bot.store.model import EmojiRow, StoreError
from bot.store.store import Store
from bot.tables.model import DAY, HOUR, MINUTE
from bot.ui.screens.emoji_map import Legend
from bot.ui.screens.game_screens import AnyScreens

log = logging.getLogger(__name__)

SIDE: Final = 128
"""Width and height of an emoji in pixels, which is as much as Discord keeps."""
MOST_BYTES: Final = 256_000
"""How large an emoji's file may be."""
MOST: Final = 2000
"""How many emoji an application may have."""
NAME_ROOM: Final = 32
DIGEST: Final = 8
"""How many characters of the digest are part of the name."""
BETWEEN: Final = 2.0
"""Seconds between two requests, because Discord allows few changes of emoji in a row."""
LOOK_AGAIN: Final = DAY
"""Seconds after which the emoji at Discord are looked through again, once all are there."""
STAYS: Final = DAY
"""Seconds for which outdated emoji stay after the newest upload, because another process may still show them."""
RETRY_FIRST: Final = MINUTE
RETRY_MOST: Final = HOUR
"""The shortest and the longest wait, in seconds, before another try."""

NO_ROOM: Final = 30008
"""Discord's error code for an application that has as many emoji as it may have."""
BAD_REQUEST: Final = 400
"""The HTTP status with which Discord refuses what it will never accept, or a name that is there already."""
FACT: Final = "emoji of"
"""The store's fact that says to which application the emoji belong that it keeps."""


@dataclass(frozen=True, slots=True)
class Sign:
    """One of the games' emoji: the word that stands for it where it cannot be seen, and its drawing."""

    word: str
    picture: Picture

    @property
    def digest(self) -> str:
        return self.picture.key

    @property
    def name(self) -> str:
        """Its name at Discord."""
        return f"{self.word}_{self.digest[:DIGEST]}"


def sign_of(part: Part) -> Sign:
    """The emoji that is drawn like this part.

    >>> sign_of(Part("Pot Shard emoji", 100, 80, "")).word
    'pot_shard'
    """
    words = re.sub(r"[^a-z0-9]+", "_", part.name.lower()).strip("_")
    word = (words.removesuffix("_emoji") or "emoji")[: NAME_ROOM - DIGEST - 1].strip("_")
    scale = SIDE / max(part.width, part.height)
    x, y = ((SIDE - length * scale) / 2 for length in (part.width, part.height))
    return Sign(word, Scene(SIDE, SIDE, ground=None).place(part, x, y, part.width * scale).picture(word))


class Shelf:
    """Keeps the application's emoji at Discord as the games have drawn them. With `on` False none is shown or sent.

    Only the leader of a `fleet` changes anything there. The others use what they find in the store.
    """

    def __init__(
        self,
        client: discord.Client,
        store: Store,
        gallery: Gallery,
        clock: Clock,
        screens: Mapping[str, AnyScreens],
        *,
        on: bool,
        fleet: Fleet | None = None,
    ) -> None:
        self._client = client
        self._store = store
        self._gallery = gallery
        self._clock = clock
        self._screens = screens
        self._on = on
        self._fleet = fleet if fleet is not None else SingleProcess()
        self._uploaded = self._fleet.is_leader
        """Whether this process was the leader when the last step was due."""
        self._news = False
        """Whether other processes are to be told that the store keeps other emoji than before."""
        self._fleet.on("emoji", self._heard)
        self.between = BETWEEN
        """Seconds between two requests."""
        self.task: asyncio.Task[None] | None = None
        """The step that is being made."""
        self._signs: dict[str, dict[str, Sign]] = {}
        """By game: what is drawn for each of its emoji."""
        self._ours: dict[str, EmojiRow] = {}
        """By name: the games' emoji, present or outdated, that are known to be at Discord."""
        self._shown: dict[str, int] = {}
        """By name: the ids of those that are shown. While there is more to upload, it does not grow: so screens do not
        change time and again.
        """
        self._there: dict[str, discord.Emoji] | None = None
        """By name: all that Discord has; None if that has to be looked up."""
        self._refused: set[str] = set()
        """Names that Discord did not accept once, perhaps because another process had just uploaded them."""
        self._passed_over: set[str] = set()
        """Those of them that wait until Discord's emoji have been looked through again."""
        self._spoilt: set[str] = set()
        """Names of emoji that cannot be made, or that Discord did not accept twice."""
        self._legends: dict[str, Legend] = {}
        self._drawn_up = 0
        """How often the legends were drawn up anew."""
        self._began = 0.0
        self._wait = 0.0
        """The next step is due so many seconds after this time."""
        self._doubted: float | None = None
        """When Discord last did not know an emoji that should be there."""
        self._failures = 0
        """How often in a row something has failed, or was missing that another process is to upload."""
        self._told = False
        """Whether the log says that something is missing."""

    async def load(self) -> None:
        """Reads what the store keeps. To be called once the store is open and the application known.

        Raises `StoreError`.
        """
        if not self._on:
            return
        application = str(self._client.application_id)
        if await self._store.fact(FACT) != application:
            await self.forget()
            await self._store.set_fact(FACT, application)
        self._ours = {row.name: row for row in await self._store.emoji()}
        self._draw_up()

    async def _heard(self) -> None:
        """Another process has brought emoji to Discord, or this one. Raises `StoreError`."""
        if self._on and not self._uploads:
            self._ours = {row.name: row for row in await self._store.emoji()}
            self._draw_up()

    @property
    def _uploads(self) -> bool:
        """Whether this process changes what Discord has."""
        return self._fleet.is_leader

    async def forget(self) -> None:
        """Forgets what was uploaded, and looks it up anew. Raises `StoreError`."""
        await self._store.drop_emoji([row.name for row in await self._store.emoji()])
        self._withdraw()
        self._wait = 0.0

    def close(self) -> None:
        """Stops. What was under way is taken up at the next start."""
        self._on = False
        if self.task is not None:
            self.task.cancel()

    # -- what can be shown

    def legend(self, game: str) -> Legend:
        """The emoji of a game, with those that can be shown now."""
        legend = self._legends.get(game)
        if legend is None:
            signs = self._signs_of(game)
            words = {emoji: sign.word for emoji, sign in signs.items()}
            ids = {emoji: self._shown[sign.name] for emoji, sign in signs.items() if sign.name in self._shown}
            legend = self._legends[game] = Legend(words, ids, partial(self._doubt, self._drawn_up))
        return legend

    def in_words(self, game: str, text: str) -> str:
        """A text of a game with a word for each emoji, whichever there were when it was written."""
        return self.legend(game).in_words(text)

    def _signs_of(self, game: str) -> Mapping[str, Sign]:
        if game not in self._signs:
            try:
                parts = self._screens[game].emoji_parts()
                self._signs[game] = {emoji: sign_of(part) for emoji, part in parts.items()}
            except Exception:  # texts are complete without it
                log.exception("the emoji of %s cannot be drawn", game)
                self._signs[game] = {}
        return self._signs[game]

    def _draw_up(self) -> None:
        """Shows from now on all that is known to be there."""
        self._shown = {name: row.id for name, row in self._ours.items()}
        self._legends.clear()
        self._drawn_up += 1

    def _withdraw(self) -> None:
        """Shows none until Discord has been asked what is there."""
        self._ours.clear()
        self._there = None
        self._draw_up()

    def _doubt(self, drawn_up: int) -> None:
        """Discord did not take a message with the emoji of an earlier legend, but took it without them."""
        if drawn_up != self._drawn_up:
            return  # there are other ones now
        now = self._clock.now()
        again = self._doubted is not None and 0 <= now - self._doubted < RETRY_MOST
        self._withdraw()
        self._doubted, self._began, self._wait = now, now, RETRY_MOST if again else 0.0
        log.warning(
            "Discord did not take the bot's own emoji. Ordinary ones are shown until they are looked up."
        )

    # -- bringing Discord up to date

    def start_due(self, now: float) -> None:
        """Starts the next step if it is due and none is under way. `now` may have jumped back."""
        if not self._on or self.task is not None or self._client.application_id is None:
            return
        if self._uploads and not self._uploaded:
            self._wait = 0.0  # it has become the first, and takes over what the last one may have left undone
        self._uploaded = self._uploads
        if not 0 <= now - self._began < self._wait:
            self.task = asyncio.create_task(self._do(), name="emoji")

    async def _do(self) -> None:
        doubted = self._doubted
        try:
            wait = await self._step()
        except UNDELIVERED as error:
            wait = self._failed(error)
        except StoreError as error:
            log.warning("the bot's own emoji could not be noted: %s", error)
            self._there = None
            wait = RETRY_MOST
        except Exception:
            log.exception("the bot's own emoji could not be seen to")
            self._there = None
            wait = RETRY_MOST
        finally:
            self.task = None
        if self._doubted == doubted:
            self._began, self._wait = self._clock.now(), wait

    async def _step(self) -> float:
        """Makes one request at most. Returns after how many seconds to make the next."""
        if not self._uploads and self._doubted is None:
            await self._heard()
        elif self._there is None:
            await self._look()
        elif missing := self._to_upload():
            if not await self._upload(missing[0]):
                return RETRY_FIRST
        elif outdated := self._to_delete():
            await self._delete(outdated[0])
        if self._to_upload() or self._to_delete():
            return self.between
        await self._tell_others()
        return self._settled()

    async def _tell_others(self) -> None:
        if self._news:
            await self._fleet.publish("emoji")
            self._news = False

    def _settled(self) -> float:
        """All is done that can be done now. Returns after how many seconds to look again."""
        self._draw_up()
        self._there = None
        missing = self._missing()
        passed_over = {sign.name for sign in missing} & self._passed_over
        self._passed_over.clear()
        if not missing:
            self._failures, self._told = 0, False
            return LOOK_AGAIN
        if passed_over:
            return RETRY_FIRST
        if not self._uploads:
            return self._later()
        self._tell(
            "The application has as many emoji as Discord allows; %s of the games are missing.", len(missing)
        )
        return LOOK_AGAIN

    def _wanted(self) -> dict[str, Sign]:
        """The emoji of all games by name. Games may share some."""
        return {sign.name: sign for game in self._screens for sign in self._signs_of(game).values()}

    def _missing(self) -> list[Sign]:
        absent = [sign for name, sign in self._wanted().items() if name not in self._ours]
        return [sign for sign in absent if sign.name not in self._spoilt]

    def _to_upload(self) -> list[Sign]:
        if not self._uploads or len(self._there or {}) >= MOST:
            return []
        return [sign for sign in self._missing() if sign.name not in self._passed_over]

    def _to_delete(self) -> list[EmojiRow]:
        """What no game has any more. It stays for a while, unless its room is needed."""
        wanted, there = self._wanted(), self._there or {}
        outdated = [row for name, row in self._ours.items() if name not in wanted]
        if not outdated or not self._uploads:
            return []
        newest = max((_made_at(row.id) for name, row in self._ours.items() if name in wanted), default=0.0)
        crowded = len(there) + len(self._missing()) > MOST
        return outdated if crowded or self._clock.now() - newest >= STAYS else []

    async def _look(self) -> None:
        """Looks through what Discord has. Takes up what is there although the store did not keep it."""
        self._there = {emoji.name: emoji for emoji in await self._client.fetch_application_emojis()}
        kept = {row.name: row for row in await self._store.emoji()}
        digests = {row.name: row.digest for row in kept.values()}
        digests |= {name: sign.digest for name, sign in self._wanted().items()}
        ours = {
            name: EmojiRow(name, digests[name], emoji.id)
            for name, emoji in self._there.items()
            if name in digests
        }
        if self._uploads:
            gone = [name for name in kept if name not in ours]
            found = [row for name, row in ours.items() if kept.get(name) != row]
            await self._store.drop_emoji(gone)
            await self._store.keep_emoji(found)
            self._news = self._news or bool(gone or found)
        if ours != self._ours:
            self._ours = ours
            self._draw_up()

    async def _upload(self, sign: Sign) -> bool:
        """Uploads an emoji. Returns False if it could not be rendered now."""
        try:
            data = await self._gallery.file(sign.picture)
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
            if sign.name in self._refused:
                log.error("Discord does not accept the emoji %s (%s)", sign.name, Brief(error))
                self._spoilt.add(sign.name)
            self._refused.add(sign.name)
            self._passed_over.add(sign.name)
            return True
        assert self._there is not None
        row = self._ours[sign.name] = EmojiRow(sign.name, sign.digest, emoji.id)
        self._there[sign.name] = emoji
        await self._store.keep_emoji([row])
        self._news = True
        return True

    async def _delete(self, row: EmojiRow) -> None:
        assert self._there is not None
        emoji = self._there.pop(row.name)
        with suppress(discord.NotFound):  # somebody else was quicker
            await emoji.delete()
        del self._ours[row.name]
        await self._store.drop_emoji([row.name])
        self._news = True

    def _failed(self, error: Exception) -> float:
        """Returns after how many seconds to try again."""
        self._draw_up()  # what has been uploaded so far
        self._there = None  # it is uncertain what Discord has done
        wait = self._later()
        self._tell(
            "The bot's own emoji cannot be brought to Discord now (%s). Ordinary ones are shown in place of those that "
            "are missing, and the bot tries again by itself.",
            Brief(error),
        )
        return wait if is_transient(error) else RETRY_MOST

    def _later(self) -> float:
        self._failures += 1
        return min(RETRY_MOST, RETRY_FIRST * 2 ** (self._failures - 1))

    def _tell(self, text: str, *facts: object) -> None:
        """Says in the log that something is missing: once until all is there."""
        if not self._told:
            log.warning(text, *facts)
        self._told = True


def _made_at(number: int) -> float:
    """When Discord gave out this id, in seconds since 1970."""
    return discord.utils.snowflake_time(number).timestamp()
