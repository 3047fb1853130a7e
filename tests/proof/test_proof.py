"""A short form of the proof (`make proof`): processes are killed and frozen while people play, and nothing is lost."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.proof.plan import Plan
from tests.proof.prove import prove

pytestmark = pytest.mark.system

TROUBLES = {"kills": 2, "freezes": 2, "restarts": 1, "ends": 1, "drains": 1, "sessions": 1}
SHORT = Plan(seconds=25, matches=36, shards=6, think=4, quiet=4, ending=18, left=6, failovers=0, **TROUBLES)
NONE = dict.fromkeys(TROUBLES, 0)
FAILOVERS = Plan(seconds=30, matches=8, shards=6, think=6, quiet=4, ending=4, left=6, failovers=2, **NONE)


async def test_processes_take_over_without_losses() -> None:
    verdict = await prove(SHORT)
    assert not verdict.faults, verdict.report(SHORT)


async def test_processes_follow_failovers_without_losses(tmp_path: Path) -> None:
    verdict = await prove(FAILOVERS, keep=str(tmp_path))
    assert not verdict.faults, verdict.report(FAILOVERS)
