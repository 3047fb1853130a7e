"""Where cards lie best: what a company's open places are worth to cards that count the Expeditions beside them."""

from __future__ import annotations

from functools import lru_cache

from engine.artifacts_inc.catalogue import Catalogue
from engine.artifacts_inc.company import UPPER, Place, around


@lru_cache(maxsize=1 << 14)
def open_neighbours(catalogue: Catalogue, sides: tuple[int, ...], places: tuple[Place, ...]) -> int:
    """The most Expeditions that lie beside an open place."""
    near: dict[Place, int] = {}
    for number, place in zip(sides, places, strict=True):
        if catalogue.cards[number >> 1].expedition:
            for beside in around(place):
                near[beside] = near.get(beside, 0) + 1
    return max((n for place, n in near.items() if place not in places), default=0)


@lru_cache(maxsize=1 << 14)
def best_place(catalogue: Catalogue, sides: tuple[int, ...], places: tuple[Place, ...], card: int) -> Place:
    """Where a new card scores most, then leaves the best open place, then the usual one (R26)."""
    usual = Place(UPPER, 1 + max(place.column for place in places if place.row == UPPER))
    per = catalogue.cards[card].sides[0].per_expedition
    if not any(side and side.per_expedition for side in catalogue.sides):
        return usual
    expeditions = {
        place for number, place in zip(sides, places, strict=True) if catalogue.cards[number >> 1].expedition
    }
    with_card = (*sides, 2 * card)
    best, most = usual, (-1, -1, False)
    for place in sorted({beside for own in places for beside in around(own) if beside not in places}):
        counted = per * sum(beside in expeditions for beside in around(place))
        merit = (counted, open_neighbours(catalogue, with_card, (*places, place)), place == usual)
        if merit > most:
            best, most = place, merit
    return best
