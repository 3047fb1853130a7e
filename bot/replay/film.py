"""A match as a film: an animated picture with a frame for each turn.

It is a GIF, because Discord plays no other animated picture in all of its clients by itself. A frame shows the table as
it was at the end of a turn. Once a match is over, what every seat had stands below it, each beside its token.
"""

from __future__ import annotations

import io
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, NamedTuple

from PIL import Image, ImageColor

from bot.art import common, ink
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Scene
from bot.art.tiles import pixels
from bot.replay.turns import moments
from bot.ui.screens.game_screens import AnyScreens
from engine.game import AnyGame
from engine.record import Record

SECONDS: Final = 60.0
"""The longest film."""
LARGEST: Final = 8_000_000
"""The most bytes of a film's file."""
AT_LEAST: Final = 0.9
AT_MOST: Final = 2.0
"""For how many seconds a frame is seen."""
AT_THE_END: Final = 4.0
"""How many seconds longer the last frame is seen."""
FRAMES: Final = math.floor((SECONDS - AT_THE_END) / AT_LEAST)
"""The most frames. Of a match with more turns, only some are shown, evenly spread."""

COLOURS: Final = 96
_INKS: Final = [
    ImageColor.getrgb(colour)[:3]
    for name, colour in vars(ink).items()
    if name.isupper() and isinstance(colour, str)
]
_SAMPLES: Final = 4
"""From how many frames the colours are taken."""
SMALLER: Final = (1.0, 0.75, 0.55, 0.4)
"""The sizes that are tried until the file is small enough."""

_GAP: Final = 8
_TOKEN: Final = 30
_STRIP: Final = 40
"""The height of the line at the bottom, which tells the turn."""

Report = Callable[[int, int], None]
"""Is told how many frames are drawn, and of how many."""


class Unwatchable(Exception):
    """There is no film of this match. `code` says why.

    `no-pictures`: the game has none. `other-rules`: the moves cannot be played again, because the match was played by
    other rules or with another card list. `failed`: it could not be drawn. `superseded`: whoever asked for it has asked
    for another one since. `closing`: the bot is being stopped.
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
    """The table at the end of a turn, and what every seat has.

    `owner` is the seat whose turn it is; None in the set-up. `own` has an entry for each seat, which is None if the
    seat has nothing to show; it is empty while the match is under way.
    """

    turn: int
    owner: int | None
    table: Picture
    own: tuple[Picture | None, ...] = ()


def make_film(
    record: Record,
    games: Mapping[str, AnyGame],
    screens: Mapping[str, AnyScreens],
    *,
    everything: bool,
    report: Report,
) -> Film:
    """The film of a match: of all that happened, or only of what all may know. Raises `Unwatchable`."""
    every = list(frames_of(record, games, screens, everything=everything))
    shown = thinned(every)
    layout = _Layout.of(shown)
    for number, size in enumerate(SMALLER):
        drawn = _drawn(shown, layout, round(WIDTH * size), report if number == 0 else _silent)
        data = _gif(drawn)
        if len(data) <= LARGEST:
            return Film(data, len(shown), every[-1].turn)
    raise Unwatchable("failed")


def _silent(_drawn: int, _of: int) -> None:
    """Tells nobody: the same frames are drawn once more."""


# -- what is shown


def frames_of(
    record: Record, games: Mapping[str, AnyGame], screens: Mapping[str, AnyScreens], *, everything: bool
) -> Iterator[Frame]:
    """The set-up, and each turn at its end or, the last one, as far as it has come. Raises `Unwatchable`."""
    moves = -1
    last: Frame | None = None
    for moment in moments(record, games):
        moves = moment.step.move
        frame = _frame(games[record.game], screens[record.game], moment.step.state, everything=everything)
        if last is not None and moment.turn != last.turn:
            yield last
        last = Frame(moment.turn, moment.owner, *frame)
    if last is None or moves != len(record.moves):
        raise Unwatchable("other-rules")
    yield last


def _frame(
    game: AnyGame, screens: AnyScreens, state: Any, *, everything: bool
) -> tuple[Picture, tuple[Picture | None, ...]]:
    view = game.view(state, None)
    table = screens.table_picture(view)
    if table is None:
        raise Unwatchable("no-pictures")
    if not everything:
        return table, ()
    return table, tuple(screens.own_picture(game.view(state, seat)) for seat in range(view.seats))


def thinned(frames: Sequence[Frame], most: int = FRAMES) -> list[Frame]:
    """At most so many frames, evenly spread, the first and the last among them."""
    if len(frames) <= most:
        return list(frames)
    return [frames[round(number * (len(frames) - 1) / (most - 1))] for number in range(most)]


def durations(frames: int) -> list[int]:
    """For how many milliseconds each frame is seen."""
    each = min(AT_MOST, max(AT_LEAST, (SECONDS - AT_THE_END) / frames))
    # A GIF counts hundredths of a second.
    times = [int(each * 100) * 10] * frames
    times[-1] += int(AT_THE_END * 1000)
    return times


# -- how a frame is drawn


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where things stand. It is the same in all frames of a film, so that nothing jumps."""

    table: int
    """The height of the table's picture."""
    columns: int
    row: int
    """The height of a row of the seats' own pictures."""
    rows: int
    turns: int

    @classmethod
    def of(cls, frames: Sequence[Frame]) -> _Layout:
        own = [picture for frame in frames for picture in frame.own if picture is not None]
        seats = max(len(frame.own) for frame in frames) if own else 0
        columns = 2 if seats <= 4 else 3
        across = WIDTH // columns - _TOKEN - 2 * _GAP
        heights = [picture.height * across / picture.width for picture in own]
        return cls(
            table=max(frame.table.height for frame in frames),
            columns=columns,
            row=math.ceil(max(heights, default=0)) + _GAP,
            rows=math.ceil(seats / columns),
            turns=frames[-1].turn,
        )

    @property
    def height(self) -> int:
        return self.table + self.rows * self.row + _STRIP

    def scene(self, frame: Frame) -> Picture:
        """The whole frame as one picture."""
        scene = Scene(WIDTH, self.height)
        scene.inset(frame.table, 0, 0, WIDTH)
        cell = WIDTH // self.columns
        for seat, picture in enumerate(frame.own if self.rows else ()):
            x = seat % self.columns * cell + _GAP
            y = self.table + seat // self.columns * self.row
            scene.place(common.token(seat), x, y + _GAP / 2, _TOKEN)
            if picture is not None:
                scene.inset(picture, x + _TOKEN + _GAP / 2, y, cell - _TOKEN - 2 * _GAP)
        self._strip(scene, frame)
        return scene.picture("·")

    def _strip(self, scene: Scene, frame: Frame) -> None:
        """The line that tells how far the match has come, and whose turn it is."""
        y = self.height - _STRIP + 5
        if frame.owner is not None:
            scene.place(common.token(frame.owner), _GAP, y, _TOKEN)
        scene.figure(f"{frame.turn}/{self.turns}", WIDTH - _GAP, y + 3, 24, anchor="end")
        left, right = 50, WIDTH - 150
        scene.panel(Box(left, y + 9, right - left, 12), ink.BONE, line=ink.FINE, corner=6)
        done = (right - left) * frame.turn / max(self.turns, 1)
        if done >= 12:
            scene.panel(Box(left, y + 9, done, 12), ink.CLAY, line=ink.FINE, corner=6)


def _drawn(frames: Sequence[Frame], layout: _Layout, width: int, report: Report) -> list[Image.Image]:
    """The frames' pixels, all in the same colours."""
    palette = _palette(frames, layout, width)
    drawn: list[Image.Image] = []
    for number, frame in enumerate(frames):
        report(number, len(frames))
        image = pixels(layout.scene(frame).svg, width).convert("RGB")
        drawn.append(image.quantize(palette=palette, dither=Image.Dither.NONE))
    report(len(frames), len(frames))
    return drawn


def _palette(frames: Sequence[Frame], layout: _Layout, width: int) -> Image.Image:
    """The colours of a film: all of ink and paper, so that none turns into another, and what lies between them."""
    chosen = thinned(frames, min(_SAMPLES, len(frames)))
    images = [pixels(layout.scene(frame).svg, width // 2).convert("RGB") for frame in chosen]
    across, down = images[0].size
    sheet = Image.new("RGB", (across, down * len(images)))
    for number, image in enumerate(images):
        sheet.paste(image, (0, down * number))
    found = sheet.quantize(COLOURS - len(_INKS), method=Image.Quantize.MEDIANCUT).getpalette() or []
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
