"""Masters think little in tests of rules and conduct, for it is the same code that thinks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.archaeology_family.agents.master import Effort, Master
from engine.artifacts_inc.agents import master as artifacts_inc


@pytest.fixture(autouse=True, scope="package")
def hasty_masters() -> Iterator[None]:
    """Masters try each move a few times."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Master, "effort", Effort(turns=48, rounds=1, likings=2, worlds=1))
        effort = artifacts_inc.Effort(width=2, limit=100, purchases=3, lines=3, tries=3)
        patch.setattr(artifacts_inc.Master, "effort", effort)
        yield
