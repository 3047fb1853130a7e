"""The buttons of a match: the private screen, the game's own, those that take a choice back, **Hint** and **Watch**."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import Final

from bot.language import gettext as _
from bot.observability.context import Operation, operation_scope
from bot.tables import hints, play, premoves
from bot.tables.hints import Hints
from bot.tables.history import with_moves
from bot.tables.model import Table
from bot.tables.premoves import Question
from bot.tables.refusals import Refused, Stale
from bot.ui.actions import lessons
from bot.ui.actions.presses import (
    check_begun,
    choices_of,
    following,
    number_of,
    own_screen,
    seated,
    show_own,
    watching,
)
from bot.ui.display.state import PrivateScreen
from bot.ui.handlers import Action, Actions, HandlerContext, check_is_ours
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.board import FREE_SEATS, WATCH
from bot.ui.screens.game_screens import GAME_INTENTS, OWN_SCREEN, Pressed, Selection, meant_by
from bot.ui.screens.hints import SIGN, selection_with
from bot.ui.screens.kit import Choices
from bot.ui.screens.private import CHANGE_ANSWER, HINT
from bot.ui.screens.refusals import refusal
from engine.agents.advice import Advice
from engine.errors import IllegalMove

log = logging.getLogger(__name__)


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
        private = PrivateScreen(interaction.user_id, seat, interaction.locale, choices, remark)
        if not (move is None or isinstance(move, Selection) or question.is_premove or remark):
            private.held_until = context.tables.clock.now() + context.settings.suspense
        return await following(context, interaction, table, private)
    except IllegalMove as error:
        # A menu has a choice that it never offered, so the screen is drawn with nothing chosen.
        remark = "⚠️ " + screens.refuse(error)
        return await own_screen(context, interaction, table, seat, choices={}, remark=remark)


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
    remark, advice, choices = "↩️ " + _("Undone."), hints.hint_taken(table, seat), None
    if advice is not None:  # its text stands there again, and so does its button
        choices = selection_with(table, context.screens_of(table), seat, advice.move, {})
    return await own_screen(context, interaction, table, seat, choices=choices, remark=remark)


ACTIONS: Final[Actions] = {
    OWN_SCREEN: Action(show_own, "ephemeral"),
    FREE_SEATS: Action(show_own, "ephemeral"),
    GAME_INTENTS: Action(press, "update"),
    CHANGE_ANSWER: Action(change_answer, "update"),
    "undo": Action(undo, "update"),
}


SOON: Final = 1.0
"""Seconds for which an answer awaits a hint. One that takes longer comes on the person's screen later."""


def hint_actions(thought: Hints) -> Actions:
    """The handler of the button **Hint**."""

    async def hint(context: HandlerContext, interaction: Interaction) -> Reply:
        """The presser's private screen with a hint for their open decision, which is counted first."""
        table, seat = await seated(context, interaction)
        table, moves = await with_moves(context.tables, table)
        question = hints.question_of(table, interaction.user_id)
        coming = asyncio.ensure_future(thought.think(table, question, moves))
        await asyncio.wait({coming}, timeout=SOON)
        if coming.done():
            table, choices = await _hinted(context, interaction, question, coming)
            return await own_screen(context, interaction, table, seat, choices=choices)
        remark = f"{SIGN} " + _("I'm thinking about your hint. You can play on.")
        reply = await own_screen(context, interaction, table, seat, remark=remark)
        private, follow = context.presenter.private, reply.on_delivered

        async def await_hint(message: int | None) -> None:
            assert follow is not None
            await follow(message)
            late = private.attempt(table.id, _come_late(context, interaction, question, coming))
            context.presenter.late.waits.start(late, "late hint")

        return replace(reply, on_delivered=await_hint)

    return {HINT: Action(hint, "update")}


async def _hinted(
    context: HandlerContext, interaction: Interaction, question: Question, coming: Awaitable[Advice]
) -> tuple[Table, Choices]:
    """The table with a hint as taken, and the choices with which its move is one press, or the person's own."""
    advice = await coming
    async with context.tables.change(interaction.to.table) as draft:
        repeated = hints.hint_taken(draft.table, question.seat) is not None
        hints.take(draft, interaction.user_id, question.view_version, advice)
    table, screens, seat = draft.table, context.screens_of(draft.table), question.seat
    chosen = choices_of(interaction) or context.presenter.private.laid_aside(table, seat)
    if repeated and any(chosen.values()):  # the person has read it, and chosen otherwise
        return table, chosen
    return table, selection_with(table, screens, seat, advice.move, chosen)


async def _come_late(
    context: HandlerContext, interaction: Interaction, question: Question, coming: Awaitable[Advice]
) -> None:
    """Shows a hint on the presser's screen once it is there. If they have decided meanwhile, it is dropped."""
    place, private = interaction.to.table, context.presenter.private
    with operation_scope(Operation("job", HINT, interaction.shard_guild, place)):
        try:
            remark, (_table, choices) = "", await _hinted(context, interaction, question, coming)
        except Exception as error:  # the person reads that it is thought about, and must not wait for ever
            refused = error if isinstance(error, Refused) else Refused("hint-late")
            if refused is not error:
                log.exception("table %s: a late hint failed", place)
            remark, choices = f"ℹ️ {refusal(refused)}", None
        private.answer_late(place, interaction.user_id, question.view_version, remark, choices)


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
