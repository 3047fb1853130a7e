"""The commands as Discord gets them: what they are, where they work, and when they are registered."""

from __future__ import annotations

import re
from contextlib import closing
from typing import Any

import discord
import pytest
from simcord.enums import InteractionType

from bot.store.model import StoreFull
from bot.ui.screens.lobby import options_text
from tests.bot.store.bytes import reader, traces
from tests.cogs.conftest import Mishaps
from tests.cogs.in_memory import ENGINES, PLAYED, SCREENS
from tests.cogs.limits import command_faults
from tests.cogs.table_driver import Room

IN_SERVERS, BOT_DM, OTHER_DMS = 0, 1, 2
BY_SERVER, BY_PERSON = 0, 1
USER_MENU = 2


def registered(room: Room) -> list[list[dict[str, Any]]]:
    """Each registration of all commands that the bot asked for."""
    return list(room.requests("PUT", "/commands"))


async def test_every_game_has_its_commands_and_the_bot_has_its_own(room: Room) -> None:
    (commands,) = registered(room)
    by_name = {command["name"]: command for command in commands}
    assert {*room.host.screens} <= set(by_name)
    assert {*room.host.games} == {*room.host.screens}
    assert {"games", "privacy"} <= set(by_name)
    for game in room.host.screens:
        names = {option["name"] for option in by_name[game]["options"]}
        assert {"start", "hand", "table", "rules", "log", "leave", "end"} <= names


async def test_commands_keep_discords_limits(room: Room) -> None:
    (commands,) = registered(room)
    assert len(commands) <= 100
    assert [fault for command in commands for fault in command_faults(command)] == []


@pytest.mark.parametrize("key", PLAYED)
def test_every_choice_of_a_setting_is_an_option_of_the_game(key: str) -> None:
    """Discord gives a choice back as text, and the match begins with what the engine makes of it."""
    game, screens = ENGINES[key], SCREENS[key]
    for name, setting in screens.settings().items():
        for value in setting.choices:
            chosen = game.load_options({name: value})
            assert str(chosen.model_dump(mode="json")[name]) == value
            assert options_text(screens, {name: value}), "the lobby says what was chosen"


ON_SERVERS_ALONE = {"setup", "leaderboard", "challenge", "play", "Profile", "Challenge"}
"""The commands that are about a server."""


async def test_commands_work_wherever_a_person_has_installed_the_bot_unless_they_are_about_a_server(
    room: Room,
) -> None:
    (commands,) = registered(room)
    assert {command["name"] for command in commands} >= ON_SERVERS_ALONE
    for command in commands:
        on_servers = command["name"] in ON_SERVERS_ALONE
        places = [IN_SERVERS] if on_servers else [IN_SERVERS, BOT_DM, OTHER_DMS]
        assert command["contexts"] == places, command["name"]
        assert command["integration_types"] == ([BY_SERVER] if on_servers else [BY_SERVER, BY_PERSON])
        assert command.get("dm_permission") is not on_servers, command["name"]


LANGUAGES = {"de", "es-ES", "es-419", "it", "ru"}
SAME_WORD = {"person": {"de"}}
"""The options whose name is the same word in these languages."""
OPTION_NAME = re.compile(r"[-_'\w]{1,32}")
"""Discord's rule for a name, which has no capital letters either."""


async def test_descriptions_options_and_menu_entries_are_translated_and_commands_names_are_not(
    room: Room,
) -> None:
    (commands,) = registered(room)
    pending = [(command, command["name"]) for command in commands]
    while pending:
        part, command = pending.pop()
        names = part.get("name_localizations") or {}
        entry = part in commands and part.get("type") == USER_MENU
        if part.get("type", 1) in (1, 2) and not entry:
            assert not names, "players must be able to tell each other a command's name"
        elif command != "digsite":  # the owners' own
            assert set(names) >= LANGUAGES - SAME_WORD.get(part["name"], set()), part["name"]
        for locale in LANGUAGES:
            options = part.get("options") or []
            shown = [(each.get("name_localizations") or {}).get(locale, each["name"]) for each in options]
            assert len({*shown}) == len(shown), "each option of a command has a name of its own"
        for name in names.values() if not entry else ():
            assert OPTION_NAME.fullmatch(name), name
            assert name == name.lower()
        if entry:
            assert not part.get("description"), "an entry in a person's menu has a name alone"
            continue
        assert part["description"]
        if part["name"] in ENGINES:
            continue  # a title, which may be a name that stays as it is
        translated = part.get("description_localizations") or {}
        assert set(translated) >= LANGUAGES, part["name"]
        pending += [(option, command) for option in part.get("options") or []]


async def test_commands_are_registered_once_and_again_only_when_they_have_changed(room: Room) -> None:
    assert len(registered(room)) == 1
    await room.restart()
    await room.restart(crash=True)
    assert len(registered(room)) == 1
    await room.host.store.set_fact("commands", '{"digest": "that of others"}')
    await room.restart()
    assert len(registered(room)) == 2
    await room.restart()
    assert len(registered(room)) == 2


async def test_an_operator_can_have_them_registered_at_every_start(room: Room) -> None:
    room.settings.register_commands = "always"
    await room.restart()
    assert len(registered(room)) == 2


async def test_a_registration_that_failed_stops_nothing_and_is_made_up_for_at_the_next_start(
    room: Room, mishaps: Mishaps
) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.host.store.set_fact("commands", '{"digest": "that of others"}')
    mishaps.expect("could not be registered")
    room.fail("PUT", "/applications/*/commands", 500)
    await room.restart()
    assert " · 💰 $" in (await ana.press(await room.board(), "Hand")).text
    await room.restart()
    assert len(registered(room)) == 3
    await room.restart()
    assert len(registered(room)) == 3


async def test_the_bot_asks_for_nothing_but_the_servers(room: Room) -> None:
    assert room.bot.intents == discord.Intents(guilds=True)
    assert room.bot.allowed_mentions is not None
    assert room.bot.allowed_mentions.to_dict() == {"parse": []}


async def test_privacy_says_what_is_kept_and_deletes_it(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    answer = await ben.command("/privacy")
    assert answer.ephemeral
    assert "1 match" in answer.text
    assert "- Archaeology: The Card Game · <t:1767225600:d> · under way" in answer.text
    assert f"deleted after {room.settings.keep_days} days" in answer.text
    sure = await ben.press(answer, "Delete My Data")
    assert "no one can restore them" in sure.text
    assert (await ben.press(sure, "Cancel")).text == "Nothing has changed."
    sure = await ben.press(await ben.command("/privacy"), "Delete My Data")
    assert "**Ben**" in (await room.board()).text, "one press deletes nothing"
    done = await ben.press(sure, "Delete Permanently")
    assert "Done" in done.text
    board = await room.board()
    assert "Ben" not in board.text
    nothing = await ben.command("/privacy")
    assert "I store no match" in nothing.text
    assert not nothing.buttons
    assert "**Ana**" in board.text
    assert "🤖\u00a0**—**" in board.text
    (announcement,) = room.announcements()
    assert ana.mention in announcement.text


async def test_when_it_says_done_no_byte_names_the_person_any_more(room: Room) -> None:
    lobby, (ana, ben) = await room.lobby_of("Ana", "Benjamin")
    await (await ben.open_form(lobby, "Lucky Word")).submit(word="abracadabra")
    await room.person("Cara").press(lobby, "Join")
    folder = room.settings.database_path.parent
    assert traces(folder, "Benjamin", ben.id, "abracadabra")
    done = await ben.delete_data()
    assert "Done" in done.text
    assert traces(folder, "Benjamin", ben.id, "abracadabra") == {}
    await ana.press(lobby, "Start Match")
    await room.restart(crash=True)
    assert traces(folder, "Benjamin", ben.id, "abracadabra") == {}


async def test_what_cannot_be_wiped_at_once_is_not_called_done(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    _ana, ben = await room.match_of("Ana", "Benjamin")
    monkeypatch.setattr(room.host.housekeeping.erasures, "_wipe_within", 0.1)
    privacy = await ben.command("/privacy")
    folder = room.settings.database_path.parent
    privacy = await ben.press(privacy, "Delete My Data")
    later = ben.pressing(privacy, "Delete Permanently")
    with closing(reader(room.settings.database_path)):
        answer = await ben.press(privacy, "Delete Permanently")
        assert "traces are still in its files" in answer.text
        assert "Done" not in answer.text
        assert traces(folder, "Benjamin")
        await room.deliver(later.now())
        assert "Done" not in privacy.text
    await room.later(120)
    assert traces(folder, "Benjamin", ben.id) == {}
    await room.deliver(later.now())
    assert "Done" in privacy.text


async def test_what_a_full_disk_keeps_from_being_deleted_is_done_later(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    _ana, ben = await room.match_of("Ana", "Ben")

    async def full(*_given: object) -> None:
        raise StoreFull("no room")

    monkeypatch.setattr(room.host.store, "commit", full)
    answer = await ben.delete_data()
    assert "go on by myself" in answer.text
    monkeypatch.undo()
    await room.later(120)
    assert "I store no match" in (await ben.command("/privacy")).text


async def test_rules_have_pages_and_every_card(room: Room) -> None:
    ana = room.person("Ana")
    page = await ana.command("rules")
    assert page.ephemeral
    texts = [page.text]
    while "Next" in page.buttons:
        await ana.press(page, "Next")
        texts.append(page.text)
    while "Back" in page.buttons:
        await ana.press(page, "Back")
    assert page.text == texts[0]
    await ana.choose(page, "Pages", "How to score well")
    assert page.text.startswith("### How to score well")
    for card in ("Pot Shard", "Parchment Scrap", "Coin", "Talisman", "Broken Cup", "Map", "Pharaoh's Mask"):
        assert any(card in text for text in texts)


async def test_a_command_of_another_version_is_answered(room: Room) -> None:
    """While processes are updated, an older one may be asked for what is new; and clients offer what is gone."""
    gone = {"type": 1, "name": "dance", "options": []}
    data = {"id": "1", "type": 1, "name": room.game, "options": [gone]}
    typed = room.person("Ana").interaction(InteractionType.APPLICATION_COMMAND, data, None)
    await room.deliver(typed)
    assert "another version" in typed.answer.text
    assert typed.answer.ephemeral
    assert len(room.env.errors) == 1, "discord.py's own, which is no error of the bot's"
