"""The command `/setup`: how the bot works on a server."""

from __future__ import annotations

import logging
from typing import Final

from bot.language import gettext as _
from bot.language import language_for
from bot.people.server_setup import screens
from bot.store.results import RATINGS
from bot.tables import server_settings as names
from bot.tables.guests import EVERYONE
from bot.tables.refusals import Refused
from bot.tables.server_settings import ServerSettings, read_server_settings
from bot.ui.actions.presses import check_manages, open_form, read_changes
from bot.ui.handlers import Action, Actions, Handler, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.forms import Question
from bot.ui.screens.ids import OFF, ON, Id, read_number
from bot.ui.screens.permissions import missing_for, name_of

log = logging.getLogger(__name__)


async def show_setup(context: HandlerContext, interaction: Interaction) -> Reply:
    """`/setup`: shows the present settings and what changes them."""
    settings, pictures, asked = await _present(context, interaction)
    # The channel of the command stands for the others: in most servers they have the same permissions.
    lacks = missing_for("new thread", interaction.raw.app_permissions) if settings.threads else []
    forbidden = context.pictures.uploads.is_forbidden(interaction.channel_id)
    screen = screens.server_setup(
        settings,
        asked,
        pictures=pictures,
        lacks=lacks,
        lacks_for_pictures=[name_of("attach_files")] if pictures and forbidden else [],
    )
    return Reply(screen, "update")


async def _present(
    context: HandlerContext, interaction: Interaction
) -> tuple[ServerSettings, bool | None, list[Question]]:
    """The server's settings, whether it has pictures, and the form's questions, for people who manage the server.

    Pictures are None if the operator has switched them off. Raises `Refused` for other people.
    """
    check_manages(interaction)
    guild, pictures = interaction.guild_id, None
    settings = read_server_settings(await context.tables.store.choices.of("guild", guild))
    if context.pictures.cache.on:
        pictures = not context.pictures.choices.text_only("guild", guild)
    discords = language_for(interaction.guild_locale)
    return settings, pictures, screens.questions(settings, discords=discords, pictures=pictures)


async def ask_settings(context: HandlerContext, interaction: Interaction) -> Reply:
    """Opens the form of the settings that are no channels and no role."""
    _settings, _pictures, asked = await _present(context, interaction)
    return open_form(_("Change Settings"), Id(screens.CHANGE), [question.label() for question in asked])


async def change_settings(context: HandlerContext, interaction: Interaction) -> Reply:
    """Stores together all settings that were answered otherwise than before."""
    _settings, _pictures, asked = await _present(context, interaction)
    changes, guild = read_changes(interaction, asked), interaction.guild_id
    pictures = changes.pop(screens.PICTURES, None)
    text_only = None if pictures is None else pictures == OFF
    values = {name: None if value == _DEFAULTS[name] else value for name, value in changes.items()}
    await context.tables.store.choices.put_all("guild", guild, values, text_only=text_only)
    if text_only is not None:
        await context.pictures.choices.note("guild", guild, text_only=text_only)
    return await show_setup(context, interaction)


def _choosing(name: str, most: int) -> Handler:
    """A handler that stores the chosen ids, at most so many, under this name."""

    async def choose(context: HandlerContext, interaction: Interaction) -> Reply:
        check_manages(interaction)
        value = _ids(interaction, most)
        await context.tables.store.choices.put("guild", interaction.guild_id, name, value)
        return await show_setup(context, interaction)

    return choose


def _ids(interaction: Interaction, most: int) -> str | None:
    """The chosen ids, separated by spaces; None for none."""
    ids = [read_number(value) for value in interaction.values]
    if len(ids) > most or None in ids:
        raise Refused("unknown")
    return " ".join(map(str, ids)) or None


_DEFAULTS: Final = {
    names.LIMIT: names.USUAL_LIMIT,
    names.LANGUAGE: screens.DISCORD,
    names.CHALLENGERS: EVERYONE,
    names.THREADS: OFF,
    RATINGS: ON,
}
"""The answers that the store has no row for."""


ACTIONS: Final[Actions] = {
    screens.ASK: Action(ask_settings, "ephemeral"),
    screens.CHANGE: Action(change_settings, "update"),
    screens.SET_CHANNELS: Action(_choosing(names.CHANNELS, screens.MOST_CHANNELS), "update"),
    screens.SET_ROLE: Action(_choosing(names.ROLE, 1), "update"),
    screens.SET_ANNOUNCED_IN: Action(_choosing(names.ANNOUNCED_IN, 1), "update"),
}
