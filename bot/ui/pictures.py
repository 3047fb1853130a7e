"""Puts pictures on screens, unless servers or people have chosen text only.

No message waits long for its picture: if the picture is not ready, a private screen is sent with the text alone, and
another message with the previous picture of that place; the picture follows by a later edit.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from bot.art.picture import Picture
from bot.art.picture_cache import PictureCache, Place, Plate
from bot.art.scene import WIDTH
from bot.fleet.fleet import Fleet
from bot.store.model import Scope
from bot.store.store import Store
from bot.ui.application_emoji.registry import EmojiRegistry
from bot.ui.screens.kit import PICTURED, Screen
from bot.ui.screens.screen_view import NO_EMOJI, EmojiMap
from bot.ui.uploads import Uploads

log = logging.getLogger(__name__)

SCOPES: Final[tuple[Scope, ...]] = ("guild", "person")


class PictureChoices:
    """The choices, stored durably and cached in every process."""

    def __init__(self, store: Store, fleet: Fleet | None = None) -> None:
        self._store = store
        self._fleet = fleet if fleet is not None else Fleet()
        self._text_only: dict[Scope, set[int]] = {scope: set() for scope in SCOPES}
        self._fleet.on("pictures", self.load)
        self._fleet.on("forgotten", self.load)

    async def load(self) -> None:
        """Reads the choices. To be called once the store is open. Raises `StoreError`."""
        chosen: dict[Scope, set[int]] = {scope: set() for scope in SCOPES}
        for scope, number in await self._store.text_only():
            chosen[scope].add(number)
        self._text_only = chosen

    def text_only(self, scope: Scope, number: int) -> bool:
        """Whether this server or person has chosen text only."""
        return number in self._text_only[scope]

    def shown(self, guild: int, user: int | None = None) -> bool:
        """Whether pictures are shown in this server and, with `user`, on that person's own screens there."""
        return guild not in self._text_only["guild"] and user not in self._text_only["person"]

    async def choose(self, scope: Scope, number: int, *, text_only: bool) -> None:
        """Stores the choice of a server or person. Raises `StoreError`; the choice is then unchanged."""
        await self._store.set_text_only(scope, number, text_only)
        await self.note(scope, number, text_only=text_only)

    async def note(self, scope: Scope, number: int, *, text_only: bool) -> None:
        """Makes a choice that has been stored known to every process."""
        if text_only:
            self._text_only[scope].add(number)
        else:
            self._text_only[scope].discard(number)
        await self._fleet.publish_with_retry("pictures")

    def forget(self, user: int) -> None:
        """Forgets a person whose choice the store has deleted."""
        self._text_only["person"].discard(user)


@dataclass(frozen=True, slots=True)
class Wanted:
    """A picture that a screen is to have: its drawing and its place.

    The picture stands before the item `at`, `below` the text whose component has this id (first, if there is no such
    text), or small `beside` such a text; below that text if it is as wide as a message. The server `guild`, and the
    person `user` of a private screen, may have chosen to see no pictures. The picture takes the place of the text whose
    component has the id `instead`.
    """

    draw: Callable[[], Picture | None]
    place: Place
    guild: int
    user: int | None = None
    at: int = 1
    below: int | None = None
    beside: int | None = None
    instead: int = PICTURED


class Pictures:
    """Puts pictures on screens."""

    def __init__(
        self,
        cache: PictureCache,
        choices: PictureChoices,
        emoji: EmojiRegistry,
        uploads: Uploads,
        lag: Callable[[], float] = lambda: 0.0,
        wait: float = 0.5,
    ) -> None:
        self.cache = cache
        self.choices = choices
        self.emoji = emoji
        self.uploads = uploads
        """Sends the pictures with their messages."""
        self.wait = wait
        """Seconds for which a screen waits for its picture."""
        self._lag = lag
        """Returns how many seconds out of date pictures may be now, because of the bot's load."""
        self._drawn_at: dict[Place, float] = {}
        """By place, under load: when a picture was last drawn for this place, by the event loop's clock."""

    def emoji_map(self, game: str, guild: int, user: int | None = None) -> EmojiMap:
        """The application's own emoji of a game for public messages in this server, or for private ones of `user`."""
        return self.emoji.emoji_map(game) if self.choices.shown(guild, user) else NO_EMOJI

    def at_hand(self, screen: Screen, wanted: Wanted) -> bool:
        """Puts the picture on the screen if it is ready, or else the newest picture of its place.

        Returns whether the screen is complete: it has the right picture, or none is to come. If not, the screen is
        worth drawing again.
        """
        if self._may_lag(screen, wanted):
            return False
        picture = self._view(wanted)
        if picture is None:
            return True
        return self._put(screen, wanted, picture, self.cache.at_hand(picture, wanted.place))

    async def soon(
        self,
        screen: Screen,
        wanted: Wanted,
        then: Callable[[], None] | None = None,
        wait: float | None = None,
    ) -> bool:
        """As `at_hand`, but waits up to `wait` seconds for the picture if it can be expected within them.

        If `wait` is None, that is the usual time of screens.
        If the picture is not ready after the wait, `then` is called once its rendering has succeeded or failed.
        """
        if self._may_lag(screen, wanted):
            return False
        picture = self._view(wanted)
        if picture is None:
            return True
        rendered = await self.cache.soon(picture, wanted.place, self.wait if wait is None else wait)
        if rendered is None and then is not None:
            self.cache.call_when_done(picture, then)
        return self._put(screen, wanted, picture, rendered)

    def _may_lag(self, screen: Screen, wanted: Wanted) -> bool:
        """Whether the old picture is shown for now, because of the bot's load. If so, puts it on the screen."""
        lag = self._lag()
        if lag <= 0:
            self._drawn_at.clear()
            return False
        if not self.cache.on or not self.choices.shown(wanted.guild, wanted.user):
            return False
        now = asyncio.get_running_loop().time()
        shown = self.cache.newest(wanted.place)
        last = self._drawn_at.get(wanted.place)
        if last is None or now - last >= lag:
            self._drawn_at[wanted.place] = now
            return False
        if shown is not None and wanted.beside is None and not _contradicts(screen, wanted):
            screen.insert_picture(shown, _where(screen, wanted))
        return True

    def _view(self, wanted: Wanted) -> Picture | None:
        if not self.cache.on or not self.choices.shown(wanted.guild, wanted.user):
            return None
        picture = None
        try:
            picture = wanted.draw()
        except Exception:  # the text is complete without it
            log.exception("table %s: the picture %r could not be drawn", wanted.place[1], wanted.place[0])
        if picture is None:
            self.cache.drop(wanted.place)
        return picture

    def _put(self, screen: Screen, wanted: Wanted, picture: Picture, rendered: Plate | None) -> bool:
        comes = self.cache.comes(picture)
        shown = rendered
        if rendered is None and comes and wanted.beside is None and not _contradicts(screen, wanted):
            shown = self.cache.newest(wanted.place)
        if shown is not None and wanted.beside is not None:
            add = screen.headline if picture.width >= WIDTH else screen.thumbnail
            add(shown, wanted.beside)
        elif rendered is not None:
            screen.picture(rendered, _where(screen, wanted), wanted.instead)
        elif shown is not None:  # it shows an earlier state, so the text that it takes the place of stays
            screen.insert_picture(shown, _where(screen, wanted))
        return rendered is not None or not comes


def _contradicts(screen: Screen, wanted: Wanted) -> bool:
    """Whether an older picture would stand beside newer text: on a private screen."""
    return wanted.user is not None and bool(screen.after(wanted.instead))


def _where(screen: Screen, wanted: Wanted) -> int:
    """The index of the screen's item before which a picture stands."""
    return wanted.at if wanted.below is None else screen.after(wanted.below)
