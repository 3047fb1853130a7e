"""The command `/settings`: a person chooses where and how often they are called, and their quiet hours."""

from __future__ import annotations

import math
from typing import Final

from bot.language import gettext as _
from bot.language import speaking
from bot.store.model import Job
from bot.tables.calling import BY_DM, DIGEST_HOURS, NEVER, Digest, read_reminders
from bot.tables.draft import REDRAW
from bot.tables.model import HOUR
from bot.tables.own_tables import own_tables
from bot.tables.quiet_hours import read_quiet_hours
from bot.tables.refusals import Refused
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.holiday import HOLIDAY, holiday_text
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import Screen, button
from bot.ui.screens.own_settings import (
    AT_TABLE,
    CALLED_BY,
    HOURS,
    NO_QUIET,
    QUIET_MENU,
    REMINDED,
    USUALLY,
    ZONE_MENU,
    ZONES,
    Chosen,
    likely_zone,
    own_settings,
)


async def show_settings(context: HandlerContext, interaction: Interaction) -> Reply:
    """`/settings`: shows the present choices and what changes them."""
    return Reply(await settings_screen(context, interaction))


async def settings_screen(context: HandlerContext, interaction: Interaction) -> Screen:
    """The present choices of the presser, and what changes them."""
    calls, user = context.presenter.calls, interaction.user_id
    digest, every = calls.digest(user), calls.reminders(user)
    state = None if digest is None else await calls.digest_state(user)
    reminders = USUALLY if every is None else NEVER if math.isinf(every) else str(int(every // HOUR))
    chosen = Chosen(
        by_dm=calls.by_dm(user),
        digest=None if digest is None else digest.hours,
        refused=state is not None and state.refused,
        reminders=reminders,
        quiet=calls.quiet_hours(user),
    )
    now = context.tables.clock.now()
    with speaking(interaction.locale):
        holiday = calls.holiday(user)
        zone = holiday.zone if holiday is not None else ""
        screen = own_settings(chosen, zone or likely_zone(interaction.locale), now)
        screen.rule().text(holiday_text(holiday, now))
        return screen.buttons(button(_("Holiday …"), Id(HOLIDAY), emoji="🌴"))


async def choose_place(context: HandlerContext, interaction: Interaction) -> Reply:
    """Stores where the presser is called, or how often a digest tells of the matches that wait."""
    calls, user, chosen = context.presenter.calls, interaction.user_id, only_value(interaction)
    if chosen in map(str, DIGEST_HOURS):
        digest = Digest(int(chosen), interaction.locale)
        await calls.choose_digest(user, digest, context.tables.clock.now())
    elif chosen in (AT_TABLE, BY_DM):
        await calls.choose_dm(user, on=chosen == BY_DM)
    else:
        raise Refused("unknown")
    return Reply(await settings_screen(context, interaction), "update")


async def choose_reminders(context: HandlerContext, interaction: Interaction) -> Reply:
    """Stores how often the presser is reminded."""
    chosen = only_value(interaction)
    if chosen != USUALLY and read_reminders(chosen) is None:
        raise Refused("unknown")
    stored = None if chosen == USUALLY else chosen
    await context.presenter.calls.choose_reminders(interaction.user_id, stored)
    for one in await own_tables(context.tables, interaction.user_id):
        if one.waits:  # the redraw sets the time of the next reminder
            await context.tables.store.set_job(Job(one.table.id, REDRAW, context.tables.clock.now()))
    return Reply(await settings_screen(context, interaction), "update")


def only_value(interaction: Interaction) -> str:
    """The chosen option of a menu; "" unless there is exactly one."""
    return interaction.values[0] if len(interaction.values) == 1 else ""


async def choose_quiet(context: HandlerContext, interaction: Interaction) -> Reply:
    """Stores the presser's quiet hours with their time zone."""
    chosen = only_value(interaction)
    quiet = None if chosen == NO_QUIET else read_quiet_hours(chosen)
    if quiet is None and chosen != NO_QUIET:
        raise Refused("unknown")
    if quiet is not None and (quiet[:2] not in HOURS or quiet.zone not in ZONES):
        raise Refused("unknown")
    await context.presenter.calls.choose_quiet(interaction.user_id, quiet)
    return Reply(await settings_screen(context, interaction), "update")


ACTIONS: Final[Actions] = {
    CALLED_BY: Action(choose_place, "update"),
    REMINDED: Action(choose_reminders, "update"),
    QUIET_MENU: Action(choose_quiet, "update"),
    ZONE_MENU: Action(choose_quiet, "update"),
}
