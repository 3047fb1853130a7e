"""Those changes of the playground to SimCord that no page shows."""

from __future__ import annotations

from pathlib import Path

import discord

from bot.clock import SystemClock
from bot.playground.simcord_patches import forget_old_pictures
from bot.playground.world import PEOPLE, simulated_discord
from tests.bot.playground.toy import ToyClient


async def test_old_records_and_pictures_are_deleted(tmp_path: Path) -> None:
    client = ToyClient(tmp_path / "toy.sqlite", SystemClock(), 1.0)
    async with simulated_discord(client, SystemClock()) as world:
        ana = world.people[0]
        before = world.events()
        await ana.slash(world.channel, "toy start")
        for _ in range(5):
            board = world.channel.last_message
            assert board is not None
            await ana.click(board, label="Dig")
        assert world.events() > before
        assert world.env.transcript() == ""
        assert world.env.http_requests == []

        forget_old_pictures(world.env)
        kept = world.env.backend.cdn._blobs  # pyright: ignore[reportPrivateUsage]
        board = world.channel.last_message
        assert board is not None
        assert list(kept) == [board.attachments[0].url]


async def test_simulated_time_follows_the_machine(tmp_path: Path) -> None:
    client = ToyClient(tmp_path / "toy.sqlite", SystemClock(), 1.0)
    async with simulated_discord(client, SystemClock()) as world:
        await world.catch_up()
        assert abs(world.env.now().timestamp() - SystemClock().now()) < 1


async def test_presses_of_people_with_another_language_bear_its_locale(tmp_path: Path) -> None:
    client = ToyClient(tmp_path / "toy.sqlite", SystemClock(), 1.0)
    locales: dict[str, discord.Locale] = {}

    async def note(interaction: discord.Interaction) -> None:
        locales[interaction.user.display_name] = interaction.locale

    vars(client)["on_interaction"] = note
    async with simulated_discord(client, SystemClock()) as world:
        for person in world.people:
            await person.slash(world.channel, "toy start")
    assert locales == {
        **dict.fromkeys(PEOPLE, discord.Locale.american_english),
        "Emil (Deutsch)": discord.Locale.german,
        "Flor (Español)": discord.Locale.spain_spanish,
        "Gaia (Italiano)": discord.Locale.italian,
        "Oleg (Русский)": discord.Locale.russian,
    }
