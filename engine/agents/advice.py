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


@runtime_checkable
class Adviser(Protocol):
    """An agent that tries several moves. It chooses the first of those that it ranks."""

    def ranked(self, view: Any, rng: Random) -> Sequence[Tried[Any]]:
        """The moves tried, the best first."""
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
