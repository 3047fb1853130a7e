"""The commands that belong to no game, and those about people.

They are `/help`, `/games list` and `/games mine`, `/daily`, `/setup`, `/privacy`, `/profile`, `/leaderboard`,
`/challenge`, `/play`, `/settings`, and a person's menu.
"""

from __future__ import annotations

from functools import partial
from typing import Any

import discord
from discord import app_commands

from bot.app.host import Host
from bot.language import gettext as _
from bot.language import pgettext
from bot.people.daily import handlers as daily
from bot.people.front import games as front
from bot.people.matchmaking.handlers import Wanted, ask_game, challenge, play
from bot.people.matchmaking.screens import when_text
from bot.people.own_matches import handlers as own_matches
from bot.people.own_settings.handlers import show_settings
from bot.people.ratings.handlers import show_leaderboard, show_profile
from bot.people.server_setup import handlers as server_setup
from bot.tables.matchmaking import LIMITS
from bot.ui.handlers import Handler
from cogs.commands import BY_ALL, BY_SERVER, EVERYWHERE, ON_SERVERS, Say, group_of, option_names, worded


def add_commands(host: Host, tree: app_commands.CommandTree[Any]) -> None:
    """Adds the commands that belong to no game to the bot."""

    def add(name: str, say: Say, handler: Handler, *, for_managers: bool = False) -> None:
        async def callback(raw: discord.Interaction[Any]) -> None:
            await host.router.command(raw, name, handler)

        command = _add(tree, name, say, callback, everywhere=not for_managers)
        if for_managers:
            command.default_permissions = discord.Permissions(manage_guild=True)

    group, add_to_group = group_of(host, "games", lambda: _("The games, and your matches"), "games ")
    add_to_group("list", lambda: _("The games that can be played here"), front.show)
    add_to_group("mine", lambda: _("Your matches: whose turn it is, and a way to each"), own_matches.show)
    tree.add_command(group)
    add("help", lambda: _("The games, and everything else that I can do"), front.show)
    add(
        "setup",
        lambda: _("Choose how I work on this server, if you manage it"),
        server_setup.show_setup,
        for_managers=True,
    )
    add("daily", lambda: _("Today's deal, the same for everyone: play it once, and compare"), daily.show)
    add("privacy", lambda: _("The data that I store about you, and a way to delete it"), host.privacy.show)
    games = [
        app_commands.Choice(name=worded(screens.title), value=key) for key, screens in host.screens.items()
    ]
    _add_results(host, tree, games)
    _add_challenges(host, tree, games)
    _add_play(host, tree, games)
    add("settings", lambda: _("Your calls, quiet hours, holidays, language and pictures"), show_settings)


Tree = app_commands.CommandTree[Any]
Raw = discord.Interaction[Any]


def _add_results(host: Host, tree: Tree, games: list[app_commands.Choice[str]]) -> None:
    @app_commands.describe(
        person=worded(lambda: _("The person whose results you want to see; yourself if you leave it out"))
    )
    @option_names(person=_person)
    async def profile(raw: Raw, person: discord.User | None = None) -> None:
        user_id = raw.user.id if person is None else person.id
        await host.router.command(raw, "profile", partial(show_profile, user_id=user_id))

    async def profile_of(raw: Raw, person: discord.User) -> None:
        await host.router.command(raw, "profile", partial(show_profile, user_id=person.id))

    @app_commands.describe(game=worded(lambda: _("The game; if none is chosen, the one that is played most")))
    @app_commands.choices(game=games)
    @option_names(game=_game)
    async def leaderboard(raw: Raw, game: str = "") -> None:
        await host.router.command(raw, "leaderboard", partial(show_leaderboard, game=game))

    def about() -> str:
        return _("Your results on this server, or someone else's")

    _add(tree, "profile", about, profile, everywhere=True)
    _add(tree, "leaderboard", lambda: _("The best players on this server"), leaderboard)
    _add_to_menu(tree, lambda: pgettext("entry in a person's menu", "Profile"), profile_of)


def _add_challenges(host: Host, tree: Tree, games: list[app_commands.Choice[str]]) -> None:
    @app_commands.describe(
        person=worded(lambda: _("The person you want to play with")), game=worded(lambda: _("The game"))
    )
    @app_commands.choices(game=games)
    @option_names(person=_person, game=_game)
    async def from_command(raw: Raw, person: discord.User, game: str) -> None:
        handler = partial(challenge, game=game, person=person.id, is_bot=person.bot)
        await host.router.command(raw, "challenge", handler)

    async def from_menu(raw: Raw, person: discord.User) -> None:
        await host.router.command(raw, "challenge", partial(ask_game, person=person.id, is_bot=person.bot))

    _add(tree, "challenge", lambda: _("Open a lobby here, and ask someone to join it"), from_command)
    _add_to_menu(tree, lambda: pgettext("entry in a person's menu", "Challenge"), from_menu)


def _add_play(host: Host, tree: Tree, games: list[app_commands.Choice[str]]) -> None:
    most = max((host.games[key].max_seats for key in host.screens), default=2)

    @app_commands.describe(
        game=worded(lambda: _("The game; any game if none is chosen")),
        seats=worded(lambda: _("How many players the match is to have; any number if none is chosen")),
        when=worded(lambda: _("Now, in one go, or by mail with a day for each turn (now)")),
    )
    @app_commands.choices(
        game=games,
        when=[app_commands.Choice(name=worded(partial(when_text, mode)), value=mode) for mode in LIMITS],
    )
    @app_commands.choices(
        seats=[app_commands.Choice(name=str(number), value=number) for number in range(2, most + 1)]
    )
    @option_names(
        game=_game,
        seats=lambda: pgettext("option of a command", "seats"),
        when=lambda: pgettext("option of a command", "when"),
    )
    async def from_command(raw: Raw, game: str = "", seats: int = 0, when: str = "now") -> None:
        wanted = Wanted(game or None, seats or None, "mail" if when == "mail" else "now")
        await host.router.command(raw, "play", partial(play, wanted=wanted))

    _add(tree, "play", lambda: _("Look for someone on this server to play with"), from_command)


def _person() -> str:
    return pgettext("option of a command", "person")


def _game() -> str:
    return pgettext("option of a command", "game")


def _add(
    tree: Tree, name: str, say: Say, callback: Any, *, everywhere: bool = False
) -> app_commands.Command[Any, Any, Any]:
    """Adds a command, which works on servers alone unless it is for `everywhere`."""
    command = app_commands.Command[Any, Any, Any](
        name=name,
        description=worded(say),
        callback=callback,
        allowed_contexts=EVERYWHERE if everywhere else ON_SERVERS,
        allowed_installs=BY_ALL if everywhere else BY_SERVER,
    )
    command.guild_only = not everywhere
    tree.add_command(command)
    return command


def _add_to_menu(tree: Tree, say: Say, callback: Any) -> None:
    """Adds an entry to the menu of a person. discord.py registers at most five."""
    entry = app_commands.ContextMenu(
        name=worded(say), callback=callback, allowed_contexts=ON_SERVERS, allowed_installs=BY_SERVER
    )
    entry.guild_only = True
    tree.add_command(entry)
