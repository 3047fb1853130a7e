"""The highlights of a match of Artifacts, Inc."""

from __future__ import annotations

from collections.abc import Sequence

from bot.language import gettext as _
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.highlights import most
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
        ),
        *most(
            name.BUYING,
            counts["bought"],
            names,
            _("Most cards bought: {who}, {n}."),
        ),
        *most(
            name.IMPROVING,
            counts["turned_card"],
            names,
            _("Most cards upgraded: {who}, {n}."),
        ),
    ]


def _biggest_sale(events: Sequence[SeenEvent], names: Names) -> list[str]:
    """The order of a museum that brought most dollars; none if several people filled one for as much."""
    orders = [event for event in events if event.kind == "filled" and event.seat is not None]
    dollars = max((int(event.facts["dollars"]) for event in orders), default=0)
    best = [event for event in orders if event.facts["dollars"] == dollars]
    if not dollars or len({event.seat for event in best}) != 1:
        return []
    kind, count = ARTIFACTS.index(best[0].facts["artifact"]), int(best[0].facts["count"])
    goods = name.goods([count if number == kind else 0 for number in range(len(ARTIFACTS))])
    text = _("Biggest sale to a museum: {who}, {goods} for ${dollars}.")
    who = names.bold(best[0].seat or 0)
    return [f"{name.MUSEUM} " + text.format(who=who, goods=goods, dollars=dollars)]
