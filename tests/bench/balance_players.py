"""The players when a card list of Artifacts, Inc. is measured (`tests.bench.balance`).

"experts" have opinions: weights and ideas of what cards bring that were learnt by play
(`tests.bench.balance_learn`), whatever card list is measured. No two of them are quite alike, as no two people are:
each has deviations of its own, drawn from its number, so that cards of nearly the same worth are bought about as often.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Final, Protocol

from engine.artifacts_inc import ArtifactsInc
from engine.artifacts_inc.agents.expert import WEIGHTS, Effort, Expert, Novice, Opinions, learnt
from engine.artifacts_inc.agents.income import NO_LEANING, Leaning
from engine.artifacts_inc.agents.master import Master
from engine.artifacts_inc.agents.playouts import Playouts
from engine.artifacts_inc.catalogue import Catalogue
from engine.artifacts_inc.moves import Move
from engine.artifacts_inc.state import View

BRIEF: Final = Effort(width=3, limit=90, rolls=2, rolled_width=1, rolled_limit=20)
"""How far players look ahead here: less than at a table, for many matches' sake."""
DRAWN_FROM: Final = 24
"""Players of a kind, from whom those of a match are drawn."""
SPREAD: Final = 0.5
"""How far players of a kind differ, as a part of `scale`."""

PLANS: Final[Mapping[str, Leaning]] = {
    "museums": Leaning(museums=0.25),
    "dives": Leaning(dives=0.35),
    "expensive assets": Leaning(dear=0.1),
    "adventurers": Leaning(adventurers=0.6),
}
"""Leanings that one notices in play, and that nobody needs to be talked out of."""


class Player(Protocol):
    """Plays its turns piecewise."""

    def moves(self, view: View, rng: Random) -> Sequence[Move]:
        """The next moves: one at least, no more than chance allows to foresee."""
        ...


def scale(catalogue: Catalogue) -> dict[str, float]:
    """All opinions that there are, and by how much people may well differ in each."""
    weights = dict.fromkeys(WEIGHTS, 0.2)
    cards = catalogue.cards[catalogue.public :]
    return weights | {f"{card.key} {level}": 0.25 for card in cards for level in (1, 2)}


def deviating(opinions: Opinions, rng: Random, by: Mapping[str, float]) -> tuple[Opinions, dict[str, float]]:
    """Opinions with a deviation in each, and these deviations before they were scaled."""
    drawn = {name: rng.gauss(0, 1) for name in by}
    return {name: opinions.get(name, 0.0) + by[name] * drawn[name] for name in by}, drawn


def experts(game: ArtifactsInc, plan: str | None) -> tuple[Player, ...]:
    """Experts with all that was learnt, no two of them quite the same."""
    by = {name: SPREAD * size for name, size in scale(game.catalogue).items()}
    held = [deviating(learnt().opinions, Random(number), by)[0] for number in range(DRAWN_FROM)]
    return tuple(Expert(game, BRIEF, _leaning(plan), opinions) for opinions in held)


def masters(game: ArtifactsInc, plan: str | None) -> tuple[Player, ...]:
    """The level that players can choose, as it thinks at a table: a match takes some 10 seconds for each seat."""
    expert = Expert(game, leaning=_leaning(plan))
    return (Master(game, expert, Playouts(game, expert.box)),) * DRAWN_FROM


def novices(game: ArtifactsInc, plan: str | None) -> tuple[Player, ...]:
    """The level that players can choose."""
    return (Novice(game, _leaning(plan)),) * DRAWN_FROM


def _leaning(plan: str | None) -> Leaning:
    return NO_LEANING if plan is None else PLANS[plan]


KINDS: Final[Mapping[str, Callable[[ArtifactsInc, str | None], tuple[Player, ...]]]] = {
    "experts": experts,
    "masters": masters,
    "novices": novices,
}
"""The kinds of players, the usual one first; made for a game and the plan that they lean to, if to any."""
