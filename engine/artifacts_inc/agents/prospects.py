"""The reputation that a seat's company, dollars and artifacts will bring in the turns that are left."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import exp
from typing import Final, NamedTuple

from engine.artifacts_inc.agents.box import Box, Company, Museums, Wish
from engine.artifacts_inc.agents.income import NO_LEANING
from engine.artifacts_inc.agents.table import Table
from engine.artifacts_inc.card_list import ARTIFACTS, FINDS
from engine.artifacts_inc.catalogue import Side
from engine.artifacts_inc.choices import SCROLL
from engine.artifacts_inc.state import GOAL, Numbers

_KINDS: Final = range(len(ARTIFACTS))
_FAR: Final = 3.0
"""Dollars beyond what is expected in hand, from which on a purchase of the next turn is out of reach."""
_OF_A_DOLLAR: Final = 0.6
"""The part of a dollar's worth that counts when purchases are compared at a glance."""
_ABOUT: Final = (0, 2, 2, 2, 5, 5, 5, 8, 8, 8, 10)
"""By how many U cards are taken, the number for which it is reckoned what purchases bring."""


class Expected(NamedTuple):
    """The prospects of a company, beside what the seat has.

    In this order: reputation that is sure or that nothing changes, turns, dollars of the later turns, dollars that can
    be spent in all, dollars of the next turn, and what the seat may buy.
    """

    fixed: float
    turns: float
    later: float
    enough: float
    cash: float
    wishes: Sequence[Wish]


class Prospects:
    """The prospects of all seats in the active seat's turn.

    `museums` and, by seat, `companies` are those of the turn's beginning; `taken` are the U cards gone by then. `after`
    says of each other seat whether its turn of this round is yet to come.
    """

    def __init__(self, table: Table, box: Box) -> None:
        self.table, self.seat = table, table.seat
        box.make_room()
        incomes = box.incomes
        self.weights, self.leaning, self.catalogue = incomes.weights, incomes.leaning, incomes.catalogue
        seats = len(table.dollars)
        self.museums = box.museums(table.orders, seats)
        self.companies = [box.company(*lying) for lying in zip(table.sides, table.places, strict=True)]
        self.taken = len(table.divers)
        begun = (table.seat - table.first) % seats
        self.after = {
            seat: (seat - table.first) % seats > begun for seat in range(seats) if seat != table.seat
        }
        self._none_after = not any(self.after.values())
        self._finds = [[0] * len(FINDS) for _ in range(seats)]
        for diver, dive in zip(table.divers, self.catalogue.dives, strict=False):
            self._finds[diver][dive.find] += 1
        self._find, self._museum, self._beside = _countable(table, box)
        self._expected: dict[object, Expected] = {}
        self._strengths: dict[object, Sequence[float]] = {}
        self._wanted: dict[int, list[Wish]] = {}
        self._wishes: dict[object, list[Wish]] = {}
        self._offered: dict[Company, Sequence[int]] = {}
        self._merits: dict[int, float] = {}

    # -- cards

    def offered(self, company: Company) -> Sequence[int]:
        """The cards that are on offer once the seat has this company, each once."""
        offered = self._offered.get(company)
        if offered is None:
            bought = [side >> 1 for side in company.sides[len(self.companies[self.seat].sides) :]]
            left: list[int] = []
            for offer in self.table.offers:
                cards = list(offer)
                for card in bought:
                    if card in cards:
                        cards.remove(card)
                left += dict.fromkeys(cards)
            offered = self._offered[company] = left
        return offered

    def counted(self, side: Side, museums: Museums, taken: int) -> int:
        """The score of a side that counts finds and museums, once the active seat turns it up."""
        found = zip(side.per_find, self._found(self.seat, taken), strict=True)
        return side.per_museum * museums.bearing[self.seat] + sum([each * n for each, n in found])

    def merits(self) -> Mapping[int, float]:
        """By the side's number, about what it brings to buy it or turn it up in this turn, in reputation."""
        if not self._merits:
            lead = max(self.table.reputation)
            turns = 0.0 if lead >= GOAL or self.table.last else self.rounds(lead)
            dollar = _OF_A_DOLLAR * self.weights.dollar if turns else 0.0
            begun, found = self.companies[self.seat], self._found(self.seat, self.taken)
            for wish in self._wants(self.seat):
                gain = self.weights.income * turns * wish.gain - wish.dollars
                if wish.counts:
                    wish = self._counting(begun, wish, self.museums.bearing[self.seat], found)
                self._merits[wish.number] = wish.reputation + dollar * gain
        return self._merits

    def _found(self, seat: int, taken: int) -> Numbers:
        """A seat's finds, once so many U cards are taken: those of this turn are the active seat's."""
        found = self._finds[seat]
        if seat == self.seat and taken > self.taken:
            new = [dive.find for dive in self.catalogue.dives[self.taken : taken]]
            found = [n + new.count(find) for find, n in enumerate(found)]
        return tuple(found)

    # -- the value of what a seat has

    def rounds(self, lead: int) -> float:
        """Rounds to come after this one, the leader having so much reputation, less than the goal."""
        return 1.0 + max(0.0, (GOAL - lead) / self.weights.pace - 0.8)

    def value(
        self, expected: Expected, museums: Museums, reputation: int, dollars: int, artifacts: Numbers
    ) -> float:
        """The reputation in the end of a seat that has so much, with what it can expect."""
        weights, (fixed, turns, later, enough, cash, wishes) = self.weights, expected
        if not turns:
            return reputation + fixed + weights.last_dollar * dollars
        held = 0.0
        for kind, n in enumerate(artifacts):
            if n:
                worths = museums.worths[kind]
                held += worths[n] if n < len(worths) else museums.held(kind, n)
        spare = exp(-(dollars + held + later) / enough)
        cash += dollars + weights.cash * held
        most, kept = cash + _FAR, weights.income * (turns - 1)
        scrolls, dollar, best = artifacts[SCROLL], weights.dollar * spare, 0.0
        for wish in wishes:
            cost, _, needs, scored, gained, _ = wish
            if cost > most:
                break
            gain = scored + dollar * (kept * gained - cost)
            if gain > best and needs <= scrolls:
                best = max(best, gain / (1 + exp(1.5 * (cost - cash))))
        return reputation + fixed + weights.dollar * enough * (1 - spare) + weights.prospect * best

    def expected(self, seat: int, company: Company, museums: Museums, taken: int, turns: float) -> Expected:
        """The prospects of a seat with this company and these museums, and with so many turns before it."""
        key = (seat, company, museums, taken, turns)
        expected = self._expected.get(key)
        if expected is None:
            weights, income = self.weights, company.income(taken)
            fixed = self._majorities(seat, museums, taken, turns, income.artifacts)
            if not turns:
                expected = Expected(fixed, 0.0, 0.0, 0.0, 0.0, ())
            else:
                found = self._found(seat, taken)
                fixed += turns * income.reputation - weights.unspent
                fixed += weights.find * sum([cards * n for cards, n in zip(self._find, found, strict=True)])
                fixed += weights.reach * self._museum * museums.bearing[seat]
                if self._beside:
                    fixed += weights.reach * self._beside * company.beside
                expected = Expected(
                    fixed,
                    turns,
                    weights.income * turns * income.dollars,
                    weights.purchase * turns * max(0.5, income.purchases),
                    weights.cash * income.dollars,
                    self._wished(seat, company, museums.bearing[seat], found),
                )
            self._expected[key] = expected
        return expected

    # -- purchases to come

    def _wished(self, seat: int, company: Company, bearing: int, found: Numbers) -> Sequence[Wish]:
        """The sides that a seat could buy or turn up, the cheapest first, once so many museums bear its cubes.

        After a purchase in this turn the other cards are taken to bring what they would have brought without it.
        """
        key = (seat, company, bearing, found)
        wishes = self._wishes.get(key)
        if wishes is None:
            begun = self.companies[seat]
            if company is begun:
                each = [
                    self._counting(begun, wish, bearing, found) if wish.counts else wish
                    for wish in self._wants(seat)
                ]
                wishes = _worthwhile(each)
            else:
                bought = set(company.sides).difference(begun.sides)
                before = self._wished(seat, begun, bearing, found)
                wishes = [wish for wish in before if wish.number not in bought]
            self._wishes[key] = wishes
        return wishes

    def _wants(self, seat: int) -> Sequence[Wish]:
        """All the sides that a seat could buy or turn up as the turn began, the cheapest first; uncounted."""
        wanted = self._wanted.get(seat)
        if wanted is None:
            numbers = {2 * card for offer in self.table.offers for card in offer}
            numbers.update([number + 1 for number in self.companies[seat].sides if not number & 1])
            wanted = self._wanted[seat] = sorted([self._wish(seat, number) for number in numbers])
        return wanted

    def _wish(self, seat: int, number: int) -> Wish:
        wish = self.companies[seat].wish(number, _ABOUT[min(self.taken, len(_ABOUT) - 1)])
        if seat == self.seat and self.leaning != NO_LEANING:
            catalogue = self.catalogue
            more = catalogue.side(number).dice - (catalogue.side(number - 1).dice if number & 1 else 0)
            liked = self.leaning.purchase(wish.dollars, more)
            wish = wish._replace(reputation=wish.reputation + liked)
        return wish

    def _counting(self, company: Company, wish: Wish, bearing: int, found: Numbers) -> Wish:
        """A wish with the reputation that the side counts."""
        side = self.catalogue.side(wish.number)
        counted = side.per_expedition * company.beside + side.per_museum * bearing
        counted += sum([each * n for each, n in zip(side.per_find, found, strict=True)])
        return wish._replace(reputation=wish.reputation + counted)

    # -- majorities

    def _majorities(
        self, seat: int, museums: Museums, taken: int, turns: float, yields: Sequence[float]
    ) -> float:
        """The gain that a seat can expect from the museums' majorities (R27). They are sure once nobody has a turn."""
        cards = self.catalogue.museums
        if not turns and self._none_after:
            return float(sum([cards[kind].majority for kind in _KINDS if museums.majority(kind) == seat]))
        rivals = self._rivals(seat, museums, taken, turns)
        total = 0.0
        strengths = self._strength(seat, museums, turns, yields)
        for card, own, theirs in zip(cards, strengths, rivals, strict=True):
            total += card.majority * own / max(0.5, own + theirs)
        return total

    def _rivals(self, seat: int, museums: Museums, taken: int, turns: float) -> Sequence[float]:
        """By museum, how strong the others are in it: by cubes, and by what their companies yield."""
        key = (seat, museums, taken, turns)
        strengths = self._strengths.get(key)
        if strengths is None:
            each = [
                self._strength(other, museums, turns, company.income(taken).artifacts)
                for other, company in enumerate(self.companies)
                if other != seat
            ]
            strengths = (
                [sum(of_museum) for of_museum in zip(*each, strict=True)] if len(each) > 1 else each[0]
            )
            self._strengths[key] = strengths
        return strengths

    def _strength(
        self, seat: int, museums: Museums, turns: float, yields: Sequence[float]
    ) -> Sequence[float]:
        """By museum, how strong a seat is whose company yields so many artifacts a turn."""
        rivalry, most = self.weights.rivalry, 0.4 * turns
        strengths: list[float] = []
        for free, cubes, yielded in zip(museums.free, museums.cubes, yields, strict=True):
            open_ = free if free < most else most
            strengths.append((cubes[seat] + open_ * (yielded if yielded < 1.0 else 1.0) + 0.1) ** rivalry)
        return strengths


def _worthwhile(wishes: Sequence[Wish]) -> list[Wish]:
    """Wishes, the cheapest first, without those that cost as much as another or more and bring no more."""
    left: list[Wish] = []
    for wish in wishes:
        _, _, scrolls, reputation, gain, _ = wish
        for better in left:
            if better.reputation >= reputation and better.gain >= gain and better.scrolls <= scrolls:
                break
        else:
            left.append(wish)
    return left


def _countable(table: Table, box: Box) -> tuple[list[float], float, float]:
    """How likely finds, museums and neighbours will be counted: by the cards that count them and can be bought."""
    find = [0.0] * len(FINDS)
    museum = beside = 0.0
    for card, (side, copies) in box.counting.items():
        likely = 1.0
        if 2 * card not in table.sides[table.seat]:
            bought = sum([held.count(number) for held in table.sides for number in (2 * card, 2 * card + 1)])
            offered = sum([offer.count(card) for offer in table.offers])
            likely = min(1.0, offered + 0.3 * (copies - bought - offered))
        find = [min(2.0, old + each * likely) for old, each in zip(find, side.per_find, strict=True)]
        museum = min(2.0, museum + side.per_museum * likely)
        beside = min(2.0, beside + side.per_expedition * likely)
    return find, museum, beside
