"""Runs agents: quick ones in the bot's process, slow ones in other processes, so that nobody waits for them.

An agent pauses before its move at a table. The choice of the move is made even if an agent fails.

The strongest agent also plays whole deals in the background, for people to compare their own scores and pace with. It
plays in the person's seat, against the same agents as the person. A deal takes about 5 s of processor time, in moves of
at most half a second: each is thought about as a slice of a review is. Without thinking processes no deal is played,
because people would wait for the bot meanwhile. The plays follow from the deal alone, so every process finds the same;
they are kept in memory.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import random
from collections import OrderedDict
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

from bot.background import Background
from bot.processes import Pool
from bot.tables import absence
from bot.tables.model import Table
from engine.agents.advice import Advice, Appraisal, Glance, advice, appraise, glance
from engine.agents.outlooks import Trial, outlook_at
from engine.agents.search import Outlook
from engine.errors import IllegalMove
from engine.game import AnyGame, Event, Options
from engine.registry import load_games


@dataclass(frozen=True, slots=True)
class ThinkingTiming:
    """Agents that think in processes of their own."""

    longest: float = 10.0
    """Seconds after which a slow agent's answer is no longer awaited, and a quick level answers in its place."""
    patient: float = 40.0
    """The same for advice: the person reads that it is thought about, and can play on."""
    stalled: float = 120.0
    """Seconds after which a slice of a review is given up, which takes less than a few. A busy machine takes longer."""


THINKING: Final = ThinkingTiming()


log = logging.getLogger(__name__)

_games: dict[str, AnyGame] = {}
_LEAST: Final = 0.3
"""Seconds that such an answer takes at least, so that its pace does not tell how much there was to think about."""


class Deal(NamedTuple):
    """The beginning of a match that is over: its number of seats, its options and its key."""

    seats: int
    options: Options
    key: bytes

    def __repr__(self) -> str:
        return f"<Deal to {self.seats} seats>"


Thought = Callable[[str, str, float], None]
"""Called after each move of an agent with the game's key, the agent's level and the seconds that it took."""


def _prepare(card_lists: Path | None) -> None:
    _games.update(load_games(card_lists))


Thinking = Callable[..., Any]
"""A function of a game and further arguments. It runs for a while, and follows from its arguments alone."""


def _choose(game: AnyGame, level: str, view: Any, seed: bytes) -> Any:
    return game.agents[level].choose(view, Random(seed))


def _in_process(thinking: Thinking, game: str, *arguments: Any) -> Any:
    return thinking(_games[game], *arguments)


class Thinkers:
    """Requests moves and advice from agents. An agent receives a view and nothing else.

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
        self._aside = asyncio.Lock()
        """Held by the slice of a review that is thought about. Slices are thought about in the order of requests, so
        reviews that run at the same time take turns."""
        self._live = 0
        """The number of thoughts for which somebody at a table waits."""
        self._free = asyncio.Event()
        """Set while fewer live thoughts than processes are there; always without processes."""
        self._free.set()
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

    async def advise(self, game: AnyGame, views: Sequence[Any], seed: bytes, *last: Any) -> Advice | None:
        """Advice on the last view's open decision (`engine.agents.advice`). Raises `TimeoutError` as `choose` does."""
        return await self._slowly(self._timing.patient, advice, game, views, seed, *last)

    async def appraise(self, game: AnyGame, view: Any, move: Any, seed: bytes, *beside: Any) -> Appraisal:
        """The appraisal of a move (`engine.agents.advice`), as a slice of a review. Raises `TimeoutError`."""
        return await self._later(appraise, game, view, move, Random(seed), *beside)

    async def glance(self, game: AnyGame, view: Any, move: Any, seed: bytes) -> Glance:
        """A first look at a move (`engine.agents.advice`), as a slice of a review. Raises `TimeoutError`."""
        return await self._later(glance, game, view, move, Random(seed))

    async def choose_later(self, game: AnyGame, level: str, view: Any, seed: bytes) -> Any:
        """An agent's move for which nobody waits, as a slice of a review. Raises `TimeoutError`."""
        return await self._later(_choose, game, level, view, seed)

    @property
    def in_processes(self) -> bool:
        """Whether slow agents think in processes of their own."""
        return self._processes > 0

    async def outlook(self, game: AnyGame, view: Any, move: Any, seed: bytes, trial: Trial) -> Outlook:
        """The outlook after a move (`outlook_at`), as a slice of a review. Raises `TimeoutError`."""
        return await self._later(outlook_at, game, view, move, Random(seed), trial)

    async def _later(self, thinking: Thinking, game: AnyGame, *arguments: Any) -> Any:
        """Runs a slice of a review: one at a time, and only while fewer live thoughts than processes are there.

        Raises `TimeoutError` if it has `stalled`. Its work is bounded by a count, so a busy machine only makes it late.
        """
        async with self._aside:
            await self._free.wait()
            return await self._run(self._timing.stalled, thinking, game, *arguments)

    async def _ask(self, game: AnyGame, level: str, view: Any, seed: bytes) -> Any:
        if not game.agents[level].slow:
            return await self._here(_choose, game, level, view, seed)
        loop = asyncio.get_running_loop()
        asked = loop.time()
        move = await self._slowly(self._timing.longest, _choose, game, level, view, seed)
        if self._processes:
            await asyncio.sleep(asked + _LEAST - loop.time())
        return move

    async def _slowly(self, longest: float, thinking: Thinking, game: AnyGame, *arguments: Any) -> Any:
        """Runs what takes long and is waited for at a table."""
        self._live += 1
        if 0 < self._processes <= self._live:
            self._free.clear()
        try:
            return await self._run(longest, thinking, game, *arguments)
        finally:
            self._live -= 1
            if self._live < self._processes:
                self._free.set()

    async def _run(self, longest: float, thinking: Thinking, game: AnyGame, *arguments: Any) -> Any:
        """Runs what takes long, in a thinking process if there are any. Raises `TimeoutError` after `longest`."""
        if not self._processes:
            return await self._here(thinking, game, *arguments)
        async with asyncio.timeout(longest):
            return await self._elsewhere(thinking, game.key, *arguments)

    async def _here(self, thinking: Thinking, game: AnyGame, *arguments: Any) -> Any:
        """Thinks one thought at a time, and then pauses for as long, so that half of the time is for other work."""
        loop = asyncio.get_running_loop()
        async with self._turn:
            await asyncio.sleep(max(0.0, self._rested - loop.time()))
            began = loop.time()
            try:
                return thinking(game, *arguments)
            finally:
                now = loop.time()
                self._rested = now + (now - began)

    async def _elsewhere(self, thinking: Thinking, game: str, *arguments: Any) -> Any:
        """Thinks in a thinking process; once more if the process ends unexpectedly."""
        pool = self._pool.open()
        try:
            return await self._in(pool, thinking, game, *arguments)
        except BrokenProcessPool:
            if self._pool.end(pool):
                log.warning("a thinking process ended unexpectedly; it is started anew")
            return await self._in(self._pool.open(), thinking, game, *arguments)

    async def _in(self, pool: ProcessPoolExecutor, thinking: Thinking, game: str, *arguments: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(pool, _in_process, thinking, game, *arguments)

    def close(self) -> None:
        """Ends the thinking processes, even in the middle of a thought."""
        self._pool.end()


def seed_of_move(host_seed: str, moves: int, seat: int) -> bytes:
    """The seed of an agent's choice after so many moves of a match."""
    return hashlib.sha256(f"{host_seed}:agent:{moves}:{seat}".encode()).digest()


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
        seed = seed_of_move(table.body.host_seed, table.sequence, seat)
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
    """The levels to ask until one answers: this one, in place of a slow one the best quick one, and the substitute."""
    instead = [absence.strongest_quick(game)] if game.agents[level].slow else []
    return dict.fromkeys((level, *instead, absence.substitute(game)))


def _checked(table: Table, seat: int, move: Any) -> Any:
    table.game.apply(table.game.copy(table.state), seat, move)
    return move


# -- the strongest agent's plays of deals

_KEPT: Final = 30
"""The number of deals whose plays are kept."""
_SEAT: Final = 0
"""The seat of the person, in which the strongest agent plays."""


class MasterPlay(NamedTuple):
    """A play of a deal by the strongest agent, in the person's seat: its score, and the events of the match."""

    score: int
    events: list[Event]


class MasterScores:
    """The plays of the strongest agent, by the seeds of deals."""

    def __init__(self, thinkers: Thinkers) -> None:
        self._thinkers = thinkers
        self._plays = OrderedDict[str, MasterPlay | None]()
        """The plays; None for a deal that is being played, or could not be."""
        self.playing = Background()
        """The tasks that play deals."""
        self._tasks: dict[str, asyncio.Task[None]] = {}
        """The same tasks, by the seeds of their deals."""

    def play_of(self, game: AnyGame, deal: Deal, seed: str, others: str) -> MasterPlay | None:
        """The play of a deal with this seed, against agents of the level `others`; None until it is known.

        Begins to play the deal if that has not begun.
        """
        if self._thinkers.in_processes and seed not in self._plays:
            self._plays[seed] = None
            while len(self._plays) > _KEPT:
                self._plays.popitem(last=False)
            play = self.playing.start(self._play(game, deal, seed, others), f"strongest play of {game.key}")
            self._tasks[seed] = play
            play.add_done_callback(lambda _play: self._tasks.pop(seed))
        return self._plays.get(seed)

    def call_when_played(self, seed: str, then: Callable[[], None]) -> bool:
        """Has `then` called at the end of the play of this deal; returns whether it is being played."""
        if (play := self._tasks.get(seed)) is None:
            return False
        play.add_done_callback(lambda play: None if play.cancelled() else then())
        return True

    async def _play(self, game: AnyGame, deal: Deal, seed: str, others: str) -> None:
        state, moves, strongest, events = game.new(*deal), 0, [*game.agents][-1], list[Event]()
        try:
            while pending := game.pending(state):
                seat = pending[0].seat
                level = strongest if seat == _SEAT else others
                chance = seed_of_move(seed, moves, seat)
                move = await self._thinkers.choose_later(game, level, game.view(state, seat), chance)
                events += game.apply(state, seat, move)
                moves += 1
        except TimeoutError:
            self._plays.pop(seed, None)  # the machine is too busy now: the next question begins anew
        except Exception:
            log.exception("the strongest agent could not play a deal of %s", game.key)
        else:
            outcome = game.outcome(state)
            self._plays[seed] = None if outcome is None else MasterPlay(outcome.scores[_SEAT], events)

    def close(self) -> None:
        """Ends all plays."""
        self.playing.cancel()
