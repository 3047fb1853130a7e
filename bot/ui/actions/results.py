"""The commands `/profile` and `/leaderboard` with their buttons: pages, seasons, and the choice to keep no results."""

from __future__ import annotations

from typing import Final

from bot.language import gettext as _
from bot.language import speaking
from bot.store.results import Results
from bot.tables.refusals import Refused
from bot.tables.statistics import Played, latest_rating, matches_of
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.ids import Id, read_number
from bot.ui.screens.kit import Screen
from bot.ui.screens.leaderboard import (
    ABOUT,
    GAME_MENU,
    LEADERBOARD,
    NEW_SEASON,
    NEW_SEASON_NOW,
    OFF,
    ON,
    SEASON_MENU,
    SWITCH_HERE,
    Board,
    about_ratings,
    leaderboard,
    switched_off,
)
from bot.ui.screens.messages import confirm
from bot.ui.screens.profile import LATEST, SWITCH_MINE, Place, empty_profile, hidden_profile, profile


def _results(context: HandlerContext) -> Results:
    return context.tables.store.results


# -- profiles


async def show_profile(context: HandlerContext, interaction: Interaction, *, user_id: int) -> Reply:
    """`/profile`: the results of a person on this server."""
    return Reply(await _profile(context, interaction, user_id))


async def _profile(context: HandlerContext, interaction: Interaction, user_id: int) -> Screen:
    own, guild = user_id == interaction.user_id, interaction.guild_id
    results = _results(context)
    hidden, off = await results.is_off("person", user_id), await results.is_off("guild", guild)
    rows = [] if off or hidden else await results.with_person(user_id, guild)
    played = matches_of(rows, user_id)
    places = await _places(context, guild, user_id, played)
    stored = await results.stored_matches([one.own.table_id for one in played[:LATEST]])
    with speaking(interaction.locale):
        if off:
            return switched_off(manages=interaction.manages_server)
        if own and hidden:
            return hidden_profile()
        if not played:
            return empty_profile(user_id, own=own)
        return profile(user_id, played, places, context.screens, stored, own=own)


async def _places(
    context: HandlerContext, guild: int, user_id: int, played: list[Played]
) -> dict[str, Place]:
    """The places of a person on this season's leaderboards, by game."""
    season = await _newest_season(context, guild)
    places: dict[str, Place] = {}
    for game in {one.own.game for one in played}:
        if latest_rating(played, game, season) is None:
            continue
        board = await _results(context).leaderboard(guild, game, season)
        for place, one in enumerate(board, 1):
            if one.user_id == user_id:
                places[game] = Place(one.rating, one.matches, place, len(board))
    return places


async def switch_mine(context: HandlerContext, interaction: Interaction) -> Reply:
    """Hides or shows the presser's results, and keeps none while they are hidden."""
    on = _is_on(interaction)
    await _results(context).switch("person", interaction.user_id, on=on)
    return Reply(await _profile(context, interaction, interaction.user_id), "update")


def _is_on(interaction: Interaction) -> bool:
    if interaction.to.arg not in (ON, OFF):
        raise Refused("unknown")
    return interaction.to.arg == ON


# -- leaderboards


async def show_leaderboard(context: HandlerContext, interaction: Interaction, *, game: str = "") -> Reply:
    """`/leaderboard`: the first page of this season; of the game with the most rated matches if `game` is empty."""
    season = await _newest_season(context, interaction.guild_id)
    if game not in context.screens:
        counts = await _results(context).games_of(interaction.guild_id, season)
        game = max(context.screens, key=lambda key: counts.get(key, 0))
    return Reply(await _leaderboard(context, interaction, game, season, 0))


async def turn_leaderboard(context: HandlerContext, interaction: Interaction) -> Reply:
    """Another page, game or season, in place of the shown one."""
    chosen = interaction.values[0] if interaction.values else interaction.to.arg
    game, *numbers = chosen.split(".")
    read = [read_number(number) for number in numbers]
    if game not in context.screens or len(read) != 2 or None in read:
        raise Refused("unknown")
    season, page = (number or 0 for number in read)
    return Reply(await _leaderboard(context, interaction, game, season, page), "update")


async def _leaderboard(
    context: HandlerContext, interaction: Interaction, game: str, season: int, page: int
) -> Screen:
    guild, results = interaction.guild_id, _results(context)
    if await results.is_off("guild", guild):
        with speaking(interaction.locale):
            return switched_off(manages=interaction.manages_server)
    seasons = dict(await results.seasons(guild))
    newest = max(seasons, default=1)
    season = min(max(season, 1), newest)
    standings = await results.leaderboard(guild, game, season)
    board = Board(game, season, newest, seasons.get(season), standings)
    board = Board(game, season, newest, seasons.get(season), standings, min(page, board.pages - 1))
    with speaking(interaction.locale):
        return leaderboard(board, context.screens, interaction.user_id, manages=interaction.manages_server)


async def _newest_season(context: HandlerContext, guild: int) -> int:
    return max((number for number, _at in await _results(context).seasons(guild)), default=1)


async def about(_context: HandlerContext, interaction: Interaction) -> Reply:
    """How ratings work."""
    with speaking(interaction.locale):
        return Reply(about_ratings())


# -- for people who manage the server


def _check_manages(interaction: Interaction) -> None:
    if not interaction.manages_server:
        raise Refused("not-manager")


async def ask_new_season(_context: HandlerContext, interaction: Interaction) -> Reply:
    """The question before a new season."""
    _check_manages(interaction)
    with speaking(interaction.locale):
        text = _(
            "A new season begins for everybody on this server, in all games, at 1000. The earlier boards stay to be "
            "read."
        )
        return Reply(
            confirm(text, _("Begin the Season"), Id(NEW_SEASON_NOW, arg=interaction.to.arg)), "ephemeral"
        )


async def begin_season(context: HandlerContext, interaction: Interaction) -> Reply:
    """Begins the season after the one that the screen showed, unless it has begun."""
    _check_manages(interaction)
    after = read_number(interaction.to.arg)
    if after is None:
        raise Refused("unknown")
    guild = interaction.guild_id
    await _results(context).begin_season(guild, after, context.tables.clock.now())
    reply = await show_leaderboard(context, interaction)
    return Reply(reply.screen, "update")


async def switch_here(context: HandlerContext, interaction: Interaction) -> Reply:
    """Switches results on or off for a server."""
    _check_manages(interaction)
    await _results(context).switch("guild", interaction.guild_id, on=_is_on(interaction))
    reply = await show_leaderboard(context, interaction)
    return Reply(reply.screen, "update")


ACTIONS: Final[Actions] = {
    SWITCH_MINE: Action(switch_mine, "update"),
    LEADERBOARD: Action(turn_leaderboard, "update"),
    GAME_MENU: Action(turn_leaderboard, "update"),
    SEASON_MENU: Action(turn_leaderboard, "update"),
    ABOUT: Action(about, "ephemeral"),
    NEW_SEASON: Action(ask_new_season, "ephemeral"),
    NEW_SEASON_NOW: Action(begin_season, "update"),
    SWITCH_HERE: Action(switch_here, "update"),
}
