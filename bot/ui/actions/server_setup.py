"""The bot on a new server: its first words, also in direct messages, and the command `/setup`."""

from __future__ import annotations

import logging
from typing import Final

import discord

from bot.gateway.errors import Brief
from bot.language import gettext as _
from bot.language import language_for, speaking
from bot.store.model import StoreError
from bot.store.results import RATINGS
from bot.tables import server_settings as names
from bot.tables.guests import EVERYONE
from bot.tables.refusals import Refused
from bot.tables.server_settings import ServerSettings, read_server_settings
from bot.ui.actions.opening import Chosen, open_lobby
from bot.ui.actions.presses import check_manages, open_form, read_changes
from bot.ui.handlers import Action, Actions, Handler, HandlerContext
from bot.ui.interaction import UNDELIVERED, Interaction, Reply
from bot.ui.screens import server_setup as shown
from bot.ui.screens.forms import Question
from bot.ui.screens.ids import OFF, ON, Id, read_number
from bot.ui.screens.permissions import missing_for, name_of
from bot.ui.screens.server_setup import (
    ASK,
    CHANGE,
    DISCORD,
    LEARN_ONE,
    MOST_CHANNELS,
    PICTURES,
    PLAY,
    PLAY_GAME,
    SET_ANNOUNCED_IN,
    SET_CHANNELS,
    SET_ROLE,
    questions,
    server_setup,
)

log = logging.getLogger(__name__)


async def show_setup(context: HandlerContext, interaction: Interaction) -> Reply:
    """`/setup`: shows the present settings and what changes them."""
    settings, pictures, asked = await _present(context, interaction)
    # The channel of the command stands for the others: in most servers they have the same permissions.
    lacks = missing_for("new thread", interaction.raw.app_permissions) if settings.threads else []
    forbidden = context.pictures.uploads.is_forbidden(interaction.channel_id)
    screen = server_setup(
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
    return settings, pictures, questions(settings, discords=discords, pictures=pictures)


async def ask_settings(context: HandlerContext, interaction: Interaction) -> Reply:
    """Opens the form of the settings that are no channels and no role."""
    _settings, _pictures, asked = await _present(context, interaction)
    return open_form(_("Change Settings"), Id(CHANGE), [question.label() for question in asked])


async def change_settings(context: HandlerContext, interaction: Interaction) -> Reply:
    """Stores together all settings that were answered otherwise than before."""
    _settings, _pictures, asked = await _present(context, interaction)
    changes, guild = read_changes(interaction, asked), interaction.guild_id
    pictures = changes.pop(PICTURES, None)
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
    names.LANGUAGE: DISCORD,
    names.CHALLENGERS: EVERYONE,
    names.THREADS: OFF,
    RATINGS: ON,
}
"""The answers that the store has no row for."""


REMEMBERED: Final = 10_000
"""The number of people of whom a process remembers that it has introduced the bot to them."""


async def greet(client: discord.Client, guild: discord.Guild) -> None:
    """Posts the first words in the channel in which the server shows its own notices, if the bot may post there."""
    channel: int | None = getattr(guild, "_system_channel_id", None)  # the cache has no channels
    if channel is None:
        return
    with speaking(guild.preferred_locale.value):
        view = shown.first_words().view()
    try:
        place = client.get_partial_messageable(channel, guild_id=guild.id)
        await place.send(view=view, nonce=f"hello-{guild.id}")
    except UNDELIVERED as error:
        log.info("server %s: I could not introduce myself (%s)", guild.id, Brief(error))


class Introductions:
    """Sends the first words to people who use a command in the bot's direct messages and have never sat at a table.

    Discord reports neither that a person installs the bot nor, without an intent that this bot does without, that they
    write to it.
    """

    def __init__(self, context: HandlerContext) -> None:
        self._context = context
        self._introduced: set[int] = set()
        """The people who have had the first words from this process. Nothing about them is stored."""

    async def follow(self, interaction: Interaction) -> None:
        """Sends the first words after the answer to a command, if they are due. Raises nothing."""
        user = interaction.user_id
        is_first = interaction.in_own_dm and interaction.message is None and not interaction.to.table
        if not is_first or user in self._introduced or interaction.first.at is None:
            return
        if len(self._introduced) >= REMEMBERED:
            self._introduced.clear()
        self._introduced.add(user)
        try:
            if await self._context.tables.store.tables_of(user):
                return
            screen = shown.first_words()
            await interaction.follow_up(screen, ephemeral=True)
        except (StoreError, *UNDELIVERED) as error:
            log.info("could not introduce myself to a person (%s)", type(error).__name__)


async def ask_game(context: HandlerContext, _interaction: Interaction) -> Reply:
    """The button **Play**: asks for the game."""
    return Reply(shown.games_to_play(context.screens))


async def play(context: HandlerContext, interaction: Interaction) -> Reply:
    """Begins a game: opens a lobby in this channel of a server, or a private match elsewhere."""
    game = interaction.to.arg
    if game not in context.screens:
        raise Refused("unknown")
    return await open_lobby(context, interaction, game=game, chosen=Chosen("", 0, None, {}))


async def ask_lesson(context: HandlerContext, _interaction: Interaction) -> Reply:
    """The button **Learn**: asks for the game."""
    return Reply(shown.games_to_learn(context.screens))


"""The handlers of the buttons below the first words."""


ACTIONS: Final[Actions] = {
    ASK: Action(ask_settings, "ephemeral"),
    CHANGE: Action(change_settings, "update"),
    SET_CHANNELS: Action(_choosing(names.CHANNELS, MOST_CHANNELS), "update"),
    SET_ROLE: Action(_choosing(names.ROLE, 1), "update"),
    SET_ANNOUNCED_IN: Action(_choosing(names.ANNOUNCED_IN, 1), "update"),
    PLAY: Action(ask_game, "ephemeral"),
    PLAY_GAME: Action(play, "ephemeral"),
    LEARN_ONE: Action(ask_lesson, "ephemeral"),
}
