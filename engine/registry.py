"""Finds the games: every package in `engine` that has a `create` function makes one.

`create(card_list: object | None) -> Game` builds the game with the built-in card list, or with the data given. A
package whose card list lies in several files says so by `IN_FILES = True`; the data are then those of each file, by
its name.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
from collections.abc import Callable
from difflib import get_close_matches
from functools import cache
from pathlib import Path
from typing import Final

import engine
from engine.errors import BadData
from engine.game import AnyGame


@cache
def packages() -> tuple[str, ...]:
    """The names of the packages that hold a game, in alphabetical order."""
    names = sorted(module.name for module in pkgutil.iter_modules(engine.__path__) if module.ispkg)
    return tuple(name for name in names if hasattr(importlib.import_module(f"engine.{name}"), "create"))


def load_games(card_lists: Path | None = None, *, unpublished: bool = True) -> dict[str, AnyGame]:
    """All games by key, or the published ones. Files in the folder `card_lists` replace the built-in card lists.

    They are called `PACKAGE.json`, or lie in a folder `PACKAGE` for a game whose card list has several.

    Raises `BadData` naming the file, the line where it can be told, and the reason; also for a file that is no card
    list of any game by its name.
    """
    if card_lists is not None:
        _check_names(card_lists)
    games: dict[str, AnyGame] = {}
    for name in packages():
        package = importlib.import_module(f"engine.{name}")
        game = package.create(None) if card_lists is None else _made(package.create, card_lists, name)
        if game.published or unpublished:
            games[game.key] = game
    return games


def card_list_sources(card_lists: Path | None = None) -> dict[str, tuple[Path, ...]]:
    """The owner's files from which `load_games` takes each game's card list, by package; empty for the built-in one."""
    return {name: _owners_files(card_lists, name) if card_lists else () for name in packages()}


def _owners_files(card_lists: Path, name: str) -> tuple[Path, ...]:
    if not _in_files(name):
        file = card_lists / f"{name}.json"
        return (file,) if file.exists() else ()
    folder = card_lists / name
    return tuple(sorted(each for each in _seen(folder) if each.suffix == ".json")) if folder.exists() else ()


def _in_files(name: str) -> bool:
    """Whether a game's card list lies in several files."""
    return bool(getattr(importlib.import_module(f"engine.{name}"), "IN_FILES", False))


# -- names in the owner's folder

ALIKE: Final = 0.6
"""A name that is at least this similar to that of a card list (1: the same) counts as a misspelling of it."""


def _check_names(card_lists: Path) -> None:
    """Refuses a name that no game reads, because its author would play with other numbers than they think."""
    if not card_lists.is_dir():
        raise BadData(f"{card_lists}: there is no such folder of card lists")
    lists = {name: f"{name}/" if _in_files(name) else f"{name}.json" for name in packages()}
    # A file PACKAGE.json in the place of the folder PACKAGE is refused where it is read, with a reason of its own.
    read = {*lists, *(f"{name}.json" for name in lists)} - {name for name in lists if not _in_files(name)}
    for each in _seen(card_lists):
        if each.name not in read:
            meant = get_close_matches(each.name.lower(), lists.values(), 1, ALIKE)
            hint = f"Did you mean {meant[0]}?" if meant else f"The names are {', '.join(lists.values())}."
            raise BadData(f"{each}: no game has a card list of this name. {hint} {_ELSEWHERE}")
    for folder in (card_lists / name for name in packages() if _in_files(name)):
        for each in _seen(folder) if folder.is_dir() else ():
            if each.suffix != ".json":
                raise BadData(f"{each}: the name of a card list ends in .json. {_ELSEWHERE}")


_ELSEWHERE: Final = "Rename it; or if it is no card list, move it out of the folder."


def _seen(folder: Path) -> list[Path]:
    """The files in a folder, without hidden files, such as those that editors and file managers leave."""
    try:
        return [each for each in sorted(folder.iterdir()) if not each.name.startswith(".")]
    except OSError as error:
        raise BadData(f"{folder}: {error}") from None


Create = Callable[[object], AnyGame]


def _made(create: Create, card_lists: Path, name: str) -> AnyGame:
    """The game with the owner's card list, where there is one: a file, or the files `NAME/*.json`."""
    whole, folder, in_files = f"{name}.json", card_lists / name, _in_files(name)
    if in_files and (file := card_lists / whole).exists():
        raise BadData(f"{file}: the card list of this game lies in several files; put them into {folder}")
    if not (folder if in_files else card_lists / whole).exists():
        return create(None)
    files = {file.name: file for file in _owners_files(card_lists, name)}
    texts = {file.name: _text(file) for file in files.values()}
    data = {file.name: _data(file, texts[file.name]) for file in files.values()}
    try:
        return create(data if in_files else data[whole])
    except BadData as error:
        at, *where = error.where if in_files and error.where else (whole, *error.where)
        if at not in files:
            raise BadData(f"{folder}: {error}", error.where) from None
        raise _placed(error, files[str(at)], texts[str(at)], tuple(where)) from None


def _text(file: Path) -> str:
    try:
        return file.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise BadData(f"{file}: {error}") from None


def _data(file: Path, text: str) -> object:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        raise BadData(f"{file}, line {error.lineno}: {error.msg}") from None
    except (ValueError, RecursionError):  # a number of thousands of digits, lists a thousand deep
        raise BadData(f"{file}: this is no card list") from None


def _placed(error: BadData, file: Path, text: str, where: tuple[str | int, ...]) -> BadData:
    """The error with the file and the line at which the value under these keys stands."""
    line = text.count("\n", 0, _place(text, where)) + 1
    return BadData(f"{file}, line {line}: {error}", error.where)


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
