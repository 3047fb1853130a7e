"""The bot's first words: on a server that it joins, and in its direct messages after a person's first command."""

from __future__ import annotations

import logging
from typing import Final

import discord

from bot.gateway.errors import Brief
from bot.language import speaking
from bot.store.model import StoreError
from bot.tables.refusals import Refused
from bot.ui.actions.opening import Chosen, open_lobby
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import UNDELIVERED, Interaction, Reply
from bot.ui.screens import first_words as shown
from bot.ui.screens.first_words import LEARN_ONE, PLAY, PLAY_GAME

log = logging.getLogger(__name__)

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
            with speaking(interaction.locale):
                screen = shown.first_words()
            await interaction.follow_up(screen, ephemeral=True)
        except (StoreError, *UNDELIVERED) as error:
            log.info("could not introduce myself to a person (%s)", type(error).__name__)


async def ask_game(context: HandlerContext, interaction: Interaction) -> Reply:
    """The button **Play**: asks for the game."""
    with speaking(interaction.locale):
        return Reply(shown.games_to_play(context.screens))


async def play(context: HandlerContext, interaction: Interaction) -> Reply:
    """Begins a game: opens a lobby in this channel of a server, or a private match elsewhere."""
    game = interaction.to.arg
    if game not in context.screens:
        raise Refused("unknown")
    return await open_lobby(context, interaction, game=game, chosen=Chosen("", 0, None, {}))


async def ask_lesson(context: HandlerContext, interaction: Interaction) -> Reply:
    """The button **Learn**: asks for the game."""
    with speaking(interaction.locale):
        return Reply(shown.games_to_learn(context.screens, context.tables.games))


ACTIONS: Final[Actions] = {
    PLAY: Action(ask_game, "ephemeral"),
    PLAY_GAME: Action(play, "ephemeral"),
    LEARN_ONE: Action(ask_lesson, "ephemeral"),
}
"""The handlers of the buttons below the first words."""
