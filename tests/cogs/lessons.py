"""Finds the presses by which a screen makes a move, whatever the game: as somebody does who reads a lesson."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any, NamedTuple

from bot.language import speaking
from bot.tables.model import Table
from bot.tables.play import Moves
from bot.tables.premoves import question_for
from bot.tables.refusals import Refused
from bot.ui.screens.game_screens import AnyScreens, Pressed, Selection, meant_by
from bot.ui.screens.ids import Id, read_id
from bot.ui.screens.kit import Choices, menu_number
from bot.ui.screens.names import Names
from engine.errors import IllegalMove
from tests.cogs.page import BUTTON, MENU

DEEPEST = 6
"""The most presses that a move may take."""
COMBINATIONS = 400
"""The most choices of a menu that are tried."""


class Press(NamedTuple):
    """A press on a button, or the choice of these options of a menu."""

    custom_id: str
    values: tuple[str, ...] | None = None


class Found(NamedTuple):
    """A press and its meaning: a move, moves, or a selection."""

    press: Press
    meaning: Any


def course(table: Table, screens: AnyScreens, move: Any, most: int = 100_000) -> list[Press]:
    """The presses, as few as possible, that make this move on the screen of the first seat.

    At most so many selections are tried.
    """
    dump = table.game.dump_move
    tried: set[str] = set()
    ways: list[tuple[list[Press], Choices]] = [([], {})]
    for _depth in range(DEEPEST):
        further: list[tuple[list[Press], Choices]] = []
        for before, choices in ways:
            for press, meaning in presses(table, screens, choices):
                if isinstance(meaning, Selection):
                    key = str(
                        sorted(
                            (intent, sorted(chosen)) for intent, chosen in meaning.choices.items() if chosen
                        )
                    )
                    if key not in tried:
                        assert len(tried) < most, "there are too many selections"
                        tried.add(key)
                        further.append(([*before, press], meaning.choices))
                elif not isinstance(meaning, Moves) and dump(meaning) == dump(move):
                    return [*before, press]
        ways = further
    raise AssertionError(f"no way to {dump(move)}")


def presses(table: Table, screens: AnyScreens, choices: Choices) -> Iterator[Found]:
    """Every press that the screen of the first seat offers with this selection, and its meaning."""
    question = question_for(table, 0)
    assert question is not None
    view = table.game.view(question.state, 0)
    try:
        items = screens.private(view, Names(table.seats), choices, Id("", table.id, question.view_version))
    except IllegalMove:
        return
    shown = [*_components(items)]
    for component in shown:
        for values in _values(component):
            to = read_id(component["custom_id"])
            assert to is not None
            pressed = Pressed(to.intent, to.arg, _choices(shown, component, values))
            try:
                meaning = meant_by(screens, view, pressed)
            except (IllegalMove, Refused):
                continue
            yield Found(Press(component["custom_id"], values), meaning)


def other_moves(table: Table, screens: AnyScreens, move: Any) -> list[Press]:
    """A press for each intent by which the screen of the first seat at once makes another legal move than this."""
    game, found = table.game, dict[str, Press]()
    for press, meaning in presses(table, screens, {}):
        to = read_id(press.custom_id)
        if to is None or to.intent in found or isinstance(meaning, Selection):
            continue
        moves = meaning.moves if isinstance(meaning, Moves) else (meaning,)
        if [game.dump_move(each) for each in moves] == [game.dump_move(move)]:
            continue
        state = game.copy(table.state)
        try:
            for each in moves:
                game.apply(state, 0, each)
        except IllegalMove:
            continue
        found[to.intent] = press
    return [*found.values()]


def _components(items: Sequence[Mapping[str, Any]]) -> Iterator[Mapping[str, Any]]:
    """The buttons that can be pressed, and the menus."""
    for item in items:
        if item["type"] in (BUTTON, MENU):
            if not item.get("disabled") and read_id(item.get("custom_id", "")):
                yield item
            continue
        yield from _components(
            [*item.get("components", ()), *([item["accessory"]] if "accessory" in item else [])]
        )


def _values(component: Mapping[str, Any]) -> Iterator[tuple[str, ...] | None]:
    if component["type"] == BUTTON:
        yield None
        return
    options = [option["value"] for option in component["options"]]
    least, most = component.get("min_values", 1), component.get("max_values", 1)
    tried = 0
    for count in range(max(least, 1), most + 1):
        for values in combinations(options, count):
            tried += 1
            if tried > COMBINATIONS:
                return
            yield values


def _choices(
    shown: Sequence[Mapping[str, Any]], pressed: Mapping[str, Any], values: tuple[str, ...] | None
) -> Choices:
    by_menu: dict[str, dict[str, list[str]]] = {}
    for component in shown:
        to = read_id(component["custom_id"])
        if component["type"] == MENU and to is not None:
            chosen = [option["value"] for option in component["options"] if option.get("default")]
            by_menu.setdefault(to.intent, {})[menu_number(to)] = chosen
    to = read_id(pressed["custom_id"])
    if values is not None and to is not None:
        by_menu[to.intent][menu_number(to)] = [*values]
    return {intent: [value for each in menus.values() for value in each] for intent, menus in by_menu.items()}


def in_language(locale: str, table: Table, screens: AnyScreens, move: Any) -> list[Press]:
    """The presses for this move, as the screen in this language has them."""
    with speaking(locale):
        return course(table, screens, move)
