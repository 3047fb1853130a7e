"""The buttons of a match: the private screen, the game's own buttons and menus, and those that take a choice back."""

from __future__ import annotations

from typing import Final

from bot.language import gettext as _
from bot.language import speaking
from bot.tables import play, premoves
from bot.tables.model import Table
from bot.tables.refusals import Refused, Stale
from bot.ui.actions import lessons
from bot.ui.actions.own_screen import own_screen, show_own, show_present
from bot.ui.actions.presses import choices_of, number_of
from bot.ui.elsewhere import check_is_ours
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.game_screens import GAME_INTENTS, OWN_SCREEN, AnyScreens, Pressed, Selection, meant_by
from bot.ui.screens.kit import Choices
from bot.ui.screens.messages import say
from bot.ui.screens.names import Names
from bot.ui.screens.private import CHANGE_ANSWER
from bot.ui.screens.refusals import refusal
from engine.errors import IllegalMove


async def press(context: HandlerContext, interaction: Interaction) -> Reply:
    """Carries out a press on a game's own button or menu, or explains why it is not the presser's turn."""
    try:
        return await _choose(context, interaction)
    except Refused as refused:
        await check_is_ours(context, interaction)
        if refused.code == "premove-made":
            return await show_present(context, interaction, refused.code)
        if refused.code != "not-your-move":
            raise
        # A press on the private screen is probably a repetition. On the table message somebody else is to move.
        if interaction.on_private:
            raise Stale from None
        return await _not_asked(context, interaction)


async def _not_asked(context: HandlerContext, interaction: Interaction) -> Reply:
    """The refusal for a press out of turn, with the players that the match waits for."""
    table = await context.tables.get(interaction.to.table)
    view = table.game.view(table.state, None)
    with speaking(interaction.locale):
        screens, names = context.screens_of(table), Names(table.seats)
        waits = [screens.public_prompt(view, decision.seat, names) for decision in view.pending]
        return Reply(say(" ".join([refusal(Refused("not-your-move")), *waits])))


async def _choose(context: HandlerContext, interaction: Interaction) -> Reply:
    """Makes the move that a press means, or changes the selection."""
    table, to = await context.tables.get(interaction.to.table), interaction.to
    if not to.view_version:
        raise Refused("unknown")
    question = play.check_move(table, interaction.user_id, to.view_version)
    seat = question.seat
    view = table.game.view(question.state, seat)
    choices: Choices = choices_of(interaction)
    screens = context.screens_of(table)
    remark, move = "", None
    try:
        move = meant_by(screens, view, Pressed(to.intent, to.arg, choices))
        if isinstance(move, Selection):
            choices = move.choices
        else:
            table = await context.tables.play(
                table.id, interaction.user_id, to.view_version, move, interaction.id
            )
            choices = {}
    except IllegalMove as error:
        await check_is_ours(context, interaction)
        remark = _warning(interaction, screens, error, table)
    except Refused as refused:
        if refused.code != "not-in-lesson":
            raise
        remark, choices = lessons.not_now(interaction, screens, table, move), {}
    try:
        return await own_screen(context, interaction, table, seat, choices=choices, remark=remark)
    except IllegalMove as error:
        # A menu has a choice that it never offered, so the screen is drawn with nothing chosen.
        remark = _warning(interaction, screens, error, table)
        return await own_screen(context, interaction, table, seat, remark=remark)


def _warning(interaction: Interaction, screens: AnyScreens, error: IllegalMove, table: Table) -> str:
    with speaking(interaction.locale):
        return "⚠️ " + screens.refuse(error)


async def change_answer(context: HandlerContext, interaction: Interaction) -> Reply:
    """Takes back the presser's premoves."""
    async with context.tables.change(interaction.to.table) as draft:
        seat = premoves.take_back(draft, interaction.user_id, number_of(interaction))
    return await _taken_back(context, interaction, draft.table, seat)


async def undo(context: HandlerContext, interaction: Interaction) -> Reply:
    """Takes back the presser's last move."""
    async with context.tables.change(interaction.to.table) as draft:
        seat = play.undo(draft, interaction.user_id, interaction.to.view_version)
    return await _taken_back(context, interaction, draft.table, seat)


async def _taken_back(context: HandlerContext, interaction: Interaction, table: Table, seat: int) -> Reply:
    with speaking(interaction.locale):
        remark = "↩️ " + _("Undone.")
    return await own_screen(context, interaction, table, seat, remark=remark)


ACTIONS: Final[Actions] = {
    OWN_SCREEN: Action(show_own, "ephemeral"),
    GAME_INTENTS: Action(press, "update"),
    CHANGE_ANSWER: Action(change_answer, "update"),
    "undo": Action(undo, "update"),
}
