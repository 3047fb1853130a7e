"""Treasures as cards: with their trade value, how many there are, and as sold sets; and the two games' emoji."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from math import prod
from typing import Final

from bot.art import common, ink
from bot.art.common import TOKEN_WORDS, token
from bot.art.drawings import as_emoji, edged
from bot.art.ink import Part, Sketch
from bot.art.scene import Box, Pen, Scene
from bot.ui.screens.kit import SEATS
from cogs.archaeology_family import names
from cogs.archaeology_family.art import draw
from engine.archaeology_family.card_list import TREASURES
from engine.archaeology_family.state import Set, View


def treasure(kind: int) -> Part:
    """The drawing of a treasure, by its number. Every one has a silhouette of its own."""
    return draw(TREASURES[kind].replace("_", "-"))


@cache
def treasure_card(kind: int) -> Part:
    """A treasure's card without numbers."""
    drawing = treasure(kind)
    sketch = Sketch(f"card of {drawing.name}", common.CARD_WIDTH, common.CARD_HEIGHT)
    sketch.add(draw("card"))
    sketch.path("M14 106 Q32 98 52 103 Q72 108 87 100 L87 126 L14 126 Z", ink.BONE, line=0)
    sketch.path("M15 104 Q32 98 52 103 Q72 108 86 100", line=ink.FINE)
    sketch.add(drawing, 11, 27, scale=0.79)
    return sketch.part()


def place_tag(scene: Scene, trade: int, x: float, y: float, height: float = 42, faint: float = 1) -> None:
    """The label with a trade value."""
    width = draw("tag").width_at(height)
    scene.place(draw("tag"), x, y, width, faint=faint)
    figure = height * (0.67 if trade < 10 else 0.5)
    scene.figure(trade, x + width / 2, y + height * 0.59 - figure / 2, figure, pen=Pen(weight=1.15))


def place_market_card(scene: Scene, view: View, kind: int, x: float, y: float, height: float) -> None:
    """A kind of treasure in the market: as many sheets as there are cards, up to three, and their number.

    If there are none, its place is empty, so that each treasure always lies in the same place.
    """
    count = view.market[kind]
    width = draw("card").width_at(height)
    if not count:
        scene.place(draw("empty-place"), x, y, width)
        scene.place(treasure(kind), x + width * 0.2, y + height * 0.32, width * 0.6, faint=0.28)
        return
    for sheet in range(min(count, 3) - 1, 0, -1):
        scene.place(draw("card"), x + sheet * 3, y - sheet * 3, width)
    scene.place(treasure_card(kind), x, y, width)
    place_tag(scene, view.trade[kind], x - 4, y - 4)
    if count > 1:
        scene.figure(
            f"×{count}", x + width - 7, y + height - 36, 30, anchor="end", pen=Pen(weight=1.2, halo=ink.CREAM)
        )


def place_sets(scene: Scene, sets: Sequence[Set], box: Box, limit: float = 46) -> None:
    """Sold sets in rows within a box, as large as there is room: each with its number of cards. The first ones, and the
    number of those for which there is no room.
    """
    x, y, width, height = box
    size = limit

    def room() -> tuple[int, int]:
        return int(width // size), max(1, int(height // (size * SET_RATIO)))

    while prod(room()) < len(sets) and size > SMALLEST:
        size -= 1
    columns, rows = room()
    shown = sets if len(sets) <= columns * rows else sets[: columns * rows - 1]
    columns = max(1, -(-len(sets) // rows)) if shown == sets else columns
    pen = Pen(weight=1.25, halo=ink.CREAM)
    y += (height - (1 + (len(shown) - 1) // columns) * size * SET_RATIO) / 2
    for number, (kind, count) in enumerate(shown):
        left, top = x + number % columns * size, y + number // columns * size * SET_RATIO
        scene.place(treasure(kind), left + 1, top, size * 0.86)
        scene.figure(count, left + size - 3, top + size * 0.56, size * 0.5, anchor="end", pen=pen)
    if shown != sets:
        left, top = x + width - 4, y + (rows - 1) * size * SET_RATIO + size * 0.25
        scene.figure(f"+{len(sets) - len(shown)}", left, top, size * 0.6, anchor="end", pen=pen)


SET_RATIO: Final = 1.16
"""The height of a sold set by its width."""
SMALLEST: Final = 34
"""The smallest width of a sold set: on a phone, its number can still be read."""


def dearest_first(sets: Sequence[Set], prices: Sequence[Sequence[int]]) -> list[Set]:
    """Sold sets by what they brought, the best first."""
    return sorted(sets, key=lambda sold: (-prices[sold[0]][sold[1] - 1], sold))


@cache
def family_emoji(kinds: int) -> Mapping[str, Part]:
    """The drawings of both games' emoji, with the first so many treasures."""
    treasures = {emoji: treasure(kind) for kind, emoji in enumerate(names.EMOJI[:kinds])}
    others = {
        names.THIEF: draw("thief"),
        names.SANDSTORM: draw("sandstorm"),
        "⛏️": draw("pick"),
        "💰": draw("money-bag"),
        "🤝": draw("trade"),
        "💎": draw("largest-set"),
        "⛰️": draw("small-pyramid"),
    }
    bold = {emoji: as_emoji(part) for emoji, part in (treasures | others).items()}
    return bold | {emoji: edged(token(seat), TOKEN_WORDS[seat]) for seat, emoji in enumerate(SEATS)}
