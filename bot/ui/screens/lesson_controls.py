"""The control that a lesson's step asks for: it stands last, below the task, and no other button is coloured."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, cast

from bot.ui.screens import components as ui
from bot.ui.screens.controls import Control, making, usable
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.heights import height
from bot.ui.screens.kit import Item
from bot.ui.screens.lessons import Step
from engine.game import AnyGame


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
    """The items without the last control that holds no choice; None if there is no such control."""
    for place in reversed(range(len(items))):
        row = cast("Any", items[place])
        if row["type"] == ui.ROW and not any(_is_chosen(control) for control in row["components"]):
            left = [ui.row(*row["components"][:-1])] if len(row["components"]) > 1 else []
            return [*items[:place], *left, *items[place + 1 :]]
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
        leading = [control for control, to in shown if {to.intent, f"{to.intent}:{to.arg}"} & {*names}]
        if leading:
            return leading[-1]
    return None


def _without(item: Item, asked: Control) -> Item | None:
    """An item without this control and without coloured buttons; None if nothing is left of it."""
    if item["type"] != ui.ROW:
        return item
    left = [_styled(control, ui.SECONDARY) for control in item["components"] if control is not asked]
    return ui.row(*cast("Any", left)) if left else None


def _styled(control: Any, style: ui.Style) -> Control:
    """A button in another style; a menu or link as it is."""
    return {**control, "style": style} if "custom_id" in control and "style" in control else control
