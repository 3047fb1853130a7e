"""What both kinds of store do alike: the values of a table's row, and the reckoning of time that nobody could use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.store.base import ALARM, TableRow

HEARTBEAT: Final = "heartbeat"
"""The fact that says when people could last be served."""
DOWNTIME: Final = "downtime"
"""The fact that says how many seconds were given back so far."""


def table_values(table: TableRow) -> tuple[int | float | str | None, ...]:
    """The values of a table's row but for its id, version, time of creation and opener, the snapshot first."""
    return (
        table.snapshot,
        table.body,
        table.guild_id,
        table.channel_id,
        table.game,
        table.status,
        table.sequence,
        table.changed_at,
        table.ended_at,
    )


@dataclass(frozen=True, slots=True)
class Beat:
    """What a heartbeat changes. Jobs of `kind` (None: all) become due later by `shift` seconds, if it is not 0."""

    heartbeat: float
    downtime: float
    shift: float = 0.0
    kind: str | None = None


def beat_at(heartbeat: str | None, downtime: str | None, now: float, away: float) -> Beat:
    """What the heartbeat at `now` changes, if the facts had these values; `Store.beat` says what `away` is."""
    last = now if heartbeat is None else float(heartbeat)
    down, gap = float(downtime or 0), now - last
    if gap > away:
        return Beat(now, down + gap, gap, ALARM)
    if gap < -away:
        return Beat(now, down + gap, gap, None)
    # The clocks of several machines differ a little; the one that is behind must not turn the others' time back.
    return Beat(max(now, last), down)
