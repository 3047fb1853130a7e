"""Leaving a match, coming back, taking over a computer player's seat, ending it; and commands about this table."""

from __future__ import annotations

import logging
from typing import Final

from bot.gateway.errors import Brief
from bot.language import gettext as _
from bot.observability.context import set_table
from bot.store.model import LIVE
from bot.tables import ending, lobby, seats
from bot.tables.model import NOWHERE, Table
from bot.tables.refusals import Refused
from bot.tables.same_deal import seating
from bot.ui.actions.presses import moved_to_bottom, number_of, own_screen, show_own, watching, while_it_lasts
from bot.ui.handlers import Action, Actions, Handler, HandlerContext
from bot.ui.interaction import UNDELIVERED, Interaction, Reply
from bot.ui.permissions import require_permissions
from bot.ui.screens import messages
from bot.ui.screens.game_screens import OWN_SCREEN
from bot.ui.screens.ids import BESIDE, Id
from bot.ui.screens.kit import to_the_table
from bot.ui.screens.messages import CANCEL, confirm, say
from bot.ui.screens.permissions import name_of

log = logging.getLogger(__name__)


async def table_here(
    context: HandlerContext, interaction: Interaction, game: str, *, live: bool = True
) -> Table:
    """This channel's table of a game; if `live` is False and there is no live table, the newest one that has ended.

    Where the bot is on no server, that of the person's private matches; in a group DM, if the group has no such table.
    Raises `Refused` if there is no such table.
    """
    if interaction.in_group:
        try:
            return await _of_channel(context, interaction, game, live=live)
        except Refused as refused:
            own = await _own_match(context, interaction, game, live=live, otherwise=refused)
            return await moved_to_bottom(context, interaction, own)
    if not interaction.guild_id:
        otherwise = Refused("no-match-of-yours", game=game)
        own = await _own_match(context, interaction, game, live=live, otherwise=otherwise)
        return await moved_to_bottom(context, interaction, own)
    return await _of_channel(context, interaction, game, live=live)


async def _of_channel(context: HandlerContext, interaction: Interaction, game: str, *, live: bool) -> Table:
    """This channel's table of a game, as `table_here`."""
    table = await context.tables.live_in(interaction.channel_id)
    if table is not None and table.game.key == game:
        return table
    if not live:
        latest = await context.tables.latest_in(interaction.channel_id, game)
        if latest is not None:
            return latest
    if table is not None:
        title = context.screens_of(table).title()
        raise Refused("other-game-here", table=table, title=title)
    raise Refused("no-match-here", game=game)


async def _own_match(
    context: HandlerContext, interaction: Interaction, game: str, *, live: bool, otherwise: Refused
) -> Table:
    """The person's newest private match of a game that is no lesson; if possible one that goes on.

    Raises `otherwise` if there is none.
    """
    rows = await context.tables.store.tables_of(interaction.user_id)
    rows = [row for row in rows if row.channel_id == NOWHERE and row.game == game]
    for row in sorted(rows, key=lambda row: row.status not in LIVE):
        if live and row.status not in LIVE:
            break
        table = await context.tables.get(row.id)
        if not table.is_lesson and table.seat_of(interaction.user_id) is not None:
            return table
    raise otherwise


async def press(
    context: HandlerContext,
    interaction: Interaction,
    *,
    game: str,
    intent: str,
    handler: Handler,
    live: bool = True,
) -> Reply:
    """Carries out a command by the handler of a button of this channel's table."""
    table = await table_here(context, interaction, game, live=live)
    interaction.to = Id(intent, table.id)
    set_table(table.id)
    return await handler(context, interaction)


async def repost(context: HandlerContext, interaction: Interaction, *, game: str) -> Reply:
    """`table`: posts the table message anew at the bottom of the channel. A private match is shown to its person."""
    if interaction.in_group:
        table = await table_here(context, interaction, game)
        if not table.is_private:
            return await _post_here(context, interaction, table)
    if not interaction.guild_id:
        return await press(context, interaction, game=game, intent=OWN_SCREEN, handler=show_own)
    require_permissions(interaction)
    table = await table_here(context, interaction, game)
    try:
        table = await context.presenter.repost(table.id)
    except UNDELIVERED as error:
        log.warning("table %s: it could not be brought down yet (%s)", table.id, Brief(error))
        raise Refused("table-delayed") from None
    if table.live and table.body.messages.moving:
        lacks = context.presenter.trouble_of(table.id)
        if lacks is None:
            raise Refused("table-delayed")
        raise Refused("may-not-repost", permission=name_of(lacks))
    screen = say(_("The table is at the bottom of the channel now."))
    return Reply(screen.buttons(*to_the_table(table)))


async def _post_here(context: HandlerContext, interaction: Interaction, table: Table) -> Reply:
    """The answer that is the table message of a group DM from now on."""
    interaction.to = Id("table", table.id)
    set_table(table.id)
    presenter = context.presenter
    screen, _complete = await presenter.public.table(table)

    async def keep(message: int | None) -> None:
        if message is not None:
            await presenter.moved_to_bottom(table, message, screen, interaction)

    return Reply(screen, "public", on_delivered=keep)


async def end(context: HandlerContext, interaction: Interaction, *, game: str) -> Reply:
    """`end`: ends this channel's match. A person who manages the channel can also end an unreadable match."""
    try:
        return await press(context, interaction, game=game, intent="end", handler=ask_end)
    except Refused as refused:
        if refused.code != "unreadable" or not interaction.manages:
            raise
        await context.tables.give_up(int(str(refused.facts["table"])))
    return Reply(say(_("The match has ended. It is saved for my operator, who may be able to read it.")))


async def ask_end(context: HandlerContext, interaction: Interaction) -> Reply:
    """Asks before a match or a lobby is ended, or names the people whose consent is missing."""
    table = await context.tables.get(interaction.to.table)
    alone = ending.may_end(table, interaction.user_id, manages=interaction.manages)
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
    return Reply(say(_("The match has ended.")))


async def end_now(context: HandlerContext, interaction: Interaction) -> Reply:
    """Ends the match or the lobby, or notes the wish to end the match."""
    async with context.tables.change(interaction.to.table) as draft:
        ended = ending.end(draft, interaction.user_id, manages=interaction.manages)
    if not ended:
        return await _own_screen(context, interaction, draft.table)
    text = _("The match has ended.")
    if draft.before.status == "lobby":
        text = _("The lobby has closed.")
    elif draft.table.is_lesson:
        text = _("The lesson has ended.")
    return Reply(say(text), "update")


async def play_on(context: HandlerContext, interaction: Interaction) -> Reply:
    """Withdraws the wish to end the match."""
    async with context.tables.change(interaction.to.table) as draft:
        ending.play_on(draft, interaction.user_id)
    remark = _("All right, the match goes on.")
    return await _own_screen(context, interaction, draft.table, remark)


async def _own_screen(
    context: HandlerContext, interaction: Interaction, table: Table, remark: str = ""
) -> Reply:
    """The presser's private screen, which tells their wish to end the match and follows the match to its end."""
    seat = table.seat_of(interaction.user_id)
    assert seat is not None, "only seated people have such a wish"
    return await own_screen(context, interaction, table, seat, remark=remark)


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
    to = interaction.to._replace(intent="leave-now")
    return Reply(confirm(text, _("Leave Now"), to, _("Play On")), "update")


async def cancel(context: HandlerContext, interaction: Interaction) -> Reply:
    """Leads back from a question before an irreversible step: during a match to the presser's private screen."""
    table_id, user_id = interaction.to.table, interaction.user_id
    table = await context.tables.get(table_id) if table_id else None
    if table is not None and table.under_way and table.seat_of(user_id) is not None:
        return await show_own(context, interaction)
    return Reply(say(_("Nothing has changed.")), "update")


async def leave_now(context: HandlerContext, interaction: Interaction) -> Reply:
    """Gives the presser's seat to an agent."""
    async with context.tables.change(interaction.to.table) as draft:
        seats.leave(draft, interaction.user_id)
    return await watching(context, interaction, draft.table)


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
    return _(
        "🌴 You are back at this table. Your holiday goes on at all others; to end it, press **Holiday …** in "
        "`/settings`."
    )


ACTIONS: Final[Actions] = {
    "end": Action(while_it_lasts(ask_end), "update"),
    "agree": Action(agree, "ephemeral"),
    "end-now": Action(while_it_lasts(end_now), "update"),
    "play-on": Action(while_it_lasts(play_on), "update"),
    "leave": Action(while_it_lasts(ask_leave), "update"),
    CANCEL: Action(cancel, "update"),
    "leave-now": Action(while_it_lasts(leave_now), "update"),
    "take-over": Action(while_it_lasts(take_over), "update"),
    "back": Action(while_it_lasts(come_back), "ephemeral"),
}
