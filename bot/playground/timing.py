"""The times and sizes of the playground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class PlaygroundTiming:
    """The playground, which is a bot in a simulated Discord on a local page."""

    look: float = 0.02
    """Seconds between two looks for events in the simulated Discord, which has none to wait for."""
    jobs: float = 1.0
    """Seconds between two checks for due jobs without an event."""
    after_error: float = 5.0
    """Seconds until due jobs are started again after an error."""
    timers: float = 0.5
    """Seconds between two moments at which timers of the bot run that SimCord has held back."""
    presses_end: float = 1.0
    """Timeout of running presses when the playground ends, in seconds."""
    starts: float = 60.0
    """Timeout of the bot's start, in seconds."""
    shown: int = 50
    """The newest messages of a place that a page shows, and the number that *Earlier Messages* adds."""
    loading: float = 10.0
    """Seconds for which a page may still load a picture that its message has no longer."""
    answer: float = 3.0
    """Seconds until the page says that the bot has not answered an interaction, as Discord does."""
    thinking: float = 900.0
    """Seconds for which Discord shows that a bot is thinking. The interaction's token ends then."""
    renewal: float = 5.0
    """Seconds until a window is updated without an event, because some things change with time alone."""
    requests: int = 300
    """The newest requests that *Inspect* can show."""


PLAYGROUND: Final = PlaygroundTiming()
