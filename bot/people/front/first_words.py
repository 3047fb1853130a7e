"""The bot's first words on a server and to a person."""

from __future__ import annotations

import logging
from typing import Final

import discord

from bot.gateway.errors import Brief
from bot.language import gettext as _
from bot.language import speaking
from bot.people.front.games import games_button
from bot.store.model import StoreError
from bot.store.store import Store
from bot.ui.interaction import UNDELIVERED, Interaction, Reply
from bot.ui.screens.kit import CALM, Screen

log = logging.getLogger(__name__)

REMEMBERED: Final = 10_000
"""The number of people of whom a process remembers that it has introduced the bot to them."""


def first_words() -> Screen:
    """Three lines that introduce the bot, with the button that opens its front."""
    screen = Screen(colour=CALM).text(
        "👋 "
        + _("I host board games with hidden hands: everyone sees the table, and only you see your hand."),
        "▶️ "
        + _(
            "**Games** has them all. **Start** begins a match: with friends on a server or in a group DM, or alone "
            "with computer players anywhere."
        ),
        "🎓 " + _("**Learn** is a short guided match for you alone. `/help` shows everything else."),
    )
    return screen.buttons(games_button())


async def greet(client: discord.Client, guild: discord.Guild) -> None:
    """Posts the first words in the channel in which the server shows its own notices, if the bot may post there."""
    channel: int | None = getattr(guild, "_system_channel_id", None)  # the cache has no channels
    if channel is None:
        return
    with speaking(guild.preferred_locale.value):
        view = first_words().view()
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

    def __init__(self, store: Store) -> None:
        self._store = store
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
            if await self._store.tables_of(user):
                return
            await interaction.follow_up(Reply(first_words()))
        except (StoreError, *UNDELIVERED) as error:
            log.info("could not introduce myself to a person (%s)", type(error).__name__)
