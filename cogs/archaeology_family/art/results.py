"""The result of a match as a picture: who stands on which step, a museum's case with the best sets, and all sold sets."""

from __future__ import annotations

from typing import Final

from bot.art import common, ink
from bot.art.common import step_height
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Box, Pen, Scene, figures_width
from cogs.archaeology_family.art import draw, texts
from cogs.archaeology_family.art.cards import dearest_first, place_sets, treasure
from cogs.archaeology_family.art.table import ROOM
from engine.archaeology_family.card_list import bundles
from engine.archaeology_family.state import Set, View

HEIGHT: Final = 300
GROUND: Final = 288
STEP: Final = 88
TALL: Final = 162
"""The height of the winner's step. The others are to scale, but at least `LEAST` high, for their figures."""
LEAST: Final = 82
COLOURS: Final = {1: ink.GOLD, 2: ink.STONE, 3: ink.CLAY}
"""The colours of steps by rank. Later ranks stand on the colour of shadows."""
SHELVES: Final = 3
ON_SHELF: Final = 3
"""Sets on each shelf of the case."""
CASE: Final = (256, 286)


def best_sets(view: View) -> list[Set]:
    """The best sets of those who won, as many as the case holds."""
    assert view.outcome is not None
    sold = [sets for seat in view.outcome.winners for sets in view.sold[seat]]
    return dearest_first(sold, view.prices)[: SHELVES * ON_SHELF]


def podium(view: View) -> Picture:
    """The result of a match that is over."""
    outcome = view.outcome
    assert outcome is not None
    scene = Scene(WIDTH, HEIGHT)
    order = sorted(range(view.seats), key=lambda seat: (outcome.ranks[seat], seat))
    order[:2] = reversed(order[:2])  # the first stands in the middle of the first three
    left = (WIDTH - CASE[0] - 12 - STEP * view.seats) / 2
    scene.place(common.ground_line(int(STEP * view.seats) + 16), left - 8, GROUND - 9)
    for place, seat in enumerate(order):
        height = step_height(outcome.scores[seat], max(outcome.scores), (LEAST, TALL))
        _place_step(
            scene,
            outcome.ranks[seat],
            seat,
            outcome.scores[seat],
            Box(left + place * STEP, GROUND - height, STEP, height),
        )
    sets = best_sets(view)
    more = sum(len(view.sold[seat]) for seat in outcome.winners) - len(sets)
    _place_case(scene, sets, WIDTH - CASE[0] - 10, 6, more)
    counts = [sum(n for each, n in sets if each == kind) for kind in range(view.kinds)]
    return scene.picture(texts.podium(outcome, bundles(counts)))


def _place_step(scene: Scene, rank: int, seat: int, money: int, box: Box) -> None:
    x, top = box.x, box.y
    colour = COLOURS.get(rank, ink.SHADE)
    scene.panel(Box(x + 2, top + 4, STEP - 4, box.height - 4), colour, line=ROOM, corner=0)
    scene.panel(Box(x, top, STEP, 9), colour, line=ROOM, corner=2)
    scene.figure(rank, x + STEP / 2, top + 15, 30, pen=Pen(weight=1.3, halo=ink.BONE))
    wide = 30 + figures_width(str(money), 28)
    begin = x + (STEP - wide) / 2
    scene.place(draw("money"), begin - 1, GROUND - 35, 29)
    scene.figure(
        money, begin + 31, GROUND - 34, 28, anchor="start", pen=Pen(ink=ink.INK, weight=1.15, halo=ink.BONE)
    )
    if rank == 1:
        scene.place(draw("laurel"), x + STEP / 2 - 47, top - 92, 94)
    scene.place(common.token(seat), x + STEP / 2 - 26, top - 56 - (16 if rank == 1 else 0), 52)


def _place_case(scene: Scene, sets: list[Set], x: float, y: float, more: int) -> None:
    scene.place(draw("case"), x, y)
    if more:
        scene.figure(f"+{more}", x + CASE[0] - 8, y + CASE[1] - 30, 26, anchor="end", pen=Pen(halo=ink.PAPER))
    shelf = (CASE[1] - 56) / SHELVES
    for number, (kind, count) in enumerate(sets):
        left = x + 24 + number % ON_SHELF * 70
        top = y + 34 + number // ON_SHELF * shelf
        scene.place(treasure(kind), left + 6, top, 56)
        scene.figure(count, left + 64, top + 40, 28, anchor="end", pen=Pen(weight=1.25, halo=ink.CREAM))


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
