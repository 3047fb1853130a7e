"""The command `/settings`: how a person is called, their language, pictures, and holidays."""

from __future__ import annotations

import math
from collections.abc import Callable
from datetime import date
from typing import Final
from zoneinfo import ZoneInfo

from bot.language import gettext as _
from bot.language import languages, speaking
from bot.people.own_settings import screens
from bot.store.model import Job
from bot.tables.calling import BY_DM, DIGEST_HOURS, NEVER, WITH_HAND, Digest, read_quiet_hours, read_reminders
from bot.tables.draft import REDRAW
from bot.tables.guests import CHALLENGERS, EVERYONE
from bot.tables.holidays import agree_to_wait, days_ahead, from_days, let_agent_play, today_in, with_last_day
from bot.tables.model import HOUR
from bot.tables.own_tables import own_tables
from bot.tables.refusals import Refused
from bot.ui.actions.presses import is_on, number_of
from bot.ui.call_choices import CALLS, CHALLENGED_BY, LANGUAGE, QUIET, REMINDERS
from bot.ui.call_choices import HOLIDAY as HOLIDAY_CHOICE
from bot.ui.handlers import Action, Actions, Handler, HandlerContext
from bot.ui.interaction import Interaction, Reply, ResponseMode
from bot.ui.screens.board import NO_WAIT, WAIT
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import button
from bot.ui.screens.messages import say
from bot.ui.screens.names import Names


async def show_settings(
    context: HandlerContext, interaction: Interaction, mode: ResponseMode = "ephemeral"
) -> Reply:
    """`/settings`: shows the present choices and what changes them."""
    calls, user = context.presenter.calls, interaction.user_id
    digest, every = calls.digest(user), calls.reminders(user)
    state = None if digest is None else await calls.digest_state(user)
    reminders = screens.USUALLY if every is None else NEVER if math.isinf(every) else str(int(every // HOUR))
    chosen = screens.Chosen(
        place=WITH_HAND if calls.with_hand(user) else BY_DM if calls.by_dm(user) else screens.AT_TABLE,
        digest=None if digest is None else digest.hours,
        refused=state is not None and state.refused,
        reminders=reminders,
        quiet=calls.quiet_hours(user),
        language=calls.chosen_language(user),
        text_only=context.pictures.choices.text_only("person", user),
        challengers=calls.challenged_by(user),
    )
    now = context.tables.clock.now()
    with speaking(interaction.locale):  # the press may have changed it
        holiday = calls.holiday(user)
        likely = screens.likely_zone(interaction.discord_locale)
        screen = screens.own_settings(chosen, likely if holiday is None else holiday.zone, now)
        screen.rule().text(screens.holiday_text(holiday, now))
        screen.buttons(button(_("Holiday …"), Id(screens.HOLIDAY), emoji="🌴"))
        screens.add_looks(screen, chosen, _without_pictures(context, interaction))
        return Reply(screen, mode)


def _without_pictures(context: HandlerContext, interaction: Interaction) -> screens.NoPictures | None:
    """The operator or the server, if one of them has chosen that nobody sees pictures here; None if neither has."""
    if not context.pictures.cache.on:
        return "operator"
    return "server" if context.pictures.choices.text_only("guild", interaction.guild_id) else None


async def choose_place(context: HandlerContext, interaction: Interaction) -> Reply:
    """Stores where the presser is called, or how often a digest tells of the matches that wait."""
    calls, user, chosen = context.presenter.calls, interaction.user_id, only_value(interaction)
    if chosen in map(str, DIGEST_HOURS):
        digest = Digest(int(chosen), interaction.discord_locale)
        await calls.choose_digest(user, digest, context.tables.clock.now())
    elif chosen in (screens.AT_TABLE, BY_DM, WITH_HAND):
        await calls.choose(user, CALLS, None if chosen == screens.AT_TABLE else chosen)
    else:
        raise Refused("unknown")
    return await back(context, interaction)


def only_value(interaction: Interaction) -> str:
    """The chosen option of a menu; "" unless there is exactly one."""
    return interaction.values[0] if len(interaction.values) == 1 else ""


def _choosing(name: str, default: str, is_option: Callable[[str], object]) -> Handler:
    """A handler that stores the chosen option of a menu under this name, or nothing for the option `default`."""

    async def choose(context: HandlerContext, interaction: Interaction) -> Reply:
        chosen = only_value(interaction)
        if chosen != default and not is_option(chosen):
            raise Refused("unknown")
        stored = None if chosen == default else chosen
        await context.presenter.calls.choose(interaction.user_id, name, stored)
        return await back(context, interaction)

    return choose


def _are_quiet_hours(text: str) -> bool:
    quiet = read_quiet_hours(text)
    return quiet is not None and quiet[:2] in screens.HOURS


_choose_quiet: Final = _choosing(QUIET, screens.NO_QUIET, _are_quiet_hours)
_store_reminders: Final = _choosing(REMINDERS, screens.USUALLY, read_reminders)


async def choose_reminders(context: HandlerContext, interaction: Interaction) -> Reply:
    """Stores how often the presser is reminded."""
    reply = await _store_reminders(context, interaction)
    for one in await own_tables(context.tables, interaction.user_id):
        if one.waits:  # the redraw sets the time of the next reminder
            await context.tables.store.set_job(Job(one.table.id, REDRAW, context.tables.clock.now()))
    return reply


async def choose_pictures(context: HandlerContext, interaction: Interaction) -> Reply:
    """Stores whether the presser's own screens have pictures."""
    text_only = not is_on(interaction)
    await context.pictures.choices.choose("person", interaction.user_id, text_only=text_only)
    return await back(context, interaction)


async def show(context: HandlerContext, interaction: Interaction) -> Reply:
    """Shows the presser's holiday and what changes it."""
    return _shown(context, interaction, _zone(context, interaction))


async def change_plan(context: HandlerContext, interaction: Interaction) -> Reply:
    """Offers the days of a holiday with another first day or time zone. Stores nothing."""
    plan, now = _plan(only_value(interaction)), _now(context)
    first, zone = _first(plan), ZoneInfo(plan.zone)
    if first is not None and first not in days_ahead(today_in(zone, now)):
        plan = plan._replace(first=screens.NOW)  # the day is over, or already so in the other time zone
    holiday = context.presenter.calls.holiday(interaction.user_id)
    return Reply(screens.holiday_screen(holiday, plan, now), "update")


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
    await context.presenter.calls.choose(interaction.user_id, HOLIDAY_CHOICE, holiday)
    return _shown(context, interaction, plan.zone)


async def end(context: HandlerContext, interaction: Interaction) -> Reply:
    """Ends or cancels the presser's holiday."""
    calls, now = context.presenter.calls, _now(context)
    holiday = calls.holiday(interaction.user_id)
    if holiday is not None:
        over = holiday._replace(begins=min(holiday.begins, int(now)), ends=min(holiday.ends, int(now)))
        await calls.choose(interaction.user_id, HOLIDAY_CHOICE, over)
    return _shown(context, interaction, _zone(context, interaction))


async def back(context: HandlerContext, interaction: Interaction) -> Reply:
    """Leads back to the settings."""
    return await show_settings(context, interaction, "update")


def _shown(context: HandlerContext, interaction: Interaction, zone: str) -> Reply:
    holiday, now = context.presenter.calls.holiday(interaction.user_id), _now(context)
    return Reply(screens.holiday_screen(holiday, screens.present_plan(holiday, zone, now), now), "update")


def _now(context: HandlerContext) -> float:
    return context.tables.clock.now()


def _zone(context: HandlerContext, interaction: Interaction) -> str:
    """The time zone of the presser's quiet hours; without these the likely one."""
    quiet = context.presenter.calls.quiet_hours(interaction.user_id)
    return screens.likely_zone(interaction.discord_locale) if quiet is None else quiet.zone


def _plan(text: str) -> screens.Plan:
    """The plan in a menu's value. Raises `Refused`."""
    plan = screens.read_plan(text)
    if plan is None:
        raise Refused("unknown")
    return plan


def _first(plan: screens.Plan) -> date | None:
    """The first day of a plan; None for now. Raises `Refused`."""
    return None if plan.first == screens.NOW else _date(plan.first)


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
    return Reply(screens.wait_noted(draft.table, number))


async def no_wait(context: HandlerContext, interaction: Interaction) -> Reply:
    """Withdraws the presser's agreement to wait."""
    number = number_of(interaction)
    async with context.tables.change(interaction.to.table) as draft:
        let_agent_play(draft, interaction.user_id, number)
    name = Names(draft.table.seats).bold(number)
    text = _("A computer player plays for {name} until they are back.").format(name=name)
    return Reply(say(text), "update")


ACTIONS: Final[Actions] = {
    screens.CALLED_BY: Action(choose_place, "update"),
    screens.REMINDED: Action(choose_reminders, "update"),
    screens.QUIET_MENU: Action(_choose_quiet, "update"),
    screens.ZONE_MENU: Action(_choose_quiet, "update"),
    screens.OWN_CHALLENGERS: Action(_choosing(CHALLENGED_BY, EVERYONE, CHALLENGERS.__contains__), "update"),
    screens.OWN_LANGUAGE: Action(
        _choosing(LANGUAGE, screens.DISCORDS, lambda name: name in languages()), "update"
    ),
    screens.OWN_PICTURES: Action(choose_pictures, "update"),
    screens.HOLIDAY: Action(show, "update"),
    screens.FIRST_DAY: Action(change_plan, "update"),
    screens.HOLIDAY_ZONE: Action(change_plan, "update"),
    screens.LAST_DAY: Action(choose_last, "update"),
    screens.HOLIDAY_OVER: Action(end, "update"),
    screens.OWN_SETTINGS: Action(back, "update"),
    WAIT: Action(wait, "ephemeral"),
    NO_WAIT: Action(no_wait, "ephemeral"),
}
