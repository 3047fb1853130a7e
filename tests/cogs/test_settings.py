"""The host's settings in the lobby: who may change them and until when, and where everybody sees what they are."""

from __future__ import annotations

import pytest

from bot.settings import Settings
from bot.tables.ending import abandon
from bot.tables.model import HOUR, TURN_LIMITS
from tests.cogs.archaeology_family import crafted
from tests.cogs.in_memory import ENGINES, PLAYED, SCREENS
from tests.cogs.table_driver import Room

LIMIT = "Turn limit"


@pytest.mark.parametrize("key", PLAYED)
async def test_the_host_changes_every_setting_and_all_see_it_in_the_lobby(room: Room, key: str) -> None:
    room.game = key
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    page = await ana.press(lobby, "Settings")
    assert page.ephemeral
    assert page.menu(LIMIT).chosen == ("24 hours",)
    assert len(page.menu(LIMIT).options) == len(TURN_LIMITS)
    assert await ana.choose(page, LIMIT, "15 minutes") == page
    assert page.menu(LIMIT).chosen == ("15 minutes",)
    assert "Turn limit: 15 minutes" in lobby.text
    for name, setting in SCREENS[key].settings().items():
        for value, shown in setting.choices.items():
            await ana.choose(page, setting.title, shown)
            assert page.menu(setting.title).chosen == (shown,)
            assert (await room.table()).body.options[name] == value
            line, *_more = SCREENS[key].options_text({name: value}).splitlines()
            assert line in lobby.text
        if setting.unchosen:
            await ana.choose(page, setting.title, setting.unchosen)
            assert page.menu(setting.title).chosen == (setting.unchosen,)
            assert name not in (await room.table()).body.options


@pytest.mark.parametrize("key", PLAYED)
async def test_at_first_the_menus_show_what_holds_unless_something_is_chosen(room: Room, key: str) -> None:
    room.game = key
    lobby, (ana,) = await room.lobby_of("Ana")
    page = await ana.press(lobby, "Settings")
    usual = ENGINES[key].options_type().model_dump(mode="json")
    for name, setting in SCREENS[key].settings().items():
        assert page.menu(setting.title).chosen == (setting.unchosen or setting.choices[usual[name]],)


async def test_only_the_host_may_open_and_use_the_settings(room: Room) -> None:
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben")
    assert "Only the host" in (await ben.press(lobby, "Settings")).text
    page = await ana.press(lobby, "Settings")
    await ana.press(lobby, "Leave")
    refused = await ana.choose(page, LIMIT, "1 hour")
    assert ben.mention in refused.text, "who hosts now is named"
    assert "Turn limit: 24 hours" in lobby.text
    page = await ben.press(lobby, "Settings")
    await ben.choose(page, LIMIT, "1 hour")
    assert "Turn limit: 1 hour" in lobby.text


async def test_what_was_set_holds_in_the_match_and_stands_in_its_log(room: Room) -> None:
    room.game = "expedition"
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben")
    page = await ana.press(lobby, "Settings")
    await ana.choose(page, LIMIT, "1 hour")
    await ana.choose(page, "Monument", "Tomb")
    await room.restart(crash=True)
    assert "Turn limit: 1 hour" in lobby.text
    await ana.choose(page, LIMIT, "none")
    await ana.press(lobby, "Start Match")
    table = await room.table()
    assert (table.body.limit, table.state.monument) == (None, "tomb")
    log = await ben.command("log")
    for line in ("**Turn limit** to 1 hour", "**Monument** to Tomb", "**Turn limit** to none"):
        assert f"The host sets {line}." in log.text
    assert log.text.index("**Turn limit**") < log.text.index("The monument is")


async def test_after_the_start_the_settings_stand_and_an_open_screen_says_so(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    page = await ana.press(lobby, "Settings")
    again, chosen = ana.pressing(lobby, "Settings"), ana.choosing(page, LIMIT, "1 hour")
    await ana.press(lobby, "Start Match")
    await room.deliver(chosen)
    assert "settings can't be changed any more" in page.text
    assert "until you press" not in page.text
    assert not page.menus
    await room.deliver(again)
    assert "settings can't be changed any more" in again.answer.text
    assert (await room.table()).body.limit == 24 * HOUR


async def test_after_the_match_an_open_settings_screen_loses_its_menus(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    page = await ana.press(lobby, "Settings")
    first, second = ana.choosing(page, LIMIT, "1 hour"), ana.choosing(page, LIMIT, "15 minutes")
    await ana.press(lobby, "Start Match")
    async with room.host.tables.change((await room.table()).id) as draft:
        abandon(draft, "agreed")
    await room.deliver(first, second)
    assert "### Settings\nThis match is over." in page.text
    assert not page.menus


async def test_while_the_start_message_is_on_its_way_nothing_can_be_set(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    page = await ana.press(lobby, "Settings")
    chosen = ana.choosing(page, LIMIT, "1 hour")
    room.fail("POST", f"/channels/{room.channel.id}/messages", 500, times=None)
    await ana.press(lobby, "Start Match")
    assert (await room.table()).starting
    await room.deliver(chosen)
    assert "settings can't be changed any more" in page.text
    room.heal()
    await room.later(600)
    assert (await room.table()).body.limit == 24 * HOUR


async def test_a_settings_screen_of_a_closed_lobby_says_that_it_closed(room: Room) -> None:
    lobby, (ana,) = await room.lobby_of("Ana")
    page = await ana.press(lobby, "Settings")
    chosen = ana.choosing(page, LIMIT, "1 hour")
    await ana.press(lobby, "Leave")
    await room.deliver(chosen)
    assert "lobby has closed" in page.text
    assert not page.menus


async def test_a_made_up_choice_changes_nothing(room: Room) -> None:
    room.game = "expedition"
    lobby, (ana,) = await room.lobby_of("Ana")
    page = await ana.press(lobby, "Settings")
    before = lobby.text
    for placeholder in (LIMIT, "Monument"):
        custom_id = page.menu(placeholder).custom_id
        for values in (["tower"], [], ["-" if placeholder == LIMIT else ""]):
            forged = ana.forging(page, custom_id, values)
            await room.deliver(forged)
            assert "older version" in forged.answer.text
            page = await ana.press(lobby, "Settings")
    forged = ana.forging(page, page.menu(LIMIT).custom_id.replace("set-limit", "set.colour"), ["red"])
    await room.deliver(forged)
    assert "older version" in forged.answer.text
    assert lobby.text == before


PACE = "Computer players' pace"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"agent_delay": (10.0, 10.0)})


async def test_who_plays_with_agents_alone_sets_their_pace(room: Room) -> None:
    lobby, (ana,) = await room.lobby_of("Ana", agents=1)
    page = await ana.press(lobby, "Settings")
    assert page.menu(PACE).chosen == ("usual",)
    assert PACE not in lobby.text
    await ana.choose(page, PACE, "calm")
    assert page.menu(PACE).chosen == ("calm",)
    assert "Computer players' pace: calm" in lobby.text
    ben = room.person("Ben")
    await ben.press(lobby, "Join")
    assert PACE not in lobby.text, "two people set no pace"
    assert PACE not in [menu.placeholder for menu in (await ana.press(lobby, "Settings")).menus]


@pytest.mark.parametrize(("pace", "seconds"), [("quick", 3), ("usual", 10), ("calm", 30)])
async def test_an_agent_waits_as_long_as_the_pace_says_also_after_a_restart(
    room: Room, pace: str, seconds: int
) -> None:
    lobby, (ana,) = await room.lobby_of("Ana", agents=1)
    if pace != "usual":
        await ana.choose(await ana.press(lobby, "Settings"), PACE, pace)
    await ana.press(lobby, "Start Match")
    await room.stage(crafted.craft([{"coin": 1}, {"coin": 1}], site=["parchment_scrap"] * 9))
    await ana.press(await ana.press(await ana.hand(), "Dig"), "End Turn")
    await room.restart()
    made = (await room.table()).sequence
    await room.later(seconds - 2)
    assert (await room.table()).sequence == made, "it is not time yet"
    await room.later(3)
    assert (await room.table()).sequence > made
