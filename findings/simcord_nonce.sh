#!/usr/bin/env bash
# SimCord: a message that is sent twice with one enforced nonce is posted twice, so tests of repeats show nothing.
#
# Version:  SimCord 3.2.1, discord.py 2.7.1.
# Expected: the simulation refuses what it does not model ("no silent fakes"), or answers the second request, as Discord
#           does for some minutes, with the first message.
# Seen:     the request is accepted, `enforce_nonce` has no effect, and there are two messages.
# Output:   two requests with one enforced nonce: 2 messages
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --no-compile --no-warn-conflicts --target "$folder/lib" \
    discord.py==2.7.1 simcord==3.2.1

PYTHONPATH="$folder/lib" python3 - <<'END'
import asyncio

import discord
import simcord
from discord.http import Route


async def main() -> None:
    bot = discord.Client(intents=discord.Intents(guilds=True))
    async with simcord.run(bot) as env:
        place = env.create_guild().create_text_channel("here")
        post = Route("POST", "/channels/{channel_id}/messages", channel_id=place.id)
        body = {"content": "The match begins.", "nonce": "1", "enforce_nonce": True}
        ids = {(await bot.http.request(post, json=body))["id"] for _ in range(2)}
    print(f"two requests with one enforced nonce: {len(ids)} messages")
    assert len(ids) == 2


asyncio.run(main())
END
echo "SimCord still posts a message with an enforced nonce as often as it is sent."
