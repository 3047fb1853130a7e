"""Drawings that stand in files, a small SVG file a part, which opens in any browser and editor; and drawings as emoji.

A file holds the drawing and not its expansion: the second outline of colours, hatching and trembling are added when the
file is read, by `Sketch`. Its elements, in their order from the back to the front:

- `path`: a shape as it is; `polygon`, `rect` and `ellipse`: a shape that trembles; `polyline`: an open line.
- `circle`: a spot of ink, in the colour of its `fill`.
- `line` of the class `hatch`: a side with `data-count` strokes of `data-length`, slanted by `data-slant` degrees.
- `image`: another drawing, by its file; without a `transform`, it trembles as if its elements stood here.
- `g`: elements that tremble by the group's `data-name`.

`polygon` and `polyline` of the class `smooth` are curves through their points; a `path` of the class `exact` has its
colour exactly within its line. Colours are those of the palette in `bot.art.ink`.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Final
from xml.etree import ElementTree

from bot.art import ink
from bot.art.ink import CREAM, Part, Point, Sketch, short

SVG: Final = "{http://www.w3.org/2000/svg}"
ENDING: Final = ".svg"


class Drawings:
    """The drawings of a folder; those of `others` are found too."""

    def __init__(self, folder: Path, others: Drawings | None = None) -> None:
        self._folder = folder
        self._others = others
        self._found: dict[str, Part] = {}

    def __call__(self, name: str) -> Part:
        """The drawing in the file `name`, without its ending. Raises FileNotFoundError if no folder has it."""
        part = self._found.get(name)
        if part is None:
            file = self._folder / f"{name}{ENDING}"
            elsewhere = None if file.exists() else self._others
            part = self._found[name] = read(file) if elsewhere is None else elsewhere(name)
        return part

    def all(self) -> list[Part]:
        """Every drawing of this folder, by name."""
        return [read(file) for file in sorted(self._folder.glob(f"*{ENDING}"))]


@cache
def read(file: Path) -> Part:
    """The part that a file draws. Its name is the file's, with spaces for hyphens.

    Raises FileNotFoundError, ElementTree.ParseError, or KeyError for an element or attribute that drawings do not have.
    """
    root = ElementTree.parse(file).getroot()
    _, _, width, height = map(float, root.attrib["viewBox"].split())
    sketch = Sketch(file.stem.replace("-", " "), width, height)
    _draw(root, sketch, file)
    return sketch.part()


def _draw(group: ElementTree.Element, sketch: Sketch, file: Path) -> None:
    for element in group:
        tag, place = element.tag.removeprefix(SVG), element.get("transform")
        if tag == "image":
            other = (file.parent / element.attrib["href"]).resolve()
            if place:
                sketch.body.append(f'<g transform="{place}">{read(other).body}</g>')
            else:
                _draw(ElementTree.parse(other).getroot(), sketch, other)
        elif tag == "g":
            inner = Sketch(element.get("data-name", sketch.name), sketch.width, sketch.height)
            _draw(element, inner, file)
            sketch.body.append(f'<g transform="{place}">{inner.part().body}</g>')
        elif tag != "title":
            _SHAPES[tag](sketch, element.attrib)


def _numbers(of: Mapping[str, str], *names: str) -> list[float]:
    return [float(of[name]) for name in names]


def _points(of: Mapping[str, str]) -> list[Point]:
    pairs = (pair.split(",") for pair in of["points"].split())
    return [(float(x), float(y)) for x, y in pairs]


def _width(of: Mapping[str, str]) -> float:
    return 0 if of.get("stroke") == "none" else float(of.get("stroke-width", ink.LINE))


def _path(sketch: Sketch, of: Mapping[str, str]) -> None:
    exact = of.get("class") == "exact"
    sketch.path(of["d"], of.get("fill"), line=_width(of), ink=of.get("stroke", ink.INK), beside=not exact)


def _polygon(sketch: Sketch, of: Mapping[str, str]) -> None:
    draw = sketch.blob if of.get("class") == "smooth" else sketch.polygon
    draw(_points(of), of.get("fill"), line=_width(of), ink=of.get("stroke", ink.INK))


def _rect(sketch: Sketch, of: Mapping[str, str]) -> None:
    x, y, width, height = _numbers(of, "x", "y", "width", "height")
    sketch.box(x, y, width, height, of.get("fill"), line=_width(of))


def _ellipse(sketch: Sketch, of: Mapping[str, str]) -> None:
    x, y, across, down = _numbers(of, "cx", "cy", "rx", "ry")
    sketch.oval(x, y, across, down, of.get("fill"), line=_width(of))


def _polyline(sketch: Sketch, of: Mapping[str, str]) -> None:
    smooth = of.get("class") == "smooth"
    sketch.line(_points(of), width=_width(of), ink=of.get("stroke", ink.INK), smooth=smooth)


def _hatch(sketch: Sketch, of: Mapping[str, str]) -> None:
    x1, y1, x2, y2 = _numbers(of, "x1", "y1", "x2", "y2")
    sketch.hatch(
        ((x1, y1), (x2, y2)),
        float(of["data-length"]),
        int(of["data-count"]),
        slant=float(of.get("data-slant", 45)),
        ink=of.get("stroke", ink.INK),
        width=float(of.get("stroke-width", ink.FINE)),
    )


def _circle(sketch: Sketch, of: Mapping[str, str]) -> None:
    x, y, radius = _numbers(of, "cx", "cy", "r")
    sketch.dots([(x, y)], radius, of["fill"])


_SHAPES: Final[Mapping[str, Callable[[Sketch, Mapping[str, str]], None]]] = {
    "path": _path,
    "polygon": _polygon,
    "rect": _rect,
    "ellipse": _ellipse,
    "polyline": _polyline,
    "line": _hatch,
    "circle": _circle,
}


SMALLEST: Final = 2.1
"""The least width of a line. Thinner lines are omitted, because at 22 pixels they would only grey the colours."""
BOLDER: Final = 1.5
"""The factor by which lines are widened."""
EDGE: Final = 11
"""The width that the pale edge adds to the lines that it surrounds."""

_LINE: Final = re.compile(r'<path d="[^"]*" fill="none" stroke="[^"]*" stroke-width="([\d.]+)"[^>]*/>')
_WIDTH: Final = re.compile(r'stroke-width="([\d.]+)"')
_COLOUR: Final = re.compile(r'(fill|stroke)="#[0-9a-f]+"')


@cache
def as_emoji(part: Part) -> Part:
    """A part drawn for larger pictures as an emoji: without thin lines, bolder, with a pale edge."""
    bold = _LINE.sub(lambda line: line[0] if float(line[1]) >= SMALLEST else "", part.body)
    bold = _WIDTH.sub(lambda line: f'stroke-width="{short(float(line[1]) * BOLDER)}"', bold)
    return edged(Part(part.name, part.width, part.height, bold))


@cache
def edged(part: Part, word: str | None = None) -> Part:
    """A part in a square box with a pale edge around its outline.

    `word`: the name of the emoji, which screen readers read aloud; by default the part's name.
    """
    edge = _COLOUR.sub(rf'\1="{CREAM}"', part.body)
    edge = _WIDTH.sub(lambda line: f'stroke-width="{short(float(line[1]) + EDGE)}"', edge)
    side = max(part.width, part.height)
    scale = 100 / (side + EDGE)
    x, y = ((100 - length * scale) / 2 for length in (part.width, part.height))
    place = f'<g transform="translate({short(x)} {short(y)}) scale({scale:.3g})">'
    return Part(f"{word or part.name} emoji", 100, 100, f"{place}{edge}{part.body}</g>")
