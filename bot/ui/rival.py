"""Notices a second bot with the same token: Discord then says of presses that they had been answered already."""

from __future__ import annotations

import logging
from collections import deque
from typing import Final

from bot.clock import Clock

log = logging.getLogger(__name__)

ENOUGH: Final = 3
WITHIN: Final = 600.0
"""So many such presses within so many seconds are no accident."""
AGAIN: Final = 3600.0
"""Seconds until it is told once more."""
REMEMBERED: Final = 1000


class Rival:
    """Counts presses and commands that somebody else had answered before this process could."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._came = deque[int](maxlen=REMEMBERED)
        self._repeated = deque[int](maxlen=REMEMBERED)
        self._lost = deque[float](maxlen=ENOUGH)
        self._told: float | None = None

    def came(self, interaction: int) -> None:
        """An interaction has been delivered here."""
        if interaction in self._came:
            self._repeated.append(interaction)
        self._came.append(interaction)

    def lost(self, interaction: int) -> None:
        """Somebody else had answered it before. Tells of a rival once that is the likely cause."""
        if interaction in self._repeated:  # delivered twice, and it was this process that answered
            return
        now = self._clock.now()
        self._lost.append(now)
        if len(self._lost) < ENOUGH or now - self._lost[0] > WITHIN:
            return
        if self._told is None or now - self._told >= AGAIN:
            self._told = now
            log.error(
                "somebody else has answered presses on this bot, %s within %.0f s: most likely a second bot runs with "
                "the same DISCORD_TOKEN. Stop it, or give it a token of its own; if you run only one, the token is in "
                "other hands: make a new one in the developer portal",
                ENOUGH,
                now - self._lost[0],
            )
