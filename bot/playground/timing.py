"""The times and sizes of the playground."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class PlaygroundTiming:
    """The playground, which is a bot in a simulated Discord on a local page."""

    look: float = 0.2
    """Seconds between two looks for events in the simulated Discord, which has none to wait for."""
    jobs: float = 1.0
    """Seconds between two checks for due jobs without an event."""
    after_error: float = 5.0
    """Seconds until due jobs are started again after an error."""
    refreshed: float = 30.0
    """Seconds after which pages are refreshed, because they show relative times."""
    presses_end: float = 1.0
    """Timeout of running presses when the playground ends, in seconds."""
    server_ends: float = 1.0
    """Timeout of closing the page's server, in seconds; aiohttp would wait for a minute."""
    ports_tried: int = 10
    """The number of ports that are tried, one after the other, before any free one is taken."""
    cleaned_every: int = 50
    """The number of refreshes between two deletions of pictures that no message shows."""
    publications: int = 64
    """Publications stored per page. A person presses what was drawn about half a second ago."""
    listed: int = 60
    """Messages in the list beside the channel and in its search."""
    parsers: int = 256
    """The number of Markdown parsers that are cached at most."""


PLAYGROUND: Final = PlaygroundTiming()
