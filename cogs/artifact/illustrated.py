"""The rules of Artifact in pictures: the trail, a party, and a turn."""

from __future__ import annotations

from typing import Final

from bot.art.picture import Picture
from bot.language import gettext as _
from bot.ui.screens.game_screens import AnyScreens, Page
from bot.ui.screens.illustrated import labelled_page, steps_page
from bot.ui.screens.sample import Sample

TRAIL: Final = 26
PARTY: Final = (31, 2)
"""The moves of the sample before the trail and the party that are shown, and the party's seat."""
TURN: Final = 9
"""The moves before a turn in which a party meets a Challenge."""


def pages(screens: AnyScreens, sample: Sample) -> list[Page]:
    """The three pages."""

    def turn() -> list[Picture | None]:
        faced = screens.vignette(sample.events(TURN + 1))
        trail = [screens.table_picture(sample.view(moves, None)) for moves in (TURN, TURN + 1)]
        return [*trail, faced]

    return [
        labelled_page(
            _("The trail in a picture"),
            lambda: screens.table_picture(sample.view(TRAIL, None)),
            [
                (100, 312, _("Home, on square 1: the Artifact must come here.")),
                (650, 60, _("The end of the trail, where the Artifact waits on square 30.")),
                (300, 60, _("A party on its square. The arrow shows whose turn it is.")),
                (170, 300, _("The first half of the trail.")),
                (414, 72, _("The second half, where Challenges are harder and Aids are stronger.")),
            ],
        ),
        labelled_page(
            _("A party in a picture"),
            lambda: screens.own_picture(sample.view(*PARTY)),
            [
                (180, 40, _("A member. Whoever is out takes their abilities along.")),
                (40, 100, _("The abilities of the member.")),
                (120, 240, _("An ability, and how often the party has it: so much is added to your die.")),
                (230, 220, _("An Aid and its worth. It helps one roll, and is spent.")),
            ],
        ),
        steps_page(
            _("A turn in three pictures"),
            turn,
            [
                _("You roll a die, and your party moves that far along the trail."),
                _("Its square has an Aid or a Challenge. A party on it means a fight."),
                _("At a Challenge your roll and your abilities count against two dice. Aids can be spent."),
            ],
        ),
    ]
