"""A short form of the proof (`make proof`): processes are killed and frozen while people play, and nothing is lost."""

from __future__ import annotations

import pytest

from tests.proof.plan import Plan
from tests.proof.prove import prove

pytestmark = pytest.mark.system

TROUBLES = {"kills": 2, "freezes": 2, "restarts": 1, "ends": 1, "drains": 1, "sessions": 1}
SHORT = Plan(seconds=25, matches=36, shards=6, think=4, quiet=4, ending=18, left=6, failovers=0, **TROUBLES)


async def test_processes_take_over_without_losses() -> None:
    verdict = await prove(SHORT)
    assert not verdict.faults, verdict.report(SHORT)
