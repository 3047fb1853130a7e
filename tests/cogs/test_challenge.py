"""A challenge: a lobby to which somebody is asked, by a command or from a person's menu."""

from __future__ import annotations

from bot.tables.calling import QuietHours
from bot.ui.call_choices import QUIET
from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room

SILENT = 1 << 12
"""Discord's flag of a message that makes no sound."""


async def from_menu(person: Person, other: Person) -> Page:
    return await person.answered(
        await person.actor.context_menu(person.room.channel, "Challenge", other.actor)
    )


async def test_challenge_opens_a_lobby_that_asks_the_person_once(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    lobby = await ana.command("/challenge", person=ben.actor, game=room.game)
    assert not lobby.ephemeral
    assert f"**Ana** would like to play with {ben.mention}. Will you **Join**?" in lobby.text
    assert lobby.kept.ping_user_ids == [ben.id]
    assert message_faults(lobby.kept.components) == []
    await ben.press(lobby, "Join")
    assert ben.mention not in lobby.text
    assert "would like to play" not in lobby.text
    assert "2. **Ben**" in lobby.text
    await ana.press(lobby, "Start Match")
    assert (await room.table()).body.guests == []


async def test_challenge_from_a_persons_menu_asks_for_the_game_first(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    asking = await from_menu(ana, ben)
    assert asking.ephemeral
    assert ben.mention in asking.text
    assert asking.kept.ping_user_ids == []
    title = room.host.screens["artifact"].title()
    lobby = await ana.press(asking, title)
    assert not lobby.ephemeral
    assert f"with {ben.mention}" in lobby.text
    assert lobby.kept.ping_user_ids == [ben.id]
    table = await room.table()
    assert (table.game.key, table.body.host_id, table.body.messages.lobby) == ("artifact", ana.id, lobby.id)


async def test_ignoring_a_challenge_tells_nothing_and_others_may_join(room: Room) -> None:
    ana, ben, cara = (room.person(name) for name in ("Ana", "Ben", "Cara"))
    lobby = await ana.command("/challenge", person=ben.actor, game=room.game)
    text = lobby.text
    await room.later(3600)
    assert lobby.text == text
    await cara.press(lobby, "Join")
    assert f"with {ben.mention}" in lobby.text
    await room.later(23 * 3600)
    assert (await room.table()).status == "abandoned"
    assert (await room.table()).body.guests == []


async def test_nobody_challenges_themselves_or_a_bot(room: Room) -> None:
    ana = room.person("Ana")
    refused = await ana.command("/challenge", person=ana.actor, game=room.game)
    assert "can't challenge yourself" in refused.text
    assert refused.ephemeral
    assert "can't challenge yourself" in (await from_menu(ana, ana)).text
    assert await room.host.store.latest_table(room.channel.id) is None


async def test_forged_challenges_are_refused(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    asking = await from_menu(ana, ben)
    for arg in (f"chess.{ben.id}", "archaeology.", "archaeology.x", "archaeology.0"):
        press = ana.forging(asking, f"ds:0:challenge::{arg}")
        await room.deliver(press)
    assert await room.host.store.latest_table(room.channel.id) is None


async def test_challenged_person_who_deletes_their_data_is_asked_no_more(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    lobby = await ana.command("/challenge", person=ben.actor, game=room.game)
    await room.host.housekeeping.erasures.forget(ben.id)
    await room.catch_up()
    assert ben.mention not in lobby.text
    assert str(ben.id) not in (await room.table()).row().body


async def test_declining_is_told_to_the_host_alone_and_once(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    lobby = await ana.command("/challenge", person=ben.actor, game=room.game)
    text = lobby.text
    answer = await ben.press(lobby, "Not This Time")
    assert answer.ephemeral
    assert "You have declined. Only **Ana** is told" in answer.text
    await ben.press(lobby, "Not This Time")
    await room.later(60)
    (letter,) = room.letters(ana)
    assert f"{ben.mention} does not want to play" in letter.text
    assert lobby.text == text, "nobody else sees it"
    assert room.letters(ben) == []
    await ben.press(lobby, "Join")
    assert "2. **Ben**" in lobby.text
    await ana.press(lobby, "Start Match")
    assert (await room.table()).body.declined == []


async def test_host_is_told_without_a_sound_in_quiet_hours(room: Room) -> None:
    ana, ben, cara = (room.person(name) for name in ("Ana", "Ben", "Cara"))
    for guest, quiet in ((ben, True), (cara, False)):
        hours = QuietHours(0, 23, "Europe/London") if quiet else None
        await room.host.call_choices.choose(ana.id, QUIET, hours)
        lobby = await ana.command("/challenge", person=guest.actor, game=room.game)
        await guest.press(lobby, "Not This Time")
        await ana.press(lobby, "Leave")
        assert bool(room.letters(ana)[-1].kept.flags & SILENT) == quiet


async def test_decline_that_is_delivered_twice_is_told_once(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    lobby = await ana.command("/challenge", person=ben.actor, game=room.game)
    await ben.press(lobby, "Not This Time")
    async with room.host.tables.change((await room.table()).id) as draft:
        draft.table.body.declined.clear()  # as if another process had not seen the first press
        draft.touch()
    await ben.press(lobby, "Not This Time")
    assert len(room.letters(ana)) == 1


async def test_only_people_who_were_asked_can_decline(room: Room) -> None:
    ana, ben, cara = (room.person(name) for name in ("Ana", "Ben", "Cara"))
    lobby = await ana.command("/challenge", person=ben.actor, game=room.game)
    assert "You weren't asked" in (await cara.press(lobby, "Not This Time")).text
    await ben.press(lobby, "Join")
    answer = await room.deliver(ben.forging(lobby, f"ds:{(await room.table()).id}:decline::"))
    assert answer is None or "already sit" in answer.text
    assert room.letters(ana) == []


async def test_a_seat_is_kept_for_whoever_was_asked_until_they_decline(room: Room) -> None:
    ana, ben, cara = (room.person(name) for name in ("Ana", "Ben", "Cara"))
    lobby = await ana.command("/challenge", person=ben.actor, game=room.game)
    most = room.host.tables.games[room.game].max_seats
    for number in range(most - 2):
        await room.person(f"Friend {number}").press(lobby, "Join")
    refused = (await cara.press(lobby, "Join")).text
    ends = int((await room.table()).created_at) + 3601
    assert "seats are kept for the people who were asked" in refused
    assert refused.endswith(f"or <t:{ends}:R>.")
    await ben.press(lobby, "Not This Time")
    await cara.press(lobby, "Join")
    assert f"{most}. **Cara**" in lobby.text


async def test_person_who_declined_and_deletes_their_data_is_forgotten(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    lobby = await ana.command("/challenge", person=ben.actor, game=room.game)
    await ben.press(lobby, "Not This Time")
    assert (await room.table()).body.declined == [ben.id]
    await room.host.housekeeping.erasures.forget(ben.id)
    await room.catch_up()
    assert str(ben.id) not in (await room.table()).row().body
