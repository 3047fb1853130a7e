"""Where cards lie best: what a company's open places are worth to cards that count the Expeditions beside them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from engine.artifacts_inc.catalogue import Catalogue
from engine.artifacts_inc.company import UPPER, Place, around

Places = tuple[Place, ...]
_Kinds = tuple[bool, ...]
"""For each card of a company, whether it is an Expedition."""


def open_neighbours(catalogue: Catalogue, sides: Sequence[int], places: Places) -> int:
    """The most Expeditions that lie beside an open place."""
    return _most_beside(_kinds(catalogue, sides), places)


def best_place(catalogue: Catalogue, sides: Sequence[int], places: Places, card: int) -> Place:
    """Where a new card scores most, then leaves the best open place, then the usual one (R26)."""
    if not _counted(catalogue):
        return _usual(places)
    new = catalogue.cards[card]
    return _best(_kinds(catalogue, sides), places, new.expedition, new.sides[0].per_expedition)


@lru_cache(maxsize=8)
def _counted(catalogue: Catalogue) -> bool:
    """Whether any card counts Expeditions beside it."""
    return any(side and side.per_expedition for side in catalogue.sides)


def _kinds(catalogue: Catalogue, sides: Sequence[int]) -> _Kinds:
    cards = catalogue.cards
    return tuple([cards[number >> 1].expedition for number in sides])


def _usual(places: Places) -> Place:
    return Place(UPPER, 1 + max(place.column for place in places if place.row == UPPER))


@lru_cache(maxsize=1 << 14)
def _most_beside(expeditions: _Kinds, places: Places) -> int:
    near: dict[Place, int] = {}
    for expedition, place in zip(expeditions, places, strict=True):
        if expedition:
            for beside in around(place):
                near[beside] = near.get(beside, 0) + 1
    return max((n for place, n in near.items() if place not in places), default=0)


@lru_cache(maxsize=1 << 14)
def _best(expeditions: _Kinds, places: Places, expedition: bool, per: int) -> Place:
    """The best place of a new card, which may be an Expedition and may score for each one beside it."""
    usual = _usual(places)
    lying = {place for is_one, place in zip(expeditions, places, strict=True) if is_one}
    best, most = usual, (-1, -1, False)
    for place in sorted({beside for own in places for beside in around(own) if beside not in places}):
        counted = per * sum(beside in lying for beside in around(place))
        merit = (counted, _most_beside((*expeditions, expedition), (*places, place)), place == usual)
        if merit > most:
            best, most = place, merit
    return best
