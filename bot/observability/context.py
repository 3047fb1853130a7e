"""The operation to which the current task belongs, for log lines and metrics.

An operation is a press, a command or a job. Tasks started within an operation inherit it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass, field
from typing import Final, Literal

Kind = Literal["press", "command", "job"]

DONE: Final = "done"
_VERSION_VALID: Final = 0.5
"""Seconds for which a version check of a table stays valid within an operation."""


def _now() -> float:
    return asyncio.get_running_loop().time()


@dataclass(slots=True)
class Operation:
    """An operation. `name` is the name of an intent, a command or a kind of job, never user input.

    `server` and `table` are ids, 0 for none; `shard` is None if unknown.
    """

    kind: Kind
    name: str
    server: int = 0
    table: int = 0
    shard: int | None = None
    press: int | None = None
    """The interaction id; None for jobs."""
    presser: tuple[int, str] | None = field(default=None, repr=False)
    """The id and the present name of the person who made the interaction; not for log lines."""
    outcome: str = DONE
    began: float = field(default_factory=_now)
    """The start of the operation, on the event loop's clock."""
    durable: float | None = None
    """The time at which the operation's first change became durable, on the same clock; None before."""
    looked: dict[int, float] = field(default_factory=dict[int, float])
    """By table: the time of the last check of its version, on the same clock."""


_operation: ContextVar[Operation | None] = ContextVar("operation", default=None)


def current_operation() -> Operation | None:
    """The operation of the current task, if any."""
    return _operation.get()


@contextmanager
def operation_scope(operation: Operation) -> Generator[Operation]:
    """The context of an operation."""
    token = _operation.set(operation)
    try:
        yield operation
    finally:
        _operation.reset(token)


def set_outcome(outcome: str) -> None:
    """Sets the outcome of the current operation, if any."""
    operation = _operation.get()
    if operation is not None:
        operation.outcome = outcome


def set_table(table_id: int) -> None:
    """Sets the table of the current operation, if it becomes known only later."""
    operation = _operation.get()
    if operation is not None:
        operation.table = table_id


def press_of_first_change() -> int | None:
    """The press id for the first change of the current operation; None for later changes."""
    operation = _operation.get()
    return operation.press if operation is not None and operation.durable is None else None


def mark_durable() -> None:
    """Records that the current operation's change is durable."""
    operation = _operation.get()
    if operation is not None and operation.durable is None:
        operation.durable = _now()


def may_retry() -> bool:
    """Whether the current operation has made no change durable, so that it can be retried from its beginning."""
    operation = _operation.get()
    return operation is not None and operation.durable is None


def must_check_version(table_id: int) -> bool:
    """Whether the current operation must check the version of this table; marks the version as checked."""
    operation = _operation.get()
    if operation is None:
        return True
    now, valid = _now(), _VERSION_VALID
    if now - operation.looked.get(table_id, -valid) < valid:
        return False
    operation.looked[table_id] = now
    return True
