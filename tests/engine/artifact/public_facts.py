"""The content of a view of Artifact, in the words of the oracle, which knows nothing of views."""

from __future__ import annotations

from typing import Any

from engine.artifact.choices import journal, people
from engine.artifact.state import View
from tests.engine.artifact.oracle import ABILITIES


def public_facts(view: View) -> dict[str, Any]:
    """The content of a view, in the form of `Oracle.public`."""
    sheets = [
        {
            "members": [[[ABILITIES[a] for a in p.abilities], p.wound] for p in people(view, seat)],
            "aids": list(view.aids[seat]),
            "square": view.at[seat],
            "skips": view.skips[seat],
            "journal": {key: n for key, n in journal(view, seat)._asdict().items() if n},
        }
        for seat in range(view.seats)
        if view.members[seat]
    ]
    shown = {
        "die": view.die or None,
        "step": view.step or None,
        "encounter": view.encounter or None,
        "opponent": None if view.opponent < 0 else view.opponent,
        "ability": None if view.ability < 0 else ABILITIES[view.ability],
        "used": None if view.phase != "defend" else list(view.used),
    }
    outcome = view.outcome
    return {
        "scenario": view.catalogue.scenarios[view.scenario].key,
        "asked": {decision.seat: decision.kind for decision in view.pending},
        "sheets": sheets,
        "order": [list(roll) for roll in view.order],
        "round": view.round,
        "turn": None if outcome else view.active,
        "holder": None if view.holder < 0 else view.holder,
        "ground": view.lies or None,
        "hands": [list(held) for held in view.hands],
        "shown": {key: value for key, value in shown.items() if value is not None},
        "end": [outcome.winners[0] if outcome else None, outcome.why if outcome else ""],
    }
