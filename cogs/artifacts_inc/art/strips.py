"""The companies on the table's picture: a strip for each, with its way to the goal, its goods and all its cards."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from math import fsum
from typing import Final, NamedTuple

from bot.art import ink
from bot.art.common import SEAT_COLOURS, die, token
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Scene, figures_width
from cogs.artifacts_inc.art import draw, goods
from cogs.artifacts_inc.art.cards import DIGITS, HIGH, MARGIN, WIDE, Counted, drawing, row, written
from engine.artifacts_inc.catalogue import Card, Side
from engine.artifacts_inc.choices import dice_of, museum_points
from engine.artifacts_inc.state import ACT, GOAL, Held, View, company, finds

HEAD_HIGH: Final = 44
"""The line of numbers at the head of a company's strip."""
ROW_HIGH: Final = 92
"""A row of cards with their chips."""
ROWS: Final = 2
"""The most rows of a company's cards; more cards than have room in them are drawn narrower."""
DICE_HIGH: Final = 42
"""The line with the dice of the company whose turn it is."""
CARD: Final = 72
"""The width of a card's drawing, where there is room: 26 pixels of a phone."""
_SCALES: Final = (1.0, 0.95, 0.9, 0.85)
"""By how much cards are narrowed to stand in fewer rows."""
KEPT: Final = 512
"""The number of drawings of cards, and of chips, that are kept."""
EDGE: Final = 4
"""The room around cards and chips for their outlines."""
_CHIP: Final = 32
"""The height of a die that a card wants."""
_FIND: Final = 52
"""The width of finds of a kind, with the space after them."""
_ABILITY: Final = 39
"""The width of the sign of an ability, with the space after it."""
_GAP: Final = 6
"""Between two chips of a card."""
_APART: Final = 8
"""Between two cards."""
_TRACK: Final = 206
"""Where the track begins."""
_POINT: Final = 9
"""The width of a point of reputation on the track, in pixels."""
_LONGEST: Final = 25
"""The most points for which the track has room."""
_GOODS: Final = 440
_ROOM: Final = WIDTH - 2 * MARGIN - 16
"""The width that a row of a company's cards may have."""


def companies(scene: Scene, view: View, y: int) -> None:
    """A strip for each company, from `y` on."""
    for seat in range(view.seats):
        playing = bool(view.pending) and seat == view.active
        high = _high(view, seat)
        _strip(scene, view, seat, y, high + (DICE_HIGH if playing else 0))
        if playing:
            _dice(scene, view, y + high - 2)
        y += high + (DICE_HIGH if playing else 0) + MARGIN


def height(view: View) -> int:
    """The height of all strips, with the space below each."""
    strips = sum(_high(view, seat) + MARGIN for seat in range(view.seats))
    return strips + (DICE_HIGH if view.pending else 0)


def _high(view: View, seat: int) -> int:
    """The height of a company's strip without the line of dice."""
    rows, _scale = rows_of(view, seat)
    return HEAD_HIGH + len(rows) * ROW_HIGH + 2


def _strip(scene: Scene, view: View, seat: int, y: int, high: int) -> None:
    won = view.outcome is not None and seat in view.outcome.winners
    chosen = won if view.outcome is not None else bool(view.pending) and seat == view.active
    box = Box(MARGIN, y, WIDTH - 2 * MARGIN, high)
    scene.panel(box, ink.SAND if chosen else ink.CREAM, line=4 if chosen else 2.6)
    if won:
        scene.place(draw("laurel"), 9, y + 3, 40)
        scene.place(token(seat), 18, y + 10, 22)
    else:
        scene.place(token(seat), 13, y + 5, 34)
    scene.place(draw("reputation"), 54, y + 7, 30)
    scene.figure(view.reputation[seat], 86, y + 9, DIGITS, anchor="start")
    _track(scene, view, seat, y)
    numbers = [Counted(draw("money"), view.dollars[seat]), Counted(draw("dice-rolled"), dice_of(view, seat))]
    numbers += [Counted(goods.artifact(kind), n) for kind, n in enumerate(view.artifacts[seat]) if n]
    row(scene, numbers, (_GOODS, y + 9), room=WIDTH - MARGIN - 8 - _GOODS, size=30, gap=12)
    _cards(scene, view, seat, y + HEAD_HIGH)


def _track(scene: Scene, view: View, seat: int, y: int) -> None:
    """The way to the goal: a bar of the reputation that is certain, and a lighter one of the museums' majorities."""
    museums = museum_points(view, seat) if view.outcome is None else 0  # then they are counted
    certain = view.reputation[seat]
    if museums:
        scene.place(draw("museum"), 123, y + 9, 25)
        text = f"+{museums}"
        high = min(DIGITS, DIGITS * (_TRACK - 12 - 150) / figures_width(text, DIGITS))
        scene.figure(text, 150, y + 9 + (DIGITS - high) / 2, high, anchor="start")
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
    scene.place(draw("goal"), goal - 1, y + 4, 24)


# -- the cards of a company


class _Thing(NamedTuple):
    """A card of a company, or its finds of a kind and their number, and the width that they need."""

    width: float
    held: Held | None = None
    find: int = 0
    number: int = 1


def rows_of(view: View, seat: int) -> tuple[list[list[_Thing]], float]:
    """All cards of a company as they came, then its finds, by rows; and by how much they are narrowed."""
    cards = company(view, seat)
    things = [_Thing(max(CARD, _chips_width(held.side)) + _APART, held) for held in cards]
    things += [_Thing(_FIND, find=kind, number=n) for kind, n in enumerate(finds(view, seat)) if n]
    for rows in range(1, ROWS + 1):
        for scale in _SCALES:
            if len(laid := _in_rows(things, _ROOM / scale)) <= rows:
                return laid, scale
    scale = _SCALES[-1]
    while len(laid := _in_rows(things, _ROOM / scale)) > ROWS:
        scale *= 0.95
    return laid, scale


def _in_rows(things: Sequence[_Thing], room: float) -> list[list[_Thing]]:
    """Things in rows that are at most so wide."""
    rows: list[list[_Thing]] = [[]]
    left = room
    for thing in things:
        if thing.width > left:
            rows.append([])
            left = room
        left -= thing.width
        rows[-1].append(thing)
    return rows


def _cards(scene: Scene, view: View, seat: int, y: int) -> None:
    """All cards of a company, with the dice that they want, and its finds."""
    rows, scale = rows_of(view, seat)
    for down, things in enumerate(rows):
        x, top = float(MARGIN + 10), y + down * ROW_HIGH
        for thing in things:
            wide = thing.width * scale
            if thing.held is None:
                _finds(scene, thing, (x, top, wide - _APART), scale)
            else:
                lying = zip(view.covered, view.laid, strict=True) if seat == view.active else ()
                laid = {space.slot: face for space, face in lying if space.own == thing.held.own}
                _card(scene, thing.held, laid, (x, top, wide - _APART), scale)
            x = round(x + wide)


def _finds(scene: Scene, thing: _Thing, room: tuple[float, float, float], scale: float) -> None:
    """Finds of a kind; if there are several, their number stands in the line of the chips."""
    x, y, wide = room
    scene.place(goods.find(thing.find), x, round(y + 12 * scale), round(wide))
    if thing.number > 1:
        scene.figure(f"×{thing.number}", x + wide / 2, _below(y) + 2, DIGITS * scale)


def _below(y: float) -> float:
    """The upper edge of the chips of a row of cards that begins at `y`."""
    return y + round(CARD * HIGH / WIDE) + 2


def _card(
    scene: Scene, held: Held, laid: dict[int, int], room: tuple[float, float, float], scale: float
) -> None:
    """A card's drawing, and below it the dice that it wants, or has."""
    x, y, wide = room
    size = min(CARD, round((CARD + _APART) * scale) - _APART)
    shown = _sheet(held.card, held.level, size)
    lower = round((CARD - size) * HIGH / WIDE)
    scene.inset(shown, round(x + (wide - size) / 2) - EDGE, y + lower - EDGE, shown.width)
    at = x + (wide - _chips_width(held.side) * scale) / 2
    below = _below(y)
    for number, slot in enumerate(held.side.slots):
        each = chip_width(slot.requires) * scale
        if number in laid:
            scene.place(die(laid[number], ink.SHADE), round(at + (each - _CHIP) / 2), below, _CHIP)
        else:
            shown = chip(slot.requires, each)
            scene.inset(shown, round(at) - EDGE, below - EDGE, shown.width)
        at += each + _GAP * scale
    if not held.side.slots:
        _gift(scene, held.side, (x, below, wide), scale, used=held.used)


@lru_cache(maxsize=KEPT)
def _sheet(card: Card, level: int, size: int) -> Picture:
    scene = Scene(size + 2 * EDGE, round(size * HIGH / WIDE) + 2 * EDGE, None)
    ground = ink.BONE if level == 2 else ink.PAPER
    scene.panel(Box(EDGE, EDGE, size, round(size * HIGH / WIDE)), ground, line=1.8, corner=4)
    scene.place(drawing(card, level), EDGE + 2, EDGE + 1, size - 4)
    if level == 2:
        scene.place(draw("level-2"), EDGE + size - 15, EDGE - 2, 15)
    return scene.picture("·")


def chip_width(requires: str) -> float:
    text = written(requires)
    return max(_CHIP, figures_width(text, DIGITS) + 10)


def _chips_width(side: Side) -> float:
    """The width of a card's chips side by side, or of the sign of a card that wants no die."""
    chips = [chip_width(slot.requires) for slot in side.slots] or [_gift_width(side)]
    return fsum(chips) + _GAP * (len(chips) - 1)


@lru_cache(maxsize=KEPT)
def chip(requires: str, wide: float) -> Picture:
    """The die that a slot wants."""
    scene = Scene(round(wide) + 2 * EDGE, _CHIP + 2 * EDGE, None)
    x = y = EDGE
    scene.panel(Box(x, y, round(wide), _CHIP), ink.CREAM, line=ink.FINE, corner=6)
    if text := written(requires):
        high = min(_CHIP - 8, DIGITS * (wide - 8) / figures_width(text, DIGITS))
        scene.figure(text, x + wide / 2, y + (_CHIP - high) / 2, high)
    for number, face in enumerate({"odd": (1, 3, 5), "even": (2, 4, 6)}.get(requires, ())):
        scene.place(die(face), x + 1 + number * 8, y + 1 + number * 8, 14)
    return scene.picture("·")


def _gift_width(side: Side) -> float:
    """The width of the sign of a card that wants no die."""
    if side.ability:
        return _ABILITY * side.ability.uses
    number = _gift_number(side)
    return _CHIP + (figures_width(number, DIGITS) + 4 if number else 0)


def _gift_number(side: Side) -> str:
    """The dice that a card gives, or its bonus for dives; empty if it does neither."""
    return f"+{side.dive or side.dice}" if side.dive or side.dice else ""


def _gift(scene: Scene, side: Side, room: tuple[float, float, float], scale: float, *, used: int) -> None:
    """The sign of a card that wants no die: each use of its ability, dice that it gives, or a bonus for dives."""
    x, y, wide = room
    left, size = x + (wide - _gift_width(side) * scale) / 2, _CHIP * scale
    if side.ability:
        for number in range(side.ability.uses):
            at = round(left + number * _ABILITY * scale)
            faint = 1 if number < side.ability.uses - used else 0.35
            scene.place(draw(goods.ABILITIES[side.ability.do]), at, y - 2, _ABILITY * scale - 2, faint=faint)
    elif number := _gift_number(side):
        scene.figure(number, left, y + 2, DIGITS * scale, anchor="start")
        sign = draw("dive") if side.dive else die(5)
        scene.place(sign, left + (_gift_width(side) - _CHIP) * scale, y, size)


# -- the dice of a turn


def _dice(scene: Scene, view: View, y: int) -> None:
    """The dice in hand, and those that lie on public cards or on a dive."""
    scene.place(draw("arrow"), 13, y + 3, 32)
    x = 54
    if view.phase != ACT:
        for _number in range(dice_of(view, view.active)):
            scene.place(draw("slot"), x, y, 36)
            x += 42
        return
    dice_lying(scene, view, x, y)


def dice_width(view: View) -> int:
    """The width of `dice_lying`."""
    public = sum(space.card < view.catalogue.public for space in view.covered)
    dived = 40 + 34 * len(view.dived) if view.dived else 0
    return 42 * len(view.dice) + 82 * public + dived + 20 * bool(view.dice and (public or dived))


def dice_lying(scene: Scene, view: View, x: float, y: float) -> None:
    """The dice in hand from here on, and those that lie on public cards or on a dive."""
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
        scene.place(draw("dive"), x, y, 36)
        x += 40
    for face in view.dived:
        scene.place(die(face, ink.SHADE), x, y + 4, 30)
        x += 34
