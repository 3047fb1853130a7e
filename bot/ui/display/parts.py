"""The shared parts of a redraw's steps: components, times, and the load of the bot."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Protocol

from bot.tables.model import MINUTE, Table
from bot.tables.service import Tables
from bot.ui.display.state import DisplayState
from bot.ui.private_screens import PrivateScreens, ScreenTiming
from bot.ui.public_screens import PublicScreens
from bot.ui.sender import Sender, SenderTiming

Step = Callable[[Table, DisplayState], Awaitable[Table]]
"""Brings one kind of message up to date; returns the table with what was noted about the message."""


class Load(Protocol):
    """How busy the bot is, as far as that decides how late messages may be."""

    def debounce_window(self) -> float:
        """Seconds that are to lie now between two edits of a table message by requests that count."""
        ...

    def staleness_budget(self) -> float:
        """Seconds for which what nobody waits for may be out of date now."""
        ...


@dataclass(frozen=True, slots=True)
class DisplayTiming:
    """The display: its times, in seconds, and how often it tries again."""

    picture: float = 0.5
    """When a message is drawn again whose picture was not ready."""
    uncertain: float = 2.0
    """When a table is drawn again if it is uncertain what its messages show."""
    too_many_edits: float = 10 * MINUTE
    """When a message is tried again that accepts no edits for now. The wait doubles with each try."""
    edit_tries: int = 6
    """How often a message is tried that Discord accepts no edits of, because it has had too many."""
    passes: int = 3
    """How often in a row the messages are drawn if their edits overlapped with others."""
    landed: float = 30.0
    """After which a post of an earlier process cannot be on its way to Discord."""
    answer: float = 1.0
    """How long a table's messages wait for the answer to a press, by the event loop's clock."""
    private: ScreenTiming = field(default_factory=ScreenTiming)
    """The times of private screens."""
    sender: SenderTiming = field(default_factory=SenderTiming)
    """The times of what is sent."""


@dataclass(frozen=True, slots=True)
class Parts:
    """The components that every step of a redraw uses."""

    tables: Tables
    public: PublicScreens
    private: PrivateScreens
    sender: Sender
    load: Load
    timing: DisplayTiming

    def now(self) -> float:
        """The time, in host time."""
        return self.tables.clock.now()

    def wait_for_picture(self, state: DisplayState) -> None:
        """Has the table drawn again once a picture that was not ready may be."""
        state.check(self.now() + max(self.timing.picture, self.load.staleness_budget()))


def place_of(table: Table) -> int | None:
    """The id of the table message: the lobby before the match, and then the board."""
    return table.body.messages.lobby if table.state is None else table.body.messages.board
