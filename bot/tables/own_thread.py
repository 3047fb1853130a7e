"""The thread that the bot opens for a single table, as the table stores it, and the place of a new table."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple


@dataclass(slots=True)
class OwnThread:
    """A table's own thread in the channel `parent`.

    The table is stored before its thread exists (`opened`). `starter` is the message in the parent channel from which
    the thread is started, whose id Discord also gives to the thread; None before it is posted, when the table's channel
    is an id that no channel has, and for a table that Play Again opened in the thread of an earlier one. `told` is the
    message in the parent channel with the result; 0 if Discord refused it. `archived`: the bot has archived the thread,
    unless it may not, or another table is played there. `offer` is the id of the interaction that offered the thread or
    asked for it; 0 if it is unknown.
    """

    parent: int
    opened: bool = False
    starter: int | None = None
    told: int | None = None
    archived: bool = False
    offer: int = 0

    def copy(self) -> OwnThread:
        return replace(self)


class Place(NamedTuple):
    """The place where a table is opened: a channel, or a thread that is to be opened in the channel `parent`.

    `channel` of such a thread is an id that no channel has: that of the interaction that offered it or asked for it.
    """

    channel: int
    parent: int | None = None

    @property
    def own_thread(self) -> OwnThread | None:
        """The thread of a table that is opened here; None for a table in the channel itself."""
        return None if self.parent is None else OwnThread(self.parent, offer=self.channel)
