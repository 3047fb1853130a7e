"""The command `/settings`: a person chooses where they are called, and their quiet hours."""

from __future__ import annotations

from typing import Final

from bot.language import speaking
from bot.tables.quiet_hours import read_quiet_hours
from bot.tables.refusals import Refused
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.kit import Screen
from bot.ui.screens.own_settings import (
    AT_TABLE,
    BY_DM,
    CALLED_BY,
    HOURS,
    NO_QUIET,
    QUIET_MENU,
    ZONE_MENU,
    ZONES,
    likely_zone,
    own_settings,
)


async def show_settings(context: HandlerContext, interaction: Interaction) -> Reply:
    """`/settings`: shows the present choices and what changes them."""
    return Reply(_screen(context, interaction))


def _screen(context: HandlerContext, interaction: Interaction) -> Screen:
    calls, user = context.presenter.calls, interaction.user_id
    with speaking(interaction.locale):
        return own_settings(
            calls.quiet_hours(user),
            likely_zone(interaction.locale),
            context.tables.clock.now(),
            by_dm=calls.by_dm(user),
        )


async def choose_place(context: HandlerContext, interaction: Interaction) -> Reply:
    """Stores where the presser is called."""
    if interaction.to.arg not in (AT_TABLE, BY_DM):
        raise Refused("unknown")
    await context.presenter.calls.choose_dm(interaction.user_id, on=interaction.to.arg == BY_DM)
    return Reply(_screen(context, interaction), "update")


async def choose_quiet(context: HandlerContext, interaction: Interaction) -> Reply:
    """Stores the presser's quiet hours with their time zone."""
    chosen = interaction.values[0] if len(interaction.values) == 1 else ""
    quiet = None if chosen == NO_QUIET else read_quiet_hours(chosen)
    if quiet is None and chosen != NO_QUIET:
        raise Refused("unknown")
    if quiet is not None and (quiet[:2] not in HOURS or quiet.zone not in ZONES):
        raise Refused("unknown")
    await context.presenter.calls.choose_quiet(interaction.user_id, quiet)
    return Reply(_screen(context, interaction), "update")


ACTIONS: Final[Actions] = {
    CALLED_BY: Action(choose_place, "update"),
    QUIET_MENU: Action(choose_quiet, "update"),
    ZONE_MENU: Action(choose_quiet, "update"),
}
