"""Commands about this channel's table: most do the same as a button of the table."""

from __future__ import annotations

import logging

from bot.gateway.errors import Brief
from bot.language import gettext as _
from bot.language import speaking
from bot.observability.context import set_table
from bot.store.model import LIVE
from bot.tables.model import NOWHERE, Table
from bot.tables.refusals import Refused
from bot.ui.actions.own_screen import brought_here, show_own
from bot.ui.handlers import Handler, HandlerContext
from bot.ui.interaction import UNDELIVERED, Interaction, Reply
from bot.ui.permissions import require_permissions
from bot.ui.screens.game_screens import OWN_SCREEN
from bot.ui.screens.ids import Id
from bot.ui.screens.links import to_the_table
from bot.ui.screens.messages import say
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
            return await brought_here(context, interaction, own)
    if not interaction.guild_id:
        otherwise = Refused("no-match-of-yours", game=game)
        own = await _own_match(context, interaction, game, live=live, otherwise=otherwise)
        return await brought_here(context, interaction, own)
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
        with speaking(interaction.locale):
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
        with speaking(interaction.locale):
            raise Refused("may-not-repost", permission=name_of(lacks))
    with speaking(interaction.locale):
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
            await presenter.brought_here(table, message, screen, interaction)

    return Reply(screen, "public", then=keep)
