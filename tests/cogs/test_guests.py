"""People who are asked to a lobby: whom that notifies, who may ask whom, and what a refusal ends."""

from __future__ import annotations

import json

import pytest

from bot.app.host import Host
from bot.cli.export import export
from bot.store.backends import FileBackend
from bot.tables.calling import QuietHours
from bot.tables.guests import AFTER_REFUSAL
from bot.tables.server_settings import CHALLENGERS
from bot.ui.call_choices import QUIET
from tests.cogs import some_game
from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room

HOUR = 3600
ALWAYS = QuietHours(0, 23, "Europe/London")


def lobby_in(room: Room) -> Page:
    """The newest lobby in the channel."""
    return [page for page in room.pages() if "Join" in page.buttons][-1]


async def challenge(person: Person, other: Person) -> Page:
    """Sends the command; returns its last answer."""
    return await person.command("/challenge", person=other.actor, game=person.room.game)


async def challenges(person: Person, other: Person) -> Page:
    """Opens a lobby by a challenge."""
    await challenge(person, other)
    return lobby_in(person.room)


async def quiet(room: Room, person: Person) -> None:
    await room.host.call_choices.choose(person.id, QUIET, ALWAYS)


# -- a refusal


async def test_a_refusal_ends_the_challenges_of_that_person_for_half_a_day(room: Room) -> None:
    ana, ben, cara = (room.person(name) for name in ("Ana", "Ben", "Cara"))
    lobby = await challenges(ana, ben)
    answer = await ben.press(lobby, "Not This Time")
    assert "For 12 hours you can't be challenged again by the same person" in answer.text
    await ana.press(lobby, "Leave")
    refused = await challenge(ana, ben)
    assert refused.ephemeral
    assert f"{ben.mention} has declined when you asked. You can challenge them again <t:" in refused.text
    await cara.press(await challenges(cara, ben), "Leave")
    await room.later(AFTER_REFUSAL - 60)
    assert "has declined" in (await challenge(ana, ben)).text
    await room.later(120)
    assert f"play with {ben.mention}" in (await challenges(ana, ben)).text


async def test_twelve_challengers_notify_a_person_once(room: Room) -> None:
    ben = room.person("Ben")
    notified = list[int]()
    for number in range(12):
        challenger = room.person(f"Friend {number}")
        lobby = await challenges(challenger, ben)
        notified += lobby.kept.ping_user_ids
        assert f"play with {ben.mention}" in lobby.text, "the lobby asks all the same"
        await ben.press(lobby, "Not This Time")
        await challenger.press(lobby, "Leave")
    assert notified == [ben.id]


async def test_challenging_and_leaving_notifies_once_an_hour_and_then_more_seldom(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    notified = list[int]()
    for _ in range(8):
        lobby = await challenges(ana, ben)
        notified.append(len(lobby.kept.ping_user_ids))
        await ana.press(lobby, "Leave")
        await room.later(0.5 * HOUR + 1)
    assert notified == [1, 0, 1, 0, 0, 0, 1, 0]


async def test_playing_again_and_leaving_counts_as_well(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.last_move(2))
    await some_game.move(ana, await ana.hand())
    result = await room.result()
    notified = list[int]()
    for _ in range(3):
        await ana.press(result, "Play Again")
        lobby = lobby_in(room)
        notified += lobby.kept.ping_user_ids
        await ana.press(lobby, "Leave")
    notified += (await challenges(ana, ben)).kept.ping_user_ids
    assert notified == [ben.id]


async def test_a_person_who_joins_is_notified_of_the_next_challenge(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    for _ in range(3):
        lobby = await challenge(ana, ben)
        assert lobby.kept.ping_user_ids == [ben.id]
        assert not lobby.ephemeral, "nothing is said besides"
        await ben.press(lobby, "Join")
        for person in (ana, ben):
            await person.press(lobby, "Leave")


# -- quiet hours


async def test_challenge_in_quiet_hours_is_silent_keeps_the_seat_and_says_so_to_the_challenger(
    room: Room,
) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    await quiet(room, ben)
    said = await challenge(ana, ben)
    assert said.ephemeral, "nobody else reads it"
    assert f"I didn't notify {ben.mention}: I ask silently in people's quiet hours" in said.text
    lobby = lobby_in(room)
    assert f"play with {ben.mention}. Will you **Join**?" in lobby.text
    assert lobby.kept.ping_user_ids == []
    assert (await room.table()).awaited() == [ben.id]


async def test_play_again_and_the_result_are_silent_in_quiet_hours(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await quiet(room, ben)
    await room.stage(some_game.last_move(2))
    await some_game.move(ana, await ana.hand())
    result = await room.result()
    assert result.kept.ping_user_ids == [ana.id]
    await ana.press(result, "Play Again")
    lobby = lobby_in(room)
    assert ben.mention in lobby.text
    assert lobby.kept.ping_user_ids == []


async def test_a_lobby_whose_answer_was_lost_is_posted_by_the_same_rule(room: Room) -> None:
    ana, ben, cara = (room.person(name) for name in ("Ana", "Ben", "Cara"))
    for challenger, guest, silent in ((ana, ben, True), (ana, cara, False)):
        if silent:
            await quiet(room, guest)
        room.fail("POST", "/interactions/*/callback", 404, 10062)
        room.answers_missing += 1
        await challenger.actor.slash(room.channel, "challenge", person=guest.actor, game=room.game)
        await room.catch_up()
        await room.later(60)
        lobby = lobby_in(room)
        assert lobby.kept.ping_user_ids == ([] if silent else [guest.id])
        await challenger.press(lobby, "Leave")


async def test_a_silent_challenge_in_a_thread_says_so_in_its_answer(room: Room) -> None:
    ana, _ben = await room.match_of("Ana", "Ben")
    cara = room.person("Cara")
    await quiet(room, cara)
    answer = await challenge(ana, cara)
    assert "Your table is open in" in answer.text
    assert f"I didn't notify {cara.mention}" in answer.text
    assert (await room.table(2)).awaited() == [cara.id]


# -- who may challenge


async def test_a_person_chooses_by_whom_they_may_be_challenged(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    cara = room.person("Cara")
    await ana.press(await ana.command("end"), "End the Match")
    await ben.press(await ben.command("end"), "End the Match")
    shown = await ben.command("/settings")
    assert "**Challenges**: from everyone." in shown.text
    shown = await ben.choose(shown, "Challenges", "From People Played With")
    assert "**Challenges**: from people with whom you have played." in shown.text
    assert message_faults(shown.kept.components) == []
    refused = await challenge(cara, ben)
    assert refused.ephemeral
    assert f"{ben.mention} can't be challenged by everyone" in refused.text
    lobby = await challenges(ana, ben)
    assert lobby.kept.ping_user_ids == [ben.id]
    await ana.press(lobby, "Leave")
    await ben.choose(shown, "Challenges", "From No One")
    await room.restart()
    assert (await challenge(ana, ben)).text == refused.text, "the reason does not show"
    assert await room.host.store.guests.of_person(cara.id) == []


async def test_play_again_does_not_notify_a_person_whom_nobody_may_challenge(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await ben.choose(await ben.command("/settings"), "Challenges", "From No One")
    await room.stage(some_game.last_move(2))
    await some_game.move(ana, await ana.hand())
    await ana.press(await room.result(), "Play Again")
    lobby = lobby_in(room)
    assert lobby.kept.ping_user_ids == []
    await ben.press(lobby, "Join")


@pytest.mark.parametrize(
    ("chosen", "refusal"),
    [("From No One", "On this server nobody can be challenged"), ("From People Played With", "only people")],
)
async def test_a_server_chooses_who_may_be_challenged_there(room: Room, chosen: str, refusal: str) -> None:
    boss, ana, ben = room.manager("Boss"), room.person("Ana"), room.person("Ben")
    shown = await boss.fill(await boss.command("/setup"), "Change Settings", {"Challenges": chosen})
    assert message_faults(shown.kept.components) == []
    assert refusal in (await challenge(ana, ben)).text
    assert await room.host.store.latest_table(room.channel.id) is None
    await boss.fill(shown, "Change Settings", {"Challenges": "From Everyone"})
    assert await room.host.store.choices.get("guild", room.guild.id, CHALLENGERS) is None
    assert "Join" in (await challenges(ana, ben)).buttons


async def test_forged_choices_of_challengers_change_nothing(room: Room) -> None:
    ben = room.person("Ben")
    shown = await ben.command("/settings")
    await room.deliver(ben.forging(shown, "ds:0:challenged-by::x", ["friends"]))
    assert room.host.call_choices.challenged_by(ben.id) == "everyone"


# -- what is stored of it


async def exported(host: Host, person: Person) -> str:
    place = FileBackend(host.settings.database_path)
    return await export(place, person.id, host.tables.clock.now())


async def test_what_is_stored_is_shown_exported_and_deleted_and_goes_after_a_day(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    lobby = await challenges(ana, ben)
    await ben.press(lobby, "Not This Time")
    await ana.press(lobby, "Leave")
    for person in (ana, ben):
        assert "you asked someone to a lobby or were asked" in (await person.command("/privacy")).text
    data = json.loads(await exported(room.host, ben))
    [asked] = data["asked_to_lobbies"]
    assert (asked["asked_by_you"], asked["notified"]) == (False, True)
    assert asked["declined_at"] >= asked["asked_at"]
    assert str(ana.id) not in json.dumps(data)
    data = json.loads(await exported(room.host, ana))
    [asks] = data["asked_to_lobbies"]
    assert (asks["asked_by_you"], sorted(asks)) == (True, ["asked_at", "asked_by_you", "match"])
    assert str(ben.id) not in json.dumps(data)
    await ben.delete_data()
    assert await room.host.store.guests.of_person(ben.id) == []
    assert await room.host.store.guests.of_person(ana.id) == []
    await challenges(ana, ben)
    await room.later(25 * HOUR)
    assert await room.host.store.guests.of_person(ana.id) == []
