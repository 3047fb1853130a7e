"""How large a proof is, how long it takes and what happens in it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final, TypeVar

T = TypeVar("T", int, float)

SESSION_ENDS: Final = 6.0
"""Seconds of silence after which the server ends a process's session, and with it its locks."""
SESSION_SETTLES: Final = 3.0
"""Seconds that a session must be old until its process takes a free shard for which it did not stand by."""
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


def number(usual: T, about: str) -> T:
    """A field of a plan; `about` tells what it is on the command line."""
    return field(default=usual, metadata={"about": about})


@dataclass(frozen=True)
class Plan:
    """All numbers of a run. The same seed gives the same troubles at the same times, though not the same play."""

    seconds: float = number(2400.0, "for how long there are troubles")
    processes: int = number(3, "processes of the bot")
    shards: int = number(12, "shards that they share")
    matches: int = number(600, "live matches")
    kills: int = number(120, "how often a process is killed")
    freezes: int = number(80, "how often a process is frozen, mostly until its session has ended")
    restarts: int = number(20, "how often the database server is restarted")
    ends: int = number(10, "how often a process is told to end at once, in an orderly way")
    drains: int = number(10, "how often a process is told to end, and first gives all of its shards away")
    sessions: int = number(10, "how often the database server ends all sessions of a process")
    failovers: int = number(10, "how often the database fails over to a standby; with 0 there is no standby")
    think: float = number(20.0, "seconds between two presses of a person, on average")
    concurrency: int = number(16, "buckets in which Discord lets shards identify, in each every 5 seconds")
    quiet: float = number(15.0, "seconds that people go on playing once the troubles are over")
    limit: int = number(300, "the matches' turn limit in seconds")
    ending: int = number(150, "how many of the matches are near their end at first")
    left: int = number(40, "moves that these have left, at most")
    seed: int = number(1, "what the troubles are drawn from")
