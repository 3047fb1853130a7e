"""The highlights of a match of Artifacts, Inc."""

from __future__ import annotations

from collections.abc import Sequence

from bot.language import gettext as _
from bot.language import listing
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.highlights import most, named
from bot.ui.screens.names import Names
from cogs.artifacts_inc import names as name
from engine.artifacts_inc.card_list import ARTIFACTS


def highlights(events: Sequence[SeenEvent], seats: int, names: Names) -> list[str]:
    """The biggest sale to a museum, and who dived, bought and improved most often."""
    counts = {kind: [0] * seats for kind in ("dived", "bought", "turned_card")}
    for event in events:
        if event.kind in counts and event.seat is not None:
            counts[event.kind][event.seat] += 1
    return [
        *_biggest_sale(events, names),
        *most(
            name.DIVING,
            counts["dived"],
            names,
            _("Most dives: {who}, {n}."),
            _("Most dives: {who}, {n} each."),
        ),
        *most(
            name.BUYING,
            counts["bought"],
            names,
            _("Most cards bought: {who}, {n}."),
            _("Most cards bought: {who}, {n} each."),
        ),
        *most(
            name.IMPROVING,
            counts["turned_card"],
            names,
            _("Most cards improved: {who}, {n}."),
            _("Most cards improved: {who}, {n} each."),
        ),
    ]


def _biggest_sale(events: Sequence[SeenEvent], names: Names) -> list[str]:
    """The order of a museum that brought most dollars; all of them where several did."""
    orders = [event for event in events if event.kind == "filled"]
    dollars = max((int(event.facts["dollars"]) for event in orders), default=0)
    sellers: dict[tuple[int, int], list[int]] = {}
    for event in orders:
        if event.facts["dollars"] == dollars and event.seat is not None:
            sold = (ARTIFACTS.index(event.facts["artifact"]), int(event.facts["count"]))
            who = sellers.setdefault(sold, [])
            if event.seat not in who:
                who.append(event.seat)
    if not dollars:
        return []
    sales: list[str] = []
    for (kind, count), who in sellers.items():
        goods = name.goods([count if number == kind else 0 for number in range(len(ARTIFACTS))])
        sales.append(f"{named(who, names)} ({goods}, ${dollars})")
    return [f"{name.MUSEUM} " + _("Biggest sale to a museum: {sales}.").format(sales=listing(sales))]
