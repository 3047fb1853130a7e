"""Where agents think: quick ones in the bot's process, slow ones in other processes, so that nobody waits for them."""

from __future__ import annotations

import asyncio
import logging
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from random import Random
from typing import Any

from bot.processes import close_pool, open_pool
from engine.game import Agent, AnyGame
from engine.registry import load_games

log = logging.getLogger(__name__)

_games: dict[str, AnyGame] = {}


def _prepare(card_lists: Path | None) -> None:
    """Runs once in each thinking process."""
    _games.update(load_games(card_lists))


def _choose(game: str, level: str, view: Any, seed: bytes) -> Any:
    return _games[game].agents[level].choose(view, Random(seed))


class Thinkers:
    """Asks agents for moves. An agent is given a view and nothing else.

    `processes` is the number of processes for slow agents; with 0, slow agents think in the bot's own process.
    """

    def __init__(self, processes: int, card_lists: Path | None = None) -> None:
        self._turn = asyncio.Lock()
        self._rested = 0.0
        """The time, on the event loop's clock, from which the next quick agent may think."""
        self._processes = processes
        self._card_lists = card_lists
        self._pool: ProcessPoolExecutor | None = None

    async def choose(self, game: AnyGame, level: str, view: Any, seed: bytes) -> Any:
        """The agent's move for the view's pending decision. Raises whatever the agent raises."""
        agent = game.agents[level]
        if not agent.slow or not self._processes:
            return await self._here(agent, view, seed)
        pool = self._open_pool()
        try:
            return await self._elsewhere(pool, game.key, level, view, seed)
        except BrokenProcessPool:
            if self._pool is pool:
                # Another caller that waited for the same pool may already have made a new one.
                log.warning("a thinking process ended unexpectedly; it is started anew")
                self._pool = None
            return await self._elsewhere(self._open_pool(), game.key, level, view, seed)

    async def _here(self, agent: Agent[Any, Any], view: Any, seed: bytes) -> Any:
        """Lets one agent think at a time, and then pauses for as long: half of the time is left to everything else."""
        loop = asyncio.get_running_loop()
        async with self._turn:
            if (rest := self._rested - loop.time()) > 0:
                await asyncio.sleep(rest)
            began = loop.time()
            try:
                return agent.choose(view, Random(seed))
            finally:
                now = loop.time()
                self._rested = now + (now - began)

    async def _elsewhere(
        self, pool: ProcessPoolExecutor, game: str, level: str, view: Any, seed: bytes
    ) -> Any:
        return await asyncio.get_running_loop().run_in_executor(pool, _choose, game, level, view, seed)

    def _open_pool(self) -> ProcessPoolExecutor:
        if self._pool is None:
            self._pool = open_pool(self._processes, _prepare, self._card_lists)
        return self._pool

    def close(self) -> None:
        """Ends the thinking processes, even in the middle of a thought."""
        if self._pool is not None:
            close_pool(self._pool)
            self._pool = None
