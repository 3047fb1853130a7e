"""How much is to be won: a player who cheats. It is given the match itself, with all hidden cards and all chance.

It tries each move that a Master would try by playing the match on to its end, where everybody plays as a quickened
Veteran does, and makes the move that wins, or wins by most. No player who sees only their own cards can play as well
against Veterans; how far below this a fair player must stay, nobody knows.
"""

from __future__ import annotations

from random import Random
from typing import Any

from engine.archaeology_family.agents.master import Master
from engine.archaeology_family.agents.playouts import TO_THE_END
from engine.game import AnyGame

CEILING = "ceiling"
"""The name of this player in reports."""


def has_ceiling(game: AnyGame) -> bool:
    """Whether there is a cheating player for a game: its matches must be quick to play on."""
    return isinstance(game.agents.get("master"), Master)


class Ceiling:
    """Searches one move deep, to the end of the match."""

    def __init__(self, game: AnyGame) -> None:
        master: Any = game.agents["master"]
        self._game, self._master, self._playouts = game, master, master.playouts

    def move(self, state: Any, seat: int, rng: Random) -> Any:
        moves = self._master.moves(self._game.view(state, seat), rng)
        if len(moves) == 1:
            return moves[0]
        return max(moves, key=lambda move: self._end(state, seat, move))

    def _end(self, state: Any, seat: int, move: Any) -> tuple[float, int]:
        """The seat's share of the victory after this move, and its lead in score."""
        after = self._playouts.after(state, move, TO_THE_END)
        outcome = self._game.outcome(after)
        assert outcome
        share = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
        others = [score for other, score in enumerate(outcome.scores) if other != seat]
        return share, outcome.scores[seat] - max(others)
