"""What is known of a run of the proof when it is over. Times are on the event loop's clock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from tests.proof.discord import ProofDiscord
from tests.proof.matches import Kept
from tests.proof.plan import Plan
from tests.proof.processes import Process
from tests.proof.watch import Seen

Span = tuple[float, float]


@dataclass
class Run:
    """All that is known of a run."""

    plan: Plan
    discord: ProofDiscord
    watch: Seen
    processes: Sequence[Process]
    kept: Kept
    began: float
    """From here on, all was to be served."""
    ended: float
    troubles: Counter[str]
    away: Sequence[Span]
    """From when to when the database server was taken down."""
    ready_after: float
    """Seconds until all shards were connected at the start."""
    told_until: float = 0.0
    """Until when a match must have ended, in seconds since 1970, whose result is told."""
    stalls: Sequence[Span] = ()
    """From when to when this program itself, with its Discord, was late."""
    wall: float = 0.0
    """What is to be added to the loop's clock for seconds since 1970."""
