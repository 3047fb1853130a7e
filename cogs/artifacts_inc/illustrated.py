"""The rules of Artifacts, Inc. in pictures: the table, a company, and a turn."""

from __future__ import annotations

from typing import Final

from bot.art.picture import Picture
from bot.language import gettext as _
from bot.ui.screens.game_screens import AnyScreens, Page
from bot.ui.screens.illustrated import Label, labelled_page, steps_page
from bot.ui.screens.sample import Sample

TABLE: Final = 19
"""The moves of the sample before the table that is shown."""
TURN: Final = (10, 12, 13)
"""The moves before each picture of a turn: the dice are rolled, two are placed, and a card is bought."""


def pages(screens: AnyScreens, sample: Sample) -> list[Page]:
    """The three pages."""

    def own(moves: int) -> Picture | None:
        return screens.own_picture(sample.view(moves, 0))

    turn = [
        _("You roll all your dice."),
        _("You place them on cards and at museums, which brings artifacts and dollars."),
        _("You buy a card, which brings ⭐ and uses for dice. Your turn ends with your last die."),
    ]
    return [
        labelled_page(
            _("The table in a picture"), lambda: screens.table_picture(sample.view(TABLE, None)), _table()
        ),
        labelled_page(_("A company in a picture"), lambda: own(TURN[1]), _company()),
        steps_page(_("A turn in three pictures"), lambda: [own(moves) for moves in TURN], turn),
    ]


def _table() -> list[Label]:
    museum = _(
        "A museum: the die that it takes, the dollars that it adds, the ⭐ for the most cubes at "
        "the end, and who has the most."
    )
    market = _("The market, in piles A to E: the price on the tab, and the ⭐ that the card brings.")
    company = _("A company: its ⭐, the ⭐ of its museums now, its way to 20, money, dice and artifacts.")
    return [
        ((6, 6, 351, 72), museum),
        (
            (420, 40, 300, 34),
            _("Its orders. Each takes exactly so many artifacts, once, and then has the seller's cube."),
        ),
        ((12, 164, 102, 98), market),
        ((576, 260, 132, 88), _("The dive: the sum of dice that it needs, and its find.")),
        ((6, 546, 708, 138), company),
        ((256, 400, 166, 94), _("Its cards, with the dice that they take, and its finds.")),
        ((6, 494, 200, 40), _("The dice of the player whose turn it is, and where the placed ones lie.")),
    ]


def _company() -> list[Label]:
    return [
        ((0, 0, 400, 42), _("Your ⭐, your dollars, your dice and your artifacts.")),
        ((0, 44, 150, 42), _("Your dice: first those that you can still place, then those at museums.")),
        ((82, 170, 50, 40), _("The die that a card takes. 4+ means 4 or more; 1 alone means a 1.")),
        ((138, 170, 40, 40), _("The thing that the card brings.")),
        ((196, 142, 34, 34), _("A die that lies on a card this turn.")),
        ((82, 210, 560, 36), _("The places for the next card, by their numbers.")),
    ]
