"""The commands `/profile` and `/leaderboard` with their buttons: pages, and the choice to keep no results."""

from __future__ import annotations

from typing import Final

from bot.art.picture import Picture
from bot.language import gettext as _
from bot.language import speaking
from bot.store.results import Results
from bot.tables.refusals import Refused
from bot.tables.results import Played, latest_rating, matches_of
from bot.ui.actions.presses import check_manages, is_on, number_of
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.pictures import Wanted
from bot.ui.screens.ids import read_number
from bot.ui.screens.kit import Screen
from bot.ui.screens.leaderboard import (
    ABOUT,
    GAME_MENU,
    LEADERBOARD,
    SEASON_MENU,
    SWITCH_HERE,
    SWITCH_ON,
    Board,
    about_ratings,
    leaderboard,
    switched_off,
)
from bot.ui.screens.profile import (
    SWITCH_MINE,
    Place,
    Profile,
    empty_profile,
    hidden_profile,
    picture_of,
    profile,
    watchable,
)


def _results(context: HandlerContext) -> Results:
    return context.tables.store.results


# -- profiles


async def show_profile(context: HandlerContext, interaction: Interaction, *, user_id: int) -> Reply:
    """`/profile`: the results of a person on this server."""
    if not interaction.guild_id:
        raise Refused("results-on-servers")
    return Reply(await _profile(context, interaction, user_id))


async def _profile(context: HandlerContext, interaction: Interaction, user_id: int) -> Screen:
    own, guild = user_id == interaction.user_id, interaction.guild_id
    results = _results(context)
    hidden, off = await results.is_off("person", user_id), await results.is_off("guild", guild)
    rows = [] if off or hidden else await results.with_person(user_id, guild)
    played = matches_of(rows, user_id)
    with speaking(interaction.locale):
        if off:
            return switched_off(_("Profile"), manages=interaction.manages_server, profile_of=user_id)
        if own and hidden:
            return hidden_profile()
        if not played:
            return empty_profile(user_id, own=own)
    season = await newest_season(context, guild)
    places = await _places(context, guild, user_id, played, season)
    stored = await results.stored_matches(watchable(played, context.screens))
    person = Profile(user_id, played, places, season, stored, own)
    with speaking(interaction.locale):
        screen = profile(person, context.screens)
    place = ("profile", guild, user_id)
    wanted = Wanted(lambda: _picture(context, interaction, person), place, guild, interaction.user_id)
    await context.pictures.soon(screen, wanted)
    return screen


def _picture(context: HandlerContext, interaction: Interaction, person: Profile) -> Picture:
    with speaking(interaction.locale):
        return picture_of(person, context.screens)


async def _places(
    context: HandlerContext, guild: int, user_id: int, played: list[Played], season: int
) -> dict[str, Place]:
    """The places of a person on this season's leaderboards, by game."""
    places: dict[str, Place] = {}
    for game in {one.own.game for one in played}:
        if latest_rating(played, game, season) is None:
            continue
        board = await _results(context).leaderboard(guild, game, season)
        people = sum(not one.needed for one in board)
        for place, one in enumerate(board, 1):
            if one.user_id == user_id:
                places[game] = Place(one, place, people)
    return places


async def switch_mine(context: HandlerContext, interaction: Interaction) -> Reply:
    """Hides or shows the presser's results, and keeps none while they are hidden."""
    on = is_on(interaction)
    await _results(context).switch("person", interaction.user_id, on=on)
    return Reply(await _profile(context, interaction, interaction.user_id), "update")


# -- leaderboards


async def show_leaderboard(context: HandlerContext, interaction: Interaction, *, game: str = "") -> Reply:
    """`/leaderboard`: the first page of this season; of the game with the most rated matches if `game` is empty."""
    season = await newest_season(context, interaction.guild_id)
    if game not in context.screens:
        game = await most_played(context, interaction.guild_id, season)
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
            return switched_off(_("Leaderboard"), manages=interaction.manages_server)
    seasons = dict(await results.seasons(guild))
    newest = max(seasons, default=1)
    season = min(max(season, 1), newest)
    standings = await results.leaderboard(guild, game, season)
    board = Board(game, season, newest, seasons.get(season), standings)
    board = Board(game, season, newest, seasons.get(season), standings, min(page, board.pages - 1))
    with speaking(interaction.locale):
        return leaderboard(board, context.screens, interaction.user_id, manages=interaction.manages_server)


async def most_played(context: HandlerContext, guild: int, season: int) -> str:
    """The game with the most rated matches of a season on a server."""
    counts = await _results(context).games_of(guild, season)
    return max(context.screens, key=lambda key: counts.get(key, 0))


async def newest_season(context: HandlerContext, guild: int) -> int:
    """The present season of a server."""
    return max((number for number, _at in await _results(context).seasons(guild)), default=1)


async def about(_context: HandlerContext, interaction: Interaction) -> Reply:
    """How ratings work."""
    with speaking(interaction.locale):
        return Reply(about_ratings())


# -- for people who manage the server


async def switch_here(context: HandlerContext, interaction: Interaction) -> Reply:
    """Switches results on or off for a server, and shows the leaderboard. Nothing that is stored is lost."""
    on = is_on(interaction)
    await _switch_here(context, interaction, on=on)
    season = await newest_season(context, interaction.guild_id)
    game = await most_played(context, interaction.guild_id, season)
    screen = await _leaderboard(context, interaction, game, season, 0)
    return _switched(interaction, screen, on=on)


async def switch_on_at_profile(context: HandlerContext, interaction: Interaction) -> Reply:
    """Switches results on for a server, and shows the profile in whose place they were said to be off."""
    person = number_of(interaction)
    await _switch_here(context, interaction, on=True)
    return _switched(interaction, await _profile(context, interaction, person), on=True)


async def _switch_here(context: HandlerContext, interaction: Interaction, *, on: bool) -> None:
    check_manages(interaction)
    await _results(context).switch("guild", interaction.guild_id, on=on)


def _switched(interaction: Interaction, screen: Screen, *, on: bool) -> Reply:
    """The screen in place of the pressed one, with a remark about the switch."""
    with speaking(interaction.locale):
        on_text, off_text = (
            _("Results and ratings are on here again."),
            _("Results and ratings are off here now."),
        )
    return Reply(screen.remark(on_text if on else off_text), "update")


ACTIONS: Final[Actions] = {
    SWITCH_MINE: Action(switch_mine, "update"),
    LEADERBOARD: Action(turn_leaderboard, "update"),
    GAME_MENU: Action(turn_leaderboard, "update"),
    SEASON_MENU: Action(turn_leaderboard, "update"),
    ABOUT: Action(about, "ephemeral"),
    SWITCH_HERE: Action(switch_here, "update"),
    SWITCH_ON: Action(switch_on_at_profile, "update"),
}
