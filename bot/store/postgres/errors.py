"""Translates PostgreSQL's errors into store errors, which say what happened, what was stored and what to do.

The texts of the server and of asyncpg are neither repeated nor chained, because they may quote the values of a row, and
so hidden cards or names. The SQLSTATE identifies the error.
"""

from __future__ import annotations

from bot.store.model import StoreDiskFull, StoreError, StoreFull, StoreLost, StoreRefused, StoreUnreachable
from bot.store.postgres import driver

_PASSING = frozenset(
    {
        driver.READ_ONLY,  # another server may take writes, or take this one's place
        "25P03",  # the transaction was idle for too long
        "40001",  # serialization failure
        "40P01",  # deadlock
        "53300",  # too many connections
        "57P01",  # the server is shut down
        "57P02",  # the server has crashed
        driver.CANNOT_CONNECT_NOW,  # the server is starting or being shut down
        "57P05",  # the session was idle for too long
    }
)
_FULL = frozenset({"53100"})
_GONE = frozenset({"3D000", "3F000", "42P01", "57P04"})
_DAMAGED = frozenset({"XX001", "XX002"})
_LOCKED_OUT = frozenset({"28000", "28P01"})
LOCK_NOT_AVAILABLE = "55P03"
PROTOCOL_VIOLATION = "08P01"
"""The SQLSTATE with which a proxy answers an unknown message or parameter."""
BEHIND_A_PROXY = (
    "A proxy between this process and the database, such as PgBouncer, does not pass sessions through as they are, and "
    "the processes agree by locks of their sessions. Nothing was changed; name a direct address of the database in "
    "DATABASE_URL."
)


def is_transient(error: BaseException) -> bool:
    """Whether a retry may succeed: lost connection, restarting server, or conflicting writes."""
    code = driver.sqlstate_of(error)
    if code is None:
        return driver.lost_connection(error)
    return code in _PASSING or code.startswith("08")


def write_failed(error: BaseException) -> BaseException:
    """The store error for a failed write."""
    if isinstance(error, StoreError) or not isinstance(error, driver.DriverError):
        return error
    code = driver.sqlstate_of(error)
    if code in _FULL:
        return StoreFull(
            "The database's disk is full. This was not kept, all that came before it was; make room first."
        )
    if is_transient(error):
        return StoreUnreachable(f"{_away(error)} This was not kept, all that came before it was.")
    return _common(error) or StoreError(
        f"The database could not keep this ({_named(error)}). All that came before it was kept."
    )


def read_failed(error: BaseException) -> BaseException:
    """The store error for a failed read."""
    if isinstance(error, StoreError) or not isinstance(error, driver.DriverError):
        return error
    if is_transient(error):
        return StoreUnreachable(f"{_away(error)} Nothing in it was changed.")
    return _common(error) or StoreError(
        f"The database could not be read ({_named(error)}). Nothing in it was changed."
    )


def opening_failed(where: str, error: BaseException) -> BaseException:
    """The store error for a database at `where` that cannot be opened."""
    if isinstance(error, StoreError) or not isinstance(error, (*driver.DriverError, ValueError)):
        return error
    code = driver.sqlstate_of(error)
    if code in _LOCKED_OUT:
        return StoreRefused(
            f"The server does not let this user or password in to {where}. Nothing was changed; see DATABASE_URL."
        )
    if code == PROTOCOL_VIOLATION:
        return StoreRefused(f"{where} cannot be opened. {BEHIND_A_PROXY}")
    if code == "3D000":
        return StoreRefused(
            f"There is no database {where}. Nothing was changed; make it with createdb, or see DATABASE_URL."
        )
    if code in _FULL:
        return StoreDiskFull(
            f"The disk of {where} is full, so nothing can be written there. Nothing was changed; make room on that "
            "disk, then start again."
        )
    if code == "42501":
        return StoreRefused(
            f"{where} may not be written to by this user. Nothing was changed; make the user its owner."
        )
    if driver.is_read_only(error):
        return StoreUnreachable(
            f"{where} can only be read at present: its server is a standby, or default_transaction_read_only is on. "
            "Nothing was changed; promote it, or name the server that takes writes in DATABASE_URL."
        )
    if is_transient(error):
        return StoreUnreachable(
            f"The server of {where} cannot be reached ({_named(error)}). Nothing was changed; start it, or see "
            "DATABASE_URL."
        )
    return StoreRefused(f"{where} cannot be opened ({_named(error)}). Nothing was changed.")


def _away(error: BaseException) -> str:
    if driver.is_read_only(error):
        return "The database can only be read at present."
    return f"The database does not answer ({_named(error)})."


def _common(error: BaseException) -> StoreError | None:
    code = driver.sqlstate_of(error)
    if code in _GONE:
        return gone()
    if code in _DAMAGED:
        return StoreError(f"The database is damaged ({_named(error)}). Restore a backup.")
    return None


def gone() -> StoreLost:
    """The error for a deleted database or schema."""
    return StoreLost(
        "The database or its tables were deleted while the bot ran. Nothing more is kept, so the bot stops. "
        "Restore a backup, then start it again."
    )


def _named(error: BaseException) -> str:
    code = driver.sqlstate_of(error)
    return type(error).__name__ + (f", SQLSTATE {code}" if code else "")
