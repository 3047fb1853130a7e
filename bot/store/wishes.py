"""The wishes for a match in the store, and how long people waited for the last matches."""

from __future__ import annotations

from collections.abc import Collection

from bot.clock import Clock
from bot.store.choices import Run
from bot.store.model import Candidate, Mode, Wish
from bot.store.sql import wishes
from bot.store.timing import StoreLimits


class Wishes:
    """Reads and changes wishes; `Store.create` takes those for which it opens a lobby.

    A person has at most one wish on a server. Every method raises `StoreError` on failure.
    """

    def __init__(self, read: Run, write: Run, clock: Clock, limits: StoreLimits) -> None:
        self._read, self._write, self._clock, self._limits = read, write, clock, limits

    async def put(self, wish: Wish) -> None:
        """Stores a wish in place of the person's earlier one on the server.

        Raises `Repeated` if the command with which the person asked is already stored.
        """
        await self._write(wishes.put(wish, self._clock.now()))

    async def candidates(self, guild_id: int) -> list[Candidate]:
        """The wishes on a server that have not ended, the oldest first."""
        return await self._read(wishes.candidates(guild_id, self._clock.now()))

    async def opened_by(self, user_id: int) -> int:
        """The number of live tables that a person opened, as they count for the person's limit."""
        return await self._read(wishes.opened_by(user_id))

    async def of_person(self, user_id: int) -> list[Wish]:
        """The wishes of a person on all servers."""
        return await self._read(wishes.of_person(user_id))

    async def withdraw(self, guild_id: int, ids: Collection[int]) -> int:
        """Deletes these wishes, as far as they still wait; returns their number."""
        return await self._write(wishes.withdraw(guild_id, ids))

    async def fulfil(self, table_id: int) -> None:
        """Deletes the wishes for which this lobby was posted, and stores how long the first person waited."""
        await self._write(wishes.fulfil(table_id, self._clock.now(), self._limits.waits))

    async def release(self, table_id: int) -> None:
        """Has the people wait again for whom this lobby was opened."""
        await self._write(wishes.release(table_id))

    async def end_overdue(self) -> int:
        """Deletes the wishes that have ended; returns their number."""
        return await self._write(wishes.end_overdue(self._clock.now()))

    async def waits(self, guild_id: int, mode: Mode) -> list[float]:
        """How long the first person of each of the last matches waited, in seconds."""
        return await self._read(wishes.waits(guild_id, mode))

    async def forget_person(self, user_id: int) -> None:
        """Deletes all wishes of a person."""
        await self._write(wishes.forget_person(user_id))

    async def forget_guild(self, guild_id: int) -> None:
        """Deletes the wishes and waits of a server."""
        await self._write(wishes.forget_guild(guild_id))

    async def guilds(self) -> list[int]:
        """The servers with wishes or waits."""
        return await self._read(wishes.guilds)
