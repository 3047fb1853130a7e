"""The settings of a server, which people who manage it choose: who opens tables where, and how they begin."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from bot.store.results import OFF, RATINGS
from bot.tables.guests import EVERYONE, read_challengers
from bot.tables.model import TURN_LIMITS
from bot.tables.refusals import Refused

LANGUAGE: Final = "language"
CHANNELS: Final = "channels"
ROLE: Final = "role"
LIMIT: Final = "turn-limit"
ANNOUNCED_IN: Final = "announced-in"
THREADS: Final = "threads"
CHALLENGERS: Final = "challengers"

USUAL_LIMIT: Final = "24h"
"""The turn limit, a key of `TURN_LIMITS`, where nobody has chosen another."""


@dataclass(frozen=True, slots=True)
class ServerSettings:
    """The settings of a server, each with its default."""

    language: str = ""
    """The language of tables; "" for the one that the server has at Discord."""
    channels: tuple[int, ...] = ()
    """The channels in which tables may be opened, with their threads; all channels if empty."""
    role: int | None = None
    """The role whose members may open tables; None for everybody."""
    limit: str = USUAL_LIMIT
    """The turn limit of a table whose opener has not chosen one, a key of `TURN_LIMITS`."""
    announced_in: int | None = None
    """The channel in which opened tables are announced; None for none."""
    threads: bool = False
    """Whether each table that is opened in a channel opens in a thread of its own."""
    challengers: str = EVERYONE
    """The people by whom somebody may be challenged here, one of `bot.tables.guests.CHALLENGERS`."""
    ratings: bool = True
    """Whether results of matches are stored and shown here."""

    def check_opening(self, places: Collection[int], roles: Collection[int]) -> None:
        """Raises `Refused` unless a person with these roles may open a table here.

        `places` are the ids of the channel and, for a thread, of the channel that the thread belongs to.
        """
        if self.channels and not set(self.channels) & set(places):
            raise Refused("closed-channel", channels=self.channels)
        if self.role is not None and self.role not in roles:
            raise Refused("missing-role", role=self.role)


def read_server_settings(choices: Mapping[str, str]) -> ServerSettings:
    """The settings from the choices of a server by their names. Choices in an unknown form count as the default.

    >>> read_server_settings({"channels": "5 6", "turn-limit": "1h"})
    ServerSettings(language='', channels=(5, 6), role=None, limit='1h', announced_in=None, threads=False, \
challengers='everyone', ratings=True)
    """
    role, announced_in = choices.get(ROLE, ""), choices.get(ANNOUNCED_IN, "")
    limit = choices.get(LIMIT, "")
    return ServerSettings(
        choices.get(LANGUAGE, ""),
        tuple(int(each) for each in choices.get(CHANNELS, "").split() if each.isdecimal()),
        int(role) if role.isdecimal() else None,
        limit if limit in TURN_LIMITS else USUAL_LIMIT,
        int(announced_in) if announced_in.isdecimal() else None,
        choices.get(THREADS) == "on",
        read_challengers(choices.get(CHALLENGERS, "")) or EVERYONE,
        choices.get(RATINGS) != OFF,
    )
