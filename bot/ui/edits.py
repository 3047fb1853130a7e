"""Keeps track of what each message shows now.

This is not always certain, because edits of a message may take effect in another order than that in which they were
sent.
"""

from __future__ import annotations

from collections.abc import Collection, Generator, Iterable, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import discord


@dataclass(slots=True)
class _Message:
    shows: bytes | None = None
    """The digest of the drawing that it shows (`bot.ui.screens.kit.Drawn.digest`)."""
    on_their_way: int = 0
    unsure: bool = False
    attachments: Sequence[discord.Attachment] | None = None
    """The files that it has; None if that is not known."""


class Edits:
    """The edits of messages, from when they are sent until Discord has carried them out.

    What a message shows is certain only after an edit during which no other edit of it was on its way. Whoever finds
    that it is not certain edits the message once more.
    """

    def __init__(self) -> None:
        self._messages: dict[int, _Message] = {}

    @contextmanager
    def making(self, message: int, drawing: bytes) -> Generator[None]:
        """The context in which an edit is on its way that makes this message show that drawing."""
        at = self._messages.setdefault(message, _Message())
        at.unsure = at.on_their_way > 0
        if at.unsure:
            at.attachments = None
        at.on_their_way += 1
        at.shows = drawing
        try:
            yield
        except BaseException:
            at.unsure = True  # the edit may have taken effect, or may still do so
            at.attachments = None
            raise
        finally:
            at.on_their_way -= 1

    def note(self, message: int, drawing: bytes) -> None:
        """Notes that the message was just posted and shows this drawing, unless an edit of it is on its way already."""
        if not self.on_its_way(message):
            self._messages[message] = _Message(drawing)

    def has(self, message: int, attachments: Sequence[discord.Attachment] | None) -> None:
        """Notes which files the message has after an edit, as far as Discord said.

        If edits overlapped, the answer that came last need not be that of the edit that took effect last.
        """
        at = self._messages.setdefault(message, _Message())
        at.attachments = None if at.unsure else attachments

    def attachments(self, message: int) -> Sequence[discord.Attachment] | None:
        """The files that the message has; None if that is not known."""
        at = self._messages.get(message)
        return at.attachments if at is not None else None

    def shows(self, message: int, drawing: bytes) -> bool:
        """Whether the message is known to show this drawing, or the only edit on its way will make it show it."""
        at = self._messages.get(message)
        return at is not None and not at.unsure and at.shows == drawing

    def on_its_way(self, message: int) -> bool:
        """Whether an edit of the message was sent and has not been answered yet."""
        at = self._messages.get(message)
        return at is not None and at.on_their_way > 0

    def unsure(self, message: int) -> bool:
        """Whether it is uncertain what it shows: edits overlapped or failed, and no single one succeeded since."""
        at = self._messages.get(message)
        return at is not None and at.unsure

    def keep_only(self, messages: Collection[int]) -> None:
        """Forgets all other messages, because another process edits them."""
        self.forget([message for message in self._messages if message not in messages])

    def forget(self, messages: Iterable[int]) -> None:
        """Forgets these messages, because they will hardly be edited any more."""
        for message in messages:
            at = self._messages.get(message)
            if at is not None and not at.on_their_way:
                del self._messages[message]
