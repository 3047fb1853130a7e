"""A private match: its person plays it on one screen, and nobody else learns anything of it."""

from __future__ import annotations

from random import Random

import pytest
from simcord.backend.serializers import message_payload
from simcord.enums import InteractionType
from simcord.interactions import base_payload

from bot.ui.screens.ids import Id
from tests.cogs import some_game
from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.private_matches import LASTS, open_private, private_match, screen_of, to_the_end
from tests.cogs.private_matches import board_of_a_private_match as board_of_a_private_match
from tests.cogs.table_driver import Room
from tests.cogs.test_own_matches import in_dm


async def test_board_and_hand_stand_on_one_screen_and_nothing_stands_in_the_channel(room: Room) -> None:
    ana = room.person("Ana")
    _table, page = await open_private(ana)
    assert page.ephemeral
    assert "**Market** (trade value)" in page.text
    assert "**Dig site**" in page.text
    assert "**Amelia**" in page.text
    assert " · 💰 $" in page.text
    assert page.links == {}, "there is no table message to go to"
    last = await to_the_end(ana, page)
    assert "🏆" in last.text
    assert "**Dig site**" not in last.text, "the result takes the place of the board"
    assert room.pages() == []
    assert message_faults(last.kept.components) == []


async def test_screen_follows_the_agents_without_a_press(room: Room) -> None:
    ana = room.person("Ana")
    table, page = await open_private(ana)
    for _ in range(30):
        before = (await room.table(table.id)).sequence
        page = await some_game.act(ana, page, Random(4))
        if (await room.table(table.id)).sequence > before + 1:
            break
    table = await room.table(table.id)
    assert table.body.asked, "the agents have moved, and the person is asked again"
    assert "it is your turn" in page.text or "Sandstorm" in page.text
    assert page.text == (await screen_of(ana)).text


async def test_private_matches_leave_the_channel_free(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    tables = room.host.tables
    first = await tables.open(private_match(ana))
    second = await tables.open(private_match(ben))
    third = await tables.open(private_match(ana))
    lobby = await ana.command("start")
    assert "Join" in lobby.buttons
    assert [(await room.table(each.id)).status for each in (first, second, third)] == ["playing"] * 3
    assert (await tables.live_in(0)) is None
    listed = await ana.command("/games mine")
    assert "3 matches" in listed.text
    assert "https://discord.com/channels/" in listed.text, "the lobby has a place"
    assert listed.text.count("https://") == 1


@pytest.mark.parametrize(
    "intent", ["hand", "log", "replay", "fairness", "rules", "more", "s.sold", "end", "?"]
)
async def test_nobody_else_may_look(room: Room, intent: str) -> None:
    ana, eve = room.person("Ana"), room.person("Eve")
    table, page = await open_private(ana)
    press = eve.forging(page, str(Id(intent, table.id)))
    await room.deliver(press)
    assert press.answer.text == "This is someone else's private match, and only they can see it."
    take = eve.forging(page, str(Id("take-over", table.id, arg="1")))
    await room.deliver(take)
    assert (await room.table(table.id)).seats[1].user_id is None


async def test_restart_in_the_middle_keeps_the_match_and_its_screen_is_opened_again(room: Room) -> None:
    ana = room.person("Ana")
    table, page = await open_private(ana)
    page = await some_game.act(ana, page, Random(4))
    moves = (await room.table(table.id)).sequence
    await room.restart(crash=True)
    assert (await room.table(table.id)).sequence >= moves
    again = await screen_of(ana)
    assert "**Market** (trade value)" in again.text
    assert "🏆" in (await to_the_end(ana, again)).text
    assert room.pages() == []


async def test_match_ends_when_its_time_is_over(room: Room) -> None:
    ana = room.person("Ana")
    table, page = await open_private(ana)
    await room.later(LASTS - 60)
    assert (await room.table(table.id)).live
    await room.later(61)
    assert (await room.table(table.id)).status == "abandoned"
    answer = await ana.press(page, "Log")
    assert "### The match" in answer.text
    assert room.pages() == []


async def test_once_the_deal_is_open_nothing_can_be_done_in_it_even_before_it_has_ended(room: Room) -> None:
    ana, eve = room.person("Ana"), room.person("Eve")
    table, page = await open_private(ana, opens=room.clock.now() + 60)
    assert "Seed" not in (await ana.press_stale(page, "fairness", table.id)).text
    assert "stays sealed" in (await ana.press_stale(page, "replay", table.id)).text
    await room.later(61)
    assert (await room.table(table.id)).live
    assert "time for this match is over" in (await ana.press(page, "Log")).text
    await room.later(LASTS)
    assert "### The match" in (await eve.press_stale(page, "log", table.id)).text
    assert "Seed" in (await eve.press_stale(page, "fairness", table.id)).text


async def test_pages_take_the_screens_place_and_questions_open_beside_it(room: Room) -> None:
    ana = room.person("Ana")
    table, page = await open_private(ana)
    before = page.text
    for label in ("?", "Log"):
        assert (await ana.press(page, label)) == page
        assert page.text != before
        await ana.press(page, "Hand")
        assert page.text == before
    question = await ana.press(page, "End the Match")
    assert question.id != page.id
    assert question.text == "This ends the match for good."
    assert (await ana.press(question, "End the Match")).text == "The match has ended."
    assert (await room.table(table.id)).status == "abandoned"
    assert "End the Match" not in page.buttons, "the screen has followed"


async def test_deleting_ones_data_ends_the_match(room: Room) -> None:
    ana = room.person("Ana")
    table, _page = await open_private(ana)
    await ana.delete_data()
    table = await room.table(table.id)
    assert table.status == "abandoned"
    assert table.seats[0].user_id is None


async def test_one_persons_private_matches_of_a_minute_are_limited_and_take_no_room_of_a_server(
    room: Room,
) -> None:
    ana = room.person("Ana")
    for _ in range(5):
        await room.host.tables.open(private_match(ana))
    assert len(await room.host.store.live_tables()) == 5


async def test_private_match_is_opened_and_played_in_direct_messages_too(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    del ben
    await ana.press(await ana.press(await room.board(), "More"), "Send My Hand by DM")
    [letter] = room.letters(ana)
    table = await room.host.tables.open(private_match(ana))
    page = await in_dm(room, ana, letter.channel_id, "mine")
    assert "Open" in page.buttons
    assert len(page.links) == 1, "the other match has a place to go to"
    for intent in ("open-own", "log"):
        data = {"custom_id": str(Id(intent, table.id)), "component_type": 2}
        record, payload = base_payload(
            room.env.backend,
            type=InteractionType.MESSAGE_COMPONENT,
            channel_id=letter.channel_id,
            guild_id=None,
            user_id=ana.id,
            data=data,
        )
        payload["message"] = dict(message_payload(room.env.backend, page.kept))
        record.source_message_id = page.id
        room.env.backend.emit("INTERACTION_CREATE", payload)
        await room.env.settle()
        shown = Page(room.env, letter.channel_id, record.message_id or record.followup_ids[-1])
        assert ("**Market** (trade value)" in shown.text) == (intent == "open-own")
        assert ("### The match" in shown.text) == (intent == "log")
