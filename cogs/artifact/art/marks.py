"""The events of a party, as signs: a fight, a Challenge, wounds and losses; and the signs on the trail."""

from __future__ import annotations

from functools import cache
from typing import Final

from bot.art import ink
from bot.art.ink import Part, Sketch
from bot.art.numerals import with_figure
from cogs.artifact.art.equipment import torn_pack

HEAVY: Final = 4.6


@cache
def fight() -> Part:
    """Two sabres, crossed."""
    sketch = Sketch("fight")
    blade = Sketch("a sabre of two")
    blade.path("M26 70 C50 54 72 34 82 6 C90 36 70 66 36 80 Z", ink.BONE, line=HEAVY)
    blade.path("M18 60 L44 86", line=9)
    blade.path("M30 74 L14 90", line=11)
    blade.path("M30 74 L14 90", line=4, ink=ink.CLAY)
    for flip in (False, True):
        sketch.add(blade.part(), 2, 2, scale=0.96, turn=0) if not flip else sketch.add(
            _mirrored(blade), 2, 2, scale=0.96
        )
    return sketch.part()


def _mirrored(sketch: Sketch) -> Part:
    part = sketch.part()
    turned = f'<g transform="translate({part.width} 0) scale(-1 1)">{part.body}</g>'
    return Part(f"{part.name}, mirrored", part.width, part.height, turned)


@cache
def challenge() -> Part:
    """A warning on a post."""
    sketch = Sketch("challenge")
    sketch.path("M44 66 L56 66 L56 98 L44 98 Z", ink.OCHRE, line=HEAVY)
    sketch.path("M50 3 L95 72 L5 72 Z", ink.GOLD, line=HEAVY + 2)
    return with_figure(sketch.part(), "!", 28, 36, 1.5)


@cache
def wound() -> Part:
    """Two plasters, crossed: a wound."""
    sketch = Sketch("wound")
    for turn in (45, -45):
        strip = Sketch("a plaster")
        strip.path("M14 34 L86 34 C98 34 98 66 86 66 L14 66 C2 66 2 34 14 34 Z", ink.SAND, line=HEAVY)
        strip.path("M36 35 L64 35 L64 65 L36 65 Z", ink.CREAM, line=ink.LINE)
        strip.dots([(17, 44), (26, 50), (17, 56), (83, 44), (74, 50), (83, 56)], 2.6)
        sketch.add(strip.part(), 0, 0, turn=turn)
    sketch.dots([(50, 50)], 6, ink.MADDER)
    return sketch.part()


@cache
def two_wounds() -> Part:
    """Two wounds."""
    sketch = Sketch("two wounds")
    sketch.add(wound(), -4, -4, scale=0.66)
    sketch.add(wound(), 38, 38, scale=0.66)
    return sketch.part()


@cache
def camp() -> Part:
    """A tent under the moon: a turn lost."""
    sketch = Sketch("camp")
    sketch.path("M48 18 L94 92 L6 92 Z", ink.SAND, line=HEAVY)
    sketch.path("M48 42 L66 92 L32 92 Z", ink.SLATE, line=ink.LINE)
    sketch.line([(42, 8), (48, 18), (56, 8)], width=HEAVY)
    sketch.path("M86 6 C70 8 68 32 86 36 C76 44 58 36 60 20 C62 6 76 0 86 6 Z", ink.GOLD, line=ink.LINE)
    sketch.hatch(((72, 70), (80, 84)), 11, 4, slant=-20)
    sketch.line([(2, 93), (98, 93)], width=HEAVY)
    return sketch.part()


@cache
def thrown_back() -> Part:
    """An arrow that turns back: squares lost."""
    sketch = Sketch("thrown back")
    sketch.path(
        "M30 4 L30 22 C74 16 98 40 92 82 L90 94 L72 84 C78 58 66 42 30 46 L30 66 L4 34 Z",
        ink.CLAY,
        line=HEAVY,
    )
    sketch.line([(22, 80), (56, 80)], width=ink.LINE)
    sketch.line([(34, 92), (60, 92)], width=ink.LINE)
    return sketch.part()


@cache
def home() -> Part:
    """A house: the known world."""
    sketch = Sketch("home")
    sketch.path("M70 12 L82 12 L82 34 L70 26 Z", ink.STONE, line=HEAVY)
    sketch.path("M16 46 L84 46 L84 94 L16 94 Z", ink.CREAM, line=HEAVY)
    sketch.path("M50 6 L97 50 L3 50 Z", ink.CLAY, line=HEAVY)
    sketch.path("M40 94 L40 66 C42 60 58 60 60 66 L60 94 Z", ink.OCHRE, line=ink.LINE)
    sketch.hatch(((66, 80), (78, 86)), 11, 4)
    return sketch.part()


@cache
def boot() -> Part:
    """A boot: a party on its way."""
    sketch = Sketch("boot")
    sketch.path(
        "M24 6 L62 6 L60 44 C66 58 94 56 94 78 L94 84 L18 84 C18 56 26 40 24 6 Z", ink.OCHRE, line=HEAVY
    )
    sketch.path("M14 84 L96 84 L96 94 L60 94 L56 90 L46 90 L44 94 L14 94 Z", ink.SLATE, line=HEAVY)
    sketch.path("M20 4 L66 4 L65 18 L21 18 Z", ink.SAND, line=ink.LINE)
    for y in (30, 40, 50):
        sketch.line([(46, y), (62, y - 4)], width=ink.LINE, ink=ink.CREAM)
    return sketch.part()


@cache
def forward() -> Part:
    """On toward the trail's end."""
    sketch = Sketch("forward")
    sketch.polygon(
        [(6, 34), (50, 34), (50, 10), (95, 50), (50, 90), (50, 66), (6, 66)], ink.OLIVE, line=HEAVY
    )
    return sketch.part()


@cache
def back() -> Part:
    """Back toward home."""
    sketch = Sketch("back")
    sketch.polygon(
        [(94, 34), (50, 34), (50, 10), (5, 50), (50, 90), (50, 66), (94, 66)], ink.VERDIGRIS, line=HEAVY
    )
    return sketch.part()


@cache
def story() -> Part:
    """A scroll: a story begins."""
    sketch = Sketch("story")
    sketch.path("M20 12 L82 12 L82 88 L20 88 Z", ink.CREAM, line=HEAVY)
    sketch.path("M12 4 L90 4 C96 4 96 20 90 20 L12 20 C6 20 6 4 12 4 Z", ink.SAND, line=HEAVY)
    sketch.path("M12 80 L90 80 C96 80 96 96 90 96 L12 96 C6 96 6 80 12 80 Z", ink.SAND, line=HEAVY)
    for y, right in ((32, 72), (44, 66), (56, 72), (68, 56)):
        sketch.line([(30, y), (right, y)], width=5)
    return sketch.part()


@cache
def several() -> Part:
    """Two flags upon one place: several parties."""
    sketch = Sketch("several")
    sketch.oval(50, 82, 47, 15, ink.CREAM, line=HEAVY)
    sketch.line([(24, 8), (28, 82)], width=8)
    sketch.line([(58, 4), (62, 86)], width=8)
    sketch.path("M25 10 L54 22 L27 44 Z", ink.SKY, line=HEAVY)
    sketch.path("M59 6 L97 22 L61 46 Z", ink.GOLD, line=HEAVY)
    return sketch.part()


@cache
def feet() -> Part:
    """Footprints: somebody has been here."""
    sketch = Sketch("footprints", 70, 54)
    for x, y in ((2, 32), (30, 8)):
        sketch.path(
            f"M{x + 16} {y} C{x + 24} {y - 5} {x + 40} {y - 3} {x + 40} {y + 6} C{x + 40} {y + 15} {x + 24} {y + 17} {x + 16} {y + 12} Z",
            ink.SLATE,
            line=0,
            beside=False,
        )
        sketch.path(
            f"M{x + 11} {y + 1} C{x - 1} {y - 1} {x - 1} {y + 13} {x + 11} {y + 11} Z",
            ink.SLATE,
            line=0,
            beside=False,
        )
    return sketch.part()


@cache
def cross() -> Part:
    """Struck out: a party that is out."""
    sketch = Sketch("struck out")
    for width, colour in ((17, ink.CREAM), (10, ink.MADDER)):
        sketch.line([(10, 10), (90, 90)], width=width, ink=colour)
        sketch.line([(90, 10), (10, 90)], width=width, ink=colour)
    return sketch.part()


@cache
def pin() -> Part:
    """Points down at who is asked."""
    sketch = Sketch("pin")
    sketch.polygon([(32, 4), (68, 4), (68, 44), (94, 44), (50, 96), (6, 44), (32, 44)], ink.MADDER, line=6)
    return sketch.part()


PENALTIES: Final = ("wound", "two_wounds", "turn_lost", "squares_lost", "aid_lost")


def penalty(kind: str) -> Part:
    """The sign of a penalty, by its name in a scenario."""
    drawn = {"two_wounds": two_wounds, "turn_lost": camp, "squares_lost": thrown_back, "aid_lost": torn_pack}
    return drawn.get(kind, wound)()


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
        sketch.add(feet(), 14, 14, scale=1)
    return sketch.part()


@cache
def step_home() -> Part:
    """The way of the Artifact's holder: a golden arrowhead to the left."""
    sketch = Sketch("step home", 40, 40)
    sketch.polygon([(4, 20), (32, 3), (25, 20), (32, 37)], ink.GOLD, line=3.6)
    return sketch.part()


def parts() -> list[Part]:
    """Every part of this module, for the contact sheet."""
    return [
        fight(),
        challenge(),
        wound(),
        two_wounds(),
        camp(),
        thrown_back(),
        home(),
        boot(),
        forward(),
        back(),
        story(),
        several(),
        feet(),
        cross(),
        pin(),
        *(square(part, trodden=trodden) for part in (0, 1) for trodden in (False, True)),
        *(square(part, trodden=True, feet_on_it=False) for part in (0, 1)),
        step_home(),
    ]
