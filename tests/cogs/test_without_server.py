"""The bot where it is on no server: in its direct messages, in group DMs, and on servers without it."""

from __future__ import annotations

from pathlib import Path
from random import Random
from typing import get_args

import pytest

from bot.__main__ import main
from bot.app.guild_removals import REMOVAL_GRACE
from bot.people.front.games import greet
from bot.tables.model import Table
from bot.ui.screens.ids import Id
from bot.ui.screens.lessons import LEARN, START
from tests.bot.store.bytes import traces
from tests.cogs import some_game
from tests.cogs.in_memory import ENGINES, PLAYED, SCREENS
from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.private_matches import board_of_a_private_match as board_of_a_private_match
from tests.cogs.private_matches import to_the_end
from tests.cogs.table_driver import Person, Room
from tests.cogs.test_front import pressed
from tests.cogs.without_server import OTHER_SERVER, Elsewhere, Where, elsewhere

EVERYWHERE = pytest.mark.parametrize("where", get_args(Where))
ALONE = pytest.mark.parametrize("where", ["dm", "server"])
"""The places where `start` begins a match alone. In a group DM it opens a table for all (`test_group_dm.py`)."""


def requests_by_the_bot(room: Room, since: int) -> list[str]:
    """The requests with the bot's token: to channels, messages and people."""
    made = room.env.http_requests[since:]
    return [
        f"{each.method} {each.path}" for each in made if "/channels/" in each.path or "/users/" in each.path
    ]


async def only_table(room: Room) -> Table:
    [row] = await room.host.store.live_tables()
    return await room.host.tables.get(row.id)


@ALONE
async def test_start_is_a_whole_match_on_one_screen_by_the_interactions_tokens_alone(
    room: Room, where: Where
) -> None:
    ana = elsewhere(room, "Ana", where)
    before = len(room.env.http_requests)
    page = await ana.command("start", agents=2)
    assert page.ephemeral == (where != "dm")
    assert "**Market** (trade value)" in page.text
    assert " · 💰 $" in page.text
    assert "**Boris**" in page.text
    table = await only_table(room)
    assert table.is_private
    assert table.body.limit is None
    assert [seat.agent for seat in table.seats[1:]] == ["novice", "novice"]
    last = await to_the_end(ana, page)
    assert last.id == page.id, "each press is answered on the same screen"
    assert "🏆" in last.text
    assert {"Play Again", "Replay", "Review", "Fairness", "Log"} <= {*last.buttons}
    assert room.pages() == []
    assert requests_by_the_bot(room, before) == []


@pytest.mark.parametrize("game", PLAYED)
async def test_every_game_is_played_alone_with_as_many_agents_as_it_has_seats(room: Room, game: str) -> None:
    ana, most = elsewhere(room, "Ana", "server"), ENGINES[game].max_seats - 1
    options = {"agents": most, "agent_level": "novice"}
    page = await ana.command(f"/{game} start", **options)
    assert SCREENS[game].title() in page.text
    assert message_faults(page.kept.components) == []
    table = await only_table(room)
    assert len(table.seats) == most + 1
    assert table.body.asked or table.status == "over"


@ALONE
async def test_several_people_are_sent_to_a_server(room: Room, where: Where) -> None:
    ana = elsewhere(room, "Ana", where)
    page = await ana.command("start")
    assert " · 💰 $" in page.text
    assert len((await only_table(room)).seats) == 2
    [pages] = [each for each in room.letters(ana) if each.id != page.id]
    assert "several people needs a group DM, or a server that I'm on" in pages.text
    assert "Invite the Bot" in pages.links
    assert pages.ephemeral == (where != "dm")
    listed = await ana.command("/games list")
    assert "several people needs a group DM" in listed.text
    link = listed.links["Invite the Bot"]
    assert f"client_id={room.env.backend.application_id}&" in link
    refused = await ana.command("start", same_deal="whatever")
    assert "only works on a server that I'm on" in refused.text


@ALONE
async def test_commands_are_about_the_persons_own_match(room: Room, where: Where) -> None:
    ana = elsewhere(room, "Ana", where)
    assert "You aren't playing this game alone" in (await ana.command("hand")).text
    await ana.command("start", agents=1, agent_level="novice")
    for name in ("hand", "table"):
        assert "**Market** (trade value)" in (await ana.command(name)).text
    assert "### The match" in (await ana.command("log")).text
    assert "under way" not in (await ana.command("rules")).text
    assert "1 match" in (await ana.command("/games mine")).text
    assert "for each server" in (await ana.command("/profile")).text
    assert "### Pictures" not in (await ana.command("/settings")).text
    question = await ana.command("leave")
    assert question.text == "This ends the match for good."
    assert (await ana.press(question, "End the Match")).text == "The match has ended."
    assert "### The match" in (await ana.command("log")).text
    assert "You aren't playing this game" in (await ana.command("hand")).text


@ALONE
async def test_after_a_quarter_of_an_hour_and_a_restart_the_match_is_found_again(
    room: Room, where: Where
) -> None:
    ana = elsewhere(room, "Ana", where)
    page = await ana.command("start", agents=1)
    page = await some_game.act(ana, page, Random(4))
    await room.later(16 * 60)
    page = await some_game.act(ana, page, Random(4))
    await room.restart(crash=True)
    assert (await only_table(room)).body.asleep is None
    opened = await ana.press(await ana.command("/games mine"), "Open")
    assert "**Market** (trade value)" in opened.text
    assert "🏆" in (await to_the_end(ana, opened)).text


@pytest.mark.parametrize("name", ["hand", "table", "log", "leave"])
async def test_command_shows_no_deal_that_has_opened_while_its_match_is_about_to_end(
    room: Room, name: str
) -> None:
    ana = elsewhere(room, "Ana", "dm")
    await ana.press(await ana.command("/daily"), "Start")
    assert " · 💰 $" in (await ana.command("hand")).text
    room.clock.advance(86_400)
    assert (await only_table(room)).live
    assert (await ana.command(name)).text.startswith("The time for this match is over")


async def test_in_direct_messages_the_old_screen_goes_on_after_a_restart(room: Room) -> None:
    ana = elsewhere(room, "Ana", "dm")
    page = await ana.command("start", agents=1)
    await room.restart()
    again = await some_game.act(ana, page, Random(4))
    assert again.id == page.id
    assert (await only_table(room)).sequence > 0


async def test_play_again_begins_another_match_of_the_same_kind_below(room: Room, tmp_path: Path) -> None:
    ana = elsewhere(room, "Ana", "server")
    page = await ana.command("start", agents=2, agent_level="novice")
    first = await only_table(room)
    last = await to_the_end(ana, page)
    again = await ana.press(last, "Play Again")
    assert again.id != last.id
    assert "🏆" in last.text
    second = await only_table(room)
    assert [seat.agent for seat in second.seats] == [None, "novice", "novice"]
    assert second.body.host_seed != first.body.host_seed
    fair = await ana.press(last, "Fairness")
    assert "without a lobby" in fair.text
    assert first.body.host_seed in fair.text
    [(name, record)] = fair.files.items()
    (tmp_path / name).write_bytes(record)
    assert main(["verify", str(tmp_path / name)]) == 0
    assert "fingerprint" in (await ana.press(await ana.press(again, "?"), "Fairness")).text.lower()


async def test_as_many_matches_alone_as_open_tables(room: Room) -> None:
    ana = elsewhere(room, "Ana", "dm")
    room.settings.tables_per_person = 2
    await room.restart()
    for _ in range(2):
        assert " · 💰 $" in (await ana.command("start", agents=1)).text
    refused = await ana.command("start", agents=1)
    assert "You've opened 2 tables" in refused.text


@EVERYWHERE
async def test_daily_deal_counts_on_no_servers_board(room: Room, where: Where) -> None:
    ana, ben, cara = elsewhere(room, "Ana", where), elsewhere(room, "Ben", where), room.person("Cara")
    for one in (ana, ben):
        assert " · 💰 $" in (await one.press(await one.command("/daily"), "Start")).text
    assert "on this server" not in (await ana.command("/daily")).text
    for guild in (0, OTHER_SERVER, room.guild.id):
        attempts = await room.host.store.daily.attempts_on(guild, int(room.clock.now() // 86_400))
        assert len(attempts) == (2 if guild == 0 else 0)
    await room.later(86_400)
    yesterday = await ana.press(await ana.command("/daily"), "Yesterday")
    assert f"<@{ben.id}>" not in yesterday.text
    assert ana.mention not in (await cara.press(await cara.command("/daily"), "Yesterday")).text
    assert f"<@{ben.id}>" not in (await ana.press(yesterday, "Month")).text


@EVERYWHERE
async def test_lesson_works_and_leads_to_a_match(room: Room, where: Where) -> None:
    ana = elsewhere(room, "Ana", where)
    assert "1/" in (await ana.command("learn")).text
    shown = await ana.press_id(await ana.command("learn"), str(Id("learn-match", arg=room.game)))
    assert ("Go to the Table" in shown.links) == (where == "group")
    assert (" · 💰 $" in shown.text) == (where != "group")
    assert {table.is_lesson for table in await live(room)} == {True, False}


async def live(room: Room) -> list[Table]:
    return [await room.host.tables.get(row.id) for row in await room.host.store.live_tables()]


async def test_nobody_else_may_look(room: Room) -> None:
    ana, eve = elsewhere(room, "Ana", "server"), elsewhere(room, "Eve", "server")
    page = await ana.command("start", agents=1)
    table = await only_table(room)
    for intent in ("hand", "log", "replay", "fairness", "again", "hint", "?", "end", "end-now"):
        answer = await eve.press_id(page, str(Id(intent, table.id)))
        assert answer.text == "This is someone else's private match, and only they can see it.", intent
    assert "You're not at any table." in (await eve.command("/games mine")).text


@EVERYWHERE
async def test_deleted_data_leave_nothing_of_such_a_match(room: Room, where: Where) -> None:
    ana = elsewhere(room, "Anastasia", where)
    await ana.command("start", agents=1)
    await ana.press(await ana.command("/daily"), "Start")
    folder = room.settings.database_path.parent
    assert traces(folder, "Anastasia", ana.id)
    page = await ana.command("/privacy")
    assert "daily deal that you have begun" in page.text
    sure = await ana.press(page, "Delete My Data")
    assert "Done" in (await ana.press(sure, "Delete Permanently")).text
    assert traces(folder, "Anastasia", ana.id) == {}


async def test_match_goes_with_its_person_to_a_server_and_back(room: Room) -> None:
    ana = elsewhere(room, "Ana", "server")
    await ana.command("start", agents=1)
    assert (await only_table(room)).guild_id == OTHER_SERVER
    for one, server in ((Elsewhere(room, ana.actor, "dm"), 0), (Person(room, ana.actor), room.guild.id)):
        opened = await one.press(await one.command("/games mine"), "Open")
        assert "**Market** (trade value)" in opened.text
        assert (await only_table(room)).guild_id == server
    assert "Join" in (await Person(room, ana.actor).command("start")).buttons, "the channel is free"


async def test_removal_from_a_server_leaves_matches_alone_in_peace(room: Room) -> None:
    ana = elsewhere(room, "Ana", "server")
    page = await ana.command("start", agents=1)
    await room.host.housekeeping.removals.left(OTHER_SERVER)
    await room.host.housekeeping.removals.doubt(OTHER_SERVER)
    await room.later(REMOVAL_GRACE + 60)
    assert (await only_table(room)).body.asleep is None
    assert "**Market**" in (await some_game.act(ana, page, Random(4))).text


# -- the first words


async def test_first_words_on_a_server_stand_once_in_its_system_channel(room: Room) -> None:
    room.env.backend.get_guild(room.guild.id).system_channel_id = room.channel.id
    await room.restart()
    assert room.pages() == [], "a start is no invitation"
    [guild] = room.bot.guilds
    room.bot.dispatch("guild_join", guild)
    await room.env.settle()
    [page] = room.pages()
    assert len(page.text.split("\n")) == 3
    assert [*page.buttons] == ["Games"]
    await room.restart()
    assert len(room.pages()) == 1
    ana, ben = room.person("Ana"), room.person("Ben")
    front = await ana.press(page, "Games")
    assert front.ephemeral
    lobby = await pressed(ana, front, Id(START, arg=room.game))
    assert "Join" in lobby.buttons
    assert not lobby.ephemeral
    lesson = await pressed(ben, await ben.press(page, "Games"), Id(LEARN, arg=room.game))
    assert "1/" in lesson.text
    assert lesson.ephemeral


async def test_where_the_bot_may_not_post_it_says_nothing(room: Room) -> None:
    [guild] = room.bot.guilds
    await greet(room.bot, guild)
    room.env.backend.get_guild(room.guild.id).system_channel_id = room.channel.id
    await room.restart()
    room.forbid(send_messages=True)
    [guild] = room.bot.guilds
    room.bot.dispatch("guild_join", guild)
    await room.env.settle()
    assert room.pages() == []
    room.allow_again()
    await room.host.blocklist.block("server", room.guild.id)
    room.bot.dispatch("guild_join", guild)
    await room.env.settle()
    assert room.pages() == []


def in_dm_of(person: Elsewhere) -> list[Page]:
    return person.room.letters(person)


async def test_first_words_follow_the_first_command_in_direct_messages(room: Room) -> None:
    ana, ben = elsewhere(room, "Ana", "dm"), elsewhere(room, "Ben", "dm")
    await ana.command("/games list")
    listed, words = in_dm_of(ana)
    assert len(words.text.split("\n")) == 3
    assert not listed.ephemeral
    assert not words.ephemeral
    await ana.command("/games mine")
    assert len(in_dm_of(ana)) == 3, "they come once"
    page = await ana.press_id(await ana.press(words, "Games"), str(Id(START, arg=room.game)))
    assert " · 💰 $" in page.text
    await ben.command("start", agents=1)
    await ben.command("/games list")
    assert len(in_dm_of(ben)) == 2, "Ben knows the bot already"


async def test_in_a_group_the_first_words_are_not_said(room: Room) -> None:
    ana = elsewhere(room, "Ana", "group")
    await ana.command("/games list")
    assert len(in_dm_of(ana)) == 1
