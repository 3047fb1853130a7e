"""The bot's first words on a server and in direct messages, the choice of a game, and the way to invite the bot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.language import gettext as _
from bot.language import pgettext
from bot.ui.screens import components as ui
from bot.ui.screens.components import SUCCESS
from bot.ui.screens.game_screens import AnyScreens
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import CALM, Screen, button, link
from bot.ui.screens.lessons import LEARN, fitting_lesson
from bot.ui.screens.permissions import INVITED
from engine.game import AnyGame

PLAY: Final = "first-play"
"""The intent of the button that asks for a game to play."""
PLAY_GAME: Final = "first-play-game"
"""The intent of the buttons that begin a game: a lobby on a server, or else a match alone. The argument is the game."""
LEARN_ONE: Final = "first-learn"
"""The intent of the button that asks for a game to learn."""


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


def games_to_learn(screens: Mapping[str, AnyScreens], games: Mapping[str, AnyGame]) -> Screen:
    """The question for the game to learn."""
    taught = [key for key, one in screens.items() if fitting_lesson(one.lesson(), games[key]) is not None]
    screen = Screen(colour=CALM)
    if not taught:
        return screen.text(_("No game has a lesson here. `/games list` shows how to read the rules of each."))
    screen.text(_("### Which game would you like to learn?"))
    return screen.buttons(*[button(screens[key].title(), Id(LEARN, arg=key), emoji="🎓") for key in taught])


def invitation(application: int) -> ui.Button:
    """The link that invites the bot to a server."""
    scopes = f"scope=bot+applications.commands&permissions={INVITED}"
    url = f"https://discord.com/oauth2/authorize?client_id={application}&{scopes}"
    return link(_("Invite the Bot"), url)
