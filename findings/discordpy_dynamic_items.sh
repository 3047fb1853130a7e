#!/usr/bin/env bash
# discord.py: a view that ends takes the class of its DynamicItem from the whole bot, if it has an ordinary item too.
#
# Version:  discord.py 2.7.1 (with SimCord 3.2.1 in the place of Discord).
# Expected: `add_dynamic_items` is for the bot's life, and a view's end concerns that view's message.
# Seen:     after the end of one mixed view, buttons of that class are dead on all messages. A view with dynamic items
#           alone may end without that.
# Output:   answered: True; after a view of its kind alone ended: True; after a mixed view ended: False
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
python3 -m pip install -q --no-compile --no-warn-conflicts --target "$folder/lib" \
    discord.py==2.7.1 simcord==3.2.1

PYTHONPATH="$folder/lib" python3 - <<'END'
import asyncio
from typing import Any

import discord
import simcord
from discord import ui


class Vote(ui.DynamicItem[ui.Button[Any]], template=r"vote:\d"):
    def __init__(self, custom_id: str) -> None:
        super().__init__(ui.Button(label="Vote", custom_id=custom_id))

    @classmethod
    async def from_custom_id(cls, interaction: Any, item: Any, match: Any) -> "Vote":
        return cls(match.string)

    async def callback(self, interaction: discord.Interaction[Any]) -> None:
        await interaction.response.send_message("Counted.")


async def main() -> None:
    bot = discord.Client(intents=discord.Intents(guilds=True))
    bot.add_dynamic_items(Vote)
    async with simcord.run(bot) as env:
        server = env.create_guild()
        place, ann = server.create_text_channel("here"), server.add_member(env.create_user("ann"))
        channel = bot.get_channel(place.id)

        async def posted(*items: ui.Item[Any]) -> tuple[ui.View, discord.Message]:
            view = ui.View(timeout=None)
            for item in items:
                view.add_item(item)
            return view, await channel.send("Vote!", view=view)

        _, message = await posted(Vote("vote:1"))
        same, _ = await posted(Vote("vote:2"))
        mixed, _ = await posted(Vote("vote:3"), ui.Button(label="Other", custom_id="other"))
        answered = [(await ann.click(message, custom_id="vote:1")).acknowledged]
        for view in (same, mixed):
            view.stop()
            answered.append((await ann.click(message, custom_id="vote:1")).acknowledged)
    print("answered: {}; after a view of its kind alone ended: {}; after a mixed view ended: {}".format(*answered))
    assert answered == [True, True, False]


asyncio.run(main())
END
echo "The end of a mixed view still unregisters its DynamicItem's class for the whole bot."
