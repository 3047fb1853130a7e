"""Discord's fatal close codes, with a remedy for each."""

from __future__ import annotations

from typing import Final

import discord

NOT_ACCEPTED: Final = (
    "Discord does not accept this DISCORD_TOKEN. Make a new one and put it in the place of this one."
)

FINAL: Final = {
    4004: NOT_ACCEPTED,
    4010: (
        "Discord does not know such a shard. Check SHARD_COUNT, or remove it: then Discord is asked how many there "
        "should be."
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
"""The texts by close code: the reason why a retry would fail too, and the remedy."""


def final_reason(error: BaseException | None) -> str | None:
    """The reason why a retry after this error would fail too, and the remedy; None if a retry may succeed."""
    if isinstance(error, discord.LoginFailure):
        return NOT_ACCEPTED
    if isinstance(error, discord.PrivilegedIntentsRequired):  # discord.py raises this for code 4014
        return FINAL[4014]
    return FINAL.get(error.code) if isinstance(error, discord.ConnectionClosed) else None
