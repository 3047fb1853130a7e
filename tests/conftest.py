"""Which tests the commands run, and how many examples property tests draw.

- `make test` runs what bears neither of the markers `system` and `exhaustive`, and draws a part of the examples: what
  every change must pass, in four minutes on two cores.
- `make test-all` runs all tests and draws all examples.
- `make test-rest` runs what `make test` left out: the tests with one of these markers, and once more, with all
  examples, those that are `sampled`.

A new test that starts a process or a browser, or that takes more than about two seconds, is `system`; a sweep is a
`pytest.param(..., marks=pytest.mark.exhaustive)` for all but a few cases in which every game and every number of seats
occurs; how much a test draws at random stands as `amount(full, quick)` or `examples(full)`, both of `tests.sampling`.
"""

from __future__ import annotations

import gc
import os
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from hypothesis import HealthCheck, is_hypothesis_test, settings

from bot.language import InCases
from bot.store.migrate import scripts
from bot.store.sqlite import layout
from engine.archaeology_family.agents.master import Effort, Master
from engine.artifact.agents.veteran import Veteran
from engine.artifacts_inc.agents import master as artifacts_inc
from tests.sampling import SAMPLING, amount

ROOM = 4 << 30
"""Bytes that must be free in memory, which is more than the tests' files take."""

settings.register_profile(
    "digsite",
    deadline=None,  # on a busy machine no example is too slow
    suppress_health_check=[HealthCheck.too_slow],
    max_examples=amount(60, 20) * SAMPLING,
    derandomize=SAMPLING == 1,  # what decides whether a change lands is the same every time; a search is not
    print_blob=True,
)
settings.load_profile("digsite")


def pytest_configure() -> None:
    """The tests' files lie in memory where there is room for them: there fsync costs nothing. Tests press at once."""
    os.environ["SECOND_TAP"] = os.environ["SUSPENSE"] = "0"
    memory = Path("/dev/shm")
    if memory.is_dir() and shutil.disk_usage(memory).free > ROOM:
        os.environ.setdefault("PYTEST_DEBUG_TEMPROOT", str(memory))


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Property tests draw more examples in the full run."""
    for item in items:
        if isinstance(item, pytest.Function) and is_hypothesis_test(item.obj):
            item.add_marker(pytest.mark.sampled)


def pytest_collection_finish() -> None:
    """The garbage collector need not look again and again at the tests and modules, which stay to the end."""
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True, scope="session")
def asked_for_a_case_in_vain() -> Iterator[None]:
    """Fails a test in which a translation asks for a case of something that the code inserts as a plain string."""

    def fail(_self: InCases, value: object) -> str:
        raise AssertionError(f"a translation asks for a case of the plain string {value!r}")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(InCases, "without_cases", fail)
        yield


@pytest.fixture(autouse=True, scope="session")
def hasty_masters() -> Iterator[None]:
    """Masters try each move a few times, for it is the same code that thinks. A test of their play lets them think."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Master, "effort", Effort(turns=48, rounds=1, weightings=2, worlds=1))
        effort = artifacts_inc.Effort(width=2, limit=100, lines=3, tries=3)
        patch.setattr(artifacts_inc.Master, "effort", effort)
        patch.setattr(artifacts_inc, "IMAGINED", 2)
        patch.setattr(Veteran, "worlds", 16)
        yield


@pytest.fixture(autouse=True, scope="session")
def new_stores_are_copies() -> Iterator[None]:
    """The layout of a new store's file is copied from one that all migrations have made, once for all tests."""
    made = sqlite3.connect(":memory:", isolation_level=None, check_same_thread=False)
    migrations, apply = scripts("sqlite"), layout.apply
    apply(made, Path("the template"), migrations)

    def copy(connection: sqlite3.Connection, path: Path, wanted: list[str]) -> None:
        if layout.layout_of(connection) == 0 and wanted == migrations:
            made.backup(connection)
        else:
            apply(connection, path, wanted)

    with pytest.MonkeyPatch.context() as patch, closing(made):
        patch.setattr(layout, "apply", copy)
        yield


def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """One worker more than there are cores, because tests wait for servers, browsers and helper processes."""
    return (os.cpu_count() or 1) + 1
