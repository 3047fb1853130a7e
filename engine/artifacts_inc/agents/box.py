"""Lookup tables for agents that plan turns: companies and museums, each made once and compared by identity."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from engine.artifacts_inc.agents.income import Income, Incomes
from engine.artifacts_inc.card_list import ARTIFACTS, SLOTS
from engine.artifacts_inc.catalogue import Ability, Catalogue, Side, Slot
from engine.artifacts_inc.choices import majority_of
from engine.artifacts_inc.company import UPPER, CompanyCard, Place, Space, around, powers_of
from engine.artifacts_inc.state import FREE, Numbers

Places = tuple[Place, ...]
_Kinds = tuple[bool, ...]
"""For each card of a company, whether it is an Expedition."""


def open_neighbours(catalogue: Catalogue, sides: Sequence[int], places: Places) -> int:
    """The most Expeditions that lie beside an open place."""
    return _most_beside(_kinds(catalogue, sides), places)


def best_place(catalogue: Catalogue, sides: Sequence[int], places: Places, card: int) -> Place:
    """Where a new card scores most, then leaves the best open place, then the usual one (R26)."""
    if not _counted(catalogue):
        return _usual(places)
    new = catalogue.cards[card]
    return _best(_kinds(catalogue, sides), places, new.expedition, new.sides[0].per_expedition)


@lru_cache(maxsize=8)
def _counted(catalogue: Catalogue) -> bool:
    """Whether any card counts Expeditions beside it."""
    return any(side and side.per_expedition for side in catalogue.sides)


def _kinds(catalogue: Catalogue, sides: Sequence[int]) -> _Kinds:
    cards = catalogue.cards
    return tuple([cards[number >> 1].expedition for number in sides])


def _usual(places: Places) -> Place:
    return Place(UPPER, 1 + max(place.column for place in places if place.row == UPPER))


@lru_cache(maxsize=1 << 14)
def _most_beside(expeditions: _Kinds, places: Places) -> int:
    near: dict[Place, int] = {}
    for expedition, place in zip(expeditions, places, strict=True):
        if expedition:
            for beside in around(place):
                near[beside] = near.get(beside, 0) + 1
    return max((n for place, n in near.items() if place not in places), default=0)


@lru_cache(maxsize=1 << 14)
def _best(expeditions: _Kinds, places: Places, expedition: bool, per: int) -> Place:
    """The best place of a new card, which may be an Expedition and may score for each one beside it."""
    usual = _usual(places)
    lying = {place for is_one, place in zip(expeditions, places, strict=True) if is_one}
    best, most = usual, (-1, -1, False)
    for place in sorted({beside for own in places for beside in around(own) if beside not in places}):
        counted = per * sum(beside in lying for beside in around(place))
        merit = (counted, _most_beside((*expeditions, expedition), (*places, place)), place == usual)
        if merit > most:
            best, most = place, merit
    return best


GAINING, SELLING, BUYING = range(3)
_SELLS: Final = ("museum", "collect", "sell")
ORDER: Final = 1 << 8
"""More than the spots of a company."""
_USES: Final = 5
"""Bits that count the uses of a card's ability in a turn."""
_MOST_KEPT: Final = 1 << 11
"""Companies or museums that are kept in memory from one plan to the next."""
_FACES: Final = range(7)

Orders = tuple[Numbers, ...]
"""By museum, the seats whose cubes lie on its orders, or `FREE`."""


class Spot(NamedTuple):
    """A slot of a company or of a public card.

    `key` is its place in the one order in which deeds are looked at; `bit` stands for it among the covered ones.
    `faces` are the faces that fit, as bits.
    """

    key: int
    bit: int
    faces: int
    do: str
    artifact: int
    dollars: int
    space: Space


class Tool(NamedTuple):
    """A card with an ability. Its uses in a turn are counted from the bit `shift` on; `uses` is how many there are."""

    own: CompanyCard
    ability: Ability
    shift: int

    def left(self, used: int) -> bool:
        """Whether it can be used once more."""
        return (used >> self.shift & (1 << _USES) - 1) < self.ability.uses


class Purchase(NamedTuple):
    """A card that is bought, or turned: the company after it, its cost, and what scores at once but for `side`'s counts
    of finds and museums. `asks` is what the move names beside die and space.
    """

    dollars: int
    scrolls: int
    asks: tuple[int, Place] | tuple[CompanyCard]
    then: Company
    reputation: int
    side: Side


class Means(NamedTuple):
    """The means of a company in a turn: its slots, the public cards' first, and its abilities.

    `fits` are by face the spots that take it, as bits; `kinds` the artifacts that it can gather. `indices` are
    those of its cards.
    """

    spots: Sequence[Spot]
    fits: Sequence[int]
    tools: Sequence[Tool]
    kinds: Sequence[int]
    indices: Mapping[CompanyCard, int]


class Wish(NamedTuple):
    """A side that a seat may buy or turn up: its price, number and Scrolls, reputation at once, dollars gained a turn.

    `counts`: it counts something when it is turned up.
    """

    dollars: int
    number: int
    scrolls: int
    reputation: float
    gain: float
    counts: bool


class Company:
    """A company in a planned turn.

    Most companies that a plan looks at are only judged. So what else there is to know is worked out when it is asked
    for.
    """

    __slots__ = ("_beside", "_box", "_incomes", "_means", "_purchases", "_wishes", "places", "sides")

    def __init__(self, box: Box, sides: Numbers, places: tuple[Place, ...]) -> None:
        self._box = box
        self._beside = -1
        self._means: Means | None = None
        self._purchases: dict[int, Purchase] = {}
        self._incomes: dict[int, Income] = {}
        self._wishes: dict[tuple[int, int], Wish] = {}
        self.sides, self.places = sides, places

    @property
    def means(self) -> Means:
        """All that it can do in a turn."""
        means = self._means
        if means is None:
            means = self._means = _means(self._box.incomes.catalogue, self.sides)
        return means

    @property
    def tools(self) -> Sequence[Tool]:
        """Its cards with abilities."""
        return self.means.tools

    @property
    def dice(self) -> int:
        """The dice that it gives."""
        return powers_of(self._box.incomes.catalogue, self.sides).dice

    @property
    def dive(self) -> int:
        """The sum that it adds to dives."""
        return powers_of(self._box.incomes.catalogue, self.sides).dive

    @property
    def beside(self) -> int:
        """The most Expeditions that lie beside an open place."""
        beside = self._beside
        if beside < 0:
            beside = self._beside = open_neighbours(self._box.incomes.catalogue, self.sides, self.places)
        return beside

    def income(self, taken: int) -> Income:
        """Its income, once so many U cards are taken."""
        income = self._incomes.get(taken)
        if income is None:
            income = self._incomes[taken] = self._box.incomes.of(self.sides, taken)
        return income

    def wish(self, number: int, taken: int) -> Wish:
        """The gain from this side, bought or turned up once so many U cards are taken; without what it counts."""
        key = (number, taken)
        wish = self._wishes.get(key)
        if wish is None:
            sides, catalogue = self.sides, self._box.incomes.catalogue
            if number & 1:
                at = sides.index(number - 1)
                then = (*sides[:at], number, *sides[at + 1 :])
            else:
                then = (*sides, number)
            gain = self._box.incomes.of(then, taken).dollars - self.income(taken).dollars
            card, side = catalogue.cards[number >> 1], catalogue.side(number)
            wish = Wish(card.dollars, number, card.scrolls, float(side.reputation), gain, side.counts)
            self._wishes[key] = wish
        return wish

    def bought(self, card: int) -> Purchase:
        """The purchase of a card, laid where it is best."""
        purchase = self._purchases.get(card)
        if purchase is None:
            place = best_place(self._box.incomes.catalogue, self.sides, self.places, card)
            then = self._box.company((*self.sides, 2 * card), (*self.places, place))
            purchase = self._purchases[card] = self._purchase(2 * card, place, (card, place), then)
        return purchase

    def turned(self, index: int) -> Purchase:
        """The purchase that turns its card of this index, of level 1, to level 2."""
        purchase = self._purchases.get(~index)
        if purchase is None:
            sides = self.sides
            number = sides[index] + 1
            own = CompanyCard(number >> 1, [side >> 1 for side in sides[:index]].count(number >> 1))
            then = self._box.company((*sides[:index], number, *sides[index + 1 :]), self.places)
            purchase = self._purchase(number, self.places[index], (own,), then)
            self._purchases[~index] = purchase
        return purchase

    def _purchase(
        self, number: int, place: Place, asks: tuple[int, Place] | tuple[CompanyCard], then: Company
    ) -> Purchase:
        catalogue = self._box.incomes.catalogue
        card, side = catalogue.cards[number >> 1], catalogue.side(number)
        reputation = side.reputation
        if side.per_expedition:
            lying = zip(self.places, self.sides, strict=True)
            near = [catalogue.cards[own >> 1].expedition for other, own in lying if other in around(place)]
            reputation += side.per_expedition * sum(near)
        return Purchase(card.dollars, card.scrolls, asks, then, reputation, side)

    def covered(self, spaces: Sequence[Space]) -> int:
        """The spots of these spaces, as bits."""
        public, indices = self._box.incomes.catalogue.public, self.means.indices
        return sum([_bit(space, public, indices) for space in spaces])

    def used(self, uses: Sequence[CompanyCard]) -> int:
        """These uses of abilities, counted by card."""
        indices = self.means.indices
        return sum([1 << _USES * indices[own] for own in uses])


def _means(catalogue: Catalogue, sides: Numbers) -> Means:
    powers = powers_of(catalogue, sides)
    indices = {own: at for at, own in enumerate(powers.cards)}
    spots = [
        _spot(at, space, slot, _bit(space, catalogue.public, indices))
        for at, (space, slot) in enumerate(powers.spots)
    ]
    fits = [sum([spot.bit for spot in spots if spot.faces >> face & 1]) for face in _FACES]
    tools = [Tool(own, ability, _USES * indices[own]) for own, ability in powers.abilities]
    kinds = [kind for kind in range(len(ARTIFACTS)) if powers.yields >> kind & 1]
    return Means(spots, fits, tools, kinds, indices)


def _bit(space: Space, public: int, index: Mapping[CompanyCard, int]) -> int:
    """The bit of a slot, whichever side of its card is up."""
    return 1 << (space.card if space.card < public else public + SLOTS * index[space.own] + space.slot)


def _spot(at: int, space: Space, slot: Slot, bit: int) -> Spot:
    """The slot that is the company's `at`-th, the public cards' first."""
    do, artifact, dollars = slot.action
    kind = BUYING if do == "buy" else SELLING if do in _SELLS else GAINING
    return Spot(kind * ORDER + at, bit, slot.faces, do, artifact, dollars, space)


class Museums:
    """The museums with cubes on some of their orders.

    By museum: `open` are the sizes of free orders, rising, each with the last order of this size (R27); `free` is how
    many are free, `cubes` how many each seat has filled.
    """

    __slots__ = (
        "_after",
        "_box",
        "bearing",
        "cubes",
        "filled_by",
        "free",
        "open",
        "orders",
        "sizes",
        "worths",
    )

    def __init__(self, box: Box, orders: Orders, seats: int) -> None:
        self._box, self.orders = box, orders
        self.sizes = [museum.orders[seats] for museum in box.incomes.catalogue.museums]
        self.open = [
            sorted({size: at for at, size in enumerate(sizes) if by[at] == FREE}.items())
            for sizes, by in zip(self.sizes, orders, strict=True)
        ]
        self.free = [by.count(FREE) for by in orders]
        self.cubes = [[by.count(seat) for seat in range(seats)] for by in orders]
        each = list(zip(*self.cubes, strict=True))
        self.bearing = [sum([n > 0 for n in cubes]) for cubes in each]
        """By seat, how many museums bear its cubes."""
        self.filled_by = [sum(cubes) for cubes in each]
        """By seat, how many orders it has filled."""
        self.worths: list[list[float]] = [[] for _ in orders]
        """By museum, as much of `held` as is known, by n."""
        self._after: dict[tuple[int, int, int], Museums] = {}

    def filled(self, kind: int, order: int, seat: int) -> Museums:
        """The museums once the seat has filled an order too."""
        key = (kind, order, seat)
        after = self._after.get(key)
        if after is None:
            orders, taken = self.orders, self.orders[kind]
            taken = (*taken[:order], seat, *taken[order + 1 :])
            then = (*orders[:kind], taken, *orders[kind + 1 :])
            after = self._after[key] = self._box.museums(then, len(self.cubes[kind]))
        return after

    def held(self, kind: int, n: int) -> float:
        """The worth of n artifacts of a kind in hand, in dollars."""
        worths = self.worths[kind]
        while len(worths) <= n:
            worths.append(self._worth(kind, len(worths)))
        return worths[n]

    def _worth(self, kind: int, n: int) -> float:
        if not n:
            return 0.0
        weights, bonus = self._box.incomes.weights, self._box.incomes.catalogue.museums[kind].bonus
        worth = weights.artifact * n
        fit = max([size for size, _ in self.open[kind] if size <= n], default=0)
        if fit:
            worth += weights.fit * bonus + weights.bonus * bonus * min(2, n - fit) * 0.5
        elif self.open[kind]:
            worth += weights.bonus * bonus * n / self.open[kind][0][0]
        return worth

    def majority(self, kind: int) -> int | None:
        """The seat with a museum's majority as it stands."""
        return majority_of(self.orders[kind], self.sizes[kind])


class Box:
    """The companies and museums of a card list's matches, with what agents expect of them.

    `generation` counts how often they were made anew: those of two generations are not to be compared.
    """

    def __init__(self, incomes: Incomes) -> None:
        self.incomes = incomes
        self.counting = {
            card.number: (max(card.sides, key=_counts), card.copies)
            for card in incomes.catalogue.cards
            if any(map(_counts, card.sides))
        }
        """The cards that count something, each with the side that counts more, and how many copies there are."""
        self.generation = 0
        self._companies: dict[tuple[Numbers, tuple[Place, ...]], Company] = {}
        self._museums: dict[tuple[Orders, int], Museums] = {}

    def make_room(self) -> None:
        """Forgets all of them if they are many. For the beginning of a plan: within one, they stay the same."""
        if max(len(self._companies), len(self._museums)) > _MOST_KEPT:
            self._companies.clear()
            self._museums.clear()
            self.generation += 1

    def company(self, sides: Numbers, places: tuple[Place, ...]) -> Company:
        """The company of these cards in these places."""
        key = (sides, places)
        company = self._companies.get(key)
        if company is None:
            company = self._companies[key] = Company(self, sides, places)
        return company

    def museums(self, orders: Orders, seats: int) -> Museums:
        """The museums with these orders filled."""
        key = (orders, seats)
        museums = self._museums.get(key)
        if museums is None:
            museums = self._museums[key] = Museums(self, orders, seats)
        return museums


def _counts(side: Side) -> int:
    """The reputation that a side counts for one of everything."""
    return sum(side.per_find) + side.per_museum + side.per_expedition
