"""The times and sizes of films."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class FilmLimits:
    """A film of a match."""

    longest: float = 60.0
    """The maximum duration, in seconds."""
    largest: int = 8_000_000
    """The maximum file size, in bytes."""
    frame_at_least: float = 0.9
    """The shortest duration of a frame, in seconds."""
    frame_at_most: float = 2.0
    """The longest duration of a frame, in seconds, without what the last one has in addition."""
    at_the_end: float = 4.0
    """The additional seconds of the last frame."""
    colours: int = 96
    """The colours of the palette."""
    sampled: int = 4
    """The number of frames from which the palette is computed."""
    scales: tuple[float, ...] = (1.0, 0.75, 0.55, 0.4)
    """The scales tried in turn until the file is small enough."""

    @property
    def frames(self) -> int:
        """The maximum number of frames. Longer matches are sampled evenly."""
        return math.floor((self.longest - self.at_the_end) / self.frame_at_least)


@dataclass(frozen=True, slots=True)
class FilmQueueLimits:
    """The film queue and the film cache."""

    waiting: int = 40
    """The maximum length of the queue. At 6 to 13 s a film, the last one is ready before the token of its press
    expires."""
    waiting_here: int = 10
    """The maximum number of queued films per server."""


@dataclass(frozen=True, slots=True)
class ReviewLimits:
    """The reviews of matches that are over."""

    decisions: int = 60
    """The maximum number of decisions that are appraised. Those of longer matches are sampled evenly."""
    least: float = 1.0
    """The smallest cost or lead of a decision that is shown, by `Outlook.result`."""
    deals: int = 16
    """How often the deal is played in each seat to tell its worth."""


FILM: Final = FilmLimits()
FILM_QUEUE: Final = FilmQueueLimits()
REVIEWS: Final = ReviewLimits()
