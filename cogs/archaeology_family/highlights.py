"""The highlights of a match of the Archaeology games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.language import gettext as _
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.highlights import most
from bot.ui.screens.names import Names
from cogs.archaeology_family import names as card

TRADE: Final = "🤝"
BEST: Final = "💎"


def highlights(events: Sequence[SeenEvent], seats: int, names: Names) -> list[str]:
    """The dearest set, the busiest thief, the best trader, and who lost most to Sandstorms."""
    thefts, trades, lost = [0] * seats, [0] * seats, [0] * seats
    for event in events:
        if event.seat is None:
            continue
        if event.kind == "stolen":
            thefts[event.seat] += 1
        elif event.kind == "traded" and not event.facts["over"]:
            trades[event.seat] += 1
        elif event.kind == "lost":
            lost[event.seat] += sum(n for _kind, n in event.facts["cards"])
    return [
        *_dearest_set(events, names),
        *most(
            card.THIEF,
            thefts,
            names,
            _("Stole the most cards: {who}, {n}."),
        ),
        *most(
            TRADE,
            trades,
            names,
            _("Most trades without a loss: {who}, {n}."),
        ),
        *most(
            card.SANDSTORM,
            lost,
            names,
            _("Most cards lost to Sandstorms: {who}, {n}."),
        ),
    ]


def _dearest_set(events: Sequence[SeenEvent], names: Names) -> list[str]:
    """The set that brought most dollars; none if several people sold one for as much."""
    sold = [event for event in events if event.kind == "sold" and event.seat is not None]
    price = max((event.facts["price"] for event in sold), default=0)
    best = [event for event in sold if event.facts["price"] == price]
    if len({event.seat for event in best}) != 1:
        return []
    cards = card.cards([(best[0].facts["treasure"], best[0].facts["count"])])
    who = names.bold(best[0].seat or 0)
    return [
        f"{BEST} "
        + _("Most valuable set: {who}, {cards} for ${price}.").format(who=who, cards=cards, price=price)
    ]
