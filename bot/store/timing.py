"""The times and sizes of the store that both engines share."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class StoreLimits:
    """The store, whichever engine it has."""

    purge_batch_size: int = 20
    """Tables deleted per write. Other writes can run in between."""
    search_batch_size: int = 200
    """Tables searched per read for a user's id. Other reads can run in between."""
    live_of_user: int = 200
    """Live tables of a user that are listed at most."""
    transfer_batch_size: int = 500
    """Rows read and written per batch of a transfer."""
    presses_live: float = 3600.0
    """Seconds after which a press id is deleted. Interaction tokens expire after 15 minutes."""
    presses_batch_size: int = 20_000
    """Press ids deleted per heartbeat. Ids grow with time, so the oldest come first."""
    waits: int = 20
    """Matches of a server and mode for which it is stored how long the first person waited."""


STORE: Final = StoreLimits()
READER: Final = StoreLimits(search_batch_size=1000)
"""The limits of a store as of one moment, for whose reads no other reads wait."""
