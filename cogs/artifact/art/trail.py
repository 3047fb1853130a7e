"""The table's picture: the trail through the scenario's land, who and what is where, and what is being decided."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from math import atan2, degrees, fsum, sin
from typing import Final

from bot.art import common, ink
from bot.art.ink import Part, Point
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Pen, Scene, figures_width
from cogs.artifact.art import alt, draw, marks
from cogs.artifact.art.marks import ability, ten_sided
from engine.artifact import choices
from engine.artifact import state as s
from engine.artifact.card_list import SECOND
from engine.artifact.state import View

FIGURE: Final = 28
"""The height of figures, so that they can be read on a phone."""
TOKEN: Final = (48, 42, 34)
"""The width of tokens on a square: of one party alone, of two, of more."""
EVERY: Final = 5
"""Of so many squares one has its number written on it, and each that somebody stands on."""


def table(view: View) -> Picture:
    """The trail with everybody on it. `view` is a spectator's."""
    scene = Scene(WIDTH, HEIGHT)
    scenario = choices.scenario(view)
    _place_land(scene, scenario.key)
    _way_home(scene, view)
    groups = _apart([_Group.of(view, n) for n in range(s.HOME, s.END + 1) if n in view.at or n == view.lies])
    _squares(scene, view, {group.square for group in groups})
    prize = marks.prize(scenario.key)
    for group in groups:
        group.draw(scene, prize)
    taken = [group.box for group in groups]
    for note in _notes(view):
        taken.append(_draw_note(scene, note, taken))
    return scene.picture(alt.table(view, farthest(view)))


# -- the land


HEIGHT: Final = 380
"""The height of the picture of the trail."""
SQUARE: Final = 50
"""The width of a square of the trail."""
SQUARE_HEIGHT: Final = 44

_ROWS: Final = ((343, 104, 676), (236, 676, 44), (129, 44, 596))
"""The trail's three rows of ten squares: height, and where the row begins and ends. All three rise and fall alike."""


SQUARES: Final[tuple[Point, ...]] = tuple(
    (x, y + 9 * sin(x / 74))
    for y, left, right in _ROWS
    for x in (left + (right - left) * number / 9 for number in range(10))
)
"""The middle of each square of the trail, from square 1."""


def _middle(square: int) -> Point:
    return SQUARES[square - s.HOME]


def _row(square: int) -> int:
    """Which of the trail's three rows a square is in, from the lowest."""
    return (square - s.HOME) // 10


def _between(square: int) -> tuple[Point, float]:
    """The point halfway from a square to the one before it, and the way there in degrees, from the right clockwise."""
    (x, y), (to_x, to_y) = _middle(square), _middle(square - 1)
    return ((x + to_x) / 2, (y + to_y) / 2), degrees(atan2(to_y - y, to_x - x))


_LANDS: Final = {"lost_city": "jungle-land", "drowned_temple": "sea-land", "ice_tomb": "mountain-land"}
_GENERAL: Final = "country-land"
"""The land of a scenario of an owner's. A file of a land has the trail through `SQUARES` as well."""


def _place_land(scene: Scene, scenario: str) -> None:
    """The whole land of a scenario with its trail, squares left out."""
    scene.place(draw(_LANDS.get(scenario, _GENERAL)), 0, 0)
    scene.place(marks.home(scenario), -2, 268, 86)
    scene.place(marks.end(scenario), 616, 8, 108)


# -- the squares


def farthest(view: View) -> int:
    """The farthest square on which any party is known to have been.

    Until the Artifact is taken nobody turns round, and thereafter somebody has been everywhere.
    """
    return s.END if view.lies != s.END else max(view.at)


def _squares(scene: Scene, view: View, stood_on: set[int]) -> None:
    known = farthest(view)
    ways = {way.square for way in choices.ways(view)}
    for square in range(s.HOME, s.END + 1):
        x, y = _middle(square)
        left, top = x - SQUARE / 2, y - SQUARE_HEIGHT / 2
        numbered = square in stood_on or square in ways or square % EVERY == 0 or square == s.HOME
        if square in ways:
            scene.panel(Box(left - 6, top - 6, SQUARE + 12, SQUARE_HEIGHT + 10), ink.GOLD, corner=16)
        part = marks.square(int(square >= SECOND), trodden=square <= known)
        scene.place(part, left, top, SQUARE)
        if numbered:
            scene.figure(square, x, top + 4, FIGURE, pen=Pen(weight=1.1))


def _way_home(scene: Scene, view: View) -> None:
    """Arrowheads from the holder of the Artifact to square 1."""
    if view.holder == s.NOBODY:
        return
    for square in range(s.HOME + 1, view.at[view.holder] + 1):
        (x, y), turn = _between(square)
        scene.place(draw("step-home"), x - 11, y - 11, 22, turn=turn - 180)


# -- who and what is on a square


@dataclass(frozen=True)
class _Unit:
    """The things that stay side by side: a party's token with what goes with it, or the Artifact by itself."""

    parts: tuple[Part | None, ...]
    """None stands for the Artifact."""
    asked: bool = False


@dataclass(frozen=True)
class _Group:
    """The tray above a square that shows who and what is on it."""

    square: int
    rows: tuple[tuple[_Unit, ...], ...]
    size: int
    box: tuple[float, float, float, float]
    """The tray's left, upper, right and lower edge."""

    @classmethod
    def of(cls, view: View, square: int) -> _Group:
        asked = {decision.seat for decision in view.pending}
        units = [_Unit((None,))] if square == view.lies else []
        units += [
            _Unit(_beside(view, seat), seat in asked and view.phase != s.PARTY)
            for seat in range(view.seats)
            if view.at[seat] == square
        ]
        wide = sum(len(unit.parts) for unit in units)
        rows = _in_rows(units, wide if wide <= 2 else -(-wide // 2))
        size = TOKEN[0] if wide == 1 else TOKEN[1] if len(rows) == 1 else TOKEN[2]
        across = max(sum(len(unit.parts) for unit in row) for row in rows)
        width, height = across * size + 8, len(rows) * size + 8
        x, y = _middle(square)
        left = min(max(x - width / 2, 3), WIDTH - 3 - width)
        top = max(y - SQUARE_HEIGHT / 2 + 3 - height, 3)
        return cls(square, rows, size, (left, top, left + width, top + height))

    def moved(self, by: float) -> _Group:
        """The same tray, further to the right; it stays within the picture."""
        left, top, right, bottom = self.box
        by = min(max(by, 3 - left), WIDTH - 3 - right)
        return replace(self, box=(left + by, top, right + by, bottom))

    def draw(self, scene: Scene, prize: Part) -> None:
        left, top, right, bottom = self.box
        scene.panel(Box(left, top, right - left, bottom - top), ink.CREAM, corner=9)
        for number, row in enumerate(self.rows):
            y = top + 4 + number * self.size
            x = (left + right - sum(len(unit.parts) for unit in row) * self.size) / 2
            for unit in row:
                wide = len(unit.parts) * self.size
                carries = None in unit.parts
                if carries or unit.asked:
                    fill = ink.GOLD if carries else ink.CREAM
                    edge, line = (ink.MADDER, 5) if unit.asked else (ink.INK, 2)
                    scene.panel(
                        Box(x + 1, y + 1, wide - 2, self.size - 2), fill, line=line, ink=edge, corner=8
                    )
                inner = self.size - 5
                for place, part in enumerate(unit.parts):
                    margin = (self.size - inner) / 2
                    scene.place(part or prize, x + place * self.size + margin, y + margin, inner)
                if unit.asked:
                    above = y if number == 0 else top
                    scene.place(draw("pin"), x + self.size / 2 - 13, max(above - 27, 0), 26)
                x += wide


def _apart(groups: Sequence[_Group]) -> list[_Group]:
    """These trays, those side by side moved apart as far as they would cover each other."""
    placed = sorted(groups, key=lambda group: (_row(group.square), group.box[0]))
    for _again in range(6):
        for number, (left, right) in enumerate(pairwise(placed)):
            over = left.box[2] + 3 - right.box[0]
            if _row(left.square) == _row(right.square) and over > 0:
                placed[number] = left.moved(-over / 2)
                placed[number + 1] = right.moved(over / 2)
    return placed


def _beside(view: View, seat: int) -> tuple[Part | None, ...]:
    """A party's token, and beside it the Artifact that it carries, its camp, and that it is ready to set out."""
    found: list[Part | None] = [common.token(seat)]
    if view.holder == seat:
        found.append(None)
    if view.skips[seat]:
        found.append(draw("camp"))
    if view.phase == s.PARTY and not view.waiting >> seat & 1:
        found.append(draw("check"))
    return tuple(found)


def _in_rows(units: Sequence[_Unit], across: int) -> tuple[tuple[_Unit, ...], ...]:
    """These units in two rows at most, the one that is asked in the upper one, so many places wide or as few more."""
    units = sorted(units, key=lambda unit: not unit.asked)
    while True:
        rows: list[list[_Unit]] = [[]]
        for unit in units:
            if sum(len(other.parts) for other in rows[-1]) + len(unit.parts) > across and rows[-1]:
                rows.append([])
            rows[-1].append(unit)
        if len(rows) <= 2:
            return tuple(map(tuple, rows))
        across += 1


# -- in a strip

STRIP_HEIGHT: Final = 140
_ROW: Final = 15
"""Squares of the strip in a row."""
_CELL: Final = (WIDTH / _ROW, 68)


def strip(scene: Scene, view: View, top: float) -> None:
    """The trail in two rows, with the viewer's square framed and those gold to which the open decision may lead."""
    prize = marks.prize(choices.scenario(view).key)
    ahead: set[int] = set()
    if view.viewer == view.active:
        rolled = choices.by_roll(view).values() or [choices.ways(view)]
        ahead = {way.square for found in rolled for way in found}
    width, height = _CELL
    crowds: list[tuple[Sequence[Part], float, float, str]] = []
    for square in range(s.HOME, s.END + 1):
        row, column = divmod(square - s.HOME, _ROW)
        x, y = column * width, top + row * height
        seats = [seat for seat in range(view.seats) if view.at[seat] == square]
        own = view.viewer in seats
        signs = [common.token(seat) for seat in seats]
        signs += [prize] if square == view.lies or view.holder in seats else []
        fill = ink.BONE if square >= SECOND else ink.LEAF
        fill = ink.CREAM if signs else ink.GOLD if square in ahead else fill
        edge, line = (ink.MADDER, 6) if own else (ink.GOLD, 6) if square in ahead else (ink.INK, 2)
        scene.panel(Box(x + 3, y + 3, width - 6, height - 6), fill, line=line, ink=edge, corner=8)
        if signs:
            crowds.append((signs, x + width / 2, y + height / 2, edge))
        elif square in ahead or square % EVERY == 0 or square == s.HOME:
            scene.figure(square, x + width / 2, y + (height - 25) / 2, 25, pen=Pen(weight=1.1))
    for crowd in crowds:  # a large one covers the squares beside it
        _crowd(scene, *crowd)


def _crowd(scene: Scene, signs: Sequence[Part], x: float, y: float, edge: str) -> None:
    """Up to seven signs around the middle of a square of the strip, of which more than two widen it; the numbers beside it stay."""
    across = 1 + (len(signs) > 2) + (len(signs) > 6)
    rows, (width, height) = -(-len(signs) // across), _CELL
    if across > 1:
        width *= 1.3
        x = min(max(x, width / 2), WIDTH - width / 2)
        box = Box(x - width / 2 + 3, y - height / 2 + 3, width - 6, height - 6)
        scene.panel(box, ink.CREAM, line=6, ink=edge, corner=8)
    size = min((width - 8) / across, (height - 8) / rows)
    for place, sign in enumerate(signs):
        row, column = divmod(place, across)
        scene.place(sign, x + (column - across / 2) * size, y + (row - rows / 2) * size, size - 1)


# -- what is being decided

Edges = tuple[float, float, float, float]
"""Left, top, right and bottom."""
_NOTE: Final = 44
"""The height of what stands on a note."""
_PLACES: Final = (
    (8, 8), (210, 8), (380, 8), (96, 158), (300, 158), (420, 158), (96, 268), (300, 268), (420, 268),
)  # fmt: skip
"""Where a note may lie: the first of these where it covers nobody."""


_Note = tuple[Part | str, ...]
"""A slip of paper with parts in a row, and numbers with their signs."""


def _draw_note(scene: Scene, signs: _Note, taken: Sequence[Edges]) -> Edges:
    """Draws the note where it covers none of these; returns where that is."""
    widths = [
        figures_width(one, FIGURE) if isinstance(one, str) else _NOTE * one.width / one.height
        for one in signs
    ]
    gap = 8
    width, height = fsum(widths) + gap * (len(widths) + 1), _NOTE + 12
    places = [(min(x, WIDTH - 8 - width), y) for x, y in _PLACES]
    boxes = [(x, y, x + width, y + height) for x, y in places]
    box = min(boxes, key=lambda one: fsum(_overlap(one, other) for other in taken))
    x, y = box[0], box[1]
    scene.panel(Box(x, y, width, height), ink.CREAM, line=3.6, ink=ink.CLAY, corner=6)
    x += gap
    for one, wide in zip(signs, widths, strict=True):
        if isinstance(one, str):
            scene.figure(one, x, y + (height - FIGURE) / 2, FIGURE, anchor="start", pen=Pen(weight=1.1))
        else:
            scene.place(one, x, y + 6, one.width_at(_NOTE))
        x += wide + gap
    return box


def _overlap(one: Edges, other: Edges) -> float:
    """How much of a box another one covers; a pin above the other counts as part of it."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1] - 24)
    return max(across, 0) * max(down, 0)


def _notes(view: View) -> list[_Note]:
    notes: list[_Note] = []
    faced = choices.encounter(view)
    if view.outcome is not None:
        notes.append((draw("laurel"), common.token(view.outcome.winners[0])))
    elif faced is not None and faced.challenge:
        asked = faced.challenge
        signs: list[Part | str] = [marks.challenge(), *map(ability, asked.abilities)]
        if asked.times > 1:
            signs.append("×2")
        signs.append(marks.penalty(asked.penalty))
        if asked.squares:  # after the arrow, so that no "×2" stands beside it
            signs.append(str(asked.squares))
        notes.append(tuple(signs))
    elif view.opponent != s.NOBODY:
        notes.append(_fight(view))
    elif view.phase == s.DIRECTION:
        ways = {way.move.forward: str(way.square) for way in choices.ways(view)}
        notes.append((common.die(view.die), draw("back"), ways[False], draw("forward"), ways[True]))
    if out := [common.token(seat) for seat in range(view.seats) if view.at[seat] == s.GONE]:
        notes.append((draw("nobody"), *out))
    return notes


def _fight(view: View) -> _Note:
    mover, other, number = view.active, view.opponent, view.ability
    if number == s.NONE:
        return (common.token(mover), draw("fight"), common.token(other), ten_sided(10))
    mine = f"+{view.counts[mover][number] + choices.worth(view, view.used)}"
    theirs = f"+{view.counts[other][number]}"
    return ability(number), common.token(mover), mine, draw("fight"), common.token(other), theirs
