"""Tables in threads of their own: where one can be opened, the offer of it, and the answer once it is open.

A handler makes no request to Discord before the table is stored. The first redraw of the table, which the handler waits
for, opens the thread and posts the lobby in it (`bot.ui.display.match_threads`); after a kill the redraw's job does so.
"""

from __future__ import annotations

import logging

from bot.gateway.errors import Brief, is_transient
from bot.observability.context import set_table
from bot.store.model import StoreError
from bot.tables import matchmaking
from bot.tables.guests import notified
from bot.tables.messages import Place
from bot.tables.model import Table
from bot.tables.own_tables import own_tables
from bot.tables.refusals import Refused
from bot.tables.server_settings import ServerSettings
from bot.ui.handlers import HandlerContext
from bot.ui.interaction import UNDELIVERED, Interaction, Reply
from bot.ui.permissions import obstacle_to_threads
from bot.ui.screens import threads as screens
from bot.ui.screens.ids import Id
from bot.ui.screens.lobby import asked_silently
from bot.ui.screens.refusals import refusal

log = logging.getLogger(__name__)


def place_of(
    interaction: Interaction, server: ServerSettings, *, in_thread: bool = False, offer: int = 0
) -> Place:
    """The place of a table that is opened with this interaction: its channel, or a new thread of the channel.

    `in_thread`: the person has asked for a thread; `offer` is the interaction that offered it, if it is not this one.
    Raises `Refused` if there has to be a thread and the bot may not open one. In a channel that takes no threads, the
    server's choice of a thread for each match has no effect.
    """
    if not (in_thread or server.threads):
        return Place(interaction.channel_id)
    obstacle = obstacle_to_threads(interaction)
    if obstacle is None:
        return Place(offer or interaction.id, interaction.channel_id)
    # These refusals do not say that the channel is taken, because it may be free again since the offer was made.
    if obstacle.code == "taken-no-permission":
        raise Refused("missing-permissions", **obstacle.facts)
    if in_thread:
        raise Refused("no-thread")
    return Place(interaction.channel_id)


def offer(interaction: Interaction, taken: Refused, to: Id) -> Reply:
    """The offer of a thread to a person whose table has no room in the channel. `to` is the id of its button.

    Raises `Refused` as `check` does.
    """
    check(interaction, taken)
    running = taken.facts.get("table")
    return Reply(screens.offer(refusal(taken), to, running if isinstance(running, Table) else None), "update")


def check(interaction: Interaction, taken: Refused) -> None:
    """Raises the refusal of a taken channel, with the reason, if no thread can be opened there."""
    obstacle = obstacle_to_threads(interaction)
    if obstacle is not None:
        raise Refused(obstacle.code, **taken.facts, **obstacle.facts) from None


async def opened_from(context: HandlerContext, interaction: Interaction, offer: int) -> Table | None:
    """The live table that the person has opened from this offer; None if there is none."""
    own = await own_tables(context.tables, interaction.user_id, interaction.guild_id)
    threads = ((one.table, one.table.body.thread) for one in own)
    return next((table for table, thread in threads if thread is not None and thread.offer == offer), None)


async def opened_already(context: HandlerContext, table: Table) -> Reply:
    """The answer to another press of an offer from which this table was opened. It waits for the table's thread."""
    if table.body.messages.lobby is None:
        return await post(context, table, announced_in=None)
    return Reply(screens.opened(table), "update")


async def post(context: HandlerContext, table: Table, *, announced_in: int | None) -> Reply:
    """Opens the thread of a new table with the lobby in it; returns the answer to the person who opened the table.

    Closes the lobby and raises `Refused` if Discord does not accept them.
    """
    set_table(table.id)
    parent = table.shown_in
    try:
        table = await context.presenter.post_lobby(table.id)
        failed = table.body.messages.lobby is None
    except (StoreError, *UNDELIVERED) as error:
        # The table is stored, so that its redraw opens the thread later.
        log.warning("table %s: its thread could not be opened (%s)", table.id, Brief(error))
        failed = not (isinstance(error, StoreError) or is_transient(error))
        table = await context.tables.get(table.id)
    if failed:
        await matchmaking.give_back(context.tables, table.id)
        raise Refused("no-thread")

    async def announce(_message: int | None) -> None:
        late = table.body.messages.lobby is None  # the address that people would follow is not known yet
        if announced_in not in (None, parent) and not late:
            await context.presenter.announce_opened(table, announced_in)

    ring = await notified(context.tables, table)
    table = await context.tables.get(table.id)  # a guest may have joined meanwhile
    screen = screens.opened(table, asked_silently(table, ring))
    return Reply(screen, "update", on_delivered=announce)
