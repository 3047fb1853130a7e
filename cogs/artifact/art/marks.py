"""Events of a party as signs: abilities, equipment, members, Challenges, penalties, and the squares of the trail."""

from __future__ import annotations

from functools import cache
from typing import Final

from bot.art import ink
from bot.art.ink import Part, Sketch
from bot.art.scene import with_figure
from cogs.artifact.art import draw
from engine.artifact.party import ABILITIES, EQUIPMENT_KEYS, Aid

HEAVY: Final = 4.6
"""The width of the lines of what is mostly seen small."""


# -- abilities, and what a party has with it


def ability(number: int) -> Part:
    """An ability's sign."""
    return draw(ABILITIES[number])


@cache
def ten_sided(face: int | None = None) -> Part:
    """The ten-sided die, from 1 to 10; without a face, the die as such."""
    sketch = Sketch(f"ten-sided die {face}")
    sketch.polygon([(50, 3), (94, 36), (94, 64), (50, 97), (6, 64), (6, 36)], ink.MADDER, line=4)
    sketch.polygon([(50, 3), (80, 62), (50, 76), (20, 62)], ink.BONE if face else ink.CREAM, line=4)
    sketch.line([(80, 62), (94, 64)], width=ink.FINE)
    sketch.line([(20, 62), (6, 64)], width=ink.FINE)
    sketch.line([(50, 76), (50, 97)], width=ink.FINE)
    if face is None:
        return sketch.part()
    return with_figure(sketch.part(), str(face), 31, 33 if face < 10 else 26, 1.2)


@cache
def found(number: int) -> Part:
    """An Aid that a party has come by on its way: a parcel with the sign of its ability."""
    sketch = Sketch(f"found aid {ABILITIES[number]}")
    sketch.path("M8 30 L24 12 L90 12 L92 78 L78 94 L8 92 Z", ink.SHADE, line=4.2)
    sketch.path("M8 30 L78 30 L78 94 L8 92 Z", ink.CREAM, line=4.2)
    sketch.line([(78, 30), (90, 13)], width=ink.LINE)
    sketch.line([(43, 30), (58, 12)], width=5, ink=ink.CLAY)
    sketch.path("M58 13 C48 -2 38 6 50 14 C58 20 74 8 66 2 C62 0 58 8 58 13 Z", line=ink.LINE, ink=ink.CLAY)
    sketch.hatch(((85, 42), (85, 78)), 9, 6, slant=60)
    sketch.add(ability(number), 15, 33, scale=0.56)
    return sketch.part()


def aid(one: Aid) -> Part:
    """A piece of equipment as itself, any other Aid as a parcel."""
    return draw(one.key.replace("_", "-")) if one.key in EQUIPMENT_KEYS else found(one.ability)


def member(number: int, *, wounded: bool = False) -> Part:
    """A member of a party by its place in it: the leader, three companions, two helpers."""
    return draw(f"member-{number}-wounded" if wounded else f"member-{number}")


# -- what belongs to a scenario, with a general one for a scenario of an owner's


_PRIZES: Final = {"lost_city": "Singing-Jaguar", "drowned_temple": "Pearl-of-Tides", "ice_tomb": "Star-Globe"}
_HOMES: Final = {"lost_city": "stilt-house", "drowned_temple": "beach-hut", "ice_tomb": "school"}
_ENDS: Final = {"lost_city": "stepped-pyramid", "drowned_temple": "sea-temple", "ice_tomb": "ice-gate"}


def prize(scenario: str) -> Part:
    """The Artifact of the scenario with this key."""
    return draw(_PRIZES.get(scenario, "golden-urn"))


def home(scenario: str) -> Part:
    """The landmark at square 1 of this scenario's trail."""
    return draw(_HOMES.get(scenario, "cottage"))


def end(scenario: str) -> Part:
    """The landmark at square 30 of this scenario's trail."""
    return draw(_ENDS.get(scenario, "tower"))


# -- Challenges


def peril(number: int) -> Part:
    """The scene of a Challenge that asks for this ability first: 200 wide and 150 high."""
    return draw(f"peril-of-{ABILITIES[number]}")


@cache
def challenge() -> Part:
    """A warning on a post."""
    sketch = Sketch("challenge")
    sketch.path("M44 66 L56 66 L56 98 L44 98 Z", ink.OCHRE, line=HEAVY)
    sketch.path("M50 3 L95 72 L5 72 Z", ink.GOLD, line=HEAVY + 2)
    return with_figure(sketch.part(), "!", 28, 36, 1.5)


PENALTIES: Final = {
    "wound": "wound",
    "two_wounds": "two-wounds",
    "turn_lost": "camp",
    "squares_lost": "thrown-back",
    "aid_lost": "torn-pack",
}


def penalty(kind: str) -> Part:
    """The sign of a penalty, by its name in a scenario."""
    return draw(PENALTIES.get(kind, "wound"))


# -- the squares of the trail: round in its first part, square in its second


@cache
def square(part: int, *, trodden: bool, feet_on_it: bool = True) -> Part:
    """A square of one of the trail's parts, from 0: dark until somebody has been on it, then light, with footprints.

    Without footprints there is room for a number.
    """
    printed = trodden and feet_on_it
    name = f"square of part {part}{', trodden' if trodden else ''}{', footprints' if printed else ''}"
    sketch = Sketch(name, 100, 88)
    ground = ink.CREAM if trodden else ink.SHADE
    if part == 0:
        sketch.path(
            "M50 86 C20 88 4 70 4 46 C4 22 22 4 50 4 C78 4 96 22 96 46 C96 70 80 88 50 86 Z",
            ink.SLATE,
            line=0,
        )
        sketch.path(
            "M50 80 C22 82 5 64 5 42 C5 20 22 4 50 4 C78 4 95 20 95 42 C95 64 78 82 50 80 Z", ground, line=5
        )
    else:
        sketch.path("M8 10 L92 10 L96 86 L4 86 Z", ink.SLATE, line=0)
        sketch.path("M8 4 L92 5 L95 80 L5 79 Z", ground, line=5)
        sketch.line([(8, 16), (18, 5)], width=ink.FINE)
        sketch.line([(82, 79), (94, 66)], width=ink.FINE)
    if printed:
        sketch.add(draw("footprints"), 14, 14, scale=1)
    return sketch.part()


def parts() -> list[Part]:
    """Every part that is no drawing, for the contact sheet."""
    return [
        ten_sided(),
        *map(ten_sided, range(1, 11)),
        *map(found, range(len(ABILITIES))),
        challenge(),
        *(square(part, trodden=trodden) for part in (0, 1) for trodden in (False, True)),
        *(square(part, trodden=True, feet_on_it=False) for part in (0, 1)),
    ]
