"""The emoji registry: the emoji that are shown now, and the schedule of the requests that update those at Discord."""

from __future__ import annotations

import asyncio
import logging
from functools import partial
from typing import Final

from bot.clock import Clock
from bot.fleet.fleet import Fleet
from bot.gateway.errors import UNDELIVERED, Brief, is_transient
from bot.store.model import EmojiRow, StoreError
from bot.tables.model import DAY, HOUR, MINUTE
from bot.ui.application_emoji.uploads import EmojiUploads
from bot.ui.screens.screen_view import EmojiMap

log = logging.getLogger(__name__)
LOOK_AGAIN: Final = DAY
"""Seconds until the next check of the emoji at Discord, once all are uploaded."""
STAYS: Final = DAY
"""Seconds from the newest upload until outdated emoji are deleted, because another process may still show them."""
RETRY_FIRST: Final = MINUTE
"""The shortest wait, in seconds, before another try."""
RETRY_MOST: Final = HOUR
"""The longest wait, in seconds, before another try."""


BETWEEN: Final = 2.0
"""The seconds between two requests, because Discord allows few changes of emoji in a row."""


class EmojiRegistry:
    """Updates the application's emoji at Discord to the games' drawings, and determines the emoji that can be shown.

    With `on` False no emoji is shown or uploaded. Only the leader of a `fleet` changes emoji at Discord. The other
    processes use the emoji that the store lists.
    """

    def __init__(self, uploads: EmojiUploads, clock: Clock, fleet: Fleet, *, on: bool) -> None:
        self._uploads = uploads
        self._clock = clock
        self._fleet = fleet
        self._on = on
        self.between = BETWEEN
        self._led = fleet.is_leader
        """Whether this process was the leader when the last step was due."""
        fleet.on("emoji", self._reload)
        self.task: asyncio.Task[None] | None = None
        """The step under way."""
        self._shown: dict[str, int] = {}
        """By name: the ids of the emoji that are shown. New uploads are added only once all are done, so that screens
        do not change with every upload.
        """
        self._maps: dict[str, EmojiMap] = {}
        """By game: its emoji map."""
        self._edition = 0
        """The number of times that the emoji maps were made anew."""
        self._began = 0.0
        self._wait = 0.0
        """The seconds from `_began` until the next step is due."""
        self._doubted: float | None = None
        """When Discord last refused an emoji that should exist, in host time."""
        self._failures = 0
        """The number of steps in a row that failed, or found emoji missing that another process is to upload."""
        self._warned = False
        """Whether a warning about missing emoji has been logged."""

    async def load(self) -> None:
        """Reads the emoji in the store. To be called once the store is open and the application known.

        Raises `StoreError`.
        """
        if self._on:
            await self._uploads.claim()
            await self._uploads.load()
            self._show_all()

    async def _reload(self) -> None:
        """Reads the emoji that the leader has stored, because they have changed. Raises `StoreError`."""
        if self._on and not self._fleet.is_leader:
            await self._uploads.load()
            self._show_all()

    async def forget(self) -> None:
        """Deletes the stored list of emoji, and has the emoji at Discord checked at once. Raises `StoreError`."""
        await self._uploads.drop()
        self._show_all()
        self._wait = 0.0

    def close(self) -> None:
        """Stops the registry, and cancels the step under way; the next start continues the work."""
        self._on = False
        if self.task is not None:
            self.task.cancel()

    # -- the emoji to show

    def emoji_map(self, game: str) -> EmojiMap:
        """The emoji map of a game, with the emoji that can be shown now."""
        made = self._maps.get(game)
        if made is None:
            signs = self._uploads.signs.of(game)
            words = {emoji: sign.word for emoji, sign in signs.items()}
            ids = {emoji: self._shown[sign.name] for emoji, sign in signs.items() if sign.name in self._shown}
            made = self._maps[game] = EmojiMap(words, ids, partial(self._doubt, self._edition))
        return made

    def _show_all(self) -> None:
        """Has all emoji shown that are known to be at Discord."""
        self._shown = {name: row.id for name, row in self._uploads.known.items()}
        self._maps.clear()
        self._edition += 1

    def _doubt(self, edition: int) -> None:
        """Has ordinary emoji shown until the next check.

        To be called if Discord refused a message with the emoji of this edition, but accepted it without them.
        """
        if edition != self._edition:
            return  # the emoji maps were made anew meanwhile
        now = self._clock.now()
        limit = RETRY_MOST
        again = self._doubted is not None and 0 <= now - self._doubted < limit
        self._uploads.withdraw()
        self._show_all()
        self._doubted, self._began, self._wait = now, now, limit if again else 0.0
        log.warning(
            "Discord did not take the bot's own emoji. Ordinary ones are shown until they are looked up."
        )

    # -- bringing Discord up to date

    def start_due(self, now: float) -> None:
        """Starts the next step if it is due and none is under way. `now` may have jumped back."""
        if not self._on or self.task is not None or self._uploads.application is None:
            return
        if self._fleet.is_leader and not self._led:
            self._wait = 0.0  # a new leader takes over the work that the last one may have left undone
        self._led = self._fleet.is_leader
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
            self._uploads.look_again()
            wait = RETRY_MOST
        except Exception:
            log.exception("the bot's own emoji could not be seen to")
            self._uploads.look_again()
            wait = RETRY_MOST
        finally:
            self.task = None
        if self._doubted == doubted:
            self._began, self._wait = self._clock.now(), wait

    async def _step(self) -> float:
        """Makes one request at most. Returns the seconds until the next step."""
        uploads, leads = self._uploads, self._fleet.is_leader
        if not leads and self._doubted is None:
            await self._reload()
        elif not uploads.looked:
            if await uploads.look(store=leads):
                self._show_all()
        elif leads and (missing := uploads.to_upload()):
            if not await uploads.upload(missing[0]):
                return RETRY_FIRST
        elif leads and (outdated := self._to_delete()):
            await uploads.delete(outdated[0])
        if self._fleet.is_leader and (uploads.to_upload() or self._to_delete()):
            return self.between
        if uploads.unpublished:
            await self._fleet.publish("emoji")
            uploads.unpublished = False
        return self._settled()

    def _to_delete(self) -> list[EmojiRow]:
        return self._uploads.to_delete(self._clock.now() - STAYS)

    def _settled(self) -> float:
        """Has all known emoji shown after the last request of a round. Returns the seconds until the next check."""
        self._show_all()
        self._uploads.look_again()
        missing = self._uploads.missing()
        if not missing:
            self._failures, self._warned = 0, False
            return LOOK_AGAIN
        if not self._fleet.is_leader:
            return self._later()
        self._warn(
            "The application has as many emoji as Discord allows; %s of the games are missing.", len(missing)
        )
        return LOOK_AGAIN

    def _failed(self, error: Exception) -> float:
        """Returns the seconds until the next try."""
        self._show_all()  # the emoji that have been uploaded so far
        self._uploads.look_again()  # the request may have had an effect
        wait = self._later()
        self._warn(
            "The bot's own emoji cannot be brought to Discord now (%s). Ordinary ones are shown in place of those that "
            "are missing, and the bot tries again by itself.",
            Brief(error),
        )
        return wait if is_transient(error) else RETRY_MOST

    def _later(self) -> float:
        self._failures += 1
        return min(RETRY_MOST, RETRY_FIRST * 2 ** (self._failures - 1))

    def _warn(self, text: str, *facts: object) -> None:
        """Logs a warning about missing emoji, unless one was logged since all were last present."""
        if not self._warned:
            log.warning(text, *facts)
        self._warned = True
