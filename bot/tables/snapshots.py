"""Reads the stored text of a match's state."""

from __future__ import annotations

from typing import Any, cast

from pydantic_core import from_json

from engine.errors import BadData
from engine.game import AnyGame


def read_snapshot(text: str, game: AnyGame) -> Any:
    """The state that this text holds. Raises `BadData`."""
    return game.load(_read_object(text))


def _read_object(text: str) -> dict[str, Any]:
    try:
        data: Any = from_json(text)
    except ValueError:  # raised again below without the error's text, which quotes `text`
        data = None
    if not isinstance(data, dict):
        raise BadData("the snapshot is no JSON object")
    return cast("dict[str, Any]", data)
