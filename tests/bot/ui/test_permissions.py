"""The permissions that the bot asks for are one list: for the link, for the page about hosting, and for refusals."""

from __future__ import annotations

import re
from pathlib import Path

import discord

from bot.ui.screens.permissions import INVITED, PERMISSIONS, invitation, missing_for

HOSTING = (Path(__file__).parents[3] / "docs" / "hosting.md").read_text()
ALL = discord.Permissions(INVITED)


def test_the_page_about_hosting_names_the_same_permissions_as_the_list() -> None:
    rows = re.findall(r"^\| ([^|]+) \| ([^|]+) \| ([^|]+) \|$", HOSTING, re.MULTILINE)
    named = [name for name, _where, _why in rows[rows.index(("permission", "where", "why")) + 2 :]]
    assert named == [each.name() for each in PERMISSIONS]


def test_the_page_and_the_button_invite_with_the_permissions_of_the_list() -> None:
    assert {int(number) for number in re.findall(r"permissions=(\d+)", HOSTING)} == {INVITED}
    assert f"permissions={INVITED}" in str(invitation(7))
    assert {name for name, has in ALL if has} == {
        *("read_messages", "send_messages", "attach_files", "read_message_history"),
        *("external_emojis", "create_public_threads", "send_messages_in_threads"),
    }


def test_what_is_missing_is_named_for_each_use() -> None:
    assert missing_for("channel", ALL) == missing_for("thread", ALL) == missing_for("new thread", ALL) == []
    nothing = discord.Permissions.none()
    assert missing_for("channel", nothing) == ["View Channel", "Send Messages"]
    assert missing_for("thread", nothing) == ["View Channel", "Send Messages in Threads"]
    assert missing_for("new thread", nothing) == [
        *("Read Message History", "Create Public Threads", "Send Messages in Threads"),
    ]
