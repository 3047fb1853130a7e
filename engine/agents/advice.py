"""Advice on a decision: moves, the best first, with what they should bring and why. For hints and reviews."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from engine.agents.search import Tried
from engine.game import AnyGame, own_decision


class Reason(NamedTuple):
    """Why a move may be good: a code, and facts as events have them (treasures by number, dollars, cards)."""

    code: str
    facts: Mapping[str, Any] = {}


USUAL: Final = Reason("usual")
"""The reason of a game whose agents give none: it is the move that its strongest agent makes."""


class Advice(NamedTuple):
    """A move, the result that it should bring, and one reason for it.

    `result` is in the agent's measure: in the treasure games, dollars ahead of the best of the others, and a probable
    victory besides. `gain` is what it brings more than the usual move, and `error` the standard error of the gain. All
    three are None where nothing was compared.
    """

    move: Any
    result: float | None
    gain: float | None
    error: float | None
    reason: Reason


class Appraisal(NamedTuple):
    """A move that was made, beside the choice of the strongest agent, in the agent's measure.

    `cost` is what the agent's choice brings more than the move made; 0 if they are the same. `lead` is what the move
    made brings more than the next best; 0 if it is not the agent's choice. `error` is the standard error of either. All
    three are 0 where there was nothing to compare.
    """

    move: Any
    reason: Reason
    cost: float = 0.0
    lead: float = 0.0
    error: float = 0.0


@runtime_checkable
class Adviser(Protocol):
    """An agent that tries several moves. It chooses the first of those that it ranks."""

    def ranked(self, view: Any, rng: Random) -> Sequence[Tried[Any]]:
        """The moves tried, the best first."""
        ...

    def compared(self, view: Any, moves: Sequence[Any], rng: Random) -> Sequence[Tried[Any]]:
        """What each of these legal moves brings, in equal worlds, in their order; gains are those over the first."""
        ...

    def reason(self, view: Any, move: Any) -> Reason: ...


def adviser_of(game: AnyGame) -> Adviser | None:
    """The game's strongest agent, if it compares moves and gives reasons."""
    strongest = list(game.agents.values())[-1]
    return strongest if isinstance(strongest, Adviser) else None


def advice(game: AnyGame, view: Any, rng: Random) -> list[Advice]:
    """Advice on the viewer's open decision, by the game's strongest agent; empty where none is open.

    It follows from the view and `rng` alone, and the agent's own choice stands first. It takes as long as a move of the
    agent: ask for it where a `slow` agent may think.
    """
    if own_decision(view) is None:
        return []
    strongest = list(game.agents.values())[-1]
    if not isinstance(strongest, Adviser):
        return [Advice(strongest.choose(view, rng), None, None, None, USUAL)]
    ranked = strongest.ranked(view, rng)
    if len(ranked) == 1:
        move = ranked[0].move
        return [Advice(move, None, None, None, strongest.reason(view, move))]
    return [
        Advice(one.move, one.result, one.gain, one.error, strongest.reason(view, one.move)) for one in ranked
    ]


def appraise(game: AnyGame, view: Any, move: Any, rng: Random) -> Appraisal:
    """The appraisal of a legal move for the viewer's open decision, in a game with an `Adviser`.

    It follows from the arguments alone. The two moves are compared in worlds of their own: in the worlds in which the
    agent has chosen, its choice was lucky more often than not.
    """
    adviser = adviser_of(game)
    assert adviser is not None
    ranked = adviser.ranked(view, rng)
    best = ranked[0].move
    reason = adviser.reason(view, best)
    rival = best if best != move else ranked[1].move if len(ranked) > 1 else None
    if rival is None:
        return Appraisal(best, reason)
    _made, other = adviser.compared(view, [move, rival], rng)
    if best == move:
        return Appraisal(best, reason, lead=-other.gain, error=other.error)
    return Appraisal(best, reason, cost=other.gain, error=other.error)
