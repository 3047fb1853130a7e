"""The place of an interaction: which server it is on, and whose process gets it."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, Literal

import pytest
from discord import Permissions
from discord.app_commands import AppCommandContext

from bot.ui.origin import Origin

SERVER, PERSON = 5 << 22, 7
GUILD: Literal[0] = 0
BOT_DM: Literal[1] = 1
GROUP_DM: Literal[2] = 2


def origin(context: Literal[0, 1, 2], owners: dict[int, int], guild: int | None = None) -> Origin:
    raw: Any = SimpleNamespace(
        id=1,
        user=SimpleNamespace(id=PERSON),
        guild_id=guild,
        channel_id=1,
        context=AppCommandContext._from_value([context]),
        permissions=Permissions(manage_guild=True, manage_channels=True),
        _integration_owners=owners,
    )
    return Origin(raw, lambda _user, locale: locale)


@pytest.mark.parametrize(
    ("owners", "server"),
    [
        ({0: SERVER}, SERVER),
        ({0: SERVER, 1: PERSON}, SERVER),
        ({}, SERVER),
        ({1: PERSON}, 0),
    ],
)
def test_server_counts_if_it_has_installed_the_bot(owners: dict[int, int], server: int) -> None:
    place = origin(GUILD, owners, SERVER)
    assert place.guild_id == server
    assert place.shard_guild == SERVER
    assert place.manages_server == (server != 0), "who manages another server chooses nothing here"
    assert place.manages == (server != 0)
    assert not place.in_own_dm
    assert not place.in_group


@pytest.mark.parametrize(
    ("context", "owners", "own"),
    [(BOT_DM, {1: PERSON}, True), (BOT_DM, {0: 0}, True), (GROUP_DM, {1: PERSON}, False)],
)
def test_direct_messages_with_the_bot_are_told_from_others(
    context: Literal[1, 2], owners: dict[int, int], own: bool
) -> None:
    place = origin(context, owners)
    assert (place.guild_id, place.shard_guild) == (0, 0)
    assert place.in_own_dm == own
    assert place.in_group != own
