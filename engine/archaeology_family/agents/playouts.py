"""Playing a match of the Archaeology family on by a quickened Expert, and the worth of where that leads.

The quickened Expert has the Expert's opinions of cards. It plays in a world that an agent imagines, so it needs no
views; of that world it uses nothing that the asked seat could not see. The worth of cards at the end of a turn comes
from tables that are made once for each situation, and a turn is planned once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable, Sequence
from functools import lru_cache
from math import exp, sqrt
from operator import mul
from typing import Any, Final, Generic, NamedTuple, TypeVar

from engine.agents.search import VICTORY, Outlook
from engine.archaeology_family.agents.expert import MARGIN, MARGIN_DRY, best_sale
from engine.archaeology_family.agents.planner import best_kept, removed, trade_to
from engine.archaeology_family.agents.worth import HELD, Offer, Worths, largest_set
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.moves import Dig, Discard, EndTurn, Sell, Steal, Trade
from engine.archaeology_family.state import ACT, DIG, OVER, STEAL, STORM, State

S = TypeVar("S", bound=State)

MOST: Final = HELD - 1
"""Cards of one treasure that a turn can end with, and one more."""
ENDGAME: Final = 6
"""With so many cards left in the dig site, matches are played on to their end, which is not far."""
TO_THE_END: Final = 10_000
"""More changes of turn than a match has."""
SPREAD: Final = 3.0
"""Dollars. With s cards left in the dig site, a lead of SPREAD * sqrt(s + 1) dollars wins 73 matches in a hundred."""
SITUATIONS: Final = 2000
"""Situations of which the tables are kept in memory."""

LEAST: Final = 1e-9
"""Dollars that a trade must gain at least; what is less may be an error of rounding."""

_DIG: Final = Dig()
_END: Final = EndTurn()


class Ends(NamedTuple):
    """By treasure, for 0, 1, 2, ... cards of it when a turn ends: what they are worth, and how many to sell now.

    `offers`, by the number of Maps, is the exploration that is the better use of them. `kept` is the worth of cards
    that are kept.
    """

    worth: Sequence[Sequence[float]]
    sell: Sequence[Sequence[int]]
    offers: Sequence[Offer | None]
    kept: Worths


def ends_of(prices: Sequence[tuple[int, ...]], kept: Worths, offers: Iterable[Offer], fee: float) -> Ends:
    """The ends of turns with these prices, worths of cards kept, and explorations."""
    rows = [_sales(steps, values, fee) for steps, values in zip(prices, kept, strict=True)]
    worth = [row[0] for row in rows]
    maps, later = list(worth[MAP]), kept[MAP]
    explored: list[Offer | None] = [None] * MOST
    for offer in offers:
        for n in range(offer.maps, MOST):
            gained = offer.gain + later[n - offer.maps]
            if gained > maps[n]:
                maps[n], explored[n] = gained, offer
    worth[MAP] = tuple(maps)
    return Ends(worth, [row[1] for row in rows], explored, kept)


@lru_cache(maxsize=1024)
def _sales(
    steps: tuple[int, ...], kept: tuple[float, ...], fee: float
) -> tuple[tuple[float, ...], tuple[int, ...]]:
    """For 0, 1, 2, ... cards of a treasure: what they are worth when a turn ends, and how many to sell."""
    ends = [best_sale(steps, n, kept, fee) for n in range(MOST)]
    return tuple([end.worth for end in ends]), tuple([end.sell for end in ends])


def best_trade(
    worth: Sequence[Sequence[float]], hand: Sequence[int], market: Sequence[int], costs: Sequence[int]
) -> tuple[float, Sequence[int]]:
    """The gain of the best trade, and the holdings after it; without one, the hand itself.

    It finds what `planner.best_holdings` finds in a third of the time, for this is what playouts are made of. The two
    treasures of which the most cards can be had come last and need no table: only the whole budget is asked of them.
    """
    budget = sum(map(mul, hand, costs))
    open_kinds = sorted(
        [(have + market[kind], kind) for kind, have in enumerate(hand) if have or market[kind]]
    )
    now = sum([worth[kind][hand[kind]] for _, kind in open_kinds])
    if len(open_kinds) < 2:
        return 0.0, hand
    (most, one), (more, other) = open_kinds.pop(), open_kinds.pop()
    best = [0.0] * (budget + 1)
    tables: list[list[float]] = []
    for total, kind in open_kinds:
        tables.append(best)
        best = _with_kind(best, worth[kind], total, costs[kind])
    goal, held = now + LEAST, (-1, 0)
    left = budget
    for n, value in enumerate(worth[one][: most + 1]):
        rest = left
        for m, further in enumerate(worth[other][: more + 1]):
            if rest < 0:
                break
            total_worth = value + further + best[rest]
            if total_worth > goal:
                goal, held = total_worth, (n, m)
            rest -= costs[other]
        left -= costs[one]
        if left < 0:
            break
    if held[0] < 0:
        return 0.0, hand
    holdings = [0] * len(hand)
    holdings[one], holdings[other] = held
    rest = budget - held[0] * costs[one] - held[1] * costs[other]
    for (_, kind), before in zip(reversed(open_kinds), reversed(tables), strict=True):
        aim, values, cost = best[rest], worth[kind], costs[kind]
        n = 0
        while before[rest] + values[n] != aim:
            n += 1
            rest -= cost
        holdings[kind], best = n, before
    return goal - now, holdings


def _with_kind(before: list[float], values: Sequence[float], total: int, cost: int) -> list[float]:
    """The best worth by budget with up to `total` cards of one more treasure, of the given worth."""
    best = before.copy()
    budget = len(best) - 1
    for n in range(1, min(total, budget // cost) + 1):
        value, at = values[n], n * cost
        for less in before:
            if at > budget:
                break
            if best[at] < less + value:
                best[at] = less + value
            at += 1
    return best


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
        """The asked seat's outlook, in dollars, if it makes this move and then plays as the Expert does.

        It is judged after so many changes of turn; near the end of the match, at its end.
        """
        if len(world.site) <= ENDGAME:
            changes = TO_THE_END
        return self.outlook(self.after(world, move, changes), world.asked)

    def after(self, world: S, move: Any, changes: int) -> S:
        """The world after this move of the asked seat and so many changes of turn."""
        state, seat, turn = world.copy(), world.asked, world.active
        self._apply(state, seat, move)
        if type(move) is Trade and state.phase == ACT:
            self._close(state, seat, self.ends(state))
        self.play(state, changes - (state.active != turn))
        return state

    def outlook(self, state: S, seat: int) -> Outlook:
        """The seat's outlook, in dollars."""
        worth = self.worth(state)
        lead = worth[seat] - max([dollars for other, dollars in enumerate(worth) if other != seat])
        if state.phase == OVER:
            winners = self.game.outcome(state).winners
            return Outlook(lead, VICTORY / len(winners) if seat in winners else 0.0)
        return Outlook(lead, VICTORY / (1 + exp(-lead / (SPREAD * sqrt(len(state.site) + 1)))))

    def worth(self, state: S) -> list[float]:
        """The sum of each seat's money and cards, in dollars."""
        kept = self.ends(state).kept
        return [
            dollars + sum([values[n] for values, n in zip(kept, hand, strict=True) if n])
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
                self._act(state, active)
            elif phase == OVER:
                return
            else:
                apply(state, state.asked, self._reply(state, state.asked))
            if state.active != active:
                active = state.active
                changes -= 1

    def _reply(self, state: S, seat: int) -> Any:
        if state.phase == STORM:
            return Discard(removed(state.hands[seat], self.saved(state, seat)))
        if state.phase == STEAL:
            return Steal(
                max((sum(hand), other) for other, hand in enumerate(state.hands) if other != seat)[1]
            )
        return self.answer(state, seat)

    def saved(self, state: S, seat: int) -> list[int]:
        """The cards that the seat keeps in a Sandstorm."""
        hand = state.hands[seat]
        size = sum(hand)
        worth = [values[: n + 1] for values, n in zip(self.ends(state).kept, hand, strict=True)]
        return best_kept(worth, hand, size - size // 2)

    def _act(self, state: S, seat: int) -> None:
        """Takes the actions of a turn until it ends or chance has a say."""
        hand, ends = state.hands[seat], self.ends(state)
        gain, holdings = best_trade(ends.worth, hand, state.market, self.game.trade)
        if gain > (MARGIN_DRY if state.dry else MARGIN):
            offer = ends.offers[holdings[MAP]]
            if offer is not None and offer.maps <= hand[MAP]:
                self._apply(state, seat, offer.move)
                return
            if trade := trade_to(holdings, hand):
                self._apply(state, seat, trade)
        self._close(state, seat, ends)

    def _close(self, state: S, seat: int, ends: Ends) -> None:
        """Explores, or sells what the plan sells and ends the turn."""
        hand, apply, prices = state.hands[seat], self._apply, self.game.prices
        if offer := ends.offers[hand[MAP]]:
            apply(state, seat, offer.move)
            return
        for kind, n in enumerate(hand):
            due = ends.sell[kind][n]
            while due:
                size = largest_set(prices[kind], due)
                apply(state, seat, Sell(kind, size))
                due -= size
                if state.phase != ACT or state.active != seat:
                    return
        if state.duty:
            apply(state, seat, self._cheapest(hand, ends))
            if state.phase != ACT or state.active != seat:
                return
        apply(state, seat, _END)

    def _cheapest(self, hand: Sequence[int], ends: Ends) -> Sell:
        """The sale that costs least."""
        prices, kept = self.game.prices, ends.kept
        _, kind, count = max(
            (prices[kind][count - 1] + kept[kind][n - count] - kept[kind][n], kind, count)
            for kind, n in enumerate(hand)
            for count in range(1, min(n, len(prices[kind])) + 1)
        )
        return Sell(kind, count)
