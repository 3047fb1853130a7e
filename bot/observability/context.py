"""What this process is doing at the moment, and for whom. Log lines and metrics learn it from here.

An act is a press, a command or a job of a table. It is set where it begins, and every task that it starts has it too.
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
"""Seconds for which an act need not look again whether another process has changed a table."""


def _now() -> float:
    return asyncio.get_running_loop().time()


@dataclass(slots=True)
class Act:
    """One act. `name` is the declared name of an intent, a command or a kind of job, never a text from outside.

    `server` and `table` are ids, and 0 if there is none; `shard` is None if it is not known.
    """

    kind: Kind
    name: str
    server: int = 0
    table: int = 0
    shard: int | None = None
    press: int | None = None
    """The id of the interaction that asks for it; None for what no press asks for."""
    outcome: str = DONE
    began: float = field(default_factory=_now)
    """When it began, on the event loop's clock, as the next one."""
    durable: float | None = None
    """When a change that it made to a table was durable; the first, if there were several."""
    looked: dict[int, float] = field(default_factory=dict[int, float])
    """By table: when it was last made sure that what is remembered of it is what is kept."""


_act: ContextVar[Act | None] = ContextVar("act", default=None)


def current() -> Act | None:
    """The act that the current task belongs to, if any."""
    return _act.get()


@contextmanager
def doing(act: Act) -> Generator[Act]:
    """The context in which the act is done."""
    token = _act.set(act)
    try:
        yield act
    finally:
        _act.reset(token)


def came_to(outcome: str) -> None:
    """Notes what has come of the current act, if there is one."""
    act = _act.get()
    if act is not None:
        act.outcome = outcome


def at_table(table_id: int) -> None:
    """Notes at which table the current act is done, where that is found out only after it has begun."""
    act = _act.get()
    if act is not None:
        act.table = table_id


def first_press() -> int | None:
    """The id of the current act's press, for the first change of a table that the act makes; None for later ones."""
    act = _act.get()
    return act.press if act is not None and act.durable is None else None


def is_durable() -> None:
    """Notes that what the current act changes at a table has just become durable."""
    act = _act.get()
    if act is not None and act.durable is None:
        act.durable = _now()


def nothing_durable() -> bool:
    """Whether the current act has changed no table yet, so that it may be done again from its beginning."""
    act = _act.get()
    return act is not None and act.durable is None


def is_to_look(table_id: int) -> bool:
    """Whether the current act is to look if another process has changed this table since; then it counts as looked."""
    act = _act.get()
    if act is None:
        return True
    now = _now()
    if now - act.looked.get(table_id, -LOOKS_EVERY) < LOOKS_EVERY:
        return False
    act.looked[table_id] = now
    return True
