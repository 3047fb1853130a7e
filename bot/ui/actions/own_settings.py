"""The command `/settings`: a person chooses how they are called, their language, and pictures."""

from __future__ import annotations

import math
from typing import Final

from bot.language import gettext as _
from bot.language import languages, speaking
from bot.store.model import Job
from bot.tables.calling import BY_DM, DIGEST_HOURS, NEVER, WITH_HAND, Digest, read_quiet_hours, read_reminders
from bot.tables.draft import REDRAW
from bot.tables.guests import CHALLENGERS
from bot.tables.model import HOUR
from bot.tables.own_tables import own_tables
from bot.tables.refusals import Refused
from bot.ui.actions.presses import is_on
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.holiday import HOLIDAY, holiday_text
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import Screen, button
from bot.ui.screens.own_settings import (
    AT_TABLE,
    CALLED_BY,
    DISCORDS,
    HOURS,
    NO_QUIET,
    OWN_CHALLENGERS,
    OWN_LANGUAGE,
    OWN_PICTURES,
    QUIET_MENU,
    REMINDED,
    USUALLY,
    ZONE_MENU,
    Chosen,
    NoPictures,
    add_looks,
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
        place=WITH_HAND if calls.with_hand(user) else BY_DM if calls.by_dm(user) else AT_TABLE,
        digest=None if digest is None else digest.hours,
        refused=state is not None and state.refused,
        reminders=reminders,
        quiet=calls.quiet_hours(user),
        language=calls.chosen_language(user),
        text_only=context.pictures.choices.text_only("person", user),
        challengers=calls.challenged_by(user),
    )
    now = context.tables.clock.now()
    with speaking(interaction.locale):
        holiday = calls.holiday(user)
        zone = holiday.zone if holiday is not None else ""
        screen = own_settings(chosen, zone or likely_zone(interaction.discord_locale), now)
        screen.rule().text(holiday_text(holiday, now))
        screen.buttons(button(_("Holiday …"), Id(HOLIDAY), emoji="🌴"))
        add_looks(screen, chosen, _without_pictures(context, interaction))
        return screen


def _without_pictures(context: HandlerContext, interaction: Interaction) -> NoPictures | None:
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
    elif chosen in (AT_TABLE, BY_DM, WITH_HAND):
        await calls.choose_place(user, None if chosen == AT_TABLE else chosen)
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
    if quiet is not None and quiet[:2] not in HOURS:
        raise Refused("unknown")
    await context.presenter.calls.choose_quiet(interaction.user_id, quiet)
    return Reply(await settings_screen(context, interaction), "update")


async def choose_challengers(context: HandlerContext, interaction: Interaction) -> Reply:
    """Stores by whom the presser may be challenged."""
    chosen = only_value(interaction)
    if chosen not in CHALLENGERS:
        raise Refused("unknown")
    await context.presenter.calls.choose_challengers(interaction.user_id, chosen)
    return Reply(await settings_screen(context, interaction), "update")


async def choose_language(context: HandlerContext, interaction: Interaction) -> Reply:
    """Stores the presser's language; the answer is in it."""
    chosen = only_value(interaction)
    if chosen not in (DISCORDS, *languages()):
        raise Refused("unknown")
    stored = None if chosen == DISCORDS else chosen
    await context.presenter.calls.choose_language(interaction.user_id, stored)
    return Reply(await settings_screen(context, interaction), "update")


async def choose_pictures(context: HandlerContext, interaction: Interaction) -> Reply:
    """Stores whether the presser's own screens have pictures."""
    text_only = not is_on(interaction)
    await context.pictures.choices.choose("person", interaction.user_id, text_only=text_only)
    return Reply(await settings_screen(context, interaction), "update")


ACTIONS: Final[Actions] = {
    CALLED_BY: Action(choose_place, "update"),
    REMINDED: Action(choose_reminders, "update"),
    QUIET_MENU: Action(choose_quiet, "update"),
    ZONE_MENU: Action(choose_quiet, "update"),
    OWN_CHALLENGERS: Action(choose_challengers, "update"),
    OWN_LANGUAGE: Action(choose_language, "update"),
    OWN_PICTURES: Action(choose_pictures, "update"),
}
