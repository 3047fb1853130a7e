"""Numbered pictures for explanations: frames with numbered discs on a picture, and pictures one below another."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from heapq import heapify, heappop
from math import hypot
from typing import Final, NamedTuple

from bot.art import ink
from bot.art.picture import Layer, Picture
from bot.art.scene import WIDTH, Box, Pen, Scene

DISC: Final = 44
"""The diameter of a disc in a picture that fills a message's width; on a phone it is 16 pixels."""
SIGN: Final = 1 / 3
"""Layers wider than this share of a picture are scenery, which a disc may cover."""
_FIGURE: Final = 26
_GAP: Final = 10
_LINE: Final = 3
"""Half the width of a frame's line, in pixels."""
_AROUND: Final = 2
"""The distance of a frame from what it frames, in pixels."""
_CLEAR: Final = 2
"""The least distance of a disc from a sign, in pixels."""
_SMALL: Final = 60
"""Layers of at most this width and height, in pixels, lie in front of the frames."""
_STEP: Final = 4
"""The distance of the places that are tried for a disc, in pixels."""
_FAR: Final = 132
"""The greatest distance of a disc from its frame, in pixels."""
_OUTSIDE: Final = 40
"""So many pixels nearer a place outside of the picture has to be than a place on it."""


def labelled(picture: Picture, targets: Sequence[Box], alt: str) -> Picture:
    """A picture with a frame around each target, and a disc with its number, from 1, beside the frame.

    A frame fits the layers whose middles are in its target, and lies behind the signs and digits that it meets. A disc
    covers no sign and no digit. The result is larger than the picture if a disc has no room on it.
    """
    frames = [framed(picture, target) for target in targets]
    discs: list[Box] = []
    for frame in frames:
        discs.append(_place(picture, frame, frames, discs))
    left, top, right, bottom = _extent(picture, [*frames, *discs])
    scene = Scene(right - left, bottom - top, picture.ground).inset(picture, -left, -top, picture.width)
    for frame in frames:
        _outline(scene, _moved(frame, -left, -top))
    for layer in _before(picture, frames):
        scene.again(layer, -left, -top)
    for number, (frame, disc) in enumerate(zip(frames, discs, strict=True), 1):
        _disc(scene, number, _moved(disc, -left, -top), _moved(frame, -left, -top))
    return scene.picture(alt)


def steps(pictures: Sequence[Picture], alt: str) -> Picture:
    """Pictures one below another, each with its number, from 1, in the upper left corner."""
    across = WIDTH - DISC - 2 * _GAP
    scaled = [(picture, min(across, picture.width)) for picture in pictures]
    heights = [max(DISC, round(picture.height * width / picture.width)) for picture, width in scaled]
    scene = Scene(WIDTH, sum(heights) + _GAP * (len(heights) + 1))
    y = _GAP
    for number, ((picture, width), height) in enumerate(zip(scaled, heights, strict=True), 1):
        _disc(scene, number, Box(_GAP, y, DISC, DISC))
        scene.inset(picture, DISC + 2 * _GAP, y, width)
        y += height + _GAP
    return scene.picture(alt)


def signs(picture: Picture) -> list[Box]:
    """The boxes of all layers that say something: not of grounds, and not of scenery."""
    return [
        Box(*layer[:4])
        for layer in picture.layers
        if not layer.element.startswith("<rect") and layer.width <= SIGN * picture.width
    ]


def framed(picture: Picture, target: Box) -> Box:
    """The frame around the layers whose middles are in a target, without layers much larger than the target.

    The target itself if there are no such layers.
    """

    def inside(layer: Layer) -> bool:
        x, y = layer.x + layer.width / 2, layer.y + layer.height / 2
        small = layer.width <= 1.5 * target.width and layer.height <= 1.5 * target.height
        return small and _distance(x, y, target) == 0

    found = [layer for layer in picture.layers if inside(layer)]
    if not found:
        return target
    left, top = min(layer.x for layer in found), min(layer.y for layer in found)
    right = max(layer.x + layer.width for layer in found)
    bottom = max(layer.y + layer.height for layer in found)
    return Box(left - _AROUND, top - _AROUND, right - left + 2 * _AROUND, bottom - top + 2 * _AROUND)


def _before(picture: Picture, frames: Sequence[Box]) -> Iterator[Layer]:
    """The small layers that a frame's line meets, and what lies on their grounds, from the back to the front."""
    grounds: list[Box] = []
    for layer in picture.layers:
        box = Box(*layer[:4])
        small = box.width <= _SMALL and box.height <= _SMALL
        if small and (
            any(_meet(box, frame) for frame in frames) or any(_lies_on(box, ground) for ground in grounds)
        ):
            yield layer
            grounds.append(box)


def _meet(box: Box, frame: Box) -> bool:
    """Whether the line of a frame goes through a box or along its edge."""
    apart = (
        box.x > frame.x + frame.width + _LINE
        or frame.x > box.x + box.width + _LINE
        or box.y > frame.y + frame.height + _LINE
        or frame.y > box.y + box.height + _LINE
    )
    inner = Box(
        frame.x + _LINE, frame.y + _LINE, max(0, frame.width - 2 * _LINE), max(0, frame.height - 2 * _LINE)
    )
    return not apart and not _contains(inner, box)


def _lies_on(box: Box, ground: Box) -> bool:
    return _distance(box.x + box.width / 2, box.y + box.height / 2, ground) == 0


def _place(picture: Picture, frame: Box, frames: Sequence[Box], discs: Sequence[Box]) -> Box:
    """The free place for a disc that is nearest to its frame."""
    taken = [*signs(picture), *(other for other in frames if not _contains(other, frame))]
    middles = [(disc.x + DISC / 2, disc.y + DISC / 2) for disc in discs]
    clear = DISC / 2 + _CLEAR
    across, down = _along(frame.x, frame.width, picture.width), _along(frame.y, frame.height, picture.height)
    # By x, the boxes that may be too near: most are too far to be worth a square root.
    near = {
        one.at: [box for box in taken if box.x - clear < one.at < box.x + box.width + clear] for one in across
    }
    tried = [(_cost(one, other), other.at, one.at) for one in across for other in down]
    heapify(tried)  # a place is found among the first of them, so the others need no order
    while tried:
        _dear, y, x = heappop(tried)
        free = all(_distance(x, y, box) >= clear for box in near[x])
        if free and all(hypot(x - a, y - b) >= DISC + _STEP for a, b in middles):
            return Box(x - DISC / 2, y - DISC / 2, DISC, DISC)
    raise AssertionError(f"no room for a number beside {frame}")


class _Middle(NamedTuple):
    """One coordinate of the middle of a disc that is tried for a frame."""

    at: int
    outside: float
    """The distance from the frame; 0 within it."""
    inside: float
    """The distance from the nearer end of the frame, if it is within it; negative outside."""
    cut: bool
    """Whether the disc would reach beyond the picture."""


def _along(begin: float, length: float, size: int) -> list[_Middle]:
    return [
        _Middle(
            at,
            max(begin - at, 0, at - begin - length),
            min(at - begin, begin + length - at),
            min(at, size - at) < DISC / 2,
        )
        for at in range(round(begin) - _FAR, round(begin + length) + _FAR, _STEP)
    ]


def _cost(across: _Middle, down: _Middle) -> float:
    """The distance of a place from the line around its frame, and more for a place outside of the picture."""
    within = min(across.inside, down.inside)
    distance = max(within, hypot(across.outside, down.outside))
    return distance + _OUTSIDE if across.cut or down.cut else distance


def _contains(box: Box, other: Box) -> bool:
    right, bottom = other.x + other.width, other.y + other.height
    corner = _distance(other.x, other.y, box) == 0
    return corner and right <= box.x + box.width and bottom <= box.y + box.height


def _distance(x: float, y: float, box: Box) -> float:
    across = max(box.x - x, 0, x - box.x - box.width)
    down = max(box.y - y, 0, y - box.y - box.height)
    return hypot(across, down)


def _extent(picture: Picture, boxes: Sequence[Box]) -> tuple[int, int, int, int]:
    """The left, top, right and bottom of a picture and these boxes together, in the picture's pixels."""
    return (
        round(min(0, *(box.x - _AROUND for box in boxes))),
        round(min(0, *(box.y - _AROUND for box in boxes))),
        round(max(picture.width, *(box.x + box.width + _AROUND for box in boxes))),
        round(max(picture.height, *(box.y + box.height + _AROUND for box in boxes))),
    )


def _moved(box: Box, x: float, y: float) -> Box:
    return box._replace(x=box.x + x, y=box.y + y)


def _outline(scene: Scene, box: Box) -> None:
    scene.panel(box, None, line=6, ink=ink.CREAM).panel(box, None, line=4, ink=ink.CLAY)


def _disc(scene: Scene, number: int, box: Box, frame: Box | None = None) -> None:
    x, y = box.x + DISC / 2, box.y + DISC / 2
    if frame is not None and _distance(x, y, frame) > DISC / 2:
        to = (min(max(x, frame.x), frame.x + frame.width), min(max(y, frame.y), frame.y + frame.height))
        scene.line((x, y), to, 4, ink.CLAY)
    scene.panel(box, ink.CLAY, line=3, ink=ink.CREAM, corner=DISC / 2)
    scene.figure(number, x, y - _FIGURE / 2, _FIGURE, pen=Pen(ink.CREAM, 1.3))
