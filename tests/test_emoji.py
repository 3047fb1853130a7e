"""One emoji, one meaning: docs/emoji.md lists what each stands for, on the host's screens and in each game."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from bot.ui.screens.game_screens import AnyScreens
from cogs import GAMES
from tests.cogs.in_memory import ENGINES, SCREENS

ROOT = Path(__file__).parents[1]
EMOJI = re.compile(
    r"[\u2139\u21a9\u23e9-\u23fa\u25aa-\u25fe\u2600-\u27bf\u2b00-\u2bff\U0001f000-\U0001f51e\U0001f520-\U0001faff]"
)
"""The characters by which emoji are recognised. Digits in boxes and what changes an emoji's look are left out."""
HOST = "host"


def folders(screens: type[AnyScreens]) -> tuple[str, ...]:
    """The folders with a game's texts: that of its screens, and those of the screens from which they derive."""
    packages = {each.__module__.rpartition(".")[0] for each in screens.__mro__}
    return tuple(sorted(package.replace(".", "/") for package in packages if package.startswith("cogs.")))


SCOPES = {HOST: ("bot",)} | {each.game: folders(each) for each in GAMES if ENGINES[each.game].published}
"""The folders whose texts are the host's, and those of each game that is published, by its key."""


def scope_of(name: str) -> str:
    """The scope that the table calls by this name: the first game with a title, or a part of one, like this."""
    titles = {HOST: [HOST]} | {key: SCREENS[key].title().split(": ") for key in SCOPES if key != HOST}
    return next(scope for scope, parts in titles.items() if name in parts or name == ": ".join(parts))


def listed() -> dict[str, list[tuple[str, str]]]:
    """The rows of the table in docs/emoji.md: for each scope, pairs of an emoji and its meaning."""
    text = (ROOT / "docs" / "emoji.md").read_text(encoding="utf-8")
    rows: dict[str, list[tuple[str, str]]] = {scope: [] for scope in SCOPES}
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 3 and EMOJI.search(cells[0]):
            for scope in cells[2].split(" and "):
                rows[scope_of(scope)] += [(emoji, cells[1]) for emoji in EMOJI.findall(cells[0])]
    return rows


def used(folders: tuple[str, ...]) -> set[str]:
    """The emoji in the texts of this code, docstrings left out, and of the lessons and rules beside it."""
    data = [file for folder in folders for kind in ("*.toml", "*.md") for file in (ROOT / folder).rglob(kind)]
    return {
        emoji for folder in folders for file in (ROOT / folder).rglob("*.py") for emoji in _emoji_in(file)
    } | {*EMOJI.findall("".join(file.read_text(encoding="utf-8") for file in data))}


def _emoji_in(file: Path) -> Iterator[str]:
    tree = ast.parse(file.read_text(encoding="utf-8"))
    bare = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in bare:
            yield from EMOJI.findall(node.value)


@pytest.mark.parametrize("scope", SCOPES)
def test_every_emoji_on_a_screen_is_listed_with_its_meaning(scope: str) -> None:
    known = {emoji for emoji, _meaning in [*listed()[scope], *listed()[HOST]]}
    assert used(SCOPES[scope]) <= known, "say in docs/emoji.md what it stands for"
    assert {emoji for emoji, _meaning in listed()[scope]} <= used(SCOPES[scope]), "no screen shows it"


@pytest.mark.parametrize("scope", [scope for scope in SCOPES if scope != HOST])
def test_no_emoji_has_two_meanings_for_the_players_of_a_game(scope: str) -> None:
    meanings = [emoji for emoji, _meaning in [*listed()[HOST], *listed()[scope]]]
    twice = {emoji for emoji in meanings if meanings.count(emoji) > 1}
    assert not twice, "one emoji, one meaning"
