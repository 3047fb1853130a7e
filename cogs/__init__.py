"""Slash commands and screens: a package a game, and the general ones. `setup` puts them all on the bot."""

from __future__ import annotations

from typing import Final

from bot.client import Digsite
from cogs import general
from cogs.archaeology.screens import ArchaeologyScreens
from cogs.commands import build_group
from cogs.expedition.screens import ExpeditionScreens

GAMES: Final = (ArchaeologyScreens, ExpeditionScreens)
"""The games' screens. A new game's line goes here."""


def setup(client: Digsite) -> None:
    """Registers every game's screens and commands, and the general commands."""
    for screens_type in GAMES:
        screens = screens_type(client.host.games[screens_type.game])
        client.host.register(screens)
        client.tree.add_command(build_group(client, screens))
    general.add_commands(client)
