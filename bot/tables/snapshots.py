"""Reads the stored text of a match's state, and its digest.

A stored snapshot bears the digest of its text. It shows torn bytes, text from elsewhere and an edited row, whatever the
game. Only snapshots of older versions bear none; their matches are replayed (`bot.tables.integrity`).
"""

from __future__ import annotations

import hashlib
from typing import Any, cast

from pydantic_core import from_json

from engine.errors import BadData
from engine.game import AnyGame


def digest_of(text: str) -> str:
    """The SHA-256 of a snapshot's text, in hexadecimal: most processors compute it in hardware."""
    return hashlib.sha256(text.encode()).hexdigest()


def read_snapshot(text: str, game: AnyGame, digest: str) -> Any:
    """The state that this text holds. An empty `digest` is not checked. Raises `BadData`."""
    if digest and digest != digest_of(text):
        raise BadData("the snapshot is damaged: it has another digest")
    data = _read_object(text)
    try:
        return game.load(data)
    except LookupError:  # a number without a digest points at a card or a seat that does not exist
        raise BadData("the snapshot is damaged: it names what does not exist") from None


def _read_object(text: str) -> dict[str, Any]:
    try:
        data: Any = from_json(text)
    except ValueError:  # raised again below without the error's text, which quotes `text`
        data = None
    if not isinstance(data, dict):
        raise BadData("the snapshot is no JSON object")
    return cast("dict[str, Any]", data)
