"""Finds the games: every package in `engine` that has a `create` function makes one.

`create(card_list: object | None) -> Game` builds the game with the built-in card list, or with the data given.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Callable
from functools import cache
from pathlib import Path

import engine
from engine.errors import BadData
from engine.game import AnyGame


@cache
def packages() -> tuple[str, ...]:
    """The names of the packages that hold a game, in alphabetical order."""
    names = sorted(module.name for module in pkgutil.iter_modules(engine.__path__) if module.ispkg)
    return tuple(name for name in names if hasattr(importlib.import_module(f"engine.{name}"), "create"))


def load_games(card_lists: Path | None = None) -> dict[str, AnyGame]:
    """All games by key. Files `PACKAGE.json` in the folder `card_lists` replace the built-in card lists.

    Raises `BadData` naming the file, the line where it can be told, and the reason.
    """
    if card_lists is not None and not card_lists.is_dir():
        raise BadData(f"{card_lists}: there is no such folder of card lists")
    games: dict[str, AnyGame] = {}
    for name in packages():
        create = importlib.import_module(f"engine.{name}").create
        file = card_lists / f"{name}.json" if card_lists else None
        game: AnyGame = create(None) if file is None or not file.exists() else _with_cards(create, file)
        games[game.key] = game
    return games


def _with_cards(create: Callable[[object], AnyGame], file: Path) -> AnyGame:
    try:
        text = file.read_text(encoding="utf-8")
        data = json.loads(text)
    except json.JSONDecodeError as error:
        raise BadData(f"{file}, line {error.lineno}: {error.msg}") from None
    except (OSError, UnicodeDecodeError) as error:
        raise BadData(f"{file}: {error}") from None
    except (ValueError, RecursionError):  # the latter for lists that are nested a thousand deep
        raise BadData(f"{file}: this is no card list") from None
    try:
        return create(data)
    except BadData as error:
        line = text.count("\n", 0, _place(text, error.where)) + 1
        raise BadData(f"{file}, line {line}: {error}", error.where) from None


# -- where a fault stands in the text of a file

_decode = json.JSONDecoder().raw_decode


def _place(text: str, where: tuple[str | int, ...]) -> int:
    """Where the value under these keys begins in a JSON text, or the last value on the way to it that is there."""
    at = _skip(text, 0)
    for part in where:
        found = _member(text, at, str(part))
        if found is None:
            break
        at = found
    return at


def _member(text: str, at: int, name: str) -> int | None:
    """Where the member of this name or number begins in the object or list at `at`."""
    keyed = text[at] == "{"
    if not keyed and text[at] != "[":
        return None
    number = 0
    at = _skip(text, at + 1)
    while text[at] not in "]}":
        key = str(number)
        if keyed:
            key, at = _decode(text, at)
            at = _skip(text, _skip(text, at) + 1)
        if key == name:
            return at
        _, at = _decode(text, at)
        at = _skip(text, at)
        if text[at] == ",":
            at = _skip(text, at + 1)
        number += 1
    return None


def _skip(text: str, at: int) -> int:
    """The next place from `at` on that holds no white space."""
    while text[at] in " \t\r\n":
        at += 1
    return at
