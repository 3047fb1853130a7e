"""Parts that the lessons of both Archaeology games share: the fields of their texts."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from bot.ui.screens.names import Names
from cogs.archaeology_family import names as card
from cogs.archaeology_family.trades import brings
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
