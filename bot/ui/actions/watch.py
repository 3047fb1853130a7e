"""The button **Watch**: shows a match to a person who does not play, as a spectator sees it."""

from __future__ import annotations

from collections.abc import Callable

from bot.tables.refusals import Refused
from bot.ui.actions.own_screen import check_begun, following, own_screen
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.board import WATCH


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
        private = context.presenter.private
        screen = await private.watch(table, interaction.user_id, interaction.locale)
        return following(context, interaction, screen)

    return {WATCH: Action(watch, "update")}
