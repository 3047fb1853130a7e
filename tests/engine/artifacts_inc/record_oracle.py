"""Artifacts, Inc. for the second verifier (`tests.engine.record_oracle`), from docs/record.md and the list beside it.

The rules are those of `tests.engine.artifacts_inc.oracle`, which knows nothing of the engine's either; here stand the
forms that moves must have.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from tests.engine.artifacts_inc.oracle import Oracle
from tests.engine.strict import Check, array, integer, one_of, parts, text

GAME = "artifacts-inc"
SEATS = range(2, 5)
LIST_FILE = Path(__file__).parents[3] / "docs" / "cards" / "artifacts-inc.json"


def card_list() -> dict[str, Any]:
    """The list of the page's appendix."""
    return json.loads(LIST_FILE.read_text(encoding="utf-8"))


def are_options(options: Mapping[str, Any]) -> bool:
    """Whether a record may have these options."""
    return not options


# -- the forms of moves

KIND = one_of("fossil", "scroll", "statue", "gem")


def _sold(value: Any) -> bool:
    return type(value) is dict and all(KIND(kind) and integer(1, 9999)(n) for kind, n in value.items())


FACE = integer(1, 6)
NUMBER = integer(0, 99)
DICE = array(FACE, 1, 7)
OWN = parts({"card": text}, {"copy": NUMBER})
SLOT = parts({"card": text, "slot": NUMBER}, {"copy": NUMBER})
PLACE = parts({"row": one_of("upper", "lower"), "column": integer(-99, 99)})
ONE_DIE = {"kind": text, "die": FACE, "on": SLOT}

MOVES: dict[str, Check] = {
    "roll": parts({"kind": text}, {"order": array(text, 4, 4)}),
    "place_die": parts(ONE_DIE),
    "gather": parts({**ONE_DIE, "artifact": KIND}),
    "fill_order": parts({**ONE_DIE, "museum": KIND, "order": NUMBER}),
    "collect": parts({**ONE_DIE, "artifacts": _sold}),
    "sell_one": parts({**ONE_DIE, "artifact": KIND}),
    "buy": parts({**ONE_DIE, "card": text, "place": PLACE}),
    "turn_card": parts({**ONE_DIE, "own": OWN}),
    "dive": parts({"kind": text, "dice": DICE}),
    "turn_die": parts({"kind": text, "by": OWN, "die": FACE, "to": FACE}),
    "roll_again": parts({"kind": text, "by": OWN, "dice": DICE}),
    "pass": parts({"kind": text}),
}
"""The page's table of moves."""


# -- the match


class ArtifactsMatch:
    """A match that is set up and takes moves."""

    def __init__(self, seats: int, options: Mapping[str, Any], key: bytes) -> None:
        self.oracle = Oracle(seats, key, card_list())

    def may(self, seat: int, move: dict[str, Any]) -> bool:
        """Whether this is a move, and legal for this seat now."""
        kind = move.get("kind")
        return type(kind) is str and kind in MOVES and MOVES[kind](move) and self.oracle.may(seat, move)

    def make(self, seat: int, move: dict[str, Any]) -> None:
        """Makes a legal move."""
        self.oracle.play(move)

    def end(self) -> dict[str, list[int]] | None:
        if not self.oracle.over:
            return None
        return {"ranks": self.oracle.ranks(), "scores": [player.reputation for player in self.oracle.players]}


begin = ArtifactsMatch
