"""Slash commands and screens: a package for each game, and the general commands. `setup` adds them all to the bot.

The composition root (`bot.__main__`) loads this package by its name and passes `setup` to the client.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from discord import app_commands

from bot.app.host import Host
from bot.ui.screens.game_screens import AnyScreens
from cogs.archaeology.screens import ArchaeologyScreens
from cogs.artifact.screens import ArtifactScreens
from cogs.artifacts_inc.screens import ArtifactsIncScreens
from cogs.commands import build_group
from cogs.expedition.screens import ExpeditionScreens
from cogs.general import add_commands
from engine.game import AnyGame

GAMES: Final = (ArchaeologyScreens, ExpeditionScreens, ArtifactsIncScreens, ArtifactScreens)
"""The classes of the games' screens. A new game is added here."""


def make_screens(games: Mapping[str, AnyGame]) -> dict[str, AnyScreens]:
    """The screens of each of these games, by the game's key."""
    return {made.game: made(games[made.game]) for made in GAMES if made.game in games}


def setup(host: Host, tree: app_commands.CommandTree[Any]) -> None:
    """Registers every game's screens with the host, and all commands with the tree."""
    for screens in make_screens(host.games).values():
        host.register(screens)
        tree.add_command(build_group(host, screens))
    add_commands(host, tree)
