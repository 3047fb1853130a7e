"""The package of the games' screens and commands, as the commands of the program are given it.

No module of `bot` imports it: `bot.__main__` loads it by its name, and only for a command that needs it.
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
    """What the package offers."""

    def setup(self, host: Host, tree: app_commands.CommandTree[Any]) -> None:
        """Registers every game's screens with the host, and all commands with the tree."""
        ...

    def make_screens(self, games: Mapping[str, AnyGame]) -> Mapping[str, AnyScreens]:
        """The games' screens, by the game's key."""
        ...


LoadCogs = Callable[[], Cogs]
