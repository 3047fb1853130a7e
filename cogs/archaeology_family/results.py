"""The result of a match of both Archaeology games in words: the ranks, the sets that were sold, what broke a tie."""

from __future__ import annotations

from bot.language import gettext as _
from bot.ui.screens.kit import SEATS, ranking
from bot.ui.screens.names import Names
from cogs.archaeology_family import names as card
from engine.archaeology_family.state import View


def result(view: View, names: Names) -> list[str]:
    """The ranks and what made them, a line each."""
    outcome = view.outcome
    assert outcome is not None
    lines: list[str] = []
    for seat, place in ranking(outcome):
        lines.append(f"{place} {SEATS[seat]} {names.bold(seat)} · **${outcome.scores[seat]}**")
        sets = card.sold_sets(view.sold[seat], view.prices)
        lines.append(f"-# {sets}" if sets else _("-# sold nothing"))
    if outcome.why == "fewer-cards":
        tied = [seat for seat, money in enumerate(outcome.scores) if money == max(outcome.scores)]
        counts = " · ".join(f"{names.bold(seat)} {outcome.detail[seat]}" for seat in tied)
        lines.append(
            _("Tied for the most money; whoever sold fewer cards wins: {counts}").format(counts=counts)
        )
    elif outcome.why == "shared":
        lines.append(_("Tied on money and on cards sold: the victory is shared."))
    return lines
