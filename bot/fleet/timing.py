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
    check_every: float = 1.0
    """Between two checks of the locks."""
    reconnect_every: float = 0.5
    """Between two attempts while the database does not answer."""
    partitioned_after: float = 120.0
    """Time without a connection to Discord, while another member has one, after which the process ends."""
    listening_checked: float = 10.0
    """Between two checks that the connection for notifications is alive and the address still leads to its server."""


FLEET_TIMING = FleetTiming()
