"""The rated results of a store, and the ratings that follow from their places: the oracle of those that are stored."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from itertools import groupby

from bot.ratings import NEW, Rating, rate
from bot.store.model import ResultRow
from bot.store.results import rows_of
from bot.store.store import Store


async def rated_of(store: Store, guild_id: int) -> list[ResultRow]:
    """The rated results of a server, oldest match first."""
    rated = "results WHERE results.guild_id = $1 AND new_mu IS NOT NULL"
    return await store.engine.read(lambda tx: rows_of(tx, rated, guild_id))


def recomputed(rows: Iterable[ResultRow]) -> list[ResultRow]:
    """The rows whose ratings differ from those that follow from the places, with the ratings that follow.

    Nothing links a forgotten person's seat to other matches: its rating before, and all weights, are the stored ones.
    """
    known: dict[tuple[str, int, int | None], Rating] = {}
    wrong: list[ResultRow] = []
    for _match, seats in groupby(rows, lambda row: row.number):
        match = list(seats)
        keys = [(row.game, row.season, row.user_id) for row in match]
        forgotten = [row.before or NEW if row.user_id is None else NEW for row in match]
        before = [known.get(key, other) for key, other in zip(keys, forgotten, strict=True)]
        weights = [row.weight for row in match if row.weight is not None]
        after = rate(before, [row.place for row in match], weights or None)
        for row, old, new in zip(match, before, after, strict=True):
            if (row.before, row.after) != (old, new):
                wrong.append(replace(row, before=old, after=new))
        known |= {key: new for key, new in zip(keys, after, strict=True) if key[2] is not None}
    return wrong
