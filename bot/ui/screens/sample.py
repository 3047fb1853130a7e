"""A short match with a fixed deal, played by agents, for the pictures of a game's rules."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any, Final

from bot.ui.screens.game_screens import SeenEvent
from engine.game import AnyGame, Options

DEAL: Final = bytes(32)
"""The key of the deal. No table has it."""


class Sample:
    """A match that is played as far as it is asked for. It has no secrets, because nobody plays it."""

    def __init__(self, game: AnyGame, options: Options, seats: int = 3, level: str = "novice") -> None:
        """`level` is that of the agents, a quick one."""
        self._game, self._agent = game, game.agents[level]
        self._rng = Random(0)
        self._states: list[Any] = [game.new(seats, options, DEAL)]
        """The states after 0, 1, 2 … moves."""
        self._events: list[Sequence[SeenEvent]] = [()]

    def view(self, moves: int, viewer: int | None) -> Any:
        """The view after so many moves, or of the end if that comes before."""
        return self._game.view(self._states[self._played(moves)], viewer)

    def events(self, moves: int) -> Sequence[SeenEvent]:
        """The public events of the last of so many moves."""
        return self._events[self._played(moves)]

    def _played(self, moves: int) -> int:
        """Plays until there are so many moves; returns how many there are at most."""
        game = self._game
        while len(self._states) <= moves and (pending := game.pending(self._states[-1])):
            state, seat = game.copy(self._states[-1]), pending[0].seat
            move = self._agent.choose(game.view(state, seat), self._rng)
            events = game.apply(state, seat, move)
            self._states.append(state)
            self._events.append([SeenEvent(each.kind, each.seat, each.seen_by(None)) for each in events])
        return min(moves, len(self._states) - 1)
