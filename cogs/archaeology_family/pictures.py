"""The pictures that both games have, as their screens return them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, TypeVar

from bot.art.picture import Picture
from bot.art.scene import Deed
from bot.ui.screens.game_parts import GamePictures, Pressed, SeenEvent, marked
from bot.ui.screens.game_screens import SHEET_INTENTS
from cogs.archaeology_family.art import hand, results, vignettes
from engine.archaeology_family.card_list import CardList
from engine.archaeology_family.state import View

SOLD: Final = f"{SHEET_INTENTS}sold"
"""The intent of the button that shows the sold sets."""

V = TypeVar("V", bound=View, contravariant=True)


class FamilyPictures(GamePictures[V]):
    """The pictures that both games have."""

    card_list: CardList

    def view_of_turn(self, view: View, seat: int) -> View:
        return marked(view, seat)

    def own_picture(self, view: V) -> Picture | None:
        return hand.own_picture(view)

    def sheet_picture(self, view: V, pressed: Pressed) -> Picture | None:
        return results.sold_picture(view) if pressed.intent == SOLD else None

    def vignette(self, events: Sequence[SeenEvent]) -> Picture | None:
        return vignettes.vignette(events, self.card_list)

    def deeds(self, events: Sequence[SeenEvent]) -> Sequence[Deed]:
        return vignettes.deeds(events, vignettes.family_signs)

    def podium(self, view: V) -> Picture | None:
        return results.podium(view)
