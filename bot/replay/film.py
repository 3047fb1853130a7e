"""A match as a film: an animated GIF with a frame per turn.

GIF is the only animated format that all of Discord's clients play automatically. A frame shows the table at the end of
a turn with boxes around what has changed since the frame before, and below it a caption: the token of the seat whose
turn it was, the picture of what was memorable in it, and all that happened in it as signs. In a film with all hands, it
also shows the seats' own pictures, each beside the seat's token.
"""

from __future__ import annotations

import io
import math
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final, NamedTuple

from PIL import Image, ImageColor

from bot.art import common, ink
from bot.art.common import draw
from bot.art.picture import Layer, Picture
from bot.art.rendering import Tiles, pixels
from bot.art.scene import WIDTH, Box, Deed, Scene, place_deeds
from bot.replay.turns import Moment, moments
from bot.ui.screens.game_screens import AnyScreens, SeenEvent
from engine.game import AnyGame, Event
from engine.record import Record

NEAR: Final = 10
"""Changes at most this far from each other share a box, in pixels."""
MOST: Final = 0.5
"""The greatest share of a picture that boxes cover; if most of it has changed, boxes would say nothing."""
ROOMY: Final = 1.5
"""How much larger a shared box may be than what has changed in it: a larger one would cut through its neighbours."""
FEW: Final = 12
"""The most boxes in a frame: more draw the eye to nothing."""
WIDE: Final = 1 / 3
"""Layers wider than this share of a picture are grounds on which other layers stand: they do not count."""
MOVED: Final = 12
"""So many layers that have moved down or up by the same distance have only made room for others."""


def changed(before: Picture, after: Picture) -> list[Box]:
    """The boxes around the layers of `after` that `before` does not have; none if they are many, or cover most of it.

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
    return boxes if covered <= MOST * after.width * after.height and len(boxes) <= FEW else []


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
    """Whether boxes are close, and a box around both has little else in it."""
    around = _around([one, other])
    if around.width * around.height > ROOMY * (one.width * one.height + other.width * other.height):
        return False
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


_INKS: Final = [ImageColor.getrgb(colour)[:3] for colour in ink.COLOURS]
_GAP: Final = 8
_TOKEN: Final = 30
_AROUND: Final = 5
"""The distance of a mark from what has changed, so that its line hides no outline of a digit."""
_STRIP: Final = 40
"""The height of the progress line at the bottom."""
CAPTION: Final = 112
"""The height of a frame's caption."""

Report = Callable[[int, int], None]
"""Called with the number of frames drawn, and the number of all frames."""
LONGEST: Final = 60.0
"""The maximum duration, in seconds."""
LARGEST: Final = 8_000_000
"""The maximum file size, in bytes."""
_FRAME_AT_LEAST: Final = 0.9
"""The shortest duration of a frame, in seconds."""
_FRAME_AT_MOST: Final = 2.0
"""The longest duration of a frame, in seconds, without what the last one has in addition."""
_AT_THE_END: Final = 4.0
"""The additional seconds of the last frame."""
FRAMES: Final = math.floor((LONGEST - _AT_THE_END) / _FRAME_AT_LEAST)
"""The maximum number of frames. Longer matches are sampled evenly."""
_COLOURS: Final = 96
"""The colours of the palette."""
_SAMPLED: Final = 4
"""The number of frames from which the palette is computed."""
_SCALES: Final = (1.0, 0.75, 0.55, 0.4)
"""The scales tried in turn until the file is small enough."""


class NoFilm(Exception):
    """There is no film. `code` is the reason.

    `no-pictures`: the game has no pictures. `other-rules`: the moves cannot be replayed with the present rules or card
    list. `failed`: an error. `superseded`: the person has requested another film since. `closing`: the bot is stopping.
    """

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


class Film(NamedTuple):
    """A GIF, the number of its frames, and the number of turns of the match."""

    data: bytes
    frames: int
    turns: int


@dataclass(frozen=True, slots=True)
class Frame:
    """The table at the end of a turn, and each seat's own picture.

    `owner` is the seat whose turn it was; None in the set-up. `nth` is the turn's number (`Moment`). `own` has an entry
    per seat, None for a seat without a picture; `own` is empty in a film without hands. `memorable` is the turn's
    picture, if it has one, and `deeds` are the events of the turn; in the set-up, the seats. `changed` are the places
    of the table that differ from the frame before.
    """

    turn: int
    nth: int
    owner: int | None
    table: Picture
    own: tuple[Picture | None, ...] = ()
    memorable: Picture | None = None
    deeds: tuple[Deed, ...] = ()
    changed: tuple[Box, ...] = ()


def make_film(
    record: Record,
    games: Mapping[str, AnyGame],
    screens: Mapping[str, AnyScreens],
    *,
    everything: bool,
    report: Report,
    largest: int = LARGEST,
) -> Film:
    """The film of a match, at most `largest` bytes: with all hands if `everything`, else from a spectator's view.

    Raises `NoFilm`.
    """
    every = list(frames_of(record, games, screens, everything=everything))
    shown = _marked(thinned(every, FRAMES))
    layout = _Layout.of(shown)
    for number, size in enumerate(_SCALES):
        drawn = _drawn(shown, layout, round(WIDTH * size), report if number == 0 else _silent)
        data = _gif(drawn)
        if len(data) <= largest:
            return Film(data, len(shown), every[-1].turn)
    raise NoFilm("failed")


def _silent(_drawn: int, _of: int) -> None: ...


# -- frames


def frames_of(
    record: Record, games: Mapping[str, AnyGame], screens: Mapping[str, AnyScreens], *, everything: bool
) -> Iterator[Frame]:
    """The frames of the set-up and of the end of each turn; for the last turn, its present state. Raises `NoFilm`."""
    moves = -1
    last: Frame | None = None
    events: list[SeenEvent] = []
    for moment in moments(record, games):
        moves = moment.step.move
        frame = _frame(games[record.game], screens[record.game], moment, everything=everything)
        if last is not None and moment.turn != last.turn:
            yield _captioned(last, screens[record.game], events, len(record.seats))
            events = []
        events += [_seen(event, everything=everything) for event in moment.step.events]
        last = Frame(moment.turn, moment.nth, moment.owner, *frame)
    if last is None or moves != len(record.moves):
        raise NoFilm("other-rules")
    yield _captioned(last, screens[record.game], events, len(record.seats))


def _seen(event: Event, *, everything: bool) -> SeenEvent:
    """An event as everybody may know it; with its secrets in a film with all hands."""
    return SeenEvent(event.kind, event.seat, {**event.facts, **event.secret} if everything else event.facts)


def _captioned(frame: Frame, screens: AnyScreens, events: Sequence[SeenEvent], seats: int) -> Frame:
    if frame.owner is None:
        return replace(frame, deeds=tuple([common.token(seat)] for seat in range(seats)))
    return replace(frame, memorable=screens.vignette(events), deeds=tuple(screens.deeds(events)))


def _frame(
    game: AnyGame, screens: AnyScreens, moment: Moment, *, everything: bool
) -> tuple[Picture, tuple[Picture | None, ...]]:
    state = moment.step.state
    view = game.view(state, None)
    shown = view if moment.owner is None else screens.view_of_turn(view, moment.owner)
    table = screens.table_picture(shown)
    if table is None:
        raise NoFilm("no-pictures")
    if not everything or not screens.own_in_film:
        return table, ()
    return table, tuple(screens.own_picture(game.view(state, seat)) for seat in range(view.seats))


def thinned(frames: Sequence[Frame], limit: int = FRAMES) -> list[Frame]:
    """At most `limit` frames, evenly spread, with the first and the last."""
    if len(frames) <= limit:
        return list(frames)
    return [frames[round(number * (len(frames) - 1) / (limit - 1))] for number in range(limit)]


def _marked(frames: Sequence[Frame]) -> list[Frame]:
    later = [
        replace(frame, changed=tuple(changed(before.table, frame.table)))
        for before, frame in pairwise(frames)
    ]
    return [*frames[:1], *later]


def durations(frames: int) -> list[int]:
    """The duration of each frame, in milliseconds."""
    each = (LONGEST - _AT_THE_END) / frames
    each = min(_FRAME_AT_MOST, max(_FRAME_AT_LEAST, each))
    # A GIF has a resolution of 10 ms.
    times = [int(each * 100) * 10] * frames
    times[-1] += int(_AT_THE_END * 1000)
    return times


# -- drawing


@dataclass(frozen=True, slots=True)
class _Layout:
    """The layout of a film's frames."""

    table: int
    """The height of the table's picture."""
    large: int
    """The height of the mover's own picture, which is as wide as the frame: on a phone its cards can be read."""
    columns: int
    row: int
    """The height of a row of the other seats' own pictures."""
    rows: int
    turns: int

    @classmethod
    def of(cls, frames: Sequence[Frame]) -> _Layout:
        own = [picture for frame in frames for picture in frame.own if picture is not None]
        seats = max(len(frame.own) for frame in frames) if own else 0
        others = max(seats - 1, 0)
        columns = 2 if others <= 4 else 3
        ratio = max((picture.height / picture.width for picture in own), default=0)
        return cls(
            table=max(frame.table.height for frame in frames),
            large=math.ceil(ratio * WIDTH) + _GAP if own else 0,
            columns=columns,
            row=math.ceil(ratio * (WIDTH // columns - _TOKEN - 2 * _GAP)) + _GAP,
            rows=math.ceil(others / columns),
            turns=frames[-1].turn,
        )

    @property
    def height(self) -> int:
        return self.table + CAPTION + self.large + self.rows * self.row + _STRIP

    def scene(self, frame: Frame) -> Picture:
        """The whole frame as one picture."""
        scene = Scene(WIDTH, self.height)
        scene.spread(frame.table, 0, 0, WIDTH)
        below = Box(0, frame.table.height, WIDTH, self.height - frame.table.height)
        scene.panel(below, ink.PAPER, line=0, corner=0)  # covers what the table draws beyond its edge
        for box in frame.changed:
            around = Box(box.x - _AROUND, box.y - _AROUND, box.width + 2 * _AROUND, box.height + 2 * _AROUND)
            scene.panel(around, None, line=6, ink=ink.CREAM).panel(around, None, line=4, ink=ink.CLAY)
        self._caption(scene, frame)
        if self.large:
            self._hands(scene, frame)
        self._strip(scene, frame)
        return scene.picture("·")

    def _hands(self, scene: Scene, frame: Frame) -> None:
        mover, cell, top = frame.owner or 0, WIDTH // self.columns, self.table + CAPTION
        others = [seat for seat in range(len(frame.own)) if seat != mover]
        if frame.own and (picture := frame.own[mover]) is not None:
            # In its own size every edge stays where it was drawn.
            scene.spread(picture, 0, top, WIDTH)
        if frame.own and frame.owner is None:
            scene.place(common.token(mover), _GAP, top + _GAP / 2, _TOKEN)
        for number, seat in enumerate(others):
            x, y = number % self.columns * cell + _GAP, top + self.large + number // self.columns * self.row
            scene.place(common.token(seat), x, y + _GAP / 2, _TOKEN)
            if (picture := frame.own[seat]) is not None:
                scene.spread(picture, x + _TOKEN + _GAP / 2, y, cell - _TOKEN - 2 * _GAP)

    def _caption(self, scene: Scene, frame: Frame) -> None:
        x, high = 2.0 * _GAP, CAPTION - 2 * _GAP
        if frame.owner is not None:
            scene.place(common.token(frame.owner), x, self.table + (CAPTION - 64) / 2, 64)
            x += 64 + 2 * _GAP
        if frame.memorable is not None:
            wide = high * frame.memorable.width / frame.memorable.height
            scene.inset(frame.memorable, x, self.table + _GAP, wide)
            x += wide + 2 * _GAP
        place_deeds(scene, frame.deeds, Box(x, self.table + _GAP, WIDTH - _GAP - x, high))

    def _strip(self, scene: Scene, frame: Frame) -> None:
        y = self.height - _STRIP + 5
        scene.figure(frame.nth, WIDTH - _GAP, y + 3, 24, anchor="end")
        left, right = 2 * _GAP, WIDTH - 150
        scene.panel(Box(left, y + 9, right - left, 12), ink.BONE, line=ink.FINE, corner=6)
        done = (right - left) * frame.turn / max(self.turns, 1)
        if done >= 12:
            scene.panel(Box(left, y + 9, done, 12), ink.CLAY, line=ink.FINE, corner=6)


def _drawn(frames: Sequence[Frame], layout: _Layout, width: int, report: Report) -> list[Image.Image]:
    """The frames' pixels, in one palette. A part is rasterised once for all frames."""
    palette, tiles, height = _palette(frames, layout, width), Tiles(), round(layout.height * width / WIDTH)
    drawn: list[Image.Image] = []
    for number, frame in enumerate(frames):
        report(number, len(frames))
        image = tiles.compose(layout.scene(frame))
        if width != WIDTH:
            # Pillow describes the size's type by NumPy's, which is not installed.
            image = image.resize((width, height))  # pyright: ignore[reportUnknownMemberType]
        drawn.append(image.quantize(palette=palette, dither=Image.Dither.NONE))
    report(len(frames), len(frames))
    return drawn


def _palette(frames: Sequence[Frame], layout: _Layout, width: int) -> Image.Image:
    """The palette: all colours of ink and paper, and sampled colours between them."""
    chosen = thinned(frames, min(_SAMPLED, len(frames)))
    images = [pixels(layout.scene(frame).svg, width // 2).convert("RGB") for frame in chosen]
    across, down = images[0].size
    sheet = Image.new("RGB", (across, down * len(images)))
    for number, image in enumerate(images):
        sheet.paste(image, (0, down * number))
    found = sheet.quantize(_COLOURS - len(_INKS), method=Image.Quantize.MEDIANCUT).getpalette() or []
    palette = Image.new("P", (1, 1))
    palette.putpalette([*(part for colour in _INKS for part in colour), *found])
    return palette


def _gif(drawn: Sequence[Image.Image]) -> bytes:
    first, *others = drawn
    out = io.BytesIO()
    first.save(
        out,
        "GIF",
        save_all=True,
        append_images=others,
        duration=durations(len(drawn)),
        loop=0,
        optimize=False,
        disposal=1,
    )
    return out.getvalue()
