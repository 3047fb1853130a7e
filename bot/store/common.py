"""The tables of the store's database, for both engines, and a digest that compares two stores."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

Row = Sequence[Any]


@dataclass(frozen=True, slots=True)
class TableSpec:
    """A table of the database. The first `key` columns are its primary key."""

    name: str
    columns: tuple[str, ...]
    key: int = 1
    numbered: bool = False
    """Whether the database generates the ids of the rows, and never reuses an id."""
    booleans: tuple[str, ...] = ()
    """The boolean columns, which SQLite stores as 0 and 1."""

    def rows(self, found: Iterable[Row]) -> list[Row]:
        """Rows from SQLite with their boolean columns converted."""
        places = [self.columns.index(name) for name in self.booleans]
        return [
            tuple(bool(value) if place in places else value for place, value in enumerate(row))
            if places
            else row
            for row in found
        ]


TABLES: Final = (
    TableSpec(
        "tables",
        (
            *("id", "guild_id", "channel_id", "game", "status", "version", "sequence", "created_at"),
            *("changed_at", "ended_at", "asleep", "snapshot", "body", "opener_id"),
        ),
        numbered=True,
        booleans=("asleep",),
    ),
    TableSpec("moves", ("table_id", "sequence", "seat", "move", "interaction_id", "at", "part"), key=2),
    TableSpec("log", ("table_id", "number", "source", "sequence", "event", "at"), key=2),
    TableSpec("jobs", ("id", "table_id", "kind", "due", "payload"), numbered=True),
    TableSpec("presses", ("id", "table_id", "at")),
    TableSpec("sat", ("table_id", "user_id", "seat"), key=2),
    TableSpec("facts", ("name", "value")),
    TableSpec("erasures", ("id", "user_id", "asked_at"), numbered=True),
    TableSpec("text_only", ("id", "scope")),
    TableSpec("emoji", ("name", "digest", "id")),
    TableSpec("players", ("id", "user_id"), numbered=True),
    TableSpec(
        "results",
        (
            *("guild_id", "number", "seat", "table_id", "game", "season", "ended_at", "moves", "player"),
            *("place", "score", "mu", "sigma", "new_mu", "new_sigma", "feats", "weight"),
        ),
        key=3,
    ),
    TableSpec("seasons", ("guild_id", "number", "began_at"), key=2),
    TableSpec("choices", ("id", "name", "scope", "value"), key=2),
    TableSpec(
        "wishes",
        (
            *("guild_id", "user_id", "id", "channel_id", "game", "seats", "mode", "since", "ends"),
            "table_id",
        ),
        key=2,
    ),
    TableSpec("waits", ("guild_id", "mode", "number", "seconds"), key=3),
    TableSpec(
        "guests",
        ("user_id", "table_id", "asker_id", "at", "notified", "declined_at"),
        key=2,
        booleans=("notified",),
    ),
    TableSpec("deals", ("day", "game", "seed", "sealed_at")),
    TableSpec("attempts", ("user_id", "day", "guild_id", "table_id", "score"), key=2),
)
"""All tables; a referenced table precedes the tables that refer to it."""


class Digest:
    """The number and the hash of rows, added in the order of their keys."""

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
