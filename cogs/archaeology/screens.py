"""The parts of Archaeology's screens and pictures that the other game of the family does not have: the pyramid."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import ClassVar, Final

from bot.art.ink import Part
from bot.art.picture import Picture
from bot.language import gettext as _
from bot.language import listing, noun
from bot.ui.screens.game_screens import Credits, Meaning, Page
from bot.ui.screens.kit import Option
from bot.ui.screens.lessons import read_lesson
from bot.ui.screens.pages import read_rules
from cogs.archaeology_family import names as card
from cogs.archaeology_family import pages, words
from cogs.archaeology_family.art import draw, texts
from cogs.archaeology_family.art import table as desert
from cogs.archaeology_family.art.cards import family_emoji
from cogs.archaeology_family.art.table import open_room, place_pyramid
from cogs.archaeology_family.art.table import table_picture as family_table
from cogs.archaeology_family.lessons import facts
from cogs.archaeology_family.screens import FamilyScreens
from engine.archaeology.rules import CHAMBERS
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.moves import Move
from engine.archaeology_family.state import View
from engine.game import AnyGame

COSTS = tuple(range(1, len(CHAMBERS) + 1))


def table_picture(view: View) -> Picture:
    """The public part of the table."""
    left = texts.chambers(view.chambers, COSTS)
    text = _("The pyramid has been explored to its last chamber.")
    text = _("The pyramid still hides {chambers}.").format(chambers=left) if left else text
    return family_table(view, lambda scene, x, y: place_pyramid(scene, view.chambers, COSTS, x, y), text)


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


LESSON_WINS: Final[words.Wins] = {"novice": (3, 5), "veteran": (1, 3), "expert": (1, 6)}


def offer(number: int, size: int) -> str:
    """The cards and the price of a chamber: "3 cards for 1 Map"."""
    price = card.counted(MAP, number + 1)
    return _("{cards} for {maps}").format(cards=card.number_of_cards(size), maps=price)


class ArchaeologyScreens(FamilyScreens[View, Move]):
    """The screens of Archaeology: The Card Game."""

    game: ClassVar[str] = "archaeology"
    minutes = (10, 20)
    weight = "light"

    credits = Credits(authors=("Phil Harding",), publishers=("Z-Man Games",), year=2009)
    opponents = staticmethod(partial(words.opponents, LESSON_WINS))
    sign = staticmethod(partial(draw, "pharaohs-mask"))
    banner = staticmethod(banner)
    table_picture = staticmethod(table_picture)

    def __init__(self, game: AnyGame) -> None:
        super().__init__(game)
        self.lesson = read_lesson(Path(__file__).with_name("lesson.toml"), game, facts)

    def title(self) -> str:
        return _("Archaeology: The Card Game")

    def summary(self) -> str:
        return _(
            "Dig for treasures, trade at the market, brave thieves and sandstorms, and sell sets to the museum."
        )

    def chamber_name(self, number: int) -> str:
        return (
            noun("chamber", "the small chamber"),
            noun("chamber", "the medium chamber"),
            noun("chamber", "the large chamber"),
        )[number]

    def chambers(self, view: View) -> list[str]:
        left = [offer(number, size) for number, size in enumerate(view.chambers) if size]
        return [_("**Pyramid** ⛰️ {chambers}").format(chambers=", ".join(left) or _("all explored"))]

    def private_text(self, view: View) -> str:
        # The private screen has the chambers as buttons only while the viewer can pay for one.
        return "\n".join([super().private_text(view), *self.chambers(view)])

    def explorations(self, view: View) -> list[Option]:
        maps = view.hand[MAP] if view.hand else 0
        text, found = _("Explore for {maps} · {cards}"), list[Option]()
        for number, size in enumerate(view.chambers[:maps]):
            label = text.format(cards=card.number_of_cards(size), maps=card.counted(MAP, number + 1))
            found += [Option(label, str(number), emoji="⛰️")] if size else []
        return found

    def presses(self) -> Mapping[str, Meaning[View, Move]]:
        return self.family_presses()

    def rules(self) -> list[Page]:
        fields = {
            **pages.fields(),
            "sizes": listing([str(size) for size in CHAMBERS]),
            "chambers": ", ".join(offer(number, size) for number, size in enumerate(CHAMBERS)),
        }
        hand = (161, 12, 36, 40), (514, 130, 38, 34), (300, 200, 44, 34), (486, 200, 46, 34)
        shown, cards = pages.pages(self, self.sample, 39, 0, hand), pages.cards(self.card_list)
        made = {"pictures": shown, "cards": cards}
        return read_rules(Path(__file__).with_name("rules.md"), fields, made)

    # -- pictures

    def emoji_parts(self) -> Mapping[str, Part]:
        return family_emoji(len(self.card_list.treasures))
