"""Holidays: a person plans or ends one, and the others at a table say whether the match waits."""

from __future__ import annotations

from datetime import date
from typing import Final
from zoneinfo import ZoneInfo

from bot.language import gettext as _
from bot.language import speaking
from bot.tables.holidays import agree_to_wait, days_ahead, from_days, let_agent_play, today_in, with_last_day
from bot.tables.refusals import Refused
from bot.ui.actions.own_settings import only_value, settings_screen
from bot.ui.actions.presses import number_of
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.holiday import (
    FIRST_DAY,
    HOLIDAY,
    HOLIDAY_OVER,
    HOLIDAY_ZONE,
    LAST_DAY,
    NO_WAIT,
    NOW,
    OWN_SETTINGS,
    WAIT,
    Plan,
    holiday_screen,
    present_plan,
    read_plan,
    wait_noted,
)
from bot.ui.screens.messages import say
from bot.ui.screens.names import Names
from bot.ui.screens.own_settings import likely_zone


async def show(context: HandlerContext, interaction: Interaction) -> Reply:
    """Shows the presser's holiday and what changes it."""
    return _shown(context, interaction, _zone(context, interaction))


async def change_plan(context: HandlerContext, interaction: Interaction) -> Reply:
    """Offers the days of a holiday with another first day or time zone. Stores nothing."""
    plan, now = _plan(only_value(interaction)), _now(context)
    first, zone = _first(plan), ZoneInfo(plan.zone)
    if first is not None and first not in days_ahead(today_in(zone, now)):
        plan = plan._replace(first=NOW)  # the day is over, or already so in the other time zone
    holiday = context.presenter.calls.holiday(interaction.user_id)
    with speaking(interaction.locale):
        return Reply(holiday_screen(holiday, plan, now), "update")


async def choose_last(context: HandlerContext, interaction: Interaction) -> Reply:
    """Stores a holiday from its first to its last day."""
    last, _slash, text = only_value(interaction).partition("/")
    plan, now = _plan(text), _now(context)
    zone = ZoneInfo(plan.zone)
    present = context.presenter.calls.holiday(interaction.user_id)
    if present is not None and present.lasts(now):
        holiday = with_last_day(present, _date(last), zone, now)
    else:
        holiday = from_days(_first(plan), _date(last), zone, now)
    if holiday is None:
        raise Refused("unknown")
    await context.presenter.calls.choose_holiday(interaction.user_id, holiday)
    return _shown(context, interaction, plan.zone)


async def end(context: HandlerContext, interaction: Interaction) -> Reply:
    """Ends or cancels the presser's holiday."""
    calls, now = context.presenter.calls, _now(context)
    holiday = calls.holiday(interaction.user_id)
    if holiday is not None:
        over = holiday._replace(begins=min(holiday.begins, int(now)), ends=min(holiday.ends, int(now)))
        await calls.choose_holiday(interaction.user_id, over)
    return _shown(context, interaction, _zone(context, interaction))


async def back(context: HandlerContext, interaction: Interaction) -> Reply:
    """Leads back to the settings."""
    return Reply(await settings_screen(context, interaction), "update")


def _shown(context: HandlerContext, interaction: Interaction, zone: str) -> Reply:
    holiday, now = context.presenter.calls.holiday(interaction.user_id), _now(context)
    with speaking(interaction.locale):
        return Reply(holiday_screen(holiday, present_plan(holiday, zone, now), now), "update")


def _now(context: HandlerContext) -> float:
    return context.tables.clock.now()


def _zone(context: HandlerContext, interaction: Interaction) -> str:
    """The time zone of the presser's quiet hours; without these the likely one."""
    quiet = context.presenter.calls.quiet_hours(interaction.user_id)
    return likely_zone(interaction.discord_locale) if quiet is None else quiet.zone


def _plan(text: str) -> Plan:
    """The plan in a menu's value. Raises `Refused`."""
    plan = read_plan(text)
    if plan is None:
        raise Refused("unknown")
    return plan


def _first(plan: Plan) -> date | None:
    """The first day of a plan; None for now. Raises `Refused`."""
    return None if plan.first == NOW else _date(plan.first)


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
        return Reply(say(text), "update")


ACTIONS: Final[Actions] = {
    HOLIDAY: Action(show, "update"),
    FIRST_DAY: Action(change_plan, "update"),
    HOLIDAY_ZONE: Action(change_plan, "update"),
    LAST_DAY: Action(choose_last, "update"),
    HOLIDAY_OVER: Action(end, "update"),
    OWN_SETTINGS: Action(back, "update"),
    WAIT: Action(wait, "ephemeral"),
    NO_WAIT: Action(no_wait, "ephemeral"),
}
