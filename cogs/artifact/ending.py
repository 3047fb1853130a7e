"""The result of a match: the ranks with the journey of each party, and how the match ended."""

from __future__ import annotations

from typing import Final

from bot.language import gettext as _
from bot.ui.screens.kit import ranking
from bot.ui.screens.names import Names
from cogs.artifact import names as name
from cogs.artifact import table
from engine.artifact import choices
from engine.artifact.state import GONE, View

LATEST: Final = 5
"""The lines about the Artifact's way that a result has room for."""


def result(view: View, names: Names) -> list[str]:
    """The ranks, each with the party's journey; then the way of the Artifact, and the scenario's epilogue."""
    outcome = view.outcome
    assert outcome is not None
    lines: list[str] = []
    for seat, rank in ranking(outcome):
        standing = table.strength(view, seat) if choices.strength(view, seat).members else _("out")
        if outcome.why == "home" and seat not in outcome.winners and view.at[seat] != GONE:
            standing += f" · {table.from_home(view, seat)}"
        place = rank if seat in outcome.winners else "▫️"  # nobody else is ranked
        lines.append(f"{place} {name.SEAT[seat]} {names.bold(seat)} · {standing}")
        lines.append(table.journey(view, seat))
    lines += _way_of_the_artifact(view, names)
    if outcome.why == "home" and view.viewer in (None, *outcome.winners):
        lines.append(f"*{name.written(choices.scenario(view).data.homecoming)}*")
    return lines


def _way_of_the_artifact(view: View, names: Names) -> list[str]:
    """When and where each party got the Artifact, the latest ones, and when it came home; none if nobody had it."""
    lines: list[str] = []
    for held in view.hands[-LATEST:]:
        text = _("{artifact} Round {n}, square {square}: to {who}")
        words = {"artifact": name.ARTIFACT, "n": held.round, "square": held.square}
        lines.append(text.format(**words, who=names.bold(held.seat)))
    if view.hands and view.outcome and view.outcome.why == "home":
        text = _("{home} Round {n}: {who} brings it home.")
        if view.die:
            text = _("{home} Round {n}: {who} brings it home with a roll of {die}.")
        words = {"home": name.HOME, "n": view.round, "die": name.die(view.die or 1)}
        lines.append(text.format(**words, who=names.bold(view.hands[-1].seat)))
    return lines
