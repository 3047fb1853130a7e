#!/usr/bin/env bash
# SimCord: every interaction is in American English, and a group DM is open to nobody, even to those who are in it.
#
# Version:  SimCord 3.2.1, discord.py 2.7.1.
# Expected: an actor has a language, as every user of Discord does, and a channel of the type 3 (GROUP_DM) is open to its
#           recipients.
# Seen:     the payload of an interaction has the locale en-US whoever sends it, and no recipient may see a group DM.
# Output:   locale: en-US
#           a recipient sees the group DM: False
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --no-compile --no-warn-conflicts --target "$folder/lib" \
    discord.py==2.7.1 simcord==3.2.1

PYTHONPATH="$folder/lib" python3 - <<'END'
import asyncio

import discord
import simcord
from simcord.backend.access import channel_accessible
from simcord.interactions import base_payload


async def main() -> None:
    bot = discord.Client(intents=discord.Intents(guilds=True))
    async with simcord.run(bot) as env:
        user = env.create_user("emil")
        place = env.backend.get_dm_channel(user.id)
        _record, payload = base_payload(
            env.backend, type=2, channel_id=place.id, guild_id=None, user_id=user.id, data={"name": "x", "type": 1}
        )
        group = env.backend.create_channel(None, "group", type=3)
        group.recipient_ids = [user.id]
        seen = channel_accessible(env.backend, group.id, user.id)
    print(f"locale: {payload['locale']}")
    print(f"a recipient sees the group DM: {seen}")
    assert payload["locale"] == "en-US"
    assert not seen


asyncio.run(main())
END
echo "SimCord still knows neither languages nor group DMs."
