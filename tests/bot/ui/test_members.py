"""What members of a server can see, computed from what Discord says of server and channel."""

from __future__ import annotations

from typing import Any

import discord
import pytest

from bot.ui.members import Member, permissions_of

GUILD, OWNER, ANA, STAFF, PLAYERS = 1, 2, 3, 10, 11
VIEW = discord.Permissions(view_channel=True).value
ADMINISTRATOR = discord.Permissions(administrator=True).value


def sees(*roles: int, everyone: int = VIEW, staff: int = 0, user: int = ANA, **overwrites: str) -> bool:
    """Whether a member with these roles sees a channel. `overwrites`: "allow" or "deny" for `_` and an id."""
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
            {"id": name[1:], "allow": "0", "deny": "0", rule: str(VIEW)} for name, rule in overwrites.items()
        ]
    }
    return permissions_of(Member(user, "Ana", frozenset(roles)), guild, channel).view_channel


def test_everybody_sees_what_the_server_and_the_channel_leave_open() -> None:
    assert sees()
    assert not sees(everyone=0)
    assert sees(STAFF, everyone=0, staff=VIEW)
    assert not sees(PLAYERS, everyone=0, staff=VIEW)
    assert not sees(_1="deny")


@pytest.mark.parametrize(
    ("roles", "overwrites", "seen"),
    [
        ((STAFF,), {"_1": "deny", "_10": "allow"}, True),
        ((PLAYERS,), {"_1": "deny", "_10": "allow"}, False),
        ((STAFF, PLAYERS), {"_10": "deny", "_11": "allow"}, True),
        ((STAFF,), {"_10": "allow", "_3": "deny"}, False),
        ((), {"_1": "deny", "_3": "allow"}, True),
    ],
)
def test_the_channels_overwrites_count_from_everybody_to_the_member(
    roles: tuple[int, ...], overwrites: dict[str, str], seen: bool
) -> None:
    assert sees(*roles, **overwrites) == seen


def test_owner_and_administrators_see_everything() -> None:
    assert sees(user=OWNER, everyone=0, _1="deny")
    assert sees(STAFF, staff=ADMINISTRATOR, _1="deny", _3="deny")
