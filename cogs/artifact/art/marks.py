"""Events of a party as signs: abilities, equipment, members, Challenges, penalties, and the squares of the trail."""

from __future__ import annotations

from functools import cache
from typing import Final

from bot.art import ink
from bot.art.ink import Part, Point, Sketch
from bot.art.scene import with_figure
from cogs.artifact.art import draw
from cogs.artifact.narrator import place
from engine.artifact.party import ABILITIES, EQUIPMENT_KEYS, Aid

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
    return _together(f"found aid {ABILITIES[number]}", draw("parcel"), ability(number), (15, 33), 0.56)


def aid(one: Aid) -> Part:
    """A piece of equipment as itself, any other Aid as a parcel."""
    return draw(one.key.replace("_", "-")) if one.key in EQUIPMENT_KEYS else found(one.ability)


FACES: Final = 12
"""Drawings of members, women and men by turns."""


def face(scenario: int, seat: int, number: int) -> int:
    """The drawing of a party's member: a woman's for a woman's name, and another leader for each seat."""
    return (place(seat, number) + seat // 2 * 4 + 2 * scenario) % FACES


@cache
def member(number: int, *, wounded: bool = False) -> Part:
    """The face of one of the members, well or with a bandage."""
    face = draw(f"member-{number}")
    return _together(f"member {number}, wounded", face, draw("bandage"), (0, 0)) if wounded else face


# -- what belongs to a scenario, with a general one for a scenario of an owner's


_PRIZES: Final = {"lost_city": "Singing-Jaguar", "drowned_temple": "Pearl-of-Tides", "ice_tomb": "Star-Globe"}
_HOMES: Final = {"lost_city": "stilt-house", "drowned_temple": "beach-hut", "ice_tomb": "school"}
_ENDS: Final = {"lost_city": "stepped-pyramid", "drowned_temple": "sea-temple", "ice_tomb": "ice-gate"}


def prize(scenario: str) -> Part:
    """The Artifact of the scenario with this key."""
    return draw(_PRIZES.get(scenario, "treasure"))


def home(scenario: str) -> Part:
    """The landmark at square 1 of this scenario's trail."""
    return draw(_HOMES.get(scenario, "cottage"))


def end(scenario: str) -> Part:
    """The landmark at square 30 of this scenario's trail."""
    return draw(_ENDS.get(scenario, "tower"))


# -- Challenges


PERILS: Final = {
    "barrier": ("The Customs Officer of Palu", "The Colonel's Checkpoint"),
    "caimans": ("The Night of the Caimans",),
    "eyes": ("Eyes beyond the Fire", "The Wolf Winter"),
    "gears": ("The Sluice Wheel", "The Stuck Gate", "The Seven Locks"),
    "one-rope": ("The Bridge of One Rope",),
    "piranhas": ("The Quiet Ford",),
    "rapids": ("The Laughing Rapids", "The Comb", "The Ferry of Inflated Skins", "The Edge of a Typhoon"),
    "serpents": ("The Serpent Gate",),
    "sharks": ("A Fin, and Another",),
    "snow": ("The White Thunder", "The White Day", "The Vanishing Cairns"),
    "tents": ("Fever Camp",),
    "vapours": ("The Bad Air", "The Breathing Tunnel"),
}
"""The Challenges that have a scene of their own, by its drawing; any other has the place where it happens."""


@cache
def peril(scenario: str, part: int, title: str) -> Part:
    """The scene of the Challenge with this title in half of a scenario: 200 wide and 150 high."""
    for scene, titles in PERILS.items():
        if title in titles:
            return draw(f"peril-of-{scene}")
    known = scenario in _PRIZES
    place = draw(f"peril-in-{scenario.replace('_', '-')}-{part}" if known else "peril-in-any")
    return _together(f"peril in {scenario} {part}", place, challenge(), (128, 78), 0.64)


@cache
def challenge() -> Part:
    """A warning on a post."""
    return with_figure(Sketch("challenge").add(draw("warning")).part(), "!", 28, 36, 1.5)


PENALTIES: Final = {
    "wound": "wound",
    "two_wounds": "two-wounds",
    "turn_lost": "camp",
    "squares_lost": "thrown-back",
    "aid_lost": "torn-pack",
}


def penalty(kind: str) -> Part:
    """The sign of a penalty, by its name in a scenario."""
    return draw(PENALTIES[kind])


# -- the squares of the trail: round in its first part, square in its second


_SQUARES: Final = (("square-1", "square-1-trodden"), ("square-2", "square-2-trodden"))


def square(part: int, *, trodden: bool) -> Part:
    """A square of one of the trail's parts, from 0: dark until somebody has been on it, then light."""
    return draw(_SQUARES[part][trodden])


def _together(name: str, ground: Part, sign: Part, at: Point, scale: float = 1) -> Part:
    sketch = Sketch(name, ground.width, ground.height).add(ground)
    return sketch.add(sign, *at, scale=scale).part()
