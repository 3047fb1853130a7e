"""Sends messages with their pictures and other files, and without them where Discord does not accept files.

Discord may refuse files for minutes, or for want of a permission, while it accepts text. A message whose files are
refused is sent once more without them. If Discord accepts that, pictures pause in the channel for a while.
"""

from __future__ import annotations

import io
import logging
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeVar

import discord

from bot.art.picture_cache import Plate
from bot.clock import Clock
from bot.gateway.errors import MISSING_PERMISSIONS, UNDELIVERED, Brief
from bot.gateway.uploading import uploading
from bot.observability.metrics import FilesRefused
from bot.tables.model import MINUTE
from bot.ui.screens.screen_view import ScreenView

log = logging.getLogger(__name__)

T = TypeVar("T")

REFUSED: Final = 400
"""The HTTP status with which Discord refuses an edit that retains a file which the message no longer has."""
TOO_LARGE: Final = 413
"""The HTTP status with which Discord refuses files; also another status with the code `ENTITY_TOO_LARGE`."""
ENTITY_TOO_LARGE: Final = 40005
"""Discord's error code for files that are too large, also if they are not."""
INVALID: Final = 50035
"""Discord's error code for an invalid message, such as one with a button whose emoji was deleted."""

Attachments = Sequence[discord.Attachment]


PATIENCE: Final = 8.0
"""Seconds after which a request with files is given up. The first answer to a press has less time."""
PAUSE: Final = 5 * MINUTE
"""Seconds for which pictures pause in a channel whose files Discord has refused."""


@dataclass(slots=True)
class _Refusal:
    """The refusal of files in a channel."""

    until: float
    """When files are tried again, in host time."""
    forbidden: bool
    """Whether the bot lacks the permission to attach files."""
    private: bool
    """Whether the files of a private answer were refused."""
    informed: set[int] = field(default_factory=set[int])
    """The people who were informed of the missing permission."""


class Uploads:
    """The channels in which Discord does not accept files."""

    def __init__(self, clock: Clock, refused: Callable[[FilesRefused], None]) -> None:
        """`refused` is called for each message that was accepted only without its files."""
        self._clock = clock
        self._refused = refused
        self._refusals: dict[int, _Refusal] = {}
        """The newest refusal by channel."""

    def paused_until(self, channel: int) -> float | None:
        """When pictures come back to a channel, in host time; None if they do not pause there."""
        refusal = self._refusals.get(channel)
        return refusal.until if refusal is not None and refusal.until > self._clock.now() else None

    def is_forbidden(self, channel: int) -> bool:
        """Whether the bot lacked the permission to attach files in a channel at its last try."""
        refusal = self._refusals.get(channel)
        return refusal is not None and refusal.forbidden

    def inform(self, channel: int, user: int) -> bool:
        """Notes that a person is informed of a channel's last refusal. Returns False if they were before."""
        refusal = self._refusals.get(channel)
        if refusal is None or user in refusal.informed:
            return False
        refusal.informed.add(user)
        return True

    def prepare(self, channel: int, view: ScreenView) -> ScreenView:
        """The view, without its pictures if they pause in the channel. To be called before drawings are compared."""
        paused = self.paused_until(channel) is not None and not self._is_exempt(channel, view)
        if paused and view.plates and not view.asked_for:
            view.give_up_files()
        return view

    def _is_exempt(self, channel: int, view: ScreenView) -> bool:
        """Whether the view is a private answer, which needs no permission, and the last refusal was of a post."""
        refusal = self._refusals.get(channel)
        return refusal is not None and refusal.forbidden and view.private and not refusal.private

    async def send(
        self,
        channel: int,
        view: ScreenView,
        send: Callable[[list[Any]], Awaitable[T]],
        *,
        held: Attachments | None = None,
        until: float | None = None,
    ) -> T:
        """Posts or edits a message that shows this view by `send`, which is given all files of the message.

        `held` are the present files of an edited message, as far as they are known: a file among them is not sent
        again. `held` may be out of date, so each edit names its files, even if there are none: without a list Discord
        would retain the old files, and show a file that is in no component below the message. Files that Discord has
        not accepted by the time `until`, on the event loop's clock, are given up.
        """
        self.prepare(channel, view)
        kept: dict[str, discord.Attachment] = {each.filename: each for each in held or ()}
        try:
            try:
                return await self._with_files(channel, view, send, kept, until)
            except discord.HTTPException as error:
                outdated = error.status == REFUSED and error.code != ENTITY_TOO_LARGE
                if not outdated or not any(each.name in kept for each in view.plates):
                    raise
            kept = {}  # another edit has meanwhile replaced the file
            return await self._with_files(channel, view, send, kept, until)
        except UNDELIVERED as error:
            reason = _reason(error)
            if reason is None or all(each.name in kept for each in view.plates):
                raise
            refusal = error
        view.give_up_files()
        sent = await with_emoji(lambda: send([]), view)
        self._pause(channel, view, reason, refusal)
        return sent

    async def _with_files(
        self,
        channel: int,
        view: ScreenView,
        send: Callable[[list[Any]], Awaitable[T]],
        kept: Mapping[str, discord.Attachment],
        until: float | None,
    ) -> T:
        def attempt() -> Awaitable[T]:
            return send([kept.get(each.name) or _file(each) for each in view.plates])

        if all(each.name in kept for each in view.plates):
            return await with_emoji(attempt, view)
        async with uploading(PATIENCE, until):
            sent = await with_emoji(attempt, view)
        refusal = self._refusals.get(channel)
        if refusal is not None and not self._is_exempt(channel, view):
            refusal.until, refusal.forbidden = 0.0, False
        return sent

    def _pause(self, channel: int, view: ScreenView, reason: FilesRefused, error: Exception) -> None:
        """Notes that Discord has accepted a message only without its files."""
        self._refused(reason)
        if view.asked_for:
            log.warning("channel %s: Discord does not accept a file (%s)", channel, Brief(error))
            return
        now, before = self._clock.now(), self._refusals.get(channel)
        known = before.informed if before is not None else set[int]()
        self._refusals = {
            each: refusal
            for each, refusal in self._refusals.items()
            if refusal.forbidden or refusal.informed or refusal.until > now
        }
        self._refusals[channel] = _Refusal(now + PAUSE, reason == "forbidden", view.private, known)
        log.warning(
            "channel %s: Discord accepts no files (%s%s); pictures pause there for %.0f s",
            channel,
            Brief(error),
            ", without Attach Files" if reason == "forbidden" else "",
            PAUSE,
        )


class _File(discord.File):
    """A file that can be sent again if a connection drops: each request reads it from its beginning."""

    def reset(self, *, seek: int | bool = True) -> None:
        super().reset(seek=True)

    def close(self) -> None:
        """Leaves the buffer open, which takes up nothing but memory."""


def _file(plate: Plate) -> discord.File:
    return _File(io.BytesIO(plate.data), plate.name, description=plate.alt or None)


def _reason(error: Exception) -> FilesRefused | None:
    """The reason why a message with files was refused; None if the refusal does not concern the files."""
    if not isinstance(error, discord.HTTPException) or error.status >= 500:
        return "failed"
    if error.status == TOO_LARGE or error.code == ENTITY_TOO_LARGE:
        return "refused"
    return "forbidden" if isinstance(error, discord.Forbidden) and error.code == MISSING_PERMISSIONS else None


async def with_emoji(send: Callable[[], Awaitable[T]], view: ScreenView) -> T:
    """Sends a message that shows this view; if Discord refuses the message, sends it once more with ordinary emoji.

    Somebody may have deleted one of the application's own emoji, and Discord then refuses a button with that emoji.
    """
    try:
        return await send()
    except discord.HTTPException as error:
        doubt = view.give_up_emoji() if error.code == INVALID else None
        if doubt is None:
            raise
    sent = await send()
    doubt()
    return sent
