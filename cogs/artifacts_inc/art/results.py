"""The head of the lobby, and the podium at the end."""

from __future__ import annotations

from functools import cache
from typing import Final

from bot.art import ink
from bot.art.common import die, laurel, step_height, token
from bot.art.ink import Part, Sketch
from bot.art.numerals import figures_width
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Scene
from cogs.artifacts_inc.art import alt, goods, sites
from cogs.artifacts_inc.art.cards import drawing
from engine.artifacts_inc.state import SOURCES, View, company

BANNER_HIGH: Final = 240
PODIUM_HIGH: Final = 260

# -- the lobby


def banner() -> Picture:
    """New York, 1929."""
    scene = Scene(WIDTH, BANNER_HIGH, ink.SKY)
    scene.place(_sky(), 0, 0)
    scene.place(_skyline(), 0, 0)
    scene.place(_biplane(), 60, 8, 150)
    scene.place(_museum_front(), 262, 64, 196)
    scene.place(_quay(), 0, 0)
    for part, x, y, size in (
        (goods.statue(), 40, 124, 92),
        (goods.pottery(), 138, 156, 66),
        (goods.fossil(), 196, 176, 52),
        (goods.scroll(), 470, 170, 56),
        (goods.gem(), 530, 178, 46),
        (goods.hat(), 588, 122, 84),
        (die(6), 236, 198, 32),
        (die(3), 446, 200, 30),
    ):
        scene.place(part, x, y, size)
    return scene.picture(alt.banner())


@cache
def _sky() -> Part:
    sketch = Sketch("evening sky", WIDTH, BANNER_HIGH)
    sketch.path("M0 96 Q180 70 360 92 T720 84 L720 240 L0 240 Z", ink.PAPER, line=0, beside=False)
    sketch.oval(612, 62, 34, fill=ink.GOLD, line=3)
    sites.cloud(sketch, 226, 40, 74)
    sites.cloud(sketch, 470, 34, 60)
    return sketch.part()


_TOWERS: Final = (
    (0, 58, 118, ink.STONE),
    (52, 44, 92, ink.SHADE),
    (92, 60, 132, ink.BONE),
    (150, 40, 70, ink.STONE),
    (188, 52, 112, ink.SHADE),
    (238, 40, 140, ink.BONE),
    (440, 46, 128, ink.SHADE),
    (484, 42, 82, ink.STONE),
    (524, 56, 120, ink.BONE),
    (578, 40, 96, ink.SHADE),
    (616, 52, 138, ink.STONE),
    (666, 58, 104, ink.BONE),
)
"""Towers: left edge, width, upper edge, colour."""


@cache
def _skyline() -> Part:
    sketch = Sketch("skyline", WIDTH, BANNER_HIGH)
    for number, (x, wide, top, colour) in enumerate(_TOWERS):
        middle = x + wide / 2
        if number % 2:
            sketch.path(
                f"M{x} 214 L{x} {top + 26} L{x + 8} {top + 26} L{x + 8} {top + 10} L{middle - 7} {top + 10} L{middle} {top - 18} "
                f"L{middle + 7} {top + 10} L{x + wide - 8} {top + 10} L{x + wide - 8} {top + 26} L{x + wide} {top + 26} L{x + wide} 214 Z",
                colour,
                line=2.8,
            )
        else:
            sketch.box(x, top, wide, 214 - top, colour, line=2.8)
        for row in range(int((196 - top - 30) / 18)):
            for column in range(3):
                if (row * 5 + column * 3 + number) % 4:
                    sketch.box(
                        x + 10 + column * (wide - 26) / 2, top + 34 + row * 18, 6, 8, ink.GOLD, line=1.4
                    )
    return sketch.part()


@cache
def _biplane() -> Part:
    sketch = Sketch("biplane in flight", 100, 76)
    sites.plane(sketch, 4, 4, 1, ink.CLAY)
    return sketch.part()


@cache
def _museum_front() -> Part:
    sketch = Sketch("great museum", 196, 150)
    sketch.path("M6 48 L98 6 L190 48 Z", ink.OCHRE, line=4)
    sketch.oval(98, 34, 9, fill=ink.CREAM, line=ink.FINE)
    sketch.box(14, 49, 168, 14, ink.BONE, line=3.6)
    sketch.path("M18 63 L178 63 L178 134 L18 134 Z", ink.SHADE, line=0)
    sketch.path("M80 134 L80 92 Q98 74 116 92 L116 134 Z", ink.SLATE)
    for x in (20, 50, 130, 160):
        sketch.box(x, 63, 16, 71, ink.CREAM, line=3.4)
        sketch.line([(x + 8, 68), (x + 8, 130)], width=1.4)
    sketch.box(6, 134, 184, 10, ink.STONE)
    return sketch.part()


@cache
def _quay() -> Part:
    sketch = Sketch("quay", WIDTH, BANNER_HIGH)
    sketch.path("M0 212 L720 206 L720 240 L0 240 Z", ink.SAND, line=3, beside=False)
    for x in range(20, 720, 58):
        sketch.line([(x, 222), (x + 30, 221)], width=ink.FINE)
        sketch.line([(x + 26, 233), (x + 52, 232)], width=ink.FINE)
    for x, y, size in ((596, 168, 62), (660, 184, 48)):
        sketch.box(x, y, size, 226 - y, ink.OCHRE)
        sketch.line([(x, y), (x + size, 226)], width=2.4)
        sketch.line([(x + size, y), (x, 226)], width=2.4)
    return sketch.part()


def parts() -> list[Part]:
    """The parts of this module."""
    return [_sky(), _skyline(), _biplane(), _museum_front(), _quay()]


# -- the result

_TALL: Final = 118
"""The height of the winner's step. The others are to scale, but at least `_LEAST` high, for their figures."""
_LEAST: Final = 46
_STEP_WIDE: Final = 78


def podium(view: View) -> Picture:
    """The companies on their steps, and what the winner's reputation came from."""
    outcome = view.outcome
    assert outcome is not None
    scene = Scene(WIDTH, PODIUM_HIGH)
    order = sorted(range(view.seats), key=lambda seat: (outcome.ranks[seat], seat))
    # The winner stands in the middle, as on every podium.
    standing = [*order[1:2], *order[:1], *order[2:]]
    left = 14 + (4 - view.seats) * _STEP_WIDE / 2
    for at, seat in enumerate(standing):
        high = step_height(outcome.scores[seat], max(outcome.scores), (_LEAST, _TALL))
        _step(scene, seat, outcome.ranks[seat], outcome.scores[seat], (left + at * _STEP_WIDE, high))
    winners = outcome.winners
    high = 58
    panel = 352
    scene.panel(Box(panel, 12, WIDTH - panel - 10, PODIUM_HIGH - 24), ink.CREAM)
    for number, seat in enumerate(winners):
        _sources(scene, view, seat, panel + 10, 22 + number * high)
    if len(winners) <= 2:
        _finest(scene, view, order[0], panel + 12, 22 + len(winners) * high, PODIUM_HIGH - 20)
    return scene.picture(alt.podium(view))


def _step(scene: Scene, seat: int, rank: int, score: int, at: tuple[float, int]) -> None:
    x, high = at
    top = PODIUM_HIGH - 12 - high
    scene.panel(Box(x, top, _STEP_WIDE, high), ink.GOLD if rank == 1 else ink.SHADE, corner=4)
    scene.figure(score, x + _STEP_WIDE / 2, top + 8, 32)
    middle = x + _STEP_WIDE / 2
    if rank == 1:
        scene.place(laurel(), middle - 46, top - 92, 92)
        scene.place(token(seat), middle - 25, top - 72, 50)
    else:
        scene.place(token(seat), middle - 25, top - 54, 50)


_BESIDE: Final = 3
"""The distance of a number from its sign, in pixels."""
_APART: Final = 16
"""The distance of a number from the next sign, so that the number belongs to one sign alone."""


def _sources(scene: Scene, view: View, seat: int, x: float, y: float) -> None:
    """A winner's reputation by where it came from; without the sources that gave none."""
    signs = (goods.asset(), goods.counting(), goods.helmet(), goods.museum())
    assert len(signs) == len(SOURCES)
    scene.place(token(seat), x, y + 5, 36)
    scored = [(sign, n) for sign, n in zip(signs, view.earned[seat], strict=True) if n]
    room = WIDTH - 24 - x - 44
    figures = sum(_BESIDE + figures_width(str(n), 30) for _sign, n in scored)
    size = min(40.0, (room - figures - _APART * (len(scored) - 1)) / max(1, len(scored)))
    at = x + 44
    for sign, n in scored:
        scene.place(sign, at, y + 22 - size / 2, size)
        scene.figure(n, at + size + _BESIDE, y + 8, 30, anchor="start")
        at += size + _BESIDE + figures_width(str(n), 30) + _APART


def _finest(scene: Scene, view: View, seat: int, x: float, top: float, bottom: float) -> None:
    """The cards that a company has bought or improved, the dearest first, as many as there is room for."""
    rows = 2 if bottom - top > 140 else 1
    across = 4
    wide = (WIDTH - 20 - x) / across
    high = (bottom - top) / rows
    won_with = [
        held
        for held in company(view, seat)
        if held.level == 2 or held.card.number not in view.catalogue.start
    ]
    cards = sorted(
        won_with,
        key=lambda held: (-held.level * held.card.dollars, held.card.number, held.own.copy),
    )
    for number, held in enumerate(cards[: rows * across]):
        left, upper = x + number % across * wide, top + number // across * high
        scene.panel(
            Box(left + 2, upper + 2, wide - 6, high - 6),
            ink.BONE if held.level == 2 else ink.PAPER,
            line=2.2,
            corner=6,
        )
        size = min(wide - 12, (high - 12) / 0.76)
        scene.place(
            drawing(held.card, held.level),
            left - 1 + (wide - size) / 2,
            upper - 1 + (high - size * 0.76) / 2,
            size,
        )
        if held.level == 2:
            scene.place(goods.second_level(), left + wide - 26, upper, 18)
