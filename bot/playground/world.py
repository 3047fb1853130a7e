"""The simulated Discord: one server with one channel and six people. Its clock follows the machine's."""

from __future__ import annotations

import logging
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager

import discord
import simcord

from bot.clock import Clock
from bot.playground.simcord_patches import events_since_last_asked, languages_of, name_bot
from bot.playground.timing import PLAYGROUND

log = logging.getLogger(__name__)

BOT = "Digsite"
SERVER = "Digsite playground"
CHANNEL = "games"
TOPIC = "Type / to see the commands. “Viewing as” names who you are; open this page twice to be two people."
ORGANISER = "Ana"
PEOPLE = (ORGANISER, "Ben", "Chen", "Dora")
SPEAKERS = {
    "Emil (Deutsch)": "de",
    "Flor (Español)": "es-ES",
    "Gaia (Italiano)": "it",
    "Oleg (Русский)": "ru",
}
"""The people who use Discord in another language, by name, with the locale of their interactions."""
# The asset name of each person's picture.
AVATAR = "portrait"


class World:
    """A simulated Discord with the bot, four people with Discord in English, and one for each other language."""

    def __init__(self, env: simcord.Env, clock: Clock) -> None:
        self.env = env
        self._clock = clock
        self._events = 0
        # Ids depend on the order of creation, and the database contains them. So people, server and channel are created
        # before the bot registers its commands, which get ids too. Create new things after the people.
        name_bot(env, BOT, AVATAR)
        users = [env.create_user(name.lower(), global_name=name, avatar=AVATAR) for name in PEOPLE]
        self.server = env.create_guild(SERVER)
        self.channel = self.server.create_text_channel(CHANNEL, topic=TOPIC)
        organiser = self.server.create_role(
            "Organiser", permissions=discord.Permissions(manage_channels=True, manage_guild=True)
        )
        self.people = tuple(
            self.server.add_member(user, roles=[organiser] if user.global_name == ORGANISER else [])
            for user in users
        )
        speakers = {
            self.server.add_member(
                env.create_user(name.split()[0].lower(), global_name=name, avatar=AVATAR)
            ): locale
            for name, locale in SPEAKERS.items()
        }
        self.people += tuple(speakers)
        self.locales = {person.id: locale for person, locale in speakers.items()}

    def events(self) -> int:
        """The number of events so far."""
        self._events += events_since_last_asked(self.env)
        return self._events

    async def catch_up(self) -> None:
        """Advances the simulated time to the machine's. SimCord does not advance it, so tokens would never expire."""
        behind = self._clock.now() - self.env.now().timestamp()
        if behind > 0:
            await self.env.advance_time(behind)


@asynccontextmanager
async def simulated_discord(client: discord.Client, clock: Clock) -> AsyncGenerator[World]:
    """Starts `client` in a simulated Discord, and closes both at the end."""
    env = simcord.Env(client)
    world = World(env, clock)
    try:
        await env.start()
        # Makes the simulated Discord available to the job loop, which is not one of the bot's tasks.
        with env.time_context(), languages_of(world.locales):
            # Interaction ids contain the time, and must be unique over several sessions, because the store recognises
            # repeated deliveries by these ids.
            await world.catch_up()
            yield world
    finally:
        # The bot is closed first, because its tasks may use the simulated Discord.
        await client.close()
        env.settle_timeout = PLAYGROUND.presses_end
        try:
            await env.shutdown()
        except TimeoutError:
            log.warning("gave up a press that was still running")
