"""A change in preparation: a copy of the table, and everything that is to become durable together with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final

from pydantic_core import to_json

from bot.observability.context import current_operation
from bot.store.model import ALARM, Change, Job, LogRow, MatchResult, MoveRow
from bot.tables.model import Table
from engine.game import Event, dump_event

# The kinds of jobs.
REDRAW: Final = "redraw"
"""The table's messages are to be drawn anew."""
AGENT: Final = "agent"
"""An agent is to move, or a premove is to be played."""
# ALARM, which the store uses too: time has passed, for example until a reminder, a limit, or the end of a lobby or of a
# pause.
START: Final = "start"
"""A start that was interrupted after seats and words were frozen is to go on."""

AGENTS_PLAY: Final = "agents play"
"""The payload of a redraw whose table waits for no person: an agent moves next, and there will be more to draw."""

KINDS: Final = (REDRAW, AGENT, ALARM, START)

TICK: Final = 0.001
"""A time counts as reached this many seconds early, because host time is an inexact difference of large numbers."""


class Draft:
    """The unit of work: the changes of one act. The functions of `bot.tables` add to it, the service commits it."""

    def __init__(
        self,
        table: Table,
        now: float,
        downtime: float,
        agent_pause: Callable[[], float],
        grace_ends: float = 0.0,
    ) -> None:
        self.before = table
        self.table = table.draft()
        self.now = now
        self.host_time = now - downtime
        """The present host time, which stands still while the host is down. Limits are measured in host time."""
        self.grace_ends = grace_ends
        """The end of the grace period, in host time. Nobody's time runs out before."""
        self.agent_pause = agent_pause
        """Returns a random pause, in seconds, chosen before the agent thinks, so that the pause reveals nothing."""
        self.touched = False
        """Whether any change is to be made durable."""
        self.alarm_used = False
        """Whether the alarm made this change. The alarm then has to be set again even if its time stays the same."""
        self.at_once = False
        """Whether the redraw must not be postponed, because a name is to vanish from the table's messages."""
        self.moves: list[MoveRow] = []
        self.result: MatchResult | None = None
        """The result of the match, if this change ends it."""
        self.attempt: tuple[int, int, int] | None = None
        """As in `Change`, if this change begins a daily deal."""
        self.score: int | None = None
        """The score of the private match that this change ends."""
        self.declined: list[int] = []
        """The people who decline with this change to join the lobby."""
        self.undone: int | None = None
        """The number of the first move that is taken back, together with all later moves."""
        self._downtime = downtime
        self._log: list[LogRow] = []
        self._jobs: dict[str, Job | None] = {}
        self._seated: list[tuple[int, int]] = []

    def touch(self) -> None:
        """Marks the table as changed, and schedules a redraw of its messages."""
        self.touched = True
        self.schedule(REDRAW, self.now)

    def touch_at_once(self) -> None:
        """Does the same as `touch`, with a redraw that must not be postponed."""
        self.at_once = True
        self.touch()

    def has_come(self, host_time: float) -> bool:
        """Whether this moment in host time has come."""
        return host_time <= self.host_time + TICK

    def record(self, events: Sequence[Event], source: str = "game") -> None:
        """Adds the game's events to the log. `source` is "agent" for the events of an agent's move."""
        for event in events:
            text = to_json(dump_event(event)).decode()
            self._log.append(LogRow(source, self.table.sequence, text, self.now))

    def log_event(self, kind: str, seat: int | None = None, **facts: Any) -> None:
        """Adds an event of the table itself, not of the game, to the log."""
        self.record([Event(kind, seat, facts)], "table")

    def schedule(self, kind: str, due: float) -> None:
        """Sets the table's job of this kind."""
        self._jobs[kind] = Job(self.table.id, kind, due)

    def agents_play(self) -> None:
        """Marks the redraw of a table that waits for no person, so that requests for waiting people come first."""
        redraw = self._jobs.get(REDRAW)
        if redraw is not None and not self.at_once:
            self._jobs[REDRAW] = replace(redraw, payload=AGENTS_PLAY)

    def redraw_from(self, soonest: float) -> None:
        """Postpones the redraw of this change until `soonest`, if it is due earlier."""
        redraw = self._jobs.get(REDRAW)
        if redraw is not None and redraw.due < soonest and not self.at_once:
            self._jobs[REDRAW] = replace(redraw, due=soonest)

    def schedule_at_host_time(self, kind: str, due: float) -> None:
        """Sets the table's job of this kind for a moment in host time."""
        self.schedule(kind, due + self._downtime)

    def cancel(self, *kinds: str) -> None:
        """Deletes the table's jobs of these kinds."""
        for kind in kinds:
            self._jobs[kind] = None

    def seat_taken(self, user_id: int, seat: int) -> None:
        """Records that this person has held this seat, because nobody may ever hold two seats of a match."""
        self._seated.append((user_id, seat))

    @property
    def new_log(self) -> Sequence[LogRow]:
        """The lines that this change adds to the log, with the seats of their moves."""
        movers = {move.sequence: move.seat for move in self.moves}
        return [replace(row, mover=movers.get(row.sequence)) for row in self._log]

    def stamp(self) -> None:
        """Notes the time of the change, and in the presser's seat the name that they have now on the table's server."""
        table, operation = self.table, current_operation()
        table.changed_at = self.now
        if operation is None or operation.presser is None or operation.server != table.guild_id:
            return
        user_id, name = operation.presser
        seat = table.seat_of(user_id)
        if table.live and seat is not None and name:
            table.seats[seat].name = name

    def change(self) -> Change:
        """The change in the form that the store requires."""
        return Change(
            table=self.table.row(),
            moves=self.moves,
            log=self._log,
            set_jobs=[job for job in self._jobs.values() if job],
            drop_jobs=[kind for kind, job in self._jobs.items() if job is None],
            seated=self._seated,
            undone=self.undone,
            result=self.result,
            attempt=self.attempt,
            score=self.score,
            declined=self.declined,
        )
