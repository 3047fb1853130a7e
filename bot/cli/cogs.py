"""The interface to the package of the games' screens and commands.

No module of `bot` imports that package: `bot.__main__` loads the package by name, for the commands that need it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

from engine.game import AnyGame

if TYPE_CHECKING:
    from discord import app_commands

    from bot.app.host import Host
    from bot.ui.screens.game_screens import AnyScreens


class Cogs(Protocol):
    """The functions of the package."""

    def setup(self, host: Host, tree: app_commands.CommandTree[Any]) -> None:
        """Registers every game's screens with the host, and all commands with the tree."""
        ...

    def make_screens(self, games: Mapping[str, AnyGame]) -> Mapping[str, AnyScreens]:
        """The games' screens, by the game's key."""
        ...


LoadCogs = Callable[[], Cogs]
