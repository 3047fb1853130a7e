"""Holidays: an agent plays for whoever is away, or the match waits if all others agree; and it ends by itself."""

from __future__ import annotations

from datetime import date, datetime
from zoneinfo import ZoneInfo

import pytest

from bot.tables.holidays import Holiday, from_days, read_holiday, with_last_day
from bot.tables.model import DAY
from tests.bot.store.bytes import traces
from tests.cogs import some_game
from tests.cogs.limits import message_faults
from tests.cogs.page import MENU, Page
from tests.cogs.table_driver import Person, Room
from tests.cogs.test_calls import HOUR, rung, turn_ends

DAYS = {
    0: "Thursday, January 1, 2026",
    1: "Friday, January 2, 2026",
    2: "Saturday, January 3, 2026",
    5: "Tuesday, January 6, 2026",
    9: "Saturday, January 10, 2026",
    13: "Wednesday, January 14, 2026",
}
LAST = "Thursday, January 15, 2026"
"""The last day of a holiday of two weeks that begins on January 2."""


def chosen(page: Page) -> list[str]:
    """The options that the page's menus show as chosen."""
    return [
        option["label"]
        for part in page.components
        if part["type"] == MENU
        for option in part["options"]
        if option.get("default")
    ]


async def away(room: Room, person: Person, last: int, first: int = 0) -> Page:
    """The person goes on holiday, from now or a later day until the end of a day; the clock begins on January 1."""
    room.locales[person.id] = "en-GB"  # so that the likely time zone is London's
    shown = await person.press(await person.command("/settings"), "Holiday …")
    if first:
        shown = await person.choose(shown, "It begins", DAYS[first])
    shown = await person.choose(shown, "Choose the last day", DAYS[last])
    await room.later(2)
    return shown


async def match(room: Room, *names: str, turn_limit: str = "none", agents: int = 0) -> tuple[Person, ...]:
    people = await room.match_of(*names, turn_limit=turn_limit, agents=agents)
    await room.stage(some_game.beginning(len(people) + agents))
    return tuple(people)


async def test_agent_plays_during_the_holiday_and_the_person_afterwards(room: Room) -> None:
    ana, ben = await match(room, "Ana", "Ben")
    shown = await away(room, ben, last=1)
    assert message_faults(shown.kept.components) == []
    board = await room.board()
    ends = 2 * DAY + int(room.clock.now()) - 2
    assert (
        f"🌙\u00a0**Ben** is on holiday until <t:{ends - DAY // 2}:D>; a computer player plays meanwhile."
        in board.text
    )
    await turn_ends(room, ana)
    assert rung(room) == [ana.id], "the agent has played"
    await room.later(2 * DAY)
    assert "holiday" not in (await room.board()).text.partition("-#")[0]
    await turn_ends(room, ana)
    assert rung(room) == [ben.id]
    assert await room.host.store.choices.of("person", ben.id) == {}


async def test_holiday_that_is_told_ahead_begins_on_its_day(room: Room) -> None:
    _ana, ben = await match(room, "Ana", "Ben")
    shown = await away(room, ben, last=2, first=1)
    assert f"from {DAYS[1]} until {DAYS[2]}" in shown.text
    await room.later(12 * HOUR)
    assert "is on holiday" not in (await room.board()).text
    await room.restart(crash=True)
    await room.later(12 * HOUR)
    assert "**Ben** is on holiday" in (await room.board()).text
    await room.restart(crash=True)
    await room.later(2 * DAY)
    assert "is on holiday" not in (await room.board()).text


async def test_days_of_a_holiday_are_those_of_the_chosen_zone_and_the_choice_stays(room: Room) -> None:
    _ana, ben = await match(room, "Ana", "Ben")
    room.locales[ben.id] = "en-US"
    shown = await ben.press(await ben.command("/settings"), "Holiday …")
    shown = await ben.choose(shown, "Your time zone", "Tokyo")
    shown = await ben.choose(shown, "It begins", DAYS[2])
    shown = await ben.choose(shown, "Choose the last day", DAYS[5])
    holiday = room.host.call_choices.holiday(ben.id)
    assert holiday is not None
    tokyo = ZoneInfo("Asia/Tokyo")
    begins, ends = (datetime.fromtimestamp(at, tokyo) for at in (holiday.begins, holiday.ends))
    assert (begins.date(), ends.date(), begins.hour, ends.hour) == (date(2026, 1, 3), date(2026, 1, 7), 0, 0)
    assert chosen(shown) == ["Tokyo", DAYS[2], DAYS[5]]
    for value in ("now/Mars/Olympus", "2026-01-40/Asia/Tokyo", "", "2026-01-03/now"):
        await room.deliver(ben.forging(shown, "ds:0:holiday-first::0.x", [value]))
        await room.deliver(ben.forging(shown, "ds:0:holiday-last::0.x", [value]))
    assert room.host.call_choices.holiday(ben.id) == holiday


async def test_holiday_opened_again_shows_the_days_of_its_own_zone(room: Room) -> None:
    ben = room.person("Ben")
    room.locales[ben.id] = "en-GB"
    shown = await ben.press(await ben.command("/settings"), "Holiday …")
    for menu, label in (
        ("Your time zone", "Berlin"),
        ("It begins", DAYS[2]),
        ("Choose the last day", DAYS[5]),
    ):
        shown = await ben.choose(shown, menu, label)
    planned = room.host.call_choices.holiday(ben.id)
    assert planned is not None
    await room.restart()
    shown = await ben.press(await ben.command("/settings"), "Holiday …")
    assert chosen(shown) == ["Berlin", DAYS[2], DAYS[5]]
    assert chosen(await ben.choose(shown, "Your time zone", "Tokyo")) == ["Tokyo", DAYS[2], DAYS[5]]
    shown = await ben.choose(shown, "Your time zone", "Berlin")
    await ben.choose(shown, "Choose the last day", DAYS[9])
    assert room.host.call_choices.holiday(ben.id) == planned._replace(ends=planned.ends + 4 * DAY)


async def test_holiday_that_lasts_keeps_its_zone_for_whoever_has_another_locale_now(room: Room) -> None:
    ben = room.person("Ben")
    await away(room, ben, last=5)
    room.locales[ben.id] = "fr"  # whose likely time zone is Berlin's
    shown = await ben.press(await ben.command("/settings"), "Holiday …")
    assert chosen(shown) == ["London", DAYS[5]]
    assert chosen(await ben.choose(shown, "Your time zone", "Berlin")) == ["Berlin", DAYS[5]]


async def test_longest_holiday_has_its_last_day_in_the_menu_to_the_end(room: Room) -> None:
    ben = room.person("Ben")
    room.locales[ben.id] = "en-GB"
    shown = await ben.press(await ben.command("/settings"), "Holiday …")
    for menu, label in (("Your time zone", "Berlin"), ("It begins", DAYS[1]), ("Choose the last day", LAST)):
        shown = await ben.choose(shown, menu, label)
    await room.later(14 * DAY + HOUR)
    shown = await ben.press(await ben.command("/settings"), "Holiday …")
    assert [*shown.menu("Choose the last day").options] == [LAST]
    assert chosen(shown) == ["Berlin", LAST]


async def test_holiday_is_ended_early(room: Room) -> None:
    ana, ben = await match(room, "Ana", "Ben")
    shown = await away(room, ben, last=9)
    await ben.press(shown, "End My Holiday")
    await room.later(2)
    assert "is on holiday" not in (await room.board()).text
    assert DAYS[9] not in chosen(await ben.press(await ben.command("/settings"), "Holiday …"))
    await turn_ends(room, ana)
    assert rung(room) == [ben.id]
    assert "none" in (await ben.command("/settings")).text.partition("Holiday")[2]


async def test_whoever_comes_back_to_one_table_is_back_there_alone(room: Room) -> None:
    ana, ben = await match(room, "Ana", "Ben")
    await away(room, ben, last=9)
    own = await ben.press(await room.board(), "I'm Back")
    assert "Your holiday goes on at all others; to end it, press **Holiday …** in `/settings`" in own.text
    assert "is on holiday" not in (await room.board()).text
    await room.later(HOUR)
    await turn_ends(room, ana)
    assert rung(room) == [ben.id]
    assert room.host.call_choices.holiday(ben.id) is not None


async def test_match_waits_if_all_others_agree_and_not_before(room: Room) -> None:
    ana, ben, cara = await match(room, "Ana", "Ben", "Cara", turn_limit="1h")
    await away(room, ben, last=1)
    noted = await ana.press(await room.board(), "Wait for Ben")
    assert "once everyone else at the table agrees" in noted.text
    assert "1 of 2 would rather wait" in (await room.board()).text
    assert "a computer player plays meanwhile" in (await room.board()).text
    assert "Everyone agrees" in (await cara.press(await room.board(), "Wait for Ben")).text
    assert "; the match waits." in (await room.board()).text
    await turn_ends(room, ana)
    board = (await room.board()).text
    assert room.announcements() == [], "nobody is called, and nobody hurried"
    assert "Time runs out" not in board
    assert "▶️" not in board.partition("🌙")[2].partition("-#")[0]
    assert "waits for 🌙\u00a0**Ben**, on holiday" in (await ana.command("/games mine")).text
    assert "until you are back" in (await ben.command("/games mine")).text
    before = (await room.table()).sequence
    await room.later(DAY)
    assert (await room.table()).sequence == before
    await room.restart(crash=True)
    await room.later(DAY)
    assert rung(room) == [ben.id]
    asked = (await room.table()).body.asked[1]
    assert asked.deadline is not None
    left = asked.deadline + room.host.tables.time.downtime - room.clock.now()
    assert 0.9 * HOUR < left <= HOUR, "the limit has moved by the time waited"
    assert (await room.table()).sequence == before


async def test_one_who_does_not_agree_lets_the_agent_play(room: Room) -> None:
    ana, ben, cara = await match(room, "Ana", "Ben", "Cara")
    await away(room, ben, last=9)
    await ana.press(await room.board(), "Wait for Ben")
    await turn_ends(room, ana)
    assert rung(room) == [cara.id]
    await cara.press(await room.board(), "Wait for Ben")
    await turn_ends(room, cara)
    await turn_ends(room, ana)
    assert rung(room) == [], "now it waits"
    await ana.press(await room.board(), "Let an AI Play for Ben")
    await room.catch_up()
    assert rung(room) == [cara.id]


async def test_whoever_leaves_or_comes_anew_has_not_agreed(room: Room) -> None:
    ana, ben, cara = await match(room, "Ana", "Ben", "Cara")
    await away(room, ben, last=9)
    await ana.press(await room.board(), "Wait for Ben")
    more = await cara.press(await room.board(), "More")
    await cara.press(await cara.press(more, "Leave the Match"), "Leave Now")
    assert "; the match waits." in (await room.board()).text
    dan = room.person("Dan")
    await dan.press(await dan.press(await room.board(), "More"), "Take Over from Cara")
    assert "a computer player plays meanwhile" in (await room.board()).text
    assert (await room.table()).seats[1].agreed == [0]
    eve = room.person("Eve")
    press = eve.forging(await room.board(), (await room.board()).buttons["Wait for Ben"])
    await room.deliver(press)
    assert "not at this table" in press.answer.text


async def test_match_of_one_person_waits_longer_than_any_pause(room: Room) -> None:
    (ana,) = await match(room, "Ana", agents=1)
    await away(room, ana, last=13)
    assert "paused" in (await room.board()).text
    assert "the match waits" in (await room.board()).text
    for _day in range(14):
        await room.later(DAY)
    table = await room.table()
    assert table.status == "playing"
    assert rung(room) == [ana.id]


async def test_nobody_on_holiday_joins_a_match(room: Room) -> None:
    lobby, (_ana, ben) = await room.lobby_of("Ana", "Ben")
    cara = room.person("Cara")
    page = await away(room, cara, last=9)
    press = cara.pressing(lobby, "Join")
    await room.deliver(press)
    assert "You're on holiday until <t:" in press.answer.text
    await cara.press(page, "End My Holiday")
    await cara.press(lobby, "Join")
    assert (await room.table()).seat_of(cara.id) == 2
    await away(room, ben, last=9)
    assert "on holiday until" in lobby.text


async def test_match_that_begins_meanwhile_begins_with_an_agent_in_the_seat(room: Room) -> None:
    lobby, (ana, ben) = await room.lobby_of("Ana", "Ben")
    await away(room, ben, last=9)
    assert "on holiday until" in lobby.text
    await ana.press(lobby, "Start Match")
    await room.stage(some_game.beginning(2))
    assert "a computer player plays meanwhile" in (await room.board()).text
    await turn_ends(room, ana)
    assert rung(room) == [ana.id]


async def test_holiday_is_told_and_deleted(room: Room) -> None:
    _ana, ben = await match(room, "Ana", "Ben")
    await away(room, ben, last=9)
    assert "holiday" in (await ben.command("/privacy")).text
    await ben.delete_data()
    assert room.host.call_choices.holidays() == []
    assert (await room.table()).seats[1].holiday is None
    assert traces(room.settings.database_path.parent, ben.id) == {}


async def test_forged_holidays_are_refused(room: Room) -> None:
    ben = room.person("Ben")
    room.locales[ben.id] = "en-GB"
    page = await ben.command("/settings")
    for intent, values in (
        ("holiday-last", ["now/2026-02-01"]),
        ("holiday-last", ["now/2025-12-31"]),
        ("holiday-last", ["2026-01-16/2026-01-17"]),
        ("holiday-last", ["2026-01-02/2026-01-01"]),
        ("holiday-last", ["now"]),
        ("holiday-last", ["9999-12-31/9999-12-31"]),
        ("holiday-last", []),
        ("holiday-first", ["2026-02-01"]),
        ("holiday-first", ["yesterday"]),
        ("holiday-first", []),
    ):
        await room.deliver(ben.forging(page, f"ds:0:{intent}::0", values))
    await room.deliver(ben.forging(page, "ds:0:holiday-over::"), ben.forging(page, "ds:0:wait::x"))
    assert await room.host.store.choices.of("person", ben.id) == {}


def test_holiday_ends_with_its_last_day_on_the_clock_of_the_zone() -> None:
    berlin, noon = ZoneInfo("Europe/Berlin"), 1767265200.0
    """January 1, 2026 at noon in Berlin."""
    holiday = from_days(None, date(2026, 1, 3), berlin, noon)
    assert holiday == Holiday(int(noon), int(noon + 2.5 * DAY), "Europe/Berlin")
    assert read_holiday(str(holiday)) == holiday
    assert holiday is not None
    longer = with_last_day(holiday, date(2026, 1, 14), berlin, noon + 2 * DAY)
    assert longer == Holiday(int(noon), int(noon + 13.5 * DAY), "Europe/Berlin")
    assert with_last_day(holiday, date(2026, 1, 15), berlin, noon + 2 * DAY) is None
    assert with_last_day(holiday, date(2026, 1, 2), berlin, noon + 2 * DAY) is None
    later = from_days(date(2026, 1, 2), date(2026, 1, 2), berlin, noon)
    assert later == Holiday(int(noon + 0.5 * DAY), int(noon + 1.5 * DAY), "Europe/Berlin")
    assert from_days(date(2026, 1, 1), date(2026, 1, 2), berlin, noon) is None


@pytest.mark.parametrize(
    "text",
    [
        "",
        "1 2",
        "1 2 0",
        "1 2 3 4",
        "1 2 0 Mars/Olympus",
        "1 2 0 ../zone",
        "1 2 0 Europe",
        "a 2 0 UTC",
        "1  0 UTC",
    ],
)
def test_other_texts_are_no_holiday(text: str) -> None:
    assert read_holiday(text) is None
