"""A person's language, and the hand in the message that calls them: what they read, and that nobody else does."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from typing import Any

import discord
import pytest

from bot.cli.export import export
from bot.language import languages
from bot.store.backends import backend_of
from bot.tables import play, seats
from bot.tables.model import MINUTE, Table
from bot.ui.display import letters
from bot.ui.sender import Sender
from engine.archaeology_family.moves import EndTurn
from tests.bot.store.bytes import traces
from tests.cogs.archaeology_family import crafted
from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room
from tests.cogs.test_calls import HOUR, by_dm, quiet, rung, turn_ends
from tests.cogs.test_digests import every
from tests.cogs.test_threads import forget_nonces

MENU = "When it is your turn"
HAND = "Write to Me, with My Hand"


async def speak(person: Person, language: str) -> Page:
    return await person.choose(await person.command("/settings"), "Language", language)


async def with_hand(person: Person) -> Page:
    return await person.choose(await person.command("/settings"), MENU, HAND)


async def match(room: Room) -> tuple[Person, Person]:
    """Ana is to dig; Ben, who is next, has nine Pot Shards that nobody else can know of."""
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(crafted.craft([{"coin": 1}, {"pot_shard": 9}], site=["coin"] * 6))
    return ana, ben


async def exported(room: Room, person: Person) -> str:
    return await export(backend_of(room.settings), person.id, room.clock.now())


# -- the language


async def test_whatever_a_person_alone_reads_is_in_their_language_and_the_table_in_the_servers(
    room: Room,
) -> None:
    ana, ben = await match(room)
    screen = await by_dm(ben)
    shown = await ben.choose(screen, "Language", "Deutsch")
    assert "### Deine Einstellungen" in shown.text
    assert shown.menu("Sprache").chosen == ("Deutsch",)
    assert message_faults(shown.kept.components) == []
    assert "Dein Zug" not in (await room.board()).text
    assert "cards · 💰" not in (await ben.hand()).text
    assert "Deine Hand" in (await ben.hand()).text
    refused = await ben.press(await room.board(), "Dig")
    assert "Du bist noch nicht dran" in refused.text
    await turn_ends(room, ana)
    (letter,) = room.letters(ben)
    assert "Zum Tisch" in letter.links
    (announcement,) = room.announcements()
    assert "it's your turn" in announcement.text
    assert "Your settings" in (await ana.command("/settings")).text


async def test_list_of_waiting_matches_is_in_the_chosen_language_even_if_it_is_chosen_later(
    room: Room,
) -> None:
    ana, ben = await match(room)
    await every(ben, 3)
    await speak(ben, "Italiano")
    await turn_ends(room, ana)
    await room.later(3 * HOUR)
    (letter,) = room.letters(ben)
    assert "Le tue partite" in letter.text


async def test_host_reads_in_their_language_that_somebody_declines(room: Room) -> None:
    ana, ben = room.person("Ana"), room.person("Ben")
    await speak(ana, "Español")
    title = room.host.screens[room.game].title()
    lobby = await ana.command("/challenge", person=ben.actor, game=room.game)
    assert title in lobby.text
    await ben.press(lobby, "Not This Time")
    (letter,) = room.letters(ana)
    assert "esta vez" in letter.text


async def test_language_is_kept_over_a_restart_and_discords_own_comes_back(room: Room) -> None:
    ben = room.person("Ben")
    room.locales[ben.id] = "de"
    assert "Deine Einstellungen" in (await ben.command("/settings")).text
    english = await ben.choose(await ben.command("/settings"), "Sprache", "English")
    assert "Your settings" in english.text
    names = set(english.menu("Language").options) - {"The language of my Discord"}
    assert names == {"English", "Deutsch", "Español", "Italiano", "Русский"}
    assert len(names) == len(languages())
    await room.restart()
    shown = await ben.command("/settings")
    assert "Your settings" in shown.text
    back = await ben.choose(shown, "Language", "The language of my Discord")
    assert "Deine Einstellungen" in back.text
    assert await room.host.store.choices.of("person", ben.id) == {}


async def test_language_is_shown_exported_and_deleted(room: Room) -> None:
    ben = room.person("Ben")
    await speak(ben, "Русский")
    assert json.loads(await exported(room, ben))["choices"] == {"language": "ru"}
    answer = await ben.command("/privacy")
    assert "язык" in answer.text
    await ben.press(await ben.press(answer, "Удалить мои данные"), "Удалить навсегда")
    assert "Your settings" in (await ben.command("/settings")).text
    assert traces(room.settings.database_path.parent, ben.id) == {}


# -- the hand in the call


async def test_hand_comes_with_the_call_and_is_in_no_channel(room: Room) -> None:
    ana, ben = await match(room)
    shown = await with_hand(ben)
    assert "I send you your hand by direct message" in shown.text
    assert message_faults(shown.kept.components) == []
    await turn_ends(room, ana)
    (letter,) = room.letters(ben)
    table = await room.table()
    hand = room.host.screens[room.game].private_text(table.game.view(table.state, 1))
    assert "9 Pot Shards" in hand
    assert hand in letter.text
    assert str((await room.board()).id) in letter.links["Go to the Table"]
    assert letter.buttons == {}, "a text to read"
    assert rung(room) == []
    for page in room.pages():
        assert page.ephemeral or "9 Pot" not in page.text
    assert "9 Pot" not in (await ana.hand()).text
    assert not room.letters(ana)


async def test_one_letter_is_edited_in_a_turn_and_gone_after_it(room: Room) -> None:
    ana, ben = await match(room)
    await with_hand(ben)
    await turn_ends(room, ana)
    (letter,) = room.letters(ben)
    assert "1 Coin" not in letter.text
    await ben.press(await room.board(), "Dig")
    await room.minds_wander()
    assert room.letters(ben) == [letter]
    assert "1 Coin" in letter.text
    await ben.press(await ben.hand(), "End Turn")
    await room.minds_wander()
    assert room.letters(ben) == []
    assert (await room.table()).body.messages.letters == {}
    await turn_ends(room, ana)
    (next_letter,) = room.letters(ben)
    assert next_letter.id != letter.id, "an edit would notify nobody"


async def test_letter_from_before_a_crash_is_deleted_too(room: Room) -> None:
    ana, ben = await match(room)
    await with_hand(ben)
    await turn_ends(room, ana)
    (letter,) = room.letters(ben)
    await room.restart(crash=True)
    assert room.letters(ben) == [letter]
    await turn_ends(room, ben)
    assert room.letters(ben) == []


async def test_without_direct_messages_the_call_is_at_the_table_and_has_no_hand(room: Room) -> None:
    ana, ben = await match(room)
    await with_hand(ben)
    room.fail("POST", "/users/@me/channels", 403, 50007, times=None)
    await turn_ends(room, ana)
    assert rung(room) == [ben.id]
    assert all("9 Pot" not in page.text for page in room.pages() if not page.ephemeral)


async def test_letter_is_sent_once_though_discord_takes_no_announcement_for_an_hour(room: Room) -> None:
    ana, ben = await match(room)
    await with_hand(ben)
    room.fail("POST", f"/channels/{room.channel.id}/messages", 500, times=None)
    room.fail("POST", "/webhooks/*", 500, times=None)
    await turn_ends(room, ana)
    for _try in range(6):
        forget_nonces()
        await room.later(10 * MINUTE)
    (letter,) = room.letters(ben)
    assert room.announcements() == []
    room.heal()
    await room.later(10 * MINUTE)
    assert room.letters(ben) == [letter]
    assert len(room.announcements()) == 1


async def test_hand_waits_for_the_end_of_quiet_hours(room: Room) -> None:
    ana, ben = await match(room)
    await with_hand(ben)
    await quiet(ben)
    await turn_ends(room, ana)
    await room.later(8.5 * HOUR)
    assert room.letters(ben) == []
    await room.later(0.6 * HOUR)
    (letter,) = room.letters(ben)
    assert "9 Pot Shards" in letter.text


async def test_letter_never_shows_the_hand_of_the_next_person_in_the_seat(room: Room) -> None:
    ana, ben = await match(room)
    eve = room.person("Eve")
    await with_hand(ben)
    await with_hand(eve)
    await turn_ends(room, ana)
    (letter,) = room.letters(ben)
    before = letter.text
    room.fail("DELETE", f"/channels/{letter.channel_id}/messages/{letter.id}", 500, times=None)
    async with room.host.tables.change((await room.table()).id) as draft:
        seats.leave(draft, ben.id)
        seats.sit(draft, 1, eve.id, "Eve")
    await eve.press(await room.board(), "Dig")
    await room.minds_wander()
    assert letter.text == before
    assert ben.id not in (await room.table()).body.messages.letters


async def test_letter_is_exported_and_its_id_deleted_with_the_person(room: Room) -> None:
    ana, ben = await match(room)
    await with_hand(ben)
    await turn_ends(room, ana)
    (letter,) = room.letters(ben)
    answer = json.loads(await exported(room, ben))
    assert answer["choices"] == {"calls": "hand"}
    assert answer["matches"][0]["messages_with_the_name"]["direct_message"] == str(letter.id)
    assert "9 Pot Shards" not in json.dumps(answer)
    assert "called" in (await ben.command("/privacy")).text
    await ben.delete_data()
    folder = room.settings.database_path.parent
    assert traces(folder, ben.id) == {}
    assert traces(folder, letter.id, letter.channel_id) == {}
    assert room.letters(ben) == [letter], "it is in their own messages"


def meanwhile(patch: pytest.MonkeyPatch, act: Callable[[Table, int], Awaitable[object]]) -> None:
    """Has this done, with a letter's table and person, while the letter is on its way."""
    send = letters.send_letter

    async def sending(client: discord.Client, table: Table, user_id: int, *rest: Any) -> Any:
        sent = await send(client, table, user_id, *rest)
        await act(table, user_id)
        return sent

    patch.setattr(letters, "send_letter", sending)


async def test_person_who_is_forgotten_while_a_letter_is_on_its_way_is_not_noted_again(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = await match(room)
    await with_hand(ben)
    meanwhile(monkeypatch, lambda _table, user_id: room.host.housekeeping.erasures.forget(user_id))
    await turn_ends(room, ana)
    assert len(room.letters(ben)) == 1
    assert (await room.table()).body.messages.letters == {}
    assert traces(room.settings.database_path.parent, ben.id) == {}


async def test_hand_is_given_up_with_another_choice(room: Room) -> None:
    ana, ben = await match(room)
    await with_hand(ben)
    await by_dm(ben)
    await turn_ends(room, ana)
    (letter,) = room.letters(ben)
    assert "9 Pot" not in letter.text


@pytest.mark.parametrize("taken_over", [False, True])
async def test_letter_of_a_withdrawn_call_hinders_no_letter_about_the_same_decision(
    room: Room, taken_over: bool
) -> None:
    ana, ben = await match(room)
    eve = room.person("Eve")
    await with_hand(ben)
    await with_hand(eve)
    await turn_ends(room, ana)
    (before,) = room.letters(ben)
    table = await room.table()
    async with room.host.tables.change(table.id) as draft:
        draft.table.status = "paused"
        draft.touch()
    await room.catch_up()
    assert room.letters(ben) == []
    async with room.host.tables.change(table.id) as draft:
        draft.table.status = "playing"
        if taken_over:
            seats.leave(draft, ben.id)
            seats.sit(draft, 1, eve.id, "Eve")
        draft.touch()
    await room.catch_up()
    person = eve if taken_over else ben
    (letter,) = room.letters(person)
    assert letter.id != before.id
    assert (await room.table()).body.messages.letters == {person.id: (letter.channel_id, letter.id)}
    assert rung(room) == []


async def test_person_who_leaves_while_a_letter_is_deleted_is_not_called(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = await match(room)
    await with_hand(ana)
    await turn_ends(room, ana)
    await turn_ends(room, ben)
    assert len(room.letters(ana)) == 1
    delete = Sender.delete_in

    async def meanwhile(sender: Sender, channel: int, message: int) -> None:
        await delete(sender, channel, message)
        async with room.host.tables.change((await room.table()).id) as draft:
            seats.leave(draft, ben.id)

    monkeypatch.setattr(Sender, "delete_in", meanwhile)
    await ana.press(await room.board(), "Dig")
    await ana.press(await ana.hand(), "End Turn")
    assert room.letters(ana) == []
    assert (await room.table()).seats[1].user_id is None
    assert not [made for made in room.env.http_requests if "<@None>" in str(made.json)]


async def test_letter_is_noted_where_the_bot_may_not_post(room: Room) -> None:
    ana, ben = await match(room)
    await with_hand(ben)
    await ana.press(await room.board(), "Dig")
    await room.later(20 * MINUTE)
    room.forbid(send_messages=True)
    async with room.host.tables.change((await room.table()).id) as draft:
        play.make_move(draft, 0, EndTurn(), 1)
    await room.catch_up()
    (letter,) = room.letters(ben)
    assert (await room.table()).body.messages.letters == {ben.id: (letter.channel_id, letter.id)}
    forget_nonces()
    async with room.host.tables.change((await room.table()).id) as draft:
        draft.touch()
    await room.catch_up()
    assert room.letters(ben) == [letter]
    room.allow_again()
    await turn_ends(room, ben)
    assert room.letters(ben) == []


async def test_letter_of_a_person_who_leaves_while_it_is_on_its_way_is_deleted(
    room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana, ben = await match(room)
    await with_hand(ben)

    async def leaves(table: Table, user_id: int) -> None:
        async with room.host.tables.change(table.id) as draft:
            seats.leave(draft, user_id)

    meanwhile(monkeypatch, leaves)
    await turn_ends(room, ana)
    assert (await room.table()).seats[1].user_id is None
    assert room.letters(ben) == []
