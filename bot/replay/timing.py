"""The sizes of films and reviews that tests shorten."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


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


FILM_QUEUE: Final = FilmQueueLimits()
REVIEWS: Final = ReviewLimits()
