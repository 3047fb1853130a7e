"""The result of a match: the ranks with the journey of each party, and how the match ended."""

from __future__ import annotations

from bot.language import gettext as _
from bot.ui.screens.kit import ranking
from bot.ui.screens.names import Names
from cogs.artifact import names as name
from cogs.artifact import table
from engine.artifact import choices
from engine.artifact.state import View


def result(view: View, names: Names) -> list[str]:
    """The ranks, each with the party's journey and its loss of the Artifact; last the scenario's epilogue."""
    outcome = view.outcome
    assert outcome is not None
    lines: list[str] = []
    for seat, rank in ranking(outcome):
        standing = table.strength(view, seat) if choices.strength(view, seat).members else _("out")
        lines.append(f"{rank} {name.SEAT[seat]} {names.bold(seat)} · {standing}")
        lines.append(table.journey(view, seat) + _lost(view, seat, names))
    if outcome.why == "home":
        lines.append(f"*{name.written(choices.scenario(view).data.homecoming)}*")
    return lines


def _lost(view: View, seat: int, names: Names) -> str:
    """The party that took the Artifact from this one; empty if it never had it, or had it to the end."""
    last = max((place for place, held in enumerate(view.hands) if held.seat == seat), default=len(view.hands))
    if last + 1 >= len(view.hands):
        return ""
    taken = view.hands[last + 1]
    text = _("{who} took the Artifact on square {n}")
    return f" · {name.ARTIFACT} " + text.format(who=names.bold(taken.seat), n=taken.square)
