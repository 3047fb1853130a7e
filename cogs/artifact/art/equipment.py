"""The load of a party: the eight pieces of equipment, the Aids that it finds on its way, and its pack."""

from __future__ import annotations

from functools import cache
from typing import Final

from bot.art import ink
from bot.art.ink import Part, Sketch, ellipse
from cogs.artifact.art.abilities import ability
from engine.artifact.party import ABILITIES, EQUIPMENT_KEYS, Aid

HEAVY: Final = 4.2


@cache
def pistols() -> Part:
    """A pair of revolvers, one upon the other."""
    sketch = Sketch("pistols")
    for tilt in (0, 1):
        gun = Sketch(f"pistol {tilt}")
        gun.path("M6 30 L66 26 L66 38 L6 38 Z", ink.STONE if tilt else ink.SLATE, line=HEAVY)
        gun.path(
            "M62 22 L84 22 L92 34 L86 46 L98 78 C96 84 84 86 78 82 L68 50 L60 48 Z", ink.OCHRE, line=HEAVY
        )
        gun.path("M42 24 L64 22 L66 46 L44 46 Z", ink.BONE if tilt else ink.STONE, line=HEAVY)
        gun.line([(45, 31), (64, 30)], width=ink.FINE)
        gun.line([(45, 39), (64, 39)], width=ink.FINE)
        gun.path("M64 50 C60 62 72 64 74 58", line=HEAVY)
        gun.path("M84 22 L92 14", line=HEAVY + 2)
        gun.path("M8 29 L10 22 L15 29", line=HEAVY)
        gun.hatch(((82, 60), (90, 78)), 12, 4, slant=20)
        sketch.add(gun.part(), 4 if tilt else 0, 20 if tilt else -8, scale=0.94, turn=-8 if tilt else 0)
    return sketch.part()


@cache
def picks() -> Part:
    """A pickaxe and a crowbar, crossed."""
    sketch = Sketch("picks")
    sketch.path("M14 8 C8 8 6 14 10 18 L82 92 L92 96 L90 86 L20 14 C22 8 18 6 14 8 Z", ink.SLATE, line=HEAVY)
    sketch.path("M8 86 L66 26 L74 34 L16 94 Z", ink.OCHRE, line=HEAVY)
    sketch.path("M40 10 C62 8 88 26 94 60 C84 44 74 36 66 32 C60 24 52 16 40 10 Z", ink.STONE, line=HEAVY)
    sketch.path("M60 28 L74 20 L82 28 L72 40 Z", ink.STONE, line=HEAVY)
    sketch.hatch(((20, 84), (30, 74)), 8, 3, slant=0)
    return sketch.part()


@cache
def climbing_gear() -> Part:
    """A coil of rope with a grapnel."""
    sketch = Sketch("climbing gear")
    for turn, across in ((0, 37), (1, 29), (2, 21)):
        sketch.oval(42, 60, across, across - 2, None, line=9 - turn)
        sketch.blob(ellipse(42, 60, across, across - 2), line=4.2, ink=ink.SAND)
    sketch.path("M62 36 L78 18", line=8)
    sketch.path("M62 36 L78 18", line=3.8, ink=ink.SAND)
    sketch.path("M30 88 L54 88 L52 98 L32 98 Z", ink.CLAY, line=ink.LINE)
    sketch.path("M74 20 L84 12", line=8)
    sketch.path("M62 6 C72 14 78 10 86 8 C88 18 84 24 94 34", line=9)
    sketch.path("M62 6 C72 14 78 10 86 8 C88 18 84 24 94 34", line=4, ink=ink.STONE)
    sketch.path("M60 2 L58 14 L68 10 Z", ink.STONE, line=ink.LINE)
    sketch.path("M98 38 L86 36 L92 28 Z", ink.STONE, line=ink.LINE)
    return sketch.part()


@cache
def sextant() -> Part:
    """A sextant before a rolled chart."""
    sketch = Sketch("sextant")
    sketch.path("M4 76 L88 62 C96 62 98 78 90 80 L8 96 C0 94 0 78 4 76 Z", ink.CREAM, line=HEAVY)
    sketch.line([(88, 63), (86, 72), (90, 79)], width=ink.FINE, smooth=True)
    sketch.path("M48 8 L10 70 C34 84 64 84 90 66 Z M48 24 L28 62 C42 68 58 68 72 60 Z", ink.GOLD, line=HEAVY)
    for x, y in ((20, 66), (30, 71), (41, 73.5), (52, 73.5), (63, 71), (74, 67)):
        sketch.line([(x, y), (x + (x - 48) * 0.05, y + 6)], width=ink.FINE)
    sketch.path("M48 12 L56 84", line=7)
    sketch.path("M48 12 L56 84", line=3, ink=ink.OCHRE)
    sketch.path("M58 34 L82 26 L86 36 L62 44 Z", ink.SLATE, line=HEAVY)
    sketch.oval(48, 12, 8, fill=ink.BONE, line=HEAVY)
    return sketch.part()


@cache
def maps() -> Part:
    """A folded map with a way on it, and a compass."""
    sketch = Sketch("maps")
    sketch.path("M6 18 L34 8 L62 18 L92 8 L92 72 L62 84 L34 74 L6 84 Z", ink.CREAM, line=HEAVY)
    sketch.path("M34 8 L62 18 L62 84 L34 74 Z", ink.SHADE, line=0)
    sketch.line([(34, 9), (34, 74)], width=ink.FINE)
    sketch.line([(62, 18), (62, 84)], width=ink.FINE)
    for x, y in ((14, 66), (21, 56), (29, 50), (39, 50), (48, 44), (54, 34)):
        sketch.line([(x, y), (x + 4, y - 4)], width=4, ink=ink.CLAY)
    sketch.line([(72, 18), (84, 30)], width=5, ink=ink.CLAY)
    sketch.line([(84, 18), (72, 30)], width=5, ink=ink.CLAY)
    sketch.path("M12 34 L19 24 L26 34 M40 28 L46 20 L52 28", line=ink.LINE)
    sketch.oval(70, 72, 24, fill=ink.GOLD, line=HEAVY)
    sketch.oval(70, 72, 17, fill=ink.CREAM, line=ink.FINE)
    sketch.path("M70 58 L75 72 L65 72 Z", ink.MADDER, line=ink.FINE)
    sketch.path("M70 86 L75 72 L65 72 Z", ink.BONE, line=ink.FINE)
    return sketch.part()


@cache
def lockpicks() -> Part:
    """A padlock with a pick in it."""
    sketch = Sketch("lockpicks")
    sketch.path("M26 46 L26 30 C26 4 70 4 70 30 L70 46", line=15)
    sketch.path("M26 46 L26 30 C26 4 70 4 70 30 L70 46", line=7, ink=ink.STONE)
    sketch.path("M12 44 L84 44 L84 84 C84 92 80 94 74 94 L22 94 C16 94 12 92 12 84 Z", ink.OCHRE, line=HEAVY)
    sketch.line([(20, 52), (76, 52)], width=ink.FINE)
    sketch.oval(48, 66, 7, fill=ink.SLATE, line=ink.LINE)
    sketch.path("M45 70 L42 84 L54 84 L51 70 Z", ink.SLATE, line=ink.LINE)
    sketch.path("M48 70 L86 58 L92 62 L96 54", line=8)
    sketch.path("M48 70 L86 58 L92 62 L96 54", line=3.4, ink=ink.BONE)
    sketch.hatch(((20, 80), (30, 90)), 10, 4, slant=40)
    return sketch.part()


@cache
def tomes() -> Part:
    """Two heavy books with clasps."""
    sketch = Sketch("tomes")
    sketch.path("M10 58 L84 58 C92 62 92 88 84 92 L10 92 C2 88 2 62 10 58 Z", ink.MADDER, line=HEAVY)
    sketch.path("M20 65 L86 65 L86 85 L20 85 Z", ink.CREAM, line=ink.LINE)
    for y in (71, 78):
        sketch.line([(24, y), (82, y)], width=ink.FINE)
    sketch.path("M46 58 L58 58 L58 92 L46 92 Z", ink.GOLD, line=ink.LINE)
    sketch.path("M18 22 L90 18 C97 22 98 50 92 54 L20 56 C12 52 10 26 18 22 Z", ink.VERDIGRIS, line=HEAVY)
    sketch.path("M28 29 L92 26 L92 46 L28 48 Z", ink.CREAM, line=ink.LINE)
    for y in (34, 41):
        sketch.line([(32, y), (88, y - 2)], width=ink.FINE)
    sketch.path("M54 20 L66 19.5 L66 54 L54 54.5 Z", ink.GOLD, line=ink.LINE)
    sketch.oval(20, 40, 5, fill=ink.GOLD, line=ink.LINE)
    return sketch.part()


@cache
def texts() -> Part:
    """An open book: a leaf on one page, a beetle on the other."""
    sketch = Sketch("texts")
    sketch.path(
        "M4 24 C18 14 38 16 50 26 C62 16 82 14 96 24 L96 86 C82 78 62 80 50 90 C38 80 18 78 4 86 Z",
        ink.INDIGO,
        line=HEAVY,
    )
    sketch.path("M9 22 C20 12 40 14 50 24 L50 82 C40 73 20 72 9 78 Z", ink.CREAM, line=ink.LINE)
    sketch.path("M91 22 C80 12 60 14 50 24 L50 82 C60 73 80 72 91 78 Z", ink.CREAM, line=ink.LINE)
    sketch.path("M28 26 C42 36 42 54 29 62 C16 54 16 36 28 26 Z", ink.OLIVE, line=ink.LINE)
    sketch.line([(28, 30), (29, 72)], width=ink.FINE)
    sketch.line([(29, 44), (37, 39)], width=ink.FINE)
    sketch.line([(29, 52), (21, 46)], width=ink.FINE)
    sketch.oval(71, 46, 11, 15, ink.CLAY, line=ink.LINE)
    sketch.line([(71, 34), (71, 60)], width=ink.FINE)
    sketch.line([(61, 37), (81, 37)], width=ink.FINE)
    for y, out in ((42, 36), (49, 49), (56, 64)):
        sketch.line([(61, y), (55, out)], width=ink.FINE)
        sketch.line([(81, y), (87, out)], width=ink.FINE)
    return sketch.part()


_DRAWN: Final = {
    "pistols": pistols,
    "picks": picks,
    "climbing_gear": climbing_gear,
    "sextant": sextant,
    "maps": maps,
    "lockpicks": lockpicks,
    "tomes": tomes,
    "texts": texts,
}


@cache
def found(number: int) -> Part:
    """An Aid that a party has come by on its way: a parcel with the sign of its ability."""
    sketch = Sketch(f"found aid {ABILITIES[number]}")
    sketch.path("M8 30 L24 12 L90 12 L92 78 L78 94 L8 92 Z", ink.SHADE, line=HEAVY)
    sketch.path("M8 30 L78 30 L78 94 L8 92 Z", ink.CREAM, line=HEAVY)
    sketch.line([(78, 30), (90, 13)], width=ink.LINE)
    sketch.line([(43, 30), (58, 12)], width=5, ink=ink.CLAY)
    sketch.path("M58 13 C48 -2 38 6 50 14 C58 20 74 8 66 2 C62 0 58 8 58 13 Z", line=ink.LINE, ink=ink.CLAY)
    sketch.hatch(((85, 42), (85, 78)), 9, 6, slant=60)
    sketch.add(ability(number), 15, 33, scale=0.56)
    return sketch.part()


def aid(one: Aid) -> Part:
    """A piece of equipment as itself, any other Aid as a parcel."""
    return _DRAWN[one.key]() if one.key in EQUIPMENT_KEYS else found(one.ability)


@cache
def pack() -> Part:
    """A pack: the Aids of a party."""
    sketch = Sketch("pack")
    sketch.path("M34 18 C34 2 66 2 66 18", line=8)
    sketch.path("M14 44 C4 48 4 80 16 86 Z", ink.OCHRE, line=HEAVY)
    sketch.path("M86 44 C96 48 96 80 84 86 Z", ink.OCHRE, line=HEAVY)
    sketch.path(
        "M16 40 C18 18 34 14 50 14 C66 14 82 18 84 40 L86 88 C86 94 80 96 74 96 L26 96 C20 96 14 94 14 88 Z",
        ink.OLIVE,
        line=HEAVY,
    )
    sketch.path(
        "M16 40 C18 20 34 14 50 14 C66 14 82 20 84 40 L82 54 C62 62 38 62 18 54 Z", ink.SAND, line=HEAVY
    )
    sketch.path("M30 66 L70 66 L70 88 L30 88 Z", ink.SAND, line=ink.LINE)
    sketch.line([(36, 38), (36, 66)], width=6, ink=ink.CLAY)
    sketch.line([(64, 38), (64, 66)], width=6, ink=ink.CLAY)
    sketch.path("M14 8 C10 -2 90 -2 86 8 C90 18 10 18 14 8 Z", ink.CLAY, line=HEAVY)
    return sketch.part()


@cache
def torn_pack() -> Part:
    """A pack that loses what is in it: an Aid lost."""
    sketch = Sketch("torn pack")
    sketch.add(pack(), -6, 0, scale=0.86, turn=-20)
    sketch.path("M40 76 L48 68 L54 78 L62 66 L70 76 L66 90 L48 92 Z", ink.SLATE, line=HEAVY)
    sketch.path("M72 78 L94 70 L98 88 L78 96 Z", ink.SKY, line=HEAVY)
    sketch.line([(72, 62), (82, 56)], width=4)
    sketch.line([(84, 66), (95, 62)], width=4)
    return sketch.part()


def parts() -> list[Part]:
    """Every part of this module, for the contact sheet."""
    return [
        *(_DRAWN[key]() for key in EQUIPMENT_KEYS),
        *map(found, range(len(ABILITIES))),
        pack(),
        torn_pack(),
    ]
