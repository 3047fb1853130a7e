"""The times and sizes of the SQLite engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class SqliteLimits:
    """The SQLite engine."""

    busy: float = 5.0
    """Seconds for which a statement waits for another connection's lock on the file."""
    cache: int = 32 * 1024
    """Size of the writer's page cache, in KiB."""
    log_left: int = 64 * 1024 * 1024
    """Bytes to which SQLite truncates the write-ahead log after a checkpoint."""
    write_batch_size: int = 256
    """Writes per transaction. More would save little and delay the first ones."""
    lock_every: float = 0.1
    """Seconds between two attempts to take the lock."""
    truncate_every: float = 0.05
    """Seconds between two attempts to empty the write-ahead log while another program reads it."""
    compacted_at_most: int = 64 * 1024 * 1024
    """Bytes. Compacting a file of this size blocks writes for half a second; larger files are not compacted."""
    least_room: int = 256 * 1024
    """Bytes. With less free space, SQLite may fail to create the companions of a file."""
    faults: int = 100
    """The check of a file's integrity stops after this many faults."""


SQLITE: Final = SqliteLimits()
