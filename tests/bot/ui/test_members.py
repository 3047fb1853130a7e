"""The channels that members of a server can see, computed from what Discord says of server and channel."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

import discord
import pytest

from bot.ui.permissions import Member, permissions_of

GUILD, OWNER, ANA, STAFF, PLAYERS = 1, 2, 3, 10, 11
VIEW = discord.Permissions(view_channel=True).value
ADMINISTRATOR = discord.Permissions(administrator=True).value


def sees(
    *roles: int,
    everyone: int = VIEW,
    staff: int = 0,
    user: int = ANA,
    overwrites: Mapping[int, str] = MappingProxyType({}),
) -> bool:
    """Whether a member with these roles sees a channel. `overwrites`: "allow" or "deny" by id."""
    guild: dict[str, Any] = {
        "id": str(GUILD),
        "owner_id": str(OWNER),
        "roles": [
            {"id": str(GUILD), "permissions": str(everyone)},
            {"id": str(STAFF), "permissions": str(staff)},
            {"id": str(PLAYERS), "permissions": "0"},
        ],
    }
    channel = {
        "permission_overwrites": [
            {"id": str(number), "allow": "0", "deny": "0", rule: str(VIEW)}
            for number, rule in overwrites.items()
        ]
    }
    return permissions_of(Member(user, "Ana", frozenset(roles)), guild, channel).view_channel


def test_everybody_sees_what_the_server_and_the_channel_leave_open() -> None:
    assert sees()
    assert not sees(everyone=0)
    assert sees(STAFF, everyone=0, staff=VIEW)
    assert not sees(PLAYERS, everyone=0, staff=VIEW)
    assert not sees(overwrites={GUILD: "deny"})


@pytest.mark.parametrize(
    ("roles", "overwrites", "seen"),
    [
        ((STAFF,), {GUILD: "deny", STAFF: "allow"}, True),
        ((PLAYERS,), {GUILD: "deny", STAFF: "allow"}, False),
        ((STAFF, PLAYERS), {STAFF: "deny", PLAYERS: "allow"}, True),
        ((STAFF,), {STAFF: "allow", ANA: "deny"}, False),
        ((), {GUILD: "deny", ANA: "allow"}, True),
    ],
)
def test_the_channels_overwrites_count_from_everybody_to_the_member(
    roles: tuple[int, ...], overwrites: dict[int, str], seen: bool
) -> None:
    assert sees(*roles, overwrites=overwrites) == seen


def test_owner_and_administrators_see_everything() -> None:
    assert sees(user=OWNER, everyone=0, overwrites={GUILD: "deny"})
    assert sees(STAFF, staff=ADMINISTRATOR, overwrites={GUILD: "deny", ANA: "deny"})
