"""The pages of the rules that both Archaeology games share, in words and in pictures: the table, a hand, and a turn."""

from __future__ import annotations

from collections.abc import Sequence

from bot.art.picture import Picture
from bot.language import gettext as _
from bot.language import ngettext, pgettext
from bot.ui.screens.game_screens import AnyScreens, Page
from bot.ui.screens.pages import Label, Place, Sample, labelled_page, steps_page
from cogs.archaeology_family import names as card
from engine.archaeology_family.card_list import DEAL, MARKET, CardList, Hazards, Provenance, Treasure


def fields() -> dict[str, object]:
    """The fields of the texts that both games have in `rules.md`."""
    return {"deal": DEAL, "market": MARKET, "thief": card.THIEF, "storm": card.SANDSTORM}


def cards(card_list: CardList) -> list[Page]:
    """The page that lists every card, and one with the notes on treasures' numbers that are not printed, if any."""
    lines: list[str] = [
        _(
            "Below each treasure: what the museum pays for a set of 1, 2, 3 … cards. The last is for a "
            "complete set."
        ),
        "",
    ]
    for kind, treasure in enumerate(card_list.treasures):
        copies = ngettext("{n} copy", "{n} copies", treasure.copies).format(n=treasure.copies)
        trade = _("trades for {n}").format(n=treasure.trade)
        if treasure.from_seats > 2:
            trade += " · " + _("from {n} players on").format(n=treasure.from_seats)
        sales = " · ".join(f"{n}: ${price}" for n, price in enumerate(treasure.sales, 1))
        lines.append(f"{card.EMOJI[kind]} **{card.name(kind)}** · {copies} · {trade}\n-# {sales}")
    thieves, storms = _by_seats(card_list.thieves), _by_seats(card_list.sandstorms)
    lines.append(_("{thief} **Thieves** · {counts}").format(thief=card.THIEF, counts=thieves))
    lines.append(_("{storm} **Sandstorms** · {counts}").format(storm=card.SANDSTORM, counts=storms))
    notes = _origins(card_list.treasures)
    (notes or lines).append("-# " + _("Numbers without a note are printed on the cards or in the rules."))
    pages = [Page(_("Prices and cards"), "\n".join(lines), reference=True)]
    return pages + [Page(_("How the numbers are known"), "\n".join(notes))] * (len(notes) > 1)


def _by_seats(hazards: Hazards) -> str:
    """How many cards of a hazard are in play, and how that is known."""
    counts: dict[tuple[int, Provenance], list[int]] = {}
    for seats, n in sorted(hazards.by_seats.items()):
        counts.setdefault((n, hazards.provenance[seats]), []).append(seats)
    if len(counts) == 1:
        (n, origin) = next(iter(counts))
        return f"{n}{_note(origin)}"
    return ", ".join(
        _("{n} with {seats} players").format(n=n, seats="/".join(map(str, seats))) + _note(origin)
        for (n, origin), seats in counts.items()
    )


def _note(origin: Provenance) -> str:
    return {"printed": "", "inferred": " " + _("(inferred)"), "house": " " + _("(our own number)")}[origin]


def _origins(treasures: Sequence[Treasure]) -> list[str]:
    """The notes on numbers that are not printed, each with the signs of its treasures."""
    names = {
        "copies": pgettext("cards", "copies"),
        "trade": _("trade value"),
        "sales": _("sale values"),
        "largest": _("complete set"),
    }
    words = {"inferred": _("{what}: inferred"), "house": _("{what}: our own number")}
    noted: dict[str, list[str]] = {}
    for kind, treasure in enumerate(treasures):
        for part, origin in treasure.provenance.items():
            if origin in words:
                noted.setdefault(words[origin].format(what=names[part]), []).append(card.EMOJI[kind])
    return [f"-# *{note}* {' '.join(signs)}" for note, signs in noted.items()]


DIG, TRADE, SELL = 1, 2, 3
"""The moves of the turn that is shown."""


def pages(screens: AnyScreens, sample: Sample, begin: int, seat: int, hand: Sequence[Place]) -> list[Page]:
    """The three pages. This seat begins a turn after `begin` moves of the sample: it digs, trades and sells.

    `hand` has the places of a trade value, a number of cards, their price, and that of one card more.
    """

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
        labelled_page(_("A hand in a picture"), lambda: own(DIG), _hand(hand)),
        steps_page(_("A turn in three pictures"), turn, sentences),
    ]


def _table() -> list[Label]:
    player = _(
        "A player: the cards in the hand, the money, and the sets that are sold. The arrow shows whose turn it is."
    )
    return [
        ((20, 6, 400, 112), _("The market. The tag of a card is its trade value.")),
        ((8, 211, 346, 78), player),
        ((362, 150, 76, 136), _("The dig site, with the number of its cards.")),
        ((362, 288, 76, 90), _("The Thieves and Sandstorms that are still in it.")),
        ((492, 308, 176, 46), _("The chambers: the Maps that each costs, and the cards that lie in it.")),
    ]


def _hand(places: Sequence[Place]) -> list[Label]:
    texts = (
        _("The trade value: what a card is worth at the market."),
        _("How many you hold."),
        _("The price that the museum pays for all of them as one set."),
        _("The price with one more card."),
    )
    return [*zip(places, texts, strict=True)]
