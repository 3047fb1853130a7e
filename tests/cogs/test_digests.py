"""One list of the waiting matches in place of calls: when it comes, what it says, and that no turn is told twice."""

from __future__ import annotations

from bot.people.own_matches.digests import Digests
from bot.tables.calling import DigestState
from bot.ui.call_choices import DIGEST
from tests.bot.store.bytes import traces
from tests.cogs import some_game
from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room
from tests.cogs.test_calls import HOUR, by_dm, quiet, rung, turn_ends


async def every(person: Person, hours: int) -> Page:
    label = f"One List Every {hours} Hours"
    return await person.choose(await person.command("/settings"), "When it is your turn", label)


async def match(room: Room, turn_limit: str = "none") -> tuple[Person, Person]:
    ana, ben = await room.match_of("Ana", "Ben", turn_limit=turn_limit)
    await room.stage(some_game.beginning(2))
    return ana, ben


def sent(room: Room, person: Person) -> int:
    """How many direct messages the person was ever sent."""
    channel = room.env.backend.dm_channels.get(person.id)
    return sum(
        entry.method == "POST" and entry.path.endswith(f"/channels/{channel}/messages")
        for entry in room.env.http_requests
    )


async def test_one_list_in_place_of_calls_says_what_games_mine_says(room: Room) -> None:
    ana, ben = await match(room)
    shown = await every(ben, 3)
    assert "every 3 hours" in shown.text
    assert message_faults(shown.kept.components) == []
    await turn_ends(room, ana)
    assert rung(room) == []
    assert not room.letters(ben)
    (announcement,) = room.announcements()
    assert ben.mention in announcement.text, "the others see whose turn it is"
    await room.later(3 * HOUR)
    (letter,) = room.letters(ben)
    assert letter.text == (await ben.command("/games mine")).text
    assert str((await room.board()).id) in letter.links["Go"]
    assert rung(room) == []


async def test_next_list_takes_the_place_of_the_last_one_and_none_comes_if_no_match_waits(room: Room) -> None:
    ana, ben = await match(room)
    await every(ben, 3)
    await room.later(3.1 * HOUR)
    assert sent(room, ben) == 0, "it is Ana's turn"
    await turn_ends(room, ana)
    await room.later(3 * HOUR)
    (first,) = room.letters(ben)
    await room.later(3 * HOUR)
    (second,) = room.letters(ben)
    assert second.id != first.id
    assert sent(room, ben) == 2
    await turn_ends(room, ben)
    await room.later(3 * HOUR)
    assert room.letters(ben) == [], "the list would no longer be true"
    assert sent(room, ben) == 2


async def test_list_waits_for_the_end_of_quiet_hours(room: Room) -> None:
    ana, ben = await match(room)
    await every(ben, 3)
    await quiet(ben)
    await turn_ends(room, ana)
    await room.later(8.5 * HOUR)
    assert sent(room, ben) == 0
    await room.later(0.6 * HOUR)
    assert sent(room, ben) == 1
    await room.later(2.8 * HOUR)
    assert sent(room, ben) == 1


async def test_refused_list_is_a_call_at_the_table_for_each_turn(room: Room) -> None:
    ana, ben = await match(room)
    await every(ben, 3)
    await turn_ends(room, ana)
    room.fail("POST", "/users/@me/channels", 403, 50007, times=None)
    await room.later(3 * HOUR)
    assert rung(room) == [ben.id]
    assert "doesn't let me write to you" in (await ben.command("/settings")).text
    (announcement,) = room.announcements()
    await room.later(7 * HOUR)
    assert room.announcements() == [announcement], "one turn, one call"
    await turn_ends(room, ben)
    await turn_ends(room, ana)
    assert rung(room) == [ben.id]
    room.heal()
    await every(ben, 3)
    await room.later(3 * HOUR)
    assert sent(room, ben) == 1


async def test_list_comes_after_a_crash_and_only_once(room: Room) -> None:
    ana, ben = await match(room)
    await every(ben, 3)
    await turn_ends(room, ana)
    await room.restart(crash=True)
    await room.later(3 * HOUR)
    assert sent(room, ben) == 1
    await room.restart(crash=True)
    await room.later(HOUR)
    assert sent(room, ben) == 1


async def test_list_that_a_dying_process_has_sent_is_not_sent_again(room: Room) -> None:
    """The process dies after Discord has taken the list and before it notes that: the second try has the same nonce."""
    ana, ben = await match(room)
    await every(ben, 3)
    await turn_ends(room, ana)
    stored = await room.host.store.choices.get("person", ben.id, DIGEST)
    assert stored is not None
    await room.later(3 * HOUR)
    state = await room.host.call_choices.digest_state(ben.id)
    assert state is not None
    claimed = DigestState(room.clock.now() + 60, float(stored.split()[1]))
    await room.host.call_choices.move(ben.id, DIGEST, state, claimed)
    await room.restart(crash=True)
    await room.later(59)
    before = room.letters(ben)
    await room.later(2)
    assert room.letters(ben) == before
    after = await room.host.call_choices.digest_state(ben.id)
    assert after is not None
    assert after.message == before[0].id


async def test_two_processes_send_one_list(room: Room) -> None:
    ana, ben = await match(room)
    await every(ben, 3)
    await turn_ends(room, ana)
    host = room.host
    room.clock.advance(3 * HOUR)
    other = type(host.call_choices)(host.store)
    await other.load()
    for choices in (host.call_choices, other):
        digests = Digests(room.bot, host.tables, host.screens, choices)
        state = choices.digest_states()[0][1]
        await digests._work(ben.id, state, room.clock.now())
    assert sent(room, ben) == 1


async def test_turn_of_which_no_list_told_is_called_when_the_list_is_given_up(room: Room) -> None:
    ana, ben = await match(room)
    await every(ben, 24)
    await turn_ends(room, ana)
    await by_dm(ben)
    await room.later(2)
    assert sent(room, ben) == 1
    assert "Go to the Table" in room.letters(ben)[0].links
    assert await room.host.store.choices.get("person", ben.id, DIGEST) is None


async def test_turn_of_which_a_list_told_is_not_called_again_when_the_list_is_given_up(room: Room) -> None:
    ana, ben = await match(room)
    await every(ben, 3)
    await turn_ends(room, ana)
    await room.later(3 * HOUR)
    await by_dm(ben)
    await room.later(2)
    assert sent(room, ben) == 1
    assert room.letters(ben) == []
    assert rung(room) == []


async def test_turn_that_runs_out_before_the_list_is_told_by_a_reminder(room: Room) -> None:
    ana, ben = await match(room, "1h")
    await every(ben, 3)
    await turn_ends(room, ana)
    await room.later(0.8 * HOUR)
    assert sent(room, ben) == 1
    assert "Your time runs out" in room.letters(ben)[0].text


async def test_turn_that_a_list_has_told_has_no_reminder(room: Room) -> None:
    ana, ben = await match(room, "12h")
    await every(ben, 6)
    await turn_ends(room, ana)
    await room.later(6 * HOUR)
    await room.later(3.5 * HOUR)
    assert sent(room, ben) == 1
    assert rung(room) == []


async def test_state_of_the_list_is_deleted_with_the_person(room: Room) -> None:
    _ana, ben = await match(room)
    await every(ben, 3)
    assert "called" in (await ben.command("/privacy")).text
    await ben.delete_data()
    assert room.host.call_choices.digest_states() == []
    assert traces(room.settings.database_path.parent, ben.id) == {}
    await room.later(4 * HOUR)
    assert sent(room, ben) == 0


# -- reminders


async def remind(person: Person, label: str) -> Page:
    return await person.choose(await person.command("/settings"), "Reminders", label)


async def test_reminders_come_at_a_persons_own_interval_and_change_no_limit(room: Room) -> None:
    ana, ben = await match(room, "12h")
    assert "one every 3 hours" in (await remind(ben, "Every 3 Hours")).text
    await by_dm(ben)
    await turn_ends(room, ana)
    for hours, letters in ((2.9, 1), (0.2, 2), (2.7, 2), (0.3, 3), (3, 4)):
        await room.later(hours * HOUR)
        assert sent(room, ben) == letters
    await room.restart(crash=True)
    await room.later(2.7 * HOUR)
    assert sent(room, ben) == 4
    assert ben.mention in room.announcements()[0].text
    await room.later(0.4 * HOUR)
    assert ben.mention not in room.announcements()[0].text, "the limit is still 12 hours"


async def test_whoever_wants_no_reminder_gets_none(room: Room) -> None:
    ana, ben = await match(room, "1h")
    await remind(ben, "No Reminders")
    await turn_ends(room, ana)
    (announcement,) = room.announcements()
    await room.later(0.9 * HOUR)
    assert room.announcements() == [announcement]
    assert "⏰" not in announcement.text
    await room.later(0.2 * HOUR)
    assert ana.mention in room.announcements()[0].text, "an agent has played for Ben"


async def test_reminders_wait_for_the_end_of_quiet_hours(room: Room) -> None:
    ana, ben = await match(room)
    await by_dm(ben)
    await turn_ends(room, ana)
    await remind(ben, "Every 3 Hours")
    await quiet(ben)
    await room.later(8.5 * HOUR)
    assert sent(room, ben) == 1
    await room.later(0.7 * HOUR)
    assert sent(room, ben) == 2, "one reminder, not three"


async def test_turn_that_a_list_has_told_has_no_reminder_after_a_downtime_either(room: Room) -> None:
    ana, ben = await match(room, "12h")
    await every(ben, 12)
    await room.later(10 * HOUR)
    await turn_ends(room, ana)
    await room.later(2 * HOUR)
    assert sent(room, ben) == 1
    await room.host.close()
    room.clock.advance(3 * HOUR)
    await room.restart()
    await room.later(7.5 * HOUR)
    assert "⏰" in room.announcements()[0].text
    assert sent(room, ben) == 1
    assert rung(room) == []
