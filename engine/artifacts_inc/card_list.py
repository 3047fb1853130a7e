"""The card list: what each side of each card costs, asks for and does, in a small closed vocabulary.

Texts of cards are made from these data, in every language; the rules play by what `engine.artifacts_inc.catalogue`
makes of them. An owner's card list may have other cards, as long as they say what they do in these words.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import cached_property
from itertools import pairwise
from typing import Annotated, ClassVar, Final, Literal, Self

from pydantic import Field, model_validator

from engine import cards, chance
from engine.cards import CardData, Provenance
from engine.errors import BadData
from engine.plain import plain

ARTIFACTS: Final = ("fossil", "scroll", "statue", "gem")
"""The kinds of artifacts. One's number in states and moves, and its museum's, is its place here; never reorder."""
FINDS: Final = ("pottery", "doubloon", "sunken_city")
"""The kinds of finds, in the order in which states count them."""
PILES: Final = ("A", "B", "C", "D", "E")
"""The piles of assets, in the order in which states number them."""

UNCOUNTED: Final = ("provenance", "name")
"""Fields of a card list that change nothing in its digest, as they change nothing in a match."""

SEATS: Final = range(2, 5)
STARTING: Final = 4
"""Assets that each player begins with."""
SLOTS: Final = 4
"""The most slots that a side may have."""
COPIES: Final = 60
"""The most copies of a card."""
SHORT, LONG = 6, 9
"""Orders on the sides of a Museum: with two players, with more."""

ArtifactKey = Literal["fossil", "scroll", "statue", "gem"]
FindKey = Literal["pottery", "doubloon", "sunken_city"]
PileKey = Literal["A", "B", "C", "D", "E"]

Requirement = Annotated[str, Field(pattern=r"^(any|odd|even|[1-6][+-]|=[1-6])$")]
"""Which faces a slot takes: "any", "odd", "even", "3+" (3 or more), "2-" (2 or less), "=1"."""

Doing = Literal["gain", "gather", "buy", "museum", "collect", "sell", "earn"]
Countable = Literal["pottery", "doubloon", "sunken_city", "museum", "expedition"]
Turning = Literal["turn", "set", "roll"]

Key = Annotated[str, Field(pattern=r"^[a-z][a-z0-9_]{0,39}$")]
Dollars = Annotated[int, Field(ge=0, le=50, strict=True)]
Reputation = Annotated[int, Field(ge=0, le=20, strict=True)]
Numbers = Annotated[int, Field(ge=1, le=20, strict=True)]


class Known(CardData):
    """Something with numbers, which says how they are known: one word for all of them, or one for each field given."""

    unnumbered: ClassVar = frozenset(
        {"key", "artifact", "expedition", "slots", "sides", "slot", "provenance"}
    )

    provenance: Provenance | Mapping[str, Provenance]

    @model_validator(mode="after")
    def _known(self) -> Self:
        if isinstance(self.provenance, Mapping):
            numbered = self.model_fields_set - self.unnumbered
            if wrong := numbered ^ set(self.provenance):
                raise ValueError(
                    f"the provenance of {', '.join(sorted(wrong))} is missing, or of nothing here"
                )
        return self

    def known(self, field: str) -> Provenance:
        """How a field's number is known; "house" for one that was left out."""
        provenance = self.provenance
        return provenance.get(field, "house") if isinstance(provenance, Mapping) else provenance


class Action(CardData):
    """The effect of a slot's die, once.

    - "gain": an `artifact` of that kind, on the slot's card
    - "gather": an artifact of a kind that an Expedition of one's own yields (R60)
    - "buy": an asset, or a level-1 asset of one's own turned to level 2
    - "museum": fill an order of any museum (R38)
    - "collect": sell any artifacts, as Private Collectors do (R23)
    - "sell": sell one artifact for `dollars`
    - "earn": `dollars`

    `dollars` come on top of what the rest pays.
    """

    do: Doing
    artifact: ArtifactKey | None = None
    dollars: Dollars = 0

    @model_validator(mode="after")
    def _whole(self) -> Self:
        if (self.do == "gain") != (self.artifact is not None):
            raise ValueError('"gain" names an artifact, and nothing else does')
        if self.do in ("sell", "earn") and not self.dollars:
            raise ValueError(f'"{self.do}" needs dollars')
        return self


class Slot(Known):
    """Where a die may be placed, and what for."""

    requires: Requirement
    action: Action


class Ability(CardData):
    """A change that may be made to unplaced dice, so many times a turn (R39).

    "turn": one die up or down by 1. "set": one die to any face. "roll": any dice again.
    """

    do: Turning
    uses: Numbers


class Side(Known):
    """One level of an asset.

    `per` is the reputation that counts once when this side is turned up: for each find or museum of the owner's, for
    each adjacent Expedition (R20). `dice` are rolled each turn; `dive` is added to the sum of a dive.
    """

    reputation: Reputation = 0
    per: Mapping[Countable, Numbers] = {}
    slots: tuple[Slot, ...] = Field(default=(), max_length=SLOTS)
    ability: Ability | None = None
    dice: Annotated[int, Field(ge=0, le=7, strict=True)] = 0
    dive: Annotated[int, Field(ge=0, le=20, strict=True)] = 0


class Cost(CardData):
    """The cost of buying a card, and again of turning it."""

    dollars: Dollars
    scrolls: Annotated[int, Field(ge=0, le=9, strict=True)] = 0


class Card(Known):
    """A card with a key of its own and the name that stands on it."""

    key: Key
    name: str = Field(min_length=1, max_length=40)

    @model_validator(mode="after")
    def _plain(self) -> Self:
        if plain(self.name) != self.name:
            raise ValueError("a name is one line of visible characters")
        return self


class Museum(Card):
    """A public card that buys one kind of artifact. `orders` by the side: of six with two players, of nine with more.

    `majority` is the reputation for most cubes at the end.
    """

    artifact: ArtifactKey
    requires: Requirement
    bonus: Dollars
    majority: Reputation
    six: tuple[Numbers, ...] = Field(min_length=SHORT, max_length=SHORT)
    nine: tuple[Numbers, ...] = Field(min_length=LONG, max_length=LONG)

    @model_validator(mode="after")
    def _rising(self) -> Self:
        if any(later < order for orders in (self.six, self.nine) for order, later in pairwise(orders)):
            raise ValueError("orders never fall: the later in the list is the higher (R27)")
        return self


class Public(Card):
    """A public card that is no museum, with its one slot."""

    slot: Slot


class Asset(Card):
    """A card that players own. `expedition`: it has that word in its name (R29). The sides are level 1 and level 2."""

    expedition: bool = False
    cost: Cost
    sides: tuple[Side, Side]


class PileAsset(Asset):
    """An asset of a pile, with so many copies in it."""

    copies: Annotated[int, Field(ge=1, le=COPIES, strict=True)]


class DiveCard(Known):
    """A card of the U pile: the sum that a dive must reach, and what it brings."""

    number: Annotated[int, Field(ge=1, le=99, strict=True)]
    find: FindKey
    reputation: Reputation


class CardList(CardData):
    """All cards of the box."""

    game: str
    museums: tuple[Museum, Museum, Museum, Museum]
    public: tuple[Public, ...] = Field(max_length=4)
    start: tuple[Asset, ...] = Field(min_length=STARTING, max_length=STARTING)
    piles: Mapping[PileKey, tuple[PileAsset, ...]]
    dives: tuple[DiveCard, ...] = Field(max_length=40)

    def every_card(self) -> Iterator[tuple[Card, tuple[str | int, ...]]]:
        """The cards that have a key, each with its place in the list, in the order in which rules number them."""
        for place, group in (("museums", self.museums), ("public", self.public), ("start", self.start)):
            for at, card in enumerate(group):
                yield card, (place, at)
        for pile in PILES:
            for at, card in enumerate(self.piles[pile]):
                yield card, ("piles", pile, at)

    @cached_property
    def digest(self) -> str:
        """Names this card list's numbers, whatever their provenance and the cards' names: 16 hexadecimal digits."""
        return cards.digest(self, UNCOUNTED)


def read_card_list(data: object, game: str) -> CardList:
    """A card list from JSON data, checked. Raises `BadData` with the path of the first fault."""
    card_list = cards.read_cards(CardList, data, game)
    if missing := [pile for pile in PILES if not card_list.piles.get(pile)]:
        raise BadData(f"piles: {', '.join(missing)} must hold cards", ("piles",))
    if tuple(museum.artifact for museum in card_list.museums) != ARTIFACTS:
        raise BadData(f"museums: one each for {', '.join(ARTIFACTS)}, in this order", ("museums",))
    keys: Counter[str] = Counter()
    for card, where in card_list.every_card():
        keys[card.key] += 1
        if keys[card.key] > 1:
            path = ".".join(map(str, where))
            raise BadData(f"{path}.key: there is another card {card.key!r}", (*where, "key"))
    for pile, assets in card_list.piles.items():
        if sum(asset.copies for asset in assets) > chance.LARGEST:
            raise BadData(f"piles.{pile}: more than {chance.LARGEST} cards", ("piles", pile))
    if any(later.number < dive.number for dive, later in pairwise(card_list.dives)):
        raise BadData("dives: their numbers never fall", ("dives",))
    if not sum(min(side.dice for side in asset.sides) for asset in card_list.start):
        raise BadData("start: whichever sides are up, these cards must give a die", ("start",))
    return card_list
