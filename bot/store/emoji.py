"""The application's emoji that were uploaded, as the store records them."""

from __future__ import annotations

from collections.abc import Sequence

from bot.store.choices import Run
from bot.store.model import EmojiRow
from bot.store.sql import people


class EmojiRecords:
    """The records of uploaded emoji. Every method raises `StoreError` on failure."""

    def __init__(self, read: Run, write: Run) -> None:
        self._read, self._write = read, write

    async def all(self) -> list[EmojiRow]:
        """The uploaded emoji, by name."""
        return await self._read(people.emoji)

    async def keep(self, rows: Sequence[EmojiRow]) -> None:
        """Stores these uploaded emoji; replaces older ones of the same names."""
        if rows:
            await self._write(people.save_emoji(rows))

    async def drop(self, names: Sequence[str]) -> None:
        """Deletes the records of these emoji."""
        if names:
            await self._write(people.delete_emoji(names))
