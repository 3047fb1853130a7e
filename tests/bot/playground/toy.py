"""A toy bot of the real bot's shape, for the playground's tests: one counter a channel.

It has what may break in a simulated Discord: Components V2 with a picture, presses routed in `on_interaction`
by custom_id alone, private replies that are edited later through their token, selects, a form, jobs, and a
SQLite file.
"""

from __future__ import annotations

import argparse
import asyncio
import io
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Any

import aiosqlite
import discord
from discord import app_commands
from PIL import Image

from bot.background import Background
from bot.clock import Clock
from bot.playground.opening import Games

SCHEMA = """
CREATE TABLE IF NOT EXISTS tables
    (channel INTEGER PRIMARY KEY, message INTEGER, moves INTEGER, left INTEGER, agents_due REAL);
CREATE TABLE IF NOT EXISTS log (interaction INTEGER UNIQUE, channel INTEGER, line TEXT);
"""
FINDS = ("Amphora", "Brooch", "Coin", "Dagger", "Earring", "Figurine")


class BoardView(discord.ui.LayoutView):
    """The public board."""

    def __init__(self, channel: int, moves: int, lines: list[str]) -> None:
        super().__init__(timeout=None)
        box: discord.ui.Container[BoardView] = discord.ui.Container(accent_colour=discord.Colour.orange())
        box.add_item(discord.ui.TextDisplay(f"## Toy table, {moves} moves\n" + "\n".join(lines[-6:])))
        gallery: discord.ui.MediaGallery[BoardView] = discord.ui.MediaGallery()
        gallery.add_item(media="attachment://board.png", description=f"A board after {moves} moves")
        box.add_item(gallery)
        row: discord.ui.ActionRow[BoardView] = discord.ui.ActionRow()
        # An odd board has one button more, before the others, so that each move shifts the places of all.
        names = [*(["Odd"] if moves % 2 else []), "Dig", "Pass", "Hand", "Word"]
        for name in names:
            decision = f":{moves}" if name in ("Dig", "Pass") else ""
            row.add_item(discord.ui.Button(label=name, custom_id=f"toy:{channel}:{name}{decision}"))
        box.add_item(row)
        self.add_item(box)


class HandView(discord.ui.LayoutView):
    """A private reply: a choice of several finds, and a button which shows what is kept of it."""

    def __init__(self, channel: int, moves: int, chosen: list[str], board: str) -> None:
        super().__init__(timeout=None)
        self.add_item(
            discord.ui.TextDisplay(
                f"Your hand after {moves} moves. Offered: {', '.join(chosen) or 'nothing'}"
            )
        )
        options = [discord.SelectOption(label=find, value=find, default=find in chosen) for find in FINDS]
        row: discord.ui.ActionRow[HandView] = discord.ui.ActionRow()
        row.add_item(
            discord.ui.Select(
                custom_id=f"toy:{channel}:Offer",
                placeholder="Finds to offer",
                min_values=0,
                max_values=3,
                options=options,
            )
        )
        self.add_item(row)
        buttons: discord.ui.ActionRow[HandView] = discord.ui.ActionRow()
        buttons.add_item(discord.ui.Button(label="Trade", custom_id=f"toy:{channel}:Trade"))
        buttons.add_item(discord.ui.Button(label="Board", url=board))
        self.add_item(buttons)


class WordForm(discord.ui.Modal):
    """A form with one line of text."""

    def __init__(self, channel: int) -> None:
        super().__init__(title="A word of your own", custom_id=f"toy:{channel}:Form")
        self.add_item(discord.ui.Label(text="Word", component=discord.ui.TextInput(custom_id="word")))


def picture(moves: int, *, noise: bool = False) -> discord.File:
    """A board that differs from move to move; `noise` makes it as heavy as a real one."""
    image = Image.effect_noise((480, 160), 90) if noise else Image.new("RGB", (480, 160), "#3b2f24")
    image = image.convert("RGB")
    image.paste((230, 170, 60), (10, 60, 10 + 20 * (moves % 23 + 1), 100))
    data = io.BytesIO()
    image.save(data, "PNG")
    data.seek(0)
    return discord.File(data, "board.png", description="The board")


class ToyHost:
    """Tables in a SQLite file, moves, and one kind of job: a robot's move every `pace` seconds."""

    def __init__(self, client: ToyClient, path: Path, clock: Clock, pace: float) -> None:
        self.client, self.path, self.clock, self.pace = client, path, clock, pace
        self.database: aiosqlite.Connection | None = None
        self.hands: dict[tuple[int, int], discord.Interaction[Any]] = {}
        self.offers: dict[tuple[int, int], list[str]] = {}
        self.boards: dict[int, str] = {}
        self.lock = asyncio.Lock()
        # Tests may ask for: heavy pictures, robots that think, and jobs that fail.
        self.noise = False
        self.think: Callable[[], Awaitable[object]] | None = None
        self.failures = 0
        # And for what goes on after the answer to a press on "Odd".
        self.later: Callable[[], Awaitable[object]] | None = None
        self.background = Background()
        self.doing: asyncio.Task[None] | None = None

    async def open(self) -> None:
        self.database = await aiosqlite.connect(self.path)
        await self.database.executescript(SCHEMA)
        await self.database.commit()

    async def rows(self, query: str, *values: object) -> list[Any]:
        assert self.database
        async with self.database.execute(query, values) as cursor:
            return list(await cursor.fetchall())

    async def write(self, query: str, *values: object) -> None:
        assert self.database
        await self.database.execute(query, values)
        await self.database.commit()

    async def view(self, channel: int) -> tuple[BoardView, int]:
        ((moves,),) = await self.rows("SELECT moves FROM tables WHERE channel = ?", channel)
        lines = [
            line
            for (line,) in await self.rows("SELECT line FROM log WHERE channel = ? ORDER BY rowid", channel)
        ]
        view = BoardView(channel, moves, lines)
        view.stop()  # as the real bot does: discord.py is to remember no view
        return view, moves

    async def post(self, channel: int) -> None:
        """Sends the board; whoever calls this holds the lock, so that nothing redraws the board meanwhile."""
        view, moves = await self.view(channel)
        place = self.client.get_channel(channel)
        assert isinstance(place, discord.TextChannel)
        message = await place.send(view=view, file=picture(moves, noise=self.noise))
        self.boards[channel] = message.jump_url
        await self.write("UPDATE tables SET message = ? WHERE channel = ?", message.id, channel)

    async def redraw(self, channel: int) -> None:
        view, moves = await self.view(channel)
        ((message,),) = await self.rows("SELECT message FROM tables WHERE channel = ?", channel)
        place = self.client.get_partial_messageable(channel)
        await place.get_partial_message(message).edit(
            view=view, attachments=[picture(moves, noise=self.noise)]
        )
        for (where, user), interaction in list(self.hands.items()):
            if where == channel and not interaction.is_expired():
                await interaction.edit_original_response(view=self.hand(channel, user, moves))

    def hand(self, channel: int, user: int, moves: int) -> HandView:
        view = HandView(channel, moves, self.offers.get((channel, user), []), self.boards[channel])
        view.stop()
        return view

    async def start(self, interaction: discord.Interaction[Any], robots: int) -> None:
        channel = interaction.channel_id
        assert channel
        async with self.lock:
            await self.write("INSERT OR REPLACE INTO tables VALUES (?, 0, 0, ?, NULL)", channel, 3 * robots)
            await self.write("DELETE FROM log WHERE channel = ?", channel)
            await interaction.response.send_message("The toy table is open.", ephemeral=True)
            await self.post(channel)
            if robots:  # only now is there a message that a robot's move can redraw
                due = self.clock.now() + self.pace
                await self.write("UPDATE tables SET agents_due = ? WHERE channel = ?", due, channel)

    async def go_on(self, channel: int, later: Callable[[], Awaitable[object]]) -> None:
        await later()
        async with self.lock:
            await self.move(channel, "At last")
            await self.redraw(channel)

    async def move(self, channel: int, line: str, interaction: int | None = None) -> None:
        await self.write("INSERT INTO log VALUES (?, ?, ?)", interaction, channel, line)
        await self.write("UPDATE tables SET moves = moves + 1 WHERE channel = ?", channel)

    async def start_due(self) -> float | None:
        if self.failures:
            self.failures -= 1
            raise RuntimeError("The disk is full")
        if self.doing is None or self.doing.done():
            self.doing = asyncio.create_task(self.do_due(self.clock.now()))
        return await self.next_due()

    async def next_due(self) -> float | None:
        ((due,),) = await self.rows("SELECT min(agents_due) FROM tables")
        return due

    async def do_due(self, now: float) -> None:
        for (channel,) in await self.rows("SELECT channel FROM tables WHERE agents_due <= ?", now):
            if self.think:
                await self.think()
            async with self.lock:
                # A new table may have been opened here since the robot began to think.
                still_due = await self.rows(
                    "SELECT left FROM tables WHERE channel = ? AND agents_due <= ?", channel, now
                )
                if not still_due:
                    continue
                ((left,),) = still_due
                await self.move(channel, f"Robot moves, {left - 1} left")
                due = self.clock.now() + self.pace if left > 1 else None
                await self.write(
                    "UPDATE tables SET left = left - 1, agents_due = ? WHERE channel = ?", due, channel
                )
                await self.redraw(channel)

    async def repost_all(self) -> None:
        async with self.lock:
            for (channel,) in await self.rows("SELECT channel FROM tables"):
                await self.post(channel)

    async def pressed(self, interaction: discord.Interaction[Any], custom_id: str) -> None:
        _, where, intent, *decision = custom_id.split(":")
        channel, user = int(where), interaction.user
        async with self.lock:
            ((moves,),) = await self.rows("SELECT moves FROM tables WHERE channel = ?", channel)
            match intent:
                case "Dig" | "Pass" if int(decision[0]) != moves:
                    await interaction.response.send_message(f"Too late for {intent}.", ephemeral=True)
                case "Dig" | "Pass" | "Odd":
                    await self.move(channel, f"{user.display_name}: {intent}", interaction.id)
                    await interaction.response.defer()
                    await self.redraw(channel)
                    if intent == "Odd" and self.later:
                        self.background.start(self.go_on(channel, self.later), "later")
                case "Word":
                    await interaction.response.send_modal(WordForm(channel))
                case "Form":
                    word = form_values(interaction)["word"]
                    await self.move(channel, f"{user.display_name} says {word}", interaction.id)
                    await interaction.response.send_message(f"Kept: {word}", ephemeral=True)
                    await self.redraw(channel)
                case "Hand":
                    self.hands[channel, user.id] = interaction
                    await interaction.response.send_message(
                        view=self.hand(channel, user.id, moves), ephemeral=True
                    )
                case "Offer":
                    self.offers[channel, user.id] = list((interaction.data or {}).get("values", []))  # type: ignore[arg-type]
                    self.hands[channel, user.id] = interaction
                    await interaction.response.edit_message(view=self.hand(channel, user.id, moves))
                case "Trade":
                    offer = self.offers.pop((channel, user.id), [])
                    await self.move(
                        channel, f"{user.display_name} trades {' + '.join(offer)}", interaction.id
                    )
                    self.hands[channel, user.id] = interaction
                    await interaction.response.edit_message(view=self.hand(channel, user.id, moves + 1))
                    await self.redraw(channel)
                case _:
                    raise AssertionError(custom_id)


def form_values(interaction: discord.Interaction[Any]) -> dict[str, str]:
    """The texts typed into a form, by the custom_id of each field."""
    rows: Any = (interaction.data or {}).get("components", [])
    return {row["component"]["custom_id"]: row["component"]["value"] for row in rows}


class ToyClient(discord.Client):
    """The bot: one command, and every press by its custom_id."""

    def __init__(self, path: Path, clock: Clock, pace: float) -> None:
        super().__init__(
            intents=discord.Intents(guilds=True), allowed_mentions=discord.AllowedMentions.none()
        )
        self.tree = app_commands.CommandTree(self)
        self.host = ToyHost(self, path, clock, pace)

    async def setup_hook(self) -> None:
        await self.host.open()
        group = app_commands.Group(name="toy", description="A toy")

        @group.command(name="start", description="Open a toy table here")
        @app_commands.describe(robots="How many robots play", mood="How they feel")
        @app_commands.choices(
            mood=[
                app_commands.Choice(name="Merry", value="merry"),
                app_commands.Choice(name="Sad", value="sad"),
            ]
        )
        async def start(
            interaction: discord.Interaction[Any],
            robots: app_commands.Range[int, 0, 100] = 0,
            mood: str = "merry",
        ) -> None:
            await self.host.start(interaction, robots)

        @group.command(name="ask", description="Think, and then call a person")
        async def ask(interaction: discord.Interaction[Any], person: discord.User) -> None:
            await interaction.response.defer(thinking=True)
            if self.host.think:
                await self.host.think()
            called = discord.AllowedMentions(users=[person])
            await interaction.edit_original_response(
                content=f"{person.mention}, will you play?", allowed_mentions=called
            )

        self.tree.add_command(group)
        await self.tree.sync()

    async def on_interaction(self, interaction: discord.Interaction[Any]) -> None:
        if interaction.type in (discord.InteractionType.component, discord.InteractionType.modal_submit):
            custom_id = str((interaction.data or {}).get("custom_id"))
            await self.host.pressed(interaction, custom_id)

    async def close(self) -> None:
        await super().close()
        if self.host.doing:
            self.host.doing.cancel()
            await asyncio.gather(self.host.doing, return_exceptions=True)
        if self.host.database:
            await self.host.database.close()
            print("store closed", flush=True)


def main() -> None:
    from bot.playground import play

    parser = argparse.ArgumentParser()
    parser.add_argument("--port", type=int, default=8600)
    parser.add_argument("--browser", action=argparse.BooleanOptionalAction, default=False)
    options = parser.parse_args()
    database = Path(os.environ["TOY_DATABASE"])
    pace = float(os.environ.get("TOY_PACE", "1"))

    def make_client(clock: Clock) -> tuple[ToyClient, ToyHost, Callable[[], Games]]:
        client = ToyClient(database, clock, pace)
        return client, client.host, dict

    asyncio.run(play(database, port=options.port, open_browser=options.browser, make_client=make_client))


if __name__ == "__main__":
    main()
