"""Whether a process of a fleet reaches Discord, or is cut off from it while others are not."""

from __future__ import annotations

from typing import Final

from bot.store.model import Reach

CUT_OFF: Final = 120.0
"""Seconds without a connection, while another process has one, after which a process is cut off from Discord.

It then has to be connected for as long before it counts as connected again; for twice as long with each further time,
so that shards do not go to and fro with a connection that comes and goes.
"""
LONGEST_PROOF: Final = 3600.0
"""The longest time in seconds for which it has to be connected."""


class Reaching:
    """Tells how this process reaches Discord, from what it sees of itself and of the others."""

    def __init__(self, patience: float = CUT_OFF) -> None:
        """`patience`: seconds without a connection after which the process is cut off."""
        self._patience = patience
        self._reach: Reach = "connecting"
        self._since: float | None = None
        """Since when something speaks for another reach: for being cut off, or for being so no more."""
        self._times = 0
        """How often it was cut off."""

    def look(self, now: float, *, connected: bool, tries: bool, others: bool) -> Reach:
        """How the process reaches Discord at this time, on a clock that nobody sets.

        `connected`: whether it has a connection. `tries`: whether it wants one and Discord keeps it waiting for none.
        `others`: whether another process is connected. If none is, the trouble is Discord's own, and nobody is cut off.
        """
        if self._reach == "cut off":
            if self._lasted(now, for_=self._proof, so=connected):
                self._reach, self._since = "connected", None
        elif connected:
            self._reach, self._since = "connected", None
        elif self._lasted(now, for_=self._patience, so=tries and others):
            self._reach, self._since = "cut off", None
            self._times += 1
        else:
            self._reach = "connecting"
        return self._reach

    @property
    def _proof(self) -> float:
        return min(self._patience * 2 ** min(self._times - 1, 10), LONGEST_PROOF)

    def _lasted(self, now: float, *, for_: float, so: bool) -> bool:
        """Whether it has been so for as long as that."""
        if not so:
            self._since = None
        elif self._since is None:
            self._since = now
        return self._since is not None and now - self._since >= for_
