"""Ending a match or a lobby, alone or together."""

from __future__ import annotations

from typing import Final

from bot.language import gettext as _
from bot.language import speaking
from bot.tables import ending
from bot.tables.model import Table
from bot.tables.refusals import Refused
from bot.ui.actions import here
from bot.ui.actions.own_screen import own_screen, while_it_lasts
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens import messages
from bot.ui.screens.ids import BESIDE
from bot.ui.screens.messages import say


async def end(context: HandlerContext, interaction: Interaction, *, game: str) -> Reply:
    """`end`: ends this channel's match. A person who manages the channel can also end an unreadable match."""
    try:
        return await here.press(context, interaction, game=game, intent="end", handler=ask_end)
    except Refused as refused:
        if refused.code != "unreadable" or not interaction.manages:
            raise
        await context.tables.give_up(int(str(refused.facts["table"])))
    with speaking(interaction.locale):
        return Reply(say(_("The match has ended. It is saved for my operator, who may be able to read it.")))


async def ask_end(context: HandlerContext, interaction: Interaction) -> Reply:
    """Asks before a match or a lobby is ended, or names the people whose consent is missing."""
    table = await context.tables.get(interaction.to.table)
    alone = ending.may_end(table, interaction.user_id, manages=interaction.manages)
    with speaking(interaction.locale):
        wished = table.seat_of(interaction.user_id) in table.body.end_votes
        if wished and not alone and ending.undecided(table):
            return await _own_screen(context, interaction, table)
        mode = "ephemeral" if interaction.to.view_version == BESIDE else "update"
        return Reply(messages.ask_end(table, alone=alone), mode)


async def agree(context: HandlerContext, interaction: Interaction) -> Reply:
    """Agrees to the end of the match. The table message's **Agree to End** was the question, so no other follows."""
    async with context.tables.change(interaction.to.table) as draft:
        ended = ending.agree(draft, interaction.user_id)
    if not ended:
        return await _own_screen(context, interaction, draft.table)
    with speaking(interaction.locale):
        return Reply(say(_("The match has ended.")))


async def end_now(context: HandlerContext, interaction: Interaction) -> Reply:
    """Ends the match or the lobby, or notes the wish to end the match."""
    async with context.tables.change(interaction.to.table) as draft:
        ended = ending.end(draft, interaction.user_id, manages=interaction.manages)
    if not ended:
        return await _own_screen(context, interaction, draft.table)
    with speaking(interaction.locale):
        closed = draft.before.status == "lobby"
        return Reply(say(_("The lobby has closed.") if closed else _("The match has ended.")), "update")


async def play_on(context: HandlerContext, interaction: Interaction) -> Reply:
    """Withdraws the wish to end the match."""
    async with context.tables.change(interaction.to.table) as draft:
        ending.play_on(draft, interaction.user_id)
    with speaking(interaction.locale):
        remark = _("All right, the match goes on.")
    return await _own_screen(context, interaction, draft.table, remark)


async def _own_screen(
    context: HandlerContext, interaction: Interaction, table: Table, remark: str = ""
) -> Reply:
    """The presser's private screen, which tells their wish to end the match and follows the match to its end."""
    seat = table.seat_of(interaction.user_id)
    assert seat is not None, "only seated people have such a wish"
    return await own_screen(context, interaction, table, seat, remark=remark)


ACTIONS: Final[Actions] = {
    "end": Action(while_it_lasts(ask_end), "update"),
    "agree": Action(agree, "ephemeral"),
    "end-now": Action(while_it_lasts(end_now), "update"),
    "play-on": Action(while_it_lasts(play_on), "update"),
}
