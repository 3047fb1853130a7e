"""Playing a match of the Archaeology family on by a quickened Expert, and the worth of where that leads.

The quickened Expert has the Expert's opinions of cards. It plays in a world that an agent imagines, so it needs no
views; of that world it uses nothing that the asked seat could not see. The worth of cards at the end of a turn comes
from tables that are made once for each situation, and a turn is planned once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from itertools import compress, takewhile
from math import exp, inf, sqrt
from operator import add, getitem, mul
from typing import Any, Final, Generic, NamedTuple, TypeVar, cast

from engine.agents.search import VICTORY, Outlook
from engine.archaeology_family.agents.expert import CARD, MARGIN, MARGIN_DRY, best_sales, struck
from engine.archaeology_family.agents.planner import removed, trade_to, with_kind
from engine.archaeology_family.agents.worth import HELD, Offer, Worths, largest_set
from engine.archaeology_family.card_list import MAP, TREASURES
from engine.archaeology_family.moves import Dig, Discard, EndTurn, Explore, Sell, Steal, Trade
from engine.archaeology_family.state import ACT, DIG, OVER, STEAL, STORM, State

S = TypeVar("S", bound=State)

ENDGAME: Final = 6
"""With so many cards left in the dig site, matches are played on to their end, which is not far."""
TO_THE_END: Final = 10_000
"""More changes of turn than a match has."""
SPREAD: Final = 3.0
"""Dollars. With s cards left in the dig site, a lead of SPREAD * sqrt(s + 1) dollars wins 73 matches in a hundred."""
SITUATIONS: Final = 2000
"""Situations of which the tables are kept in memory."""
TABLES: Final = 1 << 11
"""Parts of tables, and turns, that are kept in memory: those of a position that is thought about."""

LEAST: Final = 1e-9
"""Dollars that a trade must gain at least; what is less may be an error of rounding."""

_KINDS: Final = range(len(TREASURES))
_DIG: Final = Dig()
_END: Final = EndTurn()
_ENDED: Final = (_END,)


@dataclass(eq=False, slots=True)
class Prospect:
    """A treasure when a turn ends: for 0, 1, 2, ... cards of it what they are `worth`, and how many to `sell` now.

    `cost` is a card's trade value, `prices` are those of its sets.
    """

    cost: int
    worth: Sequence[float]
    prices: tuple[int, ...] = ()
    sell: Sequence[int] = ()


@dataclass(eq=False, slots=True)
class Ends:
    """The prospects of all treasures when a turn ends, and what a trade must gain (`margin`).

    `offers`, by the number of Maps, is the exploration that is the better use of them. `kept` is the worth of cards
    that are kept.
    """

    prospects: Sequence[Prospect]
    costs: Sequence[int]
    offers: Sequence[Offer | None]
    kept: Worths
    margin: float


def ends_of(
    prices: Sequence[tuple[int, ...]],
    costs: Sequence[int],
    kept: Worths,
    offers: Iterable[Offer],
    *,
    dry: bool,
) -> Ends:
    """The ends of turns with these prices, trade values, worths of cards kept, and explorations."""
    fee = CARD if dry else 0.0
    prospects = [_sold(*each, fee) for each in zip(costs, prices, kept, strict=True)]
    prospects[MAP], explored = _explored(prospects[MAP], kept[MAP], tuple(offers))
    return Ends(prospects, costs, explored, kept, MARGIN_DRY if dry else MARGIN)


# Prospects, and what is made of them, are compared by identity: they are made once, and looked up very often.


@lru_cache(maxsize=1024)
def _sold(cost: int, prices: tuple[int, ...], kept: tuple[float, ...], fee: float) -> Prospect:
    ends = best_sales(prices, kept, fee)
    return Prospect(cost, tuple([end.worth for end in ends]), prices, tuple([end.sell for end in ends]))


@lru_cache(maxsize=1024)
def _explored(
    maps: Prospect, kept: tuple[float, ...], offers: tuple[Offer, ...]
) -> tuple[Prospect, Sequence[Offer | None]]:
    """The prospect of Maps that may also explore, and by their number the exploration that is better than a sale."""
    worth, explored = list(maps.worth), cast("list[Offer | None]", [None] * HELD)
    for offer in offers:
        for n in range(offer.maps, HELD):
            gained = offer.gain + kept[n - offer.maps]
            if gained > worth[n]:
                worth[n], explored[n] = gained, offer
    return Prospect(maps.cost, worth, maps.prices, maps.sell), explored


# -- the best trade


class Pair(NamedTuple):
    """The best worth, `by_cost`, of up to so many cards of two treasures that cost just that."""

    one: Prospect
    most: int
    other: Prospect
    more: int
    by_cost: Sequence[float]


@lru_cache(maxsize=TABLES)
def _pair(one: Prospect, most: int, other: Prospect, more: int) -> Pair:
    best = [-inf] * (most * one.cost + more * other.cost + 1)
    for n in range(most + 1):
        for m in range(more + 1):
            at, worth = n * one.cost + m * other.cost, one.worth[n] + other.worth[m]
            if worth > best[at]:
                best[at] = worth
    return Pair(one, most, other, more, best)


def best_trade(
    worth: Sequence[Sequence[float]], hand: Sequence[int], market: Sequence[int], costs: Sequence[int]
) -> tuple[float, Sequence[int]]:
    """The gain of the best trade, and the holdings after it; without one, the hand itself.

    It finds what `planner.best_holdings` finds in far less time, for this is what playouts are made of.
    """
    prospects = [Prospect(cost, values) for cost, values in zip(costs, worth, strict=False)]
    return _trade(prospects, costs, hand, market, LEAST)


def _trade(
    prospects: Sequence[Prospect],
    costs: Sequence[int],
    hand: Sequence[int],
    market: Sequence[int],
    margin: float,
) -> tuple[float, Sequence[int]]:
    """The same with these prospects, if it gains more than `margin`.

    The two treasures of which the most cards can be had come last and need no table: many hands share their `Pair`.
    """
    totals = list(map(add, hand, market))
    kinds = sorted(compress(_KINDS, totals), key=totals.__getitem__)
    if len(kinds) < 2:
        return 0.0, hand
    now = sum([prospects[kind].worth[hand[kind]] for kind in kinds])
    budget = sum(map(mul, hand, costs))
    one, other = kinds.pop(), kinds.pop()
    tables = [[0.0] * (budget + 1)]
    for kind in kinds:
        prospect = prospects[kind]
        tables.append(with_kind(tables[-1], prospect.worth[: totals[kind] + 1], prospect.cost))
    pair, best = _pair(prospects[one], totals[one], prospects[other], totals[other]), tables.pop()
    goal = max(map(add, pair.by_cost, reversed(best)))
    if goal - now <= margin:
        return 0.0, hand
    holdings = [0] * len(hand)
    holdings[one], holdings[other], left = _first(pair, best, budget, goal)
    for kind in reversed(kinds):
        aim, before, prospect, n = best[left], tables.pop(), prospects[kind], 0
        while before[left] + prospect.worth[n] != aim:
            n += 1
            left -= prospect.cost
        holdings[kind], best = n, before
    return goal - now, holdings


def _first(pair: Pair, best: Sequence[float], budget: int, goal: float) -> tuple[int, int, int]:
    """The fewest cards of two treasures, and what they leave of the budget, with which the worth is this goal.

    The sums are those of `_trade`, so equality is exact.
    """
    one, most, other, more, _ = pair
    for n in range(min(most, budget // one.cost) + 1):
        value, left = one.worth[n], budget - n * one.cost
        for further in other.worth[: min(more, left // other.cost) + 1]:
            if value + further + best[left] == goal:
                return n, (budget - n * one.cost - left) // other.cost, left
            left -= other.cost
    raise AssertionError("no holdings have this worth")


# -- the moves of a turn


@lru_cache(maxsize=TABLES)
def storm(ends: Ends, hand: tuple[int, ...]) -> tuple[Discard, float]:
    """The answer to a Sandstorm with this hand, and the loss in dollars."""
    left, loss = struck(hand, ends.kept)
    return Discard(removed(hand, left)), loss


@lru_cache(maxsize=TABLES)
def turn(ends: Ends, hand: tuple[int, ...], market: tuple[int, ...], duty: bool) -> Sequence[Any]:
    """The moves of a turn until it ends or chance has a say; those after its seat's last card are not to be made."""
    gain, holdings = _trade(ends.prospects, ends.costs, hand, market, ends.margin)
    if gain:
        offer = ends.offers[holdings[MAP]]
        if offer is not None and offer.maps <= hand[MAP]:
            return (offer.move,)
        if trade := trade_to(holdings, hand):
            return (trade, *closing(ends, holdings, duty))
    return closing(ends, hand, duty)


def closing(ends: Ends, hand: Sequence[int], duty: bool) -> Sequence[Any]:
    """The moves of a turn in which no more is traded: it explores, or sells what the plan sells and ends."""
    if offer := ends.offers[hand[MAP]]:
        return (offer.move,)
    sales: list[Sell] = []
    for kind, n in enumerate(hand):
        if n and (due := ends.prospects[kind].sell[n]):
            sales += _sales(kind, ends.prospects[kind].prices, due)
    if duty and not sales:
        sales.append(_cheapest(ends, hand))
    return (*sales, _END) if sales else _ENDED


@lru_cache(maxsize=1024)
def _sales(kind: int, prices: tuple[int, ...], due: int) -> Sequence[Sell]:
    size = largest_set(prices, due)
    return (Sell(kind, size), *(_sales(kind, prices, due - size) if due > size else ()))


def _cheapest(ends: Ends, hand: Sequence[int]) -> Sell:
    kept = ends.kept
    _, kind, count = max(
        (price + kept[kind][n - count] - kept[kind][n], kind, count)
        for kind, n in enumerate(hand)
        for count, price in enumerate(ends.prospects[kind].prices[:n], 1)
    )
    return Sell(kind, count)


def _sold_first(ends: Ends, hand: Sequence[int], line: Sequence[Any]) -> tuple[Any, ...]:
    """The moves of a line in this order: sales of whole sets that its trade leaves in hand, the trade, and the rest."""
    left, first, later = list(hand), list[Any](), list[Any]()
    for kind, n in (bundle for move in line if type(move) is Trade for bundle in move.give):
        left[kind] -= n
    for move in line:
        whole = 0 if type(move) is not Sell else len(ends.prospects[move.treasure].prices)
        if whole > 1 and left[move.treasure] >= move.count == whole:
            left[move.treasure] -= whole
            first.append(move)
        else:
            later.append(move)
    return (*first, *sorted(later, key=lambda move: type(move) is not Trade))


class Playouts(ABC, Generic[S]):
    """Plays matches on by the rules `game`."""

    def __init__(self, game: Any) -> None:
        self.game = game
        self._apply = game.apply
        self._known: dict[Hashable, Ends] = {}

    # -- what the games differ in

    @abstractmethod
    def situation(self, state: S) -> Hashable:
        """All that the tables of a turn depend on."""

    @abstractmethod
    def make_ends(self, state: S) -> Ends:
        """The tables of a turn in this situation."""

    def answer(self, state: S, seat: int) -> Any:
        """The answer to what only this game asks."""
        raise AssertionError(f"nothing is asked in the phase {state.phase}")

    # -- the worth of a move

    def outlook_after(self, world: S, move: Any, changes: int) -> Outlook:
        """The asked seat's outlook, in dollars, if it makes this move, or these, and then plays as the Expert does.

        It is judged after so many changes of turn (`after`).
        """
        return self.outlook(self.after(world, move, changes), world.asked)

    def deeds_after(self, world: S, move: Any, changes: int) -> set[tuple[int, Any]]:
        """The sales and explorations that `after` makes, each with its seat."""
        recording, deeds = copy(self), set[tuple[int, Any]]()

        def record(state: S, seat: int, made: Any) -> None:
            self._apply(state, seat, made)
            if type(made) in (Sell, Explore):
                deeds.add((seat, made))

        recording._apply = record
        recording.after(world, move, changes)
        return deeds

    def after(self, world: S, move: Any, changes: int) -> S:
        """The world after this move of the asked seat, or a plan's first moves, and so many changes of turn; near the
        end of the match, at its end.
        """
        state, seat, turn = world.copy(), world.asked, world.active
        changes = TO_THE_END if len(world.site) <= ENDGAME else changes
        first, *rest = cast("tuple[Any, ...]", move if type(move) is tuple else (move,))
        self._apply(state, seat, first)
        if (rest or type(first) is Trade) and state.phase == ACT:
            self._make(state, seat, rest or closing(self.ends(state), state.hands[seat], state.duty))
        self.play(state, changes - (state.active != turn))
        return state

    def line(self, world: S, move: Any) -> tuple[Any, ...]:
        """The moves of this turn that `after` makes from this one on, whole sets sold first.

        It ends where chance has a say, or a trade would follow a sale.
        """
        if type(move) not in (Trade, Sell):
            return (move,)
        state, seat = world.copy(), world.asked
        self._apply(state, seat, move)
        if state.phase != ACT or state.active != seat:
            return (move,)
        ends, hand, duty = self.ends(state), tuple(state.hands[seat]), state.duty
        if type(move) is Trade:
            rest = closing(ends, hand, duty)
        else:
            rest = takewhile(lambda one: type(one) is not Trade, turn(ends, hand, tuple(state.market), duty))
        return _sold_first(ends, world.hands[seat], (move, *rest))

    def outlook(self, state: S, seat: int) -> Outlook:
        """The seat's outlook, in dollars."""
        worth = self.worth(state)
        lead = worth[seat] - max([dollars for other, dollars in enumerate(worth) if other != seat])
        if state.phase == OVER:
            winners = self.game.outcome(state).winners
            return Outlook(lead, VICTORY / len(winners) if seat in winners else 0.0, worth[seat])
        victory = VICTORY / (1 + exp(-lead / (SPREAD * sqrt(len(state.site) + 1))))
        return Outlook(lead, victory, worth[seat])

    def worth(self, state: S) -> list[float]:
        """The sum of each seat's money and cards, in dollars."""
        kept = self.ends(state).kept
        return [
            dollars + sum(map(getitem, kept, hand))
            for dollars, hand in zip(self.game.money(state), state.hands, strict=True)
        ]

    # -- playing

    def ends(self, state: S) -> Ends:
        """The tables of a turn."""
        situation = self.situation(state)
        ends = self._known.get(situation)
        if ends is None:
            if len(self._known) >= SITUATIONS:
                self._known.clear()
            ends = self._known[situation] = self.make_ends(state)
        return ends

    def play(self, state: S, changes: int) -> None:
        """Plays on until the turn has passed to another seat so many times, or the match is over."""
        active, apply = state.active, self._apply
        while changes > 0:
            phase = state.phase
            if phase == DIG:
                apply(state, active, _DIG)
            elif phase == ACT:
                hand, market = tuple(state.hands[active]), tuple(state.market)
                self._make(state, active, turn(self.ends(state), hand, market, state.duty))
            elif phase == OVER:
                return
            else:
                apply(state, state.asked, self._reply(state, state.asked))
            if state.active != active:
                active = state.active
                changes -= 1

    def _make(self, state: S, seat: int, moves: Sequence[Any]) -> None:
        for move in moves:
            self._apply(state, seat, move)
            if state.phase != ACT or state.active != seat:
                return

    def _reply(self, state: S, seat: int) -> Any:
        if state.phase == STORM:
            return storm(self.ends(state), tuple(state.hands[seat]))[0]
        if state.phase == STEAL:
            return Steal(
                max((sum(hand), other) for other, hand in enumerate(state.hands) if other != seat)[1]
            )
        return self.answer(state, seat)
