"""Artifacts, Inc. for the second verifier (`tests.engine.record_oracle`), from docs/fairness.md and the list beside it.

The rules are those of `tests.engine.artifacts_inc.oracle`, which knows nothing of the engine's either; here stand the
forms that moves must have.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from tests.engine.artifacts_inc.oracle import Oracle

LIST_FILE = Path(__file__).parents[3] / "docs" / "cards" / "artifacts-inc.json"
KINDS = ("fossil", "scroll", "statue", "gem")

Check = Callable[[Any], bool]


def card_list() -> dict[str, Any]:
    """The list of the page's appendix."""
    return json.loads(LIST_FILE.read_text(encoding="utf-8"))


def digest() -> str:
    """The list's digest, of its canonical text."""
    return hashlib.sha256(json.dumps(card_list(), sort_keys=True).encode("ascii")).hexdigest()[:16]


# -- the forms of moves


def _integer(least: int, most: int) -> Check:
    return lambda value: type(value) is int and least <= value <= most


def _parts(needed: Mapping[str, Check], optional: Mapping[str, Check] | None = None) -> Check:
    """An object that has all of the first, some of the others and nothing else."""
    others = optional or {}

    def fits(value: Any) -> bool:
        if type(value) is not dict or not needed.keys() <= value.keys() <= {*needed, *others}:
            return False
        checks = {**needed, **others}
        return all(checks[name](part) for name, part in value.items())

    return fits


def _list(check: Check, least: int, most: int) -> Check:
    return lambda value: type(value) is list and least <= len(value) <= most and all(map(check, value))


def _key(value: Any) -> bool:
    return type(value) is str


def _kind(value: Any) -> bool:
    return type(value) is str and value in KINDS


def _sold(value: Any) -> bool:
    return type(value) is dict and all(_kind(kind) and _integer(1, 9999)(n) for kind, n in value.items())


FACE = _integer(1, 6)
NUMBER = _integer(0, 99)
DICE = _list(FACE, 1, 7)
OWN = _parts({"card": _key}, {"copy": NUMBER})
SLOT = _parts({"card": _key, "slot": NUMBER}, {"copy": NUMBER})
PLACE = _parts({"row": lambda value: value in ("upper", "lower"), "column": _integer(-99, 99)})
ONE_DIE = {"kind": _key, "die": FACE, "on": SLOT}

MOVES: dict[str, Check] = {
    "roll": _parts({"kind": _key}, {"order": _list(_key, 4, 4)}),
    "place_die": _parts(ONE_DIE),
    "gather": _parts({**ONE_DIE, "artifact": _kind}),
    "fill_order": _parts({**ONE_DIE, "museum": _kind, "order": NUMBER}),
    "collect": _parts({**ONE_DIE, "artifacts": _sold}),
    "sell_one": _parts({**ONE_DIE, "artifact": _kind}),
    "buy": _parts({**ONE_DIE, "card": _key, "place": PLACE}),
    "turn_card": _parts({**ONE_DIE, "own": OWN}),
    "dive": _parts({"kind": _key, "dice": DICE}),
    "turn_die": _parts({"kind": _key, "by": OWN, "die": FACE, "to": FACE}),
    "roll_again": _parts({"kind": _key, "by": OWN, "dice": DICE}),
    "pass": _parts({"kind": _key}),
}
"""The page's table of moves."""


# -- the match


class ArtifactsMatch:
    """A match that is set up and takes moves."""

    def __init__(self, seats: int, key: bytes) -> None:
        self._oracle = Oracle(seats, key, card_list())

    def may(self, seat: int, move: dict[str, Any]) -> bool:
        """Whether this is a move, and legal for this seat now."""
        kind = move.get("kind")
        return type(kind) is str and kind in MOVES and MOVES[kind](move) and self._oracle.may(seat, move)

    def make(self, move: dict[str, Any]) -> None:
        """Makes a legal move."""
        self._oracle.play(move)

    def end(self) -> dict[str, list[int]] | None:
        if not self._oracle.over:
            return None
        return {
            "ranks": self._oracle.ranks(),
            "scores": [player.reputation for player in self._oracle.players],
        }
