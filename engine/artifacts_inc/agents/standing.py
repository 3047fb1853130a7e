"""The worth of a position to a seat at the end of its turn, as a guess at the match's result.

Everything is counted in reputation at the end of the match: what a seat has, what its dollars, artifacts and cards
will become in the turns that are left, and the majorities that it can expect.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import exp, log1p, sqrt
from typing import Final

from engine.artifacts_inc.agents.income import Incomes
from engine.artifacts_inc.agents.layout import open_neighbours
from engine.artifacts_inc.agents.leaning import NO_LEANING
from engine.artifacts_inc.card_list import ARTIFACTS, FINDS
from engine.artifacts_inc.catalogue import NO_PILE
from engine.artifacts_inc.choices import SCROLL, majority
from engine.artifacts_inc.company import MOST_DICE
from engine.artifacts_inc.state import FREE, GOAL, ROUNDS, State, finds

_KINDS: Final = range(len(ARTIFACTS))


Wish = tuple[int, int, float, float]
"""A purchase that a seat may make: dollars, Scrolls, reputation at once, dollars a turn from then on."""


class Standing:
    """Judges the positions that the active seat can reach in its turn, which began in `state`."""

    def __init__(self, state: State, incomes: Incomes) -> None:
        self.seat = seat = state.active
        self.incomes = incomes
        self.weights = incomes.weights
        self.leaning = incomes.leaning
        self.others = [other for other in range(state.seats) if other != seat]
        begun = (seat - state.first) % state.seats
        self.after = {other: (other - state.first) % state.seats > begun for other in self.others}
        """Whether the others' turns of this round are yet to come."""
        self._start = sum(state.catalogue.side(2 * card).dice for card in state.catalogue.start)
        self._find, self._museum, self._beside = _countable(state)
        self._orders: dict[tuple[int, tuple[int, ...], int], float] = {}
        self._others: dict[object, float] = {}
        self._shares: dict[object, float] = {}
        self._finds: dict[tuple[int, int], float] = {}
        self._wished: dict[object, list[Wish]] = {}

    def worth(self, state: State, more: float = 0.0) -> float:
        """The chance of winning as its logarithm, roughly. `more` is reputation hoped for on top."""
        last = max(state.reputation) >= GOAL or state.round >= ROUNDS
        turns = 0.0 if last else self._rounds(max(state.reputation))
        own = self.value(state, self.seat, turns) + self._leaning(state) + more
        total = 0.0
        spread = self.weights.spread
        for other in self.others:
            theirs = turns + self.after[other]
            ahead = own - self._other(state, other, theirs)
            if not theirs:
                ahead += 0.2 * _before(state, self.seat, other)
            total -= log1p(exp(min(50.0, -ahead / (0.4 + spread * sqrt(theirs)))))
        return total + 0.001 * own

    def _other(self, state: State, other: int, turns: float) -> float:
        """Of another seat's value only orders, dives and the turns left change within a turn."""
        key = (other, turns, tuple(state.orders), len(state.divers))
        value = self._others.get(key)
        if value is None:
            value = self._others[key] = self.value(state, other, turns)
        return value

    def _rounds(self, lead: int) -> float:
        """Rounds to come after this one, the leader having so much reputation, less than the goal."""
        return 1.0 + max(0.0, (GOAL - lead) / self.weights.pace - 0.8)

    def value(self, state: State, seat: int, turns: float) -> float:
        """The reputation that a seat will have in the end, with so many turns before it."""
        weights = self.weights
        income = self.incomes.of(state.sides[seat], len(state.divers))
        value = float(state.reputation[seat]) + self._majorities(state, seat, turns, income.artifacts)
        dollars = state.dollars[seat]
        if not turns:
            return value + weights.last_dollar * dollars
        held = sum(self._held(state, kind, n) for kind, n in enumerate(state.artifacts[seat]) if n)
        wealth = dollars + held + weights.income * turns * income.dollars
        enough = weights.purchase * turns * max(0.5, income.purchases)
        spare = exp(-wealth / enough)
        value += weights.dollar * enough * (1 - spare) + turns * income.reputation - weights.unspent
        if weights.prospect:
            cash = dollars + weights.cash * (held + income.dollars)
            value += weights.prospect * self._prospect(state, seat, turns, cash, weights.dollar * spare)
        value += weights.find * self._found(state, seat)
        if self._museum:
            value += weights.reach * self._museum * sum(seat in orders for orders in state.orders)
        if self._beside:
            beside = open_neighbours(state.catalogue, state.sides[seat], state.places[seat])
            value += weights.reach * self._beside * beside
        return value

    def _found(self, state: State, seat: int) -> float:
        """How many cards may count what a seat has found, for each find."""
        key = (seat, len(state.divers))
        worth = self._finds.get(key)
        if worth is None:
            counted = zip(self._find, finds(state, seat), strict=True)
            worth = self._finds[key] = sum([cards * n for cards, n in counted])
        return worth

    def _prospect(self, state: State, seat: int, turns: float, cash: float, dollar: float) -> float:
        """The expected gain from the best purchase of the next turn beyond the worth of its dollars."""
        best = 0.0
        scrolls = state.artifacts[seat][SCROLL]
        for cost, needs, reputation, income in self._wishes(state, seat):
            gain = reputation + dollar * (self.weights.income * (turns - 1) * income - cost)
            if gain > best and needs <= scrolls:
                best = max(best, gain / (1 + exp(min(30.0, 1.5 * (cost - cash)))))
        return best

    def _wishes(self, state: State, seat: int) -> list[Wish]:
        """The cards that a seat could buy or turn."""
        sides, taken = state.sides[seat], len(state.divers)
        key = (seat, sides, tuple(state.offers), taken)
        wishes = self._wished.get(key)
        if wishes is None:
            catalogue = state.catalogue
            now = self.incomes.of(sides, taken).dollars
            beside = open_neighbours(catalogue, sides, state.places[seat])
            found: list[Wish] = []
            for number, then in _options(state, seat):
                card, side = catalogue.cards[number >> 1], catalogue.side(number)
                more = side.dice - (catalogue.side(number - 1).dice if number & 1 else 0)
                reputation = float(side.reputation + side.per_expedition * beside)
                if side.counts:
                    reputation += side.per_museum * sum([seat in orders for orders in state.orders])
                    found_so_far = zip(side.per_find, finds(state, seat), strict=True)
                    reputation += sum([each * n for each, n in found_so_far])
                if seat == self.seat:
                    reputation += self.leaning.purchase(card.dollars, more)
                income = self.incomes.of(then, taken)
                found.append((card.dollars, card.scrolls, reputation, income.dollars - now))
            wishes = self._wished[key] = found
        return wishes

    def _held(self, state: State, kind: int, n: int) -> float:
        """The gain from artifacts of a kind in hand, in dollars."""
        orders = state.orders[kind]
        key = (kind, orders, n)
        worth = self._orders.get(key)
        if worth is None:
            weights = self.weights
            museum = state.catalogue.museums[kind]
            open_ = [
                size for size, seat in zip(museum.orders[state.seats], orders, strict=True) if seat == FREE
            ]
            fit = max((size for size in open_ if size <= n), default=0)
            worth = weights.artifact * n
            if fit:
                worth += weights.fit * museum.bonus + weights.bonus * museum.bonus * min(2, n - fit) * 0.5
            elif open_:
                worth += weights.bonus * museum.bonus * n / min(open_)
            self._orders[key] = worth
        return worth

    def _majorities(self, state: State, seat: int, turns: float, yields: tuple[float, ...]) -> float:
        """The gain that a seat can expect from the museums' majorities (R27)."""
        key = (seat, turns, tuple(state.orders), yields, len(state.divers))
        worth = self._shares.get(key)
        if worth is None:
            museums = state.catalogue.museums
            worth = self._shares[key] = sum(
                museums[kind].majority * self._share(state, kind, seat, turns, yields[kind])
                for kind in _KINDS
            )
        return worth

    def _share(self, state: State, museum: int, seat: int, turns: float, yields: float) -> float:
        """How likely a seat gets a majority: by cubes, and by what companies yield. Sure once nobody has a turn."""
        orders = state.orders[museum]
        if not turns and not any(self.after.values()):
            return float(majority(state, museum) == seat)
        open_ = min(orders.count(FREE), 0.4 * turns)
        strengths: list[float] = []
        for other in range(state.seats):
            rate = yields
            if other != seat:
                rate = self.incomes.of(state.sides[other], len(state.divers)).artifacts[museum]
            strengths.append((orders.count(other) + open_ * min(1.0, rate) + 0.1) ** self.weights.rivalry)
        return strengths[seat] / max(0.5, sum(strengths))

    def _leaning(self, state: State) -> float:
        """The seat's leanings, counted as reputation."""
        leaning, seat = self.leaning, self.seat
        if leaning == NO_LEANING:
            return 0.0
        total = leaning.museums * sum(orders.count(seat) for orders in state.orders)
        total += leaning.dives * state.divers.count(seat)
        total += leaning.adventurers * (min(MOST_DICE, state.powers[seat].dice) - self._start)
        for number in state.sides[seat]:
            card = state.catalogue.cards[number >> 1]
            purchases = (card.pile != NO_PILE) + (number & 1)
            total += purchases * leaning.purchase(card.dollars, 0)
        return total


def _options(state: State, seat: int) -> Iterator[tuple[int, tuple[int, ...]]]:
    """The sides that a seat can buy or turn up, with the company's sides after it."""
    sides = state.sides[seat]
    for offer in state.offers:
        for card in dict.fromkeys(offer):
            yield 2 * card, (*sides, 2 * card)
    for at, number in enumerate(sides):
        if not number & 1 and number not in sides[:at]:
            yield number + 1, (*sides[:at], number + 1, *sides[at + 1 :])


def _before(state: State, seat: int, other: int) -> int:
    """How a tie in reputation is broken (R24): 1 for the seat, -1 for the other."""
    if state.dollars[seat] != state.dollars[other]:
        return 1 if state.dollars[seat] > state.dollars[other] else -1
    cubes = [sum(orders.count(one) for orders in state.orders) for one in (seat, other)]
    return (cubes[0] > cubes[1]) - (cubes[0] < cubes[1])


def _countable(state: State) -> tuple[list[float], float, float]:
    """How likely finds, museums and neighbours will be counted: by the cards that count them and can be bought."""
    find = [0.0] * len(FINDS)
    museum = beside = 0.0
    cards = state.catalogue.cards
    chances: dict[int, float] = {}
    for pile in state.piles:
        for card in pile:
            chances[card] = chances.get(card, 0.0) + 0.3
    for offer in state.offers:
        for card in offer:
            chances[card] = chances.get(card, 0.0) + 1.0
    for sides in state.sides[state.active : state.active + 1]:
        for number in sides:
            if not number & 1:
                chances[number >> 1] = 1.0
    for card, chance in chances.items():
        side = max(
            cards[card].sides, key=lambda side: sum(side.per_find) + side.per_museum + side.per_expedition
        )
        likely = min(1.0, chance)
        find = [min(2.0, old + each * likely) for old, each in zip(find, side.per_find, strict=True)]
        museum = min(2.0, museum + side.per_museum * likely)
        beside = min(2.0, beside + side.per_expedition * likely)
    return find, museum, beside
