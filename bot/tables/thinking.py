"""Runs agents: quick ones in the bot's process, slow ones in other processes, so that nobody waits for them."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from pathlib import Path
from random import Random
from typing import Any

from bot.processes import Pool
from bot.tables.timing import THINKING, ThinkingTiming
from engine.game import Agent, AnyGame
from engine.registry import load_games

log = logging.getLogger(__name__)

_games: dict[str, AnyGame] = {}

Thought = Callable[[str, str, float], None]
"""Called after each move of an agent with the game's key, the agent's level and the seconds that it took."""


def _prepare(card_lists: Path | None) -> None:
    """Loads the games, once in each thinking process."""
    _games.update(load_games(card_lists))


def _choose(game: str, level: str, view: Any, seed: bytes) -> Any:
    return _games[game].agents[level].choose(view, Random(seed))


class Thinkers:
    """Requests moves from agents. An agent receives a view and nothing else.

    `processes` is the number of processes for slow agents; with 0, slow agents think in the bot's own process.
    """

    def __init__(
        self,
        processes: int,
        card_lists: Path | None = None,
        thought: Thought | None = None,
        timing: ThinkingTiming = THINKING,
    ) -> None:
        self._thought, self._timing = thought, timing
        self._turn = asyncio.Lock()
        self._rested = 0.0
        """The time, on the event loop's clock, from which the next quick agent may think."""
        self._processes = processes
        self._pool = Pool(processes, _prepare, card_lists)

    async def choose(self, game: AnyGame, level: str, view: Any, seed: bytes) -> Any:
        """The agent's move for the view's open decision. Raises the agent's errors.

        Raises `TimeoutError` if a slow agent has not answered in time, whether it thinks too long or had to wait for a
        free process: so where hundreds of tables want to think, most of them go on without.
        """
        loop = asyncio.get_running_loop()
        began = loop.time()
        move = await self._ask(game, level, view, seed)
        if self._thought is not None:
            self._thought(game.key, level, loop.time() - began)
        return move

    async def _ask(self, game: AnyGame, level: str, view: Any, seed: bytes) -> Any:
        agent = game.agents[level]
        if not agent.slow or not self._processes:
            return await self._here(agent, view, seed)
        loop = asyncio.get_running_loop()
        asked = loop.time()
        async with asyncio.timeout(self._timing.longest):
            move = await self._elsewhere(game.key, level, view, seed)
        await asyncio.sleep(asked + self._timing.least - loop.time())
        return move

    async def _here(self, agent: Agent[Any, Any], view: Any, seed: bytes) -> Any:
        """Runs one agent at a time, and then pauses for as long, so that half of the time is left for other work."""
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

    async def _elsewhere(self, game: str, level: str, view: Any, seed: bytes) -> Any:
        """Runs an agent in a thinking process; once more if the process ends unexpectedly."""
        pool = self._pool.open()
        try:
            return await self._in(pool, game, level, view, seed)
        except BrokenProcessPool:
            if self._pool.end(pool):
                log.warning("a thinking process ended unexpectedly; it is started anew")
            return await self._in(self._pool.open(), game, level, view, seed)

    async def _in(self, pool: ProcessPoolExecutor, game: str, level: str, view: Any, seed: bytes) -> Any:
        return await asyncio.get_running_loop().run_in_executor(pool, _choose, game, level, view, seed)

    def close(self) -> None:
        """Ends the thinking processes, even in the middle of a thought."""
        self._pool.end()
