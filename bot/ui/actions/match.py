"""The buttons of a match: the private screen, the game's own, those that take a choice back, **Hint** and **Watch**."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from bot.language import gettext as _
from bot.tables import hints, play, premoves
from bot.tables.hints import Hints
from bot.tables.model import Table
from bot.tables.refusals import Refused, Stale
from bot.ui.actions import lessons
from bot.ui.actions.presses import (
    check_begun,
    choices_of,
    number_of,
    own_screen,
    seated,
    show_own,
    watching,
)
from bot.ui.handlers import Action, Actions, HandlerContext, check_is_ours
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.board import FREE_SEATS, WATCH
from bot.ui.screens.game_screens import GAME_INTENTS, OWN_SCREEN, Pressed, Selection, meant_by
from bot.ui.screens.hints import hint_text, selection_with
from bot.ui.screens.kit import Choices
from bot.ui.screens.private import CHANGE_ANSWER, HINT
from engine.errors import IllegalMove


async def press(context: HandlerContext, interaction: Interaction) -> Reply:
    """Carries out a press on a game's own button or menu, or explains why it is not the presser's turn."""
    try:
        return await _choose(context, interaction)
    except Refused as refused:
        # A press on the private screen is probably a repetition. On the table message somebody else is to move.
        if refused.code == "not-your-move" and interaction.on_private:
            raise Stale from None
        raise


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
        remark = "⚠️ " + screens.refuse(error)
    except Refused as refused:
        if refused.code != "not-in-lesson":
            raise
        remark, choices = lessons.not_now(screens, table, move), {}
    try:
        return await own_screen(context, interaction, table, seat, choices=choices, remark=remark)
    except IllegalMove as error:
        # A menu has a choice that it never offered, so the screen is drawn with nothing chosen.
        remark = "⚠️ " + screens.refuse(error)
        return await own_screen(context, interaction, table, seat, remark=remark)


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
    remark = "↩️ " + _("Undone.")
    return await own_screen(context, interaction, table, seat, remark=remark)


ACTIONS: Final[Actions] = {
    OWN_SCREEN: Action(show_own, "ephemeral"),
    FREE_SEATS: Action(show_own, "ephemeral"),
    GAME_INTENTS: Action(press, "update"),
    CHANGE_ANSWER: Action(change_answer, "update"),
    "undo": Action(undo, "update"),
}


def hint_actions(thought: Hints) -> Actions:
    """The handler of the button **Hint**."""

    async def hint(context: HandlerContext, interaction: Interaction) -> Reply:
        """The presser's private screen with a hint for their open decision, which is counted first."""
        table, seat = await seated(context, interaction)
        question = hints.question_of(table, interaction.user_id)
        advice = await thought.think(table, question)
        async with context.tables.change(table.id) as draft:
            hints.take(draft, interaction.user_id, question.view_version, advice.move)
        screens = context.screens_of(table)
        remark = hint_text(draft.table, screens, seat, advice)
        choices = selection_with(draft.table, screens, seat, advice.move, choices_of(interaction))
        return await own_screen(context, interaction, draft.table, seat, choices=choices, remark=remark)

    # A hint that takes long is a new message, which Discord shows as being thought about, and not an edit of a screen
    # that may be gone by then.
    return {HINT: Action(hint, "ephemeral")}


def watch_actions(blocks: Callable[[int], bool]) -> Actions:
    """The handler of **Watch**. `blocks` returns whether the operator has blocked the person with this id."""

    async def watch(context: HandlerContext, interaction: Interaction) -> Reply:
        """The screen of a person who watches; the private screen of a person who has a seat."""
        table = await context.tables.get(interaction.to.table)
        check_begun(table)
        if table.is_private:
            raise Refused("unknown")
        seat = table.seat_of(interaction.user_id)
        if seat is not None:
            return await own_screen(context, interaction, table, seat)
        if blocks(interaction.user_id):
            raise Refused("blocked-watching")
        return await watching(context, interaction, table)

    return {WATCH: Action(watch, "update")}
