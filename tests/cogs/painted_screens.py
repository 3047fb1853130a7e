"""Archaeology with the plainest pictures that tell states apart: for tests that care how pictures travel, not how they
look.
"""

from __future__ import annotations

from bot.art import common
from bot.art.picture import Picture
from bot.art.scene import WIDTH, Scene
from cogs.archaeology.screens import ArchaeologyScreens
from engine.archaeology_family.state import View


class PaintedScreens(ArchaeologyScreens):
    """The table shows how many cards everybody holds, a hand which ones its owner does."""

    def table_picture(self, view: View) -> Picture:
        scene = Scene(WIDTH, 200)
        for seat, size in enumerate(view.sizes):
            scene.place(common.token(seat), 20 + seat * 170, 20, 60)
            scene.figure(size, 120 + seat * 170, 30, 40)
        scene.figure(view.site, WIDTH - 40, 130, 50, anchor="end")
        return scene.picture(f"{view.site} cards are left to dig.")

    def own_picture(self, view: View) -> Picture:
        scene = Scene(WIDTH, 150)
        assert view.hand is not None
        for kind, count in enumerate(view.hand):
            scene.figure(f"{kind}:{count}", 40 + kind * 80, 50, 30)
        return scene.picture("A hand.")
