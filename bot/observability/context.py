"""The operation that the current task belongs to, for log lines and metrics.

An operation is a press, a command or a job. Tasks started within it inherit it.
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
LOOKS_EVERY: Final = 0.5
"""Seconds for which a version check of a table stays valid within an operation."""


def _now() -> float:
    return asyncio.get_running_loop().time()


@dataclass(slots=True)
class Act:
    """An operation. `name` is the declared name of an intent, a command or a kind of job, never user input.

    `server` and `table` are ids, 0 for none; `shard` is None if unknown.
    """

    kind: Kind
    name: str
    server: int = 0
    table: int = 0
    shard: int | None = None
    press: int | None = None
    """The interaction id; None for jobs."""
    outcome: str = DONE
    began: float = field(default_factory=_now)
    """When the operation began, on the event loop's clock."""
    durable: float | None = None
    """When the operation's first change of a table was durable, on the same clock."""
    looked: dict[int, float] = field(default_factory=dict[int, float])
    """By table: when its version was last checked."""


_act: ContextVar[Act | None] = ContextVar("act", default=None)


def current() -> Act | None:
    """The operation of the current task, if any."""
    return _act.get()


@contextmanager
def doing(act: Act) -> Generator[Act]:
    """The context of an operation."""
    token = _act.set(act)
    try:
        yield act
    finally:
        _act.reset(token)


def came_to(outcome: str) -> None:
    """Sets the outcome of the current operation, if any."""
    act = _act.get()
    if act is not None:
        act.outcome = outcome


def at_table(table_id: int) -> None:
    """Sets the table of the current operation, if it becomes known only later."""
    act = _act.get()
    if act is not None:
        act.table = table_id


def first_press() -> int | None:
    """The press id for the first change of the current operation; None for later changes."""
    act = _act.get()
    return act.press if act is not None and act.durable is None else None


def is_durable() -> None:
    """Records that the current operation's change is durable."""
    act = _act.get()
    if act is not None and act.durable is None:
        act.durable = _now()


def nothing_durable() -> bool:
    """Whether the current operation has changed nothing yet, so that it can be retried from its beginning."""
    act = _act.get()
    return act is not None and act.durable is None


def is_to_look(table_id: int) -> bool:
    """Whether the current operation must check the version of this table; marks the version as checked."""
    act = _act.get()
    if act is None:
        return True
    now = _now()
    if now - act.looked.get(table_id, -LOOKS_EVERY) < LOOKS_EVERY:
        return False
    act.looked[table_id] = now
    return True
