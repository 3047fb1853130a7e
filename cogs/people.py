"""The commands about people: `/profile`, `/leaderboard`, `/challenge`, `/settings`, and a person's menu."""

from __future__ import annotations

from functools import partial
from typing import Any

import discord
from discord import app_commands

from bot.app.host import Host
from bot.language import gettext as _
from bot.ui.actions.challenge import ask_game, challenge
from bot.ui.actions.own_settings import show_settings
from bot.ui.actions.results import show_leaderboard, show_profile
from bot.ui.handlers import Handler
from bot.ui.interaction import Interaction
from bot.ui.screens.ids import Id
from cogs.commands import worded

SERVERS = app_commands.AppCommandContext(guild=True)
INSTALLED = app_commands.AppInstallationType(guild=True)


def add_commands(host: Host, tree: app_commands.CommandTree[Any]) -> None:
    """Adds the commands about people to the bot."""

    async def serve(raw: discord.Interaction[Any], name: str, handler: Handler) -> None:
        await host.router.serve(Interaction(raw, Id(name)), handler, "ephemeral")

    @app_commands.describe(
        person=worded(lambda: _("The person whose results you want to see; you, if nobody"))
    )
    async def profile(raw: discord.Interaction[Any], person: discord.User | None = None) -> None:
        user_id = raw.user.id if person is None else person.id
        await serve(raw, "profile", partial(show_profile, user_id=user_id))

    async def profile_of(raw: discord.Interaction[Any], person: discord.User) -> None:
        await serve(raw, "profile", partial(show_profile, user_id=person.id))

    games = [
        app_commands.Choice(name=worded(screens.title), value=key) for key, screens in host.screens.items()
    ]

    @app_commands.describe(game=worded(lambda: _("The game; if none is chosen, the one that is played most")))
    @app_commands.choices(game=games)
    async def leaderboard(raw: discord.Interaction[Any], game: str = "") -> None:
        await serve(raw, "leaderboard", partial(show_leaderboard, game=game))

    @app_commands.describe(
        person=worded(lambda: _("The person you want to play with")), game=worded(lambda: _("The game"))
    )
    @app_commands.choices(game=games)
    async def challenging(raw: discord.Interaction[Any], person: discord.User, game: str) -> None:
        handler = partial(challenge, game=game, person=person.id, is_bot=person.bot)
        await serve(raw, "challenge", handler)

    async def challenge_from_menu(raw: discord.Interaction[Any], person: discord.User) -> None:
        await serve(raw, "challenge", partial(ask_game, person=person.id, is_bot=person.bot))

    async def settings(raw: discord.Interaction[Any]) -> None:
        await serve(raw, "settings", show_settings)

    for name, say, callback in (
        ("challenge", lambda: _("Open a lobby here, and ask somebody to join it"), challenging),
        ("settings", lambda: _("Where I call you, and your quiet hours"), settings),
        ("profile", lambda: _("Your results on this server, or somebody else's"), profile),
        ("leaderboard", lambda: _("The best players of this server"), leaderboard),
    ):
        command = app_commands.Command[Any, Any, Any](
            name=name,
            description=worded(say),
            callback=callback,
            allowed_contexts=SERVERS,
            allowed_installs=INSTALLED,
        )
        command.guild_only = True
        tree.add_command(command)
    for entry, callback in (("Profile", profile_of), ("Challenge", challenge_from_menu)):
        menu = app_commands.ContextMenu(
            name=entry, callback=callback, allowed_contexts=SERVERS, allowed_installs=INSTALLED
        )
        menu.guild_only = True
        tree.add_command(menu)
