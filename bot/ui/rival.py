"""Detects a second bot with the same token: Discord refuses this process's answers to presses as already answered."""

from __future__ import annotations

import logging
from collections import deque
from typing import Final

from bot.clock import Clock
from bot.tables.model import HOUR, MINUTE

log = logging.getLogger(__name__)
ENOUGH: Final = 3
"""If this many presses within `WITHIN` were already answered, that is no accident."""
WITHIN: Final = 10 * MINUTE
"""Seconds within which these presses come."""
AGAIN: Final = HOUR
"""Seconds until a rival is reported again."""
_REMEMBERED: Final = 1000
"""The number of interactions for which it is known that they were delivered."""


class Rival:
    """Counts presses and commands that another bot answered before this process could."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._delivered: dict[int, None] = {}
        """The ids of the interactions that were delivered last, oldest first."""
        self._repeated = deque[int](maxlen=_REMEMBERED)
        self._already_answered = deque[float](maxlen=ENOUGH)
        self._reported_at: float | None = None

    def note_delivered(self, interaction: int) -> None:
        """Notes that an interaction was delivered to this process."""
        if interaction in self._delivered:
            self._repeated.append(interaction)
        self._delivered[interaction] = None
        if len(self._delivered) > _REMEMBERED:
            del self._delivered[next(iter(self._delivered))]

    def note_already_answered(self, interaction: int) -> None:
        """Notes an interaction that was already answered. Reports a rival once that is the likely cause."""
        if interaction in self._repeated:
            # The interaction was delivered twice, and this process answered it the first time.
            return
        now = self._clock.now()
        self._already_answered.append(now)
        if len(self._already_answered) < ENOUGH or now - self._already_answered[0] > WITHIN:
            return
        if self._reported_at is None or now - self._reported_at >= AGAIN:
            self._reported_at = now
            log.error(
                "somebody else has answered presses on this bot, %s within %.0f s: most likely a second bot runs with "
                "the same DISCORD_TOKEN. Stop it, or give it a token of its own; if you run only one, the token is in "
                "other hands: make a new one in the developer portal",
                ENOUGH,
                now - self._already_answered[0],
            )
