"""Where a person is called and when: by direct message, at the table, and never in quiet hours."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from bot.tables.calling import QuietHours, read_quiet_hours
from bot.ui.call_choices import QUIET
from tests.bot.store.bytes import traces
from tests.cogs import some_game
from tests.cogs.limits import message_faults
from tests.cogs.page import Page
from tests.cogs.table_driver import Person, Room

HOUR = 3600.0


async def turn_ends(room: Room, person: Person) -> None:
    """The person digs and ends their turn, and some time passes."""
    await person.press(await room.board(), "Dig")
    await person.press(await person.hand(), "End Turn")
    await room.minds_wander()


async def by_dm(person: Person) -> Page:
    return await person.choose(await person.command("/settings"), "When it is your turn", "Write to Me")


async def quiet(person: Person) -> Page:
    """Quiet until nine; the tests' clock begins at midnight in London."""
    shown = await person.choose(await person.command("/settings"), "Quiet hours", "0:00–9:00")
    return await person.choose(shown, "Your time zone", "London")


def rung(room: Room) -> list[int]:
    return [number for page in room.announcements() for number in page.kept.ping_user_ids]


async def test_person_who_wishes_so_is_called_by_direct_message_and_not_at_the_table(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning(2))
    settings = await by_dm(ben)
    assert "I write to you" in settings.text
    assert message_faults(settings.kept.components) == []
    assert not room.letters(ben)
    await turn_ends(room, ana)
    (letter,) = room.letters(ben)
    assert room.host.screens[room.game].title() in letter.text
    assert "**Ana**" in letter.text
    assert str((await room.board()).id) in letter.links["Go to the Table"]
    (announcement,) = room.announcements()
    assert ben.mention in announcement.text, "the others see whose turn it is"
    assert rung(room) == []
    await room.minds_wander()
    assert len(room.letters(ben)) == 1, "one turn, one call"
    await turn_ends(room, ben)
    assert rung(room) == [ana.id]
    assert not room.letters(ana)
    assert not room.letters(ben), "the call is over"


async def test_a_letter_shows_nothing_hidden(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning(2))
    await by_dm(ben)
    await turn_ends(room, ana)
    (letter,) = room.letters(ben)
    (announcement,) = room.announcements()
    prompt = announcement.text.splitlines()[0].partition(", ")[2]
    assert prompt
    assert prompt in letter.text, "the same words as at the table"


async def test_person_whose_messages_are_closed_is_called_at_the_table(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning(2))
    await by_dm(ben)
    room.fail("POST", "/users/@me/channels", 403, 50007, times=None)
    await turn_ends(room, ana)
    assert not room.letters(ben)
    assert rung(room) == [ben.id]


async def test_reminder_comes_by_direct_message_too(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben", turn_limit="1h")
    await room.stage(some_game.beginning(2))
    await by_dm(ben)
    await turn_ends(room, ana)
    (letter,) = room.letters(ben)
    await room.later(0.8 * HOUR)
    (reminder,) = room.letters(ben)
    assert "Your time runs out" in reminder.text
    assert reminder.id != letter.id, "an edit would notify nobody"
    assert rung(room) == []


async def test_nobody_is_called_in_quiet_hours_but_once_after_them(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning(2))
    assert "after them" not in (await ben.command("/settings")).text
    shown = await quiet(ben)
    assert "I call you after them" in shown.text
    assert "0:00–9:00, as in London" in shown.text
    await turn_ends(room, ana)
    assert rung(room) == []
    await room.later(8.5 * HOUR)
    assert rung(room) == []
    await room.later(0.6 * HOUR)
    assert rung(room) == [ben.id]
    (announcement,) = room.announcements()
    await room.later(HOUR)
    assert room.announcements() == [announcement]


async def test_quiet_hours_are_kept_over_a_restart_and_end_by_themselves(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning(2))
    await quiet(ben)
    await turn_ends(room, ana)
    await room.restart(crash=True)
    assert rung(room) == []
    await room.later(9.1 * HOUR)
    assert rung(room) == [ben.id]


async def test_reminder_waits_for_the_end_of_quiet_hours_and_the_limit_does_not(room: Room) -> None:
    ana, ben = await room.match_of("Ana", "Ben", turn_limit="1h")
    await room.stage(some_game.beginning(2))
    await turn_ends(room, ana)
    (announcement,) = room.announcements()
    assert rung(room) == [ben.id]
    await quiet(ben)
    await room.later(0.8 * HOUR)
    assert room.announcements() == [announcement], "the reminder waits"
    assert "⏰" not in announcement.text
    await room.later(0.3 * HOUR)
    assert ana.mention in "".join(page.text for page in room.announcements()), "an agent has played for Ben"


async def test_choices_are_taken_back_and_deleted(room: Room) -> None:
    ben = room.person("Ben")
    await by_dm(ben)
    shown = await quiet(ben)
    zone = await ben.choose(shown, "Your time zone", "Tokyo")
    assert "as in Tokyo" in zone.text
    assert "hidden your results" not in (await ben.command("/privacy")).text
    assert "called" in (await ben.command("/privacy")).text
    assert room.host.call_choices.quiet_hours(ben.id) == QuietHours(0, 9, "Asia/Tokyo")
    none = await ben.choose(zone, "Quiet hours", "No Quiet Hours")
    assert "none" in none.text
    assert room.host.call_choices.quiet_hours(ben.id) is None
    await quiet(ben)
    await ben.delete_data()
    assert not room.host.call_choices.by_dm(ben.id)
    assert room.host.call_choices.quiet_hours(ben.id) is None
    assert await room.host.store.choices.of("person", ben.id) == {}
    assert traces(room.settings.database_path.parent, ben.id) == {}


async def test_forged_choices_are_refused(room: Room) -> None:
    ben = room.person("Ben")
    page = await ben.command("/settings")
    for custom_id, values in (
        ("ds:0:quiet-hours::0", ["22-7 Europe/Nowhere"]),
        ("ds:0:quiet-hours::0", ["22-7 Europe"]),
        ("ds:0:quiet-hours::0", ["22-7 " + "x" * 300]),
        ("ds:0:quiet-hours::0", ["1-2 Europe/London"]),
        ("ds:0:quiet-zone::0", ["nonsense"]),
        ("ds:0:quiet-zone::0", ["22-7 Europe/London", "22-7 Europe/Berlin"]),
        ("ds:0:quiet-hours::0", []),
        ("ds:0:called-by::post", None),
        ("ds:0:called-by::0", ["5"]),
        ("ds:0:called-by::0", ["table", "dm"]),
        ("ds:0:reminded::0", ["1"]),
        ("ds:0:reminded::0", ["-3"]),
        ("ds:0:reminded::0", []),
        ("ds:0:own-language::0", ["fr"]),
        ("ds:0:own-language::0", ["de", "ru"]),
        ("ds:0:own-language::0", []),
    ):
        press = ben.forging(page, custom_id, values)
        await room.deliver(press)
    assert await room.host.store.choices.of("person", ben.id) == {}


@pytest.mark.parametrize(
    ("hours", "now", "until"),
    [
        ("22-7 UTC", "2027-01-15T23:00", "2027-01-16T07:00"),
        ("22-7 UTC", "2027-01-15T06:59", "2027-01-15T07:00"),
        ("22-7 UTC", "2027-01-15T07:00", None),
        ("22-7 UTC", "2027-01-15T21:59", None),
        ("8-16 UTC", "2027-01-15T08:00", "2027-01-15T16:00"),
        ("22-7 Asia/Tokyo", "2027-01-15T14:00", "2027-01-15T22:00"),
        ("0-9 Europe/Berlin", "2027-03-27T23:30", "2027-03-28T07:00"),
    ],
)
def test_quiet_hours_hold_on_the_clock_of_their_zone(hours: str, now: str, until: str | None) -> None:
    """In the last case the clocks are put forward in the night."""
    quiet = read_quiet_hours(hours)
    assert quiet is not None
    found = quiet.until(datetime.fromisoformat(now).replace(tzinfo=UTC).timestamp())
    assert (None if found is None else f"{datetime.fromtimestamp(found, UTC):%Y-%m-%dT%H:%M}") == until


@pytest.mark.parametrize(
    "text", ["", "22-7", "22-7 ", "22-24 UTC", "-1-3 UTC", "22-7 ../UTC", "a-b UTC", "22 UTC"]
)
def test_other_texts_are_no_quiet_hours(text: str) -> None:
    assert read_quiet_hours(text) is None


async def test_quiet_hours_in_vancouver_follow_the_clock_of_2026(room: Room) -> None:
    """Vancouver no longer sets its clocks back in November: 22 to 7 there is 5 to 14 in London."""
    room.clock.advance(datetime(2026, 11, 28, 5, tzinfo=UTC).timestamp() - room.clock.now())
    ana, ben = await room.match_of("Ana", "Ben")
    await room.stage(some_game.beginning(2))
    shown = await ben.choose(await ben.command("/settings"), "Quiet hours", "22:00–7:00")
    shown = await ben.choose(shown, "Your time zone", "Vancouver")
    assert "22:00–7:00, as in Vancouver" in shown.text
    await turn_ends(room, ana)
    assert rung(room) == []
    await room.later(8.9 * HOUR)
    assert rung(room) == []
    await room.later(0.1 * HOUR)
    assert rung(room) == [ben.id]


async def test_a_time_zone_that_the_menu_no_longer_offers_stays_chosen(room: Room) -> None:
    ben = room.person("Ben")
    await room.host.call_choices.choose(ben.id, QUIET, QuietHours(22, 7, "Atlantic/Azores"))
    shown = await ben.choose(await ben.command("/settings"), "Quiet hours", "23:00–8:00")
    assert "23:00–8:00, as in Azores" in shown.text
    planned = await ben.press(shown, "Holiday …")
    last = list(planned.menu("Choose the last day").options)[1]
    planned = await ben.choose(planned, "Choose the last day", last)
    assert last in planned.text
