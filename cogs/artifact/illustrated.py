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
                ((79, 326, 52, 50), _("Home, on square 1: the Artifact must come here.")),
                ((616, 8, 108, 100), _("The end of the trail, where the Artifact waits on square 30.")),
                ((227, 130, 56, 84), _("A party on its square. The arrow shows whose turn it is.")),
                ((143, 310, 240, 60), _("The first half of the trail.")),
                (
                    (15, 104, 180, 56),
                    _("The second half, where Challenges are harder and Boons are stronger."),
                ),
            ],
        ),
        labelled_page(
            _("A party in a picture"),
            lambda: screens.own_picture(sample.view(*PARTY)),
            [
                ((6, 4, 200, 150), _("A member. When it is out, its abilities are lost too.")),
                ((6, 110, 200, 40), _("The abilities of the member.")),
                (
                    (83, 160, 74, 136),
                    _("An ability, and how often the party has it: that number is added to your die."),
                ),
                ((170, 210, 60, 86), _("A Boon and its worth. It helps one roll, and is spent.")),
            ],
        ),
        steps_page(
            _("A turn in three pictures"),
            turn,
            [
                _("You roll a die, and your party moves that far along the trail."),
                _("Its square has a Boon or a Challenge. A party on it means a fight."),
                _("At a Challenge your roll and your abilities count against two dice. Boons can be spent."),
            ],
        ),
    ]
