"""The command `/daily` and its buttons: today's deal, its match, and the boards of days and months that are over."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Final

from babel import Locale

from bot.language import gettext as _
from bot.language import pgettext, speaking
from bot.observability.context import set_table
from bot.people.daily import screens as pages
from bot.store.model import AttemptRow
from bot.tables import daily
from bot.tables.model import Seat, Table
from bot.tables.refusals import Refused
from bot.ui.actions.opening import table_locale
from bot.ui.actions.presses import moved_to_bottom, number_of, own_screen
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import UNDELIVERED, Interaction, Reply, ResponseMode
from bot.ui.pictures import Wanted
from bot.ui.screens.components import SUCCESS
from bot.ui.screens.ended import DAILY, SHARE, events_of, public_events
from bot.ui.screens.game_screens import AnyScreens, SeenEvent
from bot.ui.screens.ids import Id, read_number
from bot.ui.screens.kit import Screen, button

FIRST_MONTH: Final = 2020 * 12
"""No board is older."""


async def show_again(context: HandlerContext, interaction: Interaction) -> Reply:
    """Today's deal, in place of the board from which it is asked; beside a private screen, which stays."""
    return await show(context, interaction, "ephemeral" if interaction.to.table else "update")


async def show(context: HandlerContext, interaction: Interaction, mode: ResponseMode = "ephemeral") -> Reply:
    """`/daily`: today's deal."""
    tables, guild, user = context.tables, interaction.guild_id, interaction.user_id
    day = daily.day_of(tables.utc)
    deal = await daily.deal_of(tables, day)
    if deal is None or deal.game not in context.screens:
        raise Refused("no-daily")
    screens, progress = context.screens[deal.game], await daily.progress(tables, user, deal, guild)
    match: Table | None = None
    if progress.own is not None:
        with suppress(Refused):
            match = await tables.get(progress.own.table_id)
    posted, *by = interaction.to.arg.split(".")  # of a shared result, which stays in its channel
    to_beat = [n for n in map(read_number, by) if n is not None]
    beat = (to_beat[0], to_beat[1]) if len(to_beat) == 2 and posted == str(deal.day) else None
    following, earlier = context.screens.get(progress.following), await tables.store.daily.deal_before(day)
    one = pages.Today(deal, progress, match, beat, following, earlier)

    async def draw(then: Callable[[], None]) -> tuple[Screen, bool]:
        screen = pages.today(one, screens)
        view = None if match is None or match.status != "over" else match.game.view(match.state, None)
        draw = screens.banner if view is None else partial(screens.podium, view)
        wanted = Wanted(draw, ("daily", day) if view is None else ("daily", day, user), guild, user)
        return screen, await context.pictures.soon(screen, wanted, then)

    return await context.presenter.late.reply(interaction, draw, mode)


async def show_seals(context: HandlerContext, _interaction: Interaction) -> Reply:
    """The seals of today's and tomorrow's deal, in place of the pressed screen."""
    day = daily.day_of(context.tables.utc)
    found = [deal for each in (day, day + 1) if (deal := await daily.deal_of(context.tables, each))]
    return Reply(pages.seals(found), "update")


# -- the match


async def play(context: HandlerContext, interaction: Interaction) -> Reply:
    """Begins the presser's match of today's deal, or opens its screen again, in place of the pressed screen."""
    seat, beat = Seat(interaction.user_name, interaction.user_id), read_number(interaction.to.arg) or 0
    server, shard, locale = interaction.guild_id, interaction.shard_guild, interaction.guild_locale
    begun = await daily.play(context.tables, seat, server, shard, locale, beat)
    table = await moved_to_bottom(context, interaction, begun)
    seat = table.seat_of(interaction.user_id)
    if seat is None:
        raise Refused("match-over")
    interaction.to = Id(pages.PLAY, table.id)
    set_table(table.id)
    return await own_screen(context, interaction, table, seat)


# -- sharing


async def preview(context: HandlerContext, interaction: Interaction) -> Reply:
    """The message with the presser's result of a day as it would be posted, with the button that posts it."""
    screen, table = await _shared(context, interaction, is_posted=False)
    if table.body.shared:
        raise Refused("shared-already")
    post = button(pgettext("button", "Post"), Id(pages.POST, arg=interaction.to.arg), SUCCESS, emoji="📤")
    return Reply(screen.buttons(post))


async def share(context: HandlerContext, interaction: Interaction) -> Reply:
    """The presser's result of a day, as a message for everybody in the channel."""
    screen, table = await _shared(context, interaction, is_posted=True)
    async with context.tables.change(table.id) as draft:
        if draft.table.body.shared:
            raise Refused("shared-already")
        draft.table.body.shared = draft.touched = True

    async def put_preview_away(_message: int | None) -> None:
        with suppress(*UNDELIVERED):
            await interaction.raw.delete_original_response()

    return Reply(screen, "public", on_delivered=put_preview_away)


async def _shared(
    context: HandlerContext, interaction: Interaction, *, is_posted: bool
) -> tuple[Screen, Table]:
    """The message with the presser's result of a day, in the language of the place, and its match. Raises `Refused`."""
    if not (interaction.guild_id or interaction.in_group):
        raise Refused("share-elsewhere")
    tables, user, day = context.tables, interaction.user_id, number_of(interaction)
    deal = await tables.store.daily.deal(day)
    if deal is None or deal.game not in context.screens:
        raise Refused("no-score")
    own = (progress := await daily.progress(tables, user, deal, interaction.guild_id)).own
    if own is None or own.score is None:
        raise Refused("no-score")
    events, match = public_events(await tables.store.log(own.table_id)), await tables.get(own.table_id)
    with speaking(await table_locale(context, interaction)):
        screen = pages.shared(progress, match, events, context.screens[deal.game])
        to_today = button(_("The Daily Dig"), Id(DAILY, arg=f"{day}.{own.score}.{user}"), SUCCESS, emoji="📅")
        return screen.buttons(*[to_today] * is_posted), match


# -- days and months that are over


async def show_board(context: HandlerContext, interaction: Interaction) -> Reply:
    """The board of a day that is over, in place of the pressed screen."""
    tables, user, guild = context.tables, interaction.user_id, interaction.guild_id
    present, results = daily.day_of(tables.utc), tables.store.results
    day = min(max(number_of(interaction), daily.first_of(FIRST_MONTH)), present - 1)
    deal = await tables.store.daily.deal(day)
    own = await tables.store.daily.attempt_of(user, day)
    board = await daily.shown_attempts(tables, guild, day)
    if not guild and own is not None:
        board = [own]
    shown = [each.table_id for each in (*board, *([own] if own else []))]
    stored, off = await results.stored_matches(shown), await results.is_off("guild", guild)
    master, earlier = deal and daily.master_play(tables, deal), await tables.store.daily.deal_before(day)
    one = pages.DayBoard(day, present, deal, board, own, stored, "", off, master, earlier)
    screens = None if deal is None else context.screens.get(deal.game)
    if screens is not None and own is not None and not one.off:
        one = await _compared(context, screens, one, own)
    screen = pages.day_board(one, screens)
    if screens is not None and not one.off and guild:
        wanted = Wanted(lambda: pages.podium_of(one, screens), ("daily podium", guild, day), guild, user)
        await context.pictures.soon(screen, wanted)
    return Reply(screen, "update")


async def _compared(
    context: HandlerContext, screens: AnyScreens, one: pages.DayBoard, own: AttemptRow
) -> pages.DayBoard:
    """The board with where the person's play first differs from the best of the others', and from the Master's."""
    others = [each for each in one.board if each.score is not None and each.user_id != own.user_id]
    store, plays = context.tables.store, dict[str, Sequence[SeenEvent]]()
    if own.table_id not in one.stored:
        return one
    if others and others[0].table_id in one.stored:
        plays[f"<@{others[0].user_id}>"] = public_events(await store.log(others[0].table_id))
    if one.master is not None:
        plays[_("a Master")] = events_of(one.master)
    mine = public_events(await store.log(own.table_id))
    compared = [screens.compare(mine, other, 0, rival) for rival, other in plays.items()]
    return replace(one, comparison="\n".join(compared))


async def show_month(context: HandlerContext, interaction: Interaction) -> Reply:
    """The board of a month, in place of the pressed screen."""
    tables, guild = context.tables, interaction.guild_id
    this_day = daily.day_of(tables.utc)
    present = daily.month_of(this_day)
    month = min(max(number_of(interaction), FIRST_MONTH), present)
    off = await tables.store.results.is_off("guild", guild)
    until = min(daily.first_of(month + 1), this_day)
    user, store = interaction.user_id, tables.store.daily
    own = await store.attempts_of(user)
    board = [] if off or not guild else await store.month(guild, daily.first_of(month), until)
    begins = Locale.parse(interaction.locale, sep="-").first_week_day
    streak, earlier = daily.streak(own, this_day), await store.deal_before(daily.first_of(month))
    shown = pages.Month(month, this_day, board, own, streak, begins, off=off, earlier=earlier)
    return Reply(pages.month_board(shown, user), "update")


ACTIONS: Final[Actions] = {
    DAILY: Action(show_again, "update"),
    pages.SEALS: Action(show_seals, "update"),
    SHARE: Action(preview, "ephemeral"),
    pages.POST: Action(share, "update"),
    pages.PLAY: Action(play, "update"),
    pages.BOARD: Action(show_board, "update"),
    pages.MONTH: Action(show_month, "update"),
}
"""The handlers of the buttons of `/daily`."""
