"""How much is to be won: a player who cheats. It is given the match itself, with all hidden cards and all chance.

It tries each move that a Master would try by playing the match on to its end, where everybody plays as a quickened
Expert does, and makes the move that wins, or wins by most. No player who sees only their own cards can play as well
against Experts; how far below this a fair player must stay, nobody knows.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from engine.archaeology_family.agents.master import Master
from engine.archaeology_family.agents.playouts import TO_THE_END
from engine.artifacts_inc.agents.master import Master as MasterOfTurns
from engine.game import AnyGame

CEILING = "ceiling"
"""The name of this player in reports."""


def has_ceiling(game: AnyGame) -> bool:
    """Whether there is a cheating player for a game: its matches must be quick to play on."""
    return isinstance(game.agents.get("master"), Master | MasterOfTurns)


class Ceiling:
    """Searches one move deep (in Artifacts, Inc. a line of moves), to the end of the match."""

    def __init__(self, game: AnyGame) -> None:
        master: Any = game.agents["master"]
        self._game, self._master, self._playouts = game, master, master.playouts
        self._by_lines = isinstance(master, MasterOfTurns)

    def move(self, state: Any, seat: int, rng: Random) -> Any:
        view = self._game.view(state, seat)
        master = self._master
        lines = master.lines(view, rng) if self._by_lines else [(move,) for move in master.moves(view, rng)]
        if len(lines) == 1:
            return lines[0][0]
        return max(lines, key=lambda line: self._end(state, seat, line))[0]

    def _end(self, state: Any, seat: int, line: Sequence[Any]) -> tuple[float, int]:
        """The seat's share of the victory after these moves, and its lead in score."""
        if self._by_lines:
            after = self._playouts.after(state, line)
            self._playouts.to_the_end(after)
        else:
            after = self._playouts.after(state, line[0], TO_THE_END)
        outcome = self._game.outcome(after)
        assert outcome
        share = 1 / len(outcome.winners) if seat in outcome.winners else 0.0
        others = [score for other, score in enumerate(outcome.scores) if other != seat]
        return share, outcome.scores[seat] - max(others)
