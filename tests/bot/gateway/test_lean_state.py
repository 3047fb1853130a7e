"""The bot remembers little of its servers, and yet notices what it must."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any, cast

import discord
import pytest

from bot.gateway import lean_state as lean
from bot.gateway.lean_state import LeanState
from bot.ui.screens.ids import Id
from bot.ui.screens.kit import ANY_NUMBER, Option, Screen, button, link, menus, read_choices, read_label
from tests.bot.servers import PERSON, channel, role, state_of
from tests.bot.servers import server as any_server

GUILD, CHANNEL, THREAD, OTHER = 1 << 40, 100, 200, 201


class Dispatched:
    """Notes what a state dispatches."""

    def __init__(self) -> None:
        self.events: list[tuple[str, tuple[Any, ...]]] = []

    def __call__(self, event: str, *arguments: Any) -> None:
        self.events.append((event, arguments))

    def of(self, event: str) -> list[Any]:
        return [arguments[0] for name, arguments in self.events if name == event]


@pytest.fixture
def dispatched() -> Dispatched:
    return Dispatched()


@pytest.fixture
async def state(dispatched: Dispatched) -> LeanState:
    client = discord.AutoShardedClient(intents=discord.Intents(guilds=True))
    state = state_of(LeanState, client, dispatched)
    state._get_client = lambda: client
    state.user = discord.ClientUser(state=state, data=cast("Any", {**PERSON, "id": "4242"}))
    return state


def server() -> dict[str, Any]:
    return any_server(GUILD, channels=[CHANNEL, CHANNEL + 1], threads={THREAD: CHANNEL, OTHER: CHANNEL + 1})


def parse(state: LeanState, event: str, data: dict[str, Any]) -> None:
    """Has the state parse an event as discord.py does, which looks the method up when it makes the state."""
    cast("dict[str, Callable[[Any], None]]", state.parsers)[event](data)


async def test_cache_of_a_server_holds_only_its_threads(state: LeanState, dispatched: Dispatched) -> None:
    parse(state, "GUILD_CREATE", server())
    parse(state, "CHANNEL_CREATE", {**channel(CHANNEL + 2), "guild_id": str(GUILD)})
    parse(state, "GUILD_ROLE_CREATE", {"guild_id": str(GUILD), "role": role(GUILD + 2)})
    parse(state, "GUILD_UPDATE", server())
    [guild] = state.guilds
    assert [joined.id for joined in dispatched.of("guild_join")] == [GUILD]
    assert (guild.id, guild.name, len(guild.threads)) == (GUILD, f"Server {GUILD}", 2)
    assert not guild.channels
    assert not guild.roles
    assert not guild.emojis
    assert not guild.members


async def test_deleted_channel_is_dispatched_with_its_threads(
    state: LeanState, dispatched: Dispatched
) -> None:
    parse(state, "GUILD_CREATE", server())
    parse(state, "CHANNEL_DELETE", {**channel(CHANNEL), "guild_id": str(GUILD)})
    gone = [arguments for event, arguments in dispatched.events if event == "channel_gone"]
    assert gone == [(GUILD, CHANNEL), (GUILD, THREAD)]
    parse(state, "CHANNEL_DELETE", {**channel(CHANNEL), "guild_id": str(GUILD + 1)})
    assert dispatched.events[-1] == ("channel_gone", (GUILD + 1, CHANNEL))


def press(channel_kind: int = 0, **more: Any) -> dict[str, Any]:
    return {
        "id": "9",
        "type": 3,
        "application_id": "1",
        "token": "t",
        "version": 1,
        "guild_id": str(GUILD),
        "channel_id": "555",
        "channel": {"id": "555", "type": channel_kind},
        "member": {"user": PERSON, "roles": [], "permissions": "0", "joined_at": None, "flags": 0},
        "data": {"custom_id": "x", "component_type": 2},
        "attachment_size_limit": 1000,
        "app_permissions": "2048",
    } | more


@pytest.mark.parametrize("kind", [0, 2, 5, 11, 12, 13])
async def test_interaction_with_a_sparse_channel_is_parsed(
    state: LeanState, dispatched: Dispatched, kind: int
) -> None:
    parse(state, "GUILD_CREATE", server())
    parse(state, "INTERACTION_CREATE", press(kind))
    [interaction] = dispatched.of("interaction")
    assert interaction.channel.id == 555
    assert interaction.app_permissions.send_messages
    assert isinstance(interaction.channel, discord.Thread) == (kind in (11, 12))


def pressed_message() -> dict[str, Any]:
    """A message with buttons, and with menus in which something is chosen."""
    options = [Option(f"Choice {n}", str(n)) for n in range(30)]
    screen = Screen().text("Your hand").buttons(button("Dig", Id("dig")), button("Log", Id("log")))
    screen.add(menus(Id("take"), "Take", options, chosen=("3", "28"), count=ANY_NUMBER)).rule()
    screen.add(menus(Id("give"), "Give", options[:3])).buttons(link("Table", "https://example.org"))
    return {
        "id": "77",
        "channel_id": "555",
        "type": 0,
        "content": "",
        "author": PERSON,
        "attachments": [],
        "embeds": [],
        "mentions": [],
        "mention_roles": [],
        "mention_everyone": False,
        "edited_timestamp": None,
        "tts": False,
        "pinned": False,
        "flags": 64,
        "components": json.loads(json.dumps(screen.view().to_components())),
    }


async def test_reduced_message_gives_the_same_press(
    state: LeanState, dispatched: Dispatched, monkeypatch: pytest.MonkeyPatch
) -> None:
    message = pressed_message()
    parts = [part for row in message["components"][0]["components"] for part in row.get("components", ())]
    answers: dict[bool, list[Any]] = {True: [], False: []}
    count = dict.fromkeys(answers, 0)
    for whole in answers:
        if whole:
            monkeypatch.setattr(lean, "reduced", lambda message, _pressed: message)
        else:
            monkeypatch.undo()
        for part in parts:
            custom_id = part.get("custom_id", "gone")
            for values in ((), ("2",), ("1", "3", "28")):
                data = {"custom_id": custom_id, "component_type": part["type"], "values": list(values)}
                parse(state, "INTERACTION_CREATE", press(message=message, data=data))
                received = dispatched.of("interaction")[-1].message
                answers[whole].append((read_choices(received), read_label(received, custom_id, values)))
                count[whole] += len(str(received.components))
    assert answers[True] == answers[False]
    choices, label = answers[False][0]
    assert (choices["take"], label) == ({"0": ["3"], "1": ["28"]}, "Dig")
    assert "Choice 1, Choice 3" in {label for _choices, label in answers[False]}
    assert count[False] < count[True] / 3
    assert message == pressed_message(), "what Discord has sent is left alone"
