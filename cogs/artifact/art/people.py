"""The six members of a party, well and wounded, and parties on the march."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from typing import Final

from bot.art import ink
from bot.art.ink import Part, Sketch
from engine.artifact.party import MEMBERS

HEAVY: Final = 4


def _shoulders(sketch: Sketch, coat: str) -> None:
    sketch.path("M6 99 C6 76 26 70 40 68 L60 68 C74 70 94 76 94 99 Z", coat, line=HEAVY)
    sketch.path("M40 58 L40 72 C46 78 54 78 60 72 L60 58 Z", ink.SAND, line=ink.LINE)


def _face(sketch: Sketch, skin: str) -> None:
    sketch.path("M28 36 C26 60 34 74 50 74 C66 74 74 60 72 36 Z", skin, line=HEAVY)
    sketch.path("M28 46 C22 44 22 56 29 57 M72 46 C78 44 78 56 71 57", line=ink.LINE)
    sketch.dots([(41, 48), (60, 48)], 2.8)
    sketch.line([(51, 50), (48, 58), (53, 58)], width=ink.FINE)


def _leader(sketch: Sketch) -> None:
    """A pith helmet and a moustache."""
    _shoulders(sketch, ink.SAND)
    _face(sketch, ink.BONE)
    sketch.path("M40 72 L50 84 L60 72 L66 80 L52 98 L48 98 L34 80 Z", ink.CLAY, line=ink.LINE)
    sketch.path(
        "M50 62 C44 58 36 60 31 66 C40 69 47 68 50 65 C53 68 60 69 69 66 C64 60 56 58 50 62 Z",
        ink.OCHRE,
        line=ink.FINE,
    )
    sketch.path(
        "M14 40 C20 30 26 32 27 26 C30 8 70 8 73 26 C74 32 80 30 86 40 C66 34 34 34 14 40 Z",
        ink.CREAM,
        line=HEAVY,
    )
    sketch.path("M27 26 C40 21 60 21 73 26 L74 32 C58 28 42 28 26 32 Z", ink.MADDER, line=ink.FINE)
    sketch.line([(50, 8), (50, 3)], width=5)


def _flyer(sketch: Sketch) -> None:
    """A leather cap and goggles."""
    _shoulders(sketch, ink.OCHRE)
    sketch.path(
        "M24 60 C18 24 34 10 50 10 C66 10 82 24 76 60 L80 76 L68 70 L32 70 L20 76 Z", ink.CLAY, line=HEAVY
    )
    _face(sketch, ink.SAND)
    sketch.path("M27 42 C26 18 40 14 50 14 C60 14 74 18 73 42 C60 34 40 34 27 42 Z", ink.CLAY, line=HEAVY)
    sketch.oval(39, 28, 9, fill=ink.BONE, line=ink.LINE)
    sketch.oval(61, 28, 9, fill=ink.BONE, line=ink.LINE)
    sketch.path("M43 65 C47 69 54 69 58 65", line=ink.LINE, ink=ink.MADDER)
    sketch.path("M30 74 C40 84 60 84 70 74 L74 82 C60 94 40 94 26 82 Z", ink.CREAM, line=ink.LINE)


def _mechanic(sketch: Sketch) -> None:
    """A flat cap and a beard."""
    _shoulders(sketch, ink.INDIGO)
    _face(sketch, ink.OCHRE)
    sketch.path(
        "M28 52 C26 76 36 86 50 86 C64 86 74 76 72 52 C68 60 60 60 50 62 C40 60 32 60 28 52 Z",
        ink.SLATE,
        line=ink.LINE,
    )
    sketch.path("M44 68 L56 68", line=ink.LINE, ink=ink.BONE)
    sketch.path(
        "M20 34 C14 16 34 8 54 10 C74 12 82 24 78 34 C92 36 94 42 88 44 C66 34 44 36 24 40 Z",
        ink.VERDIGRIS,
        line=HEAVY,
    )
    sketch.line([(26, 33), (76, 31)], width=ink.FINE)
    sketch.line([(22, 82), (22, 98)], width=6, ink=ink.STONE)
    sketch.line([(78, 82), (78, 98)], width=6, ink=ink.STONE)


def _scholar(sketch: Sketch) -> None:
    """Hair in a bun, and round spectacles."""
    _shoulders(sketch, ink.MADDER)
    sketch.oval(50, 12, 11, fill=ink.STONE, line=HEAVY)
    sketch.path("M22 58 C16 28 32 16 50 16 C68 16 84 28 78 58 Z", ink.STONE, line=HEAVY)
    _face(sketch, ink.BONE)
    sketch.path(
        "M27 44 C28 30 46 32 56 26 C62 32 70 34 73 44 C78 24 66 17 50 17 C34 17 22 24 27 44 Z",
        ink.STONE,
        line=ink.LINE,
    )
    sketch.oval(40, 49, 9, line=ink.LINE)
    sketch.oval(61, 49, 9, line=ink.LINE)
    sketch.line([(49, 48), (52, 48)], width=ink.LINE)
    sketch.path("M44 66 L57 66", line=ink.LINE, ink=ink.MADDER)
    sketch.path("M38 72 L50 80 L62 72 L64 82 L50 80 L36 82 Z", ink.CREAM, line=ink.LINE)


def _porter(sketch: Sketch) -> None:
    """A broad straw hat, and a load on the back."""
    sketch.path("M4 60 L26 52 L26 96 L4 98 Z", ink.SHADE, line=ink.LINE)
    sketch.path("M96 60 L74 52 L74 96 L96 98 Z", ink.SHADE, line=ink.LINE)
    _shoulders(sketch, ink.CREAM)
    _face(sketch, ink.OCHRE)
    sketch.path("M42 64 C46 69 55 69 59 64", line=ink.LINE)
    sketch.path("M4 42 C30 32 70 32 96 42 C80 46 66 44 50 44 C34 44 20 46 4 42 Z", ink.SAND, line=HEAVY)
    sketch.path("M26 36 C30 18 42 6 50 4 C58 6 70 18 74 36 C60 33 40 33 26 36 Z", ink.SAND, line=HEAVY)
    sketch.line([(50, 6), (38, 32)], width=ink.FINE)
    sketch.line([(50, 6), (62, 32)], width=ink.FINE)
    sketch.path("M26 76 L38 98 M74 76 L62 98", line=5, ink=ink.CLAY)


def _child(sketch: Sketch) -> None:
    """Two braids and a headband."""
    _shoulders(sketch, ink.OLIVE)
    sketch.path("M26 34 C14 44 24 56 16 70 C14 80 24 84 26 74 C32 60 26 50 32 44 Z", ink.INK, line=ink.LINE)
    sketch.path("M74 34 C86 44 76 56 84 70 C86 80 76 84 74 74 C68 60 74 50 68 44 Z", ink.INK, line=ink.LINE)
    _face(sketch, ink.SAND)
    sketch.path(
        "M27 42 C22 18 38 10 50 10 C62 10 78 18 73 42 C66 34 56 32 50 24 C44 32 34 34 27 42 Z",
        ink.INK,
        line=ink.LINE,
    )
    sketch.path("M25 34 C38 26 62 26 75 34 L74 41 C60 34 40 34 26 41 Z", ink.GOLD, line=ink.LINE)
    sketch.path("M42 64 C46 70 54 70 59 63", line=ink.LINE)
    sketch.dots([(34, 57), (38, 60), (64, 60), (67, 57)], 1.3)


_DRAWN: Final[tuple[Callable[[Sketch], None], ...]] = (
    _leader,
    _flyer,
    _mechanic,
    _scholar,
    _porter,
    _child,
)


@cache
def member(number: int, *, wounded: bool = False) -> Part:
    """A member of a party by its place in it: the leader, three companions, two helpers."""
    sketch = Sketch(f"member {number}{' wounded' if wounded else ''}")
    _DRAWN[number](sketch)
    if wounded:  # a bandage over one eye and under the chin
        sketch.path("M24 34 L74 46 L74 58 L24 44 Z", ink.CREAM, line=ink.LINE)
        sketch.dots([(60, 49)], 4, ink.MADDER)
        sketch.path("M20 78 C40 92 60 98 84 90 L86 99 L60 99 C40 98 30 92 18 86 Z", ink.CREAM, line=ink.LINE)
    return sketch.part()


@cache
def nobody() -> Part:
    """A member who is out: a stretcher."""
    sketch = Sketch("nobody")
    sketch.path("M12 58 C20 44 36 46 46 48 L84 50 C90 52 92 58 90 64 L14 64 Z", ink.CREAM, line=HEAVY)
    sketch.oval(20, 44, 11, fill=ink.SAND, line=HEAVY)
    sketch.path("M8 40 C10 26 30 26 32 38 L38 42 Z", ink.OCHRE, line=ink.LINE)
    sketch.path("M56 48 L68 48 L68 63 L56 63 Z", ink.MADDER, line=0)
    sketch.path("M50 52 L74 52 L74 59 L50 59 Z", ink.MADDER, line=0)
    sketch.line([(2, 67), (98, 67)], width=7)
    sketch.line([(22, 70), (16, 86)], width=5)
    sketch.line([(78, 70), (84, 86)], width=5)
    return sketch.part()


@cache
def some_member() -> Part:
    """A head and shoulders: the members of a party."""
    sketch = Sketch("some member")
    sketch.path("M6 97 C6 70 26 64 50 64 C74 64 94 70 94 97 Z", ink.INDIGO, line=HEAVY)
    sketch.oval(50, 42, 22, 24, ink.SAND, line=HEAVY)
    sketch.path(
        "M16 34 C22 26 28 28 29 22 C32 4 68 4 71 22 C72 28 78 26 84 34 C66 28 34 28 16 34 Z",
        ink.CREAM,
        line=HEAVY,
    )
    return sketch.part()


def _walker(sketch: Sketch, x: float, coat: str, hat: str, stride: float) -> None:
    """Somebody on foot with a load, about 70 high, the feet on 96."""
    sketch.path(f"M{x} 70 L{x - stride} 95 L{x - stride + 8} 95", line=8)
    sketch.path(f"M{x} 70 L{x + stride} 94 L{x + stride + 8} 95", line=8)
    sketch.path(f"M{x - 22} 36 L{x - 8} 34 L{x - 8} 62 L{x - 22} 62 Z", ink.OCHRE, line=ink.LINE)
    sketch.path(f"M{x - 24} 30 L{x - 6} 30 L{x - 6} 37 L{x - 24} 37 Z", ink.BONE, line=ink.LINE)
    sketch.path(f"M{x - 8} 38 L{x + 8} 38 L{x + 10} 74 L{x - 10} 74 Z", coat, line=ink.LINE)
    sketch.path(f"M{x + 4} 44 L{x + 20} 56", line=7)
    sketch.path(f"M{x + 20} 36 L{x + 24} 95", line=3.4)
    sketch.oval(x + 3, 28, 9, 10, ink.SAND, line=ink.LINE)
    if hat == "helmet":
        sketch.path(
            f"M{x - 11} 26 C{x - 8} 8 {x + 12} 8 {x + 14} 24 L{x + 20} 27 Z", ink.CREAM, line=ink.LINE
        )
    elif hat == "brim":
        sketch.path(
            f"M{x - 16} 24 L{x + 22} 22 L{x + 10} 19 C{x + 8} 8 {x - 4} 8 {x - 5} 20 Z",
            ink.OCHRE,
            line=ink.LINE,
        )
    else:
        sketch.path(f"M{x - 9} 27 C{x - 10} 10 {x + 12} 10 {x + 14} 23 Z", ink.MADDER, line=ink.LINE)


@cache
def march() -> Part:
    """A party on its way to the right."""
    sketch = Sketch("march", 220, 100)
    for x, coat, hat, stride in (
        (38, ink.VERDIGRIS, "cap", 11),
        (92, ink.CREAM, "brim", 14),
        (142, ink.MADDER, "cap", 10),
        (190, ink.SAND, "helmet", 15),
    ):
        _walker(sketch, x, coat, hat, stride)
    return sketch.part()


def parts() -> list[Part]:
    """Every part of this module, for the contact sheet."""
    return [
        *(member(number) for number in range(MEMBERS)),
        *(member(number, wounded=True) for number in range(MEMBERS)),
        nobody(),
        some_member(),
        march(),
    ]
