"""The shared parts of both games' banners: the desert, the camp and the dig."""

from __future__ import annotations

from typing import Final

from bot.art.scene import WIDTH, Scene
from cogs.archaeology_family.art import draw
from cogs.archaeology_family.art.cards import treasure
from engine.archaeology_family.card_list import TREASURES

HEIGHT: Final = 240


def desert() -> Scene:
    """A banner's sheet with the sky over it."""
    return Scene(WIDTH, HEIGHT).place(draw("sky"), 0, 0)


def place_camp(scene: Scene) -> None:
    """The foreground: sand, a pit, a tent, and finds that lie about. A Sandstorm is coming up on the left."""
    scene.place(draw("sandstorm"), 14, 46, 92)
    scene.place(draw("dunes"), 0, 114)
    scene.place(draw("dig-pit"), 238, 134, 158)
    scene.place(draw("pick"), 398, 148, 50, turn=14)
    scene.place(draw("tent"), 584, 84, 126)
    for key, x, y, turn in FINDS:
        scene.place(treasure(TREASURES.index(key)), x, y, 58, turn=turn)


FINDS: Final = (
    ("broken_cup", 24, 172, -8),
    ("parchment_scrap", 96, 158, 10),
    ("talisman", 164, 174, -6),
    ("pot_shard", 452, 160, -12),
    ("pharaohs_mask", 520, 152, 8),
    ("map", 490, 186, -6),
    ("coin", 566, 188, 0),
)
"""The things in the sand: their places and angles."""
