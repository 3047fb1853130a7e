"""A card's drawing, and its whole side: what it takes, what it does, and the dice and artifacts that lie on it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Final, NamedTuple

from bot.art.common import die
from bot.art.ink import BONE, CREAM, FINE, SHADE, STONE, Part, Sketch
from bot.art.numerals import figures_width
from bot.art.scene import Scene
from cogs.artifacts_inc.art import goods, houses, sites
from cogs.artifacts_inc.art.sites import HIGH, WIDE
from engine.artifacts_inc.catalogue import Action, Card, Side, Slot
from engine.artifacts_inc.card_list import ARTIFACTS

DIGITS: Final = 28
"""The height of a figure that a phone shows well, in pixels of a picture."""
ROW: Final = 31
"""The height of a line on a card's side."""
SIDE_WIDTH: Final = 68
"""How wide a side must be for its lines to have their full size."""

_DRAWN: Final[Mapping[str, Callable[[Sketch, int], None]]] = {**sites.DRAWN, **houses.DRAWN}


# -- the drawing


def drawing(card: Card, level: int = 1) -> Part:
    """What a card shows: a museum with its artifact, or what the card is called after.

    A card of an owner's own list shows tents, if it is an Expedition, or crates.
    """
    if card.key.endswith("_museum") and card.key.removesuffix("_museum") in ARTIFACTS:
        return _museum(ARTIFACTS.index(card.key.removesuffix("_museum")))
    return _drawn(card.key if card.key in _DRAWN else "expedition" if card.expedition else "asset", level)


@cache
def _museum(kind: int) -> Part:
    sketch = Sketch(f"card of {ARTIFACTS[kind]} museum", WIDE, HIGH)
    return sketch.add(goods.museum_of(kind), 12, 0, scale=0.76).part()


@cache
def _drawn(key: str, level: int) -> Part:
    sketch = Sketch(f"card {key} {level}", WIDE, HIGH)
    others = {"expedition": sites.tents, "asset": houses.crates}
    (others.get(key) or _DRAWN[key])(sketch, level)
    return sketch.part()


# -- lines of a side


class Line(NamedTuple):
    """A line on a card's side: a slot with what its die must show, or a number; then a sign.

    `slot` is the slot's number on its side, for the die that lies there; -1 where it is none. `left` are uses of an
    ability that are left, and `spent` those that are used.
    """

    sign: Part | None
    number: str = ""
    slot: int = -1
    requires: str = ""
    left: int = 0
    spent: int = 0


def _sign(action: Action) -> Part | None:
    match action.do:
        case "gain":
            return goods.artifact(action.artifact)
        case "gather":
            return goods.gathering()
        case "buy":
            return goods.buying()
        case "museum":
            return goods.museum()
        case "collect":
            return goods.collectors()
        case "sell":
            return goods.selling()
        case _:
            return None


def _slot_lines(number: int, slot: Slot) -> list[Line]:
    sign, dollars = _sign(slot.action), slot.action.dollars
    lines = [Line(sign or goods.price(), "" if sign else str(dollars), number, slot.requires)]
    if sign and dollars:
        lines.append(Line(goods.price(), str(dollars)))
    return lines


def lines_of(side: Side, used: int = 0, *, counts: bool = False) -> list[Line]:
    """What a side does, line by line. `used` are uses of its ability this turn; `counts`: with what it counts."""
    lines = [Line(die(5), str(side.dice))] if side.dice else []
    for number, slot in enumerate(side.slots):
        lines += _slot_lines(number, slot)
    if side.ability:
        sign = goods.ABILITIES[side.ability.do]()
        lines.append(Line(sign, left=max(side.ability.uses - used, 0), spent=min(used, side.ability.uses)))
    if side.dive:
        lines.append(Line(goods.helmet(), f"+{side.dive}"))
    if counts:
        lines += [Line(goods.find(kind), f"+{n}") for kind, n in enumerate(side.per_find) if n]
        lines += [Line(goods.museum(), f"+{n}") for n in (side.per_museum,) if n]
        lines += [Line(goods.tent(), f"+{n}") for n in (side.per_expedition,) if n]
    return lines


# -- a whole side


def requirement(scene: Scene, requires: str, x: float, y: float, scale: float) -> float:
    """The space for a die, and what it must show. The width that it takes."""
    high = (ROW - 1) * scale
    text = _written(requires)
    wide = max(high, figures_width(text, DIGITS * scale) + 5 * scale if text else high)
    scene.panel(x, y, wide, high, SHADE, line=FINE, corner=6 * scale)
    if text:
        scene.figure(text, x + wide / 2, y + scale, DIGITS * scale)
    for number, face in enumerate({"odd": (1, 3, 5), "even": (2, 4, 6)}.get(requires, ())):
        at = number * high * 0.29
        scene.place(die(face), x + 1 + at, y + 1 + at, high * 0.4)
    return wide


def _written(requires: str) -> str:
    if requires in ("any", "odd", "even"):
        return ""
    return requires.removeprefix("=").replace("-", "−")


class On(NamedTuple):
    """What lies on a card: the dice by slot, artifacts by kind, and uses of its ability this turn."""

    dice: Mapping[int, int] = {}
    artifacts: Sequence[int] = ()
    used: int = 0


def draw_side(
    scene: Scene,
    card: Card,
    level: int,
    box: tuple[float, float, float, float],
    on: On | None = None,
    *,
    counts: bool = False,
) -> None:
    """A side of a card in a box: left edge, upper edge, width and height. With `counts`, what it counts too."""
    x, y, width, height = box
    on = on or On()
    side = card.side(level)
    lines = lines_of(side, on.used, counts=counts)
    # Many lines share the lower three quarters of a card.
    scale = min(1.0, width / SIDE_WIDTH, height * 0.75 / (ROW * max(len(lines), 1)))
    scene.panel(x, y, width, height, BONE if level == 2 else CREAM, corner=7, line=2.6)
    top = y + height - 3 - ROW * scale * len(lines)
    room_wide, room_high = width - 6, top - y - 4
    wide = min(room_wide, room_high * WIDE / HIGH)
    scene.place(
        drawing(card, level), x + (width - wide) / 2, y + 3 + (room_high - wide * HIGH / WIDE) / 2, wide
    )
    if level == 2:
        scene.place(goods.second_level(), x + width - 23, y - 3, 20)
    _lay_artifacts(scene, on.artifacts, x + 3, top, width - 6)
    for number, line in enumerate(lines):
        _draw_line(scene, line, on, (x + 3, top + number * ROW * scale, width - 6), scale)


def _lay_artifacts(scene: Scene, artifacts: Sequence[int], x: float, below: float, width: float) -> None:
    """The artifacts on a card, side by side; the more there are, the more they overlap."""
    lying = [kind for kind, n in enumerate(artifacts) for _ in range(n)]
    size = min(26.0, width / 2)
    step = min(size, (width - size) / max(len(lying) - 1, 1))
    for number, kind in enumerate(lying):
        scene.place(goods.artifact(kind), x + number * step, below - size - 1, size)


def _draw_line(scene: Scene, line: Line, on: On, room: tuple[float, float, float], scale: float) -> None:
    x, y, width = room
    high = (ROW - 1) * scale
    if line.slot >= 0:
        lying = on.dice.get(line.slot)
        wide = requirement(scene, "any" if lying else line.requires, x, y, scale)
        if lying:
            scene.place(die(lying), x, y, high)
        size = min(high, width - wide)
        if line.sign is not None:
            at = x + wide + (width - wide - size) / 2
            scene.place(line.sign, at, y + (high - size) / 2, size)
            _number(scene, line, at + size / 2, y, scale)
        return
    if line.left or line.spent:
        _draw_uses(scene, line, x, y, width, high)
        return
    assert line.sign is not None
    if line.sign.name == goods.price().name:
        scene.place(line.sign, x + (width - high) / 2, y, high)
        _number(scene, line, x + width / 2, y, scale)
        return
    text = figures_width(line.number, DIGITS * scale)
    left = x + (width - text - 3 - high) / 2
    scene.figure(line.number, left, y + scale, DIGITS * scale, anchor="start")
    scene.place(line.sign, left + text + 3, y, high)


def _number(scene: Scene, line: Line, x: float, y: float, scale: float) -> None:
    if line.number:
        scene.figure(line.number, x, y + 3 * scale, (DIGITS - 4) * scale)


def _draw_uses(scene: Scene, line: Line, x: float, y: float, width: float, high: float) -> None:
    """The sign of an ability, once for each use; what is used this turn is faint."""
    assert line.sign is not None
    uses = line.left + line.spent
    size = min(high, width / uses)
    for number in range(uses):
        at = x + (width - size * uses) / 2 + number * size
        scene.place(line.sign, at, y + (high - size) / 2, size, faint=1 if number < line.left else 0.35)
        if number >= line.left:
            scene.draw(
                Sketch("used", size, size).line([(2, size - 2), (size - 2, 2)], width=3, ink=STONE), at, y
            )


def every_drawing(cards: Sequence[Card]) -> list[Part]:
    """The drawings of all these cards at each of their levels."""
    return [drawing(card, level) for card in cards for level in range(1, len(card.sides) + 1)]


def parts() -> list[Part]:
    """The drawings that the game's own cards have, and those for an owner's."""
    keys = [*_DRAWN, "expedition", "asset"]
    public = ("private_collectors", "guide_work")
    drawn = [_drawn(key, level) for key in keys for level in ((1,) if key in public else (1, 2))]
    return [*map(_museum, range(len(ARTIFACTS))), *drawn]
