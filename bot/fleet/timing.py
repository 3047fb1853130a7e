"""The times of a fleet."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class FleetTiming:
    """Times of a process in its fleet, in seconds."""

    session_ends: int = 6
    """Silence after which the server ends the fleet session."""
    statement: float = 4.0
    """Timeout of a statement on the fleet session. After it, the process counts its locks as lost."""
    session_settled: float = 3.0
    """Age of a session that rules out a recent restart of the database; until then each process retakes its shards."""
    disagreed: float = 0.05
    """Until a process that was told another shard count than one that starts at the same time tries again."""
    check_every: float = 1.0
    """Between two checks of the locks."""
    overdue_after: float = 1.2
    """Time after which any member takes a free shard, because the process that should take it may be frozen. All others
    have checked the locks by then (`check_every`)."""
    check_while_moving: float = 0.1
    """Between two checks while a shard is changing owners."""
    reconnect_every: float = 0.5
    """Between two attempts while the database does not answer."""
    partitioned_after: float = 120.0
    """Time without a connection to Discord, while another member has one, after which the process ends."""
    unsettled_for: float = 10.0
    """Time after a change of owners or processes in which a press may reach two processes."""
    late_after: float = 2.0
    """Delay of a check above which the log has a warning."""
    overlap: float = 0.5
    """Time for which the previous owner answers presses after the new owner has connected."""
    finishing: float = 1.5
    """Time that running jobs may take before their shard is given away all the same."""
    unclaimed_after: float = 1.0
    """Time after which a given shard without a new owner is taken back."""
    kept_for: float = 8.0
    """Time for which a shard that was taken back is not given again, until a frozen standby's session has ended."""
    acquire_again: float = 1.0
    """Between two attempts to acquire a shard."""
    listen_again: float = 0.5
    """Between two attempts to connect for notifications."""
    listening_checked: float = 10.0
    """Between two checks that the connection for notifications is alive and the address still leads to its server."""
    reload_again: float = 2.0
    """Until a failed reload is retried."""


FLEET_TIMING = FleetTiming()
