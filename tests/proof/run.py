"""The observations of a run of the proof. Times are on the event loop's clock."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
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
    away: Sequence[Span]
    """From when to when the database server was taken down."""
    ready_after: float
    """Seconds until all shards were connected at the start."""
    notified_until: float = 0.0
    """Until when a match must have ended, in seconds since 1970, whose result is told."""
    wall: float = 0.0
    """Seconds to be added to the loop's clock for seconds since 1970."""

    def without(self, moments: Iterable[float], holds: Callable[[float], bool]) -> Iterator[Span]:
        """From when to when something did not hold that may change when processes come and go, and at these moments."""
        changes = {self.began, self.ended, *moments}
        for process in self.processes:
            changes |= {at for at in (process.started, process.doomed, process.ended) if at is not None}
            changes |= {at for span in process.frozen for at in span if at is not None}
        since: float | None = None
        for at in sorted(at for at in changes if self.began <= at <= self.ended):
            if not holds(at):
                since = at if since is None else since
            elif since is not None:
                yield since, at
                since = None
        if since is not None:
            yield since, self.ended
