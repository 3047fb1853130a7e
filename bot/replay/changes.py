"""The places of a picture that differ from the picture before."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from bot.art.common import draw
from bot.art.picture import Layer, Picture
from bot.art.scene import Box

NEAR: Final = 10
"""Changes at most this far from each other share a box, in pixels."""
MOST: Final = 0.5
"""The greatest share of a picture that boxes cover; if most of it has changed, boxes would say nothing."""
WIDE: Final = 1 / 3
"""Layers wider than this share of a picture are grounds on which other layers stand: they do not count."""
MOVED: Final = 12
"""So many layers that have moved down or up by the same distance have only made room for others."""


def changed(before: Picture, after: Picture) -> list[Box]:
    """The boxes around the layers of `after` that `before` does not have; none if they cover most of the picture.

    The arrow at the seat whose turn it is moves in each turn, and is left out.
    """
    turn_arrow = f'href="#{draw("arrow").id}"'
    gone = Counter(before.layers) - Counter(after.layers)
    new = Counter(after.layers) - Counter(before.layers)
    boxes: list[Box] = []
    for layer in _without_moved(gone, new):
        if layer.width <= WIDE * after.width and turn_arrow not in layer.element:
            boxes = _joined(Box(layer.x, layer.y, layer.width, layer.height), boxes)
    covered = sum(box.width * box.height for box in boxes)
    return boxes if covered <= MOST * after.width * after.height else []


def _without_moved(gone: Counter[Layer], new: Counter[Layer]) -> list[Layer]:
    """The new layers but those that have moved with many others."""
    heights: dict[Layer, list[float]] = {}
    for layer in gone.elements():
        heights.setdefault(layer._replace(y=0), []).append(layer.y)
    ways = {layer: {layer.y - y for y in heights.get(layer._replace(y=0), ())} for layer in new}
    common = Counter(way for layer, found in ways.items() for way in found for _each in range(new[layer]))
    together = {way for way, n in common.items() if n >= MOVED}
    return [layer for layer in new.elements() if not ways[layer] & together]


def _joined(box: Box, boxes: Iterable[Box]) -> list[Box]:
    """The boxes with one more; those that it touches become one box with it."""
    apart = [*boxes]
    while touching := [other for other in apart if _touch(box, other)]:
        apart = [other for other in apart if other not in touching]
        box = _around([box, *touching])
    return [*apart, box]


def _touch(one: Box, other: Box) -> bool:
    return (
        one.x <= other.x + other.width + NEAR
        and other.x <= one.x + one.width + NEAR
        and one.y <= other.y + other.height + NEAR
        and other.y <= one.y + one.height + NEAR
    )


def _around(boxes: Iterable[Box]) -> Box:
    lefts, tops, rights, bottoms = zip(
        *((b.x, b.y, b.x + b.width, b.y + b.height) for b in boxes), strict=True
    )
    return Box(min(lefts), min(tops), max(rights) - min(lefts), max(bottoms) - min(tops))
