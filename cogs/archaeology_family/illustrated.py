"""The rules of both Archaeology games in pictures: the table, a hand, and a turn."""

from __future__ import annotations

from bot.art.picture import Picture
from bot.language import gettext as _
from bot.ui.screens.game_screens import AnyScreens, Page
from bot.ui.screens.illustrated import labelled_page, steps_page
from bot.ui.screens.sample import Sample

DIG, TRADE, SELL = 1, 2, 3
"""The moves of the turn that is shown."""


def pages(screens: AnyScreens, sample: Sample, begin: int, seat: int) -> list[Page]:
    """The three pages. This seat begins a turn after `begin` moves of the sample: it digs, trades and sells."""

    def own(moves: int) -> Picture | None:
        return screens.own_picture(sample.view(begin + moves, seat))

    def turn() -> list[Picture | None]:
        sold = screens.vignette(sample.events(begin + SELL))
        return [own(DIG), own(TRADE), sold or own(SELL)]

    return [
        labelled_page(
            _("The table in a picture"),
            lambda: screens.table_picture(sample.view(begin + DIG, None)),
            [
                (232, 100, _("The market. The tag of a card is its trade value.")),
                (
                    326,
                    250,
                    _(
                        "A player: the cards in the hand, the money, and the sets that are sold. The arrow shows whose "
                        "turn it is."
                    ),
                ),
                (400, 255, _("The dig site, with the number of its cards.")),
                (456, 325, _("The Thieves and Sandstorms that are still in it.")),
                (690, 290, _("The chambers: the Maps that each costs, and the cards that lie in it.")),
            ],
        ),
        labelled_page(
            _("A hand in a picture"),
            lambda: own(DIG),
            [
                (190, 40, _("The trade value: what a card is worth at the market.")),
                (392, 140, _("How many you hold.")),
                (222, 214, _("The price that the museum pays for all of them as one set.")),
                (380, 214, _("The price with one more card.")),
            ],
        ),
        steps_page(
            _("A turn in three pictures"),
            turn,
            [
                _("You dig a card, which goes to your hand."),
                _("You trade at the market for cards that make a set larger."),
                _("You sell a set to the museum. The money is safe for good."),
            ],
        ),
    ]
