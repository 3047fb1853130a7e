"""The bot's first words on a server and to a person, with **Play** and **Learn**."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from typing import Final

import discord

from bot.gateway.errors import Brief
from bot.language import gettext as _
from bot.language import pgettext, speaking
from bot.store.model import StoreError
from bot.store.store import Store
from bot.tables.refusals import Refused
from bot.ui.actions.chosen import Chosen
from bot.ui.actions.opening import open_lobby
from bot.ui.handlers import Action, Actions, HandlerContext
from bot.ui.interaction import UNDELIVERED, Interaction, Reply
from bot.ui.screens.components import SUCCESS
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import CALM, Screen, button
from bot.ui.screens.lessons import LEARN

log = logging.getLogger(__name__)

PLAY: Final = "first-play"
"""The intent of the button that asks for a game to play."""
PLAY_GAME: Final = "first-play-game"
"""The intent of the buttons that begin a game: a lobby on a server, or else a match alone. The argument is the game."""
LEARN_ONE: Final = "first-learn"
"""The intent of the button that asks for a game to learn."""
REMEMBERED: Final = 10_000
"""The number of people of whom a process remembers that it has introduced the bot to them."""


def first_words() -> Screen:
    """Three lines that introduce the bot, with **Play** and **Learn**."""
    screen = Screen(colour=CALM).text(
        "👋 "
        + _("I host board games with hidden hands: everyone sees the table, and only you see your hand."),
        "▶️ "
        + _(
            "**Play** begins a match: with friends on a server or in a group DM, or alone with computer players "
            "anywhere."
        ),
        "🎓 " + _("**Learn** is a short guided match for you alone. `/games list` shows everything else."),
    )
    return screen.buttons(
        button(pgettext("button: begin a match", "Play"), Id(PLAY), SUCCESS, emoji="▶️"),
        button(pgettext("button: the lesson", "Learn"), Id(LEARN_ONE), emoji="🎓"),
    )


def games_to_play(screens: Mapping[str, AnyScreens]) -> Screen:
    """The question for the game to play."""
    screen = Screen(colour=CALM).text(_("### What would you like to play?"))
    screen.text("\n".join(f"**{one.title()}** · {one.summary()}" for one in screens.values()))
    return screen.buttons(*[button(one.title(), Id(PLAY_GAME, arg=key)) for key, one in screens.items()])


def games_to_learn(screens: Mapping[str, AnyScreens]) -> Screen:
    """The question for the game to learn."""
    taught = [key for key, one in screens.items() if one.lesson is not None]
    screen = Screen(colour=CALM)
    if not taught:
        return screen.text(_("No game has a lesson here. `/games list` shows how to read the rules of each."))
    screen.text(_("### Which game would you like to learn?"))
    return screen.buttons(*[button(screens[key].title(), Id(LEARN, arg=key), emoji="🎓") for key in taught])


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
            screen = first_words()
            await interaction.follow_up(screen, ephemeral=True)
        except (StoreError, *UNDELIVERED) as error:
            log.info("could not introduce myself to a person (%s)", type(error).__name__)


async def ask_game(context: HandlerContext, _interaction: Interaction) -> Reply:
    """The button **Play**: asks for the game."""
    return Reply(games_to_play(context.screens))


async def play(context: HandlerContext, interaction: Interaction) -> Reply:
    """Begins a game: opens a lobby in this channel of a server, or a private match elsewhere."""
    game = interaction.to.arg
    if game not in context.screens:
        raise Refused("unknown")
    return await open_lobby(context, interaction, game=game, chosen=Chosen("", 0, None, {}))


async def ask_lesson(context: HandlerContext, _interaction: Interaction) -> Reply:
    """The button **Learn**: asks for the game."""
    return Reply(games_to_learn(context.screens))


ACTIONS: Final[Actions] = {
    PLAY: Action(ask_game, "ephemeral"),
    PLAY_GAME: Action(play, "ephemeral"),
    LEARN_ONE: Action(ask_lesson, "ephemeral"),
}
"""The handlers of the buttons below the first words."""
