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

log = logging.getLogger(__name__)


async def table_here(
    context: HandlerContext, interaction: Interaction, game: str, *, live: bool = True
) -> Table:
    """This channel's table of a game; if `live` is False and there is no live table, the newest one that has ended.

    Where the bot is on no server, that of the person's private matches. Raises `Refused` if there is no such table.
    """
    if not interaction.guild_id:
        return await brought_here(
            context, interaction, await _own_match(context, interaction, game, live=live)
        )
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


async def _own_match(context: HandlerContext, interaction: Interaction, game: str, *, live: bool) -> Table:
    """The person's newest private match of a game that is no lesson; if possible one that goes on."""
    rows = await context.tables.store.tables_of(interaction.user_id)
    rows = [row for row in rows if row.channel_id == NOWHERE and row.game == game]
    for row in sorted(rows, key=lambda row: row.status not in LIVE):
        if live and row.status not in LIVE:
            break
        table = await context.tables.get(row.id)
        if not table.is_lesson and table.seat_of(interaction.user_id) is not None:
            return table
    raise Refused("no-match-of-yours", game=game)


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
        raise Refused("table-delayed")
    with speaking(interaction.locale):
        screen = say(_("The table is at the bottom of the channel now."))
        return Reply(screen.buttons(*to_the_table(table)))
