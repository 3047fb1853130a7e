"""The simulated Discord: one server with one channel and four people, on the machine's own time."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import discord
import simcord

from bot.clock import Clock
from bot.playground.quirks import events_since_last_asked, name_bot

log = logging.getLogger(__name__)

BOT = "Digsite"
SERVER = "Digsite playground"
CHANNEL = "games"
TOPIC = "Type / to see the commands. “Viewing as” names who you are; open this page twice to be two people."
ORGANISER = "Ana"
PEOPLE = (ORGANISER, "Ben", "Chen", "Dora")
# The name under which each person's picture is known. The pictures themselves are drawn for the page.
AVATAR = "portrait"

# Seconds to wait for presses that are still being worked on when the playground ends.
DETACH_SECONDS = 1.0


class World:
    """A simulated Discord with the bot and four people in it."""

    def __init__(self, env: simcord.Env, clock: Clock) -> None:
        self.env = env
        self._clock = clock
        self._events = 0
        # Ids depend on the order in which things are created, and the database knows people, the server and the
        # channel by their ids. So these are created before the bot registers its commands, which take ids too, and
        # anything new must be added after them.
        name_bot(env, BOT, AVATAR)
        users = [env.create_user(name.lower(), global_name=name, avatar=AVATAR) for name in PEOPLE]
        self.server = env.create_guild(SERVER)
        self.channel = self.server.create_text_channel(CHANNEL, topic=TOPIC)
        organiser = self.server.create_role(
            "Organiser", permissions=discord.Permissions(manage_channels=True)
        )
        self.people = tuple(
            self.server.add_member(user, roles=[organiser] if user.global_name == ORGANISER else [])
            for user in users
        )

    def events(self) -> int:
        """How many events there have been in all. When the number grows, there may be something to show or to do."""
        self._events += events_since_last_asked(self.env)
        return self._events

    async def catch_up(self) -> None:
        """Move the simulated time to the machine's. By itself it stands still, so that no token would ever expire."""
        behind = self._clock.now() - self.env.now().timestamp()
        if behind > 0:
            await self.env.advance_time(behind)


@asynccontextmanager
async def simulated_discord(client: discord.Client, clock: Clock) -> AsyncGenerator[World]:
    """Start `client` in a simulated Discord, and close both at the end."""
    env = simcord.Env(client)
    world = World(env, clock)
    try:
        await env.start()
        # Within this context the job loop, which is no task of the bot's, can reach the simulated Discord as the bot
        # does.
        with env.time_context():
            # Ids contain the time. Moving the time to the present first makes sure that no interaction's id is given
            # out twice over several sittings: the database remembers them to recognise repeated deliveries.
            await world.catch_up()
            yield world
    finally:
        # The bot first, for what it is doing may need its Discord.
        await client.close()
        env.settle_timeout = DETACH_SECONDS
        try:
            await env.shutdown()
        except TimeoutError:
            log.warning("a press was still being worked on; it was given up")
