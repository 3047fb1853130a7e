"""The deadlines of open decisions, their limits and reminders; and host time, by which they count.

Host time stands still while nobody can be served. In grace periods nobody's time runs out.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from bot.clock import Clock
from bot.fleet.fleet import Fleet
from bot.tables.draft import Draft
from bot.tables.model import DAY, MINUTE, Table
from bot.tables.premoves import ask_upcoming, note_upcoming
from bot.tables.turns import OpenDecision

LEAST_LEFT: Final = 2 * MINUTE
"""Seconds that are left at least after a player's own action, and for a decision out of turn."""
LONGEST_TURN: Final = 2.0
"""A player's own actions can extend the time to at most this many times the turn limit."""
_REMIND_AT: Final = 0.75
"""The part of the time after which a player is reminded."""
_REMIND_UNLIMITED: Final = DAY
"""Seconds after which a player is reminded, once, in a match without a turn limit."""
SILENT_AFTER: Final = 2 * DAY
"""Seconds without a sign of life, and without a turn limit, after which a player's consent to end is not needed."""


def limit_of(table: Table, kind: str) -> float | None:
    """The time limit for a decision of this kind, in seconds; None: no limit."""
    limit = table.body.limit
    if limit is None:
        return None
    return max(min(LEAST_LEFT, limit), limit * table.game.time_shares.get(kind, 1.0))


def wait(draft: Draft, mover: int | None = None) -> None:
    """Records the seats that the match waits for, with deadlines. `mover` is the seat whose person has just moved."""
    table = draft.table
    before = table.body.asked
    table.body.asked = {}
    pending = table.game.pending(table.state)
    # If all seats decide at once, the last seat to answer is asked again with all others. The seat has a new turn then.
    earlier = () if draft.before.state is None else table.game.pending(draft.before.state)
    others_asked = any(decision.seat not in before for decision in pending)
    for decision in pending:
        limit = limit_of(table, decision.kind)
        asked = before.get(decision.seat)
        if decision not in earlier and asked is not None:
            asked.ahead, asked.unfit = "", None
        new_turn = others_asked or decision.kind in table.game.opens_turn
        if asked is None or (new_turn and decision not in earlier):
            asked = _ask(draft, limit)
            ask_upcoming(draft, decision, asked)
        elif limit and asked.deadline:
            asked.deadline = max(
                asked.deadline, asked.at + limit
            )  # the next decision may have a longer limit
            if decision.seat == mover:
                leave_time(draft, asked, limit)
        elif decision.seat == mover:
            asked.restart_wait(draft.host_time)
        asked.limit = max(asked.limit, limit or 0.0)
        table.body.asked[decision.seat] = asked
    note_upcoming(draft, mover)


def _ask(draft: Draft, limit: float | None) -> OpenDecision:
    now = draft.host_time
    deadline = max(now + limit, draft.grace_ends) if limit else None
    return OpenDecision(now, deadline, since=draft.table.sequence, undone=draft.table.body.undone)


def leave_time(draft: Draft, asked: OpenDecision, limit: float) -> None:
    """Extends the deadline after a person's own action, to leave time for the next decision, which has this limit.

    The whole turn may last up to twice the longest limit that it has had.
    """
    assert asked.deadline is not None
    longest = max(limit, asked.limit)
    asked.deadline = max(asked.deadline, min(draft.host_time + LEAST_LEFT, asked.at + LONGEST_TURN * longest))


def waited_for(table: Table, number: int) -> bool:
    """Whether the match waits until this seat's person is back from holiday: all other people have agreed to that."""
    seat = table.seats[number]
    if seat.holiday is None or not seat.away or table.status != "playing":
        return False
    others = [other for other in table.people() if other != number]
    return bool(others) and all(other in seat.agreed for other in others)


def settle_waits(draft: Draft) -> None:
    """Stops the time of the turns that wait for a person on holiday, and moves that of those that no longer wait.

    Every change ends with this. A change that computes a deadline for a person who is back calls it before that.
    """
    for number, asked in draft.table.body.asked.items():
        if waited_for(draft.table, number):
            asked.held = draft.host_time if asked.held is None else asked.held
        elif asked.held is not None:
            waited, asked.held = max(0.0, draft.host_time - asked.held), None
            asked.at += waited
            if asked.deadline is not None:
                asked.deadline += waited


def grant_grace(table: Table, until: float) -> None:
    """Moves deadlines so that none is before `until`, in host time. The table must not be visible to others yet."""
    for asked in table.body.asked.values():
        if asked.deadline and asked.held is None:  # the time of a turn that waits does not run
            asked.deadline = max(asked.deadline, until)
    if table.body.expires:
        table.body.expires = max(table.body.expires, until)


def reminder(asked: OpenDecision) -> float:
    """The time, in host time, at which the person of an open decision is reminded."""
    after = _REMIND_UNLIMITED if asked.deadline is None else _REMIND_AT * (asked.deadline - asked.at)
    return asked.at + after


def after_reminder(asked: OpenDecision) -> float | None:
    """The time, in host time, of the step after an ignored reminder; None if there is none."""
    if asked.deadline is None:
        return None if asked.silent else asked.at + SILENT_AFTER
    return asked.deadline


class HostTime:
    """The difference between the clock and host time, and the ends of grace periods."""

    def __init__(self, clock: Clock, fleet: Fleet) -> None:
        self._clock = clock
        self._fleet = fleet
        self.downtime = 0.0
        """All seconds during which no host was up, minus those by which the clock was set back meanwhile. Valid once
        the host has started."""
        self.grace_ends = 0.0
        """The end, in host time, of the grace period after a start of the host or a downtime."""
        self._taken_over: dict[int | None, float] = {}
        """The end of the grace period, in host time, by shard that this process took over."""

    def start(self, downtime: float, grace_ends: float) -> None:
        """Sets both values. Called when the host starts or the downtime has changed."""
        self.downtime, self.grace_ends = downtime, grace_ends

    def take_over(self, shards: Collection[int], grace_ends: float) -> None:
        """Starts a grace period on these shards."""
        self._taken_over |= dict.fromkeys(shards, grace_ends)

    def grace_of(self, guild_id: int) -> float:
        """The end of the grace period at the tables of this server, in host time."""
        return max(self.grace_ends, self._taken_over.get(self._fleet.shard_of(guild_id), 0.0))

    @property
    def shown_later(self) -> float:
        """The seconds to add to a moment in host time for the time that people are shown."""
        return self.downtime + self._clock.correction
