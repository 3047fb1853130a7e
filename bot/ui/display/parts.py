"""The shared parts of a redraw's steps: components, times, and the load of the bot."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final, Protocol

from bot.tables.messages import Messages
from bot.tables.model import MINUTE, Table
from bot.tables.service import Tables
from bot.ui.call_choices import CallChoices
from bot.ui.display.letters import Letters
from bot.ui.display.state import DisplayState
from bot.ui.private_screens import PrivateScreens
from bot.ui.public_screens import PublicScreens
from bot.ui.sender import Sender
from bot.ui.token_sender import TokenSender

Step = Callable[[Table, DisplayState], Awaitable[Table]]
"""Brings one kind of message up to date; returns the table with the new notes about the message."""
PICTURE_AGAIN: Final = 0.5
"""Seconds until a message whose picture was not ready is drawn again."""
EDITS_AGAIN: Final = 10 * MINUTE
"""Seconds until the next try of a message that accepts no edits for now. It doubles with each try."""
EDIT_TRIES: Final = 6
"""The number of tries of a message of which Discord accepts no edits because it has had too many."""


class Load(Protocol):
    """The bot's load, as the delays that it allows for messages."""

    def debounce_window(self) -> float:
        """The least time now between two edits of a table message by requests that count. In seconds."""
        ...

    def staleness_budget(self) -> float:
        """How long parts that nobody waits for may be out of date now, in seconds."""
        ...


@dataclass(frozen=True, slots=True)
class Parts:
    """The components that every step of a redraw uses."""

    tables: Tables
    public: PublicScreens
    private: PrivateScreens
    sender: Sender
    by_token: TokenSender
    """The sender for tables in group DMs."""
    letters: Letters
    calls: CallChoices
    load: Load

    def sender_of(self, table: Table) -> Sender:
        """The sender for the messages of this table."""
        return self.by_token if table.in_group else self.sender

    def now(self) -> float:
        """The present host time."""
        return self.tables.clock.now()

    def wait_for_picture(self, state: DisplayState) -> None:
        """Has the table drawn again when a picture that was not ready may be."""
        state.check(self.now() + max(PICTURE_AGAIN, self.load.staleness_budget()))


def place_of(table: Table) -> int | None:
    """The id of the table message: the lobby before the match, and then the board."""
    return table.body.messages.lobby if table.state is None else table.body.messages.board


def note_place(messages: Messages, message: int, *, begun: bool) -> None:
    """Notes the id of the table message, as `place_of` reads it. `begun`: the match had begun when it was posted."""
    if begun:
        messages.board = message
    else:
        messages.lobby = message


def digest(text: str) -> str:
    """A short digest of what a message shows, as it is noted with the table (`Messages.shows`)."""
    return blake2b(text.encode(), digest_size=8).hexdigest()
