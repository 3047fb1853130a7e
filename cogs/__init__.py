"""Slash commands and screens: a package for each game, and the general commands. `setup` adds them to the bot."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.client import Digsite
from bot.ui.game_screens import AnyScreens
from cogs import general
from cogs.archaeology.screens import ArchaeologyScreens
from cogs.artifacts_inc.screens import ArtifactsIncScreens
from cogs.commands import build_group
from cogs.expedition.screens import ExpeditionScreens
from engine.game import AnyGame

GAMES: Final = (ArchaeologyScreens, ExpeditionScreens, ArtifactsIncScreens)
"""The classes of the games' screens. A new game is added here."""


def make_screens(games: Mapping[str, AnyGame]) -> dict[str, AnyScreens]:
    """Every game's screens, by the game's key."""
    return {made.game: made(games[made.game]) for made in GAMES}


def setup(client: Digsite) -> None:
    """Registers every game's screens and commands, and the general commands."""
    for screens in make_screens(client.host.games).values():
        client.host.register(screens)
        client.tree.add_command(build_group(client, screens))
    general.add_commands(client)
