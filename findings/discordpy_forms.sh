#!/usr/bin/env bash
# discord.py: of two forms that are open with one custom_id, the one that was opened last gets both answers.
#
# Version:  discord.py 2.7.1 (with SimCord 3.2.1 in the place of Discord).
# Expected: a form (Modal) that was sent as the answer to a person's command runs for that person, as a message's
#           buttons run for their message.
# Seen:     forms are found by custom_id alone. With the constant custom_id that a class is commonly given, Ann's answer
#           runs the object that was made for Ben; that ends it, and Ben's answer runs nothing.
# Output:   ann: 'opened by ben'; ben: no answer
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
from discord import app_commands, ui


class Form(ui.Modal):
    def __init__(self, opener: str) -> None:
        super().__init__(title="A word", custom_id="word")
        self.opener = opener
        self.add_item(ui.Label(text="Word", component=ui.TextInput(custom_id="value")))

    async def on_submit(self, interaction: discord.Interaction[Any], /) -> None:
        await interaction.response.send_message(f"opened by {self.opener}", ephemeral=True)


class Bot(discord.Client):
    async def setup_hook(self) -> None:
        tree = app_commands.CommandTree(self)

        @tree.command(description="Opens the form")
        async def word(interaction: discord.Interaction[Any]) -> None:
            await interaction.response.send_modal(Form(interaction.user.name))

        await tree.sync()


async def main() -> None:
    async with simcord.run(Bot(intents=discord.Intents(guilds=True))) as env:
        server = env.create_guild()
        channel = server.create_text_channel("here")
        people = [server.add_member(env.create_user(name)) for name in ("ann", "ben")]
        opened = [await person.slash(channel, "word") for person in people]
        sent = [await person.submit_modal(form, {"value": "x"}) for person, form in zip(people, opened)]
        ann, ben = (each.response.content if each.response else None for each in sent)
    print(f"ann: {ann!r}; ben: {ben or 'no answer'}")
    assert (ann, ben) == ("opened by ben", None)


asyncio.run(main())
END
echo "Forms of one custom_id are still taken for one, whoever has them open."
