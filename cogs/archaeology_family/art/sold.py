"""All sold sets of a match, large enough to be recognised one by one."""

from __future__ import annotations

from typing import Final

from bot.art import common
from bot.art.numerals import Pen
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Scene
from cogs.archaeology_family.art import draw, texts
from cogs.archaeology_family.art.cards import dearest_first, place_sets
from engine.archaeology_family.state import View

EDGE: Final = 8
LINE: Final = 68
"""The height of a seat's sheet with the distance to the next."""
MOST: Final = 380
MONEY: Final = 184
"""Where the sets begin, from a sheet's left edge."""


def sold_picture(view: View) -> Picture:
    """Each seat with its money and all sets that it has sold, the best first."""
    crowded = max(map(len, view.sold)) > 10
    pitch = min(LINE + 40 * crowded, (MOST - 2 * EDGE) / view.seats)
    scene = Scene(WIDTH, round(pitch * view.seats + 2 * EDGE - 6))
    for seat in range(view.seats):
        top = EDGE + seat * pitch
        middle = top + (pitch - 6) / 2
        scene.panel(Box(EDGE, top, WIDTH - 2 * EDGE, pitch - 6), line=2.4)
        scene.place(common.token(seat), EDGE + 10, middle - 22, 44)
        scene.place(draw("money"), EDGE + 64, middle - 18, 36)
        scene.figure(view.money[seat], EDGE + 106, middle - 16, 32, anchor="start", pen=Pen(weight=1.15))
        sets = dearest_first(view.sold[seat], view.prices)
        room = WIDTH - 2 * EDGE - MONEY - 8
        place_sets(scene, sets, Box(EDGE + MONEY, top + 4, room, pitch - 12), limit=50)
    return scene.picture(texts.sold(view))
