"""The rules of both Archaeology games in pictures: the table, a hand, and a turn."""

from __future__ import annotations

from bot.art.picture import Picture
from bot.language import gettext as _
from bot.ui.screens.game_screens import AnyScreens, Page
from bot.ui.screens.illustrated import Label, labelled_page, steps_page
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

    sentences = [
        _("You dig a card, which goes to your hand."),
        _("You trade at the market for cards that make a set larger."),
        _("You sell a set to the museum. The money is safe for good."),
    ]
    return [
        labelled_page(
            _("The table in a picture"),
            lambda: screens.table_picture(sample.view(begin + DIG, None)),
            _table(),
        ),
        labelled_page(_("A hand in a picture"), lambda: own(DIG), _hand()),
        steps_page(_("A turn in three pictures"), turn, sentences),
    ]


def _table() -> list[Label]:
    player = _(
        "A player: the cards in the hand, the money, and the sets that are sold. The arrow shows whose turn it is."
    )
    return [
        ((20, 6, 84, 112), _("The market. The tag of a card is its trade value.")),
        ((8, 211, 346, 78), player),
        ((362, 150, 76, 136), _("The dig site, with the number of its cards.")),
        ((362, 288, 76, 90), _("The Thieves and Sandstorms that are still in it.")),
        ((492, 308, 176, 46), _("The chambers: the Maps that each costs, and the cards that lie in it.")),
    ]


def _hand() -> list[Label]:
    return [
        ((208, 10, 40, 44), _("The trade value: what a card is worth at the market.")),
        ((340, 124, 50, 36), _("How many you hold.")),
        ((250, 200, 56, 34), _("The price that the museum pays for all of them as one set.")),
        ((450, 204, 50, 30), _("The price with one more card.")),
    ]
