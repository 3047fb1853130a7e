"""The built-in card list, copied by hand in a short notation: what the cards must be, whatever the code says.

A side is parts between "·": "rep 2", "3 dice", "sum +2", "1 per pottery", "turn ×1" (set, roll), and its slots in
order, each a requirement and what it does; "$2" on top of something is "and $2".
"""

from __future__ import annotations

from typing import NamedTuple

START = """
Desert Expedition | $7 | 4+ scroll | rep 1 · 4+ scroll · 3+ statue
Canyon Expedition | $7 | =1 fossil · 3+ fossil | rep 2 · any fossil · 5+ gem
Headquarters | $7 | any buy | rep 3 · any buy · any buy
Adventurers | $10 | 3 dice | rep 2 · 4 dice
"""

PILES = """
A | Mountain Expedition ×2 | $2 | 5+ gem | rep 1 · 4+ gem · =6 gem
A | Jungle Expedition ×1 | $2 | rep 1 · 5+ statue | rep 2 · 3+ statue · 5+ statue
A | Dig Camp ×2 | $2 | rep 1 · 4+ fossil and $1 | rep 1 · 2+ fossil and $1
A | Antiquarian ×2 | $2 | rep 1 · any sell $3 | rep 2 · any sell $4
A | Field Office ×3 | $2 | rep 1 · turn ×1 | rep 2 · turn ×2
B | Auction House ×2 | $4 | rep 2 · 2+ collectors and $2 | rep 3 · 2+ collectors and $3
B | Biplane ×2 | $5 | rep 2 · 2+ expedition's | rep 3 · 2+ expedition's and $1
B | Curator's Office ×2 | $4 | rep 2 · any museum | rep 3 · any museum and $1
B | Diving Bell ×2 | $5 | rep 2 · 1 per pottery · sum +3 | rep 2 · 1 per pottery · sum +6
B | Caravan ×2 | $3 + 1 scroll | rep 2 · roll ×1 | rep 4 · roll ×2
C | Explorers' Club ×2 | $7 | rep 2 · 1 per expedition | rep 3 · 1 per expedition
C | Research Institute ×2 | $7 | rep 1 · 1 per museum | rep 2 · 1 per museum
C | Salvage Fleet ×2 | $7 | rep 3 · 1 per doubloon · 1 per sunken_city | rep 4 · 1 per doubloon · 1 per sunken_city
C | Grand Hall ×2 | $7 | rep 4 | rep 5
C | World Exhibition ×2 | $9 | rep 5 | rep 6
D | Hired Adventurers ×5 | $8 | rep 2 · 1 dice | rep 4 · 2 dice
E | Airfield ×5 | $8 | rep 4 · set ×1 | rep 5 · set ×2
"""

MUSEUMS = """
fossil | any | $2 | 3
scroll | 3+ | $2 | 3
statue | 4+ | $3 | 4
gem | 5+ | $3 | 4
"""
NINE = (1, 1, 2, 2, 3, 3, 4, 5, 6)
SIX = (1, 2, 3, 4, 5, 6)

DIVES = """
2 pottery · 6 doubloon · 7 pottery · 8 sunken_city · 9 doubloon · 10 pottery · 11 doubloon · 12 sunken_city ·
14 pottery · 16 sunken_city
"""

FACES = {
    "any": {1, 2, 3, 4, 5, 6},
    "2+": {2, 3, 4, 5, 6},
    "3+": {3, 4, 5, 6},
    "4+": {4, 5, 6},
    "5+": {5, 6},
    "=1": {1},
    "=6": {6},
}


class CopiedSide(NamedTuple):
    """A side as the copy has it; `slots` are (requirement, effect)."""

    key: str
    level: int
    rep: int
    dice: int
    dive: int
    per: tuple[str, ...]
    ability: tuple[str, int] | None
    slots: tuple[tuple[str, str], ...]


class CopiedCard(NamedTuple):
    """An asset as the copy has it. A starting card's pile is "S"."""

    pile: str
    name: str
    key: str
    copies: int
    dollars: int
    scrolls: int
    sides: tuple[CopiedSide, CopiedSide]


def key_of(name: str) -> str:
    return name.lower().replace("'", "").replace(" ", "_")


def _side(key: str, level: int, text: str) -> CopiedSide:
    rep, dice, dive, ability = 0, 0, 0, None
    per: list[str] = []
    slots: list[tuple[str, str]] = []
    for part in text.split(" · "):
        first, _, rest = part.strip().partition(" ")
        if first == "rep":
            rep = int(rest)
        elif rest == "dice":
            dice = int(first)
        elif first == "sum":
            dive = int(rest)
        elif rest.startswith("per "):
            per.append(rest.removeprefix("per "))
        elif rest.startswith("×"):
            ability = (first, int(rest[1:]))
        else:
            slots.append((first, rest))
    return CopiedSide(key, level, rep, dice, dive, tuple(per), ability, tuple(slots))


def _card(pile: str, name: str, cost: str, one: str, two: str) -> CopiedCard:
    name, _, copies = name.partition(" ×")
    key = key_of(name)
    dollars, _, scrolls = cost.removeprefix("$").partition(" + ")
    sides = (_side(key, 1, one), _side(key, 2, two))
    return CopiedCard(pile, name, key, int(copies or 0), int(dollars), int(scrolls[:1] or 0), sides)


def rows(text: str) -> list[list[str]]:
    return [[cell.strip() for cell in line.split("|")] for line in text.strip().splitlines()]


def _cards() -> tuple[CopiedCard, ...]:
    start = [_card("S", *row) for row in rows(START)]
    return (*start, *(_card(*row) for row in rows(PILES)))


CARDS = _cards()
SIDES = tuple(side for card in CARDS for side in card.sides)
START_KEYS = tuple(card.key for card in CARDS if card.pile == "S")
