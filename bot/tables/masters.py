"""The strongest agent's plays of deals, in the background, for people to compare their own scores and pace with.

It plays in the person's seat, against the same agents as the person. A whole deal takes about 5 s of processor time, in
moves of at most half a second: each is thought about as a slice of a review is, only while the thinking processes are
free of live thoughts. Without such processes no deal is played, because people would wait for the bot meanwhile. The
plays follow from the deal alone, so every process finds the same; they are kept in memory.
"""

from __future__ import annotations

import logging
from asyncio import Task
from collections import OrderedDict
from collections.abc import Callable
from typing import Final, NamedTuple

from bot.background import Background
from bot.tables.thinking import Deal, Thinkers, seed_of_move
from engine.game import AnyGame, Event

log = logging.getLogger(__name__)

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
        self._tasks: dict[str, Task[None]] = {}
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
