"""Connections that Discord closes for good: which they are, and what the operator can do."""

from __future__ import annotations

from typing import Final

import discord

NOT_ACCEPTED: Final = "Discord does not accept this DISCORD_TOKEN. Make a new one and put it into .env."

FINAL: Final = {
    4004: NOT_ACCEPTED,
    4010: (
        "Discord does not know such a shard. Check SHARD_COUNT and SHARD_IDS, or remove both: then Discord is asked "
        "how many there should be."
    ),
    4011: (
        "The bot is on too many servers for so few shards. Raise SHARD_COUNT, or remove it: then Discord is asked how "
        "many there should be."
    ),
    4012: (
        "Discord no longer takes connections of the form that this version uses. Update Digsite and discord.py, then "
        "start again."
    ),
    4013: (
        "Discord does not know something that this version asks to be told of (its intents). Update Digsite and "
        "discord.py, then start again."
    ),
    4014: (
        "Discord does not let this bot be told of all that it asks for (its intents). Digsite asks for the guilds "
        "alone, which every bot may: has it been changed? What else it asks for must be switched on under Privileged "
        "Gateway Intents, on the page Bot at discord.com/developers/applications."
    ),
}
"""What to do, by the code with which Discord closes a connection that it will not take however often it is tried."""


def final_reason(error: BaseException | None) -> str | None:
    """Why the connection that ended with this error cannot be had by trying again; None where it may be."""
    if isinstance(error, discord.LoginFailure):
        return NOT_ACCEPTED
    if isinstance(error, discord.PrivilegedIntentsRequired):  # what discord.py makes of its code
        return FINAL[4014]
    return FINAL.get(error.code) if isinstance(error, discord.ConnectionClosed) else None
