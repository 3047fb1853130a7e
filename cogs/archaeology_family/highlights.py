"""The highlights of a match of the Archaeology games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.language import gettext as _
from bot.language import listing
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.highlights import most, named
from bot.ui.screens.names import Names
from cogs.archaeology_family import names as card

TRADE: Final = "🤝"
BEST: Final = "💎"


def highlights(events: Sequence[SeenEvent], seats: int, names: Names) -> list[str]:
    """The largest set, the busiest thief, the best trader, and who lost most to Sandstorms."""
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
        *_largest_set(events, names),
        *most(
            card.THIEF,
            thefts,
            names,
            _("Most cards stolen: {who}, {n}."),
            _("Most cards stolen: {who}, {n} each."),
        ),
        *most(
            TRADE,
            trades,
            names,
            _("Most trades without a loss: {who}, {n}."),
            _("Most trades without a loss: {who}, {n} each."),
        ),
        *most(
            card.SANDSTORM,
            lost,
            names,
            _("Most cards lost to Sandstorms: {who}, {n}."),
            _("Most cards lost to Sandstorms: {who}, {n} each."),
        ),
    ]


def _largest_set(events: Sequence[SeenEvent], names: Names) -> list[str]:
    """The set of most cards that was sold; of several, the ones that brought most."""
    sold = [event for event in events if event.kind == "sold"]
    if not sold:
        return []
    size, price = max((event.facts["count"], event.facts["price"]) for event in sold)
    sellers: dict[int, list[int]] = {}
    for event in sold:
        if (event.facts["count"], event.facts["price"]) == (size, price) and event.seat is not None:
            of_kind = sellers.setdefault(event.facts["treasure"], [])
            if event.seat not in of_kind:
                of_kind.append(event.seat)
    sets = [f"{named(who, names)} ({card.cards([(kind, size)])}, ${price})" for kind, who in sellers.items()]
    return [f"{BEST} " + _("Largest set: {sets}.").format(sets=listing(sets))]
