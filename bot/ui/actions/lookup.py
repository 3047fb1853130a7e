"""The buttons that show something and change nothing: sheets, rules, log, **More**, text by DM."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

import discord

from bot.art.picture_cache import Plate
from bot.tables.history import record_of, with_log, with_moves
from bot.tables.model import Table
from bot.tables.refusals import Refused
from bot.tables.same_deal import check_over, is_over
from bot.tables.secrecy import has_sealed_deal
from bot.ui.actions import presses
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.late_answers import Draw
from bot.ui.pictures import Wanted
from bot.ui.screens import components as ui
from bot.ui.screens import messages
from bot.ui.screens.board import back_to_own
from bot.ui.screens.fairness import FAIRNESS, fairness
from bot.ui.screens.game_screens import SHEET_INTENTS, AnyScreens, Pressed
from bot.ui.screens.ids import read_number
from bot.ui.screens.kit import Screen, table_url
from bot.ui.screens.pages import RULES_OF, log_page, rules_page, sheet
from bot.ui.screens.private import EXPLAIN, MOST_COMPONENTS, explained


async def show_sheet(context: HandlerContext, interaction: Interaction) -> Reply:
    """The sheet of a game that the press means, drawn from the present state."""
    table, to = await context.tables.get(interaction.to.table), interaction.to
    presses.check_begun(table)
    pressed = Pressed(to.intent, to.arg, presses.choices_of(interaction))

    async def draw(then: Callable[[], None]) -> tuple[Screen, bool]:
        screen = sheet(table, context.screens_of(table), pressed)
        if ui.count(screen.items) < MOST_COMPONENTS - 1:
            screen.buttons(*back_to_own(table, context.screens_of(table), interaction.user_id))
        public = context.presenter.public
        return screen, await public.add_sheet_picture(screen, table, pressed, interaction, then)

    return presses.as_page(
        context, interaction, table, await context.presenter.late.reply(interaction, draw, "update")
    )


# -- rules


def _page_of(interaction: Interaction) -> int:
    """The number of the page that a menu's choice or a button's argument names. Raises `Refused`."""
    chosen = read_number(interaction.values[0]) if interaction.values else None
    return presses.number_of(interaction) if chosen is None else chosen


async def table_rules(context: HandlerContext, interaction: Interaction) -> Reply:
    """The first page of the rules of a table's game, or another page in place of the shown one."""
    to = interaction.to
    page = _page_of(interaction) if to.arg else 0
    table = await context.tables.get(to.table)
    draw = _rules(context, interaction, context.screens_of(table), table, page)
    mode = "update" if to.intent == "rules-page" else "ephemeral"
    return presses.as_page(
        context, interaction, table, await context.presenter.late.reply(interaction, draw, mode)
    )


async def game_rules(context: HandlerContext, interaction: Interaction) -> Reply:
    """Another page of the rules that the command `rules` has shown."""
    to = interaction.to
    game = to.intent.removeprefix(RULES_OF).removesuffix("-page")
    if game not in context.screens:
        raise Refused("unknown")
    page = _page_of(interaction) if to.arg else 0
    draw = _rules(context, interaction, context.screens[game], None, page)
    return await context.presenter.late.reply(interaction, draw, "update", game=game)


async def rules(context: HandlerContext, interaction: Interaction, *, game: str) -> Reply:
    """`rules`: shows the rules of the game, even if the channel has no table of it."""
    draw = _rules(context, interaction, context.screens[game], None, 0)
    return await context.presenter.late.reply(interaction, draw, "ephemeral", game=game)


def _rules(
    context: HandlerContext, interaction: Interaction, screens: AnyScreens, table: Table | None, number: int
) -> Draw:
    async def draw(then: Callable[[], None]) -> tuple[Screen, bool]:
        screen, page = rules_page(screens, table, number)
        if table is not None:
            screen.buttons(*back_to_own(table, screens, interaction.user_id))
        if page.picture is None:
            return screen, True
        place = (f"rules of {screens.game}: {page.title}", 0)
        wanted = Wanted(page.picture, place, interaction.guild_id, interaction.user_id)
        return screen, await context.pictures.soon(screen, wanted, then)

    return draw


# -- the log, More, and its buttons


def _looked_up(
    context: HandlerContext, interaction: Interaction, table: Table, draw: Callable[[Table], Screen]
) -> Reply:
    """The answer with a page, and with the way back to the presser's own screen."""
    screens, user = context.screens_of(table), interaction.user_id

    def page(newest: Table) -> Screen:
        return draw(newest).buttons(*back_to_own(newest, screens, user))

    mode = "update" if interaction.to.arg else "ephemeral"
    return presses.as_page(context, interaction, table, Reply(page(table), mode), page)


async def show_log(context: HandlerContext, interaction: Interaction) -> Reply:
    """A page of the log, with all hands open after the match; another page in place of the shown one."""
    table, rows = await with_log(context.tables, await context.tables.get(interaction.to.table))
    page = None if interaction.to.intent == "log" else presses.number_of(interaction)
    screens, seat = context.screens_of(table), table.seat_of(interaction.user_id)
    everything = not (table.live or has_sealed_deal(table, context.tables.utc))
    everything = everything and await is_over(context.tables, table)

    def draw(now: Table) -> Screen:
        return log_page(now, screens, rows, seat, page, everything=everything)

    return _looked_up(context, interaction, table, draw)


async def more(context: HandlerContext, interaction: Interaction) -> Reply:
    """The screen **More**, with the buttons that are seldom needed."""
    table = await context.tables.get(interaction.to.table)
    if not table.under_way:
        raise Refused("match-over")
    draw = partial(messages.more, screens=context.screens_of(table), user_id=interaction.user_id)
    return _looked_up(context, interaction, table, partial(draw, manages=interaction.manages))


async def explain(context: HandlerContext, interaction: Interaction) -> Reply:
    """The button **?** of a private screen: how the game goes, what helps to decide, and the hand in words."""
    table, seat = await presses.seated(context, interaction)
    screens = context.screens_of(table)
    return _looked_up(context, interaction, table, lambda now: explained(now, screens, seat))


async def send_by_dm(context: HandlerContext, interaction: Interaction) -> Reply:
    """Sends the presser the text of their private screen as a direct message."""
    table, seat = await presses.seated(context, interaction)
    if not table.live:
        raise Refused("match-over")
    if table.is_private:
        raise Refused("unknown")
    screens = context.screens_of(table)
    words, text = screens.words(), screens.private_text(table.game.view(table.state, seat))
    letter = Screen(colour=screens.colour).text(f"### {screens.title()}", text).text(table_url(table))
    try:
        await interaction.raw.user.send(view=letter.view())
    except discord.HTTPException as error:
        if error.status not in (400, 403):
            raise
        return Reply(Screen(colour=screens.colour).text(words.dms_closed, text))
    return await presses.own_screen(context, interaction, table, seat, remark=words.sent_by_dm)


async def explain_fairness(context: HandlerContext, interaction: Interaction) -> Reply:
    """Explains the fairness of the shuffle; with the seed and the record once the match and its day are over."""
    table = await context.tables.get(interaction.to.table)
    presses.check_begun(table)
    record = None
    if not (table.live or has_sealed_deal(table, context.tables.utc)):
        await check_over(context.tables, table)
        table, moves = await with_moves(context.tables, table)
        record = Plate(f"digsite-{table.game.key}-{table.id}.json", record_of(table, moves).encode(), "")
    return _looked_up(context, interaction, table, lambda now: fairness(now, record))


ACTIONS: Final[Actions] = {
    SHEET_INTENTS: Action(show_sheet, "update"),
    "rules": Action(table_rules, "ephemeral"),
    "rules-page": Action(table_rules, "update"),
    RULES_OF: Action(game_rules, "update"),
    "log": Action(show_log, "ephemeral"),
    "log-page": Action(show_log, "update"),
    "more": Action(more, "ephemeral"),
    EXPLAIN: Action(explain, "ephemeral"),
    "dm": Action(presses.while_it_lasts(send_by_dm), "ephemeral"),
    FAIRNESS: Action(explain_fairness, "ephemeral"),
}
