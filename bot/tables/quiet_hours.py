"""The hours of a day in which a person is not called."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

from bot.time_zones import known


class QuietHours(NamedTuple):
    """The hours of a day in which a person is not called: from `begins` to `ends`, both on the clock of `zone`."""

    begins: int
    ends: int
    zone: str

    def __str__(self) -> str:
        return f"{self.begins}-{self.ends} {self.zone}"

    def until(self, now: float) -> float | None:
        """The end of the quiet hours if they hold now, in seconds since 1970; None if they do not."""
        here = datetime.fromtimestamp(now, UTC).astimezone(ZoneInfo(self.zone))
        if (here.hour - self.begins) % 24 >= (self.ends - self.begins) % 24:
            return None
        day = here.date() if here.hour < self.ends else here.date() + timedelta(days=1)
        end = datetime(day.year, day.month, day.day, self.ends, tzinfo=ZoneInfo(self.zone))
        return end.timestamp()


def read_quiet_hours(text: str) -> QuietHours | None:
    """The quiet hours in this text; None if it has another form or an unknown time zone.

    >>> read_quiet_hours("22-7 Europe/Berlin")
    QuietHours(begins=22, ends=7, zone='Europe/Berlin')
    """
    hours, _space, zone = text.partition(" ")
    begins, _dash, ends = hours.partition("-")
    if not (begins.isdecimal() and ends.isdecimal() and zone and int(begins) < 24 and int(ends) < 24):
        return None
    return QuietHours(int(begins), int(ends), zone) if known(zone) else None
