"""Finds the games: every package in `engine` that has a `create` function makes one.

`create(table: Mapping | None) -> Game` builds the game with the built-in card table, or with the data given.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from functools import cache
from pathlib import Path

import engine
from engine.errors import BadData
from engine.game import AnyGame


@cache
def packages() -> tuple[str, ...]:
    """The names of the packages that hold a game, in alphabetical order."""
    found: list[str] = []
    for module in pkgutil.iter_modules(engine.__path__):
        if module.ispkg and hasattr(importlib.import_module(f"engine.{module.name}"), "create"):
            found.append(module.name)
    return tuple(sorted(found))


def load_games(tables: Path | None = None) -> dict[str, AnyGame]:
    """All games by key. Files `KEY.json` in the folder `tables` replace the built-in card tables.

    Raises `BadData` naming the file, the line where it can be told, and the reason.
    """
    games: dict[str, AnyGame] = {}
    for name in packages():
        module = importlib.import_module(f"engine.{name}")
        file = tables / f"{name}.json" if tables else None
        if file is None or not file.exists():
            game: AnyGame = module.create(None)
        else:
            game = _with_table(module.create, file)
        games[game.key] = game
    return games


def _with_table(create: object, file: Path) -> AnyGame:
    try:
        text = file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadData(f"{file}: {error}") from None
    try:
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadData(f"{file}, line {error.lineno}: {error.msg}") from None
    try:
        return create(data)  # type: ignore[operator]
    except BadData as error:
        raise BadData(f"{file}{_line_of(text, error)}: {error}") from None


def _line_of(text: str, error: BadData) -> str:
    """Where the table's fault stands, as well as its path of keys lets one tell."""
    where = getattr(error, "where", ())
    position = 0
    for part in where:
        found = text.find(f'"{part}"', position) if isinstance(part, str) else -1
        position = found if found >= 0 else position
    return f", line {text.count(chr(10), 0, position) + 1}" if position else ""
