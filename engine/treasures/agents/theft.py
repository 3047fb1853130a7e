"""Whom to send a Thief to: what a random card of each opponent's hand is worth."""

from __future__ import annotations

from typing import Final

from engine.treasures.agents.experience import Worths
from engine.treasures.state import View

HARM: Final = 0.5
"""How much a dollar taken from a leader counts beside a dollar gained."""


def best_victim(view: View, known: Worths) -> int:
    """The opponent whose random card gains the most, those ahead first."""
    unseen = _unseen(view)
    return max(view.victims, key=lambda seat: (_expected(view, known, unseen, seat), -seat))


def _expected(view: View, known: Worths, unseen: list[int], seat: int) -> float:
    """What a random card of this seat's brings the viewer, and costs a rival."""
    hand = view.hand
    assert hand is not None
    size, total = view.sizes[seat], max(1, sum(unseen))
    unknown = size - sum(view.known[seat])
    lead = view.money[seat] >= max(view.money[s] for s in view.victims)
    worth = 0.0
    for kind, public in enumerate(view.known[seat]):
        share = (public + unknown * unseen[kind] / total) / size
        kept = known.kept[kind]
        worth += share * (kept[hand[kind] + 1] - kept[hand[kind]] + (HARM * kept[1] if lead else 0.0))
    return worth


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
