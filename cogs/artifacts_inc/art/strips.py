"""The companies on the table's picture: a strip for each, with its way to the goal, its goods and all its cards."""

from __future__ import annotations

from functools import cache, lru_cache
from typing import Final

from bot.art import ink
from bot.art.common import SEAT_COLOURS, arrow, coin, die, laurel, token
from bot.art.ink import Part, Sketch
from bot.art.numerals import figures_width
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Scene
from cogs.artifacts_inc.art import goods
from cogs.artifacts_inc.art.cards import DIGITS, drawing, written
from cogs.artifacts_inc.art.layout import MARGIN, Counted, row
from cogs.artifacts_inc.art.sites import HIGH, WIDE
from engine.artifacts_inc.catalogue import Card, Side
from engine.artifacts_inc.choices import dice_of, museum_points
from engine.artifacts_inc.state import ACT, GOAL, Held, View, company, finds

STRIP_HIGH: Final = 110
"""A company's strip: a line of numbers and its cards."""
DICE_HIGH: Final = 42
"""The line with the dice of the company whose turn it is."""
_CARD: Final = 54
"""The width of a card's drawing, where there is room."""
KEPT: Final = 512
"""The number of drawings of cards, and of chips, that are kept."""
_EDGE: Final = 4
"""The room around cards and chips for their outlines."""
_CHIP: Final = 24
"""The height of a die that a card wants."""
_SMALL: Final = 22
"""The height of a figure on a chip."""
_TRACK: Final = 206
"""Where the track begins."""
_POINT: Final = 9
"""The width of a point of reputation on the track, in pixels."""
_LONGEST: Final = 25
"""The most points for which the track has room."""
_GOODS: Final = 440


def companies(scene: Scene, view: View, y: int) -> None:
    """A strip for each company, from `y` on."""
    for seat in range(view.seats):
        playing = view.outcome is None and seat == view.active
        high = STRIP_HIGH + (DICE_HIGH if playing else 0)
        _strip(scene, view, seat, y, high)
        if playing:
            _dice(scene, view, y + STRIP_HIGH - 2)
        y += high + MARGIN


def height(view: View) -> int:
    """The height of all strips, with the space below each."""
    return view.seats * (STRIP_HIGH + MARGIN) + (DICE_HIGH if view.outcome is None else 0)


def _strip(scene: Scene, view: View, seat: int, y: int, high: int) -> None:
    won = view.outcome is not None and seat in view.outcome.winners
    chosen = won if view.outcome is not None else seat == view.active
    box = Box(MARGIN, y, WIDTH - 2 * MARGIN, high)
    scene.panel(box, ink.SAND if chosen else ink.CREAM, line=4 if chosen else 2.6)
    if won:
        scene.place(laurel(), 7, y + 1, 46)
        scene.place(token(seat), 17, y + 9, 26)
    else:
        scene.place(token(seat), 13, y + 5, 34)
    scene.place(goods.reputation(), 54, y + 7, 30)
    scene.figure(view.reputation[seat], 86, y + 9, DIGITS, anchor="start")
    _track(scene, view, seat, y)
    numbers = [Counted(coin(), view.dollars[seat]), Counted(_rolled(), dice_of(view, seat))]
    numbers += [Counted(goods.artifact(kind), n) for kind, n in enumerate(view.artifacts[seat]) if n]
    row(scene, numbers, (_GOODS, y + 9), room=WIDTH - MARGIN - 8 - _GOODS, size=30, gap=12)
    _cards(scene, view, seat, y + 42)


def _track(scene: Scene, view: View, seat: int, y: int) -> None:
    """The way to the goal: a bar of the reputation that is certain, and a lighter one of the museums' majorities."""
    museums = museum_points(view, seat)
    certain = view.reputation[seat] - (museums if view.outcome is not None else 0)
    if museums:
        scene.place(goods.museum(), 126, y + 8, 28)
        scene.figure(f"+{museums}", 156, y + 9, DIGITS, anchor="start")
    goal = _TRACK + GOAL * _POINT
    scene.panel(Box(_TRACK, y + 12, GOAL * _POINT, 20), ink.BONE, line=1.6, ink=ink.STONE, corner=3)
    end = _TRACK + min(certain + museums, _LONGEST) * _POINT
    if museums:
        scene.panel(
            Box(_TRACK, y + 12, end - _TRACK, 20), ink.PAPER, line=2.4, ink=SEAT_COLOURS[seat], corner=3
        )
        for x in range(_TRACK + min(certain, _LONGEST) * _POINT + 5, end, 9):
            scene.panel(Box(x, y + 13, 2, 18), SEAT_COLOURS[seat], line=0, corner=1)
    if certain:
        wide = min(certain, _LONGEST) * _POINT
        scene.panel(Box(_TRACK, y + 12, wide, 20), SEAT_COLOURS[seat], line=2.4, corner=3)
    for points in range(5, GOAL, 5):
        scene.panel(Box(_TRACK + points * _POINT, y + 13, 1, 18), ink.INK, line=0, corner=0)
    scene.place(_goal(), goal - 1, y + 4, 24)


@cache
def _goal() -> Part:
    """The flag at the goal."""
    sketch = Sketch("goal", 24, 32)
    sketch.line([(2, 31), (2, 2)], width=3)
    sketch.path("M3 2 L22 4 L22 14 L3 13 Z", ink.CREAM, line=ink.FINE, beside=False)
    sketch.path(
        "M3 2 L10 3 L10 8 L3 8 Z M16 3.5 L22 4 L22 9 L16 9 Z M10 8 L16 9 L16 14 L10 13.4 Z",
        ink.INK,
        line=0,
        beside=False,
    )
    return sketch.part()


@cache
def _rolled() -> Part:
    """A cup with dice: how many a company rolls."""
    sketch = Sketch("dice rolled")
    sketch.add(die(4), 0, 30, scale=0.62, turn=-8)
    sketch.add(die(6), 40, 4, scale=0.6, turn=12)
    return sketch.part()


# -- the cards of a company


def _cards(scene: Scene, view: View, seat: int, y: int) -> None:
    """All cards of a company as they came, with the dice that they want, and its finds."""
    cards = company(view, seat)
    found = [kind for kind, n in enumerate(finds(view, seat)) for _ in range(n)]
    room = WIDTH - 2 * MARGIN - 12
    wide = [max(_CARD, _chips_width(held.side)) + 6 for held in cards]
    total = sum(wide) + 34 * len(found)
    scale = min(1.0, room / total)
    x = float(MARGIN + 8)
    for held, each in zip(cards, wide, strict=True):
        laid = _laid(view, held) if seat == view.active else {}
        _card(scene, held, laid, (x, y, each * scale - 4), scale)
        x = round(x + each * scale)
    for kind in found:
        scene.place(goods.find(kind), x, y + 6, round(32 * scale))
        x = round(x + 34 * scale)


def _laid(view: View, held: Held) -> dict[int, int]:
    """The dice on a card of the active seat, by slot."""
    lying = zip(view.covered, view.laid, strict=True)
    return {space.slot: face for space, face in lying if space.own == held.own}


def _card(
    scene: Scene, held: Held, laid: dict[int, int], room: tuple[float, float, float], scale: float
) -> None:
    """A card's drawing, and below it the dice that it wants, or has."""
    x, y, wide = room
    size = min(_CARD, round(wide))
    shown = _sheet(held.card, held.level, size)
    scene.inset(shown, round(x + (wide - size) / 2) - _EDGE, y - _EDGE, shown.width)
    at = x + (wide - _chips_width(held.side) * scale) / 2
    below = y + 38
    for number, slot in enumerate(held.side.slots):
        each = _chip_width(slot.requires) * scale
        if number in laid:
            scene.place(die(laid[number], ink.SHADE), round(at + (each - _CHIP) / 2), below, _CHIP)
        else:
            chip = _chip(slot.requires, each - 3)
            scene.inset(chip, round(at) - _EDGE, below - _EDGE, chip.width)
        at += each
    if not held.side.slots:
        _gift(scene, held.side, x + wide / 2, below, used=held.used)


@lru_cache(maxsize=KEPT)
def _sheet(card: Card, level: int, size: int) -> Picture:
    """A card's drawing on its sheet, with the sign of the second level."""
    scene = Scene(size + 2 * _EDGE, round(size * HIGH / WIDE) + 2 * _EDGE, None)
    ground = ink.BONE if level == 2 else ink.PAPER
    scene.panel(Box(_EDGE, _EDGE, size, round(size * HIGH / WIDE)), ground, line=1.8, corner=4)
    scene.place(drawing(card, level), _EDGE + 2, _EDGE + 1, size - 4)
    if level == 2:
        scene.place(goods.second_level(), _EDGE + size - 15, _EDGE - 2, 15)
    return scene.picture("·")


def _chip_width(requires: str) -> float:
    """The width of a chip with the space after it."""
    text = written(requires)
    return 3 + max(_CHIP, figures_width(text, _SMALL) + 6 if text else _CHIP)


def _chips_width(side: Side) -> float:
    return sum(_chip_width(slot.requires) for slot in side.slots)


@lru_cache(maxsize=KEPT)
def _chip(requires: str, wide: float) -> Picture:
    """The die that a slot wants."""
    scene = Scene(round(wide) + 2 * _EDGE, _CHIP + 2 * _EDGE, None)
    x = y = _EDGE
    scene.panel(Box(x, y, round(wide), _CHIP), ink.CREAM, line=ink.FINE, corner=5)
    if text := written(requires):
        high = min(_SMALL, _SMALL * (wide - 4) / figures_width(text, _SMALL))
        scene.figure(text, x + wide / 2, y + (_CHIP - high) / 2, high)
    for number, face in enumerate({"odd": (1, 3, 5), "even": (2, 4, 6)}.get(requires, ())):
        scene.place(die(face), x + 1 + number * 6, y + 1 + number * 6, 10)
    return scene.picture("·")


def _gift(scene: Scene, side: Side, middle: float, y: float, *, used: int) -> None:
    """The sign of a card that wants no die: dice that it gives, an ability, or a dive's bonus."""
    if side.ability:
        sign = goods.ABILITIES[side.ability.do]()
        faint = 0.35 if used >= side.ability.uses else 1
        scene.place(sign, round(middle - _CHIP / 2), y, _CHIP, faint=faint)
        return
    number, sign = (f"+{side.dive}", goods.helmet()) if side.dive else (f"+{side.dice}", die(5))
    if side.dive or side.dice:
        wide = figures_width(number, _SMALL) + 3 + _CHIP
        left = round(middle - wide / 2)
        scene.figure(number, left, y + 1, _SMALL, anchor="start")
        scene.place(sign, left + wide - _CHIP, y, _CHIP)


# -- the dice of a turn


def _dice(scene: Scene, view: View, y: int) -> None:
    """The dice in hand, and those that lie on public cards or on a dive."""
    scene.place(arrow(), 13, y + 3, 32)
    x = 54
    if view.phase != ACT:
        for _number in range(dice_of(view, view.active)):
            scene.place(goods.slot(), x, y, 36)
            x += 42
        return
    for face in view.dice:
        scene.place(die(face), x, y, 36)
        x += 42
    public = [
        (space.card, face)
        for space, face in zip(view.covered, view.laid, strict=True)
        if space.card < view.catalogue.public
    ]
    if view.dice and (public or view.dived):
        scene.panel(Box(x + 6, y + 2, 2, 32), ink.STONE, line=0, corner=1)
        x += 20
    for number, face in public:
        scene.place(drawing(view.catalogue.cards[number]), x, y, 46)
        scene.place(die(face, ink.SHADE), x + 42, y + 4, 30)
        x += 82
    if view.dived:
        scene.place(goods.helmet(), x, y, 36)
        x += 40
    for face in view.dived:
        scene.place(die(face, ink.SHADE), x, y + 4, 30)
        x += 34


def parts() -> list[Part]:
    """The parts of this module."""
    return [_goal(), _rolled()]
