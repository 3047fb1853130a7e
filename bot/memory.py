"""Python's collector of reference cycles, told what a host of many tables is like."""

from __future__ import annotations

import gc
from typing import Final

COLLECT_AFTER: Final = 10_000
"""New objects between two looks for cycles; Python's own number is 700."""


def spare_the_collector() -> None:
    """Has Python look for cycles less often; for the whole process, and harmless to repeat.

    A move replaces some hundred small objects, none of which is part of a cycle. At 2,000 moves a second the
    collector would walk over all tables several times a second to find nothing: a seventh of the time, and
    pauses of 100 ms (measured with tests.bench.tables).
    """
    gc.set_threshold(COLLECT_AFTER, 10, 10)
