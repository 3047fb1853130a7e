"""A new lobby, from the command `start` or from **Play Again**, and the start of its match."""

from __future__ import annotations

import logging
from dataclasses import replace
from functools import partial
from typing import Final, NoReturn

import discord

from bot.gateway.errors import Brief, is_transient
from bot.language import gettext as _
from bot.observability.context import set_table
from bot.store.model import Repeated, StoreError
from bot.tables import lobby, same_deal
from bot.tables.guests import check_challenge, notified
from bot.tables.messages import MatchThread, Place
from bot.tables.model import NOWHERE, TURN_LIMITS, USUAL, Seat, Table
from bot.tables.own_tables import own_tables
from bot.tables.refusals import Refused
from bot.tables.results import hiding_seats
from bot.tables.server_settings import LANGUAGE, ServerSettings, read_server_settings
from bot.ui.actions import threads
from bot.ui.actions.chosen import Chosen, read_chosen, write_chosen
from bot.ui.actions.presses import check_on_lobby, own_screen, show_hand_below
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import UNDELIVERED, Interaction, OnDelivered, Reply
from bot.ui.permissions import require_permissions, use_of
from bot.ui.screens.ids import ON, Id
from bot.ui.screens.kit import Screen, to_the_table
from bot.ui.screens.lobby import asked_silently
from bot.ui.screens.messages import say
from bot.ui.screens.permissions import invitation, name_of, refused_for
from bot.ui.screens.threads import AGAIN_IN_THREAD, OPEN_THREAD
from engine.errors import BadData

log = logging.getLogger(__name__)


async def open_lobby(
    context: HandlerContext, interaction: Interaction, *, game: str, chosen: Chosen, in_thread: bool = False
) -> Reply:
    """`start`: a new lobby in this channel or a thread of it; where the bot can post nothing, a private match at once.

    If the channel is taken, the person is offered a thread; for a challenge, it is opened without a question.
    """
    if not (interaction.guild_id or interaction.in_group):
        return await open_alone(context, interaction, game=game, chosen=chosen)
    if chosen.same_deal and interaction.in_group:
        raise Refused("servers-only")
    require_permissions(interaction)
    server = await check_server(context, interaction)
    if chosen.guest is not None:
        by_guest = context.presenter.calls.challenged_by(chosen.guest)
        asker, by_server = interaction.user_id, server.challengers
        await check_challenge(context.tables, asker, chosen.guest, by_guest=by_guest, by_server=by_server)
    place = threads.place_of(interaction, server, in_thread=in_thread, offer=chosen.offer)
    try:
        table = await _open(context, interaction, game, chosen, server, place)
    except Refused as taken:
        if taken.code != "channel-taken":
            raise
        if chosen.guest is None:
            offer = write_chosen(context, game, chosen._replace(offer=interaction.id))
            return threads.offer(interaction, taken, Id(OPEN_THREAD, arg=offer))
        threads.check(interaction, taken)
        return await open_lobby(context, interaction, game=game, chosen=chosen, in_thread=True)
    if place.parent is not None:
        return await threads.post(context, table, announced_in=server.announced_in)
    set_table(table.id)
    return await _posted(context, interaction, table, announced_in=server.announced_in)


async def _open(
    context: HandlerContext,
    interaction: Interaction,
    game: str,
    chosen: Chosen,
    server: ServerSettings,
    place: Place,
) -> Table:
    new = lobby.NewTable(
        context.tables.games[game],
        guild_id=interaction.guild_id,
        channel_id=place.channel,
        user_id=interaction.user_id,
        seats=[Seat(interaction.user_name, interaction.user_id)],
        locale=server.language or interaction.guild_locale,
        limit=TURN_LIMITS[chosen.limit or server.limit],
        options=chosen.options,
        agents=chosen.agents,
        level=chosen.level or USUAL,
        guests=[] if chosen.guest is None else [chosen.guest],
        thread=place.match_thread,
    )
    if chosen.same_deal:
        return await same_deal.open_tied(context.tables, new, chosen.same_deal)
    return await context.tables.open(new)


async def open_in_thread(context: HandlerContext, interaction: Interaction) -> Reply:
    """Opens the table that found its channel taken in a thread, with the options that were chosen for it."""
    game, chosen = read_chosen(context, interaction.to.arg)
    opened = await threads.opened_from(context, interaction, chosen.offer)
    if opened is None:
        try:
            return await open_lobby(context, interaction, game=game, chosen=chosen, in_thread=True)
        except Repeated:  # another press of this offer was quicker, or another delivery of this press
            opened = await threads.opened_from(context, interaction, chosen.offer)
    if opened is None:  # the table of this offer is closed, for example because Discord refused its thread
        return await open_lobby(context, interaction, game=game, chosen=chosen._replace(offer=0))
    return await threads.opened_already(context, opened)


async def open_alone(
    context: HandlerContext, interaction: Interaction, *, game: str, chosen: Chosen
) -> Reply:
    """A new match of the presser alone against agents, in no channel, in place of a pressed private message."""
    if chosen.same_deal:
        raise Refused("servers-only")
    user, tables = interaction.user_id, context.tables
    engine = tables.games[game]
    try:
        engine.load_options(chosen.options)
    except BadData:  # those of an earlier match, of a card list that the bot no longer has
        raise Refused("unknown") from None
    await _check_alone(context, user, game)
    new = lobby.NewTable(
        engine,
        interaction.shard_guild,
        NOWHERE,
        user,
        [Seat(interaction.user_name, user)],
        interaction.guild_locale,
        limit=None,
        options=chosen.options,
        agents=chosen.agents or engine.min_seats - 1,
        level=chosen.level or USUAL,
        pace="quick",
        deal=lobby.deal_alone(interaction.id),
    )
    table = await tables.open(new)
    interaction.to = Id("start", table.id)
    set_table(table.id)
    reply = await own_screen(context, interaction, table, 0)
    if not chosen.agents:
        reply.on_delivered = partial(_say_why_alone, interaction, reply.on_delivered)
    return replace(reply, game=game)


async def _say_why_alone(interaction: Interaction, first: OnDelivered | None, message: int | None) -> None:
    """Says below a match alone where several people can play."""
    if first is not None:
        await first(message)
    text = _(
        "Here you play alone against the AI. A table for several people needs a group DM, or a server "
        "that I'm on."
    )
    screen = say(f"-# {text}").buttons(invitation(interaction.raw.application_id))
    await _say_besides(interaction, screen)


async def _say_besides(interaction: Interaction, screen: Screen, *, in_place: bool = False) -> None:
    """Sends the person who opened a table a private message after the answer, or changes the pressed one to it."""
    try:
        if in_place and interaction.token is not None:
            await interaction.token.edit(None, screen.view())
        else:
            await interaction.follow_up(Reply(screen))
    except UNDELIVERED as error:
        log.info("a private message after an answer was not sent (%s)", Brief(error))


async def _check_alone(context: HandlerContext, user_id: int, game: str) -> None:
    """Raises `Refused` if the person plays as many matches of this kind as they may have open tables."""
    most = context.tables.most_per_person
    own = [one.table for one in await own_tables(context.tables, user_id)]
    alone = [table for table in own if table.is_alone]
    if most and len(alone) >= most:
        raise Refused("too-many-tables", most=most, game=game)


async def check_server(context: HandlerContext, interaction: Interaction) -> ServerSettings:
    """The settings of this server. Raises `Refused` if the person may not open a table here.

    In a group DM these are the defaults.
    """
    if interaction.in_group:
        return ServerSettings()
    settings = read_server_settings(await context.tables.store.choices.of("guild", interaction.guild_id))
    roles = interaction.roles
    if settings.role is not None and interaction.manages_server:
        roles.add(settings.role)
    settings.check_opening(interaction.places, roles)
    return settings


async def table_locale(context: HandlerContext, interaction: Interaction) -> str:
    """The language of a table that is opened now on this server."""
    chosen = await context.tables.store.choices.get("guild", interaction.guild_id, LANGUAGE)
    return chosen or interaction.guild_locale


async def _posted(
    context: HandlerContext, interaction: Interaction, table: Table, *, announced_in: int | None
) -> Reply:
    """The reply that posts the message of a new lobby, which is then announced in a channel, if there is one.

    A pressed private message then shows the way to the lobby: as it was, it could hide the lobby below it.
    """
    presenter, in_place = context.presenter, interaction.on_private
    presenter.opened_here(table)
    screen, _complete = await presenter.public.table(table)
    ring = await notified(context.tables, table)

    async def keep(message: int | None) -> None:
        async with context.tables.change(table.id) as draft:
            messages = draft.table.body.messages
            if message is not None and messages.lobby not in (None, message):
                # This answer came so late that the lobby was posted separately meanwhile.
                messages.retired.append(message)
            else:
                messages.lobby = message
                if message is not None:
                    presenter.posted(table, message, screen, interaction.attachments)
                    presenter.tokens.opened(table.id, message, interaction.token)
            draft.touch()
        if announced_in not in (None, table.shown_in):
            await presenter.announce_opened(draft.table, announced_in)
        silently = asked_silently(table, ring)
        if in_place:
            opened = say("\n".join(filter(None, [_("▶️ Your table is open."), silently])))
            await _say_besides(interaction, opened.buttons(*to_the_table(draft.table)), in_place=True)
        elif silently:
            await _say_besides(interaction, say(silently))

    return Reply(screen, "public", on_delivered=keep, ring=ring)


async def play_again(context: HandlerContext, interaction: Interaction, *, in_thread: bool = False) -> Reply:
    """Opens the next lobby for the first person who presses **Play Again**, and seats the others in that lobby.

    If the channel is taken, the person is offered a thread. `in_thread`: the person has asked for one.
    """
    old = await context.tables.get(interaction.to.table)
    if old.is_private:
        return await _again_alone(context, interaction, old)
    require_permissions(interaction)
    server = await check_server(context, interaction)
    sat = await context.tables.store.seat_of(old.id, interaction.user_id)
    if not lobby.may_play_again(old, interaction.user_id, sat):
        raise Refused("not-seated-then")
    try:
        table, place = await _find_or_open_next(context, interaction, old, server, in_thread=in_thread)
    except Refused as refused:
        if refused.code != "channel-taken":
            raise
        return threads.offer(interaction, refused, Id(AGAIN_IN_THREAD, old.id))
    if place is None:
        return await _join_next(context, interaction, table)
    if place.parent is not None:
        return await threads.post(context, table, announced_in=server.announced_in)
    reply = await _posted(context, interaction, table, announced_in=server.announced_in)
    people = sum(seat.user_id is not None or seat.left_by is not None for seat in old.seats)
    if people == 1 and len(table.seats) == len(old.seats) and not table.body.guests:
        reply.on_delivered = partial(_begin, context, interaction, table.id, reply.on_delivered)
    return reply


async def _begin(
    context: HandlerContext,
    interaction: Interaction,
    table_id: int,
    first: OnDelivered | None,
    message: int | None,
) -> None:
    """Starts the match of one person against agents once its lobby is posted; if that fails, the lobby stays."""
    if first is not None:
        await first(message)
    try:
        async with context.tables.change(table_id) as draft:
            hiding = await hiding_seats(draft.table, context.tables.store.results)
            lobby.freeze(draft, interaction.user_id, None, hiding=hiding)
    except (Refused, StoreError) as error:  # the person was quicker, or the lobby has closed
        log.info("table %s: the next match is not started (%s)", table_id, error)
        return
    try:
        await context.presenter.start(table_id, first=True)
    except UNDELIVERED as error:
        await _note_failure(context, draft.table, error, first=True)
        return
    await show_hand_below(context, interaction, table_id)


def _next_table(interaction: Interaction, old: Table, place: Place) -> lobby.NewTable:
    """The next lobby after a match. In the match's own thread, it is played in that thread too."""
    seated, guests = lobby.play_again(old, interaction.user_id, interaction.user_name)
    thread = place.match_thread
    if thread is None and old.body.thread is not None:
        thread = MatchThread(old.body.thread.parent, opened=True)
    return lobby.NewTable(
        old.game,
        guild_id=old.guild_id,
        channel_id=old.channel_id if place.parent is None else place.channel,
        user_id=interaction.user_id,
        seats=seated,
        locale=old.body.locale,
        limit=old.body.limit,
        pace=old.body.pace,
        hints=old.body.hints,
        options=old.body.options,
        rematch_of=old.id,
        guests=guests,
        thread=thread,
    )


async def _find_or_open_next(
    context: HandlerContext, interaction: Interaction, old: Table, server: ServerSettings, *, in_thread: bool
) -> tuple[Table, Place | None]:
    """The next lobby after this match, opened now if there is none; and its place, None if it was open already.

    Raises `Refused` as `Tables.open` does.
    """
    async with context.tables.change(old.id):  # the lock: of several presses at once, one opens the lobby
        opened = await _next_lobby(context, interaction, old)
        if opened is not None:
            return opened, None
        place = threads.place_of(interaction, server, in_thread=in_thread)
        return await context.tables.open(_next_table(interaction, old, place)), place


async def _next_lobby(context: HandlerContext, interaction: Interaction, old: Table) -> Table | None:
    """The lobby that Play Again opened after this match; None if there is none any more.

    It is in the same channel, or in another place, and then at least its opener has played the match.
    """
    store, seats = context.tables.store, old.seats
    sat = [user_id for seat in seats for user_id in (seat.user_id, seat.left_by) if user_id is not None]
    here = await store.live_table(old.channel_id)
    rows = [] if here is None else [here]
    for user_id in {interaction.user_id, *sat}:
        rows += await store.live_tables_of(user_id, old.guild_id)
    for row in rows:
        if row.status == "lobby" and row.game == old.game.key:
            table = await context.tables.get(row.id)
            if table.status == "lobby" and table.body.rematch_of == old.id:
                return table
    return None


async def _again_alone(context: HandlerContext, interaction: Interaction, old: Table) -> Reply:
    """A new private match like the old one, which has to be one of the presser alone against agents."""
    if not old.is_alone or old.live or old.seat_of(interaction.user_id) is None:
        raise Refused("unknown")
    agents = [seat.agent for seat in old.seats if seat.user_id is None]
    chosen = Chosen("", len(agents), agents[0], old.body.options)
    return replace(await open_alone(context, interaction, game=old.game.key, chosen=chosen), mode="ephemeral")


async def _join_next(context: HandlerContext, interaction: Interaction, opened: Table) -> Reply:
    """Seats the presser in the lobby that somebody else has opened by **Play Again**."""
    async with (
        same_deal.seating(context.tables, opened.id, interaction.user_id),
        context.tables.change(opened.id) as draft,
    ):
        if draft.table.seat_of(interaction.user_id) is None:
            context.tables.may_sit(interaction.user_id, interaction.guild_id)
            lobby.join(draft, interaction.user_id, interaction.user_name)
    screen = say(_("The next lobby is open, and you have a seat in it."))
    return Reply(screen.buttons(*to_the_table(draft.table)), "update")


async def start(context: HandlerContext, interaction: Interaction) -> Reply:
    """Starts the match of a lobby. The answer is the pressed lobby, below which the presser's hand follows."""
    check_on_lobby(interaction)
    require_permissions(interaction)
    first = await same_deal.ready(context.tables, await context.tables.get(interaction.to.table))
    async with context.tables.change(interaction.to.table) as draft:
        if interaction.to.arg == ON:
            lobby.seat_novice(draft, interaction.user_id)
        hiding = await hiding_seats(draft.table, context.tables.store.results)
        lobby.freeze(draft, interaction.user_id, first, hiding=hiding)
    table, first = draft.table, not draft.before.starting
    if table.in_group:
        return _start_in_group(context, table, first=first)
    try:
        table = await context.presenter.start(table.id, first=first)
    except UNDELIVERED as error:
        await _start_failed(context, interaction, table, error, first=first)
    return Reply(on_delivered=partial(show_hand_below, context, interaction, table.id))


def _start_in_group(context: HandlerContext, table: Table, *, first: bool) -> Reply:
    """The answer to Start Match in a group DM. The start message follows it, by the token of the answered press.

    If Discord does not accept the message, the job of an interrupted start goes on.
    """

    async def begin(_message: int | None) -> None:
        try:
            await context.presenter.start(table.id, first=first)
        except UNDELIVERED as error:
            log.warning("table %s: the start message could not be posted (%s)", table.id, Brief(error))

    return Reply(on_delivered=begin)


async def _start_failed(
    context: HandlerContext, interaction: Interaction, table: Table, error: Exception, *, first: bool
) -> NoReturn:
    """Handles a start message that Discord refused. Raises `Refused`, or the error if the bot is at fault."""
    if not await _note_failure(context, table, error, first=first):
        raise Refused("start-delayed") from None
    if isinstance(error, discord.Forbidden):
        permission = name_of(refused_for(error, use_of(interaction)))
        raise Refused("may-not-post" if first else "may-not-post-yet", permission=permission) from None
    raise error


async def _note_failure(context: HandlerContext, table: Table, error: Exception, *, first: bool) -> bool:
    """Notes a start message that could not be posted. Returns whether Discord refused it for good."""
    log.warning("table %s: the start message could not be posted (%s)", table.id, Brief(error))
    refused = not is_transient(error)
    async with context.tables.change(table.id) as draft:
        if refused and first:
            lobby.thaw(draft)
        draft.touch()  # so that the lobby's message names the reason for the wait
    return refused


ACTIONS: Final[Actions] = {
    "start": Action(start, "update"),
    "again": Action(play_again, "ephemeral"),
    OPEN_THREAD: Action(open_in_thread, "update"),
    AGAIN_IN_THREAD: Action(partial(play_again, in_thread=True), "update"),
}
