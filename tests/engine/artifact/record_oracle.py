"""Artifact for the second verifier (`tests.engine.record_oracle`), from docs/record.md and the list beside it.

The rules are those of `tests.engine.artifact.oracle`, which knows nothing of the engine's either; here stand the
forms that options and moves must have.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.engine.artifact.oracle import ABILITIES, EQUIPMENT, Oracle
from tests.engine.strict import Check, array, integer, one_of, parts, text

GAME = "artifact"
SEATS = range(2, 7)
LIST_FILE = Path(__file__).parents[3] / "docs" / "cards" / "artifact.json"


def card_list() -> dict[str, Any]:
    """The list of the page's appendix."""
    return json.loads(LIST_FILE.read_text(encoding="utf-8"))


def are_options(options: Mapping[str, Any]) -> bool:
    """Whether a record may have these options."""
    scenarios = [scenario["key"] for scenario in card_list()["scenarios"]]
    checks: dict[str, Check] = {
        "scenario": lambda value: value is None or one_of(*scenarios)(value),
        "challenges": one_of("corrected", "printed"),
    }
    return options.keys() <= checks.keys() and all(checks[name](value) for name, value in options.items())


# -- the forms of moves


def _aid(value: Any) -> bool:
    return text(value) and re.fullmatch("[a-z][a-z0-9_]{0,39}", value) is not None


ABILITY = one_of(*ABILITIES)

MOVES: dict[str, Check] = {
    "create": parts(
        {"kind": text, "tens": array(ABILITY, 0, 16), "equipment": array(one_of(*EQUIPMENT), 2, 2)}
    ),
    "roll": parts({"kind": text}),
    "go": parts({"kind": text, "direction": one_of("forward", "back")}),
    "meet": parts({"kind": text, "seat": integer(0, 5)}),
    "name": parts({"kind": text, "ability": ABILITY}),
    "use": parts({"kind": text, "aids": array(_aid, 0, 999)}),
    "give_up": parts({"kind": text, "aid": _aid}),
}
"""The page's table of moves."""


# -- the match


class ArtifactMatch:
    """A match that is set up and takes moves."""

    def __init__(self, seats: int, options: Mapping[str, Any], key: bytes) -> None:
        self.scenarios: list[dict[str, Any]] = card_list()["scenarios"]
        reading = options.get("challenges", "corrected")
        self.oracle = Oracle(seats, key, self.scenarios, options.get("scenario"), reading)

    def may(self, seat: int, move: dict[str, Any]) -> bool:
        """Whether this is a move, and legal for this seat now."""
        kind = move.get("kind")
        return type(kind) is str and kind in MOVES and MOVES[kind](move) and self.oracle.may(seat, move)

    def make(self, seat: int, move: dict[str, Any]) -> None:
        """Makes a legal move."""
        self.oracle.play(seat, move)

    def end(self) -> dict[str, list[int]] | None:
        winner = self.oracle.winner
        if winner is None:
            return None
        scores = [int(seat == winner) for seat in range(self.oracle.seats)]
        return {"ranks": [2 - score for score in scores], "scores": scores}


begin = ArtifactMatch
