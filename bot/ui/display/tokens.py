"""The tokens of presses in the states of their tables, and the presses that are being answered."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

from bot.ui.display.state import DisplayStates
from bot.ui.tokens import Token


class Tokens:
    """The tokens of presses, from the arrival of a press on."""

    def __init__(self, states: DisplayStates, wait: float) -> None:
        """`wait`: how long an answer under way is waited for, in seconds by the event loop's clock."""
        self._states = states
        self._wait = wait
        self._answering: dict[int, list[float]] = {}
        """By table: the arrival times of its unanswered presses, by the event loop's clock."""

    def gained(self, table_id: int, token: Token, *, public: bool) -> None:
        """Notes the token of an answered interaction. `public` says that the token's original is a public message."""
        state = self._states.of(table_id)
        state.token = token
        if public and token.original is not None:
            state.message(token.original).token = token

    def opened(self, table_id: int, message: int, token: Token | None) -> None:
        """Notes the token of the interaction whose answer is the lobby message of a new table."""
        if token is not None:
            state = self._states.of(table_id)
            state.token = state.message(message).token = token

    @contextmanager
    def answering(self, table_id: int) -> Generator[None]:
        """The context in which a press at this table is answered. The answer makes a token available."""
        if not table_id:
            yield
            return
        began = asyncio.get_running_loop().time()
        under_way = self._answering.setdefault(table_id, [])
        under_way.append(began)
        try:
            yield
        finally:
            under_way.remove(began)
            if not under_way:
                self._answering.pop(table_id, None)

    def awaited(self, table_id: int) -> bool:
        """Whether a press at this table arrived less than `wait` seconds ago and is being answered.

        The answer usually draws some of the table's messages itself, and its token can edit the others.
        """
        began = self._answering.get(table_id, ())
        return bool(began) and max(began) > asyncio.get_running_loop().time() - self._wait
