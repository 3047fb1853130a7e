"""Notes the tokens of presses in the states of their tables, and knows which presses are being answered."""

from __future__ import annotations

import asyncio
from collections.abc import Generator
from contextlib import contextmanager

from bot.ui.display.state import DisplayStates
from bot.ui.tokens import Token


class Tokens:
    """The tokens of presses, from the arrival of a press on."""

    def __init__(self, states: DisplayStates, wait: float) -> None:
        """`wait`: for how many seconds, by the event loop's clock, an answer under way is waited for."""
        self._states = states
        self._wait = wait
        self._answering: dict[int, list[float]] = {}
        """By table: since when its presses are being answered that have no answer yet."""

    def gained(self, table_id: int, token: Token, *, public: bool) -> None:
        """Notes the token of an interaction that has been answered. `public` says that all can see its original."""
        state = self._states.of(table_id)
        state.token = token
        if public and token.original is not None:
            state.message(token.original).token = token

    def opened(self, table_id: int, message: int, token: Token | None) -> None:
        """Notes that the answer to this interaction has opened a table, with this message as its lobby."""
        if token is not None:
            state = self._states.of(table_id)
            state.token = state.message(message).token = token

    @contextmanager
    def answering(self, table_id: int) -> Generator[None]:
        """The context in which a press at this table is answered, which will gain a token."""
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
        """Whether a press at this table has only just come and is being answered.

        The answer usually draws some of the table's messages itself, and its token can edit the others.
        """
        began = self._answering.get(table_id, ())
        return bool(began) and max(began) > asyncio.get_running_loop().time() - self._wait
