"""The times and sizes of answers to interactions."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from bot.tables.model import HOUR, MINUTE


@dataclass(frozen=True, slots=True)
class InteractionTiming:
    """Interactions, from their arrival to their answer."""

    defer_after: float = 1.5
    """Seconds after which an answer is deferred. Discord gives up on an unanswered interaction after 3 seconds."""
    upload_within: float = 2.2
    """Seconds after its arrival within which an interaction is answered with pictures; after them, without. Discord
    waits for 3 seconds, and the second try takes time as well."""
    presses_at_once: int = 5
    """Presses of one person that are dealt with at a time. Their further presses wait; other people's do not."""
    runs_again: int = 3
    """How often a handler runs again because another process has changed the table."""
    wait_for_lasting_picture: float = 3.0
    """Seconds for which a message that is never drawn again waits for its picture, once the press is answered."""
    token_lives: float = 14 * MINUTE
    """Seconds for which a token is used. Discord accepts it for 15 minutes."""
    posts_in_group: int = 4
    """The number of messages that a table in a group DM posts through the token of one interaction. Discord accepts 5
    there, and the interaction's own answer may be one of them."""


@dataclass(frozen=True, slots=True)
class RivalTiming:
    """The search for a second bot with the same token."""

    enough: int = 3
    """If this many presses within `within` were already answered, that is no accident."""
    within: float = 10 * MINUTE
    """Seconds within which these presses come."""
    again: float = HOUR
    """Seconds until a rival is reported again."""
    remembered: int = 1000
    """The number of interactions for which it is known that they were delivered."""


@dataclass(frozen=True, slots=True)
class LateAnswerTiming:
    """Answers whose picture is rendered late."""

    longest: float = 30.0
    """Seconds for which an answer awaits its picture, by the event loop's clock."""


INTERACTION: Final = InteractionTiming()
RIVAL: Final = RivalTiming()
LATE_ANSWERS: Final = LateAnswerTiming()
