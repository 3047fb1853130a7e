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
    """The ranks, each with the party's journey; then the way of the Artifact, and the scenario's epilogue."""
    outcome = view.outcome
    assert outcome is not None
    lines: list[str] = []
    for seat, rank in ranking(outcome):
        standing = table.strength(view, seat) if choices.strength(view, seat).members else _("out")
        lines.append(f"{rank} {name.SEAT[seat]} {names.bold(seat)} · {standing}")
        lines.append(table.journey(view, seat))
    lines += _way_of_the_artifact(view, names)
    if outcome.why == "home":
        lines.append(f"*{name.written(choices.scenario(view).data.homecoming)}*")
    return lines


def _way_of_the_artifact(view: View, names: Names) -> list[str]:
    """The parties that had the Artifact, each with the square on which it took it; none if nobody had it."""
    taken = [f"{names.bold(held.seat)} {name.square(held.square)}" for held in view.hands]
    home = [name.HOME] if view.outcome and view.outcome.why == "home" else []
    return [f"{name.ARTIFACT} {' → '.join([*taken, *home])}"] if taken else []
