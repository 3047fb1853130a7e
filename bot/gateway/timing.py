"""The times of the connections to Discord's gateway."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class GatewayTiming:
    """The connections of single shards, in seconds."""

    identify_every: float = 5.5
    """Between two identifies of the same bucket. Discord asks for 5, counted on arrival; the first may take longer on
    its way than the second."""
    turn_valid: float = 0.5
    """For which a granted turn to identify is valid: at most what `identify_every` exceeds Discord's 5 s by."""
    ask_again: float = 1.0
    """Until the store is asked again after a failure."""


@dataclass(frozen=True, slots=True)
class IdentifyTiming:
    """The identify budget: how long an answer of Discord is used, and how the budget is spread."""

    answer_valid: float = 30.0
    """Seconds for which an answer of Discord is used."""
    answer_valid_if_few: float = 5.0
    """The same while the budget is low, because other processes use it too."""
    answer: float = 10.0
    """Timeout of the request, in seconds. Until then the last answer holds."""
    reserve: int = 3
    """The part of the budget that is never used, because several processes may count it at the same time."""
    few: int = 20
    """The budget is low below one part in this many of the day's, or below the shard count."""


GATEWAY: Final = GatewayTiming()
IDENTIFY: Final = IdentifyTiming()
