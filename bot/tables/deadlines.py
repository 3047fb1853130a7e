"""Until when a seat may answer: how long a decision's limit is, from when it runs, and when a reminder comes."""

from __future__ import annotations

from typing import Final

from bot.tables.draft import Draft
from bot.tables.model import DAY, MINUTE, Asked, Table

LEAST: Final = 2 * MINUTE
"""What an own action leaves at least, and the least that a decision is given which has only a part of the limit."""

MOST: Final = 2
"""So many limits, in all, are the most that own actions can make of one."""

REMIND_AT: Final = 0.75
REMIND_UNLIMITED: Final = DAY
"""Without a limit somebody asked is reminded after so long, once."""
SILENT_AFTER: Final = 2 * DAY
"""Without a limit nobody has to wait for the consent of somebody who has not been heard of for so long."""


def limit_of(table: Table, kind: str) -> float | None:
    """How long a seat may think about a decision of this kind, in seconds; None: as long as it likes."""
    limit = table.body.limit
    if limit is None:
        return None
    return max(min(LEAST, limit), limit * table.game.limits.get(kind, 1.0))


def wait(draft: Draft, mover: int | None = None) -> None:
    """Notes whom the match waits for. `mover`: the person who has just moved."""
    table = draft.table
    before = table.body.asked
    table.body.asked = {}
    pending = table.game.pending(table.state)
    # Where all decide at once, who answered last is asked again with all others: that is another turn of theirs.
    earlier = () if draft.before.state is None else table.game.pending(draft.before.state)
    others_asked = any(decision.seat not in before for decision in pending)
    for decision in pending:
        limit = limit_of(table, decision.kind)
        asked = before.get(decision.seat)
        if asked is None or (others_asked and decision not in earlier):
            asked = _ask(draft, limit)
        elif limit and asked.deadline:
            asked.deadline = max(asked.deadline, asked.at + limit)  # the next decision may have a longer one
            if decision.seat == mover:
                leave_time(draft, asked, limit)
        elif decision.seat == mover:
            asked.heard(draft.host_time)
        asked.limit = max(asked.limit, limit or 0.0)
        table.body.asked[decision.seat] = asked


def _ask(draft: Draft, limit: float | None) -> Asked:
    now = draft.host_time
    deadline = max(now + limit, draft.grace_ends) if limit else None
    return Asked(now, deadline, since=draft.table.sequence)


def leave_time(draft: Draft, asked: Asked, limit: float) -> None:
    """Sees to it that after an action of their own a person has time for the next, whose kind has this limit.

    A turn that began with a longer limit may last up to twice that one.
    """
    assert asked.deadline is not None
    longest = max(limit, asked.limit)
    asked.deadline = max(asked.deadline, min(draft.host_time + LEAST, asked.at + MOST * longest))


def grant_grace(table: Table, until: float) -> None:
    """No time runs out before then, in host time. Changes the table itself, before others see it."""
    for asked in table.body.asked.values():
        if asked.deadline:
            asked.deadline = max(asked.deadline, until)
    if table.body.expires:
        table.body.expires = max(table.body.expires, until)


def reminder(asked: Asked) -> float:
    """When somebody asked is reminded, in host time."""
    after = REMIND_UNLIMITED if asked.deadline is None else REMIND_AT * (asked.deadline - asked.at)
    return asked.at + after


def after_reminder(asked: Asked) -> float | None:
    """When more comes of it that somebody reminded does not answer, in host time; None: never."""
    if asked.deadline is None:
        return None if asked.silent else asked.at + SILENT_AFTER
    return asked.deadline
