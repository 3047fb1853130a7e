"""Why a move of the Archaeology family may be good, in a code with facts: money or cards against the alternative, and
what to watch for. It follows from the view.

Several reasons have facts of the hand's worth, in dollars: `now` is what all cards of the hand would bring at the
museum before the move, `then` after it. `hope` is the same after it by the Expert's reckoning, which counts what kept
cards can still become: their share of a set, the chamber that Maps open; `had` is that before it. `broken` has the
treasure and size of each whole set that a trade breaks up, `back` what it gives of cards taken from the market before.

Cards of a treasure that wait for a set: `held` of them bring `sells`, and with `short` more `full`, in sets of at most
`price`. `lie` are in the market after the move, `lacking` is the trade value that the other cards lack to buy the rest
there; `chance` is that of digging up what does not lie there. `short` is 0 where no set is worth it or likely.

`others` is the trade that would bring most at the museum now, `best`; by that reckoning it is worth `hope_best`, it is
`behind` as `_behind` says, and `best_gives` is most of what it gives beyond the move. `best` is 0 if it is no better
than the move, or the move not known to be worth more.

`storm` is the chance of a Sandstorm before the viewer can sell again, in hundredths, `thief` that of another's Thief; a
Sandstorm would leave a hand that brings `left`, for `now`.

Where a search compared the move with a plain alternative, the viewer has `more` dollars in the end. `deed` is the sale
or exploration of which playouts change the chance most (`Master`), `step` one card more for which a treasure waits.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import comb, exp
from typing import Any, Final, Literal

from engine.agents.advice import Past, Reason
from engine.archaeology_family.agents.expert import Expert, struck
from engine.archaeology_family.agents.planner import Worth, best_now, trade_to
from engine.archaeology_family.agents.worth import Offer, brings, dig_chance, digs, revenue
from engine.archaeology_family.card_list import MAP, Bundles
from engine.archaeology_family.moves import Discard, EndTurn, Explore, Sell, Steal, Trade
from engine.archaeology_family.state import View

Facts = Mapping[str, Any]


def reason_of(
    view: View, line: Sequence[Any], rival: Any | None, expert: Expert, *, tried: bool = False
) -> Reason:
    """The reason for the first move of a viewer's plan, beside `rival` if there is another move, in the terms of the
    Expert's plans. `tried`: the trade that brings most now did worse in a search.
    """
    match move := line[0]:
        case Trade():
            return _of_trade(view, move, expert, line, rival, tried=tried)
        case Sell(kind, count):
            return _of_sale(view, kind, count, expert)
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


def worths(
    view: View, more: Iterable[Sequence[int]] = (), less: Iterable[Sequence[int]] = ()
) -> dict[str, Any]:
    """The dollars of the viewer's hand at the museum, before and after it gets `more` cards and loses `less`."""
    return {
        "now": brings(view.own_hand, view.prices),
        "then": brings(hand_with(view, more, less), view.prices),
    }


def left_by_storm(view: View) -> list[int]:
    """The viewer's hand after the loss in a Sandstorm that costs it least at the museum."""
    hand = view.own_hand
    return struck(hand, [revenue(prices, n) for prices, n in zip(view.prices, hand, strict=True)])[0]


def whole_sets(view: View) -> list[Sell]:
    """The sales of complete sets of several cards that the viewer holds."""
    sizes = zip(view.own_hand, map(len, view.prices), strict=True)
    return [Sell(kind, size) for kind, (n, size) in enumerate(sizes) if n >= size > 1]


def hand_with(view: View, more: Iterable[Sequence[int]], less: Iterable[Sequence[int]]) -> list[int]:
    """The viewer's hand once it has more cards, and has lost others."""
    hand = list(view.own_hand)
    for kind, n in more:
        hand[kind] += n
    for kind, n in less:
        hand[kind] -= n
    return hand


NEARER: Final = 8
"""The hundredths by which the danger of a Sandstorm must grow to be a reason to leave a plan."""


def best_trade_now(view: View, take: Bundles = ()) -> Trade | None:
    """The trade that makes most of the viewer's hand at the museum now, or most with these cards to `take`; None if
    none makes more of it.
    """
    hand = view.own_hand
    return trade_to(best_now(hand, view.market, view.trade, view.prices, take, only=bool(take)), hand)


def _hope(worth: Worth, hand: Sequence[int]) -> float:
    return sum([values[n] for values, n in zip(worth, hand, strict=True)])


WORSE: Final = 2
"""Dollars by the Expert's reckoning by which another trade must be worse to be told, and one to and fro better."""


def _most_now(view: View, worth: Worth, advised: Bundles = ()) -> Facts:
    """The facts of `others` about the trade that makes most of the hand now, however it ends."""
    trade = best_trade_now(view)
    if trade is None:
        return {"best": 0}
    other = hand_with(view, trade.take, trade.give)
    facts = {"best": brings(other, view.prices), "hope_best": round(_hope(worth, other)), "others": trade}
    behind = _behind(view, other)
    costly = *behind[:1], *[MAP] * any(view.chambers)  # the set, and what opens a chamber for others
    beyond = [(kind, n - dict(advised).get(kind, 0)) for kind, n in trade.give]
    gives = {kind: n for kind, n in beyond if n > 0}
    given = [(kind, gives[kind]) for kind in costly if kind in gives]
    most = sorted(gives.items(), key=lambda bundle: -view.worth((bundle,)))[:1]
    return {**facts, "best_behind": behind, "best_gives": tuple(given or most)}


def sets(view: View) -> list[tuple[int, ...]]:
    """By treasure, the prices of sets up to the largest that can still come together, many having been sold."""
    return [prices[: max(1, n)] for prices, n in zip(view.prices, view.unsold, strict=True)]


FAR: Final = 3
"""The most cards that a set may lack to be the purpose of a trade, unless it is near otherwise."""
NEAR: Final = 2
"""The cards that a set may lack to be near, unless the market has all of them and digs may yet pay for them."""


UNLIKELY: Final = 25
"""The chance to dig up what a set or a chamber lacks, in hundredths, below which neither is worth waiting for."""


def _wanted(
    view: View,
    hand: Sequence[int],
    kinds: Iterable[int],
    *,
    of: Literal["far", "near", "dearest", "step"] = "near",
    likely: int = UNLIKELY,
) -> Facts:
    """The set of some treasures for which this hand waits: of near ones, or else `of` far ones, that of the largest
    gain, times its likelihood, which is taken from the part of what it lacks that lies in the market, if a likely find
    pays for the rest, or that the viewer should still dig up. Its digs must suffice for it. It may be the dearest now
    of near ones. A step is one card more, if it makes those held dearer.
    """
    whole, unseen, most_digs = sets(view), view.unseen, digs(view)
    whole = [prices[: n + 1] for prices, n in zip(whole, hand, strict=True)] if of == "step" else whole
    dearest = of in ("dearest", "step")
    # The trade value of a likely card.
    find = round(view.worth(tuple(enumerate(unseen))) / max(1, sum(unseen)))
    own = view.site // view.seats * (view.site - view.thieves - view.sandstorms) / max(1, view.site)
    found, most = {"treasure": MAP, "held": 0, "short": 0, "price": 0, "near": False}, (False, 0.0)
    for kind in kinds:
        n, size = hand[kind], len(whole[kind])
        short, lie = size - n % size, view.market[kind] + view.own_hand[kind] - n
        lacking = view.trade[kind] * (short + n) - view.worth(tuple(enumerate(hand)))
        near = short <= NEAR or (short <= lie and lacking <= find)
        sold = revenue(view.prices[kind], n + short)
        worthless = sold[-1] - sold[n] <= WORSE
        if short > min(most_digs, size - 1, lie + unseen[kind]) or worthless or not (near or of == "far"):
            continue
        if (chance := dig_chance(view, kind, max(0, short - lie))) < likely:
            continue
        within = lie if lacking <= find else 0
        reach = 1 - exp(-(within + own * unseen[kind] / max(1, sum(unseen))) / short)
        if (gain := (near, sold[n] if dearest else (sold[-1] - sold[n]) * reach**short)) > most:
            most, price = gain, whole[kind][-1]
            found = {"treasure": kind, "held": n, "short": short, "price": price, "lie": lie, "near": near}
            found |= {"sells": sold[n], "full": sold[-1], "lacking": lacking, "chance": chance}
    return found


def _of_trade(
    view: View, move: Trade, expert: Expert, line: Sequence[Any], rival: Any = None, *, tried: bool = False
) -> Reason:
    """A set completed; or, of the cards taken, the treasure that gains most by the Expert's reckoning: a chamber within
    reach, a set that grows, or cards that need no others. Where `rival` does the same, what it does beyond that counts.
    """
    before, worth = view.own_hand, expert.turn_worth(view)
    hand, facts = hand_with(view, move.take, move.give), worths(view, move.take, move.give)
    facts |= {"hope": round(_hope(worth, hand)), "had": round(_hope(worth, before))}
    whole = [(kind, len(prices)) for kind, prices in enumerate(view.prices) if len(prices) > 1]
    facts["back"] = returned(view, move.give)
    facts["broken"] = [(kind, n) for kind, n in whole if hand[kind] < n <= before[kind]]
    found = _most_now(view, worth, move.give)
    worse = tried or found.get("hope_best", 0) <= facts["hope"] - WORSE
    other = worse and found["best"] > max(facts["now"], facts["then"]) and found["others"].take != move.take
    facts |= found if other else {"best": 0}
    facts |= {"behind": _behind(view, hand), "storm": storm_chance(view)}
    taken = [kind for kind, _ in move.take]
    if isinstance(rival, Trade):
        taken = [kind for kind, n in move.take if n > dict(rival.take).get(kind, 0)] or taken
    chamber = _opened(view, hand[MAP], expert.offers(view)) if MAP in taken else {"maps": 0}
    if whole := [kind for kind in taken if _completes(view, hand, kind, line)]:
        kind = max(whole, key=lambda kind: sets(view)[kind][-1])
        prices = sets(view)[kind]
        if found["best"] == facts["then"]:  # the difference counts
            plain = hand_with(view, found["others"].take, found["others"].give)
            beside = _wanted(view, hand, [kind for kind, n in enumerate(plain) if hand[kind] > n])
            facts |= {"beside": Reason("beside", beside)} if beside["short"] else {}
        facts |= {"opens": Reason("opens", chamber)} if chamber["maps"] else {}
        return Reason("completes-set", {**facts, "treasure": kind, "count": len(prices), "price": prices[-1]})
    wanted = _wanted(view, hand, taken, of="far")
    if chamber["maps"] and not (wanted["near"] and _promise(wanted) > _promise(chamber)):
        return Reason("buys-maps", {**facts, **chamber})
    # Few sets are waited for without a dig site, and none whose part is sold: money now is a reason by itself.
    selling = Sell(wanted["treasure"], wanted["held"]) in line
    sold = facts["then"] > facts["now"] and (not view.site or selling)
    facts |= {**wanted, "near": wanted["near"] and not sold, **_step(view, hand, taken)}
    return Reason("grows-set", facts)


def _step(view: View, hand: Sequence[int], kinds: Iterable[int]) -> Facts:
    """The fact `step`: one card more, waited for as a set is, of a treasure of which those held become dearer."""
    found = _wanted(view, hand, kinds, of="step", likely=1)
    return {"step": Reason("step", found)} if found["short"] else {}


def _promise(facts: Facts) -> float:
    """The dollars of the set or chamber that is waited for, beyond what its cards bring now, times its chance."""
    dollars = facts.get("dollars") or facts.get("full", 0) - facts.get("sells", 0)
    return dollars * facts.get("chance", 0) / 100


def is_vain(view: View, move: Trade, expert: Expert) -> bool:
    """Whether the best purpose of a trade does not outweigh what the hand sells for less after it, or whether it gives
    back cards taken from the market before and gains next to nothing.
    """
    code, facts = _of_trade(view, move, expert, ())
    rise = facts["then"] - facts["now"]
    if code == "completes-set" or (facts["back"] and max(facts["hope"] - facts["had"], rise) < WORSE):
        return code != "completes-set" or rise < 0
    told = code == "buys-maps" or facts["near"] or (not rise and 0 < facts["short"] <= FAR)
    return rise <= 0 and (_promise(facts) <= -rise or not told)


def _behind(view: View, hand: Sequence[int]) -> tuple[int, ...]:
    """The nearly whole set of which this hand has fewer cards than the viewer's, of several that which gains most: its
    treasure, size and price, and the cards that it lacks before and then.
    """
    whole, held = list(map(len, sets(view))), view.own_hand
    fewer = [kind for kind, n in enumerate(held) if hand[kind] < n and 0 < -n % whole[kind] <= NEAR]
    waited = _wanted(view, held, fewer)
    kind: int = waited["treasure"]
    lacks = whole[kind] - hand[kind] % whole[kind]
    return (kind, whole[kind], waited["price"], waited["short"], lacks) if waited["short"] else ()


def returned(view: View, give: Bundles) -> Bundles:
    """The cards of a payment that the viewer took from the market before, as far as it must give these."""
    assert view.viewer is not None
    taken = view.public_known[view.viewer]
    back = [(kind, n - view.own_hand[kind] + taken[kind]) for kind, n in give if taken[kind]]
    return tuple([(kind, n) for kind, n in back if n > 0])


def news_of(before: View, made: Any, view: View, move: Any, expert: Expert) -> Facts:
    """The changes since the last hint that the viewer followed, in an earlier turn, that a trade follows from: of the
    cards that it exchanges, those that came to the market (`lies`) or to the hand (`came`), if they decide; what is to
    be had of the set that was waited for, if others have got some of it (`fewer`), and how many were held then
    (`waited`); a Sandstorm's chance then, if far lower (`calmer`). If a turn ends: that set (`again`; why: `waits`).
    """
    if not isinstance(made, EndTurn | Trade | Discard):
        return {}
    plan = reason_of(before, (made,), None, expert).facts
    kind, short = plan.get("treasure", MAP), plan.get("short") or plan.get("missing", 0)
    if isinstance(move, EndTurn):
        kept = _wanted(view, view.own_hand, [kind] * bool(short))
        return {"again": (kind, short), **({"waits": Reason("waits", kept)} if kept["short"] else {})}
    if not isinstance(move, Trade):
        return {}
    give, take = (made.give, made.take) if isinstance(made, Trade) else (getattr(made, "cards", ()), ())
    hand, had = hand_with(view, move.take, move.give), hand_with(before, take, give)
    lay = [n + held - now for n, held, now in zip(before.market, before.own_hand, had, strict=True)]

    def decide(new: Iterable[tuple[int, int]], side: Bundles) -> Bundles:
        half, new = view.worth(side) / 2, [one for one in new if one[1] > 0]
        return tuple([one for one in new if view.worth((one,)) >= half or _completes(view, hand, one[0])])

    more: list[int] = [now - n for now, n in zip(view.own_hand, had, strict=True)]
    lies = [(kind, min(n, view.market[kind] - lay[kind] + min(0, more[kind]))) for kind, n in move.take]
    came = [(kind, more[kind]) for kind, _n in sorted((*move.give, *move.take))]
    facts: dict[str, Any] = {"lies": decide(lies, move.take)[:1], "came": decide(came, move.give)}
    left: list[int] = [each.market[kind] + each.unseen[kind] + each.own_hand[kind] for each in (before, view)]
    if short:
        gain: int = plan["dollars"] if "missing" in plan else plan.get("full", 0) - plan.get("sells", 0)
        facts["waited"] = kind, had[kind], gain
        facts["fewer"] = (
            (kind, left[1] - view.own_hand[kind]) if left[1] < left[0] and more[kind] >= 0 else ()
        )
    storms = storm_chance(before), storm_chance(view)
    return facts | ({"calmer": storms[0]} if storms[1] >= storms[0] + NEARER else {})


def leaves_plan(past: Past, view: View, move: Any, expert: Expert) -> bool:
    """Whether a trade takes cards back that the viewer gave since chance had a say, or gives cards for more of which
    the last hint was, although nothing has changed since and the hand gains less now than these were to bring.
    """
    if not isinstance(move, Trade):
        return False
    lay = view.market if past.began is None else past.began.market
    if any(n > min(lay[kind], view.market[kind]) for kind, n in move.take):
        return True
    news = dict(news_of(*past.last, view, move, expert)) if past.last else {}
    kind, held, gain = news.pop("waited", 0) or (MAP, 0, 0)
    sells = worths(view, move.take, move.give)
    given = (
        sells["then"] - sells["now"] < gain
        and held
        and held <= view.own_hand[kind] < held + dict(move.give).get(kind, 0)
    )
    return bool(given) and not any(news.values())


def _completes(view: View, hand: Sequence[int], kind: int, line: Sequence[Any] = ()) -> bool:
    """Whether this hand has one more of the largest sets of a treasure, of more than one card, than the viewer's. A
    smaller one that is the largest left counts if the plan sells it.
    """
    largest = len(sets(view)[kind])
    more = largest > 1 and hand[kind] // largest > view.own_hand[kind] // largest
    return more and (largest == len(view.prices[kind]) or Sell(kind, largest) in line)


def _opened(view: View, maps: int, offers: Sequence[Offer], *, kept: bool = False) -> Facts:
    """The best chamber that so many Maps open and the viewer's do not, or else the one that is nearest.

    `maps` is how many Maps there are, 0 if they lead to no chamber; `missing` how many more the chamber costs. `kept`:
    they may be the viewer's.
    """
    held, more = view.own_hand[MAP], [offer for offer in offers if offer.maps > view.own_hand[MAP]]
    if maps < held + (not kept) or not more or not maps:
        return {"maps": 0}
    offer = min(more, key=lambda one: (max(one.maps, maps), -one.gain))
    lie, missing = view.market[MAP] + held - maps, max(0, offer.maps - maps)
    chance = dig_chance(view, MAP, max(0, missing - lie))
    if chance < UNLIKELY // (1 + kept):  # Maps that one has cost no more
        return {"maps": 0}
    facts = {"maps": maps, "missing": missing, "dollars": round(offer.gain), "lie": lie, "chance": chance}
    return {**facts, "chamber": _chamber(offer)}


def _chamber(offer: Offer) -> int:
    """The chamber of an exploration. The Sphinx, which is asked instead of explored, has only one."""
    return offer.move.chamber if isinstance(offer.move, Explore) else 0


def _of_loss(view: View, cards: Bundles, expert: Expert) -> Reason:
    facts: dict[str, Any] = {"cards": cards, **worths(view, less=cards)}
    best = brings(least := left_by_storm(view), view.prices)
    kept, reckoned = hand_with(view, (), cards), expert.kept(view)
    if facts["then"] >= best:  # of several such, what is kept decides
        return Reason("loses-least", {**facts, **_wanted(view, kept, range(view.kinds))})
    more = [kind for kind, n in enumerate(kept) if n > least[kind]]
    facts |= {"best": best, "hope": round(_hope(reckoned, kept)), "hope_best": round(_hope(reckoned, least))}
    facts["maps"] = kept[MAP] if MAP in more and any(view.chambers) else 0
    return Reason("loses-for-later", {**facts, **_wanted(view, kept, more)})


def storm_chance(view: View) -> int:
    """The chance of a Sandstorm until the viewer can sell again, each seat having dug, in hundredths."""
    return _chance(view, view.sandstorms, view.seats)


def _chance(view: View, cards: int, digs: int) -> int:
    """The chance of one of so many cards of the dig site in so many digs, in hundredths."""
    dug = min(digs, view.site)
    return round(100 * (1 - comb(view.site - cards, dug) / comb(view.site, dug)))


def _danger(view: View) -> Facts:
    """The danger of a Sandstorm to the hand as it is. A viewer who has sold or explored in this turn is `warned`."""
    now, left = [brings(hand, view.prices) for hand in (view.own_hand, left_by_storm(view))]
    facts = {"storm": storm_chance(view), "thief": _chance(view, view.thieves, view.seats - 1)}
    return {**facts, "warned": view.fruitful, "now": now, "left": left}


def is_alone(view: View) -> bool:
    """Whether nobody else can trade any more: the dig site is empty, and only the viewer holds cards."""
    return not view.site and not any(n for seat, n in enumerate(view.sizes) if seat != view.viewer)


def _of_sale(view: View, kind: int, count: int, expert: Expert) -> Reason:
    """A sale. Of Maps, the nearest `chamber`, for which `lack` Maps are needed, of which the other cards buy `pays`."""
    prices = view.prices[kind]
    facts = {"treasure": kind, "count": count, "price": prices[count - 1]}
    facts |= {**_danger(view), "duty": view.duty, "alone": is_alone(view)}
    offer = min(expert.offers(view), key=lambda one: one.maps, default=None) if kind == MAP else None
    if offer is not None and offer.maps > (held := view.own_hand[MAP]):
        pays = (view.worth(tuple(enumerate(view.own_hand))) - view.trade[MAP] * held) // view.trade[MAP]
        facts |= {"lack": offer.maps - held, "pays": min(pays, view.market[MAP]), "chamber": _chamber(offer)}
    if count == len(prices):
        return Reason("sells-whole-set", facts)
    if view.site == 0:
        return Reason("sells-at-the-end", facts)
    return Reason("sells-part", {**_wanted(view, view.own_hand, [kind], of="far", likely=0), **facts})


def _of_exploration(view: View, move: Explore, offers: Sequence[Offer]) -> Reason:
    offer = next((offer for offer in offers if offer.move == move), None)
    if offer is None:
        return Reason("due")
    facts = {"maps": offer.maps, "cards": view.chambers[move.chamber], "dollars": round(offer.gain)}
    return Reason("explores", {**facts, "price": revenue(view.prices[MAP], offer.maps)[-1]})


def _of_waiting(view: View, rival: Any | None, expert: Expert) -> Reason:
    """The turn is ended: the dearest set that may grow instead of being sold, perhaps that which `rival` sells; or the
    best trade that is left, unless the viewer has `traded` before in this turn; or the chamber for which the Maps are
    kept that this trade gives. `own` cards in the dig site are those that the viewer may yet dig.
    """
    facts, worth = worths(view), expert.turn_worth(view)
    facts |= {"hope": round(_hope(worth, view.own_hand)), **_most_now(view, worth)}
    facts |= {**_danger(view), "site": view.site, "own": view.site // view.seats}
    facts["traded"] = view.acted and not view.fruitful
    wanted = _wanted(view, view.own_hand, range(view.kinds), of="dearest")
    other = _wanted(view, view.own_hand, [rival.treasure] if isinstance(rival, Sell) else (), of="far")
    dearer = other.get("sells", 0) > wanted.get("sells", 0)
    facts |= other if dearer else wanted
    facts |= {} if facts["short"] else _step(view, view.own_hand, range(view.kinds))
    gives = [kind for kind, _n in facts["others"].give] if facts["best"] else []
    if MAP in gives or not facts["short"] or rival == Sell(MAP, 1):  # the Maps are kept for a chamber
        chamber = _opened(view, view.own_hand[MAP], expert.offers(view), kept=True)
        facts |= {**chamber, "treasure": MAP, "short": 0} if chamber["maps"] else {}
    return Reason("waits", facts)


def _of_theft(view: View, victim: int) -> Reason:
    hand, known = view.own_hand, enumerate(view.known[victim])
    fit = [(kind, n) for kind, n in known if n and (hand[kind] or kind == MAP or not any(hand))]
    most = max(money for seat, money in enumerate(view.money) if seat != view.viewer)
    facts = {"victim": victim, "cards": view.sizes[victim], "fit": tuple(fit), "money": view.money[victim]}
    return Reason("robs", {**facts, "rival": view.money[victim] == most > 0})
