"""The right to look at a private match: its person has it, and everybody once the deal is no longer secret."""

from __future__ import annotations

from bot.tables.model import Table
from bot.tables.refusals import Refused


def check_may_look(table: Table, user_id: int, utc: float) -> None:
    """Raises `Refused` unless this person may see the match, or act in it, at this time in UTC.

    Once its deal is open, a private match that still goes on can be neither played nor watched: it is about to end.
    """
    if not table.is_private:
        return
    opens = table.body.opens
    if table.live and opens is not None and utc >= opens:
        raise Refused("time-over")
    if table.seat_of(user_id) is None and (opens is None or utc < opens):  # only its person may see it
        raise Refused("not-yours")


def has_sealed_deal(table: Table, utc: float) -> bool:
    """Whether this is a private match whose deal others still play."""
    opens = table.body.opens
    return table.is_private and opens is not None and utc < opens
