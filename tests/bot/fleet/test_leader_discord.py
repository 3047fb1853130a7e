"""Uploads to Discord once for all processes: the commands and the application's own emoji."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace
from typing import Any, cast

import discord
import pytest
from discord import app_commands

from bot.app.command_sync import REGISTER_AGAIN, Registration
from bot.art.ink import Part, Sketch
from bot.art.picture_cache import PictureCache
from bot.ui.application_emoji.registry import LOOK_AGAIN, EmojiRegistry
from bot.ui.application_emoji.uploads import EmojiUploads, Signs
from tests.bot.fleets import Fleet, Process, until
from tests.manual_clock import ManualClock

# -- commands


class Commands:
    """The registrations of the application's commands at Discord: the names of each registration."""

    def __init__(self) -> None:
        self.registered: list[list[str]] = []
        self.fails = False

    async def put(self, _application: int, payload: list[dict[str, Any]]) -> list[Any]:
        self.registered.append([command["name"] for command in payload])
        if self.fails:
            raise OSError("Discord is away")
        return []


@pytest.fixture
def commands() -> Commands:
    return Commands()


def registration(
    commands: Commands,
    process: Process,
    clock: ManualClock,
    *names: str,
    version: str = "1.0.0",
    **settings: Any,
) -> Registration:
    """The part of a process that registers these commands, of this version of the program."""
    client = discord.Client(intents=discord.Intents.none())
    client._connection.application_id = 4242
    client.http.bulk_upsert_global_commands = commands.put  # type: ignore[method-assign]
    tree = app_commands.CommandTree(client)
    for name in names:

        async def callback(_interaction: discord.Interaction[Any]) -> None: ...

        tree.add_command(app_commands.Command(name=name, description="A game", callback=callback))
    services = replace(
        process.host.services, clock=clock, settings=process.host.settings.model_copy(update=settings)
    )
    return Registration(cast("Any", tree), services, version=version)


async def look(registration: Registration, clock: ManualClock) -> None:
    registration.start_due(clock.now())
    if registration.task is not None:
        await registration.task


async def test_the_leader_registers_the_commands_and_the_others_do_not(
    processes: Fleet, commands: Commands, clock: ManualClock
) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    both = [registration(commands, process, clock, "games", "privacy") for process in (second, first)]
    await both[0].register()
    assert commands.registered == []
    for _ in range(3):
        for each in both:
            await look(each, clock)
    assert commands.registered == [["games", "privacy"]]


async def test_a_new_leader_registers_what_has_changed_since(
    processes: Fleet, commands: Commands, clock: ManualClock
) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    old, new = (
        registration(commands, first, clock, "games"),
        registration(commands, second, clock, "games", "new"),
    )
    await look(old, clock)
    await look(new, clock)
    await first.idle()
    await first.hand_over_to(second)
    await look(old, clock)
    await look(new, clock)
    await look(new, clock)
    assert commands.registered == [["games"], ["games", "new"]]


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("1.9.0", "1.10.0"),
        ("1.9.9", "2.0.0"),
        ("1.9.0+20261122175512.b64bec4f2a10", "1.9.0+20261122175513.0123456789ab"),
        ("1.9.0+20261201000000.b64bec4f2a10", "1.10.0+20261122175513.0123456789ab"),
        ("1.9.0", "1.10.0+20261122175513.0123456789ab"),
    ],
)
async def test_an_older_version_never_registers_its_commands_over_a_newer_ones(
    processes: Fleet,
    commands: Commands,
    clock: ManualClock,
    caplog: pytest.LogCaptureFixture,
    old: str,
    new: str,
) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    await look(registration(commands, first, clock, "games", "new", version=new), clock)
    await first.idle()
    await first.hand_over_to(second)
    older = registration(commands, second, clock, "games", version=old)
    await look(older, clock)
    await look(older, clock)
    assert commands.registered == [["games", "new"]]
    assert caplog.text.count(f"stay those of version {new}") == 1
    await look(registration(commands, second, clock, "games", version=old, register_commands="always"), clock)
    assert commands.registered[-1] == ["games"], "unless the operator wants it"


async def test_a_registration_that_failed_is_tried_again_after_a_while(
    processes: Fleet, commands: Commands, clock: ManualClock
) -> None:
    first = await processes.start("first", 0, 1, 2, 3)
    here = registration(commands, first, clock, "games")
    commands.fails = True
    await look(here, clock)
    await look(here, clock)
    assert len(commands.registered) == 1
    commands.fails = False
    clock.advance(REGISTER_AGAIN)
    await look(here, clock)
    await look(here, clock)
    assert len(commands.registered) == 2


# -- emoji


class Emoji:
    """The application's emoji at Discord, for every process the same."""

    def __init__(self) -> None:
        self.there: dict[str, int] = {}
        self.requests: list[str] = []
        self.application_id = 4242

    async def fetch_application_emojis(self) -> list[Any]:
        self.requests.append("GET")
        return [self._emoji(name) for name in self.there]

    async def create_application_emoji(self, *, name: str, image: bytes) -> Any:
        assert image
        self.requests.append("POST")
        self.there[name] = 1_300_000_000_000_000_000 + len(self.there)
        return self._emoji(name)

    def _emoji(self, name: str) -> Any:
        return SimpleNamespace(name=name, id=self.there[name])


class Drawings:
    """A picture cache that renders everything at once."""

    async def file(self, _picture: Any) -> bytes:
        return b"an emoji"


def drawing(name: str) -> Part:
    return Sketch(name).oval(50, 50, 30, fill="#ccaa44").part()


async def registry_of(process: Process, discord: Emoji, clock: ManualClock) -> EmojiRegistry:
    parts = {"🪙": drawing("coin emoji"), "⛏️": drawing("pick")}
    screens = {"archaeology": SimpleNamespace(emoji_parts=lambda: parts)}
    signs, cache = Signs(cast("Any", screens)), cast("PictureCache", Drawings())
    uploads = EmojiUploads(cast("discord.Client", discord), process.store, cache, signs)
    registry = EmojiRegistry(uploads, clock, process.fleet, on=True)
    await registry.load()
    return registry


async def steps(registry: EmojiRegistry, clock: ManualClock, number: int = 6) -> None:
    for _ in range(number):
        registry.start_due(clock.now())
        if registry.task is not None:
            await registry.task
        clock.advance(registry.between)


def shows(registry: EmojiRegistry) -> int:
    """How many of the two emoji it shows."""
    return sum(emoji.startswith("<") for emoji in map(registry.emoji_map("archaeology").in_text, ("🪙", "⛏️")))


async def test_emoji_are_uploaded_by_the_leader_and_shown_by_all(
    processes: Fleet, clock: ManualClock
) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    there = Emoji()
    ours, theirs = await registry_of(first, there, clock), await registry_of(second, there, clock)
    await steps(theirs, clock)
    assert there.requests == [], "the second asks Discord for nothing"
    await steps(ours, clock)
    assert there.requests == ["GET", "POST", "POST"]
    assert shows(ours) == 2

    async def shown() -> bool:
        return shows(theirs) == 2

    await until(shown)


async def test_new_leader_continues_unfinished_work(processes: Fleet, clock: ManualClock) -> None:
    first, second = await processes.start("first", 0, 1), await processes.start("second", 2, 3)
    there = Emoji()
    ours, theirs = await registry_of(first, there, clock), await registry_of(second, there, clock)
    await steps(theirs, clock)
    await steps(ours, clock, 2)
    assert there.requests == ["GET", "POST"]
    await first.die()
    await second.fleet.take(0, 1)
    await steps(theirs, clock)
    assert there.requests == ["GET", "POST", "GET", "POST"], "nothing is uploaded twice"
    assert shows(theirs) == 2
    clock.advance(LOOK_AGAIN)
    await steps(theirs, clock)
    assert there.requests.count("POST") == 2
