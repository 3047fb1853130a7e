"""When other processes were last seen to renew their leases, by this process's own clock.

The database's clock may be set forward while the processes run. All leases then seem to have run out, but those who
live renew theirs within two seconds, and whoever has watched them knows that they are not late.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

WATCHED: Final = 0.75
"""A lease that has run out by the database's clock is taken away from who has not been seen to renew it for this part
of its length. The rest is for the time until the others see a renewal.
"""


class Beats:
    """What this process has seen of the others' renewals."""

    def __init__(self) -> None:
        self._seen: dict[int, tuple[object, float]] = {}

    def see(self, now: float, leases: Mapping[int, object]) -> None:
        """Notes until when each process's lease lasts by the database's clock: each renewal changes that."""
        self._seen = {
            process: seen
            if (seen := self._seen.get(process)) is not None and seen[0] == until
            else (until, now)
            for process, until in leases.items()
        }

    def silent(self, process: int, now: float) -> float:
        """For how many seconds the process has certainly not renewed its leases."""
        seen = self._seen.get(process)
        return 0.0 if seen is None else now - seen[1]
