"""The head of the lobby, and the podium at the end."""

from __future__ import annotations

from math import fsum
from typing import Final

from bot.art import ink
from bot.art.common import die, step_height, token
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Scene, figures_width
from cogs.artifacts_inc.art import alt, draw
from cogs.artifacts_inc.art.goods import artifact
from engine.artifacts_inc.choices import counted_museums
from engine.artifacts_inc.state import SOURCES, View

BANNER_HIGH: Final = 240
PODIUM_HIGH: Final = 260

# -- the lobby


def banner() -> Picture:
    """New York, 1929."""
    scene = Scene(WIDTH, BANNER_HIGH, ink.SKY)
    scene.place(draw("evening-sky"), 0, 0)
    scene.place(draw("skyline"), 0, 0)
    scene.place(draw("biplane-in-flight"), 60, 8, 150)
    scene.place(draw("great-museum"), 262, 64, 196)
    scene.place(draw("quay"), 0, 0)
    for part, x, y, size in (
        (draw("statue"), 40, 124, 92),
        (draw("pottery"), 138, 156, 66),
        (draw("fossil"), 196, 176, 52),
        (draw("scroll"), 470, 170, 56),
        (draw("gem"), 530, 178, 46),
        (draw("company"), 588, 122, 84),
        (die(6), 236, 198, 32),
        (die(3), 446, 200, 30),
    ):
        scene.place(part, x, y, size)
    return scene.picture(alt.banner())


# -- the result

_TALL: Final = 118
"""The height of the winner's step. The others are to scale, but at least `_LEAST` high, for their figures."""
_LEAST: Final = 46
_STEP_WIDE: Final = 78


def podium(view: View) -> Picture:
    """The companies on their steps, what the winner's reputation came from, and the museums as they were counted."""
    outcome = view.outcome
    assert outcome is not None
    scene = Scene(WIDTH, PODIUM_HIGH)
    order = sorted(range(view.seats), key=lambda seat: (outcome.ranks[seat], seat))
    # The winner stands in the middle, as on every podium.
    standing = [*order[1:2], *order[:1], *order[2:]]
    left = 14 + (4 - view.seats) * _STEP_WIDE / 2
    for at, seat in enumerate(standing):
        high = step_height(outcome.scores[seat], max(outcome.scores), (_LEAST, _TALL))
        _step(scene, seat, outcome.ranks[seat], outcome.scores[seat], (left + at * _STEP_WIDE, high))
    winners = outcome.winners
    high = 58
    panel = 352
    scene.panel(Box(panel, 12, WIDTH - panel - 10, PODIUM_HIGH - 24), ink.CREAM)
    for number, seat in enumerate(winners):
        _sources(scene, view, seat, panel + 10, 22 + number * high)
    if len(winners) <= 2:
        top = 26 + len(winners) * high
        _museums(scene, view, panel + 12, top, PODIUM_HIGH - 22 - top)
    return scene.picture(alt.podium(view))


def _step(scene: Scene, seat: int, rank: int, score: int, at: tuple[float, int]) -> None:
    x, high = at
    top = PODIUM_HIGH - 12 - high
    scene.panel(Box(x, top, _STEP_WIDE, high), ink.GOLD if rank == 1 else ink.SHADE, corner=4)
    scene.figure(score, x + _STEP_WIDE / 2, top + 8, 32)
    middle = x + _STEP_WIDE / 2
    if rank == 1:
        scene.place(draw("laurel"), middle - 46, top - 92, 92)
        scene.place(token(seat), middle - 25, top - 72, 50)
    else:
        scene.place(token(seat), middle - 25, top - 54, 50)


_BESIDE: Final = 3
"""The distance of a number from its sign, in pixels."""
_APART: Final = 16
"""The distance of a number from the next sign, so that the number belongs to one sign alone."""


def _sources(scene: Scene, view: View, seat: int, x: float, y: float) -> None:
    """A winner's reputation by where it came from; without the sources that gave none."""
    signs = (draw("assets"), draw("counting"), draw("dive"), draw("museum"))
    assert len(signs) == len(SOURCES)
    scene.place(token(seat), x, y + 5, 36)
    scored = [(sign, n) for sign, n in zip(signs, view.earned[seat], strict=True) if n]
    room = WIDTH - 24 - x - 44
    figures = fsum(_BESIDE + figures_width(str(n), 30) for _sign, n in scored)
    size = min(40.0, (room - figures - _APART * (len(scored) - 1)) / max(1, len(scored)))
    at = x + 44
    for sign, n in scored:
        scene.place(sign, at, y + 22 - size / 2, size)
        scene.figure(n, at + size + _BESIDE, y + 8, 30, anchor="start")
        at += size + _BESIDE + figures_width(str(n), 30) + _APART


def _museums(scene: Scene, view: View, x: float, y: float, high: float) -> None:
    """The museums as they are counted, the closest last: the leader's token, what it gains, and the cubes."""
    assert view.outcome is not None
    winner, wide = view.outcome.winners[0], (WIDTH - 20 - x) / len(view.catalogue.museums)
    for at, each in enumerate(counted_museums(view)):
        left, middle = x + at * wide, x + (at + 0.5) * wide - 3
        scene.panel(Box(left, y, wide - 6, high), ink.GOLD if each.seat == winner else ink.BONE, corner=6)
        scene.place(artifact(each.museum), middle - high * 0.2, y + 4, high * 0.4)
        scene.place(token(each.seat), left + 4, y + high * 0.45, high * 0.24)
        scene.figure(f"+{each.points}", left + wide - 12, y + high * 0.48, high * 0.17, anchor="end")
        scene.figure(f"{each.cubes}:{each.next_most}", middle, y + high * 0.77, high * 0.15)
