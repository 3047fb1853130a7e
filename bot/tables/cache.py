"""What the store has said and would say again, so that a press need not ask it: the ends of logs, and who has played.

A log changes only together with its table's version, by which its end is known to be the newest. That somebody has
played a game stays true until a match or a person is deleted.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from bot.store.model import Change, LogRow
from bot.store.store import Store

KEPT: Final = 80
"""How many of the newest rows of a log are kept: some turns of everybody. What is older is asked of the store."""
ROWS: Final = 100_000
"""How many rows of all logs are kept, at about 350 bytes each."""
PLAYED: Final = 10_000
"""Of how many people and matches it is kept that they had played before."""


@dataclass(frozen=True, slots=True, repr=False)
class _Tail:
    """The newest rows of a log, as they are when the table has this version; `whole` says that there are no others."""

    version: int
    rows: Sequence[LogRow]
    whole: bool

    def newest(self, last: int, since: int) -> list[LogRow] | None:
        """What `Store.log` returns for these values; None if older rows are needed for that."""
        if not (self.whole or last <= len(self.rows) or self.rows[0].sequence < since):
            return None
        return [row for row in self.rows[-last:] if row.sequence >= since]


class Tails:
    """The ends of the logs of those tables that were looked at last."""

    def __init__(self) -> None:
        self._tails: OrderedDict[int, _Tail] = OrderedDict()
        self._rows = 0

    def newest(self, table_id: int, version: int, last: int, since: int) -> list[LogRow] | None:
        """The same as `Store.log` returns once the table has this version; None if that has to be read."""
        tail = self._tails.get(table_id)
        if tail is None or tail.version < version:
            return None
        self._tails.move_to_end(table_id)
        return tail.newest(last, since)

    def keep(self, table_id: int, version: int, rows: Sequence[LogRow], *, whole: bool) -> None:
        """Keeps the newest rows of the log of a table that has this version."""
        self.forget(table_id)
        tail = _Tail(version, rows[-KEPT:], whole and len(rows) <= KEPT)
        self._tails[table_id] = tail
        self._rows += len(tail.rows)
        while self._rows > ROWS:
            _oldest, dropped = self._tails.popitem(last=False)
            self._rows -= len(dropped.rows)

    def follow(self, change: Change, before: int) -> None:
        """Adds the rows of a change that is durable now, to a table that had the version `before`."""
        table_id = change.table.id
        tail = self._tails.get(table_id)
        if tail is None:
            return
        added = _added(tail.rows, change) if tail.version == before else None
        if added is None:
            self.forget(table_id)
        else:
            self.keep(table_id, change.table.version, [*tail.rows, *added], whole=tail.whole)

    def forget(self, table_id: int) -> None:
        """Keeps nothing of this table's log any more."""
        tail = self._tails.pop(table_id, None)
        if tail is not None:
            self._rows -= len(tail.rows)


def _added(rows: Sequence[LogRow], change: Change) -> list[LogRow] | None:
    """The rows that a change adds after these, as the store returns them; None if that cannot be told from here."""
    if change.undone is not None:
        return None
    movers: dict[int, int | None] = {0: None}  # the set-up is nobody's move
    if rows:
        movers[rows[-1].sequence] = rows[-1].mover
    movers |= {move.sequence: move.seat for move in change.moves}
    if any(line.sequence not in movers for line in change.log):
        return None
    first = rows[-1].number + 1 if rows else 1
    return [
        LogRow(line.source, line.sequence, line.event, line.at, number, movers[line.sequence])
        for number, line in enumerate(change.log, first)
    ]


class Played:
    """Who had played a game before."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._known: dict[tuple[int, str, int], None] = {}
        """Of whom the store has said so. That somebody had not may change at any time, so it is asked each time."""

    async def before(self, user_id: int, game: str, *, besides: int) -> bool:
        """The same as `Store.has_played` returns."""
        asked, known = (user_id, game, besides), self._known
        if asked in known:
            return True
        if not await self._store.has_played(user_id, game, besides=besides):
            return False
        # If something was deleted meanwhile, the answer may be older than that, and is kept nowhere.
        known[asked] = None
        if len(known) > PLAYED:
            del known[next(iter(known))]
        return True

    def forget(self) -> None:
        """To be called when people or matches have been deleted."""
        self._known = {}
