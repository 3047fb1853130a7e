"""The guests of lobbies in the store, with whom they were asked by, their notifications and their refusals."""

from __future__ import annotations

from bot.clock import Clock
from bot.store.choices import Run
from bot.store.model import GuestRow
from bot.store.sql import guests


class Guests:
    """Reads guests; `Store.create` adds them, and the commit of a seat or a refusal changes them.

    A guest is stored for a day at most, and until they join. Every method raises `StoreError` on failure.
    """

    def __init__(self, read: Run, write: Run, clock: Clock) -> None:
        self._read, self._write, self._clock = read, write, clock

    async def notified(self, table_id: int) -> list[int]:
        """The guests of a lobby whom its first message notifies."""
        return await self._read(guests.notified(table_id))

    async def declined_at(self, user_id: int, asker_id: int) -> float | None:
        """When a person last declined a lobby to which this asker had asked them; None if not within the last day."""
        return await self._read(guests.declined_at(user_id, asker_id))

    async def have_played(self, user_id: int, other_id: int) -> bool:
        """Whether two people have had seats in one match of which the table or the result is stored."""
        return await self._read(guests.have_played(user_id, other_id))

    async def of_person(self, user_id: int) -> list[GuestRow]:
        """The stored rows in which a person was asked or has asked, the oldest first."""
        return await self._read(guests.of_person(user_id))

    async def end_overdue(self) -> int:
        """Deletes the guests that do not count any more; returns their number."""
        return await self._write(guests.end_overdue(self._clock.now()))

    async def forget_person(self, user_id: int) -> None:
        """Deletes a person as a guest, and their id as an asker."""
        await self._write(guests.forget_person(user_id))
