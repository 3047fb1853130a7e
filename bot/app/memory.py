"""Adjusts Python's garbage collector to a process that holds many tables."""

from __future__ import annotations

import gc
from typing import Final

COLLECT_AFTER: Final = 20_000
"""How many new objects start a search for reference cycles; Python's default is 700.

Most of what a press leaves behind is gone by the next press at its table. Where a search comes between the two, it
walks over all of that: with 10,000 it took a twelfth of the time of a busy bot.
"""


def spare_the_collector() -> None:
    """Makes Python look for reference cycles less often, in the whole process. It is harmless to call it again.

    A move replaces some hundred small objects, none of which is part of a cycle. At 2,000 moves a second the
    collector would walk over all tables several times a second to find nothing: a seventh of the time, and
    pauses of 100 ms (measured with tests.bench.tables).
    """
    gc.set_threshold(COLLECT_AFTER, 10, 10)


def settle_in() -> None:
    """Takes what is in memory now out of every later search. To be called once, when everything is loaded."""
    gc.collect()
    gc.freeze()
