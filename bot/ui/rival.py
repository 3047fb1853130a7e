"""Detects a second bot with the same token: Discord then refuses answers to presses as already answered."""

from __future__ import annotations

import logging
from collections import deque

from bot.clock import Clock
from bot.ui.timing import RIVAL, RivalTiming

log = logging.getLogger(__name__)


class Rival:
    """Counts presses and commands that another bot answered before this process could."""

    def __init__(self, clock: Clock, timing: RivalTiming = RIVAL) -> None:
        self._clock = clock
        self._timing = timing
        self._delivered: dict[int, None] = {}
        """The ids of the interactions that were delivered last, oldest first."""
        self._repeated = deque[int](maxlen=timing.remembered)
        self._already_answered = deque[float](maxlen=timing.enough)
        self._told: float | None = None

    def note_delivered(self, interaction: int) -> None:
        """Notes that an interaction was delivered to this process."""
        if interaction in self._delivered:
            self._repeated.append(interaction)
        self._delivered[interaction] = None
        if len(self._delivered) > self._timing.remembered:
            del self._delivered[next(iter(self._delivered))]

    def note_already_answered(self, interaction: int) -> None:
        """Notes an interaction that was already answered. Reports a rival once that is the likely cause."""
        if interaction in self._repeated:
            # The interaction was delivered twice, and this process answered it the first time.
            return
        now, timing = self._clock.now(), self._timing
        self._already_answered.append(now)
        if len(self._already_answered) < timing.enough or now - self._already_answered[0] > timing.within:
            return
        if self._told is None or now - self._told >= timing.again:
            self._told = now
            log.error(
                "somebody else has answered presses on this bot, %s within %.0f s: most likely a second bot runs with "
                "the same DISCORD_TOKEN. Stop it, or give it a token of its own; if you run only one, the token is in "
                "other hands: make a new one in the developer portal",
                timing.enough,
                now - self._already_answered[0],
            )
