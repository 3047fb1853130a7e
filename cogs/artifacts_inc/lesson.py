"""The fields of the texts of the lesson of Artifacts, Inc. (`lesson.toml`)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from bot.language import gettext as _
from bot.ui.screens.kit import dice
from bot.ui.screens.names import Names
from cogs.artifacts_inc import names as name
from engine.artifacts_inc.card_list import ARTIFACTS
from engine.artifacts_inc.catalogue import Slot
from engine.artifacts_inc.choices import counted, dice_of, majority, next_dive, places
from engine.artifacts_inc.state import GOAL, View


def facts(view: View, names: Names) -> Mapping[str, Any]:
    """The fields of the texts.

    Of a card by its key: KEY is its name, KEY_cost its dollars, KEY_takes the dice of its slots. Of an artifact by
    its key: KEY are the viewer's in words, KEYs their number, KEY_museum its museum's name, KEY_museum_takes,
    KEY_bonus and KEY_majority the museum's dice, dollars and reputation, lead_KEY and KEY_leader the name and the
    seat that lead there. Of the match: the reputation that begins the last round (goal), the number of dice that the
    viewer rolls, dice and faces, the label of the button for a 5 (die_5), dollars, reputation,
    the next dive, the opponent (a), and what the Explorers' Club would count in its best place.
    """
    catalogue, dive = view.catalogue, next_dive(view)
    club = catalogue.cards[catalogue.numbers["explorers_club"]].sides[0]
    found: dict[str, Any] = {
        "star": name.REPUTATION,
        "dice": dice(view.dice),
        "faces": list(view.dice),
        "die_5": _("Die {face}").format(face=5),
        "goal": GOAL,
        "rolls": dice_of(view, 0),
        "dollars": view.dollars[0],
        "reputation": view.reputation[0],
        "a": names.bold(1),
        "dive_number": dive.number if dive else 0,
        "dive_star": dive.reputation if dive else 0,
        "club_counts": max(counted(view, 0, club, place) for place in places(view, 0)),
    }
    for card in catalogue.cards:
        slots = card.sides[0].slots if card.sides else ()
        found[card.key] = f"**{name.written(card)}**"
        found[f"{card.key}_cost"] = card.dollars
        found[f"{card.key}_takes"] = " / ".join(map(_takes, slots))
    for artifact, key in enumerate(ARTIFACTS):
        museum, leader = catalogue.museums[artifact], majority(view, artifact)
        found[key] = f"{name.ARTIFACT[artifact]} {name.counted(artifact, view.artifacts[0][artifact])}"
        found[f"{key}s"] = view.artifacts[0][artifact]
        found[f"{key}_bonus"], found[f"{key}_majority"] = museum.bonus, museum.majority
        found[f"{key}_leader"] = leader
        found[f"lead_{key}"] = names.bold(leader) if leader is not None else ""
    return found


def _takes(slot: Slot) -> str:
    """The dice that a slot takes: "3+", or "1" for a 1 alone."""
    faces = [face for face in range(1, 7) if slot.faces >> face & 1]
    return f"{faces[0]}+" if faces[-1] == 6 else ", ".join(map(str, faces))
