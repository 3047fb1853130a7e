"""The command `/setup`: people who manage a server choose its settings."""

from __future__ import annotations

from typing import Final

from bot.language import language_for, languages, speaking
from bot.tables import server_settings as names
from bot.tables.guests import CHALLENGERS, EVERYONE
from bot.tables.model import TURN_LIMITS
from bot.tables.refusals import Refused
from bot.tables.server_settings import read_server_settings
from bot.ui.actions.presses import check_manages, is_on
from bot.ui.handlers import Action, Actions, Handler, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.ids import ON, read_number
from bot.ui.screens.permissions import missing_for, name_of
from bot.ui.screens.server_setup import (
    DISCORD,
    MOST_CHANNELS,
    SET_ANNOUNCED_IN,
    SET_CHALLENGERS,
    SET_CHANNELS,
    SET_LANGUAGE,
    SET_LIMIT,
    SET_PICTURES,
    SET_RATINGS,
    SET_ROLE,
    SET_THREADS,
    server_setup,
)


async def show_setup(context: HandlerContext, interaction: Interaction) -> Reply:
    """`/setup`: shows the present settings and what changes them."""
    check_manages(interaction)
    guild, store = interaction.guild_id, context.tables.store
    settings = read_server_settings(await store.choices.of("guild", guild))
    ratings = not await store.results.is_off("guild", guild)
    pictures = None
    if context.pictures.cache.on:
        pictures = not context.pictures.choices.text_only("guild", guild)
    with speaking(interaction.locale):
        # The channel of the command stands for the others: in most servers they have the same permissions.
        lacks = missing_for("new thread", interaction.raw.app_permissions) if settings.threads else []
        discords = language_for(interaction.guild_locale)
        forbidden = context.pictures.uploads.is_forbidden(interaction.channel_id)
        screen = server_setup(
            settings,
            discords=discords,
            pictures=pictures,
            ratings=ratings,
            lacks=lacks,
            lacks_for_pictures=[name_of("attach_files")] if pictures and forbidden else [],
        )
        return Reply(screen, "update")


def _choosing(name: str, read: dict[str, str | None] | int) -> Handler:
    """A handler that stores the choice of this name.

    `read` has the stored value by the menu's value, where None is the default; or it is the greatest number of ids that
    are chosen.
    """

    async def choose(context: HandlerContext, interaction: Interaction) -> Reply:
        check_manages(interaction)
        value = _one_of(interaction, read) if isinstance(read, dict) else _ids(interaction, read)
        await context.tables.store.choices.put("guild", interaction.guild_id, name, value)
        return await show_setup(context, interaction)

    return choose


def _one_of(interaction: Interaction, offered: dict[str, str | None]) -> str | None:
    if len(interaction.values) != 1 or interaction.values[0] not in offered:
        raise Refused("unknown")
    return offered[interaction.values[0]]


def _ids(interaction: Interaction, most: int) -> str | None:
    """The chosen ids, separated by spaces; None for none."""
    ids = [read_number(value) for value in interaction.values]
    if len(ids) > most or None in ids:
        raise Refused("unknown")
    return " ".join(map(str, ids)) or None


async def switch_pictures(context: HandlerContext, interaction: Interaction) -> Reply:
    """Switches pictures on or off for all messages on the server."""
    check_manages(interaction)
    await context.pictures.choices.choose("guild", interaction.guild_id, text_only=not is_on(interaction))
    return await show_setup(context, interaction)


async def switch_ratings(context: HandlerContext, interaction: Interaction) -> Reply:
    """Switches results and ratings on or off for the server."""
    check_manages(interaction)
    await context.tables.store.results.switch("guild", interaction.guild_id, on=is_on(interaction))
    return await show_setup(context, interaction)


async def switch_threads(context: HandlerContext, interaction: Interaction) -> Reply:
    """Switches on or off that each table opens in a thread of its own."""
    check_manages(interaction)
    chosen = ON if is_on(interaction) else None
    await context.tables.store.choices.put("guild", interaction.guild_id, names.THREADS, chosen)
    return await show_setup(context, interaction)


_LANGUAGES: Final[dict[str, str | None]] = {DISCORD: None, **{each: each for each in languages()}}
_CHALLENGERS: Final[dict[str, str | None]] = {
    each: None if each == EVERYONE else each for each in CHALLENGERS
}
_LIMITS: Final[dict[str, str | None]] = {
    key: None if key == names.USUAL_LIMIT else key for key in TURN_LIMITS
}

ACTIONS: Final[Actions] = {
    SET_LANGUAGE: Action(_choosing(names.LANGUAGE, _LANGUAGES), "update"),
    SET_LIMIT: Action(_choosing(names.LIMIT, _LIMITS), "update"),
    SET_CHALLENGERS: Action(_choosing(names.CHALLENGERS, _CHALLENGERS), "update"),
    SET_CHANNELS: Action(_choosing(names.CHANNELS, MOST_CHANNELS), "update"),
    SET_ROLE: Action(_choosing(names.ROLE, 1), "update"),
    SET_ANNOUNCED_IN: Action(_choosing(names.ANNOUNCED_IN, 1), "update"),
    SET_PICTURES: Action(switch_pictures, "update"),
    SET_RATINGS: Action(switch_ratings, "update"),
    SET_THREADS: Action(switch_threads, "update"),
}
