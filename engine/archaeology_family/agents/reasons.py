"""Why a move of the Archaeology family may be good, in a code with facts. It follows from the view."""

from __future__ import annotations

from typing import Any

from engine.agents.advice import Reason
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.moves import Discard, EndTurn, Explore, Sell, Steal, Trade
from engine.archaeology_family.state import View


def reason_of(view: View, move: Any) -> Reason:
    """The reason for a move of the viewer."""
    match move:
        case Trade():
            return _of_trade(view, move)
        case Sell(kind, count):
            return _of_sale(view, kind, count)
        case Explore(chamber):
            return Reason("explores", {"chamber": chamber, "cards": view.chambers[chamber]})
        case EndTurn():
            return Reason("waits", {"site": view.site})
        case Discard(cards):
            return Reason("loses-least", {"cards": cards})
        case Steal(victim):
            return Reason("robs", {"victim": victim, "cards": view.sizes[victim]})
        case _:
            return Reason("due")


def _of_trade(view: View, move: Trade) -> Reason:
    """A set completed, a chamber within reach, or the treasure of which most dollars are bought."""
    hand = view.hand
    assert hand is not None
    for kind, n in move.take:
        largest = len(view.prices[kind])
        if kind != MAP and largest > 1 and (hand[kind] + n) // largest > hand[kind] // largest:
            price = view.prices[kind][-1]
            return Reason("completes-set", {"treasure": kind, "count": largest, "price": price})
    if any(kind == MAP for kind, _ in move.take) and any(view.chambers):
        return Reason("buys-maps", {"maps": hand[MAP] + dict(move.take)[MAP]})
    kind, n = max(
        move.take, key=lambda cards: cards[1] * view.prices[cards[0]][-1] / len(view.prices[cards[0]])
    )
    largest = len(view.prices[kind])
    return Reason("grows-set", {"treasure": kind, "held": hand[kind] + n, "largest": largest})


def _of_sale(view: View, kind: int, count: int) -> Reason:
    facts = {"treasure": kind, "count": count, "price": view.prices[kind][count - 1]}
    if count == len(view.prices[kind]):
        return Reason("sells-whole-set", facts)
    if view.dry:
        return Reason("sells-at-the-end", facts)
    return Reason("sells-part", facts)
