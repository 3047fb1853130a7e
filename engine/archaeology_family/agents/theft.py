"""The victim of a Thief, by the value of a random card of each opponent's hand."""

from __future__ import annotations

from typing import Final

from engine.archaeology_family.agents.worth import Worths
from engine.archaeology_family.state import View

HARM: Final = 0.5
"""The value of a dollar taken from the leader relative to one gained: the other opponents profit from it too."""


def best_victim(view: View, kept: Worths) -> int:
    """The opponent whose random card gains the most; the one most likely to win is also harmed by its loss."""
    unseen = _unseen(view)
    total = max(1, sum(unseen))
    average = [n / total for n in unseen]
    stakes = {seat: _hand_worth(view, kept, average, seat) for seat in view.victims}
    leader = max(view.victims, key=lambda seat: view.money[seat] + stakes[seat])

    def gain(seat: int) -> float:
        lost = stakes[seat] / view.sizes[seat]
        return _gain(view, kept, average, seat) + (HARM * lost if seat == leader else 0.0)

    return max(view.victims, key=gain)


def _shares(view: View, average: list[float], seat: int) -> list[float]:
    """How likely each treasure is to be a random card of this seat's hand."""
    size, public = view.sizes[seat], view.known[seat]
    unknown = size - sum(public)
    return [(n + unknown * share) / size for n, share in zip(public, average, strict=True)]


def _hand_worth(view: View, kept: Worths, average: list[float], seat: int) -> float:
    """The values of the cards of this seat's hand to it, taken one by one."""
    each = sum(share * kept[kind][1] for kind, share in enumerate(_shares(view, average, seat)))
    return view.sizes[seat] * each


def _gain(view: View, kept: Worths, average: list[float], seat: int) -> float:
    """The value that a random card of this seat adds to the viewer's hand."""
    hand = view.hand
    assert hand is not None
    shares = _shares(view, average, seat)
    return sum(
        share * (kept[kind][hand[kind] + 1] - kept[kind][hand[kind]]) for kind, share in enumerate(shares)
    )


def _unseen(view: View) -> list[int]:
    """How many cards of each treasure the viewer cannot place: they are in the dig site, chambers or hands."""
    left = list(view.copies)
    for sets in view.sold:
        for kind, n in sets:
            left[kind] -= n
    seen = [view.market, *(known for seat, known in enumerate(view.known) if seat != view.viewer)]
    if view.hand is not None:
        seen.append(view.hand)
    for counts in seen:
        for kind, n in enumerate(counts):
            left[kind] -= n
    return [max(0, n) for n in left]
