"""The treasures, each as a drawing in a box of 100 by 100. Every one has a silhouette of its own."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from bot.art import ink
from bot.art.ink import Part, Sketch
from engine.archaeology_family.card_list import TREASURES


@cache
def pot_shard() -> Part:
    """A piece of a painted jar: its rim is whole, its other edges are broken."""
    sketch = Sketch("pot shard")
    sketch.path(
        "M7 24 Q48 2 94 16 L88 34 L93 47 L80 60 L83 76 L66 74 L56 95 L42 80 L23 84 L21 64 L8 48 L14 36 Z",
        ink.CLAY,
    )
    sketch.path("M7 24 Q48 2 94 16 Q50 33 7 24 Z", ink.MADDER)
    sketch.path("M12.5 36 Q52 46 89 31 L88 34 L92 45 Q52 62 12 50 L8 46 Z", ink.BONE, line=ink.FINE)
    sketch.path("M14 40 L22 49 L30 43 L39 53 L47 45 L56 54 L64 44 L72 51 L79 41 L86 46", line=3)
    sketch.path("M30 69 Q44 58 58 67 L67 62 L65 73 L57 70 Q44 79 30 69 Z", ink.BONE, line=2.4)
    sketch.dots([(37, 68)], 1.8)
    sketch.path("M45 64 Q48 69 45 74", line=ink.FINE)
    sketch.hatch(((72, 71), (79, 58)), 7, 4, slant=20, width=1.6)
    return sketch.part()


@cache
def parchment_scrap() -> Part:
    """A torn sheet with rows of signs that nobody has read yet, rolled up at its upper edge."""
    sketch = Sketch("parchment scrap")
    sketch.path(
        "M20 18 L80 14 Q77 38 83 58 L74 62 L76 71 L64 70 L60 83 L50 78 L42 92 L33 84 L18 90 Q24 52 20 18 Z",
        ink.SAND,
    )
    sketch.path("M15 12 Q15 6 22 7 L84 3 Q91 4 91 11 Q91 18 84 19 L22 23 Q15 23 15 16 Z", ink.BONE)
    sketch.path("M84 3 Q77 5 78 12 Q79 18 84 19", line=ink.FINE)
    sketch.path("M83 8 Q87 10 84 13", line=ink.FINE)
    # signs: an eye, a wave, a sun, a bird
    sketch.path("M29 36 Q37 28 46 36 Q37 42 29 36 Z", line=2.2)
    sketch.dots([(37.5, 35.5)], 2.4)
    sketch.path("M53 35 q3 -5 6 0 q3 5 6 0 q3 -5 6 0", line=2.2)
    sketch.path("M29 49 L46 48 M29 55 L40 54", line=2.2)
    sketch.oval(58, 51, 4.5, line=2.2)
    sketch.path("M66 56 L70 46 L74 56 Z", line=2.2)
    sketch.path("M29 66 q3 -5 6 0 q3 5 6 0 q3 -5 6 0", line=2.2)
    sketch.path("M54 60 L54 69 M59 60 L59 69", line=2.2)
    sketch.path("M29 77 L39 76", line=2.2)
    sketch.hatch(((23, 26), (79, 22)), 7, 13, slant=80, width=1.4)
    return sketch.part()


@cache
def coin() -> Part:
    """An old coin with a ruler's head, struck off its middle, before another one."""
    sketch = Sketch("coin")
    sketch.oval(66, 34, 28, 27, ink.OCHRE)
    sketch.path("M66 13 Q86 14 88 35", line=ink.FINE)
    sketch.path(
        "M40 22 Q56 20 67 31 L72 36 Q80 52 73 68 Q68 84 52 90 Q44 94 34 90 Q16 86 10 70 Q4 54 12 40 Q21 23 40 22 Z",
        ink.GOLD,
    )
    ring = [
        (41, 29),
        (55, 32),
        (65, 43),
        (68, 57),
        (63, 71),
        (52, 81),
        (38, 84),
        (24, 79),
        (14, 67),
        (12, 54),
        (17, 41),
        (27, 32),
    ]
    sketch.dots([(float(x), float(y)) for x, y in ring], 1.9)
    # the head: brow, nose, lips, chin, and a diadem that is tied behind
    sketch.path(
        "M31 41 Q42 35 51 42 L53 48 L58 55 L54 57 L55 61 L53 63 L53 67 Q49 71 44 69 L43 76 Q34 80 26 75 Q30 68 27 62 Q21 50 31 41 Z",
        ink.SAND,
        line=2.4,
    )
    sketch.path("M28 52 Q40 46 52 46", line=2.8)
    sketch.path("M28 52 L19 49 M28 52 L20 56", line=2.2)
    sketch.dots([(47, 54)], 1.8)
    sketch.path("M30 42 Q30 47 28 51 M37 39 L36 47 M44 39 L44 46", line=1.6)
    return sketch.part()


@cache
def talisman() -> Part:
    """A scarab with spread wings that lifts the sun."""
    sketch = Sketch("talisman")
    for side in (1, -1):

        def x(value: float, side: int = side) -> float:
            return 50 + side * value

        sketch.path(
            f"M{x(11)} 54 Q{x(26)} 63 {x(38)} 55 Q{x(50)} 45 {x(46)} 8 Q{x(40)} 27 {x(27)} 33 Q{x(17)} 37 {x(11)} 44 Z",
            ink.VERDIGRIS,
        )
        sketch.path(f"M{x(15)} 49 Q{x(33)} 44 {x(43)} 24", line=2.2)
        sketch.path(
            f"M{x(29)} 43 L{x(35)} 57 M{x(21)} 46 L{x(25)} 59 M{x(36)} 37 L{x(45)} 46 M{x(40)} 30 L{x(47)} 34",
            line=ink.FINE,
        )
        sketch.path(f"M{x(13)} 66 Q{x(27)} 66 {x(26)} 82 M{x(11)} 76 Q{x(19)} 80 {x(17)} 94", line=LEG)
        sketch.path(f"M{x(8)} 38 L{x(14)} 30 L{x(11)} 22", line=LEG)
    sketch.oval(50, 17, 13, 13, ink.CLAY)
    sketch.path("M34 62 Q32 44 50 43 Q68 44 66 62 Q66 86 50 91 Q34 86 34 62 Z", ink.INDIGO)
    sketch.path("M38 48 Q40 34 50 34 Q60 34 62 48 Q50 42 38 48 Z", ink.VERDIGRIS)
    sketch.path("M35 58 Q50 66 65 58 M50 62 L50 90", line=2.4, ink=ink.INK)
    sketch.path("M42 66 Q41 76 46 84", line=ink.FINE, ink=ink.SKY)
    sketch.dots([(45, 40), (55, 40)], 1.8)
    return sketch.part()


LEG: Final = 2.8


@cache
def broken_cup() -> Part:
    """A lotus goblet of blue faience; a piece of its rim lies beside it."""
    sketch = Sketch("broken cup")
    sketch.path(
        "M16 10 L24 12 L60 11 L54 22 L62 27 L56 36 L66 43 L64 50 Q60 60 47 62 L46 78 Q62 80 66 90 L20 90 Q24 80 38 78 L37 62 Q16 58 15 34 Z",
        ink.SKY,
    )
    sketch.path("M16 10 Q36 15 60 11 L57 17 Q36 21 15.5 17 Z", ink.INDIGO, line=ink.FINE)
    sketch.path(
        "M37 60 Q24 46 24 24 Q34 34 37 60 Z M44 60 Q52 46 50 28 Q41 38 41 59 Z", ink.INDIGO, line=ink.FINE
    )
    sketch.path("M39 60 Q32 42 38 22 Q46 42 41 60 Z", ink.CREAM, line=ink.FINE)
    sketch.path("M37 68 L46 68 M24 85 L62 85", line=ink.FINE)
    sketch.path("M56 36 L50 40 L53 46 L47 50", line=2.2)
    sketch.path("M73 60 L91 66 L95 79 L84 76 L79 84 L70 72 Z", ink.SKY)
    sketch.path("M91 66 L95 79 L90 78 L87 65 Z", ink.INDIGO, line=ink.FINE)
    sketch.hatch(((19, 36), (27, 56)), 8, 6, slant=-20)
    sketch.hatch(((52, 82), (62, 88)), 6, 4, slant=60)
    return sketch.part()


@cache
def map_() -> Part:
    """A folded map: a river, hills, a dotted way, and a cross where it ends."""
    sketch = Sketch("map")
    sketch.polygon([(6, 22), (35, 10), (35, 80), (6, 92)], ink.CREAM)
    sketch.polygon([(35, 10), (65, 22), (65, 92), (35, 80)], ink.BONE)
    sketch.polygon([(65, 22), (94, 10), (94, 80), (65, 92)], ink.CREAM)
    sketch.path(
        "M7 44 Q16 34 22 42 Q30 52 35 43 L35 53 Q28 62 20 52 Q14 46 7 55 Z",
        ink.SKY,
        line=ink.FINE,
        beside=False,
    )
    sketch.path("M14 76 L22 62 L30 72 Z", ink.OLIVE, line=2.2)
    sketch.path("M44 34 L51 22 L59 38 Z M52 40 L58 30 L63 42 Z", ink.SAND, line=2.2)
    sketch.path("M13 67 Q30 86 42 70 Q50 58 58 66 Q66 74 76 58", line=0)
    sketch.dots(
        [(33, 72), (40, 69), (46, 63), (53, 60), (60, 63), (67, 62), (73, 56), (77, 49)], 2.3, ink.MADDER
    )
    sketch.path("M74 30 L86 42 M86 28 L74 43", line=5, ink=ink.MADDER)
    sketch.hatch(((38, 22), (38, 74)), 6, 9, slant=20, width=1.4)
    sketch.hatch(((68, 30), (68, 84)), 6, 9, slant=-20, width=1.4)
    return sketch.part()


@cache
def pharaohs_mask() -> Part:
    """A king's golden mask with its striped cloth, the cobra on the brow, and the beard."""
    sketch = Sketch("pharaohs mask")
    sketch.path(
        "M50 7 Q79 7 81 34 L94 82 Q86 90 70 88 L66 60 L34 60 L30 88 Q14 90 6 82 L19 34 Q21 7 50 7 Z", ink.GOLD
    )
    # the cloth's stripes
    for side in (1, -1):

        def x(value: float, side: int = side) -> float:
            return 50 + side * value

        stripes = ((30, 36, 17, 38), (33, 47, 17, 48), (36, 58, 17, 58), (39, 69, 18, 68), (42, 79, 19, 78))
        for outer, low, inner, high in stripes:
            sketch.path(
                f"M{x(outer)} {low} L{x(inner)} {high} L{x(inner)} {high + 5} L{x(outer + 1.6)} {low + 6} Z",
                ink.INDIGO,
                line=1.4,
            )
        sketch.path(
            f"M{x(10)} 9 Q{x(22)} 14 {x(24)} 28 L{x(19)} 26 Q{x(17)} 17 {x(7)} 12 Z", ink.INDIGO, line=1.4
        )
    sketch.path("M50 22 Q71 22 70 46 Q69 64 58 72 Q50 77 42 72 Q31 64 30 46 Q29 22 50 22 Z", ink.SAND)
    sketch.path("M31 34 Q50 24 69 34", line=2.4)
    # the cobra
    sketch.path("M50 30 Q43 24 46 16 Q47 9 50 8 Q53 9 54 16 Q57 24 50 30 Z", ink.CLAY, line=2.2)
    for side in (1, -1):

        def y(value: float, side: int = side) -> float:
            return 50 + side * value

        sketch.path(
            f"M{y(16.5)} 45 Q{y(10.5)} 38.5 {y(4.5)} 46 Q{y(10)} 50 {y(16.5)} 45 Z", ink.CREAM, line=2
        )
        sketch.path(f"M{y(17)} 40 Q{y(10)} 34 {y(4)} 40", line=2.8)
        sketch.path(f"M{y(16)} 45 L{y(20)} 46", line=2.4)
        sketch.dots([(y(10), 44.5)], 2.4)
    sketch.path("M50 46 L47 57 L53 57", line=2)
    sketch.path("M43.5 63.5 Q50 67.5 56.5 63.5", line=2.6)
    sketch.path("M46 74 L54 74 L56 96 Q50 99 44 96 Z", ink.INDIGO, line=2.6)
    sketch.path("M45.5 81 L54.5 81 M45 88 L55 88", line=ink.FINE, ink=ink.GOLD)
    sketch.path("M67 50 Q66 60 60 66", line=1.4)
    return sketch.part()


@cache
def broken_tablet() -> Part:
    """A slab of stone with carved rows; a corner has broken off."""
    sketch = Sketch("broken tablet")
    sketch.path("M76 15 Q94 18 94 38 L93 52 L86 50 L86 34 Z", ink.SLATE)
    sketch.path("M14 92 L13 32 Q14 8 48 7 Q84 8 86 34 L86 50 L74 56 L78 64 L62 72 L64 82 L52 92 Z", ink.STONE)
    sketch.path("M23 44 Q23 18 48 17 Q75 18 76 40", line=ink.FINE)
    # a winged sun and two rows of signs
    sketch.oval(49, 29, 5.5, 5.5, ink.CREAM, line=2.2)
    sketch.path("M43 29 Q34 24 28 28 Q34 34 43 31 M55 29 Q64 24 70 28 Q64 34 55 31", line=2.2)
    sketch.path("M22 44 L77 43 M22 60 L70 59 M22 76 L58 76", line=ink.FINE)
    sketch.path(
        "M26 56 L26 48 L32 48 L32 56 M38 52 q2.5 -4 5 0 q2.5 4 5 0 M55 56 L55 47 M50.5 51 q4.5 6 9 0 M55 51 L55 46 M64 48 L71 48 L67.5 55 Z",
        line=2.2,
    )
    sketch.path(
        "M25 68 Q30 62 36 68 Q30 73 25 68 Z M42 72 L42 64 M46 72 L46 66 M50 72 L50 64 M57 64 q4 4 0 8",
        line=2.2,
    )
    sketch.path("M27 80 L27 87 M32 81 L32 87 M37 80 L37 87 M43 81 q3 7 7 0", line=2.2)
    sketch.path("M72 96 L76 74 L90 62 L95 82 L86 95 Z", ink.STONE)
    sketch.path("M79 82 L88 78 M80 88 L87 85", line=2.2)
    sketch.path("M86 50 L76 47 L70 52", line=ink.FINE)
    sketch.hatch(((76, 36), (84, 46)), 7, 4, slant=60, width=1.4)
    return sketch.part()


@cache
def broken_pendant() -> Part:
    """A necklace whose string has torn: its beads roll away from a red stone set in gold."""
    sketch = Sketch("broken pendant")
    sketch.path("M84 14 Q84 48 52 58 Q20 48 14 12", line=2)
    beads = (
        (84, 18, ink.OCHRE),
        (81, 31, ink.VERDIGRIS),
        (73, 43, ink.OCHRE),
        (31, 47, ink.OCHRE),
        (21, 37, ink.VERDIGRIS),
        (16, 24, ink.OCHRE),
    )
    for x, y, colour in beads:
        sketch.oval(x, y, 6.4, 6.4, colour, line=2.6)
    sketch.oval(61, 52, 6.4, 6.4, ink.VERDIGRIS, line=2.6)
    sketch.oval(41, 53, 6.4, 6.4, ink.VERDIGRIS, line=2.6)
    sketch.path("M84 14 Q86 8 82 4 M14 12 Q18 8 15 3", line=2)
    sketch.oval(51, 58, 5, 5, ink.GOLD, line=2.6)
    sketch.path("M51 62 Q70 66 68 80 Q65 94 51 97 Q37 94 34 80 Q32 66 51 62 Z", ink.GOLD)
    sketch.path("M51 68 Q61 70 60 80 Q58 88 51 91 Q44 88 42 80 Q41 70 51 68 Z", ink.MADDER, line=2.4)
    sketch.path("M46 76 Q47 72 51 72", line=2.2, ink=ink.CREAM)
    sketch.path("M53 70 L49 77 L54 82 L50 90", line=2)
    sketch.oval(41, 15, 6.4, 6.4, ink.OCHRE, line=2.6)
    sketch.oval(57, 24, 6.4, 6.4, ink.VERDIGRIS, line=2.6)
    sketch.dots([(41, 15), (57, 24)], 1.6)
    return sketch.part()


_BY_KEY: Final[dict[str, Callable[[], Part]]] = {
    "pot_shard": pot_shard,
    "parchment_scrap": parchment_scrap,
    "coin": coin,
    "talisman": talisman,
    "broken_cup": broken_cup,
    "map": map_,
    "pharaohs_mask": pharaohs_mask,
    "broken_tablet": broken_tablet,
    "broken_pendant": broken_pendant,
}


def treasure(kind: int) -> Part:
    """The drawing of a treasure, by its number."""
    return _BY_KEY[TREASURES[kind]]()
