"""`/play`: people who look for somebody to play with wait unseen, and are seated together."""

from __future__ import annotations

import re

import discord
import pytest
from simcord import ChannelHandle, RoleHandle
from simcord.backend.models import Overwrite
from simcord.enums import InteractionType, OverwriteType

from bot.store.model import Wish
from bot.tables.model import DAY, MINUTE
from tests.bot.store.bytes import traces
from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.table_driver import Delivery, Person, Room

VIEW = discord.Permissions(view_channel=True).value


async def look(person: Person, channel: object = None, **options: object) -> Page:
    """Types `/play`, in the room's channel or another one."""
    where = channel or person.room.channel
    return await person.answered(await person.actor.slash(where, "play", **options))  # type: ignore[arg-type]


async def waiting(room: Room) -> list[int]:
    """The people who wait on the server, the longest wait first."""
    return [each.wish.user_id for each in await room.host.store.wishes.candidates(room.guild.id)]


def lobbies(room: Room) -> list[Page]:
    """The lobbies in the channel."""
    return [page for page in room.pages() if "Join" in page.buttons]


async def test_two_people_who_wait_for_the_same_are_seated_and_called_by_one_message(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    screen = await look(ana, game=room.game)
    assert screen.ephemeral
    title = room.host.screens[room.game].title()
    assert f"**{title}** · any number of players · now (5 minutes)" in screen.text
    assert "No one else is looking for a match here yet." in screen.text
    assert re.search(r"Asked: <t:\d+:t>\. Your wish ends by itself <t:\d+:R>\.", screen.text)
    assert message_faults(screen.kept.components) == []
    assert room.pages() == [], "nobody sees that somebody waits"
    answer = await look(ben)
    assert answer.ephemeral
    assert f"**{title}**" in answer.text
    (lobby,) = room.pages()
    assert f"You have found each other: {ben.mention}, {ana.mention}. **Ben** starts the match." in lobby.text
    assert sorted(lobby.kept.ping_user_ids) == sorted([ana.id, ben.id])
    assert message_faults(lobby.kept.components) == []
    assert answer.links["Go to the Table"].endswith(str(lobby.id))
    table = await room.table()
    assert [seat.user_id for seat in table.seats] == [ben.id, ana.id]
    assert [seat.name for seat in table.seats] == ["Ben", "Ana"]
    assert (table.body.limit, table.body.host_id) == (5 * MINUTE, ben.id)
    assert await waiting(room) == []
    await ben.press(lobby, "Start Match")
    assert (await room.table()).status == "playing"
    assert (await room.table()).body.guests == []


async def test_a_person_who_leaves_the_lobby_is_named_no_more_and_others_may_join(room: Room) -> None:
    ana, ben, cara = (room.person(name) for name in ("Ana", "Ben", "Cara"))
    await look(ana, game=room.game)
    await look(ben, game=room.game)
    (lobby,) = lobbies(room)
    await ana.press(lobby, "Leave")
    assert ana.mention not in lobby.text
    await cara.press(lobby, "Join")
    assert cara.mention not in lobby.text
    assert "2. **Cara**" in lobby.text


async def test_games_modes_and_numbers_of_players_have_to_fit(room: Room) -> None:
    ana, ben, cara, dora = (room.person(name) for name in ("Ana", "Ben", "Cara", "Dora"))
    await look(ana, game="archaeology", when="mail")
    assert "1 other person is looking" in (await look(ben, game="archaeology", when="now", seats=2)).text
    assert "2 other people are looking" in (await look(cara, game="artifact", when="now", seats=2)).text
    assert room.pages() == []
    assert await waiting(room) == [ana.id, ben.id, cara.id]
    await look(dora, game="archaeology", when="mail", seats=2)
    table = await room.table()
    assert {seat.user_id for seat in table.seats} == {ana.id, dora.id}
    assert table.body.limit == DAY
    assert await waiting(room) == [ben.id, cara.id]


async def test_three_wait_for_the_third(room: Room) -> None:
    people = [room.person(name) for name in ("Ana", "Ben", "Cara")]
    for person in people:
        assert lobbies(room) == []
        await look(person, game=room.game, seats=3)
    assert {seat.user_id for seat in (await room.table()).seats} == {person.id for person in people}


async def test_a_wish_is_left_by_its_button_and_an_old_screen_ends_no_later_wish(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    old = await look(ana, game="archaeology")
    new = await look(ana, game="artifact", when="mail")
    assert await waiting(room) == [ana.id], "one wish on a server"
    still = await ana.press(old, "Stop Looking")
    assert room.host.screens["artifact"].title() in still.text, "the later wish stays and is shown"
    assert await waiting(room) == [ana.id]
    assert "no longer looking" in (await ana.press(new, "Stop Looking")).text
    assert await waiting(room) == []
    await look(ben)
    assert lobbies(room) == []


async def test_stopping_twice_at_once_does_no_harm(room: Room) -> None:
    ana = room.person("Ana")
    screen = await look(ana)
    twice = [ana.pressing(screen, "Stop Looking"), ana.pressing(screen, "Stop Looking")]
    await room.deliver(*twice)
    assert all(each.answered for each in twice)
    assert await waiting(room) == []


@pytest.mark.parametrize(("when", "lasts"), [("now", 30 * MINUTE), ("mail", 7 * DAY)])
async def test_a_wish_ends_by_itself(room: Room, when: str, lasts: float) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    screen = await look(ana, when=when)
    await room.later(lasts - 1)
    assert await waiting(room) == [ana.id]
    await room.later(2 * MINUTE)
    assert await room.host.store.wishes.of_person(ana.id) == [], "nothing of it is stored any more"
    assert "no longer looking" in (await ana.press(screen, "Look Again")).text
    await look(ben, when=when)
    assert lobbies(room) == []


async def test_restart_while_waiting_loses_nothing(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    screen = await look(ana)
    await room.restart(crash=True)
    assert "You are looking for a match" in (await ana.press(screen, "Look Again")).text
    await look(ben)
    assert {seat.user_id for seat in (await room.table()).seats} == {ana.id, ben.id}


def typing(person: Person) -> Delivery:
    """The command `/play`, not delivered yet."""
    registered = person.room.env.backend.commands[None]
    (number,) = (each["id"] for each in registered.values() if each["name"] == "play")
    data = {"id": str(number), "name": "play", "type": 1, "options": []}
    return person.interaction(InteractionType.APPLICATION_COMMAND, data, None)


async def test_a_channel_with_a_match_is_left_alone_and_the_other_persons_is_taken(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    free = room.guild.create_text_channel("free")
    await room.lobby_of("Cara", "Dora")
    await look(ana, free)
    answer = await look(ben)
    assert f"/{free.id}/" in answer.links["Go to the Table"]
    row = await room.host.store.live_table(free.id)
    assert row is not None
    assert len(lobbies(room)) == 1


async def test_everybody_goes_on_waiting_where_every_channel_has_a_match(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    await room.lobby_of("Cara", "Dora")
    room.forbid(create_public_threads=True)
    await look(ana)
    answer = await look(ben)
    assert f"1 person fits, but another match is already in <#{room.channel.id}>" in answer.text
    assert "Type `/play` in a channel or thread without a match" in answer.text
    assert "I need the permission Create Public Threads. Someone who manages this server" in answer.text
    assert message_faults(answer.kept.components) == []
    assert await waiting(room) == [ana.id, ben.id]
    free = room.guild.create_text_channel("free")
    await look(ben, free)
    assert await room.host.store.live_table(free.id) is not None
    assert await waiting(room) == []


async def test_everybody_goes_on_waiting_where_the_lobby_cannot_be_posted(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    screen = await look(ana)
    room.fail("POST", f"/channels/{room.channel.id}/messages", 403, 50013, times=None)
    answer = await look(ben)
    assert f"Others fit, but I can't post in <#{room.channel.id}>. You all go on waiting." in answer.text
    assert await waiting(room) == [ana.id, ben.id]
    assert await room.host.store.live_table(room.channel.id) is None
    room.heal()
    assert "I have found a match for you" in (await ana.press(screen, "Look Again")).text
    assert len(lobbies(room)) == 1
    assert await waiting(room) == []


def hidden_channel(room: Room) -> tuple[ChannelHandle, RoleHandle]:
    """A channel that only a role and the bot see, and the role."""
    staff, role = room.guild.create_text_channel("staff"), room.guild.create_role("staff")
    for one, kind, allow in (
        (room.guild.id, OverwriteType.ROLE, 0),
        (role.id, OverwriteType.ROLE, VIEW),
        (room.env.backend.bot_user.id, OverwriteType.MEMBER, VIEW),
    ):
        seen = Overwrite(target_id=one, type=kind, allow=allow, deny=VIEW - allow)
        room.env.backend.set_overwrite(staff.id, seen)
    return staff, role


def staff_member(room: Room, name: str, role: RoleHandle) -> Person:
    return Person(
        room, room.guild.add_member(room.env.create_user(name.lower(), global_name=name), roles=[role])
    )


async def test_a_channel_that_a_role_shows_to_all_of_them_takes_their_lobby(room: Room) -> None:
    staff, role = hidden_channel(room)
    await look(staff_member(room, "Ben", role))
    await look(staff_member(room, "Cara", role), staff)
    assert await room.host.store.live_table(staff.id) is not None


async def test_nobody_is_seated_in_a_channel_that_they_cannot_see(room: Room) -> None:
    staff, role = hidden_channel(room)
    ana, ben = room.person("Ana"), staff_member(room, "Ben", role)
    await look(ana)
    answer = await look(ben, staff)
    assert f"/{room.channel.id}/" in answer.links["Go to the Table"], "the channel of the one who asked first"
    assert await room.host.store.live_table(staff.id) is None
    await ana.press(lobbies(room)[0], "Leave")
    await look(ana)
    answer = await look(ben, staff)
    assert f"Others fit, but not all of them can see <#{staff.id}>." in answer.text
    assert await waiting(room) == [ana.id, ben.id]


async def test_a_deleted_channel_leaves_everybody_waiting(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    await look(ana)
    room.fail("POST", f"/channels/{room.channel.id}/messages", 404, 10003)
    answer = await look(ben)
    assert "You all go on waiting" in answer.text
    assert await waiting(room) == [ana.id, ben.id]


async def test_a_lobby_that_is_late_is_posted_by_the_next_redraw(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    screen = await look(ana)
    room.fail("POST", f"/channels/{room.channel.id}/messages", 500, times=None)
    answer = await look(ben)
    assert f"The lobby appears in <#{room.channel.id}> in a moment." in answer.text
    assert all(each.wish.table_id for each in await room.host.store.wishes.candidates(room.guild.id))
    room.heal()
    await room.later(MINUTE)
    (lobby,) = lobbies(room)
    assert sorted(lobby.kept.ping_user_ids) == sorted([ana.id, ben.id])
    assert "I have found a match for you" in (await ana.press(screen, "Look Again")).text
    assert await waiting(room) == [], "those who were seated wait no more"


async def test_a_process_that_dies_before_the_lobby_is_posted_leaves_everybody_waiting(room: Room) -> None:
    """The store has the lobby and the reserved wishes, and Discord has no message for a minute."""
    ana, ben, cara = (room.person(name) for name in ("Ana", "Ben", "Cara"))
    await look(ana)
    room.fail("POST", f"/channels/{room.channel.id}/messages", 500, times=None)
    await look(ben)
    await room.restart(crash=True)
    await room.later(2 * MINUTE)
    room.heal()
    free = room.guild.create_text_channel("free")
    await look(cara, free)
    table = await room.host.tables.get((await room.host.store.live_tables())[-1].id)
    assert {seat.user_id for seat in table.seats} == {ana.id, ben.id, cara.id}
    assert table.channel_id == free.id
    assert await room.host.store.live_table(room.channel.id) is None


async def test_people_who_have_left_the_server_are_skipped_and_forgotten(room: Room) -> None:
    ana, ben, cara = (room.person(name) for name in ("Ana", "Ben", "Cara"))
    await look(ana)
    room.guild.remove_member(ana.actor)
    answer = await look(ben)
    assert "You are looking for a match" in answer.text
    assert lobbies(room) == []
    assert await waiting(room) == [ben.id]
    await look(cara)
    assert {seat.user_id for seat in (await room.table()).seats} == {ben.id, cara.id}


async def test_people_whom_the_operator_blocks_are_skipped_and_refused(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    screen = await look(ana)
    await room.host.blocklist.block("person", ana.id)
    await look(ben)
    assert lobbies(room) == []
    assert "can no longer join my tables" in (await ana.press(screen, "Look Again")).text
    assert "can no longer join my tables" in (await look(ana)).text


async def test_people_over_their_limit_of_tables_are_skipped_and_told(room: Room) -> None:
    room.settings.tables_per_person = 1
    await room.restart()
    ana, ben = room.person("Ana"), room.person("Ben")
    await look(ana)
    other = room.guild.create_text_channel("other")
    await ana.actor.slash(other, f"{room.game} start")
    await look(ben)
    assert lobbies(room) == []
    assert "no one may have more" in (await look(ana)).text
    assert await waiting(room) == [ana.id, ben.id]


async def test_two_who_ask_at_once_are_seated_once(room: Room) -> None:
    ana, ben, cara = (room.person(name) for name in ("Ana", "Ben", "Cara"))
    await look(ana, seats=2)
    asking = [typing(ben), typing(cara)]
    await room.deliver(*asking)
    assert all(each.answered for each in asking)
    rows = await room.host.store.live_tables()
    seated = [seat.user_id or 0 for row in rows for seat in (await room.host.tables.get(row.id)).seats]
    assert len(seated) == len(set(seated))
    assert sorted([*seated, *await waiting(room)]) == sorted([ana.id, ben.id, cara.id])


async def test_a_command_that_is_delivered_twice_is_one_wish(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    await look(ana)
    asking = typing(ben)
    await room.deliver(asking)
    await room.deliver(asking)
    assert len(lobbies(room)) == 1
    assert await waiting(room) == [], "nobody waits once more"


async def test_people_in_their_quiet_hours_are_seated_by_mail_without_a_notification(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    quiet = await ana.choose(await ana.command("/settings"), "Quiet hours", "0:00–9:00")
    await ana.choose(quiet, "Your time zone", "London")
    await look(ana, when="mail")
    await look(ben, when="mail")
    (lobby,) = lobbies(room)
    assert ana.mention in lobby.text
    assert lobby.kept.ping_user_ids == [ben.id]


async def test_the_usual_wait_is_told_from_the_third_match_on(room: Room) -> None:
    cara = room.person("Cara")
    for number, wait in enumerate((4, 12, 20)):
        ana, ben = room.person(f"Ana {number}"), room.person(f"Ben {number}")
        channel = room.guild.create_text_channel(f"channel-{number}")
        await look(ana, channel)
        await room.later(wait * MINUTE)
        await look(ben, channel)
    assert "A match is usually found after 12 minutes." in (await look(cara)).text
    assert "usually" not in (await look(cara, when="mail")).text


async def test_forged_presses_are_refused(room: Room) -> None:
    ana = room.person("Ana")
    screen = await look(ana)
    for arg in ("", "x", "-1", "0", "1_0", "9" * 40):
        await room.deliver(ana.forging(screen, f"ds:0:stop-looking::{arg}"))
    await room.deliver(
        ana.forging(screen, "ds:0:look-for-match::x"), ana.forging(screen, "ds:0:stop-looking::5")
    )
    assert await waiting(room) == [ana.id]


async def test_a_number_of_players_that_no_game_has_is_refused(room: Room) -> None:
    ana = room.person("Ana")
    most = max(game.max_seats for game in room.host.games.values())
    small = min(room.host.games.values(), key=lambda game: game.max_seats)
    if small.max_seats < most:
        assert "has that many players" in (await look(ana, game=small.key, seats=most)).text
    assert await waiting(room) == []


async def test_nothing_is_left_of_a_person_whose_data_is_deleted(room: Room) -> None:
    ana = room.person("Ana")
    await look(ana)
    shown = await ana.command("/privacy")
    assert "your wish for a match on 1 server" in shown.text
    assert "Done" in (await ana.delete_data()).text
    assert await waiting(room) == []
    assert "I store no match" in (await ana.command("/privacy")).text
    await room.host.close()
    assert not traces(room.settings.database_path.parent, ana.id)


async def test_a_person_who_deletes_their_data_leaves_the_lobby_and_its_text(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    await look(ana)
    await look(ben)
    (lobby,) = lobbies(room)
    await ana.delete_data()
    await room.catch_up()
    assert ana.mention not in lobby.text
    assert str(ana.id) not in (await room.table()).row().body


async def test_the_removal_of_the_bot_clears_the_wishes_of_the_server(room: Room) -> None:
    ana = room.person("Ana")
    await look(ana)
    elsewhere = Wish(1, ana.id, 7, 8, None, None, "mail", 0.0, room.clock.now() + DAY)
    await room.host.store.wishes.put(elsewhere)
    room.env.backend.remove_guild(room.guild.id)
    await room.env.settle()
    assert [wish.guild_id for wish in await room.host.store.wishes.of_person(ana.id)] == [1]


async def test_games_mine_offers_it_to_whoever_sits_at_no_table(room: Room) -> None:
    assert "`/play`" in (await room.person("Ana").command("/games mine")).text
