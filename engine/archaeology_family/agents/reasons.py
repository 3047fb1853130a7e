"""Why a move of the Archaeology family may be good, in a code with facts: money or cards against the alternative, and
what to watch for. It follows from the view.

Several reasons have the facts of the dangers in the dig site, `thieves` and `storms`, and those of the hand's worth:
`now` is what all cards of the hand would bring at the museum before the move, `then` after it, in dollars. `best` is
what another move of the kind, described by `others`, would make of it at most; 0 if none makes more of it. So a reason
names the number that speaks against its move.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from engine.agents.advice import Reason
from engine.archaeology_family.agents.planner import best_holdings, best_kept, removed, trade_to
from engine.archaeology_family.agents.worth import Offer, revenue
from engine.archaeology_family.card_list import MAP, Bundles
from engine.archaeology_family.moves import Discard, EndTurn, Explore, Sell, Steal, Trade
from engine.archaeology_family.state import View

Facts = Mapping[str, Any]

_DOLLAR: Final = 1_000_000
"""The weight of a dollar where hands are compared. Trade value and cards that change hands only break ties, as they do
in the order in which screens list trades and losses.
"""
_VALUE: Final = 1000
"""The weight of a point of trade value."""


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
            return _of_loss(view, cards)
        case Steal(victim):
            return _of_theft(view, victim)
        case _:
            return Reason("due")


def dangers(view: View) -> Facts:
    """The hazards that are still in the dig site."""
    return {"thieves": view.thieves, "storms": view.sandstorms}


def worths(
    view: View, more: Iterable[Sequence[int]] = (), less: Iterable[Sequence[int]] = ()
) -> dict[str, Any]:
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


def _compared(view: View, kind: int, most: int) -> list[int]:
    """By number of cards up to `most`, how good it is to hold so many of a treasure, if all are to be sold now."""
    assert view.hand is not None
    return [
        dollars * _DOLLAR + n * view.trade[kind] * _VALUE - abs(n - view.hand[kind])
        for n, dollars in enumerate(revenue(view.prices[kind], most))
    ]


def _best_trade_now(view: View) -> Trade | None:
    """The trade after which the hand brings most at the museum now; None if no trade makes more of it."""
    assert view.hand is not None
    within = [have + lie for have, lie in zip(view.hand, view.market, strict=True)]
    worth = [_compared(view, kind, most) for kind, most in enumerate(within)]
    budget = view.worth(tuple(enumerate(view.hand)))
    trade = trade_to(best_holdings(worth, view.hand, view.trade, budget), view.hand)
    return trade if trade and _gains(worths(view, trade.take, trade.give)) else None


def _gains(facts: Facts) -> bool:
    return facts["then"] > facts["now"]


def _better_now(view: View, least: int) -> Facts:
    """The trade that makes most of the hand now, if that is over `least` dollars: the facts `best` and `others`."""
    trade = _best_trade_now(view)
    best = worths(view, trade.take, trade.give)["then"] if trade else 0
    return {"best": best, "others": trade} if best > least else {"best": 0, "others": None}


def _hope(view: View, hand: Sequence[int], kinds: Iterable[int]) -> Facts:
    """The set that is nearest for this hand, of those of some treasures; `short` is 0 if it waits for none of them."""
    parts = {kind: hand[kind] % len(view.prices[kind]) for kind in kinds}
    parts = {kind: part for kind, part in parts.items() if part}
    if not parts:
        return {"treasure": MAP, "held": 0, "short": 0, "price": 0}
    kind = max(parts, key=lambda kind: view.prices[kind][-1] * (parts[kind] / len(view.prices[kind])) ** 2)
    prices = view.prices[kind]
    return {"treasure": kind, "held": hand[kind], "short": len(prices) - parts[kind], "price": prices[-1]}


def _of_trade(view: View, move: Trade, offers: Sequence[Offer]) -> Reason:
    """A set completed, a chamber within reach, or the nearest set of the treasures bought."""
    before, prices = view.hand, view.prices
    assert before is not None
    hand, facts = _hand_with(view, move.take, move.give), worths(view, move.take, move.give)
    facts = {**facts, **_better_now(view, max(facts["now"], facts["then"]))}
    others = facts["others"]
    facts["instead"] = others is not None and others.take == move.take
    within = [offer.maps for offer in offers if before[MAP] < offer.maps] if hand[MAP] > before[MAP] else []
    cost = max([maps for maps in within if maps <= hand[MAP]], default=0)
    for kind, _ in move.take:
        if _completes(view, move, kind):
            of_set = {"treasure": kind, "count": len(prices[kind]), "price": prices[kind][-1]}
            too = others is not None and _completes(view, others, kind)
            chamber = {"maps": hand[MAP], "cost": cost}
            return Reason("completes-set", {**of_set, "too": too, **chamber, **facts})
    if within:
        short = max(0, min(within) - hand[MAP])
        return Reason("buys-maps", {"maps": hand[MAP], "cost": cost, "short": short, **facts})
    hope = _hope(view, hand, [kind for kind, _ in move.take])
    kind: int = hope["treasure"] if hope["short"] else move.take[0][0]
    if not hope["short"]:
        return Reason("takes-singles", {"treasure": kind, "price": prices[kind][0], **facts})
    lie = view.market[kind] - hand[kind] + before[kind]
    # Without a dig site few sets are waited for, and money now is a reason by itself.
    short = 0 if not view.site and _gains(facts) and others is None else hope["short"]
    return Reason("grows-set", {**hope, "short": short, "lie": lie, **facts})


def _completes(view: View, trade: Trade, kind: int) -> bool:
    """Whether a trade completes a largest set of a treasure, of more than one card."""
    assert view.hand is not None
    largest = len(view.prices[kind])
    then = _hand_with(view, trade.take, trade.give)
    return kind != MAP and largest > 1 and then[kind] // largest > view.hand[kind] // largest


def _of_loss(view: View, cards: Bundles) -> Reason:
    """The cheapest loss at the museum's prices, or the set that is kept although another loss costs less now."""
    assert view.hand is not None
    facts: dict[str, Any] = {"cards": cards, **worths(view, less=cards)}
    worth = [_compared(view, kind, n) for kind, n in enumerate(view.hand)]
    least = best_kept(worth, view.hand, sum(view.hand) - sum([n for _, n in cards]))
    best = _brings(view, least)
    if facts["then"] >= best:
        return Reason("loses-least", facts)
    kept = _hand_with(view, (), cards)
    more = [kind for kind, n in enumerate(kept) if n > least[kind]]
    maps = kept[MAP] if MAP in more and any(view.chambers) else 0
    facts = {**facts, "best": best, "others": removed(view.hand, least), "maps": maps}
    return Reason("loses-for-later", {**facts, **_hope(view, kept, more)})


def _of_sale(view: View, kind: int, count: int) -> Reason:
    prices = view.prices[kind]
    facts = {"treasure": kind, "count": count, "price": prices[count - 1], **dangers(view)}
    if count == len(prices):
        return Reason("sells-whole-set", facts)
    if view.site == 0:
        return Reason("sells-at-the-end", facts)
    return Reason("sells-part", {**facts, "short": len(prices) - count, "full": prices[-1]})


def _of_exploration(view: View, move: Explore, offers: Sequence[Offer]) -> Reason:
    """The expected worth of the chamber, against the price of its Maps at the museum."""
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
    facts = worths(view)
    treasures = view.site - view.thieves - view.sandstorms
    facts = {**facts, **_better_now(view, facts["now"]), "acted": view.acted and not view.fruitful}
    return Reason("waits", {"site": view.site, "treasures": treasures, **facts})


def _of_theft(view: View, victim: int) -> Reason:
    """The victim's cards, those of them that the viewer knows (`known`) and collects too (`fit`), and how it stands
    beside the other victims: its money if nobody has as much, `more` cards than they have, or `as_many`; `unfit` if no
    card of theirs is known to fit, `alike` if nothing tells the victims apart.
    """
    fit, known = _fitting(view, victim), view.known[victim]
    others = [seat for seat in view.victims if seat != victim]
    leads = view.money[victim] > max([dollars for seat, dollars in enumerate(view.money) if seat != victim])
    facts = {
        "victim": victim,
        "cards": view.sizes[victim],
        "fit": fit,
        "known": tuple((kind, n) for kind, n in enumerate(known) if n),
        "dollars": view.money[victim] if leads else 0,
        "more": all(view.sizes[victim] > view.sizes[seat] for seat in others),
        "as_many": all(view.sizes[victim] >= view.sizes[seat] for seat in others),
        "unfit": not any(_fitting(view, seat) for seat in others),
        "alike": len({(view.money[seat], view.sizes[seat], view.known[seat]) for seat in view.victims}) == 1,
    }
    return Reason("robs", facts)


def _fitting(view: View, seat: int) -> Bundles:
    """The cards that the viewer knows a seat to hold, of treasures that it holds itself."""
    assert view.hand is not None
    return tuple(
        (kind, n) for kind, n in enumerate(view.known[seat]) if n and view.hand[kind] and kind != MAP
    )
