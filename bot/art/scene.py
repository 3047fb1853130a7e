"""`Scene` puts parts together to a picture."""

from __future__ import annotations

from hashlib import blake2b
from typing import Final, Literal

from bot.art.ink import CREAM, INK, LINE, PAPER, Part, Sketch, short
from bot.art.numerals import figures
from bot.art.picture import ALT_TEXT, Picture

WIDTH: Final = 720
"""The width in pixels of every picture that fills a message's width: twice what a phone shows."""

Anchor = Literal["start", "middle", "end"]


class Scene:
    """A picture in the making: parts and figures are placed from the back to the front. Lengths are in pixels."""

    def __init__(self, width: int = WIDTH, height: int = 360, ground: str | None = PAPER) -> None:
        self.width = width
        self.height = height
        self._known: dict[str, str] = {}
        """The parts that are placed: their definitions' ids by their names."""
        self._defined: dict[str, str] = {}
        """What is drawn at each place of a definition, by the definition's id."""
        self._placed: list[str] = []
        if ground is not None:
            self._placed.append(f'<rect width="{width}" height="{height}" fill="{ground}"/>')

    def place(
        self,
        part: Part,
        x: float,
        y: float,
        width: float | None = None,
        *,
        height: float | None = None,
        turn: float = 0,
        faint: float = 1,
    ) -> Scene:
        """Places a part with its upper left corner here, as wide or as high as said, or in its own size.

        It is turned clockwise around its middle by `turn` degrees. With `faint` below 1 the ground shines through.
        """
        scale = 1.0
        if width is not None:
            scale = width / part.width
        elif height is not None:
            scale = height / part.height
        moved = f"translate({short(x)} {short(y)})"
        if turn:
            moved += (
                f" rotate({short(turn)} {short(part.width * scale / 2)} {short(part.height * scale / 2)})"
            )
        if scale != 1:
            moved += f" scale({scale:.4g})"
        see = f' opacity="{faint:.2g}"' if faint < 1 else ""
        self._placed.append(f'<use href="#{self._define(part)}" transform="{moved}"{see}/>')
        return self

    def _define(self, part: Part) -> str:
        known = self._known.get(part.name)
        if known is None:
            # The id tells the drawing, not its place in this picture, so that pictures on one page can share parts.
            known = "p" + blake2b(f"{part.name} {part.body}".encode(), digest_size=5).hexdigest()
            self._known[part.name] = known
            self._defined[known] = part.body
        return known

    def figure(
        self,
        text: str | int,
        x: float,
        y: float,
        height: float,
        *,
        ink: str = INK,
        anchor: Anchor = "middle",
        weight: float = 1,
        halo: str | None = None,
    ) -> Scene:
        """A number with its signs, drawn as shapes. `y` is its upper edge, `height` that of its digits.

        `weight` makes its lines thicker; `halo` draws a broad line of that colour around it, to be read on anything.
        """
        self._placed.append(
            figures(str(text), x, y, height, ink=ink, anchor=anchor, weight=weight, halo=halo)
        )
        return self

    def panel(
        self,
        x: float,
        y: float,
        width: float,
        height: float,
        fill: str | None = CREAM,
        *,
        line: float = LINE,
        ink: str = INK,
        corner: float = 10,
        dashed: bool = False,
    ) -> Scene:
        """A sheet with rounded corners: the ground for what belongs together."""
        dash = ' stroke-dasharray="9 8"' if dashed else ""
        stroke = f' stroke="{ink}" stroke-width="{short(line)}"{dash}' if line else ""
        self._placed.append(
            f'<rect x="{short(x)}" y="{short(y)}" width="{short(width)}" height="{short(height)}" '
            f'rx="{short(corner)}" fill="{fill or "none"}"{stroke}/>'
        )
        return self

    def draw(self, sketch: Sketch, x: float = 0, y: float = 0) -> Scene:
        """Something that is drawn for this picture alone: its box begins here."""
        self._placed.append(f'<g transform="translate({short(x)} {short(y)})">{sketch.part().body}</g>')
        return self

    def inset(self, picture: Picture, x: float, y: float, width: float) -> Scene:
        """Another whole picture, smaller: as wide as said."""
        height = picture.height * width / picture.width
        self._defined |= picture.definitions
        self._placed.append(
            f'<svg x="{short(x)}" y="{short(y)}" width="{short(width)}" height="{short(height)}" '
            f'viewBox="0 0 {picture.width} {picture.height}">{picture.body}</svg>'
        )
        return self

    def picture(self, alt: str) -> Picture:
        """The finished picture. `alt` says in words what it shows, in the language that is being spoken."""
        assert alt
        assert len(alt) <= ALT_TEXT
        defined = "".join(f'<g id="{name}">{body}</g>' for name, body in self._defined.items())
        svg = (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{self.width}" height="{self.height}" '
            f'viewBox="0 0 {self.width} {self.height}">'
            f"<defs>{defined}</defs>{''.join(self._placed)}</svg>"
        )
        return Picture(svg, alt, self.width, self.height)
