"""The moves of agents at tables: the pause before a move, and the choice of the move, even if an agent fails."""

from __future__ import annotations

import hashlib
import logging
import random
from collections.abc import Iterable
from typing import Any

from bot.tables import absence
from bot.tables.model import Table
from bot.tables.thinking import Thinkers
from engine.errors import IllegalMove
from engine.game import AnyGame

log = logging.getLogger(__name__)


class Agents:
    """Chooses moves for the seats that agents play."""

    def __init__(self, thinkers: Thinkers, delay: tuple[float, float]) -> None:
        """`delay`: the bounds, in seconds, of the random pause before a move."""
        self._thinkers = thinkers
        self._delay = delay
        self._delays = random.SystemRandom()

    def pause(self) -> float:
        """A random pause, in seconds, before an agent's move."""
        return self._delays.uniform(*self._delay)

    async def choose(self, table: Table, seat: int) -> Any:
        """The agent's move; if the agent fails, that of another level, else a random one, so that the match goes on."""
        game, level = table.game, absence.agent_of(table, seat)
        view = game.view(table.state, seat)
        seed = hashlib.sha256(f"{table.body.host_seed}:agent:{table.sequence}:{seat}".encode()).digest()
        rng = random.Random(seed)
        for chooser in _choosers(game, level):
            try:
                return _checked(table, seat, await self._thinkers.choose(game, chooser, view, seed))
            except TimeoutError:
                log.warning("table %s: the %s agent did not answer in time", table.id, chooser)
            except IllegalMove as error:
                log.error("table %s: the %s agent chose an illegal move (%s)", table.id, chooser, error.code)
            except Exception:
                log.exception("table %s: the %s agent failed", table.id, chooser)
        try:
            return _checked(table, seat, game.sample(game.determinize(view, rng), seat, rng))
        except Exception:
            log.exception("table %s: no move could be drawn from what seat %s sees", table.id, seat)
        return game.sample(table.state, seat, rng)


def _choosers(game: AnyGame, level: str) -> Iterable[str]:
    """The levels to ask until one answers: this one, in place of a slow one the best quick one, and the stand-in."""
    instead = [absence.strongest_quick(game)] if game.agents[level].slow else []
    return dict.fromkeys((level, *instead, absence.stand_in(game)))


def _checked(table: Table, seat: int, move: Any) -> Any:
    """Returns this move if it is legal. Raises `IllegalMove` otherwise."""
    table.game.apply(table.game.copy(table.state), seat, move)
    return move
