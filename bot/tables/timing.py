"""The times and sizes of matches and lobbies."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.tables.model import DAY, HOUR, MINUTE


@dataclass(frozen=True, slots=True)
class LobbyTiming:
    """Lobbies and the start of a match."""

    ends: float = DAY
    """Seconds after which a lobby that was not started closes."""
    seats_kept: float = HOUR
    """Seconds, from when a lobby was opened, for which free seats are kept for people who were asked to join."""
    unseen: float = 10.0
    """Seconds after which a lobby is posted if the answer that should have shown it was lost."""
    start_again: float = 10.0
    """Seconds after which a start that was interrupted goes on by itself."""
    lesson_ends: float = 30 * DAY
    """Seconds after which a lesson that was begun ends by itself."""
    alone_ends: float = 90 * DAY
    """Seconds after which a match alone against agents, in no channel, ends by itself."""


@dataclass(frozen=True, slots=True)
class MatchTiming:
    """Turns, absence and pauses. The turn limit itself is the host's choice."""

    least_left: float = 2 * MINUTE
    """Seconds that are left at least after a player's own action, and for a decision out of turn."""
    longest_turn: float = 2.0
    """A player's own actions can extend the time to at most this many times the turn limit."""
    remind_at: float = 0.75
    """The part of the time after which a player is reminded."""
    remind_unlimited: float = DAY
    """Seconds after which a player is reminded, once, in a match without a turn limit."""
    silent_after: float = 2 * DAY
    """Seconds without a sign of life, and without a turn limit, after which a player's consent to end is not needed."""
    misses: int = 2
    """After this many missed decisions in a row, an agent keeps playing the seat."""
    pause_ends: float = 7 * DAY
    """Seconds after which a paused match is given up."""
    undo_depth: int = 10
    """At most this many presses in a row can be taken back, and no more often than this until somebody else moves."""
    premove_shown_within: float = 1.0
    """Seconds for which a redraw waits for a premove that is played, so that one edit shows both."""
    wake_grace: float = 5 * MINUTE
    """Seconds for which nobody's time runs out after the bot is back on a server that had removed it."""


@dataclass(frozen=True, slots=True)
class ThinkingTiming:
    """Agents that think in processes of their own."""

    least: float = 0.3
    """Seconds that such an answer takes at least, so that its pace does not tell how much there was to think about."""
    longest: float = 10.0
    """Seconds after which a slow agent's answer is no longer awaited, and a quick level answers in its place."""


LOBBY: Final = LobbyTiming()
MATCH: Final = MatchTiming()
THINKING: Final = ThinkingTiming()
