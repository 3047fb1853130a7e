"""The daily deals in the store, and people's attempts at them."""

from __future__ import annotations

from bot.store.choices import Run
from bot.store.model import AttemptRow, DealRow, MonthRow
from bot.store.sql import daily


class Daily:
    """Reads deals and attempts; `Store.create` and `Store.commit` add attempts and their scores.

    Every method raises `StoreError` on failure.
    """

    def __init__(self, read: Run, write: Run) -> None:
        self._read, self._write = read, write

    async def deal(self, day: int) -> DealRow | None:
        """The deal of a day; None if none is sealed yet."""
        return await self._read(daily.deal(day))

    async def seal(self, row: DealRow) -> DealRow:
        """Stores a deal, unless its day has one; returns the stored one."""
        await self._write(daily.add_deal(row))
        stored = await self.deal(row.day)
        assert stored is not None
        return stored

    async def attempt_of(self, user_id: int, day: int) -> AttemptRow | None:
        """A person's attempt at the deal of a day."""
        return await self._read(daily.attempt_of(user_id, day))

    async def attempts_of(self, user_id: int) -> list[AttemptRow]:
        """All attempts of a person, newest first."""
        return await self._read(daily.attempts_of(user_id))

    async def attempts_on(self, guild_id: int, day: int) -> list[AttemptRow]:
        """The attempts of a day from a server, best first, of people who do not hide their results."""
        return await self._read(daily.attempts_on(guild_id, day))

    async def month(self, guild_id: int, first: int, until: int) -> list[MonthRow]:
        """The people who finished deals of these days on a server: `until` is the day after the last. Best first."""
        return await self._read(daily.month(guild_id, first, until))

    async def forget_person(self, user_id: int) -> None:
        """Deletes all attempts of a person."""
        await self._write(daily.forget_attempts(user_id))
