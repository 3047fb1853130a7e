"""`/games mine`: the matches of a person, the way to them, and nothing that the boards do not show."""

from __future__ import annotations

import re

from simcord.enums import InteractionType
from simcord.interactions import base_payload

from tests.cogs import some_game
from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room


async def mine(person: Person) -> Page:
    return await person.command("/games mine")


async def test_person_at_no_table_is_told_where_to_begin(room: Room) -> None:
    page = await mine(room.person("Ana"))
    assert "0 matches" not in page.text
    assert "`/games list`" in page.text
    assert page.ephemeral


async def test_own_turn_is_told_with_the_others_and_a_link(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning(2))
    first, second = (await mine(ana)).text, (await mine(ben)).text
    title = room.host.screens[room.game].title()
    assert f"▶️ **[{title}](https://discord.com/channels/" in first
    assert str((await room.board()).id) in first
    assert "with **Ben**" in first
    assert "your turn, asked <t:" in first
    assert "1 match · 1 waits for you" in first
    assert "waits for **Ana**, asked <t:" in second
    assert "none waits for you" in second


async def test_a_turn_that_has_just_begun_is_told_by_the_time_of_day(room: Room) -> None:
    """By a reader's clock that is late, it would have begun "in 5 seconds"."""
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning(2))
    page = await mine(ana)
    assert re.search(r"your turn, asked <t:\d+:t>;", page.text)
    await room.later(120)
    assert re.search(r"your turn, asked <t:\d+:R>;", (await ana.press(page, "Refresh")).text)


async def test_a_match_on_a_server_that_removed_the_bot_is_listed_and_waits_for_nobody(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning(2))
    await room.host.housekeeping.removals.left(room.guild.id)
    page = await mine(ana)
    assert "I'm not on its server any more; it goes on when I'm invited again" in page.text
    assert "1 match · none waits for you" in page.text
    assert "▶️" not in page.text
    assert "Open" not in page.buttons
    await room.host.housekeeping.removals.joined(room.guild.id)
    assert "your turn" in (await ana.press(page, "Refresh")).text


async def test_button_opens_the_private_screen_beside_the_list(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning(2))
    page = await mine(ana)
    before = page.text
    hand = await ana.press(page, "Open")
    assert hand.id != page.id
    assert hand.ephemeral
    assert hand.text == (await ana.hand()).text
    assert page.text == before
    assert message_faults(page.kept.components) == []


async def test_list_is_drawn_anew_in_its_own_message(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning(2))
    page = await mine(ana)
    await ana.press(await room.board(), "Dig")
    await ana.press(await ana.hand(), "End Turn")
    again = await ana.press(page, "Refresh")
    assert again.id == page.id
    assert "waits for **Ben**, asked" in again.text


async def test_lobbies_pauses_and_seats_that_were_left_are_told(room: Room) -> None:
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben")
    assert "the lobby is open" in (await mine(ben)).text
    await ana.press(lobby, "Start Match")
    await ben.press(await ben.command("leave"), "Leave Now")
    assert "you have left, and can come back" in (await mine(ben)).text
    assert "Open" not in (await mine(ben)).buttons
    await ana.press(await ana.command("end"), "End the Match")
    assert "You're not at any table" in (await mine(ben)).text
    assert "You're not at any table" in (await mine(ana)).text


async def test_press_in_another_channel_posts_nothing_there(room: Room) -> None:
    """The token of a press posts in the channel of the press, so it must not post for a table elsewhere."""
    ana, _ben = await room.match_of("Ana", "Ben", turn_limit="5m")
    await room.stage(some_game.beginning(2))
    other = room.guild.create_text_channel("elsewhere")
    shown = await ana.actor.slash(other, "games mine")
    assert shown.response is not None
    page = Page(room.env, other.id, shown.response.id)
    pressed = await ana.actor.click(page.as_message(), custom_id=page.buttons["Open"])
    (hand,) = pressed.followups or [pressed.response]
    assert hand is not None
    opened = Page(room.env, other.id, hand.id)
    assert "your hand" in opened.text.lower() or "your turn" in opened.text.lower()
    assert "Dig" in opened.buttons
    await ana.actor.click(opened.as_message(), custom_id=opened.buttons["Dig"])
    assert "End Turn" in Page(room.env, other.id, hand.id).buttons, "one plays on from there"
    await room.later(240)
    (announcement,) = room.announcements()
    assert "⏰" in announcement.text
    elsewhere = room.env.backend.messages.get(other.id, {})
    assert [number for number, kept in elsewhere.items() if not kept.is_ephemeral] == []


async def test_other_people_see_none_of_it(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning(2))
    page = await mine(ana)
    eve = room.person("Eve")
    press = eve.forging(page, page.buttons["Open"])
    await room.deliver(press)
    assert "your hand" not in press.answer.text.lower()
    assert "You're not at any table" in (await mine(eve)).text


async def test_in_direct_messages_the_matches_of_all_servers_are_listed_with_links_alone(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning(2))
    await ana.press(await ana.press(await room.board(), "More"), "Send My Hand by DM")
    [letter] = room.letters(ana)
    page = await in_dm(room, ana, letter.channel_id, "mine")
    assert "your turn, asked <t:" in page.text
    assert page.links["Go"].startswith("https://discord.com/channels/")
    assert set(page.buttons) == {"Refresh"}
    assert "Games" in (await in_dm(room, ana, letter.channel_id, "list")).text


async def in_dm(room: Room, person: Person, channel_id: int, name: str) -> Page:
    """The answer to a command of `/games` in the direct messages with the bot."""
    data = {"id": "1", "name": "games", "type": 1, "options": [{"type": 1, "name": name, "options": []}]}
    record, payload = base_payload(
        room.env.backend,
        type=InteractionType.APPLICATION_COMMAND,
        channel_id=channel_id,
        guild_id=None,
        user_id=person.id,
        data=data,
    )
    room.env.backend.emit("INTERACTION_CREATE", payload)
    await room.env.settle()
    assert record.message_id is not None
    return Page(room.env, channel_id, record.message_id)


# -- lobbies to which a person is asked


async def test_lobby_that_asks_a_person_is_listed_until_they_answer(room: Room) -> None:
    ana, ben, eve = room.person("Ana"), room.person("Ben"), room.person("Eve")
    lobby = await ana.command("/challenge", person=ben.actor, game=room.game)
    page = await mine(ben)
    assert "**Ana** asks you to join" in page.text
    assert "1 invitation waits for your answer" in page.text
    assert "0 matches" not in page.text
    assert "none waits" not in page.text
    assert page.links["Go"].endswith(str(lobby.id))
    assert message_faults(page.kept.components) == []
    assert "asks you" not in (await mine(ana)).text
    assert "asks you" not in (await mine(eve)).text
    await ben.press(lobby, "Join")
    assert "asks you" not in (await mine(ben)).text
    assert "the lobby is open" in (await mine(ben)).text


async def test_host_reads_who_is_asked_and_who_has_declined(room: Room) -> None:
    ana, ben, cara = room.person("Ana"), room.person("Ben"), room.person("Cara")
    lobby = await ana.command("/challenge", person=ben.actor, game=room.game)
    assert f"the lobby is open · {ben.mention} is asked" in (await mine(ana)).text
    await cara.press(lobby, "Join")
    before = (await mine(cara)).text
    await ben.press(lobby, "Not This Time")
    page = await mine(ana)
    assert f"the lobby is open · {ben.mention} has declined" in page.text
    assert page.kept.ping_user_ids == []
    assert (await mine(cara)).text == before, "the host alone is told"


async def test_row_names_the_channel_of_its_table(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    await ana.command("/challenge", person=ben.actor, game=room.game)
    for person in (ana, ben):
        assert f" · <#{room.channel.id}>" in (await mine(person)).text


async def test_declined_lobby_is_not_listed(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    lobby = await ana.command("/challenge", person=ben.actor, game=room.game)
    await ben.press(lobby, "Not This Time")
    assert "asks you" not in (await mine(ben)).text


async def test_lobby_of_play_again_asks_those_who_played(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.last_move(2))
    await some_game.move(ana, await ana.hand())
    await ana.press(await room.result(), "Play Again")
    assert "**Ana** asks you to join" in (await mine(ben)).text
    everywhere = await in_dm(room, ben, room.env.backend.get_dm_channel(ben.id).id, "mine")
    assert "**Ana** asks you to join" in everywhere.text
