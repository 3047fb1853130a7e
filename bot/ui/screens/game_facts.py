"""What a game's screens tell the host of the game besides its matches: credits, and the options to choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from bot.ui.screens.kit import escape


@dataclass(frozen=True, slots=True)
class Credits:
    """The authors and publishers of a printed game. The names are as printed and are not translated.

    An uncertain fact is left out, and the texts then say that it is not known.
    """

    authors: tuple[str, ...]
    publishers: tuple[str, ...]
    year: int | None = None
    """The year of the implemented edition."""


@dataclass(frozen=True, slots=True)
class Setting:
    """The names of an option of the game that the table's host may choose: by the start command, or in the lobby.

    `title` is a word or two for the lobby, `describe` the option's description in the command (at most 100 characters),
    and `choices` names the option's values. The option's default applies unless a value is chosen. If the default is
    None, `unchosen` names its effect, such as a draw, and the host can return to it. `shown` has longer texts for the
    lobby than the names of values; its key None is the unchosen option.
    """

    title: str
    describe: str
    choices: Mapping[str, str]
    unchosen: str = ""
    shown: Mapping[str | None, str] = field(default_factory=dict[str | None, str])

    def in_lobby(self, value: str | None) -> str:
        """The value in words for the lobby; empty for a value that is not a choice."""
        return self.shown.get(value) or escape(self.choices.get(value or "", ""))
