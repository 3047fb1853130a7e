"""Hints on screens: the text of one, the way to its move, the mark on the button, and why there are none."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from typing import Any, Final, cast

from bot.language import gettext as _
from bot.tables.hints import hint_taken, may_take
from bot.tables.model import Table
from bot.tables.premoves import question_for
from bot.tables.refusals import Refused
from bot.ui.screens import components as ui
from bot.ui.screens.controls import making
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import Choices, Item
from bot.ui.screens.names import Names
from bot.ui.screens.refusals import refusal
from engine.agents.advice import Reason, adviser_of
from engine.errors import IllegalMove

SIGN: Final = "🦉"


def _view(table: Table, seat: int) -> Any:
    """The seat's view with its open or upcoming decision."""
    question = question_for(table, seat)
    return table.game.view(table.state if question is None else question.state, seat)


def is_choice(table: Table, seat: int) -> bool:
    """Whether the seat's open or upcoming decision leaves a choice that advice can help with."""
    adviser = adviser_of(table.game)
    return adviser is not None and adviser.is_choice(_view(table, seat))


def reason_text(screens: AnyScreens, view: Any, reason: Reason, names: Names) -> str:
    """A stored reason in words; empty if another version stored it, with other facts."""
    with suppress(LookupError, TypeError, ValueError):
        return screens.reason_text(view, reason, names)
    return ""


def hint_text(table: Table, screens: AnyScreens, seat: int, items: Sequence[Item]) -> str:
    """The hint that was taken for the seat's decision: the move, and the reason; empty if there is none. In small print
    the move alone, if these `items` have no button with its sign and the person has put another move together.
    """
    hint, names = hint_taken(table, seat), Names(table.seats)
    if hint is None or table.status != "playing" or table.body.answers.get(seat):
        return ""
    view = _view(table, seat)
    move, reason = screens.move_text(view, hint.move, names), reason_text(screens, view, hint.reason, names)
    controls = _controls(items)
    if _has_chosen(controls) and not any(each.get("emoji") == {"name": SIGN} for each in controls):
        return f"-# {SIGN} {move}"
    alone = _("It's the only move now.") if hint.reason.code == "due" else ""
    return f"{SIGN} **{move}** {reason or alone}".rstrip()


def selection_with(table: Table, screens: AnyScreens, seat: int, move: Any, present: Choices) -> Choices:
    """The selection with which a button of the seat's screen makes the hinted move at one press: the present one or
    none, if that is enough, and else the game's.
    """
    view, names = _view(table, seat), Names(table.seats)

    def makes_it(choices: Choices) -> bool:
        with suppress(IllegalMove):  # the present choices were never offered
            items = screens.private(view, names, choices, Id("", table.id))
            return button_of(items, screens, view, move, names) is not None
        return False

    return next(filter(makes_it, (present, {})), screens.selection_for(view, move))


def button_of(items: Sequence[Item], screens: AnyScreens, view: Any, move: Any, names: Names) -> Any | None:
    """The button that makes a move of the same words; None without one, though a menu's option may make it."""
    text = screens.move_text(view, move, names)
    return making(items, screens, view, lambda each: screens.move_text(view, each, names) == text, ui.BUTTON)


def marked(items: Sequence[Item], table: Table, screens: AnyScreens, seat: int) -> list[Item]:
    """The items of a seat's decision; of the buttons, the one that makes the hinted move bears the hint's sign, and is
    alone green, unless the person has put another move together in menus.
    """
    hint = hint_taken(table, seat)
    if hint is None:
        return [*items]
    view = _view(table, seat)
    wanted = button_of(items, screens, view, hint.move, Names(table.seats))
    if wanted is None:
        return [*items]
    controls = _controls(items)
    greens = [each for each in controls if each.get("style") == ui.SUCCESS and each is not wanted]
    own = _has_chosen(controls) and any(not each.get("disabled") for each in greens)
    mark: Any = {**wanted, "style": ui.SECONDARY if own else ui.SUCCESS, "emoji": {"name": SIGN}}

    def drawn(control: Any) -> Any:
        if control is wanted:
            return mark
        return {**control, "style": ui.SECONDARY} if control in greens and not own else control

    return [
        ui.row(*map(drawn, cast("Any", item)["components"])) if item["type"] == ui.ROW else item
        for item in items
    ]


def _controls(items: Sequence[Item]) -> list[Any]:
    rows = [cast("Any", item) for item in items if item["type"] == ui.ROW]
    return [control for row in rows for control in row["components"]]


def _has_chosen(controls: Sequence[Any]) -> bool:
    return any(option.get("default") for each in controls for option in each.get("options", ()))


def followed(table: Table, seat: int) -> list[str]:
    """The line about the hints that the seat's person followed in the match, if they took any."""
    own = table.seats[seat]
    text = _("🦉 Hints that you followed: {n} of {all}")
    return [text.format(n=len(own.followed), all=len(own.hinted))] if own.hinted else []


def why_none(table: Table) -> str:
    """Why a match has no **Hint**; empty if it has, and in a game or a lesson that never does."""
    if may_take(table) or adviser_of(table.game) is None or table.is_lesson:
        return ""
    if table.is_private:
        return _("🦉 This deal has no hints: everyone plays it on their own.")
    return "🦉 " + refusal(Refused("hints-off"))
