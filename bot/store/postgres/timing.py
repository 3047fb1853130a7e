"""The times and sizes of the PostgreSQL engine."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class PostgresTiming:
    """The PostgreSQL engine."""

    connect: int = 5
    """Timeout of a connection attempt, in seconds."""
    read_only_again: float = 0.3
    """Seconds after which a server that could only be read is asked again, by any connection of the process."""
    next_host: float = 0.3
    """Seconds after which the next host of a `DATABASE_URL` with several is tried as well."""
    statement: float = 10.0
    """Timeout of a statement, in seconds."""
    long_statement: float = 3600.0
    """Timeout, in seconds, of statements that read or rewrite whole tables: migrations, checks, transfers, wipes."""
    count: float = 600.0
    """Timeout of the count of tables at the start, in seconds."""
    idle_in_transaction: float = 5.0
    """Seconds after which the server ends an idle transaction, which frees its locks."""
    writes: int = 6
    """Concurrent writes. The server groups their commits."""
    reads: int = 4
    """Further connections, for reads, so that reads never wait for a slow disk."""
    retry_for: float = 6.0
    """Seconds for which a read or a write is retried after a lost connection."""
    retry_every: float = 0.1
    """Seconds between two attempts."""
    close: float = 1.0
    """Seconds for closing the connections, and before that for finishing pending writes."""
    lock_every: float = 0.1
    """Seconds between two attempts to take the exclusive lock."""
    frozen_session_ends: float = 7.0
    """Seconds after which the server has ended the session, and so freed the lock, of a frozen process."""
    rewritten_at_most: int = 64 * 1024 * 1024
    """Bytes. Rewriting tables of this total size blocks writes for half a second."""
    rewrite_waits: float = 0.2
    """Seconds for which a rewrite waits for readers; other statements queue behind it."""
    rewrite_every: float = 0.05
    """Seconds between two attempts to rewrite."""
    least_wait: float = 0.01
    """The shortest wait, in seconds, for a slot to identify that is taken."""


POSTGRES: Final = PostgresTiming()
