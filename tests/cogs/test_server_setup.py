"""`/setup`: who opens tables where on a server, and how tables begin there."""

from __future__ import annotations

from typing import Any

import pytest
from simcord.backend.errors import SetupError
from simcord.components import walk_components

from bot.people.server_setup import screens as server_setup
from bot.store.model import StoreFull
from bot.tables.server_settings import ServerSettings, read_server_settings
from tests.cogs.conftest import Mishaps
from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room

INTENTS = ("CHANGE", "SET_CHANNELS", "SET_ROLE", "SET_ANNOUNCED_IN")


async def pick(person: Person, page: Page, intent: str, *chosen: Any) -> Page:
    """Chooses roles or channels in the menu of this intent; returns the answer."""
    custom_id = next(
        part["custom_id"]
        for part in walk_components(page.kept.components)
        if f":{intent}:" in str(part.get("custom_id"))
    )
    return await person.answered(
        await person.actor.select(page.as_message(), list(chosen), custom_id=custom_id)
    )


@pytest.fixture
def boss(room: Room) -> Person:
    return room.manager("Boss")


async def test_setup_is_for_people_who_manage_the_server(room: Room, boss: Person) -> None:
    shown = await boss.command("/setup")
    assert "Digsite on this server" in shown.text
    assert message_faults(shown.kept.components) == []
    ana = room.person("Ana")
    with pytest.raises(SetupError, match="default-member-permissions"):
        await ana.command("/setup")
    for intent in (server_setup.ASK, server_setup.CHANGE, server_setup.SET_ROLE):
        press = ana.forging(shown, f"ds:0:{intent}::")
        await room.deliver(press)
        assert "Only someone who manages this server" in press.answer.text


async def test_tables_are_opened_in_the_chosen_channels_alone(room: Room, boss: Person) -> None:
    ana, elsewhere = room.person("Ana"), room.guild.create_text_channel("dice")
    shown = await pick(boss, await boss.command("/setup"), server_setup.SET_CHANNELS, elsewhere)
    refused = await ana.command("start")
    assert f"<#{elsewhere.id}>" in refused.text
    assert "/setup" in refused.text
    await pick(boss, shown, server_setup.SET_CHANNELS)
    assert "Join" in (await ana.command("start")).buttons, "no channel chosen means all"


async def test_only_members_of_the_chosen_role_open_tables(room: Room, boss: Person) -> None:
    players = room.guild.create_role("players")
    ana, ben = room.person("Ana"), room.person("Ben")
    user = room.env.create_user("cleo", global_name="Cleo")
    cleo = Person(room, room.guild.add_member(user, roles=[players]))
    await pick(boss, await boss.command("/setup"), server_setup.SET_ROLE, players)
    assert f"<@&{players.id}>" in (await ana.command("start")).text
    lobby = await cleo.command("start")
    await ben.press(lobby, "Join")
    await cleo.press(lobby, "Start Match")
    assert len((await room.table()).seats) == 2, "anybody may join"
    await cleo.press(await cleo.command("end"), "End the Match")


async def test_matches_of_strangers_keep_the_servers_rules_too(room: Room, boss: Person) -> None:
    players = room.guild.create_role("players")
    await pick(boss, await boss.command("/setup"), server_setup.SET_ROLE, players)
    assert f"<@&{players.id}>" in (await room.person("Ana").command("/play")).text


async def test_who_manages_the_server_needs_no_role(room: Room, boss: Person) -> None:
    await pick(boss, await boss.command("/setup"), server_setup.SET_ROLE, room.guild.create_role("players"))
    assert "Join" in (await boss.command("start")).buttons


async def test_tables_begin_with_the_servers_limit_and_language(room: Room, boss: Person) -> None:
    shown = await boss.command("/setup")
    chosen = {"Turn limit": "1 hour", "Language of tables": "Deutsch"}
    assert await boss.fill(shown, "Change Settings", chosen) == shown, "the same screen, refreshed"
    assert "**Turn limit**: 1 hour\n**Language of tables**: Deutsch" in shown.text
    await room.restart()
    lobby = await room.person("Ana").command("start")
    assert "1 Stunde" in lobby.text
    assert "Mitspielen" in lobby.buttons


async def test_a_chosen_limit_goes_before_the_servers(room: Room, boss: Person) -> None:
    await boss.fill(await boss.command("/setup"), "Change Settings", {"Turn limit": "1 hour"})
    assert "5 minutes" in (await room.person("Ana").command("start", turn_limit="5m")).text


async def test_an_opened_table_is_announced_once_in_the_chosen_channel(room: Room, boss: Person) -> None:
    news = room.guild.create_text_channel("news")
    await pick(boss, await boss.command("/setup"), server_setup.SET_ANNOUNCED_IN, news)
    lobby = await room.person("Ana").command("start")
    (said,) = room.env.backend.messages[news.id].values()
    page = Page(room.env, news.id, said.id)
    assert "**Ana** has opened a table" in page.text
    assert str(lobby.id) in page.links["Go to the Table"]
    assert not said.ping_user_ids


async def test_a_table_is_not_announced_in_its_own_channel(room: Room, boss: Person) -> None:
    await pick(boss, await boss.command("/setup"), server_setup.SET_ANNOUNCED_IN, room.channel)
    await room.person("Ana").command("start")
    said = [Page(room.env, room.channel.id, each).text for each in room.env.backend.messages[room.channel.id]]
    assert not any("has opened a table" in text for text in said)


async def test_a_table_stands_although_it_could_not_be_announced(room: Room, boss: Person) -> None:
    news = room.guild.create_text_channel("news")
    await pick(boss, await boss.command("/setup"), server_setup.SET_ANNOUNCED_IN, news)
    room.fail("POST", f"/channels/{news.id}/messages", 403, 50013, times=None)
    lobby = await room.person("Ana").command("start")
    assert "Join" in lobby.buttons
    assert (await room.table()).body.messages.lobby == lobby.id


SWITCHES = "Switched on here"


async def test_pictures_and_ratings_are_switched_for_the_whole_server(room: Room, boss: Person) -> None:
    shown = await boss.command("/setup")
    assert "My operator has switched pictures off" in shown.text
    assert "Pictures" not in (await boss.open_form(shown, "Change Settings")).options(SWITCHES)
    room.host.pictures.cache.on = True  # this test renders none
    shown = await boss.command("/setup")
    assert "**Pictures: on**" in shown.text
    assert "**Results and ratings: on**" in shown.text
    assert "Earlier results stay saved" in shown.text, "said before the press"
    await boss.fill(shown, "Change Settings", {SWITCHES: []})
    assert "**Pictures: off**" in shown.text
    assert "**Results and ratings: off**" in shown.text
    assert message_faults(shown.kept.components) == []
    assert room.host.pictures.choices.text_only("guild", room.guild.id)
    assert await room.host.tables.store.results.is_off("guild", room.guild.id)
    form = await boss.open_form(shown, "Change Settings")
    assert form.chosen(SWITCHES) == []
    await form.answer({SWITCHES: [*form.options(SWITCHES)]})
    assert "**Pictures: on**" in shown.text
    assert "**Results and ratings: on**" in shown.text
    assert "**A thread for each match: on**" in shown.text
    assert not room.host.pictures.choices.text_only("guild", room.guild.id)
    assert not await room.host.tables.store.results.is_off("guild", room.guild.id)


async def test_one_form_changes_all_settings_at_once_or_none(
    room: Room, boss: Person, mishaps: Mishaps, monkeypatch: pytest.MonkeyPatch
) -> None:
    room.host.pictures.cache.on = True  # this test renders none
    shown = await boss.command("/setup")
    chosen = {"Turn limit": "1 hour", "Challenges": "From No One", SWITCHES: []}
    with monkeypatch.context() as full:
        mishaps.expect("could not be saved")

        def fail(*_: object) -> Any:
            raise StoreFull("the disk is full")

        full.setattr("bot.store.choices.set_text_only", fail)  # the last of the form's statements
        assert "nothing was changed" in (await boss.fill(shown, "Change Settings", chosen)).text
    assert await room.host.tables.store.choices.of("guild", room.guild.id) == {}
    await boss.fill(shown, "Change Settings", chosen)
    stored = await room.host.tables.store.choices.of("guild", room.guild.id)
    assert stored == {"turn-limit": "1h", "challengers": "nobody", "ratings": "off"}
    assert await room.host.store.text_only() == [("guild", room.guild.id)]
    back = {
        "Turn limit": "24 hours",
        "Challenges": "From Everyone",
        SWITCHES: ["Pictures", "Results and ratings"],
    }
    await boss.fill(shown, "Change Settings", back)
    assert await room.host.tables.store.choices.of("guild", room.guild.id) == {}


async def test_forms_that_are_open_at_once_undo_nothing_of_each_other(room: Room, boss: Person) -> None:
    other = room.manager("Other")
    first = await boss.open_form(await boss.command("/setup"), "Change Settings")
    second = await other.open_form(await other.command("/setup"), "Change Settings")
    await first.answer({"Turn limit": "1 hour", SWITCHES: ["A thread for each match", "Results and ratings"]})
    shown = await second.answer({"Challenges": "From No One", SWITCHES: []})
    for line in ("Turn limit**: 1 hour", "Challenges**: From No One", "each match: on", "ratings: off"):
        assert line in shown.text


async def test_who_manages_the_server_no_longer_changes_nothing_with_an_open_form(room: Room) -> None:
    boss = room.manager("Eve")
    form = await boss.open_form(await boss.command("/setup"), "Change Settings")
    room.env.backend.get_guild(room.guild.id).members[boss.id].role_ids.clear()
    assert "Only someone who manages this server" in (await form.answer({"Turn limit": "1 hour"})).text
    assert await room.host.tables.store.choices.of("guild", room.guild.id) == {}


async def test_an_open_form_outlives_a_restart(room: Room, boss: Person) -> None:
    shown = await boss.command("/setup")
    form = await boss.open_form(shown, "Change Settings")
    await room.restart(crash=True)
    await form.answer({"Turn limit": "1 hour"})
    assert "**Turn limit**: 1 hour" in shown.text


@pytest.mark.parametrize("intent", [value for name, value in vars(server_setup).items() if name in INTENTS])
async def test_a_forged_choice_changes_nothing(room: Room, boss: Person, intent: str) -> None:
    shown = await boss.command("/setup")
    press = boss.forging(shown, f"ds:0:{intent}::x", ["-1", "x"])
    await room.deliver(press)
    assert "older version" in press.answer.text
    assert await room.host.tables.store.choices.of("guild", room.guild.id) == {}


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"colour:": "red"},
        {"turn-limit:24h": "2y"},
        {"turn-limit:24h": []},
        {"turn-limit:24h": ["1h", "5m"]},
        {"language:discord": ["x"]},
        {"turn-limit:24h": ["1h"], "switched-on:": ["pictures"]},
    ],
)
async def test_a_made_up_form_changes_nothing(room: Room, boss: Person, values: dict[str, Any]) -> None:
    form = await boss.open_form(await boss.command("/setup"), "Change Settings")
    press = boss.submitting(form, **values)
    await room.deliver(press)
    assert "older version" in press.answer.text
    assert await room.host.tables.store.choices.of("guild", room.guild.id) == {}


def test_choices_in_an_unknown_form_count_as_the_default() -> None:
    choices = {"channels": "x 5", "role": "x", "turn-limit": "2y", "announced-in": "-3"}
    assert read_server_settings(choices) == ServerSettings(channels=(5,))
