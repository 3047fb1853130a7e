"""The controls of a screen: those that can be used, and which of them makes a certain move at one press."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, cast

from bot.tables.play import Moves
from bot.tables.refusals import Refused
from bot.ui.screens import components as ui
from bot.ui.screens.game_screens import AnyScreens, Pressed, Selection, meant_by
from bot.ui.screens.ids import Id, read_id
from bot.ui.screens.kit import Item, menu_number
from engine.errors import IllegalMove

Control = Mapping[str, Any]
"""A button or a menu."""


def usable(items: Sequence[Item]) -> list[tuple[Control, Id]]:
    """The buttons and menus that can be used, with their meaning."""
    return [*_usable(items)]


def _usable(items: Sequence[Item]) -> Iterator[tuple[Control, Id]]:
    for item in items:
        for control in item["components"] if item["type"] == ui.ROW else ():
            to = read_id(cast("Control", control).get("custom_id", ""))
            if to is not None and not cast("Control", control).get("disabled"):
                yield cast("Control", control), to


def making(
    items: Sequence[Item], screens: AnyScreens, view: Any, is_wanted: Callable[[Any], bool]
) -> Control | None:
    """The first control of a screen that makes a wanted move at one press; None without one."""
    shown = usable(items)
    for control, to in shown:
        if any(_makes(pressed, screens, view, is_wanted) for pressed in _presses(control, to, shown)):
            return control
    return None


def _presses(control: Control, to: Id, shown: Sequence[tuple[Control, Id]]) -> Iterator[Pressed]:
    """The presses on a button; the choices of a menu from which one option is chosen."""
    by_menu: dict[str, dict[str, list[str]]] = {}
    for other, meaning in shown:
        if other["type"] == ui.MENU:
            chosen = [option["value"] for option in other["options"] if option.get("default")]
            by_menu.setdefault(meaning.intent, {})[menu_number(meaning)] = chosen
    ways: list[list[str] | None] = [None]
    if control["type"] == ui.MENU:
        ways = [[option["value"]] for option in control["options"]] if control["max_values"] == 1 else []
    for values in ways:
        if values is not None:
            by_menu[to.intent][menu_number(to)] = values
        chosen = {
            intent: [one for each in menus.values() for one in each] for intent, menus in by_menu.items()
        }
        yield Pressed(to.intent, to.arg, chosen)


def _makes(pressed: Pressed, screens: AnyScreens, view: Any, is_wanted: Callable[[Any], bool]) -> bool:
    try:
        meaning = meant_by(screens, view, pressed)
    except (IllegalMove, Refused):
        return False
    return not isinstance(meaning, Selection | Moves) and is_wanted(meaning)
