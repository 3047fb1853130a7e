"""How large a proof is, how long it takes and what happens in it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

SESSION_ENDS: Final = 6.0
"""Seconds of silence after which the server ends a process's session, and with it its locks."""
SESSION_SETTLES: Final = 3.0
"""Seconds that a session must be old until its process takes a free shard for which it did not stand by."""
LONG_WITHOUT_OWNER: Final = 7.5
"""A time without a living owner that is longer than so many seconds is explained in the report."""
WITHOUT_OWNER: Final = 8.5
"""Seconds for which a shard may be without a living owner at most, while the database is there."""
AFTER_KILL: Final = 1.5
"""Seconds for which a shard of a killed process may be without an owner: the median."""
ANSWERED_WITHIN: Final = 3.0
"""Seconds that Discord gives for an answer."""
FOREIGN_WITHIN: Final = 2.0
"""Seconds after a change of owner, or a thaw, in which a process that does not own a shard may change its tables."""
DRAIN_SECONDS: Final = 60.0
"""Seconds that a process may take to give its shards away, as its settings say."""
ENDED_WITHIN: Final = 5.5
"""Seconds that a process takes at most to end when it is told to, or when it is drained."""
MARGIN: Final = 0.3
"""Seconds by which what the database tells may be older than what a process knows."""
REQUESTS_A_SECOND: Final = 50
"""Requests that Discord takes within any second; answers to presses do not count."""


@dataclass(frozen=True)
class Plan:
    """All numbers of a run. The same seed gives the same troubles at the same times, though not the same play."""

    seconds: float = 2400.0
    """For how long there are troubles. Before them all processes start, and after them all must be well again."""
    processes: int = 3
    shards: int = 12
    matches: int = 600
    kills: int = 120
    freezes: int = 80
    restarts: int = 20
    """Restarts of the database server."""
    ends: int = 10
    """Processes that are told to end at once, in an orderly way."""
    drains: int = 10
    """Processes that are told to end, and first give all of their shards away."""
    sessions: int = 10
    """How often the server ends all sessions of a process."""
    think: float = 20.0
    """Seconds between two presses of a person, on average."""
    concurrency: int = 16
    """In how many buckets Discord lets shards identify. In each, one may do so every 5 seconds."""
    quiet: float = 15.0
    """Seconds that people go on playing once the troubles are over."""
    limit: int = 300
    """The matches' turn limit in seconds."""
    ending: int = 150
    """How many of the matches are near their end when people begin to play."""
    left: int = 40
    """Moves that these have left, at most."""
    seed: int = 1
