"""Parts that the lessons of both Archaeology games share: the fields of their texts, and what a move would do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.language import gettext as _
from bot.ui.screens.names import Names
from cogs.archaeology_family import names as card
from cogs.archaeology_family.trades import brings
from engine.archaeology_family import moves as m
from engine.archaeology_family.card_list import TREASURES
from engine.archaeology_family.state import View

LARGEST: Final = 5
"""The most cards of a set for which there are fields."""


def facts(view: View, names: Names) -> Mapping[str, Any]:
    """The fields of a lesson's texts: for each treasure by its key, and of the match.

    Of a treasure: KEY are the viewer's cards, KEY_market those in the market, KEY_trade is the trade value, KEY_N the
    price of a set of N, sold_KEY the viewer's money after the sale of all their cards, largest_KEY the most cards of
    a set, and nN_KEY are N cards in words. Of the match: what the viewer's hand would bring (worth), its size, what a
    Sandstorm would take of it (lose), the viewer's money, the dig site with its Thieves and Sandstorms, the chambers,
    and both opponents (a, b) with the sizes of their hands.
    """
    found: dict[str, Any] = {
        "worth": brings(view.own_hand, view.prices),
        "size": view.sizes[0],
        "lose": view.sizes[0] // 2,
        "money": view.money[0],
        "site": view.site,
        "thieves": view.thieves,
        "storms": view.sandstorms,
    }
    for letter, seat in zip("ab", range(1, view.seats), strict=False):
        found[letter], found[f"size_{letter}"] = names.bold(seat), card.number_of_cards(view.sizes[seat])
    for number, size in enumerate(view.chambers):
        found[f"chamber_{number}"] = card.number_of_cards(size)
    for kind, key in enumerate(TREASURES[: view.kinds]):
        found[key] = card.cards([(kind, view.own_hand[kind])])
        found[f"{key}_market"] = card.cards([(kind, view.market[kind])])
        found[f"{key}_trade"] = view.trade[kind]
        found[f"largest_{key}"] = len(view.prices[kind])
        found[f"sold_{key}"] = view.money[0] + brings(
            [view.own_hand[kind] if n == kind else 0 for n in range(view.kinds)], view.prices
        )
        found |= {f"{key}_{n}": price for n, price in enumerate(view.prices[kind], 1)}
        found |= {f"n{n}_{key}": card.cards([(kind, n)]) for n in range(1, LARGEST + 1)}
    return found


def would(view: View, move: Any) -> str:
    """A sentence about what a move of either game would do; for a move of The New Expedition alone, a general one."""
    match move:
        case m.Dig():
            return _("**Dig** would take the top card of the dig site.")
        case m.Steal():
            return _("That would send the Thief to the other opponent.")
        case m.Discard():
            return _("That would lose {cards}.").format(cards=card.cards(move.cards))
        case m.Trade():
            return _("That would give {give} for {take}.").format(
                give=card.cards(move.give), take=card.cards(move.take)
            )
        case m.Explore():
            return _("That would spend Maps to take all cards of a chamber.")
        case m.Sell():
            price = view.prices[move.treasure][move[1] - 1]
            return _("That would sell {cards} for ${price}.").format(
                cards=card.cards([(move.treasure, move[1])]), price=price
            )
        case m.EndTurn():
            return _("**End Turn** would leave the turn to the next player.")
        case _:
            return _("The rules allow that.")
