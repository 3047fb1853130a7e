"""Why a move of the Archaeology family may be good, in a code with facts: money or cards against the alternative, and
what to watch for. It follows from the view.

Several reasons have the facts of the dangers in the dig site, `thieves` and `storms`, and those of the hand's worth, in
dollars: `now` is what all cards of the hand would bring at the museum before the move, `then` after it. `hope` is the
same after it by the Expert's reckoning, which counts what kept cards can still become: their share of a set, the
chamber that Maps open. `broken` has the treasure and size of each whole set that a trade breaks up.

`others` is another move of the kind that would bring more at the museum, `best`, and that is worth less than this one
by that reckoning, `hope_best`; `best` is 0 if there is no such move. `rival` is the other seat that the viewer knows to
hold most cards of the treasure in question, and `rivals` how many; 0 if it knows of none.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from engine.agents.advice import Reason
from engine.archaeology_family.agents.expert import Expert
from engine.archaeology_family.agents.planner import Worth, best_holdings, best_kept, removed, trade_to
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


def reason_of(view: View, line: Sequence[Any], rival: Any | None, expert: Expert) -> Reason:
    """The reason for the first move of a viewer's plan, beside `rival` if there is another move, in the terms of the
    Expert's plans.
    """
    match move := line[0]:
        case Trade():
            return _of_trade(view, move, expert, line)
        case Sell(kind, count):
            return _of_sale(view, kind, count)
        case Explore():
            return _of_exploration(view, move, expert.offers(view))
        case EndTurn():
            return _of_waiting(view, rival, expert)
        case Discard(cards):
            return _of_loss(view, cards, expert)
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
    """The dollars of the viewer's hand at the museum, before and after it gets `more` cards and loses `less`."""
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
    if trade is None:
        return None
    facts = worths(view, trade.take, trade.give)
    return trade if facts["then"] > facts["now"] else None


def _hope(worth: Worth, hand: Sequence[int]) -> float:
    return sum([values[n] for values, n in zip(worth, hand, strict=True)])


def _better_now(view: View, least: int, worth: Worth, hope: int) -> Facts:
    """The trade that makes most of the hand now: the facts of `others`, if it is over `least` and under `hope`."""
    trade = _best_trade_now(view)
    if trade is not None:
        best = worths(view, trade.take, trade.give)["then"]
        hope_best = round(_hope(worth, _hand_with(view, trade.take, trade.give)))
        if best > least and hope_best < hope:
            return {"best": best, "hope_best": hope_best, "others": trade}
    return {"best": 0, "hope_best": 0, "others": None}


def sets(view: View) -> list[tuple[int, ...]]:
    """By treasure, the prices of sets up to the largest that can still come together, many having been sold."""
    left = list(view.copies)
    for sold in view.sold:
        for kind, n in sold:
            left[kind] -= n
    return [prices[: max(1, n)] for prices, n in zip(view.prices, left, strict=True)]


def _nearest(view: View, hand: Sequence[int], kinds: Iterable[int]) -> Facts:
    """The set that is nearest for this hand, of those of some treasures; `short` is 0 if it waits for none of them."""
    whole = sets(view)
    parts = {kind: hand[kind] % len(whole[kind]) for kind in kinds}
    parts = {kind: part for kind, part in parts.items() if part}
    if not parts:
        return {"treasure": MAP, "held": 0, "short": 0, "price": 0}
    kind = max(parts, key=lambda kind: whole[kind][-1] * (parts[kind] / len(whole[kind])) ** 2)
    prices = whole[kind]
    return {"treasure": kind, "held": hand[kind], "short": len(prices) - parts[kind], "price": prices[-1]}


def _rival(view: View, kind: int) -> Facts:
    held = [(known[kind], seat) for seat, known in enumerate(view.known) if seat != view.viewer]
    rivals, rival = max(held, key=lambda one: one[0])
    return {"rival": rival, "rivals": rivals}


def _of_trade(view: View, move: Trade, expert: Expert, line: Sequence[Any]) -> Reason:
    """A set completed; or, of the cards taken, the treasure that gains most by the Expert's reckoning: a chamber within
    reach, a set that grows, or cards that need no others.
    """
    before, worth = view.hand, expert.turn_worth(view)
    assert before is not None
    hand, facts = _hand_with(view, move.take, move.give), worths(view, move.take, move.give)
    facts["hope"] = round(_hope(worth, hand))
    whole = [(kind, len(prices)) for kind, prices in enumerate(sets(view)) if len(prices) > 1]
    facts["broken"] = [(kind, n) for kind, n in whole if hand[kind] < n <= before[kind]]
    facts |= _better_now(view, max(facts["now"], facts["then"]), worth, facts["hope"])
    taken = [kind for kind, _ in move.take]
    if whole := [kind for kind in taken if _completes(view, hand, kind)]:
        kind = max(whole, key=lambda kind: sets(view)[kind][-1])
        prices = sets(view)[kind]
        return Reason("completes-set", {**facts, "treasure": kind, "count": len(prices), "price": prices[-1]})
    kind = max(taken, key=lambda kind: worth[kind][hand[kind]] - worth[kind][before[kind]])
    facts |= _rival(view, kind)
    chamber = _opened(view, hand, expert.offers(view)) if kind == MAP else {"maps": 0}
    if chamber["maps"]:
        return Reason("buys-maps", {**facts, **chamber})
    nearest = _nearest(view, hand, [kind])
    if not nearest["short"]:
        return Reason("takes-singles", {**facts, "treasure": kind, "price": view.prices[kind][0]})
    facts |= {**nearest, "lie": view.market[kind] - hand[kind] + before[kind]}
    if facts["then"] > facts["now"] and (not view.site or Sell(kind, hand[kind]) in line):
        facts["short"] = (
            0  # no set is waited for, or few without a dig site, and money now is a reason by itself
        )
    return Reason("grows-set", facts)


def _completes(view: View, hand: Sequence[int], kind: int) -> bool:
    """Whether this hand has one more of the largest sets of a treasure, of more than one card, than the viewer's."""
    assert view.hand is not None
    largest = len(sets(view)[kind])
    return largest > 1 and hand[kind] // largest > view.hand[kind] // largest


def _opened(view: View, hand: Sequence[int], offers: Sequence[Offer]) -> Facts:
    """The best chamber that this hand has the Maps for and the viewer's has not, or else the one that is nearest.

    `maps` is how many Maps the hand has, 0 if they lead to no chamber; `missing` how many more the chamber costs.
    """
    assert view.hand is not None
    maps, more = hand[MAP], [offer for offer in offers if offer.maps > view.hand[MAP]]
    if maps <= view.hand[MAP] or not more:
        return {"maps": 0}
    within = [offer for offer in more if offer.maps <= maps]
    offer = max(within, key=lambda one: one.gain) if within else min(more, key=lambda one: one.maps)
    facts = {"maps": maps, "missing": max(0, offer.maps - maps), "dollars": round(offer.gain)}
    return {**facts, "chamber": _chamber(offer)}


def _chamber(offer: Offer) -> int:
    """The chamber of an exploration. The Sphinx, which is asked instead of explored, has only one."""
    return offer.move.chamber if isinstance(offer.move, Explore) else 0


def _of_loss(view: View, cards: Bundles, expert: Expert) -> Reason:
    """The cheapest loss at the museum's prices, or the set that is kept although another loss costs less now."""
    assert view.hand is not None
    facts: dict[str, Any] = {"cards": cards, **worths(view, less=cards)}
    worth = [_compared(view, kind, n) for kind, n in enumerate(view.hand)]
    least = best_kept(worth, view.hand, sum(view.hand) - sum([n for _, n in cards]))
    best = _brings(view, least)
    if facts["then"] >= best:
        return Reason("loses-least", facts)
    kept, reckoned = _hand_with(view, (), cards), expert.kept(view)
    more = [kind for kind, n in enumerate(kept) if n > least[kind]]
    facts |= {"best": best, "others": removed(view.hand, least)}
    facts |= {"hope": round(_hope(reckoned, kept)), "hope_best": round(_hope(reckoned, least))}
    facts["maps"] = kept[MAP] if MAP in more and any(view.chambers) else 0
    return Reason("loses-for-later", {**facts, **_nearest(view, kept, more)})


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
    facts = {"maps": offer.maps, "price": price, "dollars": round(offer.gain)}
    return Reason("explores", {**facts, **_rival(view, MAP)})


LEAST: Final = 1.0
"""Dollars by the Expert's reckoning for which a trade is worth a word."""


def _of_waiting(view: View, rival: Any | None, expert: Expert) -> Reason:
    """The turn is ended: a set that may grow instead of being sold, or nothing that gains.

    `gains`: a trade gains by the Expert's reckoning. The set named is the nearest in hand.
    """
    assert view.hand is not None
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
    facts, worth = worths(view), expert.turn_worth(view)
    now = _hope(worth, view.hand)
    best = _hope(worth, best_holdings(worth, view.hand, view.trade, view.worth(tuple(enumerate(view.hand)))))
    facts |= {"hope": round(now), "gains": best - now >= LEAST}
    facts |= _better_now(view, facts["now"], worth, facts["hope"])
    facts["treasures"] = view.site - view.thieves - view.sandstorms
    return Reason("waits", {**facts, **_nearest(view, view.hand, range(view.kinds))})


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
