"""Replies that show how far long work is until its outcome takes their place, and the sizes that tests shorten.

The outcome is sent through the token of the press that asked for it, so it costs none of the counted requests. The
progress has a button that asks again, also after a restart.
"""

from __future__ import annotations

import logging
from dataclasses import dataclass
from functools import partial
from typing import Final, Protocol

from bot.background import Background
from bot.clock import Clock
from bot.gateway.errors import Brief, is_transient
from bot.ui.interaction import UNDELIVERED, Interaction, Reply, ResponseMode
from bot.ui.screens.kit import Screen

log = logging.getLogger(__name__)
UPDATE_EVERY: Final = 2.0
"""Seconds between two updates of the progress. Discord allows about 5 edits in 2 s through one token."""


class LongWork(Protocol):
    """Work whose outcome a reply waits for."""

    async def wait(self, seconds: float) -> bool:
        """Waits for at most `seconds`. Returns whether there is an outcome."""
        ...

    def progress(self) -> Screen:
        """How far the work is."""
        ...

    async def outcome(self) -> Screen:
        """The screen that takes the place of the progress."""
        ...

    def leave(self) -> None:
        """Ends the wait. Called once."""
        ...


class ProgressReplies:
    """Keeps replies up to date while the work goes on that they wait for."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._newest: dict[int | None, int] = {}
        """By message: the newest press whose work is shown there."""
        self.waits = Background()
        """The waits of replies. They end when the work ends."""

    def reply(self, interaction: Interaction, work: LongWork, mode: ResponseMode) -> Reply:
        """The reply with the progress of this work."""
        self.end_earlier(interaction)
        return Reply(
            work.progress(), mode, on_delivered=partial(self._begin, interaction, work), lost=work.leave
        )

    def end_earlier(self, interaction: Interaction) -> None:
        """Ends the waits of earlier presses on the same message."""
        if interaction.on_private and interaction.message is not None:
            self._newest.pop(interaction.message.id, None)

    async def _begin(self, interaction: Interaction, work: LongWork, message: int | None) -> None:
        name = f"{interaction.to.intent} of table {interaction.to.table}"
        self.waits.start(self._follow(interaction, work, message), name)

    async def _follow(self, interaction: Interaction, work: LongWork, message: int | None) -> None:
        self._newest[message] = interaction.id
        shown = work.progress().view().digest
        try:
            while not await work.wait(UPDATE_EVERY):
                if not self._can_edit(interaction, message):
                    return
                screen = work.progress()
                if (now := screen.view().digest) == shown:
                    continue
                shown = now
                if not await self._edit(interaction, message, screen):
                    return
            await self._edit(interaction, message, await work.outcome())
        except Exception:
            log.exception("table %s: could not show the outcome of a %s", *interaction.to[1::-1])
        finally:
            work.leave()
            if self._newest.get(message) == interaction.id:
                del self._newest[message]

    async def _edit(self, interaction: Interaction, message: int | None, screen: Screen) -> bool:
        """Edits the reply. Returns False if that failed for good."""
        token = interaction.token
        if token is None or not self._can_edit(interaction, message):
            return False
        try:
            await token.edit(message, token.prepare(screen.view()))
        except UNDELIVERED as error:
            log.info("table %s: could not edit the reply to a %s (%s)", *interaction.to[1::-1], Brief(error))
            return is_transient(error)
        return True

    def _can_edit(self, interaction: Interaction, message: int | None) -> bool:
        """Whether the token is valid, and no later press uses the message."""
        alive = interaction.token is not None and interaction.token.until > self._clock.now()
        return alive and self._newest.get(message) == interaction.id


@dataclass(frozen=True, slots=True)
class FilmQueueLimits:
    """The film queue and the film cache."""

    waiting: int = 40
    """The maximum length of the queue. At 2 to 7 s a film, the last one is ready before the token of its press
    expires."""
    waiting_here: int = 10
    """The maximum number of queued films per server."""


@dataclass(frozen=True, slots=True)
class ReviewLimits:
    """The reviews of matches that are over."""

    decisions: int = 60
    """The maximum number of decisions that are looked at. Those of longer matches are sampled evenly."""
    turns: int = 60
    """The maximum number of moves after which the chance to win is found: two a turn, sampled evenly."""


FILM_QUEUE: Final = FilmQueueLimits()
REVIEWS: Final = ReviewLimits()
