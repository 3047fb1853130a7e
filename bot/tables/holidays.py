"""Holidays: an agent plays for a person until a stored time, or the person's turn waits if all others agree to that.

A person on holiday is away (`Seat.away`) until the time in `Seat.holiday`, or until they press something at the table.
"""

from __future__ import annotations

from datetime import date, datetime, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from bot.tables.absence import rest, resume
from bot.tables.deadlines import settle_waits, waited_for
from bot.tables.draft import Draft
from bot.tables.model import HOUR, Table
from bot.tables.refusals import Refused
from bot.tables.seats import welcome
from bot.time_zones import known

LONGEST: Final = 14
"""The greatest number of days of a holiday, and the number of days by which it may be told ahead."""


_DAY: Final = timedelta(days=1)


class Holiday(NamedTuple):
    """A person's holiday, from `begins` to `ends`, in seconds since 1970.

    `zone`: the time zone of its days. `begun`: the person's seats have been given to agents.
    """

    begins: int
    ends: int
    zone: str
    begun: bool = False

    def __str__(self) -> str:
        return f"{self.begins} {self.ends} {int(self.begun)} {self.zone}"

    def lasts(self, now: float) -> bool:
        """Whether the person is on holiday now."""
        return self.begins <= now < self.ends

    def days(self) -> tuple[date, date]:
        """The first and the last day."""
        zone = ZoneInfo(self.zone)
        return today_in(zone, self.begins), today_in(zone, self.ends - 1)


def last_noon(ends: int) -> int:
    """About noon of the last day of a holiday with this end, so that readers in most time zones see that day's date.

    At the day's last second, the next day has begun for readers east of the person's time zone.
    """
    return ends - 12 * HOUR


def read_holiday(text: str) -> Holiday | None:
    """The holiday in this text; None if it has another form or an unknown time zone.

    >>> read_holiday("1700000000 1700500000 0 Europe/Berlin")
    Holiday(begins=1700000000, ends=1700500000, zone='Europe/Berlin', begun=False)
    """
    *parts, zone = text.split(" ")
    if len(parts) != 3 or not all(part.isdecimal() for part in parts) or not known(zone):
        return None
    return Holiday(int(parts[0]), int(parts[1]), zone, parts[2] == "1")


def from_days(first: date | None, last: date, zone: ZoneInfo, now: float) -> Holiday | None:
    """The holiday from the start of the `first` day (None: from now) to the end of the `last`, on the clock of `zone`.

    None if it is too long, or is not to begin within `LONGEST` days.
    """
    today = today_in(zone, now)
    if first is not None and first not in days_ahead(today):
        return None
    if not 0 <= (last - (first or today)).days < LONGEST:
        return None
    begins = int(now) if first is None else _start_of(first, zone)
    return Holiday(begins, _start_of(last + _DAY, zone), zone.key)


def with_last_day(holiday: Holiday, last: date, zone: ZoneInfo, now: float) -> Holiday | None:
    """A holiday that lasts now, with another last day on the clock of `zone`; None if it would be over or too long."""
    first, _last = holiday.days()
    if last not in last_days(first, today_in(zone, now)):
        return None
    return Holiday(holiday.begins, _start_of(last + _DAY, zone), zone.key)


def last_days(first: date, today: date) -> list[date]:
    """The days, from today on, that a holiday may end on that begins on its `first` day."""
    days = [first + timedelta(days=number) for number in range(LONGEST)]
    return [day for day in days if day >= today]


def days_ahead(today: date) -> list[date]:
    """The days after today on which a holiday may begin."""
    return [today + timedelta(days=number) for number in range(1, LONGEST + 1)]


def today_in(zone: ZoneInfo, now: float) -> date:
    """The date now on the clock of this zone."""
    return datetime.fromtimestamp(now, zone).date()


def _start_of(day: date, zone: ZoneInfo) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=zone).timestamp())


# -- at a table


def go_on_holiday(draft: Draft, user_id: int, ends: int) -> None:
    """Gives the seat of a person at a live table to an agent until `ends`.

    A seat whose person is away already is left alone: they have to come back to it by themselves.
    """
    table = draft.table
    number = table.seat_of(user_id)
    if number is None or not table.live:
        return
    seat = table.seats[number]
    if seat.holiday == ends or (seat.away and seat.holiday is None):
        return
    newly, seat.away, seat.holiday = seat.holiday is None, True, ends
    draft.touch()
    if not table.under_way:
        return
    if newly:
        draft.log_event("holiday", number)
    rest(draft)


def come_home(draft: Draft, user_id: int) -> None:
    """Ends a person's holiday at a live table: they play their seat again."""
    table = draft.table
    number = table.seat_of(user_id)
    if number is None or not table.live or table.seats[number].holiday is None:
        return
    if table.under_way:
        welcome(draft, number)
        draft.log_event("back", number)
        resume(draft)
    else:
        table.seats[number].is_here()
        draft.touch()


def agree_to_wait(draft: Draft, user_id: int, number: int) -> None:
    """Records that a person agrees to wait for the seat of somebody on holiday. Raises `Refused`."""
    own = _asked_to_wait(draft.table, user_id, number)
    seat = draft.table.seats[number]
    if own not in seat.agreed:
        seat.agreed.append(own)
        if waited_for(draft.table, number):
            draft.log_event("waits", number)
    draft.touch()


def let_agent_play(draft: Draft, user_id: int, number: int) -> None:
    """Withdraws a person's agreement to wait for this seat. Raises `Refused`."""
    own = _asked_to_wait(draft.table, user_id, number)
    waited = waited_for(draft.table, number)
    seat = draft.table.seats[number]
    seat.agreed = [other for other in seat.agreed if other != own]
    if waited:
        draft.log_event("waits-no-more", number)
    settle_waits(draft)
    draft.touch()


def _asked_to_wait(table: Table, user_id: int, number: int) -> int:
    """The seat of a person who may decide whether the match waits for seat `number`."""
    own = table.seat_of(user_id)
    if own is None:
        raise Refused("not-seated")
    if not table.under_way:
        raise Refused("match-over")
    if not 0 <= number < len(table.seats) or number == own or table.seats[number].holiday is None:
        raise Refused("not-on-holiday")
    return own
