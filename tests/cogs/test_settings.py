"""The host's settings in the lobby: who may change them and until when, and where everybody sees what they are."""

from __future__ import annotations

import pytest

from bot.settings import Settings
from bot.tables.ending import abandon
from bot.tables.model import HOUR, TURN_LIMITS
from bot.ui.screens.lobby import options_text
from tests.cogs.archaeology_family import crafted
from tests.cogs.in_memory import ENGINES, PLAYED, SCREENS
from tests.cogs.table_driver import Room

LIMIT = "Turn limit"


@pytest.mark.parametrize("key", PLAYED)
async def test_the_host_changes_every_setting_and_all_see_it_in_the_lobby(room: Room, key: str) -> None:
    room.game = key
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    form = await ana.open_form(lobby, "Settings")
    assert form.chosen(LIMIT) == ["24 hours"]
    assert len(form.options(LIMIT)) == len(TURN_LIMITS)
    assert "Turn limit: 15 minutes" in (await form.answer({LIMIT: "15 minutes"})).text
    assert "Turn limit: 15 minutes" in lobby.text
    for name, setting in SCREENS[key].settings().items():
        choices = [*setting.choices.items()]
        for value, shown in reversed(choices):  # the usual one may come first, and holds already
            await ana.fill(lobby, "Settings", {setting.title: shown})
            assert (await ana.open_form(lobby, "Settings")).chosen(setting.title) == [shown]
            line, *_more = options_text(SCREENS[key], {name: value}).splitlines()
            assert line in lobby.text
        if setting.unchosen:
            await ana.fill(lobby, "Settings", {setting.title: setting.unchosen})
            assert (await ana.open_form(lobby, "Settings")).chosen(setting.title) == [setting.unchosen]
            assert name not in (await room.table()).body.options


@pytest.mark.parametrize("key", PLAYED)
async def test_at_first_the_form_shows_what_holds_unless_something_is_chosen(room: Room, key: str) -> None:
    room.game = key
    lobby, (ana,) = await room.lobby_of("Ana")
    form = await ana.open_form(lobby, "Settings")
    usual = ENGINES[key].options_type().model_dump(mode="json")
    for name, setting in SCREENS[key].settings().items():
        assert form.chosen(setting.title) == [setting.unchosen or setting.choices[usual[name]]]
    before = await room.table()
    await form.answer({})
    assert (await room.table()).body == before.body, "no answer was changed"
    assert "The host sets" not in (await ana.command("log")).text


async def test_one_form_changes_all_settings_in_one_step_or_none(room: Room) -> None:
    room.game = "expedition"
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    version = (await room.table()).version
    form = await ana.open_form(lobby, "Settings")
    press = ana.submitting(form, **form.filled({LIMIT: "1 hour", "Monument": "Tomb"}))
    await room.deliver(press, press)
    assert (await room.table()).version == version + 1
    for line in ("Turn limit: 1 hour", "Tomb"):
        assert line in lobby.text
    form = await ana.open_form(lobby, "Settings")
    values = form.filled({LIMIT: "15 minutes"}) | {"option.monument:tomb": ["tower"]}
    await room.deliver(press := ana.submitting(form, **values))
    assert "older version" in press.answer.text
    assert "Turn limit: 1 hour" in lobby.text


async def test_forms_that_are_open_at_once_undo_nothing_of_each_other(room: Room) -> None:
    room.game = "expedition"
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    settings = await ana.press(lobby, "Rules & Settings")
    first, second = [await ana.open_form(settings, "Settings") for _ in range(2)]
    await first.answer({LIMIT: "1 hour"})
    await second.answer({"Monument": "Tomb"})
    assert "Turn limit: 1 hour" in lobby.text
    assert "Tomb" in lobby.text


async def test_only_the_host_may_open_and_use_the_settings(room: Room) -> None:
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben")
    assert "Only the host" in (await ben.press(lobby, "Settings")).text
    form = await ana.open_form(lobby, "Settings")
    await ana.press(lobby, "Leave")
    refused = await form.answer({LIMIT: "1 hour"})
    assert ben.mention in refused.text, "who hosts now is named"
    assert "Turn limit: 24 hours" in lobby.text
    await ben.fill(lobby, "Settings", {LIMIT: "1 hour"})
    assert "Turn limit: 1 hour" in lobby.text


async def test_what_was_set_holds_in_the_match_and_stands_in_its_log(room: Room) -> None:
    room.game = "expedition"
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben")
    await ana.fill(lobby, "Settings", {LIMIT: "1 hour", "Monument": "Tomb"})
    form = await ana.open_form(lobby, "Settings")
    await room.restart(crash=True)
    assert "Turn limit: 1 hour" in lobby.text
    await form.answer({LIMIT: "none"})
    await ana.press(lobby, "Start Match")
    table = await room.table()
    assert (table.body.limit, table.state.monument) == (None, "tomb")
    log = await ben.command("log")
    for line in ("**Turn limit** to 1 hour", "**Monument** to Tomb", "**Turn limit** to none"):
        assert log.text.count(f"The host sets {line}.") == 1
    assert log.text.index("**Turn limit**") < log.text.index("The monument is")


async def test_after_the_start_the_settings_stand_and_an_open_form_says_so(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    more = await ana.press(lobby, "Rules & Settings")
    again, form = ana.pressing(more, "Settings"), await ana.open_form(more, "Settings")
    await ana.press(lobby, "Start Match")
    assert "settings can't be changed any more" in (await form.answer({LIMIT: "1 hour"})).text
    await room.deliver(again)
    assert "settings can't be changed any more" in again.answer.text
    assert (await room.table()).body.limit == 24 * HOUR


async def test_after_the_match_an_open_form_says_that_it_is_over(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    form = await ana.open_form(lobby, "Settings")
    await ana.press(lobby, "Start Match")
    async with room.host.tables.change((await room.table()).id) as draft:
        abandon(draft, "agreed")
    assert "This match is over." in (await form.answer({LIMIT: "1 hour"})).text


async def test_while_the_start_message_is_on_its_way_nothing_can_be_set(room: Room) -> None:
    lobby, (ana, _ben) = await room.lobby_of("Ana", "Ben")
    form = await ana.open_form(lobby, "Settings")
    room.fail("POST", f"/channels/{room.channel.id}/messages", 500, times=None)
    await ana.press(lobby, "Start Match")
    assert (await room.table()).starting
    assert "settings can't be changed any more" in (await form.answer({LIMIT: "1 hour"})).text
    room.heal()
    await room.later(600)
    assert (await room.table()).body.limit == 24 * HOUR


async def test_a_form_of_a_closed_lobby_says_that_it_closed(room: Room) -> None:
    lobby, (ana,) = await room.lobby_of("Ana")
    form = await ana.open_form(lobby, "Settings")
    await ana.press(lobby, "Leave")
    assert "lobby has closed" in (await form.answer({LIMIT: "1 hour"})).text


@pytest.mark.parametrize(
    "values",
    [
        {},
        {"limit:24h": ["tower"]},
        {"limit:24h": []},
        {"limit:24h": ["-"]},
        {"option.monument:-": ["tower"]},
        {"option.monument:-": [""]},
        {"option.colour:-": ["red"]},
        {"limit:24h": ["1h"], "option.monument:-": ["tower"]},
    ],
)
async def test_a_made_up_form_changes_nothing(room: Room, values: dict[str, list[str]]) -> None:
    room.game = "expedition"
    lobby, (ana,) = await room.lobby_of("Ana")
    before = lobby.text
    press = ana.submitting(await ana.open_form(lobby, "Settings"), **values)
    await room.deliver(press)
    assert "older version" in press.answer.text
    assert lobby.text == before


PACE = "Computer players' pace"


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return settings.model_copy(update={"agent_delay": (10.0, 10.0)})


async def test_who_plays_with_agents_alone_sets_their_pace(room: Room) -> None:
    lobby, (ana,) = await room.lobby_of("Ana", agents=1)
    form = await ana.open_form(lobby, "Settings")
    assert form.chosen(PACE) == ["usual"]
    assert PACE not in lobby.text
    await form.answer({PACE: "calm"})
    assert "Computer players' pace: calm" in lobby.text
    form, ben = await ana.open_form(lobby, "Settings"), room.person("Ben")
    assert form.chosen(PACE) == ["calm"]
    await ben.press(lobby, "Join")
    assert PACE not in lobby.text, "two people set no pace"
    await form.answer({PACE: "quick", LIMIT: "1 hour"})
    assert "Turn limit: 1 hour" in lobby.text, "an answer that nobody asks for any more hinders no other"
    assert (await room.table()).body.pace == "calm"
    assert PACE not in (await ana.open_form(lobby, "Settings")).questions


@pytest.mark.parametrize(("pace", "seconds"), [("quick", 3), ("usual", 10), ("calm", 30)])
async def test_an_agent_waits_as_long_as_the_pace_says_also_after_a_restart(
    room: Room, pace: str, seconds: int
) -> None:
    lobby, (ana,) = await room.lobby_of("Ana", agents=1)
    if pace != "usual":
        await ana.fill(lobby, "Settings", {PACE: pace})
    await ana.press(lobby, "Start Match")
    await room.stage(crafted.craft([{"coin": 1}, {"coin": 1}], site=["parchment_scrap"] * 9))
    await ana.press(await ana.press(await ana.hand(), "Dig"), "End Turn")
    await room.restart()
    made = (await room.table()).sequence
    await room.later(seconds - 2)
    assert (await room.table()).sequence == made, "it is not time yet"
    await room.later(3)
    assert (await room.table()).sequence > made
