"""The person who made an interaction, and the place where they made it: a server, or somewhere without the bot."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

import discord

from bot.tables.naming import clean_name

GUILD_INSTALL: Final = 0
"""Discord's number for an installation in a server, as a key of an interaction's installations."""
LanguageOf = Callable[[int, str], str]
"""Returns the language that a person reads, by their id and the locale of their Discord (`CallChoices.language`)."""


class Origin:
    """The person and the place of an interaction.

    `docs/discord.md` says what is possible where. The bot can post messages in its servers and in its own direct
    messages. Where only the person has installed it, it has nothing but the interaction's token; in a group DM this
    posts messages for all.
    """

    def __init__(self, raw: discord.Interaction[Any], language_of: LanguageOf) -> None:
        self.raw = raw
        self._language_of = language_of
        self.id = raw.id
        self.user_id = raw.user.id
        self.shard_guild = raw.guild_id or 0
        """The server by whose id Discord chooses the shard for the interaction; 0 in direct messages.

        The bot need not be on this server.
        """
        # Discord names all installations that allow an interaction.
        owners: Mapping[int, int] = getattr(raw, "_integration_owners", {})
        self.guild_id = self.shard_guild if not owners or GUILD_INSTALL in owners else 0
        """The server, if it has installed the bot; 0 where only the person has, and in direct messages."""
        self.channel_id = raw.channel_id or 0
        dm, private = raw.context.dm_channel, raw.context.private_channel
        self.in_own_dm = not self.shard_guild and dm and not private
        """Whether this is the direct messages of the person with the bot, which nobody else sees."""
        self.in_group = not self.shard_guild and private
        """Whether this is a group DM, or the direct messages of two people: the bot is no member there."""

    # -- the person

    @property
    def user_name(self) -> str:
        """The person's cleaned name on this server; if it has no visible characters, the account's name; or else ""."""
        user = self.raw.user
        return clean_name(user.display_name, user.global_name or "", user.name)

    @property
    def locale(self) -> str:
        """The language of everything that the person alone reads, as Discord names it."""
        return self._language_of(self.user_id, self.discord_locale)

    @property
    def discord_locale(self) -> str:
        """The language of the person's Discord."""
        return self.raw.locale.value

    @property
    def roles(self) -> set[int]:
        """The ids of the person's roles on this server. discord.py shows them only with a cache of all roles."""
        held = getattr(self.raw.user, "_roles", ())
        return {int(role) for role in held}

    @property
    def manages(self) -> bool:
        """Whether the person may manage the channel of a server that the bot is on."""
        return self.guild_id != 0 and self.raw.permissions.manage_channels

    @property
    def manages_server(self) -> bool:
        """Whether the person may manage this server, which the bot is on."""
        return self.guild_id != 0 and self.raw.permissions.manage_guild

    @property
    def may_change_permissions(self) -> bool:
        """Whether the person may give the bot permissions in a channel of a server that the bot is on."""
        return (
            self.manages or self.manages_server or (self.guild_id != 0 and self.raw.permissions.manage_roles)
        )

    # -- the place

    @property
    def guild_locale(self) -> str:
        """The language of the server, if the bot is installed there; or else that of the person."""
        locale = self.raw.guild_locale if self.guild_id else None
        return locale.value if locale else self.locale

    @property
    def places(self) -> set[int]:
        """The channel's id and, for a thread, the id of the channel that the thread belongs to."""
        parent = getattr(self.raw.channel, "parent_id", None)
        return {self.channel_id} if parent is None else {self.channel_id, int(parent)}
