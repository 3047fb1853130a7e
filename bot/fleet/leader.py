"""Which process of a fleet does what is done once for all of them."""

from __future__ import annotations

from bot.fleet.member import Fleet
from bot.store.store import Store


def leads(fleet: Fleet, store: Store) -> bool:
    """Whether this process does what is done once for this store. One that has its store alone always does."""
    return fleet.first or store.leases is None
