"""The front of the bot, `/help` and `/games list`: each game with its sign, and the way to everything else.

The bot's first words on a server and to a person lead there.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

import discord

from bot.art.picture import Picture
from bot.art.scene import Scene
from bot.gateway.errors import Brief
from bot.language import gettext as _
from bot.language import pgettext, speaking
from bot.people.daily import handlers as daily
from bot.people.matchmaking import handlers as matchmaking
from bot.people.matchmaking.handlers import Wanted as Wish
from bot.people.own_matches import handlers as own_matches
from bot.people.own_settings.handlers import show_settings
from bot.people.ratings.handlers import show_leaderboard, show_profile
from bot.store.model import StoreError
from bot.store.store import Store
from bot.tables.refusals import Refused
from bot.ui.handlers import Action, Actions, Handler, HandlerContext
from bot.ui.interaction import UNDELIVERED, Interaction, Reply
from bot.ui.pictures import Wanted
from bot.ui.screens import components as ui
from bot.ui.screens.components import SUCCESS
from bot.ui.screens.fitting import has_room, small_print
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import CALM, Screen, button
from bot.ui.screens.lessons import START, offer
from bot.ui.screens.pages import credits_line, disclaimer
from bot.ui.screens.permissions import invitation
from bot.ui.screens.words import match_line
from engine.game import AnyGame

log = logging.getLogger(__name__)

GAMES: Final = "games"
"""The intent of the button that opens the front."""
_TEXT: Final = 1960
"""The id of the first game's text, beside which its sign stands."""
_SIGN: Final = 150
_MARGIN: Final = 15
"""The room around a sign, which is at most `_SIGN` high and wide."""
_PICTURE: Final = 4.0
"""Seconds for which the front waits for its pictures. The cache then has them for everybody."""
OPEN: Final = "open-"
"""The beginning of the intents of buttons that do what a command without options does."""
REMEMBERED: Final = 10_000
"""The number of people of whom a process remembers that it has introduced the bot to them."""


def games_button() -> ui.Button:
    """The button that opens the front."""
    return button(pgettext("button", "Games"), Id(GAMES), SUCCESS, emoji="🎪")


def front(
    games: Mapping[str, AnyGame], screens: Mapping[str, AnyScreens], *, on_server: bool, manages: bool
) -> Screen:
    """The games with **Start** and **Learn**, and the way to everything else, without the games' signs.

    The text of each game has the id `_TEXT` and the game's number.
    """
    screen = Screen(colour=CALM).text(_("### What would you like to play?"))
    for number, (key, one) in enumerate(screens.items()):
        lines = [f"**{one.title()}**", one.summary(), f"-# {match_line(games[key], one)}"]
        screen.items.append(ui.text("\n".join(filter(None, lines)), id=_TEXT + number))
        start = button(pgettext("button: begin a match", "Start"), Id(START, arg=key), SUCCESS, emoji="▶️")
        screen.buttons(start, *offer(one.lesson, Id("", arg=key)))
    server = [
        button(_("Find Players"), Id(f"{OPEN}play"), emoji="🙋"),
        button(pgettext("button", "Leaderboard"), Id(f"{OPEN}leaderboard"), emoji="📊"),
    ]
    screen.rule().buttons(
        *(server if on_server else []),
        button(_("The Daily Dig"), Id(f"{OPEN}daily"), emoji="📅"),
        button(_("My Matches"), Id(f"{OPEN}matches"), emoji="🎴"),
    )
    screen.buttons(
        button(pgettext("button", "Profile"), Id(f"{OPEN}profile"), emoji="🪪"),
        button(pgettext("button", "Settings"), Id(f"{OPEN}settings"), emoji="⚙️"),
    )
    commands = [
        _("🙋 `/challenge` asks one person to play.") if on_server else "",
        _("📖 `/{game} rules` has every rule and card of a game.").format(game=next(iter(screens))),
        _("⚙️ `/setup` chooses how I work on this server.") if manages else "",
    ]
    credits = [f"**{one.title()}** · {credits_line(one.credits)}" for one in screens.values()]
    return screen.text(*small_print(filter(None, commands))).text(*small_print([*credits, disclaimer()[0]]))


def _sign(screens: AnyScreens) -> Picture | None:
    """The sign of a game, to stand beside its text; None if the game has none."""
    if (sign := screens.sign()) is None:
        return None
    scene, width = Scene(_SIGN + 2 * _MARGIN, _SIGN + 2 * _MARGIN), min(_SIGN, sign.width_at(_SIGN))
    height = width * sign.height / sign.width
    scene.place(sign, (scene.width - width) / 2, (scene.height - height) / 2, width)
    return scene.picture(screens.title())


async def show(context: HandlerContext, interaction: Interaction) -> Reply:
    """`/help` and `/games list`: the front."""
    guild, user = interaction.guild_id, interaction.user_id
    on_server = bool(guild)
    manages = on_server and interaction.manages_server
    wanted = [
        Wanted(partial(_sign, one), (f"front {key}", guild), guild, user, beside=_TEXT + number)
        for number, (key, one) in enumerate(context.screens.items())
    ]

    async def draw(then: Callable[[], None]) -> tuple[Screen, bool]:
        screen = front(context.tables.games, context.screens, on_server=on_server, manages=manages)
        complete = [True]
        if has_room(screen, 2 * len(wanted)):  # a picture beside a text makes two components more
            soon = context.pictures.soon
            complete = await asyncio.gather(*[soon(screen, each, then, _PICTURE) for each in wanted])
        if not (on_server or interaction.in_group):
            alone = _(
                "Here you play alone against the AI. A table for several people needs a group DM, or a server "
                "that I'm on."
            )
            screen.text(alone).buttons(invitation(interaction.raw.application_id))
        return screen, all(complete)

    return await context.presenter.late.reply(interaction, draw, "ephemeral")


async def _on_server(handler: Handler, context: HandlerContext, interaction: Interaction) -> Reply:
    if not interaction.guild_id:
        raise Refused("servers-only")
    return await handler(context, interaction)


_WAYS: Final[Mapping[str, Handler]] = {
    "play": partial(_on_server, partial(matchmaking.play, wanted=Wish(None, None, "now"))),
    "leaderboard": partial(_on_server, show_leaderboard),
    "daily": daily.show,
    "matches": own_matches.show,
    "profile": show_profile,
    "settings": show_settings,
}
ACTIONS: Final[Actions] = {
    GAMES: Action(show, "ephemeral"),
    **{f"{OPEN}{name}": Action(handler, "ephemeral") for name, handler in _WAYS.items()},
}
"""The handlers of the front and of its buttons."""


# -- first words


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
