"""The pages of the rules that both Archaeology games share, in words and in pictures: the table, a hand, and a turn."""

from __future__ import annotations

from bot.art.picture import Picture
from bot.language import gettext as _
from bot.language import ngettext, pgettext
from bot.ui.screens.game_screens import AnyScreens, Page
from bot.ui.screens.pages import Label, Sample, labelled_page, steps_page
from cogs.archaeology_family import names as card
from engine.archaeology_family.card_list import DEAL, MARKET, CardList, Hazards, Provenance, Treasure


def setup(*, places: str, own: str = "") -> Page:
    """The page about the start of a match.

    `places` says what lies in the game's chambers, `own` what everybody has besides their hand.
    """
    return Page(
        _("The start"),
        "\n".join(
            [
                _("- Everyone gets {n} treasures as a hand, which no one else sees.").format(n=DEAL),
                *([own] if own else []),
                _("- {n} treasures lie face up: the *market*.").format(n=MARKET),
                places,
                _(
                    "- All other treasures are shuffled together with the Maps, the Thieves {thief} and the "
                    "Sandstorms {storm}: the *dig site*. At first, every Map is in there."
                ).format(thief=card.THIEF, storm=card.SANDSTORM),
                _("- The first player is chosen at random. Play goes clockwise."),
            ]
        ),
    )


def turn(*, storm_first: bool, more: str = "", explore_once: bool = False) -> Page:
    """The page about a turn, from the dig to its end.

    `storm_first` says whether a Sandstorm strikes the player who dug it up first (True) or last (False). `more` is text
    that a game adds about what comes between dig and actions. `explore_once` says that a player may explore only once a
    turn.
    """
    storm = (
        _(
            "- A *Sandstorm* {storm}: starting with the digger and going clockwise, each player loses half of their "
            "hand, rounded down, and chooses the cards. They go to the market. Then you dig again."
        )
        if storm_first
        else _(
            "- A *Sandstorm* {storm}: starting to the digger's left, going clockwise and ending with "
            "the digger, each player loses half of their hand, rounded down, and chooses the cards. "
            "They go to the market. Then you dig again."
        )
    )
    last = _("If the Sandstorm was the last card, no one digs again.")
    return Page(
        _("A turn"),
        "\n".join(
            [
                _("You want to be the richest when everything is sold."),
                "",
                _("**1. Dig**, as long as the dig site has cards. You draw its top card:"),
                _("- A *treasure* goes to your hand, unseen. There is no limit to a hand."),
                _(
                    "- A *Thief* {thief} takes one card, unseen, from an opponent of your choice who has "
                    "cards. If no one else has any, nothing happens."
                ).format(thief=card.THIEF),
                storm.format(storm=card.SANDSTORM) + " " + last,
                *([more] if more else []),
                "",
                _("**2. Act**: trade and sell as often as you like, and explore at most once, in any order.")
                if explore_once
                else _("**2. Act**: trade, explore, sell, as often as you like and in any order."),
                "",
                _(
                    "**3. End your turn.** The next player clockwise takes a turn. If you have no cards left, "
                    "your turn ends by itself."
                ),
            ]
        ),
    )


def actions(explore: str) -> Page:
    """The page about trading, exploring and selling."""
    return Page(
        _("Trading, exploring, selling"),
        "\n".join(
            [
                _(
                    "**Trade** at the market: give any cards, and take any that were already there whose trade "
                    "values add up to no more. Any extra value is lost. You must give and take at least one "
                    "card (R1)."
                ),
                "",
                explore + " " + _("Maps you spend are removed from the game."),
                "",
                _(
                    "**Sell** a set of one treasure to the museum. Larger sets bring much more, but a set has no more "
                    "cards than the treasure has prices: of 6 Talismans, 5 are a complete set. A sold set never "
                    "grows, and neither Thief nor Sandstorm can touch it. Several sets of one treasure may be sold."
                ),
            ]
        ),
    )


def tips(more: str = "") -> Page:
    """The page with advice for a first match; `more` is a line that a game adds."""
    lines = [
        _(
            "- Larger sets bring much more than their cards do one by one: go for one or two treasures, not for all."
        ),
        _(
            "- A hand is never safe. A Sandstorm {storm} takes half of it, rounded down: sell before the next one "
            "costs you more than another card would bring. The table shows how many are still in the dig site."
        ).format(storm=card.SANDSTORM),
        _("- With an odd number of cards you lose less: two of five, but three of six."),
        *([more] if more else []),
        _(
            "- A trade is good if the cards that you get make a set larger. Give cards that stand alone, and give "
            "exactly: extra trade value is lost."
        ),
        _("- After a Sandstorm the market is full. The first to trade has first pick."),
        _(
            "- Maps bring little at the museum, but a chamber brings several cards together. Collect "
            "them for the most valuable chamber that no one is likely to reach before you."
        ),
        _(
            "- A set that you sold is safe for good, but it never grows: think once more before you sell "
            "one card alone."
        ),
    ]
    return Page(_("How to score well"), "\n".join(lines))


def end() -> Page:
    """The page about the end of a match, with the numbers of the rulings."""
    return Page(
        _("The end"),
        "\n".join(
            [
                _(
                    "When the dig site is empty, play goes on without digging. You may then pass: end a "
                    "turn in which you did nothing."
                ),
                _(
                    "- If all players with cards pass in a row, the first of them must sell at least one set "
                    "on their next turn (R5)."
                ),
                _("- If no one sells or explores for three rounds, whoever is next must sell a set (R6)."),
                _(
                    "- Players without cards are skipped (R4). The match ends when the dig site is empty and "
                    "no one holds a card."
                ),
                "",
                _(
                    "The player with the most money wins. Ties go to whoever sold fewer cards; if still tied, "
                    "the victory is shared (R7)."
                ),
            ]
        ),
    )


def cards(card_list: CardList) -> Page:
    """The page that lists every card and says how its numbers are known."""
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
        lines.append(
            f"{card.EMOJI[kind]} **{card.name(kind)}** · {copies} · {trade}{_origin(treasure)}\n-# {sales}"
        )
    thieves, storms = _by_seats(card_list.thieves), _by_seats(card_list.sandstorms)
    lines.append(_("{thief} **Thieves** · {counts}").format(thief=card.THIEF, counts=thieves))
    lines.append(_("{storm} **Sandstorms** · {counts}").format(storm=card.SANDSTORM, counts=storms))
    lines.append("-# " + _("Numbers without a note are printed on the cards or in the rules."))
    return Page(_("Prices and cards"), "\n".join(lines), reference=True)


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


def _origin(treasure: Treasure) -> str:
    """A note that says how those numbers are known that were not read off a card."""
    names = {
        "copies": pgettext("cards", "copies"),
        "trade": _("trade value"),
        "sales": _("sale values"),
        "largest": _("complete set"),
    }
    words = {"inferred": _("{what}: inferred"), "house": _("{what}: our own number")}
    notes = [
        words[origin].format(what=names[part])
        for part, origin in treasure.provenance.items()
        if origin in words
    ]
    return f" · *{', '.join(notes)}*" if notes else ""


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
