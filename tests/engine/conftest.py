"""Masters think little in tests of rules and conduct, for it is the same code that thinks."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.archaeology_family.agents.master import Effort, Master


@pytest.fixture(autouse=True, scope="session")
def hasty_masters() -> Iterator[None]:
    """Masters try each move a few times."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Master, "effort", Effort(turns=48, rounds=1, likings=2, worlds=1))
        yield
