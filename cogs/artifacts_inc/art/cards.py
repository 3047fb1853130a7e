"""A card's drawing, and its whole side: what it takes, what it does, and what lies on it; and rows of such things."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from typing import Final, NamedTuple

from bot.art import ink
from bot.art.common import die
from bot.art.ink import Part, Point
from bot.art.scene import Box, Scene, figures_width
from cogs.artifacts_inc.art import draw, goods
from engine.artifacts_inc.catalogue import Action, Card, Side, Slot

DIGITS: Final = 28
"""The height of a figure that a phone shows well, in pixels of a picture."""
ROW: Final = 31
"""The height of a line on a card's side."""
ROOMY: Final = 95
"""How wide a side must be to have a slot, what it does, and its dollars in one line."""
SIDE_WIDTH: Final = 68
"""How wide a side must be for its lines to have their full size."""

WIDE: Final = 100
HIGH: Final = 76
"""The box of a card's drawing."""


# -- the drawing


def drawing(card: Card, level: int = 1) -> Part:
    """A card's drawing: the thing that the card is named after.

    A card of an owner's own list shows tents, if it is an Expedition, or crates.
    """
    try:
        return draw(f"card-{card.key}-{level}")
    except FileNotFoundError:
        return draw(f"card-{'expedition' if card.expedition else 'asset'}-{level}")


# -- lines of a side


class Line(NamedTuple):
    """A line on a card's side: a slot with what its die must show, or a number; then a sign.

    `slot` is the slot's number on its side, for the die that lies there; -1 where it is none. `dollars` come on top.
    `left` are uses of an ability that are left, and `spent` those that are used.
    """

    sign: Part | None
    number: str = ""
    slot: int = -1
    requires: str = ""
    dollars: str = ""
    left: int = 0
    spent: int = 0


def _sign(action: Action) -> Part | None:
    match action.do:
        case "gain":
            return goods.artifact(action.artifact)
        case "gather":
            return draw("any-artifact")
        case "buy":
            return draw("buying")
        case "museum":
            return draw("museum")
        case "collect":
            return draw("sale")
        case "sell":
            return draw("selling-one")
        case _:
            return None


def _slot_lines(number: int, slot: Slot, *, roomy: bool) -> list[Line]:
    """A slot in a line, with its dollars in another one unless there is room beside it."""
    sign, dollars = _sign(slot.action), str(slot.action.dollars or "")
    if sign is None:
        return [Line(draw("price"), dollars, number, slot.requires)]
    if roomy or not dollars:
        return [Line(sign, "", number, slot.requires, dollars)]
    return [Line(sign, "", number, slot.requires), Line(draw("price"), dollars)]


def lines_of(side: Side, used: int = 0, *, counts: bool = False, roomy: bool = False) -> list[Line]:
    """The effects of a side, line by line.

    `used` are uses of its ability this turn; `counts`: with what it counts; `roomy`: lines may be as wide as a card of
    a small company.
    """
    lines = [Line(die(5), str(side.dice))] if side.dice else []
    for number, slot in enumerate(side.slots):
        lines += _slot_lines(number, slot, roomy=roomy)
    if side.ability:
        sign = draw(goods.ABILITIES[side.ability.do])
        left, spent = max(side.ability.uses - used, 0), min(used, side.ability.uses)
        lines.append(Line(sign, left=left, spent=spent))
    if side.dive:
        lines.append(Line(draw("dive"), f"+{side.dive}"))
    if counts:
        lines += [Line(goods.find(kind), f"+{n}") for kind, n in enumerate(side.per_find) if n]
        lines += [Line(draw("museum"), f"+{n}") for n in (side.per_museum,) if n]
        lines += [Line(draw("tent"), f"+{n}") for n in (side.per_expedition,) if n]
    return lines


# -- a whole side


def requirement(scene: Scene, requires: str, x: float, y: float, scale: float) -> float:
    """The space for a die, and what it must show. The width that it takes."""
    high = (ROW - 1) * scale
    text = written(requires)
    figures = high - 6 * scale
    wide = max(high, figures_width(text, figures) + 8 * scale if text else high)
    scene.panel(Box(x, y, wide, high), ink.SHADE, line=ink.FINE, corner=6 * scale)
    if text:
        scene.figure(text, x + wide / 2, y + 3 * scale, figures)
    for number, face in enumerate({"odd": (1, 3, 5), "even": (2, 4, 6)}.get(requires, ())):
        at = number * high * 0.29
        scene.place(die(face), x + 1 + at, y + 1 + at, high * 0.4)
    return wide


def written(requires: str) -> str:
    """The figures and signs of a requirement; empty where it is drawn as dice."""
    if requires in ("odd", "even"):
        return ""
    if requires == "any":
        return "1+"
    return requires.removeprefix("=").replace("-", "−")


class On(NamedTuple):
    """The things on a card: the dice by slot, artifacts by kind, and uses of its ability this turn."""

    dice: Mapping[int, int] = {}
    artifacts: Sequence[int] = ()
    used: int = 0


class CardSide(NamedTuple):
    """A side of a card. One that is `marked` has a strong edge: this side is up."""

    card: Card
    level: int
    marked: bool = False


def draw_side(
    scene: Scene, card_side: CardSide, box: Box, on: On | None = None, *, counts: bool = False
) -> None:
    """A side of a card in a box; with `counts`, what it counts too."""
    card, level, marked = card_side
    x, y, width, height = box
    on = on or On()
    side = card.side(level)
    lines = lines_of(side, on.used, counts=counts, roomy=width >= ROOMY)
    # Many lines share the lower three quarters of a card.
    scale = min(1.0, width / SIDE_WIDTH, height * 0.75 / (ROW * max(len(lines), 1)))
    edge = (4.6, ink.MADDER) if marked else (2.6, ink.INK)
    scene.panel(box, ink.BONE if level == 2 else ink.CREAM, corner=7, line=edge[0], ink=edge[1])
    top = y + height - 3 - ROW * scale * len(lines)
    room_wide, room_high = width - 6, top - y - 4
    wide = min(room_wide, room_high * WIDE / HIGH)
    scene.place(
        drawing(card, level), x + (width - wide) / 2, y + 3 + (room_high - wide * HIGH / WIDE) / 2, wide
    )
    if level == 2:
        scene.place(draw("level-2"), x + width - 23, y - 3, 20)
    for number, line in enumerate(lines):
        _draw_line(scene, line, on, (x + 3, top + number * ROW * scale, width - 6), scale)
    _lay_artifacts(scene, on.artifacts, x - 1, y - 1)


def _lay_artifacts(scene: Scene, artifacts: Sequence[int], x: float, y: float) -> None:
    """The artifacts on a card, each kind counted in a badge on the card's corner."""
    for kind, n in enumerate(artifacts):
        if n:
            scene.panel(Box(x, y, 50, 28), ink.PAPER, line=ink.FINE, corner=6)
            scene.place(goods.artifact(kind), x + 2, y + 2, 24)
            scene.figure(f"×{n}", x + 47, y + 4, 20, anchor="end")
            y += 30


def _draw_line(scene: Scene, line: Line, on: On, room: tuple[float, float, float], scale: float) -> None:
    x, y, width = room
    high = (ROW - 1) * scale
    assert line.sign is not None
    if line.slot >= 0:
        _draw_slot(scene, line, on.dice.get(line.slot, 0), room, scale)
    elif line.left or line.spent:
        _draw_uses(scene, line, x, y, width, high)
    elif line.sign is draw("price"):
        _draw_dollars(scene, line.number, x + (width - high) / 2, y, high)
    else:
        text = figures_width(line.number, DIGITS * scale)
        left = x + (width - text - 3 - high) / 2
        scene.figure(line.number, left, y + scale, DIGITS * scale, anchor="start")
        scene.place(line.sign, left + text + 3, y, high)


def _draw_slot(scene: Scene, line: Line, lying: int, room: tuple[float, float, float], scale: float) -> None:
    x, y, width = room
    high = (ROW - 1) * scale
    if lying:
        wide = high
        scene.place(die(lying), x, y, high)
    else:
        wide = requirement(scene, line.requires, x, y, scale)
    signs = 2 if line.dollars else 1
    size = min(high, (width - wide - 4 * signs) / signs)
    at = x + wide + (width - wide - size * signs) / 2
    assert line.sign is not None
    if line.sign is draw("price"):
        _draw_dollars(scene, line.number, at, y, size)
    else:
        scene.place(line.sign, at, y + (high - size) / 2, size)
    if line.dollars:
        _draw_dollars(scene, line.dollars, at + size + 3, y, size)


def _draw_dollars(scene: Scene, number: str, x: float, y: float, size: float) -> None:
    scene.place(draw("price"), x - 1, y - 1, size + 2)
    scene.figure(number, x + size / 2, y + size * 0.08, size * (0.84 if len(number) < 2 else 0.66))


def _draw_uses(scene: Scene, line: Line, x: float, y: float, width: float, high: float) -> None:
    """The sign of an ability, once for each use; what is used this turn is faint."""
    assert line.sign is not None
    uses = line.left + line.spent
    size = min(high, width / uses)
    for number in range(uses):
        at = x + (width - size * uses) / 2 + number * size
        scene.place(line.sign, at, y + (high - size) / 2, size, faint=1 if number < line.left else 0.35)
        if number >= line.left:
            scene.place(draw("used"), at, y + (high - size) / 2, size)


MARGIN: Final = 6
"""Between the edge of a picture and the things in it, in pixels."""
_GAP = 4
"""Between a thing and its number."""


class Counted(NamedTuple):
    """A thing, and the number beside it; without one it stands alone."""

    part: Part
    number: int | str = ""

    def width(self, size: float) -> float:
        """How wide both are together if the thing is so large."""
        number = str(self.number)
        return size + (_GAP + figures_width(number, DIGITS) if number else 0)


def row(
    scene: Scene, things: Sequence[Counted], start: Point, *, room: float, size: float = 32, gap: float = 12
) -> float:
    """Lays things in a row from `start`, with less between them or smaller if there is too little room. Where it ends."""
    x, y = start
    numbers = fsum(thing.width(0) for thing in things)
    gaps = max(len(things) - 1, 1)
    if numbers + size * len(things) + gap * gaps > room:
        gap = min(gap, max(3.0, (room - numbers - size * len(things)) / gaps))
        size = min(size, (room - numbers - gap * gaps) / max(len(things), 1))
    for thing in things:
        scene.place(thing.part, x, y + (DIGITS - size) / 2, size)
        scene.figure(thing.number, x + size + _GAP, y, DIGITS, anchor="start")
        x += thing.width(size) + gap
    return x
