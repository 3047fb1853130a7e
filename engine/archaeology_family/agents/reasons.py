"""Why a move of the Archaeology family may be good, in a code with facts: money or cards against the alternative, and
what to watch for. It follows from the view.

Several reasons have the facts of the dangers in the dig site, `thieves` and `storms`, and those of the hand's worth:
`now` is what all cards of the hand would bring at the museum before the move, `then` after it, in dollars.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from engine.agents.advice import Reason
from engine.archaeology_family.agents.explore import Offer
from engine.archaeology_family.agents.museum import revenue
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.moves import Discard, EndTurn, Explore, Sell, Steal, Trade
from engine.archaeology_family.state import View

Facts = Mapping[str, Any]


def reason_of(view: View, move: Any, rival: Any | None, offers: Sequence[Offer]) -> Reason:
    """The reason for a move of the viewer, beside `rival` if there is another; `offers` are the explorations."""
    match move:
        case Trade():
            return _of_trade(view, move, offers)
        case Sell(kind, count):
            return _of_sale(view, kind, count)
        case Explore():
            return _of_exploration(view, move, offers)
        case EndTurn():
            return _of_waiting(view, rival)
        case Discard(cards):
            return Reason("loses-least", {"cards": cards, **worths(view, less=cards)})
        case Steal(victim):
            return _of_theft(view, victim)
        case _:
            return Reason("due")


def dangers(view: View) -> Facts:
    """The hazards that are still in the dig site."""
    return {"thieves": view.thieves, "storms": view.sandstorms}


def worths(view: View, more: Iterable[Sequence[int]] = (), less: Iterable[Sequence[int]] = ()) -> Facts:
    """What the viewer's hand would bring at the museum, before and after it gets `more` cards and loses `less`."""
    assert view.hand is not None
    return {"now": _brings(view, view.hand), "then": _brings(view, _hand_with(view, more, less))}


def _hand_with(view: View, more: Iterable[Sequence[int]], less: Iterable[Sequence[int]]) -> list[int]:
    """The viewer's hand once it has more cards, and has lost others."""
    assert view.hand is not None
    hand = list(view.hand)
    for kind, n in more:
        hand[kind] += n
    for kind, n in less:
        hand[kind] -= n
    return hand


def _brings(view: View, hand: Sequence[int]) -> int:
    return sum([revenue(prices, n)[n] for prices, n in zip(view.prices, hand, strict=True)])


def _of_trade(view: View, move: Trade, offers: Sequence[Offer]) -> Reason:
    """A set completed, a chamber within reach, or the treasure of which most dollars are bought."""
    before, prices = view.hand, view.prices
    assert before is not None
    hand, facts = _hand_with(view, move.take, move.give), worths(view, move.take, move.give)
    for kind, _ in move.take:
        largest = len(prices[kind])
        if kind != MAP and largest > 1 and hand[kind] // largest > before[kind] // largest:
            of_set = {"treasure": kind, "count": largest, "price": prices[kind][-1]}
            return Reason("completes-set", {**of_set, **facts})
    maps, within = hand[MAP], [offer.maps for offer in offers if before[MAP] < offer.maps]
    if maps > before[MAP] and within:
        cost = max([cost for cost in within if cost <= maps], default=0)
        return Reason("buys-maps", {"maps": maps, "cost": cost, "short": max(0, min(within) - maps)})
    kind, _ = max(move.take, key=lambda cards: cards[1] * prices[cards[0]][-1] / len(prices[cards[0]]))
    short = -hand[kind] % len(prices[kind]) if view.site else 0  # without a dig site no set is waited for
    of_set = {"treasure": kind, "held": hand[kind], "short": short, "price": prices[kind][-1]}
    return Reason("grows-set", {**of_set, **facts, **dangers(view)})


def _of_sale(view: View, kind: int, count: int) -> Reason:
    prices = view.prices[kind]
    facts = {"treasure": kind, "count": count, "price": prices[count - 1], **dangers(view)}
    if count == len(prices):
        return Reason("sells-whole-set", facts)
    if view.site == 0:
        return Reason("sells-at-the-end", facts)
    return Reason("sells-part", {**facts, "short": len(prices) - count, "full": prices[-1]})


def _of_exploration(view: View, move: Explore, offers: Sequence[Offer]) -> Reason:
    """What the chamber should bring, against what its Maps would bring at the museum."""
    offer = next((offer for offer in offers if offer.move == move), None)
    if offer is None:
        return Reason("due")
    price = revenue(view.prices[MAP], offer.maps)[offer.maps]
    return Reason("explores", {"maps": offer.maps, "price": price, "dollars": round(offer.gain)})


def _of_waiting(view: View, rival: Any | None) -> Reason:
    """The turn is ended: a set that may grow instead of being sold, or nothing that gains."""
    if isinstance(rival, Sell) and view.site and rival.count < len(view.prices[rival.treasure]):
        kind, count = rival
        prices = view.prices[kind]
        facts = {
            "treasure": kind,
            "price": prices[count - 1],
            "short": len(prices) - count,
            "full": prices[-1],
        }
        return Reason("keeps-set", {**facts, **dangers(view)})
    return Reason("waits", {"site": view.site, **dangers(view)})


def _of_theft(view: View, victim: int) -> Reason:
    """The victim's cards, those of them that the viewer knows and holds others of, and whether it has most money."""
    assert view.hand is not None
    fit = [(kind, n) for kind, n in enumerate(view.known[victim]) if n and view.hand[kind] and kind != MAP]
    others = [dollars for seat, dollars in enumerate(view.money) if seat != victim]
    leads = view.money[victim] > max(others)
    facts = {"victim": victim, "cards": view.sizes[victim], "fit": tuple(fit)}
    return Reason("robs", {**facts, "dollars": view.money[victim] if leads else 0})
