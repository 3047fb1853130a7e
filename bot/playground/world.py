"""The simulated Discord: one server with one channel and four people, on the machine's own time."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import discord
import simcord

from bot.clock import Clock

SERVER = "Digsite playground"
CHANNEL = "games"
TOPIC = "Type / to see the commands. You are whom “Viewing as” names; open this page twice to be two people."
ORGANISER = "Ana"
PEOPLE = (ORGANISER, "Ben", "Chen", "Dora")

# Detaching the bot waits for what it still computes; leaving must not.
DETACH_SECONDS = 1.0


class World:
    """A running simulated Discord with the bot in it."""

    def __init__(self, env: simcord.Env, clock: Clock) -> None:
        self.env = env
        self._clock = clock
        self._forgotten = 0
        # A person's id follows from the order in which things are made, and the database knows people, server and
        # channel by their ids. So they come before the bot registers its commands (which take ids too), and anything
        # added later goes below what is here.
        users = [env.create_user(name.lower(), global_name=name) for name in PEOPLE]
        self.server = env.create_guild(SERVER)
        self.channel = self.server.create_text_channel(CHANNEL, topic=TOPIC)
        organiser = self.server.create_role("Organiser", permissions=discord.Permissions(manage_channels=True))
        self.people = tuple(
            self.server.add_member(user, roles=[organiser] if name == ORGANISER else [])
            for name, user in zip(PEOPLE, users, strict=True)
        )

    def events(self) -> int:
        """How much has happened so far; it has grown when there may be something new to show."""
        transcript, requests = self.env.backend.transcript, self.env.http_requests
        self._forgotten += len(transcript)
        # Nobody reads these here, and they hold every request of the evening.
        transcript.clear()
        requests.clear()
        return self._forgotten

    async def catch_up(self) -> None:
        """Move the simulated time to the machine's: it stands still by itself."""
        behind = self._clock.now() - self.env.now().timestamp()
        if behind > 0:
            await self.env.advance_time(behind)


@asynccontextmanager
async def simulated_discord(client: discord.Client, clock: Clock) -> AsyncIterator[World]:
    """Start `client` in a simulated Discord; at the end it is detached, and closing it is the caller's."""
    env = simcord.Env(client)
    world = World(env, clock)
    await env.start()
    try:
        # Inside, what is not the bot's own task (the job loop) reaches the simulated Discord like the bot does.
        with env.time_context():
            # Ids hold the time. At once at the present, no id of an interaction, which the database keeps to know
            # repeated deliveries, is ever given out again.
            await world.catch_up()
            yield world
    finally:
        env.settle_timeout = DETACH_SECONDS
        await asyncio.shield(env.shutdown())
