"""How a person is called: place, digests and reminders, in the form in which the store has them, and quiet hours."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta
from typing import Final, NamedTuple
from zoneinfo import ZoneInfo

from bot.tables.model import HOUR
from bot.time_zones import known

BY_DM: Final = "dm"
WITH_HAND: Final = "hand"
"""By direct message, and with the text of the person's private screen in it."""
NEVER: Final = "none"
DIGEST_HOURS: Final = (3, 6, 12, 24)
REMINDER_HOURS: Final = (3, 6, 12, 24, 48)


class Digest(NamedTuple):
    """A list of the waiting matches in place of calls: every so many `hours`, in the language of a Discord `locale`."""

    hours: int
    locale: str

    def __str__(self) -> str:
        return f"digest {self.hours} {self.locale}"


class DigestState(NamedTuple):
    """The state of a person's digest; times are in seconds since 1970.

    `due` is the time of the next digest; infinite if Discord has refused the last one. `slot` is the time for which
    that digest was first due: another try has a later `due`. After a refusal it is 0 once the turns of which no digest
    told are called in another way. `listed` is the time of the last digest that was sent, in host time, `message` its
    id; 0 if there is none.
    """

    due: float
    slot: float
    listed: float = 0.0
    message: int = 0

    def __str__(self) -> str:
        return f"{self.due!r} {self.slot!r} {self.listed!r} {self.message}"

    @property
    def refused(self) -> bool:
        return math.isinf(self.due)


def read_calls(text: str) -> Digest | str | None:
    """The place in this text where a person is called: a digest, `BY_DM` or `WITH_HAND`; None for any other text."""
    if text in (BY_DM, WITH_HAND):
        return text
    word, _space, rest = text.partition(" ")
    hours, _space, locale = rest.partition(" ")
    if word != "digest" or not hours.isdecimal() or int(hours) not in DIGEST_HOURS:
        return None
    return Digest(int(hours), locale)


def read_digest_state(text: str) -> DigestState | None:
    """The state of a digest in this text; None if it has another form."""
    try:
        due, slot, listed, message = text.split()
        return DigestState(float(due), float(slot), float(listed), int(message))
    except ValueError:
        return None


def read_reminders(text: str) -> float | None:
    """The seconds between two reminders; infinite for none. None if the text has another form."""
    if text == NEVER:
        return math.inf
    known = text.isdecimal() and int(text) in REMINDER_HOURS
    return int(text) * float(HOUR) if known else None


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
