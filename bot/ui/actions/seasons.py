"""The seasons of a server: a new one begins, and the final boards of the one that ended are posted."""

from __future__ import annotations

import logging
from functools import partial
from typing import Final

from bot.art.picture import Picture
from bot.gateway.errors import Brief
from bot.language import gettext as _
from bot.language import speaking
from bot.tables.refusals import Refused
from bot.ui.actions.presses import check_manages, number_of
from bot.ui.actions.results import show_leaderboard
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import DEFER_AFTER, UNDELIVERED, Interaction, Reply
from bot.ui.pictures import Wanted
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import Screen
from bot.ui.screens.leaderboard import NEW_SEASON, NEW_SEASON_NOW, POST_SEASON
from bot.ui.screens.messages import confirm, say
from bot.ui.screens.season_end import GAMES, FinalBoard, SeasonEnd, podium_of, season_end, text_id

log = logging.getLogger(__name__)
_WAIT_FOR_PICTURE: Final = 3.0
"""Seconds for which a message that is never drawn again waits for its picture, once the press is answered."""


async def ask_new_season(_context: HandlerContext, interaction: Interaction) -> Reply:
    """The question before a new season."""
    check_manages(interaction)
    with speaking(interaction.locale):
        text = _(
            "A new season begins for everyone on this server, in all games, at 1000. I post the final "
            "boards of the current one here; `/leaderboard` shows them too."
        )
        return Reply(
            confirm(text, _("Begin the Season"), Id(NEW_SEASON_NOW, arg=interaction.to.arg)), "ephemeral"
        )


async def begin_season(context: HandlerContext, interaction: Interaction) -> Reply:
    """Begins the season after the one that the screen showed, unless it has begun; then posts the final boards.

    The season is durable before anything is posted. If the post fails, the boards can be posted later (`post_season`).
    """
    check_manages(interaction)
    after, results = number_of(interaction), context.tables.store.results
    begun = await results.begin_season(interaction.guild_id, after, context.tables.clock.now())
    reply = await show_leaderboard(context, interaction)
    post = partial(_post, context, interaction, after) if begun else None
    return Reply(reply.screen, "update", then=post)


async def post_season(context: HandlerContext, interaction: Interaction) -> Reply:
    """The final boards of an earlier season, as a message for everybody in the channel."""
    check_manages(interaction)
    end = await _end_of(context, interaction.guild_id, number_of(interaction))
    if end is None:
        raise Refused("unknown")
    return Reply(await _screen(context, interaction, end, DEFER_AFTER / 2), "public")


async def _post(context: HandlerContext, interaction: Interaction, season: int, _message: int | None) -> None:
    """Posts the final boards of a season that has just ended, if there are any."""
    end = await _end_of(context, interaction.guild_id, season)
    if end is None or not end.boards:
        return
    try:
        screen = await _screen(context, interaction, end, _WAIT_FOR_PICTURE)
        await interaction.follow_up(screen, ephemeral=False)
    except UNDELIVERED as error:
        log.warning("server %s: could not post the end of a season: %s", interaction.guild_id, Brief(error))
        with speaking(interaction.locale):
            text = _(
                "The new season has begun, and the boards of season {n} are saved. I could not post them "
                "here. To post them later, choose that season in `/leaderboard` and press **Post Here**."
            )
            await interaction.follow_up(say(text.format(n=season)), ephemeral=True)


async def _end_of(context: HandlerContext, guild: int, season: int) -> SeasonEnd | None:
    """The end of a season; None if the season has not ended, and if the server has switched results off."""
    results = context.tables.store.results
    seasons = dict(await results.seasons(guild))
    if season < 1 or season + 1 not in seasons or await results.is_off("guild", guild):
        return None
    counts = await results.games_of(guild, season)
    games = sorted((game for game in counts if game in context.screens), key=lambda game: -counts[game])
    boards = [
        FinalBoard(game, counts[game], await results.leaderboard(guild, game, season))
        for game in games[:GAMES]
    ]
    return SeasonEnd(
        season, seasons.get(season), seasons[season + 1], [one for one in boards if one.standings]
    )


async def _screen(context: HandlerContext, interaction: Interaction, end: SeasonEnd, wait: float) -> Screen:
    """The message with the podiums that are ready within `wait` seconds each, in the server's language."""
    with speaking(interaction.guild_locale):
        screen = season_end(end, context.screens)

    def podium(board: FinalBoard) -> Picture | None:
        with speaking(interaction.guild_locale):
            return podium_of(board, context.screens[board.game])

    for number, board in enumerate(end.boards):
        place = ("season", interaction.guild_id, number)
        wanted = Wanted(partial(podium, board), place, interaction.guild_id, below=text_id(number))
        await context.pictures.soon(screen, wanted, wait=wait)
    return screen


ACTIONS: Final[Actions] = {
    NEW_SEASON: Action(ask_new_season, "ephemeral"),
    NEW_SEASON_NOW: Action(begin_season, "update"),
    POST_SEASON: Action(post_season, "ephemeral"),
}
