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


@dataclass(frozen=True, slots=True)
class IdentifyTiming:
    """The identify budget: how long an answer of Discord is used, and how the budget is spread."""

    answer_valid_if_few: float = 5.0
    """The same while the budget is low, because other processes use it too."""


GATEWAY: Final = GatewayTiming()
IDENTIFY: Final = IdentifyTiming()
