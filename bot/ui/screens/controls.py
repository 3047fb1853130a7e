"""The controls of a screen: those that can be used, the one that makes a certain move, and the one a lesson asks for.

The last stands below the task of the lesson's step, and no other button is coloured.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from math import inf
from typing import Any, NamedTuple, cast

from bot.tables.play import Moves
from bot.tables.refusals import Refused
from bot.ui.screens import components as ui
from bot.ui.screens.fitting import height
from bot.ui.screens.game_screens import AnyScreens, Pressed, Selection, meant_by
from bot.ui.screens.ids import Id, read_id
from bot.ui.screens.kit import Item, menu_number
from bot.ui.screens.lessons import Step
from engine.errors import IllegalMove
from engine.game import AnyGame

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
    items: Sequence[Item],
    screens: AnyScreens,
    view: Any,
    is_wanted: Callable[[Any], bool],
    kind: int | None = None,
) -> Control | None:
    """The first control of a screen, if `kind` is given of this type of component, that makes a wanted move at one
    press; else the first that makes it with others that follow; None without one.
    """
    shown = usable(items)
    for most in (1, inf):
        for control, to in shown:
            if kind in (None, control["type"]) and any(
                _makes(pressed, screens, view, is_wanted, most) for pressed in _presses(control, to, shown)
            ):
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


def _makes(
    pressed: Pressed, screens: AnyScreens, view: Any, is_wanted: Callable[[Any], bool], most: float
) -> bool:
    try:
        meaning = meant_by(screens, view, pressed)
    except (IllegalMove, Refused):
        return False
    moves = cast("Moves[Any]", meaning).moves if isinstance(meaning, Moves) else (meaning,)
    return len(moves) <= most and not isinstance(meaning, Selection) and is_wanted(moves[0])


class Asking(NamedTuple):
    """A step of a lesson that is due, in the view of its person. `room` is the height for its items on a phone."""

    step: Step
    back: tuple[str, ...]
    game: AnyGame
    screens: AnyScreens
    view: Any
    room: int


def with_task(items: Sequence[Item], task: Item, asking: Asking) -> list[Item]:
    """A screen's items with the task of a step. The control that the task asks for follows it, after all others.

    On a phone the bottom of a message is in sight, and the task would be lost above many controls. Of the others, so
    many are left out, the last ones first, that all stand on one screen.
    """
    asked = _asked_for(items, asking)
    if asked is None:
        return [*items, task]
    others = [each for each in (_without(item, asked) for item in items) if each is not None]
    last = [task, ui.row(cast("Any", _styled(asked, ui.PRIMARY)))]
    while height([*others, *last]) > asking.room and (fewer := _with_one_less(others)) is not None:
        others = fewer
    return [*others, *last]


def _with_one_less(items: Sequence[Item]) -> list[Item] | None:
    """The items without the last control that holds no choice, and small print of its own; None without such one."""
    for place in reversed(range(len(items))):
        row = cast("Any", items[place])
        if row["type"] == ui.ROW and not any(_is_chosen(control) for control in row["components"]):
            left = [ui.row(*row["components"][:-1])] if len(row["components"]) > 1 else []
            small = place > 0 and not left and str(items[place - 1].get("content")).startswith("-# ")
            return [*items[: place - small], *left, *items[place + 1 :]]
    return None


def _is_chosen(control: Control) -> bool:
    """Whether the control is a menu that shows, and so holds, a choice."""
    return any(option.get("default") for option in control.get("options", ()))


def _asked_for(items: Sequence[Item], asking: Asking) -> Control | None:
    """The control that makes the move of the step, or else the last one on the way to it or back; None without one."""
    dump = asking.game.dump_move
    due = dump(asking.step.move)
    if control := making(items, asking.screens, asking.view, lambda move: dump(move) == due):
        return control
    shown = usable(items)
    for names in (asking.step.through, asking.back):
        leading = [(control, to) for control, to in shown if {to.intent, f"{to.intent}:{to.arg}"} & {*names}]
        if leading:
            selection = asking.screens.selection_for(asking.view, asking.step.move)
            wrong = (control for control, to in leading if _differs(control, selection.get(to.intent)))
            return next(wrong, leading[-1][0])
    return None


def _differs(control: Control, due: Sequence[str] | None) -> bool:
    """Whether a menu shows another choice than is due."""
    chosen = [option["value"] for option in control.get("options", ()) if option.get("default")]
    return due is not None and bool(chosen) and chosen != [*due]


def _without(item: Item, asked: Control) -> Item | None:
    """An item without this control and without coloured buttons; None if nothing is left of it."""
    if item["type"] != ui.ROW:
        return item
    left = [_styled(control, ui.SECONDARY) for control in item["components"] if control is not asked]
    return ui.row(*cast("Any", left)) if left else None


def _styled(control: Any, style: ui.Style) -> Control:
    return {**control, "style": style} if "custom_id" in control and "style" in control else control
