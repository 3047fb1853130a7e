"""What a store holds, table by table, wherever it is kept; and a digest by which two stores are compared."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

Row = Sequence[Any]


@dataclass(frozen=True, slots=True)
class Part:
    """A table of the database: its columns, the first `key` of which tell its rows apart, and the texts among these."""

    name: str
    columns: tuple[str, ...]
    key: int = 1
    numbered: bool = False
    """Whether the database gives each row a number that it never gives again."""
    truths: tuple[str, ...] = ()
    """The columns that are true or false, for which SQLite has the numbers 1 and 0."""

    def rows(self, found: Iterable[Row]) -> list[Row]:
        """Rows as SQLite has given them, with these columns as truths."""
        places = [self.columns.index(name) for name in self.truths]
        return [
            tuple(bool(value) if place in places else value for place, value in enumerate(row))
            if places
            else row
            for row in found
        ]


CONTENT: Final = (
    Part(
        "tables",
        (
            *("id", "guild_id", "channel_id", "game", "status", "version", "sequence", "created_at"),
            *("changed_at", "ended_at", "asleep", "snapshot", "body", "opener_id"),
        ),
        numbered=True,
        truths=("asleep",),
    ),
    Part("moves", ("table_id", "sequence", "seat", "move", "interaction_id", "at", "part"), key=2),
    Part("log", ("table_id", "number", "source", "sequence", "event", "at"), key=2),
    Part("jobs", ("id", "table_id", "kind", "due", "payload"), numbered=True),
    Part("presses", ("id", "table_id", "at")),
    Part("sat", ("table_id", "user_id", "seat"), key=2),
    Part("facts", ("name", "value")),
    Part("erasures", ("id", "user_id", "asked_at"), numbered=True),
    Part("text_only", ("id", "scope")),
    Part("emoji", ("name", "digest", "id")),
)
"""Everything, in an order in which what belongs to a row comes after it."""

TOGETHER: Final = 500
"""How many rows are read and written at a time."""


class Digest:
    """Counts rows, in the order of their keys, and sums up their content."""

    def __init__(self) -> None:
        self.rows = 0
        self._hash = hashlib.sha256()

    def add(self, rows: Iterable[Row]) -> None:
        for row in rows:
            self.rows += 1
            self._hash.update(repr(tuple(row)).encode())

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, Digest)
            and self.rows == other.rows
            and self._hash.digest() == other._hash.digest()
        )

    __hash__ = None  # pyright: ignore[reportAssignmentType]
