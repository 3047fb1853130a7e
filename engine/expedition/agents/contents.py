"""The cards that may lie where a seat cannot see, above all in the chambers."""

from __future__ import annotations

from collections.abc import Iterable

from engine.archaeology_family.card_list import MAP
from engine.expedition.moves import LookAt
from engine.expedition.state import ExpeditionView


def unseen(view: ExpeditionView) -> list[int]:
    """By treasure, the cards that may lie in chambers or the pile for all that the viewer knows.

    They are those that it cannot place: the rest is in the dig site and in others' hands. No Map lies in a chamber.
    """
    left = list(view.copies)
    for kind in (*(kind for sets in view.sold for kind, n in sets for _ in range(n)), *view.turned):
        left[kind] -= 1
    known = (counts for seat, counts in enumerate(view.known) if seat != view.viewer)
    places: Iterable[tuple[int, ...]] = (view.market, view.hand or (), *known, *view.within)
    for counts in places:
        for kind, n in enumerate(counts):
            left[kind] -= n
    left[MAP] = 0
    return [max(0, n) for n in left]


def contents(view: ExpeditionView, number: int) -> list[float]:
    """By treasure, how many cards the viewer should expect in a chamber: those known, and a share of the unseen."""
    seen = view.within[number]
    hidden = view.chambers[number] - sum(seen)
    if not hidden:
        return [float(n) for n in seen]
    pool = unseen(view)
    share = hidden / max(1, sum(pool))
    return [n + share * more for n, more in zip(seen, pool, strict=True)]


def is_known(view: ExpeditionView, number: int) -> bool:
    """Whether the viewer knows every card of a chamber."""
    return sum(view.within[number]) == view.chambers[number]


def look(view: ExpeditionView) -> LookAt | None:
    """The look into the Temple, if one is offered: into a chamber that the viewer does not know, nor many others."""
    if not view.look:
        return None
    chambers = [n for n, size in enumerate(view.chambers) if size and not is_known(view, n)]
    unknown = min(chambers, key=lambda number: len(view.privy[number]), default=None)
    return None if unknown is None else LookAt(unknown)
