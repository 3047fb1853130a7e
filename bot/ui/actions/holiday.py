"""Holidays: a person plans or ends one, and the others at a table say whether the match waits."""

from __future__ import annotations

from datetime import date
from typing import Final
from zoneinfo import ZoneInfo

from bot.language import gettext as _
from bot.language import speaking
from bot.tables.holidays import agree_to_wait, from_days, let_agent_play, today_in, with_last_day
from bot.tables.refusals import Refused
from bot.ui.actions.own_settings import only_value, settings_screen
from bot.ui.actions.presses import number_of
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.holiday import (
    FIRST_DAY,
    HOLIDAY,
    HOLIDAY_OVER,
    LAST_DAY,
    NO_WAIT,
    NOW,
    OWN_SETTINGS,
    WAIT,
    holiday_screen,
    wait_noted,
)
from bot.ui.screens.messages import say
from bot.ui.screens.names import Names
from bot.ui.screens.own_settings import likely_zone


async def show(context: HandlerContext, interaction: Interaction) -> Reply:
    """Shows the presser's holiday and what changes it."""
    return _shown(context, interaction, NOW)


async def choose_first(context: HandlerContext, interaction: Interaction) -> Reply:
    """Offers the last days of a holiday with this first day. Stores nothing."""
    first, zone, now = only_value(interaction), _zone(context, interaction), _now(context)
    day = None if first == NOW else _date(first)
    if from_days(day, day or today_in(zone, now), zone, now) is None:
        raise Refused("unknown")
    return _shown(context, interaction, first)


async def choose_last(context: HandlerContext, interaction: Interaction) -> Reply:
    """Stores a holiday from its first to its last day."""
    first, _slash, last = only_value(interaction).partition("/")
    zone, now = _zone(context, interaction), _now(context)
    present = context.presenter.calls.holiday(interaction.user_id)
    if present is not None and present.lasts(now):
        holiday = with_last_day(present, _date(last), zone, now)
    else:
        holiday = from_days(None if first == NOW else _date(first), _date(last), zone, now)
    if holiday is None:
        raise Refused("unknown")
    await context.presenter.calls.choose_holiday(interaction.user_id, holiday)
    return _shown(context, interaction, NOW)


async def end(context: HandlerContext, interaction: Interaction) -> Reply:
    """Ends or cancels the presser's holiday."""
    calls, now = context.presenter.calls, _now(context)
    holiday = calls.holiday(interaction.user_id)
    if holiday is not None:
        over = holiday._replace(begins=min(holiday.begins, int(now)), ends=min(holiday.ends, int(now)))
        await calls.choose_holiday(interaction.user_id, over)
    return _shown(context, interaction, NOW)


async def back(context: HandlerContext, interaction: Interaction) -> Reply:
    """Leads back to the settings."""
    return Reply(await settings_screen(context, interaction), "update")


def _shown(context: HandlerContext, interaction: Interaction, first: str) -> Reply:
    holiday = context.presenter.calls.holiday(interaction.user_id)
    with speaking(interaction.locale):
        screen = holiday_screen(holiday, first, _zone(context, interaction), _now(context))
    return Reply(screen, "update")


def _now(context: HandlerContext) -> float:
    return context.tables.clock.now()


def _zone(context: HandlerContext, interaction: Interaction) -> ZoneInfo:
    """The time zone of the presser's quiet hours; without these the likely one."""
    quiet = context.presenter.calls.quiet_hours(interaction.user_id)
    return ZoneInfo(likely_zone(interaction.locale) if quiet is None else quiet.zone)


def _date(text: str) -> date:
    """The date in a menu's value. Raises `Refused`."""
    try:
        return date.fromisoformat(text)
    except ValueError:
        raise Refused("unknown") from None


# -- at a table


async def wait(context: HandlerContext, interaction: Interaction) -> Reply:
    """Notes that the presser agrees to wait for somebody on holiday."""
    number = number_of(interaction)
    async with context.tables.change(interaction.to.table) as draft:
        agree_to_wait(draft, interaction.user_id, number)
    with speaking(interaction.locale):
        return Reply(wait_noted(draft.table, number))


async def no_wait(context: HandlerContext, interaction: Interaction) -> Reply:
    """Withdraws the presser's agreement to wait."""
    number = number_of(interaction)
    async with context.tables.change(interaction.to.table) as draft:
        let_agent_play(draft, interaction.user_id, number)
    with speaking(interaction.locale):
        name = Names(draft.table.seats).bold(number)
        text = _("A computer player plays for {name} until they are back.").format(name=name)
        return Reply(say(text), "update" if interaction.on_private else "ephemeral")


ACTIONS: Final[Actions] = {
    HOLIDAY: Action(show, "update"),
    FIRST_DAY: Action(choose_first, "update"),
    LAST_DAY: Action(choose_last, "update"),
    HOLIDAY_OVER: Action(end, "update"),
    OWN_SETTINGS: Action(back, "update"),
    WAIT: Action(wait, "ephemeral"),
    NO_WAIT: Action(no_wait, "ephemeral"),
}
