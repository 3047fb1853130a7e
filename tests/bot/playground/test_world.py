"""The simulated Discord of the playground, without its page."""

from __future__ import annotations

import asyncio
import stat
from pathlib import Path
from typing import cast

import discord
import pytest

pytest.importorskip("simcord")

from bot.clock import SystemClock
from bot.playground import acts, session
from bot.playground.acts import Acts
from bot.playground.projection import Projection
from bot.playground.session import address_key
from bot.playground.world import LOADING, PEOPLE, World, simulated_discord
from tests.bot.playground.toy import ToyClient
from tests.patience import PATIENCE


class Later(SystemClock):
    """A clock that can be put forward."""

    ahead = 0.0

    def now(self) -> float:
        return super().now() + self.ahead


async def test_old_records_and_pictures_are_deleted(tmp_path: Path) -> None:
    clock = Later()
    client = ToyClient(tmp_path / "toy.sqlite", clock, 1.0)
    async with simulated_discord(client, clock) as world:
        ana, place = Acts(world, world.people[min(world.people)]), world.handles[0].id
        ana.slash(place, "toy start", {})
        await world.env.settle()
        world.look()
        [board] = [each for each in world.env.backend.messages[place].values() if each.attachments]
        pictures: list[str] = []
        for moves in range(5):
            pictures.append(board.attachments[0]["url"])
            ana.press(place, board.id, f"toy:{place}:Dig:{moves}")
            await world.env.settle()
            world.look()
        assert world.env.transcript() == ""
        assert world.env.http_requests == []
        cdn = world.env.backend.cdn
        assert all(cdn.get(url) for url in pictures)  # a page may still be loading them
        clock.ahead = LOADING + 1
        ana.say(place, "Later")
        world.look()
        assert not any(cdn.get(url) for url in pictures)
        assert cdn.get(board.attachments[0]["url"])


async def test_a_bot_that_thinks_for_ever_has_not_responded_after_quarter_of_an_hour(tmp_path: Path) -> None:
    clock = Later()
    client = ToyClient(tmp_path / "toy.sqlite", clock, 1.0)
    client.host.think = asyncio.Event().wait
    async with simulated_discord(client, clock) as world:
        ana, ben, *_ = world.people.values()
        record = Acts(world, ana).slash(world.handles[0].id, "toy ask", {"person": str(ben.id)})
        await acts.answered(world, record)
        message = world.env.backend.messages[world.handles[0].id][record.message_id or 0]
        projection = Projection(world)
        assert projection.message(message)["page"]["failed"] is None
        clock.ahead = acts.THINKING_ENDS + 1
        assert projection.message(message)["page"]["failed"] == "The application did not respond"


async def test_simulated_time_follows_the_machine(tmp_path: Path) -> None:
    client = ToyClient(tmp_path / "toy.sqlite", SystemClock(), 1.0)
    async with simulated_discord(client, SystemClock()) as world:
        world.look()
        assert abs(world.env.now().timestamp() - SystemClock().now()) < 1


async def test_presses_of_people_with_another_language_bear_its_locale(tmp_path: Path) -> None:
    client = ToyClient(tmp_path / "toy.sqlite", SystemClock(), 1.0)
    locales: dict[str, discord.Locale] = {}

    async def note(interaction: discord.Interaction) -> None:
        locales[interaction.user.display_name] = interaction.locale

    vars(client)["on_interaction"] = note
    async with simulated_discord(client, SystemClock()) as world:
        for person in world.people.values():
            Acts(world, person).slash(world.handles[0].id, "toy start", {})
        await world.env.settle()
    assert locales == {
        **dict.fromkeys(PEOPLE, discord.Locale.american_english),
        "Emil": discord.Locale.german,
        "Flor": discord.Locale.spain_spanish,
        "Gaia": discord.Locale.italian,
        "Oleg": discord.Locale.russian,
    }


def test_the_key_is_kept_and_private(tmp_path: Path) -> None:
    file = tmp_path / "key"
    key = address_key(file)
    assert len(key) > 30
    assert address_key(file) == key
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_a_key_file_that_a_killed_start_left_empty_is_filled(tmp_path: Path) -> None:
    file = tmp_path / "key"
    file.touch(0o600)
    key = address_key(file)
    assert len(key) > 30
    assert address_key(file) == key


def test_nothing_private_of_simcord_is_used() -> None:
    """The names of SimCord that begin with an underscore may change with any version."""
    folder = Path(acts.__file__).parent
    for file in folder.glob("*.py"):
        text = file.read_text("utf-8")
        for line in text.splitlines():
            if "simcord" in line and "import" in line:
                assert "._" not in line, f"{file.name}: {line}"
                assert " _" not in line, f"{file.name}: {line}"
        for part in ("env._", "backend._", "cdn._", "actor._", "record._", "reportPrivateUsage"):
            assert part not in text, f"{file.name} uses {part}"


class _Changes:
    """A world as the loop of jobs sees it."""

    def __init__(self) -> None:
        self.events = 0
        self.change = asyncio.Event()

    async def next_change(self) -> None:
        await self.change.wait()
        self.change.clear()


class _NothingDue:
    async def start_due(self) -> float | None:
        return None

    async def repost_all(self) -> None: ...


@pytest.mark.parametrize("ticks", range(6))
async def test_loop_of_jobs_ends_when_it_is_cancelled_together_with_a_change(
    ticks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(session, "LOOK", 0)
    world = _Changes()
    loop = asyncio.create_task(session.run_jobs(_NothingDue(), SystemClock(), cast("World", world)))
    await asyncio.sleep(0.05)
    world.change.set()
    for _ in range(ticks):
        await asyncio.sleep(0)
    loop.cancel()
    done, _pending = await asyncio.wait([loop], timeout=PATIENCE)
    assert done, "the cancellation was lost"
