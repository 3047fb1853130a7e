"""The six monuments: each with what lies in its chambers, what that costs, and what all know of it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from bot.art import common, ink
from bot.art.scene import Box, Pen, Scene
from cogs.archaeology_family.art.cards import treasure
from cogs.archaeology_family.art.table import PLACE_WIDTH, place_pile, place_price, place_pyramid
from cogs.expedition.art import draw
from engine.expedition.monuments import PILE, SAFE
from engine.expedition.state import ExpeditionView, MonumentKey

DOORS: Final = (26, 102, 178)
"""The left edges of the Temple's doors."""
DOOR: Final = (60, 110)
"""Their width and height."""


# -- the Temple


def place_witnesses(scene: Scene, seats: Sequence[int], x: float, y: float, width: float) -> None:
    """The tokens of those who know what lies in a chamber, in a row below an eye, or nothing if nobody does."""
    if not seats:
        return
    size, columns = (20.0, 2) if len(seats) <= 2 else (18.0, 3)
    across = min(len(seats), columns) * size
    begin, rows = x + (width - 26 - across) / 2, -(-len(seats) // columns)
    scene.place(draw("eye"), begin, y + 2, 24)
    for number, seat in enumerate(seats):
        left, top = begin + 27 + number % columns * size, y + 10 - rows * size / 2 + number // columns * size
        scene.place(common.token(seat), left, top, size - 1)


def place_temple(scene: Scene, view: ExpeditionView, x: float, y: float) -> None:
    scene.place(draw("temple"), x, y)
    width, height = DOOR
    for cards, cost, seats, left in zip(view.chambers, view.costs, view.privy, DOORS, strict=True):
        left, top = x + left, y + 98
        if not cards:
            scene.place(draw("door-open"), left, top)
            continue
        scene.place(draw("door"), left, top)
        place_pile(scene, cards, left + width / 2 - 24, top + 8, 48)
        place_price(scene, cost, left + width / 2 - cost * 14, top + height - 40, 29)
        place_witnesses(scene, seats, left - 8, y + 56, width + 16)


# -- the Tomb


def place_tomb(scene: Scene, view: ExpeditionView, x: float, y: float) -> None:
    scene.place(draw("tomb"), x, y)
    for number, (cards, cost, seats) in enumerate(zip(view.chambers, view.costs, view.privy, strict=True)):
        left, top = x + (14, 152)[number], y + 96
        scene.place(draw("burial-chamber"), left, top)
        if not cards:
            scene.place(draw("lamp"), left + 36, top + 30, 26)
            scene.place(draw("coffin-open"), left + 4, top + 74)
            continue
        place_price(scene, cost, left + 10, top + 22, 32)
        place_pile(scene, cards, left + 46, top + 19, 44)
        place_witnesses(scene, seats, left, top + 63, 98)
        scene.place(draw("coffin-open") if view.opened == number else draw("coffin"), left + 4, top + 75)


# -- the Mine


def place_mine(scene: Scene, view: ExpeditionView, x: float, y: float) -> None:
    scene.place(draw("mine"), x, y)
    cards = view.chambers[0]
    if cards:
        place_pile(scene, cards, x + 106, y + 98, 52, 34)
        if not view.turned:
            place_price(scene, view.costs[0], x + 26, y + 128, 36)
    else:
        scene.place(draw("lamp"), x + 116, y + 110, 32)
    if not view.turned:
        place_known(scene, view.public_within[0], x + 6, y + 196, PLACE_WIDTH - 12)
        return
    scene.figure(f"{view.worth_turned}/{SAFE}", x + 132, y + 24, 36, pen=Pen(weight=1.25, halo=ink.CREAM))
    size = min(50.0, (PLACE_WIDTH - 8) / len(view.turned))
    begin = x + (PLACE_WIDTH - size * len(view.turned)) / 2
    for number, kind in enumerate(view.turned):
        scene.panel(Box(begin + number * size + 1, y + 193, size - 3, 50), corner=5, line=2)
        scene.place(treasure(kind), begin + number * size + 3, y + 195, min(size - 7, 44))


def place_known(scene: Scene, known: Sequence[int], x: float, y: float, width: float) -> None:
    """The cards that everybody knows to lie in a chamber: a small sheet for each, below an eye."""
    cards = [kind for kind, n in enumerate(known) for _ in range(n)]
    if not cards:
        return
    rows = 1 if len(cards) <= 7 else 2
    columns = -(-len(cards) // rows)
    size = min(44.0 if rows == 1 else 25.0, (width - 34) / columns)
    begin = x + 34
    scene.place(draw("eye"), x, y + 12, 30)
    for number, kind in enumerate(cards):
        left, top = begin + number % columns * size, y + number // columns * (size + 1)
        scene.place(treasure(kind), left + 1, top, size - 2)


# -- the Sphinx


def place_sphinx(scene: Scene, view: ExpeditionView, x: float, y: float) -> None:
    scene.place(draw("sphinx"), x, y)
    if cards := view.chambers[0]:
        place_pile(scene, cards, x + 80, y + 138, 48, 32)
        place_price(scene, view.costs[0], x + 216, y + 60, 36)
    else:
        scene.place(draw("lamp"), x + 90, y + 142, 28)
    place_known(scene, view.public_within[0], x + 6, y + 196, PLACE_WIDTH - 12)


# -- the Buried Ruins


def place_ruins(scene: Scene, view: ExpeditionView, x: float, y: float) -> None:
    scene.place(draw("ruins"), x, y)
    if view.pile:
        place_pile(scene, view.pile, x + 204, y + 28, 54, 34)
    for number, within in enumerate(view.public_within):
        left, top = x + 5 + number * 87, y + 104
        scene.place(draw("pit"), left, top)
        cards = [kind for kind, n in enumerate(within) for _ in range(n)]
        if not cards:
            scene.place(draw("lamp"), left + 27, top + 46, 26)
            continue
        for (across, down, size), kind in zip(SPOTS[min(len(cards), max(SPOTS))], cards, strict=False):
            scene.place(treasure(kind), left + across, top + down, size)
    place_price(scene, view.costs[0], x + 164, y + 42, 34)


SPOTS: Final[Mapping[int, Sequence[tuple[float, float, float]]]] = {
    1: ((12, 37, 56),),
    2: ((16, 10, 48), (16, 72, 48)),
    3: ((5, 6, 42), (34, 46, 42), (5, 86, 42)),
    4: ((4, 14, 36), (40, 14, 36), (4, 74, 36), (40, 74, 36)),
    5: ((4, 4, 36), (40, 4, 36), (22, 46, 36), (4, 90, 36), (40, 90, 36)),
}
"""Where so many cards lie in a pit of the Ruins: left, top and size of each. Four storms bring the fifth."""
assert max(SPOTS) == 1 + PILE // 3

PLACED: Final[Mapping[MonumentKey, Callable[[Scene, ExpeditionView, float, float], None]]] = {
    "great_pyramid": lambda scene, view, x, y: place_pyramid(scene, view.chambers, view.costs, x, y),
    "temple": place_temple,
    "tomb": place_tomb,
    "mine": place_mine,
    "sphinx": place_sphinx,
    "ruins": place_ruins,
}


def place_monument(scene: Scene, view: ExpeditionView, x: float, y: float) -> None:
    """The match's monument with its upper left corner here, made from what everybody knows."""
    PLACED[view.monument](scene, view, x, y)
