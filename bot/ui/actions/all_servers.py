"""The list across servers, and people's choice to stand in it."""

from __future__ import annotations

from typing import Final

from bot.language import gettext as _
from bot.language import speaking
from bot.tables.refusals import Refused
from bot.ui.actions.presses import is_on
from bot.ui.actions.results import most_played, newest_season
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.all_servers import (
    ALL_MENU,
    ASK_LISTING,
    LISTING,
    AllBoard,
    all_servers,
    ask_listing,
)
from bot.ui.screens.ids import read_number
from bot.ui.screens.kit import Screen
from bot.ui.screens.leaderboard import ALL, switched_off


async def turn(context: HandlerContext, interaction: Interaction) -> Reply:
    """A page of the list, in place of the shown screen."""
    chosen = interaction.values[0] if interaction.values else interaction.to.arg
    game, _dot, number = chosen.partition(".")
    page = read_number(number)
    if game not in context.screens or page is None:
        raise Refused("unknown")
    return Reply(await _list(context, interaction, game, page), "update")


async def _list(context: HandlerContext, interaction: Interaction, game: str, page: int) -> Screen:
    results, guild = context.tables.store.results, interaction.guild_id
    if await results.is_off("guild", guild):
        with speaking(interaction.locale):
            return switched_off(_("All Servers"), manages=interaction.manages_server)
    standings = await results.leaderboard_of_all(game)
    season = await newest_season(context, guild)
    listed = await results.is_listed(interaction.user_id)
    board = AllBoard(game, season, listed, standings)
    board = AllBoard(game, season, listed, standings, min(page, board.pages - 1))
    with speaking(interaction.locale):
        return all_servers(board, context.screens, interaction.user_id)


async def ask(_context: HandlerContext, interaction: Interaction) -> Reply:
    """The question before a person is put into the list."""
    with speaking(interaction.locale):
        return Reply(ask_listing(_name(interaction)))


async def switch(context: HandlerContext, interaction: Interaction) -> Reply:
    """Puts the presser into the list or takes the presser out, and shows the list."""
    name = _name(interaction) if is_on(interaction) else None
    await context.tables.store.results.list_person(interaction.user_id, name)
    season = await newest_season(context, interaction.guild_id)
    game = await most_played(context, interaction.guild_id, season)
    return Reply(await _list(context, interaction, game, 0), "update")


def _name(interaction: Interaction) -> str:
    """The name in the list: that of the account, because a name on one server might tell which server it is."""
    return interaction.account_name or "?"


ACTIONS: Final[Actions] = {
    ALL: Action(turn, "update"),
    ALL_MENU: Action(turn, "update"),
    ASK_LISTING: Action(ask, "ephemeral"),
    LISTING: Action(switch, "update"),
}
