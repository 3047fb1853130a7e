"""How a person is called: place, digests and reminders, in the form in which the store has them."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

from bot.tables.model import HOUR

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
