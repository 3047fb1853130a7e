"""The commands `/profile` and `/leaderboard` with their buttons, and the seasons of a server.

The final boards of a season that ended are posted when a new one begins.
"""

from __future__ import annotations

import logging
from functools import partial
from typing import Final

from bot.art.picture import Picture
from bot.gateway.errors import Brief
from bot.language import gettext as _
from bot.language import speaking
from bot.people.ratings import leaderboard as boards
from bot.people.ratings import profile as profiles
from bot.people.ratings.alone import add_progress, daily_lines, progress_of
from bot.tables.refusals import Refused
from bot.tables.results import Played, latest_rating, matches_of
from bot.ui.actions.presses import check_manages, is_on, number_of
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import DEFER_AFTER, UNDELIVERED, Interaction, Reply
from bot.ui.pictures import Wanted
from bot.ui.screens.ids import Id, read_number
from bot.ui.screens.kit import Screen
from bot.ui.screens.messages import confirm, say
from bot.ui.screens.puzzle import PROFILE

log = logging.getLogger(__name__)


# -- profiles


async def show_profile(
    context: HandlerContext, interaction: Interaction, *, user_id: int | None = None
) -> Reply:
    """`/profile`: the profile of a person; of the presser if `user_id` is None."""
    return Reply(await _profile(context, interaction, user_id or interaction.user_id))


async def _profile(context: HandlerContext, interaction: Interaction, user_id: int) -> Screen:
    own = user_id == interaction.user_id
    if not (interaction.guild_id or own):
        raise Refused("results-on-servers")
    screen = (
        profiles.profile_elsewhere()
        if not interaction.guild_id
        else await _results_of(context, interaction, user_id)
    )
    if own:
        add_progress(
            screen, *await progress_of(context.tables, user_id, interaction.guild_id), context.screens
        )
        for line in await daily_lines(context.tables, user_id):
            screen.text(line)
    return screen


async def _results_of(context: HandlerContext, interaction: Interaction, user_id: int) -> Screen:
    own, guild = user_id == interaction.user_id, interaction.guild_id
    results = context.tables.store.results
    hidden, off = await results.is_off("person", user_id), await results.is_off("guild", guild)
    rows = [] if off or hidden else await results.with_person(user_id, guild)
    played = matches_of(rows, user_id)
    if off:
        return boards.switched_off(_("Profile"), manages=interaction.manages_server, profile_of=user_id)
    if own and hidden:
        return profiles.hidden_profile()
    if not played:
        return profiles.empty_profile(user_id, own=own)
    season = await newest_season(context, guild)
    places = await _places(context, guild, user_id, played, season)
    stored = await results.stored_matches(profiles.watchable(played, context.screens))
    person = profiles.Profile(user_id, played, places, season, stored, own)
    screen = profiles.profile(person, context.screens)
    place = ("profile", guild, user_id)
    wanted = Wanted(lambda: profiles.picture_of(person, context.screens), place, guild, interaction.user_id)
    await context.pictures.soon(screen, wanted)
    return screen


async def _places(
    context: HandlerContext, guild: int, user_id: int, played: list[Played], season: int
) -> dict[str, profiles.Place]:
    places: dict[str, profiles.Place] = {}
    for game in {one.own.game for one in played}:
        if latest_rating(played, game, season) is None:
            continue
        board = await context.tables.store.results.leaderboard(guild, game, season)
        people = sum(not one.needed for one in board)
        for place, one in enumerate(board, 1):
            if one.user_id == user_id:
                places[game] = profiles.Place(one, place, people)
    return places


async def switch_mine(context: HandlerContext, interaction: Interaction) -> Reply:
    """Hides or shows the presser's results, and keeps none while they are hidden."""
    on = is_on(interaction)
    await context.tables.store.results.switch("person", interaction.user_id, on=on)
    return await back_to_mine(context, interaction)


async def back_to_mine(context: HandlerContext, interaction: Interaction) -> Reply:
    """The presser's own profile, in place of the pressed page."""
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
    guild, results = interaction.guild_id, context.tables.store.results
    if await results.is_off("guild", guild):
        return boards.switched_off(_("Leaderboard"), manages=interaction.manages_server)
    seasons = dict(await results.seasons(guild))
    newest = max(seasons, default=1)
    season = min(max(season, 1), newest)
    standings = await results.leaderboard(guild, game, season)
    board = boards.Board(game, season, newest, seasons.get(season), standings)
    board = boards.Board(game, season, newest, seasons.get(season), standings, min(page, board.pages - 1))
    return boards.leaderboard(board, context.screens, interaction.user_id, manages=interaction.manages_server)


async def most_played(context: HandlerContext, guild: int, season: int) -> str:
    """The game with the most rated matches of a season on a server."""
    counts = await context.tables.store.results.games_of(guild, season)
    return max(context.screens, key=lambda key: counts.get(key, 0))


async def newest_season(context: HandlerContext, guild: int) -> int:
    """The present season of a server."""
    return max((number for number, _at in await context.tables.store.results.seasons(guild)), default=1)


async def about(_context: HandlerContext, _interaction: Interaction) -> Reply:
    """How ratings work."""
    return Reply(boards.about_ratings())


# -- for people who manage the server


async def switch_here(context: HandlerContext, interaction: Interaction) -> Reply:
    """Switches results on or off for a server, and shows the leaderboard. Nothing that is stored is lost."""
    on = is_on(interaction)
    await _switch_here(context, interaction, on=on)
    season = await newest_season(context, interaction.guild_id)
    game = await most_played(context, interaction.guild_id, season)
    screen = await _leaderboard(context, interaction, game, season, 0)
    return _switched(screen, on=on)


async def switch_on_at_profile(context: HandlerContext, interaction: Interaction) -> Reply:
    """Switches results on for a server, and shows the profile in whose place they were said to be off."""
    person = number_of(interaction)
    await _switch_here(context, interaction, on=True)
    return _switched(await _profile(context, interaction, person), on=True)


async def _switch_here(context: HandlerContext, interaction: Interaction, *, on: bool) -> None:
    check_manages(interaction)
    await context.tables.store.results.switch("guild", interaction.guild_id, on=on)


def _switched(screen: Screen, *, on: bool) -> Reply:
    text = _("Results and ratings are on here again.") if on else _("Results and ratings are off here now.")
    return Reply(screen.remark(text), "update")


_WAIT_FOR_PICTURE: Final = 3.0
"""Seconds for which a message that is never drawn again waits for its picture, once the press is answered."""


async def ask_new_season(_context: HandlerContext, interaction: Interaction) -> Reply:
    """The question before a new season."""
    check_manages(interaction)
    text = _(
        "A new season begins for everyone on this server, in all games, at 1000. I post the final "
        "boards of the current one here; `/leaderboard` shows them too."
    )
    return Reply(
        confirm(text, _("Begin the Season"), Id(boards.NEW_SEASON_NOW, arg=interaction.to.arg)), "ephemeral"
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
    return Reply(reply.screen, "update", on_delivered=post)


async def post_season(context: HandlerContext, interaction: Interaction) -> Reply:
    """The final boards of an earlier season, as a message for everybody in the channel."""
    check_manages(interaction)
    end = await _end_of(context, interaction.guild_id, number_of(interaction))
    if end is None:
        raise Refused("unknown")
    return Reply(await _screen(context, interaction, end, DEFER_AFTER / 2), "public")


async def _post(context: HandlerContext, interaction: Interaction, season: int, _message: int | None) -> None:
    end = await _end_of(context, interaction.guild_id, season)
    if end is None or not end.boards:
        return
    try:
        screen = await _screen(context, interaction, end, _WAIT_FOR_PICTURE)
        await interaction.follow_up(Reply(screen, "public"))
    except UNDELIVERED as error:
        log.warning("server %s: could not post the end of a season: %s", interaction.guild_id, Brief(error))
        text = _(
            "The new season has begun, and the boards of season {n} are saved. I could not post them "
            "here. To post them later, choose that season in `/leaderboard` and press **Post Here**."
        )
        await interaction.follow_up(Reply(say(text.format(n=season))))


async def _end_of(context: HandlerContext, guild: int, season: int) -> boards.SeasonEnd | None:
    """The end of a season; None if the season has not ended, and if the server has switched results off."""
    results = context.tables.store.results
    seasons = dict(await results.seasons(guild))
    if season < 1 or season + 1 not in seasons or await results.is_off("guild", guild):
        return None
    counts = await results.games_of(guild, season)
    games = sorted((game for game in counts if game in context.screens), key=lambda game: -counts[game])
    ended = [
        boards.FinalBoard(game, counts[game], await results.leaderboard(guild, game, season))
        for game in games[: boards.GAMES]
    ]
    return boards.SeasonEnd(
        season, seasons.get(season), seasons[season + 1], [one for one in ended if one.standings]
    )


async def _screen(
    context: HandlerContext, interaction: Interaction, end: boards.SeasonEnd, wait: float
) -> Screen:
    """The message with the podiums that are ready within `wait` seconds each, in the server's language."""
    with speaking(interaction.guild_locale):
        screen = boards.season_end(end, context.screens)

    def podium(board: boards.FinalBoard) -> Picture | None:
        with speaking(interaction.guild_locale):
            return boards.podium_of(board, context.screens[board.game])

    for number, board in enumerate(end.boards):
        place = ("season", interaction.guild_id, number)
        wanted = Wanted(partial(podium, board), place, interaction.guild_id, below=boards.text_id(number))
        await context.pictures.soon(screen, wanted, wait=wait)
    return screen


ACTIONS: Final[Actions] = {
    profiles.SWITCH_MINE: Action(switch_mine, "update"),
    PROFILE: Action(back_to_mine, "update"),
    boards.LEADERBOARD: Action(turn_leaderboard, "update"),
    boards.GAME_MENU: Action(turn_leaderboard, "update"),
    boards.SEASON_MENU: Action(turn_leaderboard, "update"),
    boards.ABOUT: Action(about, "ephemeral"),
    boards.SWITCH_HERE: Action(switch_here, "update"),
    boards.SWITCH_ON: Action(switch_on_at_profile, "update"),
    boards.NEW_SEASON: Action(ask_new_season, "ephemeral"),
    boards.NEW_SEASON_NOW: Action(begin_season, "update"),
    boards.POST_SEASON: Action(post_season, "ephemeral"),
}
