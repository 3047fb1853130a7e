"""Notices if a second bot uses the same token: Discord then says that presses have already been answered."""

from __future__ import annotations

import logging
from collections import deque

from bot.clock import Clock
from bot.ui.timing import RIVAL, RivalTiming

log = logging.getLogger(__name__)


class Rival:
    """Counts presses and commands that somebody else answered before this process could."""

    def __init__(self, clock: Clock, timing: RivalTiming = RIVAL) -> None:
        self._clock = clock
        self._timing = timing
        self._came: dict[int, None] = {}
        """The interactions that were delivered last, in their order."""
        self._repeated = deque[int](maxlen=timing.remembered)
        self._lost = deque[float](maxlen=timing.enough)
        self._told: float | None = None

    def came(self, interaction: int) -> None:
        """Notes that an interaction was delivered to this process."""
        if interaction in self._came:
            self._repeated.append(interaction)
        self._came[interaction] = None
        if len(self._came) > self._timing.remembered:
            del self._came[next(iter(self._came))]

    def lost(self, interaction: int) -> None:
        """Notes that somebody else had answered it already. Reports a rival once that is the likely cause."""
        if interaction in self._repeated:
            # It was delivered twice, and this process answered it the first time.
            return
        now, timing = self._clock.now(), self._timing
        self._lost.append(now)
        if len(self._lost) < timing.enough or now - self._lost[0] > timing.within:
            return
        if self._told is None or now - self._told >= timing.again:
            self._told = now
            log.error(
                "somebody else has answered presses on this bot, %s within %.0f s: most likely a second bot runs with "
                "the same DISCORD_TOKEN. Stop it, or give it a token of its own; if you run only one, the token is in "
                "other hands: make a new one in the developer portal",
                timing.enough,
                now - self._lost[0],
            )
