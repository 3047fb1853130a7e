"""`/games mine` lists a person's matches, and lobbies that ask for them; in direct messages, on all servers."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.people.own_matches.screens import MATCHES, OPEN, Shown, own_matches
from bot.tables.own_tables import asking_lobbies, own_tables
from bot.ui.actions.presses import moved_to_bottom, number_of, own_screen, seated
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply, ResponseMode


async def turn(context: HandlerContext, interaction: Interaction) -> Reply:
    """Another page, or the same anew, in place of the shown one."""
    return await show(context, interaction, number_of(interaction), "update")


async def show(
    context: HandlerContext, interaction: Interaction, page: int = 0, mode: ResponseMode = "ephemeral"
) -> Reply:
    """`/games mine`: a page of the list."""
    server = interaction.guild_id or None
    asking = await asking_lobbies(context.tables, interaction.user_id, server)
    found = [*asking, *await own_tables(context.tables, interaction.user_id, server, asleep=True)]
    known = [one for one in found if one.table.game.key in context.screens]
    shown = Shown(context.tables.utc, context.tables.time.shown_later, in_server=server is not None)
    return Reply(own_matches(known, context.screens, shown, page), mode)


async def open_screen(context: HandlerContext, interaction: Interaction) -> Reply:
    """The private screen of a match, in a message of its own, so that the list stays."""
    table, seat = await seated(context, interaction)
    table = await moved_to_bottom(context, interaction, table)
    return replace(await own_screen(context, interaction, table, seat), mode="ephemeral")


ACTIONS: Final[Actions] = {
    MATCHES: Action(turn, "update"),
    OPEN: Action(open_screen, "ephemeral"),
}
"""The handlers of the list's buttons."""
