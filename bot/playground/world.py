"""The simulated Discord: one server with a few channels, eight people, their direct messages with the bot, and a group.

Its clock follows the machine's. It has what SimCord lacks: group DMs, and interactions in other languages than English.
SimCord's actors also wait until every task of the bot has ended, and fail after a time. An interaction from here is
answered by what the bot does, however long that takes, and any number are under way at once.

All names of SimCord that are used here are public. None of its objects or functions is replaced.
"""

from __future__ import annotations

import asyncio
import logging
from base64 import b64decode
from collections import deque
from collections.abc import AsyncGenerator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from itertools import takewhile
from typing import Any, Final, NamedTuple

import discord
import simcord
from simcord.backend.access import channel_accessible
from simcord.backend.models import Channel, Interaction, Message
from simcord.backend.serializers import guild_create_payload, message_payload, user_payload
from simcord.enums import ChannelType, InteractionType
from simcord.interactions import base_payload
from simcord.types import HttpLogEntry

from bot.clock import Clock

log = logging.getLogger(__name__)

BOT = "Digsite"
SERVER = "Digsite playground"
CHANNELS = ("games", "museum", "market", "camp")
ORGANISER = "Ana"
PEOPLE = (ORGANISER, "Ben", "Chen", "Dora")
SPEAKERS = {"Emil": "de", "Flor": "es-ES", "Gaia": "it", "Oleg": "ru"}
"""The people who use Discord in another language, by name, with the locale of their interactions."""
ENGLISH = "en-US"
THINKING: Final = 1 << 7
SILENT: Final = 1 << 12
LOOK: Final = 0.02
"""Seconds between two looks for events in the simulated Discord, which has none to wait for."""
TIMERS: Final = 0.5
"""Seconds between two moments at which timers of the bot run that SimCord has held back."""
STARTS: Final = 60.0
"""Timeout of the bot's start, in seconds."""
PRESSES_END: Final = 1.0
"""Timeout of running presses when the playground ends, in seconds."""
LOADING: Final = 60.0
"""Seconds for which a page may still load a picture that its message has no longer."""
REQUESTS: Final = 300
"""The newest requests that *Inspect* can show."""


GROUP_DM: Final = 3
"""Discord's type of a channel of several people without a server."""
_IN_GROUP: Final = 2
"""Discord's context of an interaction in a group DM, in which the bot is no member."""
_PERMISSIONS: Final = {1: "442368", GROUP_DM: "180224"}
"""The permissions that Discord gives an application without a server, by the type of the channel."""
_BY_PERSON: Final = "1"
"""Discord's kind of an installation by a person."""


def create_group(env: simcord.Env, name: str, people: list[int]) -> Channel:
    """Creates a group DM of these people, by their ids."""
    group = env.backend.create_channel(None, name, type=GROUP_DM)
    group.recipient_ids = people
    return group


def can_see(env: simcord.Env, channel: Channel, person: int) -> bool:
    """Whether a person may open a channel, by their id."""
    if channel.type == GROUP_DM:
        return person in channel.recipient_ids
    return channel_accessible(env.backend, channel.id, person)


def commands_in(env: simcord.Env, channel: Channel, person: int, kind: int) -> list[dict[str, Any]]:
    """The bot's commands of a kind (Discord's number) that a person may use in a channel, as it registered them."""
    if channel.type != GROUP_DM:
        return env.backend.visible_commands(user_id=person, channel_id=channel.id, type=kind)
    registered = env.backend.commands.get(None, {}).values()
    return [each for each in registered if each["type"] == kind and _IN_GROUP in (each.get("contexts") or ())]


class Invocation(NamedTuple):
    """A person's act: Discord's number for the kind of the interaction, its data, and the message of a press."""

    kind: InteractionType
    data: dict[str, Any]
    source: Message | None = None


def interact(env: simcord.Env, channel: Channel, person: int, locale: str, done: Invocation) -> Interaction:
    """Gives the bot an interaction of a person with this language of Discord.

    Returns its record, which the bot's answer changes.
    """
    record, payload = base_payload(
        env.backend,
        type=done.kind,
        channel_id=channel.id,
        guild_id=channel.guild_id,
        user_id=person,
        data=done.data,
    )
    # Discord allows three seconds, after which the page says what Discord says. A busy machine may need more, so an
    # answer that comes later is taken all the same.
    record.initial_response_deadline = None
    payload["locale"] = locale
    if channel.guild_id is None:
        payload["app_permissions"] = _PERMISSIONS[channel.type]
        payload["authorizing_integration_owners"] = {_BY_PERSON: str(person)}
    if channel.type == GROUP_DM:
        people = [dict(user_payload(env.backend.get_user(each))) for each in channel.recipient_ids]
        payload["context"] = _IN_GROUP
        payload["channel"] = {
            "id": str(channel.id), "type": GROUP_DM, "name": channel.name, "recipients": people,
        }  # fmt: skip
    if done.source is not None:
        record.source_message_id = done.source.id
        payload["message"] = dict(message_payload(env.backend, done.source))
    env.backend.emit("INTERACTION_CREATE", payload)
    return record


@dataclass(eq=False)
class Person:
    """Somebody who uses the simulated Discord."""

    id: int
    name: str
    actor: simcord.MemberActor
    locale: str
    """The language of their Discord, which the page can change."""
    calls: list[Call] = field(default_factory=list["Call"])
    """The messages that notified the person and were not seen since, oldest first."""

    @property
    def key(self) -> str:
        """The name in the page's address."""
        return self.name.lower()


class Call(NamedTuple):
    """A message that notifies a person. The numbers rise with each call of anybody."""

    number: int
    message: Message


class World:
    """A simulated Discord with the bot, four people with Discord in English, and one for each other language."""

    def __init__(self, env: simcord.Env, clock: Clock) -> None:
        self.env = env
        self._clock = clock
        self.events = 0
        """The number of requests and events so far."""
        self._changed = asyncio.Event()
        self.requests: deque[tuple[float, HttpLogEntry]] = deque(maxlen=REQUESTS)
        self.emoji: dict[int, bytes] = {}
        """The pictures of the application's emoji (PNG), by id. SimCord does not store them."""
        self.dismissed: dict[int, set[int]] = {}
        """The private messages that a person has dismissed."""
        self.called = 0
        """The number of calls so far."""
        self._newest = 0
        """The id of the newest message at the last look."""
        self._arriving: list[Message] = []
        """Messages that are new, or that the bot is still thinking about."""
        self._files: dict[str, dict[str, Any]] = {}
        self._gone: deque[tuple[float, dict[str, Any]]] = deque()
        # Ids depend on the order of creation, and the database contains them. So people, server and channels are made
        # before the bot registers its commands, which get ids too. Create new things after the others.
        env.backend.bot_user.name = BOT
        names = {**dict.fromkeys(PEOPLE, ENGLISH), **SPEAKERS}
        users = [env.create_user(name.lower(), global_name=name) for name in PEOPLE]
        self.server = env.create_guild(SERVER)
        first = self.server.create_text_channel(CHANNELS[0])
        organiser = self.server.create_role(
            "Organiser", permissions=discord.Permissions(manage_channels=True, manage_guild=True)
        )
        members = [
            self.server.add_member(user, roles=[organiser] if user.global_name == ORGANISER else [])
            for user in users
        ]
        members += [
            self.server.add_member(env.create_user(name.lower(), global_name=name)) for name in SPEAKERS
        ]
        more = [self.server.create_text_channel(name) for name in CHANNELS[1:]]
        self.handles = (first, *more)
        """The server's channels as SimCord takes them, in the order of the page's list."""
        self.roles = (organiser,)
        self.people = {
            member.id: Person(member.id, name, member, locale)
            for member, (name, locale) in zip(members, names.items(), strict=True)
        }
        env.backend.guilds[self.server.id].system_channel_id = first.id
        for person in self.people:
            env.backend.get_dm_channel(person)
        create_group(env, "Ana, Ben, Chen, Dora", [*self.people][: len(PEOPLE)])

    def person(self, key: str) -> Person | None:
        """The person with this name in the page's address."""
        return next((each for each in self.people.values() if each.key == key), None)

    def place(self, number: int) -> Channel | None:
        """The channel, thread or direct messages with this id."""
        return self.env.backend.channels.get(number)

    def follow_clock(self) -> None:
        """Advances the simulated time to the machine's. SimCord does not advance it, so tokens would never expire."""
        behind = self._clock.now() - self.env.now().timestamp()
        if behind > 0:
            self.env.backend.advance_clock(behind)

    def invite(self) -> None:
        """Sends the event of a server that has just invited the bot, which then introduces itself."""
        backend = self.env.backend
        payload = dict(guild_create_payload(backend, backend.guilds[self.server.id]))
        payload.pop("unavailable", None)  # stands in the event of a server that the bot is on
        backend.emit("GUILD_CREATE", payload)

    def look(self) -> None:
        """Takes up what has happened since the last look, and deletes its records."""
        self.follow_clock()
        backend = self.env.backend
        count = len(backend.transcript)
        if not count:
            return
        self.events += count
        for entry in backend.http_requests:
            self.requests.append((self.now(), entry))
            if entry.method == "POST" and entry.path.endswith("/emojis"):
                self._note_emoji(entry.json)
        backend.transcript.clear()
        backend.http_requests.clear()
        self._take_in()
        self._forget_files()
        self._announce()

    def _announce(self) -> None:
        self._changed.set()
        self._changed = asyncio.Event()

    def has_read(self, person: Person, place: Channel) -> None:
        """Notes that a person has seen the calls in a place."""
        left = [each for each in person.calls if each.message.channel_id != place.id]
        if left != person.calls:
            person.calls = left
            self.events += 1
            self._announce()

    async def next_change(self) -> None:
        """Waits for the next request or event."""
        await self._changed.wait()

    async def comes(self, true: Callable[[], object], patience: float) -> bool:
        """Waits until something is true, at most for so many seconds. Returns whether it is."""
        with suppress(TimeoutError):
            async with asyncio.timeout(patience):
                while not true():
                    await self.next_change()
        return bool(true())

    def now(self) -> float:
        """The time of the machine."""
        return self._clock.now()

    def _take_in(self) -> None:
        """Notifies people of new messages; of one that the bot was thinking about, once it has its text."""
        stored = self.env.backend.messages
        for messages in stored.values():
            self._arriving += takewhile(lambda each: each.id > self._newest, reversed(messages.values()))
        there = [each for each in self._arriving if each.id in stored.get(each.channel_id, {})]
        self._newest = max([self._newest, *(each.id for each in there)])
        self._arriving = [each for each in there if each.flags & THINKING]
        for message in sorted(there, key=lambda each: each.id):
            if message.flags & THINKING:
                continue
            place = self.env.backend.channels[message.channel_id]
            for person in self.people.values():
                if _calls(message, person, place) and can_see(self.env, place, person.id):
                    self.called += 1
                    person.calls.append(Call(self.called, message))
        for person in self.people.values():
            person.calls = [
                each for each in person.calls if each.message.id in stored.get(each.message.channel_id, {})
            ]

    def dismiss(self, person: Person, message: int) -> None:
        """Hides a private message from its person."""
        self.dismissed.setdefault(person.id, set()).add(message)

    def _note_emoji(self, uploaded: Any) -> None:
        picture = b64decode(str(uploaded["image"]).partition("base64,")[2])
        for emoji in self.env.backend.application_emojis.values():
            if emoji.name == uploaded["name"]:
                self.emoji[emoji.id] = picture

    def _forget_files(self) -> None:
        """Empties the files that no message has had for a while. Each new picture of a board leaves an old one behind.

        SimCord has no way to delete a file, but a file of the same id replaces it.
        """
        now = self._clock.now()
        messages = (message for each in self.env.backend.messages.values() for message in each.values())
        attached = {file["url"]: file for message in messages for file in message.attachments}
        self._gone.extend((now, self._files[url]) for url in self._files.keys() - attached.keys())
        self._files = attached
        while self._gone and self._gone[0][0] < now - LOADING:
            _, file = self._gone.popleft()
            channel = int(file["url"].split("/")[-3])
            self.env.backend.cdn.store_attachment(int(file["id"]), channel, file["filename"], b"", None)

    async def follow(self) -> None:
        """Takes up what happens, for ever."""
        while True:
            self.look()
            await asyncio.sleep(LOOK)

    async def run_timers(self) -> None:
        """Runs the bot's timers that are due. SimCord holds them back while the bot is busy."""
        while True:
            await asyncio.sleep(TIMERS)
            with suppress(TimeoutError):
                await self.env.settle(timeout=LOOK)


def _calls(message: Message, person: Person, place: Channel) -> bool:
    """Whether a message notifies a person. In direct messages every message of the bot does."""
    if message.author_id == person.id or message.flags & SILENT or message.is_ephemeral:
        return False
    return place.type == ChannelType.DM or person.id in message.ping_user_ids


@asynccontextmanager
async def simulated_discord(client: discord.Client, clock: Clock) -> AsyncGenerator[World]:
    """Starts `client` in a simulated Discord, and closes both at the end."""
    env = simcord.Env(client, settle_timeout=STARTS)
    world = World(env, clock)
    try:
        await env.start()
        # Makes the simulated Discord available to the job loop, which is not one of the bot's tasks.
        with env.time_context():
            # Interaction ids contain the time, and must be unique over several sessions, because the store recognises
            # repeated deliveries by these ids.
            world.follow_clock()
            world.invite()
            # The bot's first words stand above the matches of earlier sessions.
            with suppress(TimeoutError):
                await env.settle(timeout=PRESSES_END)
            yield world
    finally:
        # The bot is closed first, because its tasks may use the simulated Discord.
        await client.close()
        env.settle_timeout = PRESSES_END
        try:
            await env.shutdown()
        except TimeoutError:
            log.warning("gave up a press that was still running")
