"""Leaving a match, taking a seat over from an agent, and coming back."""

from __future__ import annotations

from typing import Final

from bot.language import gettext as _
from bot.language import speaking
from bot.tables import lobby, seats
from bot.tables.refusals import Refused
from bot.tables.same_deal import seating
from bot.ui.actions.ending import ask_end
from bot.ui.actions.here import table_here
from bot.ui.actions.own_screen import own_screen, while_it_lasts
from bot.ui.actions.presses import number_of
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.ids import Id
from bot.ui.screens.messages import confirm, has_left, say


async def leave(context: HandlerContext, interaction: Interaction, *, game: str) -> Reply:
    """`leave`: removes the person from a lobby; in a match, asks first."""
    table = await table_here(context, interaction, game)
    if table.is_private:  # it ends without its person
        interaction.to = Id("end", table.id)
        return await ask_end(context, interaction)
    interaction.to = Id("leave", table.id)
    if table.status == "lobby":
        async with context.tables.change(table.id) as draft:
            lobby.leave_lobby(draft, interaction.user_id)
        with speaking(interaction.locale):
            return Reply(say(_("You have left the table.")))
    if table.seat_of(interaction.user_id) is None:
        raise Refused("not-seated")
    return await ask_leave(context, interaction)


async def ask_leave(context: HandlerContext, interaction: Interaction) -> Reply:
    """Asks before the presser leaves a match."""
    table = await context.tables.get(interaction.to.table)
    if not table.under_way:
        raise Refused("match-over")
    others = [seat for seat in table.seats if seat.user_id != interaction.user_id]
    with speaking(interaction.locale):
        if any(seat.present for seat in others):
            text = _(
                "A computer player will play on for you. You can come back as long as no one takes your "
                "seat over."
            )
        else:
            text = _(
                "No one else is here, so the match is paused until you come back. You can do so as long "
                "as no one takes your seat over."
            )
        return Reply(
            confirm(text, _("Leave Now"), interaction.to._replace(intent="leave-now")),
            "update",
        )


async def leave_now(context: HandlerContext, interaction: Interaction) -> Reply:
    """Gives the presser's seat to an agent."""
    async with context.tables.change(interaction.to.table) as draft:
        seats.leave(draft, interaction.user_id)
    with speaking(interaction.locale):
        return Reply(has_left(draft.table), "update")


async def take_over(context: HandlerContext, interaction: Interaction) -> Reply:
    """Gives an agent's seat to the presser."""
    wanted = number_of(interaction)
    async with seating(context.tables, interaction.to.table, interaction.user_id):
        table = await context.tables.take_over(
            interaction.to.table, interaction.user_id, interaction.user_name, wanted
        )
    return await own_screen(context, interaction, table, wanted)


async def come_back(context: HandlerContext, interaction: Interaction) -> Reply:
    """Gives the presser their seat back."""
    async with context.tables.change(interaction.to.table) as draft:
        seats.come_back(draft, interaction.user_id)
    seat = draft.table.seat_of(interaction.user_id)
    assert seat is not None
    return await own_screen(
        context, interaction, draft.table, seat, remark=_holiday_elsewhere(context, interaction)
    )


def _holiday_elsewhere(context: HandlerContext, interaction: Interaction) -> str:
    """The remark that the holiday of a person who came back to one table goes on at others; "" without a holiday."""
    holiday = context.presenter.calls.holiday(interaction.user_id)
    if holiday is None or not holiday.lasts(context.tables.clock.now()):
        return ""
    with speaking(interaction.locale):
        return _(
            "🌴 You are back at this table. Your holiday goes on at all others; to end it, press **Holiday …** in "
            "`/settings`."
        )


ACTIONS: Final[Actions] = {
    "leave": Action(while_it_lasts(ask_leave), "update"),
    "leave-now": Action(while_it_lasts(leave_now), "update"),
    "take-over": Action(while_it_lasts(take_over), "update"),
    "back": Action(while_it_lasts(come_back), "ephemeral"),
}
