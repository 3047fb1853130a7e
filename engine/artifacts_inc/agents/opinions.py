"""Opinions that experts have learnt by play (`python -m tests.bench.balance_learn`), beyond those from card texts.

It holds for one card list, the built-in one: in another a card of the same name may do something else. The list with
which it was learnt may have been an earlier draft that differs in a few numbers (`docs/balance.md`).
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import fields, replace
from functools import cache
from importlib import resources
from typing import Final, NamedTuple

from engine.artifacts_inc.agents.income import Incomes, Weights
from engine.artifacts_inc.agents.leaning import NO_LEANING, Leaning
from engine.artifacts_inc.catalogue import Catalogue

Opinions = Mapping[str, float]
"""By name. Of a weight ("dollar"): the logarithm of the factor on it. Of a side ("biplane 2"): the dollars that it
brings a turn beyond what is reckoned.
"""

WEIGHTS: Final = tuple(field.name for field in fields(Weights))
FILE: Final = "opinions.json"
"""In this game's package: {"cards": the digest of the card list for which they hold, "opinions": by name}."""


class Learnt(NamedTuple):
    """Opinions, and the digest of the card list for which they hold."""

    cards: str
    opinions: Opinions


@cache
def learnt() -> Learnt:
    """The opinions learnt for the built-in card list."""
    text = resources.files("engine.artifacts_inc").joinpath(FILE).read_text(encoding="utf-8")
    data = json.loads(text)
    return Learnt(data["cards"], data["opinions"])


def opinions_of(catalogue: Catalogue) -> Opinions:
    """The learnt opinions that hold for a card list: none for others than the built-in one."""
    cards, opinions = learnt()
    return opinions if cards == catalogue.digest else {}


def opinionated(catalogue: Catalogue, opinions: Opinions, leaning: Leaning = NO_LEANING) -> Incomes:
    """Estimates of what companies bring, by opinions."""
    usual = Weights()
    factors = {name: math.exp(opinions.get(name, 0.0)) for name in WEIGHTS}
    weights = replace(usual, **{name: getattr(usual, name) * factor for name, factor in factors.items()})
    more = [0.0] * len(catalogue.sides)
    for card in catalogue.cards[catalogue.public :]:
        for level in (1, 2):
            more[2 * card.number + level - 1] = opinions.get(f"{card.key} {level}", 0.0)
    return Incomes(catalogue, weights, leaning, more)
