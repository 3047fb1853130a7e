"""Hazards and shelter: Thief, Sandstorm, Tent, and the tools of a dig."""

from __future__ import annotations

from functools import cache

from bot.art import ink
from bot.art.ink import Part, Sketch


@cache
def thief() -> Part:
    """A masked man with his hat drawn low and his collar up; over his shoulder, a sack."""
    sketch = Sketch("thief")
    sketch.path("M62 58 Q66 36 82 38 Q98 44 95 70 Q94 86 84 90 L60 90 Z", ink.OCHRE)
    sketch.path("M80 38 L74 27 L83 31 L90 25 L90 40", ink.SAND, line=2.6)
    sketch.path("M86 52 Q90 62 88 74", line=ink.FINE)
    sketch.path("M10 96 Q10 72 30 66 L62 66 Q80 72 80 96 Z", ink.SLATE)
    sketch.path("M27 40 Q28 70 46 74 Q64 70 65 40 Z", ink.SAND)
    sketch.path("M26 60 L46 78 L66 60 L74 70 L58 94 L46 80 L34 94 L18 70 Z", ink.STONE)
    sketch.path(
        "M25 42 Q46 36 67 42 L66 55 Q58 59 51 53 L46 50 L41 53 Q34 59 26 55 Z", ink.INK, line=0, beside=False
    )
    for x in (36, 56):
        sketch.path(f"M{x - 6} 48 Q{x} 43 {x + 6} 48 Q{x} 53 {x - 6} 48 Z", ink.CREAM, line=0, beside=False)
        sketch.dots([(x + 1.5, 48)], 2.2)
    sketch.path(
        "M46 56 Q41 59 36 63 Q43 66 46 62 Q49 66 56 63 Q51 59 46 56 Z", ink.INK, line=1.4, beside=False
    )
    sketch.path("M24 37 Q22 12 36 9 Q46 14 56 9 Q70 12 68 37 Z", ink.CLAY)
    sketch.path("M8 36 Q28 28 46 30 Q66 28 84 35 Q72 44 46 41 Q22 44 8 36 Z", ink.CLAY)
    sketch.path("M25 31 Q46 24 67 31", line=5)
    sketch.hatch(((20, 86), (30, 94)), 9, 4, slant=60)
    return sketch.part()


@cache
def sandstorm() -> Part:
    """A whirl of sand that leans over the dunes and carries off what is loose."""
    sketch = Sketch("sandstorm")
    sketch.path("M4 91 Q22 82 40 89 Q66 96 96 88 L96 97 L4 97 Z", ink.SAND, line=2.6)
    sketch.path(
        "M8 22 Q6 10 30 7 Q60 2 84 8 Q97 12 93 22 Q90 31 79 33 Q87 38 82 46 Q77 52 68 53 Q74 58 69 65 Q64 70 57 70 Q60 76 55 81 Q50 86 41 86 Q33 84 36 78 Q29 76 30 69 Q32 65 36 64 Q25 60 25 53 Q26 46 32 44 Q16 40 18 33 Q9 30 8 22 Z",
        ink.OCHRE,
    )
    sketch.path(
        "M8 22 Q12 33 50 33 Q90 32 93 20 Q92 10 60 9 Q28 10 30 17 Q34 23 58 22 Q74 20 76 16",
        ink.SAND,
        line=2.8,
    )
    sketch.path("M18 33 Q30 44 60 42 Q74 40 79 33", line=2.6)
    sketch.path("M25 53 Q34 61 56 58 Q66 56 68 53", line=2.6)
    sketch.path("M30 69 Q36 75 48 74 Q55 72 57 70", line=2.6)
    sketch.path("M40 48 Q54 52 68 47 M38 65 Q48 68 58 64 M30 38 Q44 40 54 38", line=ink.FINE)
    sketch.polygon([(88, 52), (95, 49), (97, 57), (90, 60)], ink.CLAY, line=2.2)
    sketch.polygon([(78, 68), (85, 70), (80, 76)], ink.BONE, line=2.2)
    sketch.polygon([(8, 50), (16, 47), (17, 56)], ink.CLAY, line=2.2)
    sketch.path("M3 66 L14 66 M7 73 L20 73 M70 84 L84 82 M86 40 L96 38", line=2.2)
    return sketch.part()


@cache
def tent() -> Part:
    """A ridge tent with open flaps, a pennant, and ropes to its pegs."""
    sketch = Sketch("tent")
    sketch.path("M50 18 L50 3 L68 8 L50 13", ink.MADDER, line=2.6)
    sketch.path("M50 22 L3 84 M50 22 L97 84", line=2)
    sketch.path("M2 78 L6 91 M98 78 L94 91", line=4)
    sketch.path("M50 18 L86 88 L14 88 Z", ink.CREAM)
    sketch.path("M50 18 L30 88 L22 88 L44 30 Z M50 18 L70 88 L78 88 L56 30 Z", ink.CLAY, line=ink.FINE)
    sketch.path("M50 34 L64 88 L36 88 Z", ink.SLATE, line=2.6)
    sketch.path("M50 34 L38 88 L30 88 Q44 66 50 34 Z M50 34 L62 88 L70 88 Q56 66 50 34 Z", ink.BONE, line=2.6)
    sketch.path("M50 18 L50 34", line=2.6)
    sketch.hatch(((46, 84), (54, 84)), 6, 3, slant=60, ink=ink.INK)
    return sketch.part()


@cache
def tent_gone() -> Part:
    """Where a Tent stood: two pegs and a torn rope."""
    sketch = Sketch("tent gone")
    for x1, y1, x2, y2 in ((50, 24, 84, 88), (50, 24, 16, 88), (16, 88, 84, 88)):
        for step in range(6):
            begin, end = step / 6, (step + 0.55) / 6
            sketch.line(
                [
                    (x1 + (x2 - x1) * begin, y1 + (y2 - y1) * begin),
                    (x1 + (x2 - x1) * end, y1 + (y2 - y1) * end),
                ],
                width=3.6,
                ink=ink.STONE,
            )
    return sketch.part()


@cache
def pick() -> Part:
    """A pick and a spade, crossed: digging."""
    sketch = Sketch("pick")
    sketch.path("M22 84 L66 28 L73 34 L29 90 Q22 94 18 90 Q17 87 22 84 Z", ink.OCHRE)
    sketch.path("M38 16 Q66 6 80 24 Q94 40 84 66 Q80 44 66 32 Q54 20 38 16 Z", ink.STONE)
    sketch.path("M66 24 L78 34 L72 41 L60 31 Z", ink.SLATE, line=2.6)
    sketch.hatch(((70, 20), (84, 40)), 7, 5, slant=-45, width=1.6)
    return sketch.part()


@cache
def money_bag() -> Part:
    """The museum's payment: a tied bag with coins before it."""
    sketch = Sketch("money bag")
    sketch.path("M38 28 L30 10 Q40 16 50 9 Q60 16 70 9 L62 28 Z", ink.SAND)
    sketch.path("M38 28 Q12 44 13 70 Q14 92 50 92 Q86 92 87 70 Q88 44 62 28 Z", ink.SAND)
    sketch.path("M35 30 Q50 35 65 30", line=5, ink=ink.CLAY)
    sketch.path(
        "M62 50 C58 44 54 43 49 43 C41 43 38 47 38 52 C38 63 62 58 62 69 C62 76 56 79 50 79 C44 79 39 76 37 72 M50 36 L50 86",
        line=5,
    )
    sketch.hatch(((70, 84), (80, 62)), 9, 5, slant=40)
    sketch.oval(84, 88, 11, 7, ink.GOLD, line=2.6)
    return sketch.part()


@cache
def trade() -> Part:
    """Two arrows that pass each other: cards change hands."""
    sketch = Sketch("trade")
    sketch.path("M6 20 L58 20 L58 6 L94 28 L58 50 L58 37 L6 37 Z", ink.OCHRE)
    sketch.path("M94 62 L44 62 L44 49 L6 71 L44 94 L44 80 L94 80 Z", ink.VERDIGRIS)
    return sketch.part()


@cache
def largest_set() -> Part:
    """Cards spread out with a star on the first: the largest set."""
    sketch = Sketch("largest set")
    sketch.path("M8 40 L34 28 L58 82 L32 94 Z", ink.BONE)
    sketch.path("M92 40 L66 28 L42 82 L68 94 Z", ink.BONE)
    sketch.path("M30 10 L70 10 L70 84 L30 84 Z", ink.CREAM)
    sketch.path(
        "M50 22 L55.5 38 L68 39 L58 49 L62 65 L50 56 L38 65 L42 49 L32 39 L44.5 38 Z", ink.GOLD, line=2.6
    )
    return sketch.part()
