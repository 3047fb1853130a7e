"""A transaction on a connection to PostgreSQL."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from bot.store.engine import NotUnique, Row, Value
from bot.store.postgres.driver import Connection, UniqueViolation, constraint_of

_SERIALISE: Final = "SELECT pg_advisory_xact_lock(hashtextextended($1, 0))"


class PostgresTx:
    """`bot.store.engine.Tx` on a connection. `timeout`: seconds per statement, if not the default."""

    __slots__ = ("_connection", "_timeout", "again")
    numbers = "SELECT CAST(value AS bigint) FROM json_array_elements_text(CAST({} AS json))"

    def __init__(self, connection: Connection, *, again: bool = False, timeout: float | None = None) -> None:
        self._connection, self.again, self._timeout = connection, again, timeout

    async def execute(self, query: str, *values: Value) -> int:
        try:
            tag = await self._connection.execute(query, *values, timeout=self._timeout)
        except UniqueViolation as error:
            raise NotUnique(constraint_of(error) or "") from None
        return int(tag.rpartition(" ")[2])

    async def many(self, query: str, rows: Sequence[Sequence[Value]]) -> None:
        try:
            await self._connection.executemany(query, rows, timeout=self._timeout)
        except UniqueViolation as error:
            raise NotUnique(constraint_of(error) or "") from None

    async def fetch(self, query: str, *values: Value) -> Sequence[Row]:
        try:
            return await self._connection.fetch(query, *values, timeout=self._timeout)
        except UniqueViolation as error:
            raise NotUnique(constraint_of(error) or "") from None

    async def serialise(self, what: str, number: int = 0) -> None:
        await self._connection.execute(_SERIALISE, f"{what} {number}")
