"""The messages of a table on Discord and the thread that the bot opens for it, as the table stores them."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

Letter = tuple[int, int]
"""A direct message: its channel and its id."""


@dataclass(slots=True)
class Messages:
    """The ids of the table's messages in its channel.

    `start` is the message with which the match began; the board is drawn into it until the table is moved to the bottom
    of the channel. `announcement` is the message that calls the players who are asked. `called` holds, for each seat
    that was called, the number of moves at which it was asked (`OpenDecision.since`) and how many reminders have
    followed. `moving` means that the table message is to be posted anew at the bottom of the channel. The `retired`
    messages are to be deleted. `shows` holds the last known content of each message that seldom changes, by the
    message's field. `farewell` means that a match was ended early, and that the message that says so is still to be
    posted. `calling` is the name under which a call is being posted; empty once the call's id is stored as
    `announcement`. `waits` means that a message of a table in a group DM is out of date until somebody presses a
    button.

    `letters` holds the direct message that calls a person, by the person's id.
    """

    lobby: int | None = None
    board: int | None = None
    announcement: int | None = None
    called: dict[int, tuple[int, int]] = field(default_factory=dict[int, tuple[int, int]])
    result: int | None = None
    moving: bool = False
    retired: list[int] = field(default_factory=list[int])
    shows: dict[str, str] = field(default_factory=dict[str, str])
    start: int | None = None
    farewell: bool = False
    calling: str = ""
    letters: dict[int, Letter] = field(default_factory=dict[int, Letter])
    waits: bool = False

    @property
    def placed(self) -> set[int]:
        """The ids of the messages that belong in the channel."""
        named = {self.lobby, self.board, self.announcement, self.result, self.start}
        return {message for message in named if message is not None}

    @property
    def known(self) -> set[int]:
        """The ids of all messages, including those to be deleted."""
        return {*self.placed, *self.retired}


@dataclass(slots=True)
class MatchThread:
    """The match thread of a table, in the channel `parent`.

    The table is stored before its thread exists (`opened`). `starter` is the message in the parent channel from which
    the thread is started, whose id Discord also gives to the thread; None before it is posted, when the table's channel
    is an id that no channel has, and for a table that Play Again opened in the thread of an earlier one.
    `parent_result` is the message in the parent channel with the result; 0 if Discord refused it. `archived`: the bot
    has archived the thread, unless it may not, or another table is played there. `offer` is the id of the interaction
    that offered the thread or asked for it; 0 if it is unknown.
    """

    parent: int
    opened: bool = False
    starter: int | None = None
    parent_result: int | None = None
    archived: bool = False
    offer: int = 0


class Place(NamedTuple):
    """The place where a table is opened: a channel, or a thread that is to be opened in the channel `parent`.

    `channel` of such a thread is an id that no channel has: that of the interaction that offered it or asked for it.
    """

    channel: int
    parent: int | None = None

    @property
    def match_thread(self) -> MatchThread | None:
        """The thread of a table that is opened here; None for a table in the channel itself."""
        return None if self.parent is None else MatchThread(self.parent, offer=self.channel)
