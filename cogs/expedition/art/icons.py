"""The New Expedition's emoji: the monuments as signs, the Tent, a look, and the collapse of the Mine."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from bot.art import ink
from bot.art.emoji import as_emoji
from bot.art.ink import Part, Sketch
from cogs.archaeology_family.art.emoji import family_emoji
from cogs.archaeology_family.art.hazards import tent
from cogs.archaeology_family.art.places import small_pyramid
from cogs.expedition.monuments import EMOJI
from engine.archaeology_family.card_list import TREASURES
from engine.expedition.state import MONUMENTS, MonumentKey


@cache
def small_temple() -> Part:
    sketch = Sketch("small temple")
    sketch.box(6, 84, 88, 10, ink.SAND)
    sketch.box(14, 38, 72, 46, ink.SLATE)
    for x in (20, 50, 80):
        sketch.path(f"M{x - 7} 40 L{x + 7} 40 L{x + 6} 84 L{x - 6} 84 Z", ink.BONE)
    sketch.path("M4 12 L96 12 L88 38 L12 38 Z", ink.OCHRE)
    sketch.oval(50, 25, 8, 8, ink.CLAY, line=2.4)
    return sketch.part()


@cache
def small_tomb() -> Part:
    sketch = Sketch("small tomb")
    sketch.path("M50 4 Q68 4 68 22 Q84 30 80 48 L70 92 L30 92 L20 48 Q16 30 32 22 Q32 4 50 4 Z", ink.GOLD)
    sketch.path("M38 18 Q50 10 62 18 Q62 32 50 34 Q38 32 38 18 Z", ink.SAND, line=2.4)
    sketch.dots([(45, 21), (55, 21)], 2.6)
    sketch.path("M24 50 L76 50 L74 60 L26 60 Z M29 70 L71 70 L69 80 L31 80 Z", ink.INDIGO, line=2.4)
    return sketch.part()


@cache
def small_mine() -> Part:
    sketch = Sketch("small mine")
    sketch.path("M4 92 Q8 34 34 22 Q50 4 70 20 Q94 36 96 92 Z", ink.STONE)
    sketch.path("M26 92 L30 46 L70 46 L74 92 Z", ink.INK)
    sketch.path(
        "M20 92 L26 40 L36 40 L32 92 Z M80 92 L74 40 L64 40 L68 92 Z M16 34 L84 34 L84 46 L16 46 Z", ink.OCHRE
    )
    sketch.path("M42 92 L48 62 M58 92 L52 62 M44 82 L56 82 M46 72 L54 72", line=2.4, ink=ink.STONE)
    return sketch.part()


@cache
def small_sphinx() -> Part:
    sketch = Sketch("small sphinx")
    sketch.path("M40 88 L42 56 Q70 44 86 60 Q96 70 92 88 Z", ink.SAND)
    sketch.path("M8 66 L16 28 Q20 8 38 8 Q56 8 60 28 L68 66 Z", ink.GOLD)
    sketch.path("M14 40 L26 38 L25 46 L12 48 Z M62 40 L50 38 L51 46 L64 48 Z", ink.INDIGO, line=2.4)
    sketch.path("M26 32 Q38 20 50 32 Q52 54 38 58 Q24 54 26 32 Z", ink.SAND, line=2.6)
    sketch.dots([(33, 38), (43, 38)], 2.8)
    sketch.path("M33 49 L43 49", line=2.4)
    sketch.path("M4 92 Q4 72 18 72 L58 72 Q66 76 66 92 Z", ink.SAND)
    return sketch.part()


@cache
def small_ruins() -> Part:
    sketch = Sketch("small ruins")
    sketch.path("M14 86 L16 40 L24 46 L30 36 L38 44 L38 86 Z", ink.BONE)
    sketch.path("M56 86 L56 22 L80 22 L80 86 Z", ink.BONE)
    sketch.path("M48 22 L52 8 L84 8 L88 22 Z", ink.STONE)
    sketch.path("M27 50 L27 84 M64 28 L64 84 M72 28 L72 84", line=2.4)
    sketch.path("M4 94 L6 84 L94 84 L96 94 Z", ink.SAND)
    return sketch.part()


@cache
def look() -> Part:
    """An eye at a keyhole: a look into the Temple."""
    sketch = Sketch("look")
    sketch.path("M4 50 Q50 2 96 50 Q50 96 4 50 Z", ink.CREAM)
    sketch.oval(50, 49, 20, 20, ink.VERDIGRIS)
    sketch.dots([(50, 49)], 9)
    return sketch.part()


@cache
def collapse() -> Part:
    """A splintering prop: the Mine comes down."""
    sketch = Sketch("collapse")
    points = [
        (50, 4),
        (60, 28),
        (84, 14),
        (76, 38),
        (97, 48),
        (76, 58),
        (86, 84),
        (62, 72),
        (52, 97),
        (40, 72),
        (14, 86),
        (24, 60),
        (3, 50),
        (24, 38),
        (14, 14),
        (40, 28),
    ]
    sketch.polygon([(float(x), float(y)) for x, y in points], ink.OCHRE)
    sketch.path("M34 40 L58 32 L70 50 L60 66 L38 64 Z", ink.STONE)
    sketch.path("M50 34 L46 48 L56 54 L50 66", line=2.6)
    return sketch.part()


_SIGNS = {
    "great_pyramid": small_pyramid,
    "temple": small_temple,
    "tomb": small_tomb,
    "mine": small_mine,
    "sphinx": small_sphinx,
    "ruins": small_ruins,
}


def sign(monument: MonumentKey) -> Part:
    """A monument as a sign."""
    return _SIGNS[monument]()


@cache
def expedition_emoji() -> Mapping[str, Part]:
    """The drawings of The New Expedition's emoji."""
    monuments = {EMOJI[key]: as_emoji(sign(key)) for key in MONUMENTS}
    own = {"⛺": as_emoji(tent()), "👁️": as_emoji(look()), "💥": as_emoji(collapse())}
    return {**family_emoji(len(TREASURES)), **monuments, **own}
