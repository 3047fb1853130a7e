"""How much the tests draw at random: a part in the quick run (`make test`), all of it in the full one.

The full run is chosen by DIGSITE_TESTS=full, which `make test-all` sets. Tests that draw more in it bear the marker
`sampled`; property tests bear it by themselves (see `tests/conftest.py`).
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import settings

FULL = os.environ.get("DIGSITE_TESTS", "") == "full"
SAMPLING = int(os.environ.get("DIGSITE_SAMPLING", "1"))
"""How many times as much as usual is drawn by tests that look at random matches of every game, and by property tests.
From 2 on, property tests draw other examples each time, so that a run goes on looking.
"""
SHARE = 6
"""The quick run draws one part in so many of a property test's examples, but no fewer than `LEAST`."""
LEAST = 12


def amount(full: int, quick: int) -> int:
    """How many of something are looked at: the first number in the full run, the second in the quick one."""
    return full if FULL else quick


def examples(full: int, **others: Any) -> Callable[[Any], Any]:
    """Hypothesis's settings for a property test with so many examples in the full run."""
    return settings(max_examples=amount(full, max(LEAST, full // SHARE)) * SAMPLING, **others)


def sweep(first: object, *others: object) -> list[Any]:
    """A test's parameter: what every run takes, and what the full run takes besides."""
    return [first, *(pytest.param(other, marks=pytest.mark.exhaustive) for other in others)]
