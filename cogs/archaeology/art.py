"""Archaeology's pictures: what the family draws, with the pyramid in the middle."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from bot.art.ink import Part
from bot.art.picture import Picture
from bot.language import gettext as _
from cogs.archaeology_family.art import banner as desert
from cogs.archaeology_family.art import draw, texts
from cogs.archaeology_family.art.parts import family_parts, unique
from cogs.archaeology_family.art.places import open_room, place_pyramid
from cogs.archaeology_family.art.table import table_picture as family_table
from engine.archaeology.rules import CHAMBERS
from engine.archaeology_family.state import View

COSTS = tuple(range(1, len(CHAMBERS) + 1))


@cache
def parts() -> Sequence[Part]:
    """Every part of this game's pictures."""
    return unique(family_parts())


def table_picture(view: View) -> Picture:
    """The public part of the table."""
    left = texts.chambers(view.chambers, COSTS)
    pyramid_text = (
        _("The pyramid still hides {chambers}.").format(chambers=left)
        if left
        else _("The pyramid has been explored to its last chamber.")
    )
    return family_table(
        view, lambda scene, x, y: place_pyramid(scene, view.chambers, COSTS, x, y), pyramid_text
    )


def banner() -> Picture:
    """The pyramid behind the camp, with a pit being dug."""
    scene = desert.desert()
    scene.place(draw("palm"), 214, 48, 58)
    scene.place(draw("pyramid"), 287, -2, 166)
    scene.place(open_room(76, 40), 345, 62, 50)
    scene.place(draw("palm"), 474, 40, 64)
    desert.place_camp(scene)
    return scene.picture(
        _(
            "A desert camp: a tent and a pit with a ladder before a great pyramid. A mask, pot shards, coins and "
            "other finds lie in the sand, and a whirl of sand is coming up."
        )
    )
