"""The commands `/play` and `/challenge`: a person looks for others to play with, or asks one of them."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

import discord

from bot.gateway.errors import Brief, is_transient
from bot.language import speaking
from bot.observability.context import set_table
from bot.people.matchmaking import screens
from bot.store.model import Conflict, Mode, Repeated, Wish
from bot.tables import lobby, matchmaking
from bot.tables.holidays import last_noon
from bot.tables.messages import Place
from bot.tables.model import Table
from bot.tables.naming import clean_name
from bot.tables.own_tables import own_tables
from bot.tables.refusals import Refused
from bot.tables.server_settings import ServerSettings
from bot.tables.service import Tables
from bot.ui.actions import threads
from bot.ui.actions.chosen import Chosen
from bot.ui.actions.opening import check_server, open_lobby, table_locale
from bot.ui.display.letters import send_letter
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import UNDELIVERED, Interaction, Reply
from bot.ui.permissions import all_see, fetch_member, obstacle_to_threads, require_permissions
from bot.ui.screens.ids import read_number
from bot.ui.screens.kit import Screen
from bot.ui.screens.lobby import CHALLENGE, DECLINE, declined, has_declined
from bot.ui.screens.lobby import challenge as challenge_screen
from bot.ui.screens.refusals import refusal

log = logging.getLogger(__name__)

Remark = Callable[[], str]
"""Says in the current language why no lobby was opened although others fit."""


class Wanted(NamedTuple):
    """The options of the command. `game` and `seats` are None for any."""

    game: str | None
    seats: int | None
    mode: Mode


async def play(context: HandlerContext, interaction: Interaction, *, wanted: Wanted) -> Reply:
    """`/play`: stores a wish, and seats the person if others fit."""
    require_permissions(interaction)
    server = await check_server(context, interaction)
    user, guild = interaction.user_id, interaction.guild_id
    await matchmaking.check_may_wait(context.tables, user, guild)
    _check(context, wanted)
    wish = Wish(guild, user, interaction.id, interaction.channel_id, *wanted, since=0.0, ends=0.0)
    with suppress(Repeated):
        await matchmaking.ask(context.tables, wish)
    return Reply(await _look(context, interaction, server))


def _check(context: HandlerContext, wanted: Wanted) -> None:
    """Raises `Refused` for a wish that no game could fulfil."""
    games = matchmaking.seats_of(context.tables, context.screens)
    if wanted.game is not None and wanted.game not in games:
        raise Refused("unknown")
    sizes = [games[wanted.game]] if wanted.game is not None else list(games.values())
    if wanted.seats is not None and not any(max(2, low) <= wanted.seats <= high for low, high in sizes):
        raise Refused("no-such-seats", most=max(high for _low, high in sizes))


async def look_again(context: HandlerContext, interaction: Interaction) -> Reply:
    """Looks for others once more, for a person who waits."""
    server = await check_server(context, interaction)
    await matchmaking.check_may_wait(context.tables, interaction.user_id, interaction.guild_id)
    return Reply(await _look(context, interaction, server), "update")


async def stop(context: HandlerContext, interaction: Interaction) -> Reply:
    """Ends the wish that the pressed screen shows. A later wish of the person stays, and is shown."""
    number = read_number(interaction.to.arg)
    if not number:
        raise Refused("unknown")
    own = await context.tables.store.wishes.of_person(interaction.user_id)
    if any(wish.id == number for wish in own):
        await context.tables.store.wishes.withdraw(interaction.guild_id, [number])
    return Reply(await _stands(context, interaction), "update")


# -- looking for others


async def _look(context: HandlerContext, interaction: Interaction, server: ServerSettings) -> Screen:
    """Seats the person with others whose wishes fit. Returns the screen of a person who was seated, or who waits."""
    tables, user = context.tables, interaction.user_id
    for _try in range(matchmaking.TRIES):
        everybody = await matchmaking.candidates(tables, interaction.guild_id)
        own = next((each for each in everybody if each.wish.user_id == user), None)
        if own is None or own.wish.table_id is not None:
            break
        others = [each for each in everybody if each is not own and matchmaking.may_be_seated(tables, each)]
        pairing = matchmaking.pair(own, others, matchmaking.seats_of(tables, context.screens))
        if pairing is None:
            break
        try:
            seated = await _seat(context, interaction, pairing, server)
        except Conflict:
            continue  # one of them was seated elsewhere, or has stopped looking
        if isinstance(seated, Table):
            return _found(context, seated)
        if seated is not None:
            return await _stands(context, interaction, seated)
    return await _stands(context, interaction)


async def _stands(context: HandlerContext, interaction: Interaction, remark: Remark | None = None) -> Screen:
    """How things stand for the person. `remark` says why no lobby was opened although others fit."""
    tables, guild, user = context.tables, interaction.guild_id, interaction.user_id
    everybody = [each.wish for each in await tables.store.wishes.candidates(guild)]
    own = next((wish for wish in everybody if wish.user_id == user), None)
    if own is None:
        seated = await _seated_lobby(tables, user, guild)
        return screens.stopped() if seated is None else _found(context, seated)
    if own.table_id is not None:
        return _found(context, await tables.get(own.table_id))
    usual = await matchmaking.usual_wait(tables, guild, own.mode)
    shown = screens.Waiting(own, len(everybody) - 1, usual, tables.clock.now(), tables.clock.correction)
    return screens.waiting(shown, context.screens, remark() if remark else "")


async def _seated_lobby(tables: Tables, user: int, guild: int) -> Table | None:
    """The newest lobby on this server in which the person was seated because of a wish, if there is one."""
    mine = [one.table for one in await own_tables(tables, user, guild)]
    lobbies = [table for table in mine if table.status == "lobby" and user in table.matched()]
    return max(lobbies, key=lambda table: table.created_at, default=None)


def _found(context: HandlerContext, table: Table) -> Screen:
    return screens.found(table, context.screens_of(table))


async def _seat(
    context: HandlerContext, interaction: Interaction, pairing: matchmaking.Pairing, server: ServerSettings
) -> Table | Remark | None:
    """Opens a lobby for these people, and posts it. Returns its table, or the reason why that was impossible.

    None: some of the people have left the server, and their wishes are deleted. Raises `Conflict` if one of them does
    not wait any more.
    """
    failed: Remark | None = None
    # First the channel of whoever asked last.
    channels = list(dict.fromkeys((pairing.wishes[-1].channel_id, pairing.wishes[0].channel_id)))
    try:
        members = await _members(context, interaction, pairing)
        if members is None:
            return None
        for place in _places(interaction, server, channels):
            if failed and place.parent is not None:
                break  # a thread makes up for a taken channel only
            outcome = await _seat_in(context, interaction, pairing, members, place)
            if isinstance(outcome, Table):
                return outcome
            failed = outcome or failed
    except UNDELIVERED as error:
        log.warning("people who look for a match could not be looked up (%s)", Brief(error))
        return screens.unreachable_remark
    except Refused as refused:
        return partial(refusal, refused)
    obstacle = obstacle_to_threads(interaction)
    permissions = "" if obstacle is None else str(obstacle.facts.get("permissions", ""))
    return failed or partial(screens.busy_remark, len(pairing.wishes) - 1, channels, permissions)


def _places(interaction: Interaction, server: ServerSettings, channels: Sequence[int]) -> list[Place]:
    """The places in which a lobby may be opened, the best first: the channels, and then a thread of the present one.

    Raises `Refused` if the server chose a thread for each match and the bot may not open one.
    """
    if (first := threads.place_of(interaction, server)).parent is not None:
        return [first]
    places = [Place(channel) for channel in channels]
    if obstacle_to_threads(interaction) is None:
        places.append(threads.place_of(interaction, server, in_thread=True))
    return places


async def _members(
    context: HandlerContext, interaction: Interaction, pairing: matchmaking.Pairing
) -> list[discord.Member] | None:
    """These people as members of the server; None if some have left it, whose wishes are then deleted.

    Raises an error of `UNDELIVERED` if Discord does not answer.
    """
    guild = interaction.raw.guild
    assert guild is not None
    known = [(wish, await fetch_member(guild, wish.user_id)) for wish in pairing.wishes]
    gone = [wish.id for wish, member in known if member is None]
    if gone:
        await context.tables.store.wishes.withdraw(guild.id, gone)
        return None
    return [member for _wish, member in known if member is not None]


async def _seat_in(
    context: HandlerContext,
    interaction: Interaction,
    pairing: matchmaking.Pairing,
    members: Sequence[discord.Member],
    place: Place,
) -> Table | Remark | None:
    """Opens a lobby in this place, and posts it. Returns its table, or the reason why that was impossible.

    None: the channel has a live table. Raises `Refused`, `Conflict`, and an error of `UNDELIVERED`.
    """
    tables, guild = context.tables, interaction.guild_id
    if await tables.store.live_table(place.channel) is not None:
        return None
    channel_id = place.parent or place.channel
    elsewhere = {wish.user_id for wish in pairing.wishes if wish.channel_id != channel_id}
    others = [member for member in members if member.id in elsewhere]
    try:
        if others and not await all_see(interaction.raw.client, guild, channel_id, others):
            return partial(screens.unseen_remark, channel_id)
    except (discord.Forbidden, discord.NotFound):
        return partial(screens.unposted_remark, channel_id)
    names = {each.id: clean_name(each.nick or "", each.global_name or "", each.name) for each in members}
    try:
        table = await matchmaking.seat(
            tables, pairing, names, interaction.user_id, place, await table_locale(context, interaction)
        )
    except Refused as refused:
        if refused.code != "channel-taken":
            raise
        return None
    return await _posted(context, table) or partial(screens.unposted_remark, channel_id)


async def _posted(context: HandlerContext, table: Table) -> Table | None:
    """Posts a lobby, and deletes the wishes for which it was opened. None if it cannot be posted: they wait again.

    If Discord does not accept the message now, the wishes stay reserved, and the table's redraw posts the lobby later.
    """
    set_table(table.id)
    try:
        table = await context.presenter.post_lobby(table.id)
    except UNDELIVERED as error:
        log.warning("table %s: its lobby could not be posted (%s)", table.id, Brief(error))
        if is_transient(error):
            return table
    if table.body.messages.lobby is None:
        await matchmaking.give_back(context.tables, table.id)
        return None
    await context.tables.store.wishes.fulfil(table.id)
    return table


async def ask_game(context: HandlerContext, interaction: Interaction, *, person: int, is_bot: bool) -> Reply:
    """The question for the game of a challenge."""
    _check_person(interaction, person, is_bot=is_bot)
    return Reply(challenge_screen(person, context.screens))


async def challenge(
    context: HandlerContext, interaction: Interaction, *, game: str, person: int, is_bot: bool
) -> Reply:
    """Opens a lobby in this channel, and asks a person to join it."""
    _check_person(interaction, person, is_bot=is_bot)
    holiday = context.presenter.calls.holiday(person)
    if holiday is not None and holiday.lasts(context.tables.clock.now()):
        raise Refused("challenge-holiday", person=person, ends=last_noon(holiday.ends))
    chosen = Chosen(limit="", agents=0, level=None, options={}, guest=person)
    return await open_lobby(context, interaction, game=game, chosen=chosen)


async def _chosen_game(context: HandlerContext, interaction: Interaction) -> Reply:
    game, _dot, person = interaction.to.arg.partition(".")
    user_id = read_number(person)
    if game not in context.screens or not user_id:
        raise Refused("unknown")
    return await challenge(context, interaction, game=game, person=user_id, is_bot=False)


async def decline(context: HandlerContext, interaction: Interaction) -> Reply:
    """Declines to join a lobby. The host alone is told, by a message that makes no sound in their quiet hours."""
    async with context.tables.change(interaction.to.table) as draft:
        lobby.decline(draft, interaction.user_id)
    table, first = draft.table, draft.touched

    async def notify_host(_message: int | None) -> None:
        if not first:
            return
        now = context.tables.clock.now()
        quiet = context.presenter.calls.quiet_until(table.body.host_id, now) is not None
        language = context.presenter.calls.language(table.body.host_id, table.body.locale)
        with speaking(language):
            screen = has_declined(table, context.screens_of(table), interaction.user_id)
        to, name = table.body.host_id, f"{interaction.user_id} declines"
        await send_letter(interaction.raw.client, table, to, screen.view(), name, silent=quiet)

    return Reply(declined(table), on_delivered=notify_host)


def _check_person(interaction: Interaction, person: int, *, is_bot: bool) -> None:
    """Raises `Refused` for a challenge that nobody could accept."""
    if person == interaction.user_id:
        raise Refused("challenge-self")
    if is_bot:
        raise Refused("challenge-bot")


ACTIONS: Final[Actions] = {
    screens.LOOK: Action(look_again, "update"),
    screens.STOP: Action(stop, "update"),
    CHALLENGE: Action(_chosen_game, "ephemeral"),
    DECLINE: Action(decline, "ephemeral"),
}
