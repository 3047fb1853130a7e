"""Guests: the people who are asked to join a lobby, by `/challenge` or Play Again.

One rule limits the notifications of a person, for both ways together (`bot.store.guests`): a guest who has been
notified and has not joined is not notified again for an hour, and for twice as long after each further notification. A
lobby that does not notify a guest opens all the same, names the guest and keeps the seat.
"""

from __future__ import annotations

from typing import Final

from bot.tables.model import HOUR, Table
from bot.tables.refusals import Refused
from bot.tables.service import Tables

EVERYONE: Final = "everyone"
PLAYED: Final = "played"
NOBODY: Final = "nobody"
CHALLENGERS: Final = (EVERYONE, PLAYED, NOBODY)
"""The people by whom somebody may be challenged: all, those who have played a match with them, or none."""
AFTER_REFUSAL: Final = 12 * HOUR
"""Seconds after a refusal for which the person who asked cannot challenge the one who declined."""


def read_challengers(text: str) -> str | None:
    """The stored choice of challengers; None for another text, and for everyone, which is the default."""
    return text if text in (PLAYED, NOBODY) else None


async def check_challenge(tables: Tables, user_id: int, guest: int, *, by_guest: str, by_server: str) -> None:
    """Raises `Refused` unless a person may challenge another one. The guest and the server each chose challengers."""
    if by_server == NOBODY:
        raise Refused("challenge-off")
    if by_guest == NOBODY:
        raise Refused("challenge-limited", person=guest)
    if PLAYED in (by_guest, by_server) and not await tables.store.guests.have_played(user_id, guest):
        raise Refused("challenge-limited" if by_guest == PLAYED else "challenge-strangers", person=guest)
    declined, now = await tables.store.guests.declined_at(guest, user_id), tables.clock.now()
    if declined is not None and declined <= now < declined + AFTER_REFUSAL:
        again = declined + AFTER_REFUSAL + tables.clock.correction
        raise Refused("challenge-declined", person=guest, again=again)


async def notified(tables: Tables, table: Table) -> list[int]:
    """The guests of a lobby whom its first message notifies. Raises `StoreError`."""
    expected = table.expected()
    stored = await tables.store.guests.notified(table.id) if expected else []
    return [user_id for user_id in expected if user_id in stored]
