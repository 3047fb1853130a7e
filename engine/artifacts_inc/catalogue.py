"""The card list as the rules play by it: cards and sides by number, ready to be looked up.

A card's *number* is its place among all cards that have a key: the museums (by their artifact), the other public
cards, the starting cards, and the piles' assets. A *side* has a number too: twice the card's for level 1, one more
for level 2.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Self

from engine.artifacts_inc.card_list import ARTIFACTS, FINDS, PILES, STARTING, CardList
from engine.artifacts_inc.card_list import Action as ActionData
from engine.artifacts_inc.card_list import Side as SideData
from engine.cards import ListedCards

ANY: Final = -1
"""Stands where an action names an artifact, and means that it names none."""
NO_PILE: Final = -1
BY_TWO: Final = 2
"""The number of players with which museums show their side with fewer orders."""

_HIGHEST: Final = 6
_EVERY_FACE: Final = range(1, _HIGHEST + 1)


class Action(NamedTuple):
    """The effect of a slot (see the card list's `Action`). `artifact` is the one gained, or the museum of a sale."""

    do: str
    artifact: int
    dollars: int


class Slot(NamedTuple):
    """A slot: its requirement as it is written, the faces that meet it (bit n for face n), its action."""

    requires: str
    faces: int
    action: Action


class Ability(NamedTuple):
    """A change that may be made to unplaced dice so many times a turn: "turn", "set" or "roll"."""

    do: str
    uses: int


class Side(NamedTuple):
    """One side of a card. `per_find` goes by find.

    `yields`: the artifacts that an Expedition yields, as bits (R60).
    """

    reputation: int
    per_find: tuple[int, ...]
    per_museum: int
    per_expedition: int
    slots: tuple[Slot, ...]
    ability: Ability | None
    dice: int
    dive: int
    yields: int

    @property
    def counts(self) -> bool:
        """Whether it counts something when it is turned up."""
        return any(self.per_find) or bool(self.per_museum or self.per_expedition)


class Card(NamedTuple):
    """A card with its one side (public cards) or two. `pile` is a place in `PILES`, or `NO_PILE`."""

    number: int
    key: str
    name: str
    pile: int
    copies: int
    dollars: int
    scrolls: int
    expedition: bool
    sides: tuple[Side, ...]

    def side(self, level: int) -> Side:
        """The side of level 1 or 2."""
        return self.sides[level - 1]


class Museum(NamedTuple):
    """The payments of a museum. `orders` are how many artifacts each order takes, by the number of seats."""

    bonus: int
    majority: int
    orders: dict[int, tuple[int, ...]]


class DiveCard(NamedTuple):
    """A card of the U pile. `find` is a place in `FINDS`."""

    number: int
    find: int
    reputation: int


class Catalogue(ListedCards):
    """All cards of a card list.

    `public` is how many public cards there are: the cards with the lowest numbers. `sides` go by the side's number;
    what a public card does not have is None. `piles` are the cards in each pile before it is shuffled. `cheapest` is
    the lowest price of an asset, in dollars.
    """

    __slots__ = ("cards", "cheapest", "dives", "museums", "numbers", "piles", "public", "sides", "start")

    def __init__(self, card_list: CardList) -> None:
        super().__init__(card_list, card_list.digest)
        self.museums = tuple(
            Museum(m.bonus, m.majority, {n: m.six if n == BY_TWO else m.nine for n in range(BY_TWO, 5)})
            for m in card_list.museums
        )
        self.dives = tuple(DiveCard(d.number, FINDS.index(d.find), d.reputation) for d in card_list.dives)
        self.cards = tuple(_cards(card_list))
        self.public = len(card_list.museums) + len(card_list.public)
        self.start = tuple(range(self.public, self.public + STARTING))
        self.cheapest = min(card.dollars for card in self.cards[self.public :])
        self.numbers = {card.key: card.number for card in self.cards}
        self.sides = tuple(
            card.sides[level] if level < len(card.sides) else None for card in self.cards for level in (0, 1)
        )
        self.piles = tuple(
            tuple(card.number for card in self.cards if card.pile == pile for _ in range(card.copies))
            for pile in range(len(PILES))
        )

    @classmethod
    def read(cls, text: str) -> Self:
        return cls(CardList.model_validate_json(text))

    @property
    def public_cards(self) -> tuple[Card, ...]:
        """The cards that everybody may place dice on, each with one slot (R35)."""
        return self.cards[: self.public]

    def orders(self, museum: int, seats: int) -> tuple[int, ...]:
        """How many artifacts each order of a museum takes, with so many players."""
        return self.museums[museum].orders[seats]

    def side(self, number: int) -> Side:
        """The side of this number, which a card has."""
        side = self.sides[number]
        assert side
        return side


def _cards(card_list: CardList) -> list[Card]:
    cards: list[Card] = []
    for artifact, museum in enumerate(card_list.museums):
        slot = _slot(museum.requires, Action("museum", artifact, 0))
        cards.append(_public(len(cards), museum.key, museum.name, slot))
    for card in card_list.public:
        slot = _slot(card.slot.requires, _action(card.slot.action))
        cards.append(_public(len(cards), card.key, card.name, slot))
    groups = [(NO_PILE, asset, 0) for asset in card_list.start]
    groups += [(n, asset, asset.copies) for n, pile in enumerate(PILES) for asset in card_list.piles[pile]]
    for pile, asset, copies in groups:
        sides = tuple(_side(side, asset.expedition) for side in asset.sides)
        cost = asset.cost
        cards.append(
            Card(
                len(cards),
                asset.key,
                asset.name,
                pile,
                copies,
                cost.dollars,
                cost.scrolls,
                asset.expedition,
                sides,
            )
        )
    return cards


def _public(number: int, key: str, name: str, slot: Slot) -> Card:
    side = Side(0, (0,) * len(FINDS), 0, 0, (slot,), None, 0, 0, 0)
    return Card(number, key, name, NO_PILE, 1, 0, 0, False, (side,))


def _side(data: SideData, expedition: bool) -> Side:
    per = {str(counted): each for counted, each in data.per.items()}
    slots = tuple(_slot(slot.requires, _action(slot.action)) for slot in data.slots)
    yields = 0
    if expedition:
        for slot in slots:
            if slot.action.do == "gain":
                yields |= 1 << slot.action.artifact
    ability = Ability(data.ability.do, data.ability.uses) if data.ability else None
    return Side(
        data.reputation,
        tuple(per.get(find, 0) for find in FINDS),
        per.get("museum", 0),
        per.get("expedition", 0),
        slots,
        ability,
        data.dice,
        data.dive,
        yields,
    )


def _slot(requires: str, action: Action) -> Slot:
    faces = sum(1 << face for face in _EVERY_FACE if meets(face, requires))
    return Slot(requires, faces, action)


def _action(data: ActionData) -> Action:
    artifact = ARTIFACTS.index(data.artifact) if data.artifact else ANY
    return Action(data.do, artifact, data.dollars)


def meets(face: int, requires: str) -> bool:
    """Whether a die's face meets a requirement.

    >>> [face for face in range(1, 7) if meets(face, "2-")]
    [1, 2]
    """
    match requires:
        case "any":
            return True
        case "odd" | "even":
            return face % 2 == (requires == "odd")
        case _ if requires.startswith("="):
            return face == int(requires[1:])
        case _ if requires.endswith("+"):
            return face >= int(requires[:-1])
        case _:
            return face <= int(requires[:-1])
