"""The requests in the store to forget a person: each stays until nothing about the person is left in the files."""

from __future__ import annotations

from collections.abc import Sequence

from bot.clock import Clock
from bot.store.choices import Run
from bot.store.model import Erasure
from bot.store.sql import people


class ErasureRequests:
    """The erasure requests. Every method raises `StoreError` on failure."""

    def __init__(self, read: Run, write: Run, clock: Clock) -> None:
        self._read, self._write = read, write
        self._clock = clock

    async def ask(self, user_id: int) -> int:
        """Stores a request to forget this user; returns the number of the request."""
        return await self._write(people.add_erasure(user_id, self._clock.now()))

    async def pending(self) -> list[Erasure]:
        """The pending requests, oldest first."""
        return await self._read(people.pending_erasures)

    async def unname(self, numbers: Sequence[int]) -> None:
        """Clears the user id of these requests, once only remains in the files must be wiped."""
        await self._write(people.clear_erasure_users(numbers))

    async def finish(self, numbers: Sequence[int]) -> None:
        """Deletes these completed requests."""
        await self._write(people.delete_erasures(numbers))
