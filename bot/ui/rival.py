"""Notices if a second bot uses the same token: Discord then says that presses have already been answered."""

from __future__ import annotations

import logging
from collections import deque
from typing import Final

from bot.clock import Clock

log = logging.getLogger(__name__)

ENOUGH: Final = 3
WITHIN: Final = 600.0
"""If this many presses within this many seconds were already answered, that is no accident."""
AGAIN: Final = 3600.0
"""Seconds until a rival is reported again."""
REMEMBERED: Final = 1000


class Rival:
    """Counts presses and commands that somebody else answered before this process could."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._came: dict[int, None] = {}
        """The interactions that were delivered last, in their order."""
        self._repeated = deque[int](maxlen=REMEMBERED)
        self._lost = deque[float](maxlen=ENOUGH)
        self._told: float | None = None

    def came(self, interaction: int) -> None:
        """Notes that an interaction was delivered to this process."""
        if interaction in self._came:
            self._repeated.append(interaction)
        self._came[interaction] = None
        if len(self._came) > REMEMBERED:
            del self._came[next(iter(self._came))]

    def lost(self, interaction: int) -> None:
        """Notes that somebody else had answered it already. Reports a rival once that is the likely cause."""
        if interaction in self._repeated:
            # It was delivered twice, and this process answered it the first time.
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
