"""Adjusts Python's garbage collector to a process that holds many tables."""

from __future__ import annotations

import gc
from typing import Final

COLLECT_AFTER: Final = 20_000
"""The number of new objects that starts a search for reference cycles; Python's default is 700.

Most objects of a press are freed by the next press at its table. A search between the two presses visits them all: with
10,000, searches took a twelfth of the time of a busy bot.
"""


def spare_the_collector() -> None:
    """Makes Python search for reference cycles less often, in the whole process. Safe to call twice.

    A move replaces some hundred small objects, none of which is part of a cycle. At 2,000 moves a second the
    collector would visit all tables several times a second and find nothing: a seventh of the time, and pauses of
    100 ms (measured with tests.bench.tables).
    """
    gc.set_threshold(COLLECT_AFTER, 10, 10)


def settle_in() -> None:
    """Excludes all present objects from later searches. Called once, when everything is loaded."""
    gc.collect()
    gc.freeze()
