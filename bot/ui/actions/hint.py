"""The button **Hint** of a private screen."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from bot.language import speaking
from bot.tables import hints
from bot.tables.hints import Hints
from bot.tables.model import Table
from bot.tables.refusals import Refused
from bot.ui.actions.own_screen import own_screen, seated, show_present
from bot.ui.actions.presses import choices_of
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.controls import making
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import Choices
from bot.ui.screens.names import Names
from bot.ui.screens.private import HINT
from engine.agents.advice import Advice
from engine.errors import IllegalMove


def hint_actions(thought: Hints) -> Actions:
    """The handler of the button **Hint**."""

    async def hint(context: HandlerContext, interaction: Interaction) -> Reply:
        """The presser's private screen with a hint for their open decision, which is counted first."""
        table, seat = await seated(context, interaction)
        try:
            question = hints.question_of(table, interaction.user_id)
            advice = await thought.think(table, question)
            async with context.tables.change(table.id) as draft:
                hints.take(draft, interaction.user_id, question.view_version)
        except Refused as refused:
            return await show_present(context, interaction, refused.code)
        with speaking(interaction.locale):
            screens = context.screens_of(table)
            remark = hint_text(draft.table, screens, seat, advice)
            choices = _selection(draft.table, screens, seat, advice.move, choices_of(interaction))
        return await own_screen(context, interaction, draft.table, seat, choices=choices, remark=remark)

    return {HINT: Action(hint, "update")}


def _selection(table: Table, screens: AnyScreens, seat: int, move: Any, present: Choices) -> Choices:
    """The selection with which the seat's screen makes the hinted move at one press: the present one or none, if that
    is enough, and else the game's.
    """
    view, names = table.game.view(table.state, seat), Names(table.seats)
    hinted = screens.move_text(view, move, names)

    def makes_it(choices: Choices) -> bool:
        with suppress(IllegalMove):  # the present choices were never offered
            items = screens.private(view, names, choices, Id("", table.id))
            return bool(
                making(items, screens, view, lambda each: screens.move_text(view, each, names) == hinted)
            )
        return False

    return next(filter(makes_it, (present, {})), screens.selection_for(view, move))


def hint_text(table: Table, screens: AnyScreens, seat: int, hint: Advice) -> str:
    """A hint for the seat's open decision: the move, and the reason."""
    view, names = table.game.view(table.state, seat), Names(table.seats)
    move, reason = screens.move_text(view, hint.move, names), screens.reason_text(view, hint.reason, names)
    return " ".join(filter(None, ["🦉", f"**{move}**", reason]))
