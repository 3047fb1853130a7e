"""The pictures of results: a person's last places and ratings by game, the three best at a season's end, and the course
of a match.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import hypot
from typing import Final, NamedTuple

from bot.art import ink
from bot.art.common import draw, ground_line
from bot.art.ink import Part, Point, Sketch
from bot.art.picture import ALT_TEXT, Picture
from bot.art.scene import WIDTH, Box, Pen, Scene, figures_width

SHOWN: Final = 20
"""The matches of a game that are shown: the newest ones."""
ROWS: Final = 4
"""The games that are shown."""

_ROW: Final = 138
_GAP: Final = 10
_SIGN: Final = 88
_CHART: Final = Box(122, 12, 430, 114)
"""The chart in a row: the band of the rating above, a bar for each match below."""
_BAND: Final = 66
"""The height of the band's part of a chart."""
_LEAST: Final = 9
"""The height of the bar of a last place."""
_NUMBERS: Final = 634
"""The middle of the numbers at the end of a row."""
_LAUREL: Final = 46
_WON: Final = 96.0
"""The greatest width of the numbers of victories and matches."""
_COLOURS: Final = {1: ink.GOLD, 2: ink.STONE, 3: ink.CLAY}


@dataclass(frozen=True, slots=True)
class Mark:
    """A match in the chart: the place among this number of seats, and the rating after it with its upper bound.

    `rating` is None for an unrated match and for one of an earlier season.
    """

    place: int
    seats: int
    rating: tuple[int, int] | None


@dataclass(frozen=True, slots=True)
class GameRow:
    """A game in the picture: its sign, its last matches from the oldest to the newest, victories and all matches."""

    sign: Part | None
    marks: Sequence[Mark]
    wins: int
    matches: int

    @property
    def rating(self) -> int | None:
        """The newest rating."""
        return next((mark.rating[0] for mark in reversed(self.marks) if mark.rating), None)


def profile_picture(rows: Sequence[GameRow], alt: str) -> Picture:
    """The picture of these games, a row each. `alt` says the same in words."""
    scene = Scene(WIDTH, _GAP + len(rows) * (_ROW + _GAP))
    for number, row in enumerate(rows):
        _place_row(scene, number, row, _GAP + number * (_ROW + _GAP))
    return scene.picture(alt[:ALT_TEXT])


def _place_row(scene: Scene, number: int, row: GameRow, y: float) -> None:
    scene.panel(Box(8, y, WIDTH - 16, _ROW))
    if row.sign is not None:
        width = min(_SIGN, row.sign.width_at(_SIGN))
        height = width * row.sign.height / row.sign.width
        scene.place(row.sign, 20 + (_SIGN - width) / 2, y + (_ROW - height) / 2, width)
    scene.place(_chart(number, row.marks), _CHART.x, y + _CHART.y)
    middle = y + _ROW / 2
    if row.rating is not None:
        scene.figure(row.rating, _NUMBERS, y + 20, 44)
        middle = y + 100
    won = f"{row.wins}/{row.matches}"
    height = 28.0
    if (wide := figures_width(won, height)) > _WON:
        height, wide = height * _WON / wide, _WON
    left = _NUMBERS - (_LAUREL + 4 + wide) / 2
    scene.place(draw("laurel"), left, middle - _LAUREL / 2, _LAUREL)
    scene.figure(won, left + _LAUREL + 4, middle - height / 2, height, anchor="start")


def _chart(number: int, marks: Sequence[Mark]) -> Part:
    sketch = Sketch(f"results {number}", _CHART.width, _CHART.height)
    rated = any(mark.rating for mark in marks)
    step = _CHART.width / SHOWN
    first = SHOWN - len(marks)
    if rated:
        _draw_band(sketch, [(first + at, mark) for at, mark in enumerate(marks)], step)
    room = _CHART.height - (_BAND + 8 if rated else 30)
    for at, mark in enumerate(marks, first):
        behind = (mark.place - 1) / max(1, mark.seats - 1)
        height = room - (room - _LEAST) * min(1.0, behind)
        colour = _COLOURS.get(mark.place, ink.SHADE)
        sketch.box(at * step + 3, _CHART.height - height, step - 6, height, colour, line=ink.FINE)
    sketch.line([(0, _CHART.height), (_CHART.width, _CHART.height)], width=ink.FINE)
    return sketch.part()


def _draw_band(sketch: Sketch, marks: Sequence[tuple[int, Mark]], step: float) -> None:
    bounds = [(at, *mark.rating) for at, mark in marks if mark.rating is not None]
    low, high = min(one[1] for one in bounds), max(one[2] for one in bounds)

    def point(at: int, points: int) -> Point:
        return (at + 0.5) * step, _BAND - 4 - (_BAND - 8) * (points - low) / max(1, high - low)

    lower = [point(at, rating) for at, rating, _most in bounds]
    upper = [point(at, most) for at, _rating, most in bounds]
    if len(bounds) == 1:
        (x, bottom), (_x, top) = lower[0], upper[0]
        sketch.box(x - step / 2 + 2, top, step - 4, bottom - top, ink.SKY, line=0)
    else:
        sketch.polygon([*upper, *reversed(lower)], ink.SKY, line=0)
        sketch.line(lower, width=4, ink=ink.INDIGO)
    sketch.dots([lower[-1]], 6, ink.INDIGO)


HEIGHT: Final = 220
STEPS: Final = 3
_GROUND: Final = 204
_STEP: Final = 132
_TALL: Final = (128, 98, 74)
"""The heights of the steps by place."""
_ORDER: Final = (1, 0, 2)
"""The places from left to right: the first stands in the middle."""
_STEP_COLOURS: Final = (ink.GOLD, ink.STONE, ink.CLAY)
_SEASON_SIGN: Final = 150


def season_podium(ratings: Sequence[int], sign: Part | None, alt: str) -> Picture:
    """The podium of a game: at most three ratings, best first, and the game's sign. `alt` says the same in words.

    Equal ratings share the better place.
    """
    scene = Scene(WIDTH, HEIGHT)
    left = 250.0 if sign is not None else (WIDTH - STEPS * _STEP) / 2
    scene.place(ground_line(STEPS * _STEP + 40), left - 20, _GROUND - 9)
    if sign is not None:
        width = min(_SEASON_SIGN, sign.width_at(_SEASON_SIGN))
        height = width * sign.height / sign.width
        scene.place(sign, 50 + (_SEASON_SIGN - width) / 2, _GROUND - height, width)
    for number, at in enumerate(_ORDER):
        if at < len(ratings):
            place = ratings.index(ratings[at])
            height = _TALL[place]
            _place_step(
                scene, place, ratings[at], Box(left + number * _STEP, _GROUND - height, _STEP, height)
            )
    return scene.picture(alt[:ALT_TEXT])


def _place_step(scene: Scene, place: int, rating: int, box: Box) -> None:
    """A step with its rating and its place, which is counted from 0."""
    x, top = box.x, box.y
    middle = x + box.width / 2
    scene.panel(Box(x + 2, top + 4, box.width - 4, box.height - 4), _STEP_COLOURS[place], corner=0)
    scene.panel(Box(x, top, box.width, 9), _STEP_COLOURS[place], corner=2)
    scene.figure(rating, middle, _GROUND - 50, 38, pen=Pen(weight=1.15, halo=ink.BONE))
    if place == 0:
        scene.place(draw("laurel"), middle - 37, top - 74, 74)
    height = 34 if place == 0 else 42
    scene.figure(
        place + 1, middle, top - (54 if place == 0 else 50), height, pen=Pen(weight=1.3, halo=ink.BONE)
    )


COURSE_HEIGHT: Final = 312
_COURSE: Final = Box(96, 34, 600, 216)
"""The chart of a match's course: from certain defeat, below, to certain victory."""


_DISC: Final = 38
"""The distance of a flag from the course, and from other flags."""


class Flag(NamedTuple):
    """The number of a moment on a course: of a decision, or of the stretch between two points; and whether the chance
    rises there.

    `first` and `last` are places as points have them; they are the same where a decision cost nothing.
    """

    number: int
    first: float
    last: float
    rises: bool


def course_picture(
    points: Sequence[tuple[float, float]],
    turns: Mapping[int, int],
    flags: Sequence[Flag],
    alt: str,
    beside: Sequence[tuple[float, float]] = (),
    marks: Sequence[str] = ("0%", "50%", "100%"),
) -> Picture:
    """The picture of a part from 0 to 1, such as a chance, in the course of a match, with these flags; `alt` says it in
    words. `beside` are the points of a second course, a fine line. `marks` stand at nothing, a half and all.

    Points and flags have places from left to right. `turns` are at the foot: the place of each. Flags are discs: above
    the course where it rises, and below where it falls; on it where there is a second one.
    """
    scene, box = Scene(WIDTH, COURSE_HEIGHT), _COURSE
    first, last = points[0][0], points[-1][0]

    def place(number: float, chance: float) -> Point:
        return box.width * (number - first) / max(1, last - first), box.height * (1 - chance)

    def part(flag: Flag) -> list[Point]:
        return [place(*point) for point in points if flag.first <= point[0] <= flag.last]

    stretches = [flag for flag in flags if flag.first < flag.last]
    scene.panel(Box(8, 8, WIDTH - 16, COURSE_HEIGHT - 16))
    for half, mark in enumerate(marks):
        y = box.y + place(first, half / 2)[1]
        scene.line((box.x, y), (box.x + box.width, y), ink.FINE, ink.SHADE)
        scene.figure(mark, box.x - 10, y - 12, 24, anchor="end")
    path = [place(*point) for point in points]
    sketch = Sketch("course", box.width, box.height)
    sketch.polygon([(path[0][0], box.height), *path, (path[-1][0], box.height)], ink.SKY, line=0)
    if beside:
        sketch.line([place(*point) for point in beside], width=3, ink=ink.CLAY)
    sketch.line(path, width=5, ink=ink.INDIGO)
    for flag in stretches:
        sketch.line(part(flag), width=9, ink=ink.OLIVE if flag.rises else ink.CLAY)
    sketch.dots([path[-1]], 8, ink.INDIGO)
    scene.place(sketch.part(), box.x, box.y)
    step = next((step for step in (1, 2, 5) if len(turns) <= 12 * step), 10)
    for turn, number in turns.items():
        if turn == 1 or turn % step == 0:
            x = box.x + place(number, 0)[0]
            scene.figure(turn, x, box.y + box.height + 14, 20, pen=Pen(weight=0.8))
    heights = (next((part for n, part in points if n >= flag.first), points[-1][1]) for flag in flags)
    at = [place(flag.first, height) for flag, height in zip(flags, heights, strict=True)]
    _place_flags(scene, flags, at, 0 if beside else _DISC)
    return scene.picture(alt[:ALT_TEXT])


def _place_flags(scene: Scene, flags: Sequence[Flag], at: Sequence[Point], least: int) -> None:
    """Places discs at `least` so far above or below these points, none on another, each where its moment begins."""
    taken, box = list[Point](), _COURSE
    for flag, (x, begin) in zip(flags, at, strict=True):
        side = -1 if flag.rises else 1
        tried = (
            (x + aside, begin + way * away)
            for aside in range(0, WIDTH, 4)
            for way in (side, -side)
            for away in range(least, COURSE_HEIGHT, 4 if least else _DISC)
        )
        x, y = next(
            (a, b)
            for a, b in tried
            if 0 <= b <= box.height - 18 and all(hypot(a - c, b - d) >= _DISC for c, d in taken)
        )
        taken.append((x, y))
        colour, disc = ink.OLIVE if flag.rises else ink.CLAY, Box(box.x + x - 17, box.y + y - 17, 34, 34)
        scene.panel(disc, colour, line=ink.FINE, corner=17)
        scene.figure(flag.number, box.x + x, box.y + y - 11, 22, pen=Pen(ink.CREAM, weight=1.3))
