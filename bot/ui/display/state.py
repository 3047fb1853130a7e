"""The cached state of the display: one object for each table, message, and open private screen; and the calls.

Calls name the seats with a decision. Announcements are compared by their digests.

Deleting a table's object deletes all its state. The state is not durable: after a restart it is determined anew.
"""

from __future__ import annotations

import asyncio
import math
import re
from collections.abc import Callable, Collection, Generator, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from bot.tables.absence import is_expected
from bot.tables.messages import Letter
from bot.tables.model import Table
from bot.ui.screens.kit import Choices, Screen, ScreenView
from bot.ui.screens.screen_view import EmojiMap
from bot.ui.tokens import Token
from bot.ui.uploads import Attachments

Call = tuple[int, int]
"""The number of moves when the call became due, and how many reminders have followed it."""
Calls = dict[int, Call]
"""The calls by seat.

A seat is called if it has an open or an upcoming decision.
"""
ANNOUNCEMENT: Final = 1929
"""The id of a component in every announcement, by which it is recognised: other messages have the same buttons."""


def calls_of(table: Table) -> Calls:
    """The seats with an open or an upcoming decision whose people are to answer it themselves."""
    if table.status != "playing":
        return {}
    body = table.body
    calls = {seat: (each.since, int(each.reminded)) for seat, each in body.asked.items()}
    calls |= {seat: (each.since, 0) for seat, each in body.expected.items() if each.at_once}
    return {seat: call for seat, call in calls.items() if is_expected(table, seat)}


def still_due(table: Table, calls: Calls) -> Calls:
    """Those of these calls whose decision is still open or upcoming."""
    return {
        seat: calls[seat]
        for seat, (since, _reminders) in calls_of(table).items()
        if seat in calls and calls[seat][0] == since
    }


def name_of(table: Table, calls: Calls) -> str:
    """The name of the announcement with these calls, unique among all messages that the table ever has."""
    return f"announcement {table.body.undone} {sorted(calls.items())}"


def calls_as_arg(calls: Calls) -> str:
    """The calls as the argument of a custom_id, by which an announcement is recognised whatever its words are.

    >>> calls_as_arg({2: (14, 0), 0: (9, 1)}), read_calls("0.9.1-2.14.0"), read_calls("")
    ('0.9.1-2.14.0', {0: (9, 1), 2: (14, 0)}, {})
    """
    return "-".join(f"{seat}.{since}.{reminders}" for seat, (since, reminders) in sorted(calls.items()))


def read_calls(arg: str) -> Calls:
    """The calls of such an argument; none if it has another form."""
    found = re.findall(r"(\d+)\.(\d+)\.(\d+)", arg)
    return {int(seat): (int(since), int(reminders)) for seat, since, reminders in found}


def gist(table: Table, calls: Calls) -> str:
    """The facts that an announcement must state truly: who is called or asked, deadlines, and the board's message.

    The announcement's buttons may be outdated, because a press on an old button is answered with the present state.
    """
    deadlines = [table.body.asked[seat].deadline for seat, (_since, reminds) in calls.items() if reminds]
    return repr((sorted(calls.items()), sorted(calls_of(table)), deadlines, table.body.messages.board))


@dataclass(slots=True)
class MessageState:
    """The cached state of one message.

    Edits of a message may take effect in another order than that in which they were sent. The message certainly shows
    its `drawing` only after an edit during which no other edit was on its way; until then `unsure` is set, and the
    message has to be edited once more.
    """

    drawing: bytes | None = None
    """The digest of the drawing that it shows (`bot.ui.screens.kit.ScreenView.digest`)."""
    unsure: bool = False
    """Whether edits overlapped or failed, and no single edit has succeeded since."""
    edits_sent: int = 0
    """The number of edits that have been sent and not been answered yet."""
    attachments: Attachments | None = None
    """The files of the message; None if they are not known."""
    token: Token | None = None
    """The newest token that edits and deletes the message."""
    counted_at: float = -math.inf
    """When the message was last edited by a request that counts towards the limit, in host time."""
    gist: str = ""
    """Of an announcement: the content that justifies a request that counts (`bot.ui.display.state.gist`)."""
    too_many_edits: int = 0
    """The number of edits in a row that Discord refused because the message has had too many."""

    @contextmanager
    def editing(self, view: ScreenView) -> Generator[None]:
        """The context of an edit that makes the message show this view."""
        self.unsure = self.edits_sent > 0
        if self.unsure:
            self.attachments = None
        self.edits_sent += 1
        drawing = self.drawing = view.digest
        try:
            yield
            if self.drawing == drawing:
                self.drawing = view.digest  # Discord may have accepted it only without pictures or emoji
        except BaseException:
            self.unsure = True  # the edit may have taken effect, or may still do so
            self.attachments = None
            raise
        finally:
            self.edits_sent -= 1

    def note_posted(self, drawing: bytes, attachments: Attachments | None = None) -> None:
        """Notes that the message was just posted, with these files, unless an edit of it is already on its way."""
        if not self.edits_sent:
            self.drawing, self.unsure, self.attachments = drawing, False, attachments

    def note_attachments(self, attachments: Attachments | None) -> None:
        """Notes the files that the message has after an edit; None if Discord did not name them.

        If edits overlapped, the files count as unknown: the last answer need not be that of the last effective edit.
        """
        self.attachments = None if self.unsure else attachments

    def shows(self, drawing: bytes) -> bool:
        """Whether the message shows this drawing, or will show it after the only edit on its way."""
        return not self.unsure and self.drawing == drawing

    def forget_drawing(self) -> None:
        """Forgets the drawing of the message, unless an edit of the message is on its way."""
        if not self.edits_sent:
            self.drawing, self.unsure, self.attachments = None, False, None


class ScreenInputs(NamedTuple):
    """The inputs of a private screen, apart from its owner's presses: equal inputs give an equal screen."""

    version: int
    """The version of the table, and so of all its stored data: match, seats, log."""
    may_undo: bool
    trouble: str | None
    emoji: EmojiMap


@dataclass(slots=True, eq=False)
class PrivateScreen:
    """The private screen of one person: its inputs, its content, and, once it is sent, the means to edit it."""

    user_id: int
    seat: int | None
    """The seat of the person; None if the person watches the match."""
    locale: str
    choices: Choices = field(default_factory=dict[str, list[str]])
    remark: str = ""
    """The remark about the last press on the screen. It is shown while the decision of its time is open, else until
    the table changes."""
    page: Callable[[Table], Screen] | None = None
    """Draws the page that the person looked up, which has taken the screen's place; None if the screen is shown."""

    held_until: float = -math.inf
    """Until when the screen shows what a roll of its person is about and not its result, in host time."""

    # set by each drawing

    version: int = 0
    """The version of the table that it shows."""
    decision: str | None = None
    asks: bool = False
    """Whether the screen shows an open decision of its person; an upcoming decision does not count."""
    inputs: ScreenInputs | None = None
    """The inputs of the drawing; None if it may look different when it is made again."""

    # set once it is sent

    token: Token = field(init=False)
    message: int | None = None
    """The message's id; None for the original of the token."""
    attachments: Attachments | None = None
    """The files of the message; None if they are not known."""
    digest: bytes = b""
    """The digest of the drawing that the screen shows."""
    pressed: float = -math.inf
    """When the person last opened the screen or pressed a button on it, in host time."""
    hurried: float = -math.inf
    """When `PrivateScreens.hurry` last updated the screen without waiting for the table's redraw, in host time."""
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    """Held during an update of the screen, so that several changes in the meantime become one further edit."""

    def sent(self, token: Token | None, message: int | None, attachments: Attachments | None) -> None:
        """Notes the message that shows the screen, the token of the answer that sent it, and the message's files."""
        assert token is not None
        self.token, self.message, self.attachments = token, message, attachments


@dataclass(slots=True)
class DisplayState:
    """The cached state of the messages of one table."""

    messages: dict[int, MessageState] = field(default_factory=dict[int, MessageState])
    screens: dict[int, PrivateScreen] = field(default_factory=dict[int, PrivateScreen])
    """The private screens that are open, by the ids of their owners."""
    token: Token | None = None
    """The newest token that posts messages in the table's channel."""
    drawn_whole_at: float = -math.inf
    """When all messages and screens were last brought up to date, in host time."""
    urgent_since: int | None = None
    """The table's version in which a name was removed, so that all messages are to be drawn without delay.

    It is reset to None once all messages certainly show that version.
    """
    check_at: float | None = None
    """When a part that was put off is to be drawn, in host time."""
    trouble: str | None = None
    """The permission for want of which the table's messages cannot be drawn now, by its flag; None if they can. Private
    screens name it."""
    first_post: bool = False
    """Whether the next new post of the table message is the first try, so that no search for an earlier one is due."""
    searched: bool = False
    """Whether the channel was searched for messages of an earlier process, or cannot have any."""
    search_again_at: float = math.inf
    """When to search the channel once more, because an announcement may have been on its way during the last search."""
    doubtful: bool = False
    """Whether an announcement may have been posted without an answer from Discord, or twice."""
    letters: dict[int, tuple[Call, Letter | None]] = field(
        default_factory=dict[int, tuple[Call, Letter | None]]
    )
    """By person, the newest call for which a letter was tried, and the letter; None if Discord did not accept it.

    A redraw that is repeated before the letters are noted, or without a token in a group DM, sends no second letter.
    """
    waits: bool = False
    """Whether a part of the redraw under way waits for a press, because the table is in a group DM."""
    unsearchable: bool = False
    """Whether the bot was not allowed, or not able, to read the channel at the last search."""
    unread: bool = False
    """Whether the last search failed because of an outage, so that it is to be made again."""
    lags: bool = False
    """Whether the redraw under way draws only the parts that somebody waits for."""
    following: asyncio.Future[None] | None = None
    """The edits of the private screens in the redraw under way."""

    def message(self, message: int) -> MessageState:
        """The cached state of the message with this id."""
        state = self.messages.get(message)
        if state is None:
            state = self.messages[message] = MessageState()
        return state

    def forget_message(self, message: int) -> None:
        """Forgets a deleted message, unless an edit of it is on its way."""
        if (state := self.messages.get(message)) is not None and not state.edits_sent:
            del self.messages[message]

    def check(self, when: float) -> None:
        """Has the messages drawn again at this time, or earlier if an earlier time was already set."""
        self.check_at = when if self.check_at is None else min(when, self.check_at)

    def token_of(self, message: int, now: float) -> Token | None:
        """A valid token that edits and deletes this message; None if there is none."""
        state = self.messages.get(message)
        return None if state is None else _living(state.token, now)

    def posting_token(self, now: float) -> Token | None:
        """A valid token that posts messages in the table's channel; None if there is none."""
        return _living(self.token, now)

    def lose(self, token: Token) -> None:
        """Forgets a token that Discord has refused."""
        if self.token is token:
            self.token = None
        for message in self.messages.values():
            if message.token is token:
                message.token = None

    def sweep(self, now: float) -> None:
        """Forgets expired tokens, and the private screens that only they could edit."""
        self.token = _living(self.token, now)
        for message, state in list(self.messages.items()):
            state.token = _living(state.token, now)
            if state == _NEW_MESSAGE:
                del self.messages[message]
        for user in [user for user, screen in self.screens.items() if screen.token.until < now]:
            del self.screens[user]


def _living(token: Token | None, now: float) -> Token | None:
    return token if token is not None and token.until > now else None


_NEW_MESSAGE = MessageState()
_NEW_TABLE = DisplayState()


class DisplayStates:
    """The states of all tables of this process, by the tables' ids."""

    def __init__(self) -> None:
        self._states: dict[int, DisplayState] = {}

    def __iter__(self) -> Iterator[tuple[int, DisplayState]]:
        return iter(self._states.items())

    def get(self, table_id: int) -> DisplayState | None:
        """The state of this table; None if none is cached."""
        return self._states.get(table_id)

    def of(self, table_id: int) -> DisplayState:
        """The state of this table, a new one if none is cached."""
        state = self._states.get(table_id)
        if state is None:
            state = self._states[table_id] = DisplayState()
        return state

    def forget(self, table_id: int) -> None:
        """Deletes the state of a table."""
        self._states.pop(table_id, None)

    def keep_only(self, tables: Collection[int]) -> None:
        """Deletes the states of all other tables."""
        self._states = {table_id: state for table_id, state in self._states.items() if table_id in tables}

    def sweep(self, now: float) -> None:
        """Deletes expired tokens and private screens, and the states of tables that are then empty."""
        for table_id, state in list(self._states.items()):
            state.sweep(now)
            if state == _NEW_TABLE:
                del self._states[table_id]
