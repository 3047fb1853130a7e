"""Where agents think: quick ones at once, slow ones in other processes, so that nobody waits for them."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from random import Random
from typing import Any

from engine.game import AnyGame
from engine.registry import load_games

log = logging.getLogger(__name__)

_games: dict[str, AnyGame] = {}


def _prepare(card_tables: Path | None) -> None:
    """Runs once in each thinking process."""
    _games.update(load_games(card_tables))


def _choose(game: str, level: str, view: Any, seed: bytes) -> Any:
    return _games[game].agents[level].choose(view, Random(seed))


class Thinkers:
    """Asks agents for moves. An agent is given a view and nothing else.

    `processes`: how many think at once beside the bot; 0 has slow agents think in the bot itself.
    """

    def __init__(self, processes: int, card_tables: Path | None = None) -> None:
        self._processes = processes
        self._card_tables = card_tables
        self._pool: ProcessPoolExecutor | None = None

    async def choose(self, game: AnyGame, level: str, view: Any, seed: bytes) -> Any:
        """The agent's move for the view's pending decision."""
        agent = game.agents[level]
        if not agent.slow or not self._processes:
            return agent.choose(view, Random(seed))
        try:
            return await self._elsewhere(game.key, level, view, seed)
        except BrokenProcessPool:
            log.warning("a thinking process ended unexpectedly; it is started anew")
            self._pool = None
            return await self._elsewhere(game.key, level, view, seed)

    async def _elsewhere(self, game: str, level: str, view: Any, seed: bytes) -> Any:
        if self._pool is None:
            self._pool = ProcessPoolExecutor(
                self._processes,
                mp_context=multiprocessing.get_context("spawn"),
                initializer=_prepare,
                initargs=(self._card_tables,),
            )
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._pool, _choose, game, level, view, seed)

    def close(self) -> None:
        """Ends the thinking processes."""
        if self._pool is not None:
            self._pool.shutdown(wait=False, cancel_futures=True)
            self._pool = None
