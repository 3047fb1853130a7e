"""The highlights of a race to the Artifact."""

from __future__ import annotations

from collections.abc import Sequence

from bot.language import gettext as _
from bot.ui.screens.game_screens import SeenEvent
from bot.ui.screens.highlights import most
from bot.ui.screens.names import Names
from cogs.artifact import names as name


def highlights(events: Sequence[SeenEvent], seats: int, names: Names) -> list[str]:
    """The seats with most fights won, Challenges overcome, seizures of the Artifact, and wounds."""
    won, overcome, seized, wounds = [0] * seats, [0] * seats, [0] * seats, [0] * seats
    for event in events:
        if event.seat is None:
            continue
        if event.kind == "fought" and event.facts["winner"] is not None:
            won[event.facts["winner"]] += 1
        elif event.kind == "faced" and event.facts["overcome"]:
            overcome[event.seat] += 1
        elif event.kind == "seized":
            seized[event.seat] += 1
        elif event.kind in ("wounded", "member_out"):
            wounds[event.seat] += 1
    return [
        *most(
            name.FIGHT,
            won,
            names,
            _("Most fights won: {who}, {n}."),
        ),
        *most(
            name.CHALLENGE,
            overcome,
            names,
            _("Most Challenges overcome: {who}, {n}."),
        ),
        *most(
            name.ARTIFACT,
            seized,
            names,
            _("Artifact seized most often: {who}, {n}."),
        ),
        *most(
            name.WOUND,
            wounds,
            names,
            _("Most wounds: {who}, {n}."),
        ),
    ]
