"""The commands that belong to no game: `/games list` and `/games mine`, `/daily`, `/setup`, and `/privacy`."""

from __future__ import annotations

from typing import Any

import discord
from discord import app_commands

from bot.app.host import Host
from bot.language import gettext as _
from bot.language import speaking
from bot.ui.actions import daily, own_matches, server_setup
from bot.ui.handlers import Handler, HandlerContext
from bot.ui.interaction import Interaction, Reply
from bot.ui.screens.credits import credits_line, disclaimer
from bot.ui.screens.first_words import invitation
from bot.ui.screens.kit import CALM, Screen
from bot.ui.screens.words import match_line
from cogs.commands import BY_ALL, BY_SERVER, EVERYWHERE, ON_SERVERS, Say, worded


def add_commands(host: Host, tree: app_commands.CommandTree[Any]) -> None:
    """Adds the general commands to the bot."""

    def add(name: str, say: Say, handler: Handler, *, for_managers: bool = False) -> None:
        async def callback(raw: discord.Interaction[Any]) -> None:
            await host.router.command(raw, name, handler)

        command = app_commands.Command[Any, Any, Any](
            name=name,
            description=worded(say),
            callback=callback,
            allowed_contexts=ON_SERVERS if for_managers else EVERYWHERE,
            allowed_installs=BY_SERVER if for_managers else BY_ALL,
        )
        if for_managers:
            command.guild_only = True
            command.default_permissions = discord.Permissions(manage_guild=True)
        tree.add_command(command)

    tree.add_command(_games_group(host))
    add(
        "setup",
        lambda: _("Choose how I work on this server, if you manage it"),
        server_setup.show_setup,
        for_managers=True,
    )
    add("daily", lambda: _("Today's deal, the same for everyone: play it once, and compare"), daily.show)
    add("privacy", lambda: _("The data that I store about you, and a way to delete it"), host.privacy.show)


def _games_group(host: Host) -> app_commands.Group:
    """The group `/games`."""
    group = app_commands.Group(
        name="games",
        description=worded(lambda: _("The games, and your matches")),
        allowed_contexts=EVERYWHERE,
        allowed_installs=BY_ALL,
    )

    def add(name: str, say: Say, handler: Handler) -> None:
        async def callback(raw: discord.Interaction[Any]) -> None:
            await host.router.command(raw, f"games {name}", handler)

        group.add_command(app_commands.Command(name=name, description=worded(say), callback=callback))

    add("list", lambda: _("The games that can be played here"), _games)
    add("mine", lambda: _("Your matches: whose turn it is, and a way to each"), own_matches.show)
    return group


async def _games(context: HandlerContext, interaction: Interaction) -> Reply:
    """`/games list`: what can be played."""
    with speaking(interaction.locale):
        screen = Screen(colour=CALM).text(_("## Games"))
        for key, screens in context.screens.items():
            screen.rule()
            game = context.tables.games[key]
            lines = [f"### {screens.title()}", f"-# {credits_line(screens.credits())}", screens.summary()]
            screen.text(
                *filter(None, lines), f"-# {match_line(game, screens)} · `/{key} start` · `/{key} rules`"
            )
        screen.rule().text(*[f"-# {paragraph}" for paragraph in disclaimer()])
        if not (interaction.guild_id or interaction.in_group):
            screen.rule().text(
                _(
                    "Here you play alone against the AI. A table for several people needs a group DM, or a server "
                    "that I'm on."
                )
            )
            screen.buttons(invitation(interaction.raw.application_id))
    return Reply(screen)
