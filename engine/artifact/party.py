"""The parts of a party: abilities, members, equipment. They are printed in the rules, except for R41."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, get_args

AbilityKey = Literal[
    "combat",
    "strength",
    "agility",
    "navigation",
    "survival",
    "mechanics",
    "linguistics",
    "personality",
    "science",
]
ABILITIES: Final[tuple[AbilityKey, ...]] = get_args(AbilityKey)
"""The abilities as the ten-sided die names them, from 1. One's number in states and moves is its place here."""
CHOICE: Final = 10
"""The face of the ten-sided die with which the player chooses the ability."""

ROLES: Final = ("leader", "companion", "companion", "companion", "helper", "helper")
"""The members of a party. One's number in states and events is its place here."""
LEADER: Final = 0
MEMBERS: Final = len(ROLES)
SIZES: Final = (5, 3, 3, 3, 1, 1)
"""How many abilities each member begins with."""
ROLLS: Final = sum(SIZES)
"""Rolls that make a party, member by member."""

WELL, WOUNDED, GONE = range(3)
"""How a member fares. A Wounded one that is wounded again is out for good."""


class Aid(NamedTuple):
    """Something that adds its `worth` to one roll that names its ability (a number), and is then spent."""

    key: str
    ability: int
    worth: int


WORTH: Final = 3
"""R41: what equipment is worth."""
CHOSEN: Final = 2
"""Pieces of equipment that a party sets out with."""
EQUIPMENT: Final = tuple(
    Aid(key, ABILITIES.index(ability), WORTH)
    for key, ability in (
        ("pistols", "combat"),
        ("picks", "strength"),
        ("climbing_gear", "agility"),
        ("sextant", "navigation"),
        ("maps", "survival"),
        ("lockpicks", "mechanics"),
        ("tomes", "linguistics"),
        ("texts", "science"),
    )
)
"""The equipment, in the order of the rules' list."""
EQUIPMENT_KEYS: Final = tuple(aid.key for aid in EQUIPMENT)

Member = tuple[int, ...]
"""A member's abilities, by number."""


def members(rolls: tuple[int, ...], tens: tuple[int, ...]) -> tuple[Member, ...]:
    """The members that these rolls make, `tens` being the abilities chosen for each 10 in turn.

    >>> members((10,) * 16, (0,) * 16)[4]
    (0,)
    """
    chosen = iter(tens)
    abilities = tuple([next(chosen) if roll == CHOICE else roll - 1 for roll in rolls])
    return tuple([abilities[begin:end] for begin, end in _SPANS])


_SPANS: Final = tuple((sum(SIZES[:n]), sum(SIZES[: n + 1])) for n in range(MEMBERS))
"""Which rolls make each member."""


def counted(party: tuple[Member, ...]) -> tuple[int, ...]:
    """How often a party has each ability; each of a member's counts (R52)."""
    counts = [0] * len(ABILITIES)
    for member in party:
        for ability in member:
            counts[ability] += 1
    return tuple(counts)
