"""The choices of servers and people in the store, where they differ from the default."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from typing import Any

from bot.store.engine import TxFunction
from bot.store.model import Scope
from bot.store.sql import choices

Run = Callable[[TxFunction[Any]], Awaitable[Any]]


class Choices:
    """Named choices of servers and people. Every method raises `StoreError` on failure."""

    def __init__(self, read: Run, write: Run) -> None:
        self._read, self._write = read, write

    async def get(self, scope: Scope, number: int, name: str) -> str | None:
        """A choice; None for the default."""
        return await self._read(choices.choice(scope, number, name))

    async def put(self, scope: Scope, number: int, name: str, value: str | None) -> None:
        """Stores a choice; None returns to the default."""
        await self._write(choices.choose(scope, number, name, value))

    async def put_all(
        self, scope: Scope, number: int, values: Mapping[str, str | None], *, text_only: bool | None = None
    ) -> None:
        """Stores choices together, also that of text only unless it is None. None in `values` is the default."""
        await self._write(choices.choose_all(scope, number, values, text_only))

    async def swap(self, scope: Scope, number: int, name: str, old: str, new: str | None) -> bool:
        """Replaces a choice if its value is still `old`; None returns to the default. Returns whether it was replaced.

        Of several processes that replace the same value, one succeeds.
        """
        return await self._write(choices.swap_choice(scope, number, name, old, new))

    async def of(self, scope: Scope, number: int) -> dict[str, str]:
        """All choices of a server or a person, by name."""
        return await self._read(choices.choices_of(scope, number))

    async def named(self, scope: Scope, name: str) -> dict[int, str]:
        """The choices of this name, by the ids of the servers or people."""
        return await self._read(choices.choices_named(scope, name))

    async def forget(self, user_id: int) -> None:
        """Deletes all choices of a person."""
        await self._write(choices.forget_choices(user_id))
