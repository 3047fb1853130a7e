"""What each message shows now, as far as that can be known: edits of one may land in another order than sent."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable
from contextlib import contextmanager
from dataclasses import dataclass
from hashlib import blake2b

from discord import ui


def drawing(view: ui.LayoutView) -> bytes:
    """Tells one drawing from another without keeping either."""
    return blake2b(json.dumps(view.to_components(), default=str).encode(), digest_size=16).digest()


@dataclass(slots=True)
class _Message:
    shows: bytes | None = None
    on_their_way: int = 0
    unsure: bool = False


class Edits:
    """The edits of messages, from when they are sent until they have landed.

    What a message shows is known only after an edit that met no other one on its way. Whoever finds that it is not
    known edits once more.
    """

    def __init__(self) -> None:
        self._messages: dict[int, _Message] = {}

    @contextmanager
    def making(self, message: int, payload: bytes) -> Generator[None]:
        """Within it, an edit is on its way that has this message show that drawing."""
        at = self._messages.setdefault(message, _Message())
        at.unsure = at.on_their_way > 0
        at.on_their_way += 1
        at.shows = payload
        try:
            yield
        except BaseException:
            at.unsure = True  # it may have landed, or land yet
            raise
        finally:
            at.on_their_way -= 1

    def note(self, message: int, payload: bytes) -> None:
        """The message has just been posted, and shows this drawing unless an edit of it is on its way already."""
        if not self.on_its_way(message):
            self._messages[message] = _Message(payload)

    def shows(self, message: int, payload: bytes) -> bool:
        """Whether the message is known to show this drawing, or an edit that will have it do so is on its way alone."""
        at = self._messages.get(message)
        return at is not None and not at.unsure and at.shows == payload

    def on_its_way(self, message: int) -> bool:
        """Whether an edit of the message has been sent and has not landed yet."""
        at = self._messages.get(message)
        return at is not None and at.on_their_way > 0

    def unsure(self, message: int) -> bool:
        """Whether edits of the message met on their way, or one of them failed, and none has landed alone since."""
        at = self._messages.get(message)
        return at is not None and at.unsure

    def forget(self, messages: Iterable[int]) -> None:
        """These messages will seldom be edited any more: nothing is remembered of them."""
        for message in messages:
            at = self._messages.get(message)
            if at is not None and not at.on_their_way:
                del self._messages[message]
