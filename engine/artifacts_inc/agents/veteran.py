"""A decent player of Artifacts, Inc. that looks at little: at one line of moves, and at one card to buy.

It plans its turn as the strongest players do, but it follows a single line: each die goes where it seems to bring most
at that moment. Of the cards that it can buy or turn it looks at the one that seems best at a glance. It judges cards by
their texts alone, without what experts have learnt of them by play, and it likes to dive.
"""

from __future__ import annotations

from typing import Final

from engine.artifacts_inc.agents.expert import Effort, Expert, Rules
from engine.artifacts_inc.agents.leaning import Leaning

LITTLE: Final = Effort(
    width=1, limit=250, rolls=3, rolled_width=1, rolled_limit=60, positions=200, purchases=1
)
DIVES: Final = Leaning(dives=0.4)


class Veteran(Expert):
    """Plans a single line of moves with one purchase in mind, and dives at times where something else brings more."""

    slow = False

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules, LITTLE, DIVES, opinions={})
