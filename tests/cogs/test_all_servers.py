"""The list across servers: only people who have joined, under their account's name, and no server is named."""

from __future__ import annotations

import pytest

from tests.bot.store.bytes import traces
from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room
from tests.cogs.test_results import past


async def join(person: Person) -> Page:
    asked = await person.press(await person.command("/profile"), "Join All Servers")
    assert f"**{person.name}**" in asked.text
    return await person.press(asked, "Yes, Add Me")


async def every_server(person: Person) -> Page:
    return await person.press(await person.command("/leaderboard"), "All Servers")


@pytest.fixture
def elsewhere(room: Room) -> int:
    """Another server that the bot is on."""
    return room.env.create_guild("Hidden Valley").id


async def test_only_people_who_said_yes_are_listed_until_they_leave(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    await past(room, {ana.id: 1, ben.id: 2})
    before = await every_server(ben)
    assert "No one is in this list yet" in before.text
    shown = await join(ana)
    assert "**Ana**" in shown.text
    assert "👉" in shown.text
    seen = await every_server(ben)
    assert "**Ana**" in seen.text
    assert "1 of 1 won" in seen.text
    assert "Ben" not in seen.text
    assert ana.mention not in seen.text
    assert message_faults(seen.kept.components) == []
    assert "Leave All Servers" in (await ana.command("/profile")).buttons
    left = await ana.press(shown, "Leave All Servers")
    assert "No one is in this list yet" in left.text
    assert "Join All Servers" in (await ana.command("/profile")).buttons
    assert ana.mention in (await ben.press(seen, "This Server")).text


async def test_the_rating_of_the_server_with_most_rated_matches_counts(room: Room, elsewhere: int) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    await past(room, {ana.id: 1, ben.id: 2}, times=2)
    await past(room, {ana.id: 2, ben.id: 1}, times=3, guild=elsewhere)
    for person in (ana, ben):
        await join(person)
    seen = await every_server(ana)
    assert seen.text.index("**Ben**") < seen.text.index("**Ana**")
    assert "3 of 3 won" in seen.text
    assert "0 of 3 won" in seen.text
    assert "Hidden Valley" not in seen.text
    assert str(elsewhere) not in seen.text
    results = room.host.store.results
    await results.begin_season(elsewhere, 1, 5.0)
    assert "2 of 2 won" in (await every_server(ana)).text, "seasons that have ended do not count"
    assert room.channel.guild is not None


async def test_hidden_results_and_switched_off_servers_are_left_out(room: Room, elsewhere: int) -> None:
    ana, ben = room.person("Ana"), room.manager("Ben")
    await past(room, {ana.id: 1, ben.id: 2})
    await past(room, {ana.id: 2, ben.id: 1}, times=2, guild=elsewhere)
    for person in (ana, ben):
        await join(person)
    results = room.host.store.results
    await results.switch("guild", elsewhere, on=False)
    assert "1 of 1 won" in (await every_server(ben)).text
    await results.switch("person", ana.id, on=False)
    seen = await every_server(ben)
    assert "**Ana**" not in seen.text
    assert "Leave All Servers" in (await ana.command("/profile")).buttons
    await ben.press(await ben.command("/leaderboard"), "Switch Off Here")
    press = ana.forging(seen, "ds:0:leaderboard-all::archaeology.0")
    await room.deliver(press)
    assert "stores no results" in press.answer.text


async def test_name_in_the_list_is_not_that_of_the_server_and_is_harmless(room: Room) -> None:
    ana = room.person("**Ana**")
    ben = room.person("Ben")
    room.env.backend.edit_member(room.guild.id, ana.id, {"nick": "The Digger"})
    await past(room, {ana.id: 1, ben.id: 2})
    asked = await ana.press(await ana.command("/profile"), "Join All Servers")
    await ana.press(asked, "Yes, Add Me")
    seen = await every_server(ben)
    assert r"\*\*Ana\*\*" in seen.text
    assert "The Digger" not in seen.text


async def test_forged_presses_change_nothing(room: Room) -> None:
    ana = room.person("Ana")
    board = await ana.command("/leaderboard")
    for custom_id in (
        "ds:0:listing::maybe",
        "ds:0:leaderboard-all::archaeology",
        "ds:0:leaderboard-all::chess.0",
        f"ds:0:leaderboard-all::archaeology.{'9' * 30}",
        "ds:0:leaderboard-all-game::0",
    ):
        press = ana.forging(board, custom_id)
        await room.deliver(press)
        assert press.answered
    assert not await room.host.store.results.is_listed(ana.id)


async def test_deletion_takes_the_name_out_of_the_list_and_of_every_byte(room: Room) -> None:
    ana, ben = room.person("Anastasia Quillfeather"), room.person("Ben")
    await past(room, {ana.id: 1, ben.id: 2})
    await join(ana)
    await ana.delete_data()
    assert "No one is in this list yet" in (await every_server(ben)).text
    folder = room.settings.database_path.parent
    await room.host.store.settle()
    assert traces(folder, ana.id) == {}
    assert all(b"Quillfeather" not in file.read_bytes() for file in folder.iterdir() if file.is_file())
