"""The head of the lobby, and the podium at the end."""

from __future__ import annotations

from typing import Final

from bot.art import ink
from bot.art.common import die, step_height, token
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Scene
from cogs.artifacts_inc.art import alt, draw
from cogs.artifacts_inc.art.goods import artifact
from engine.artifacts_inc.choices import counted_museums
from engine.artifacts_inc.state import View

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
_WIDE: Final = 312


def podium(view: View) -> Picture:
    """The companies on their steps, and the museums as they were counted."""
    outcome = view.outcome
    assert outcome is not None
    scene = Scene(WIDTH, PODIUM_HIGH)
    order = sorted(range(view.seats), key=lambda seat: (outcome.ranks[seat], seat))
    # The winner stands in the middle, as on every podium.
    standing = [*order[1:2], *order[:1], *order[2:]]
    wide = _WIDE / view.seats
    for at, seat in enumerate(standing):
        high = step_height(outcome.scores[seat], max(outcome.scores), (_LEAST, _TALL))
        box = Box(14 + at * wide, PODIUM_HIGH - 12 - high, wide, high)
        _step(scene, seat, outcome.ranks[seat], outcome.scores[seat], box)
    _museums(scene, view, 352)
    return scene.picture(alt.podium(view))


def _step(scene: Scene, seat: int, rank: int, score: int, box: Box) -> None:
    scene.panel(box, ink.GOLD if rank == 1 else ink.SHADE, corner=4)
    middle = box.x + box.width / 2
    scene.figure(score, middle, box.y + 8, 32)
    if rank == 1:
        scene.place(draw("laurel"), middle - 46, box.y - 92, 92)
        scene.place(token(seat), middle - 25, box.y - 72, 50)
    else:
        scene.place(token(seat), middle - 25, box.y - 54, 50)


def _museums(scene: Scene, view: View, x: float) -> None:
    """The museums as they are counted, the closest last: the leader's token, what it gains, and the cubes."""
    assert view.outcome is not None
    counted = counted_museums(view)
    wide = (WIDTH - 10 - x) / max(2, len(counted))
    for at, each in enumerate(counted):
        left, middle = x + at * wide, x + (at + 0.5) * wide - 3
        ground = ink.GOLD if each.seat in view.outcome.winners else ink.CREAM
        scene.panel(Box(left, 12, wide - 6, PODIUM_HIGH - 24), ground)
        scene.place(artifact(each.museum), middle - 36, 22, 72)
        scene.place(token(each.seat), middle - 36, 122, 30)
        scene.figure(f"+{each.points}", middle + 34, 126, 23, anchor="end")
        scene.figure(f"{each.cubes}:{each.next_most}", middle, 192, 36)
    if not counted:
        scene.place(draw("great-museum"), x + 80, 70, 196)
