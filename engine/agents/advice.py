"""Advice on a decision, and the worth of a deal. For hints and reviews.

Advice is a list of moves, the best first, with what they should bring and why. The worth of a deal is how a good agent
does in each seat of it, against others of all kinds.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple, Protocol, runtime_checkable

from engine.agents.search import Compared, Outlook, Tried
from engine.game import AnyGame, Options, own_decision, same_move


class Reason(NamedTuple):
    """Why a move may be good: a code, and facts as events have them (treasures by number, dollars, cards).

    Its facts follow from the view, and name what is gained against the alternative and what to watch for.
    """

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
    """A move that was made, beside the choice of the strongest agent, in the agent's measure (`Outlook.result`).

    `cost` is what the agent's choice brings more than the move made; 0 if they are the same. `lead` is what the move
    made brings more than the next best that is another choice (`Adviser.choice`); 0 if it is not the agent's. `error`
    is the standard error of either. All three are 0 where there was nothing to compare. `made` is the outlook after the
    move made, and `other` that after the move with which it was compared.
    """

    move: Any
    reason: Reason
    cost: float = 0.0
    lead: float = 0.0
    error: float = 0.0
    made: Outlook = Outlook(0.0, 0.0)
    other: Outlook = Outlook(0.0, 0.0)


@runtime_checkable
class Adviser(Protocol):
    """An agent that tries several moves. It chooses the first of those that it ranks."""

    def ranked(self, view: Any, rng: Random) -> Sequence[Tried[Any]]:
        """The moves tried, the best first."""
        ...

    def compared(self, view: Any, one: Any, other: Any, rng: Random) -> Compared:
        """The results of these two legal moves, in equal worlds."""
        ...

    def choice(self, move: Any) -> Hashable:
        """The part of a move that is a person's decision. Moves with the same one differ only in details, such as the
        cards with which a trade is paid.
        """
        ...

    def reason(self, view: Any, best: Tried[Any], rival: Any | None) -> Reason:
        """Why this move may be good: beside `rival`, another move that it is compared with, if there is one."""
        ...


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
        return [Advice(ranked[0].move, None, None, None, strongest.reason(view, ranked[0], None))]
    return [
        Advice(
            one.move,
            one.result,
            one.gain,
            one.error,
            strongest.reason(view, one, _rival(strongest, ranked, one)),
        )
        for one in ranked
    ]


def appraise(game: AnyGame, view: Any, move: Any, rng: Random) -> Appraisal:
    """The appraisal of a legal move for the viewer's open decision, in a game with an `Adviser`.

    It follows from the arguments alone. The two moves are compared in worlds of their own: in the worlds in which the
    agent has chosen, its choice was lucky more often than not.
    """
    adviser = adviser_of(game)
    assert adviser is not None
    ranked = adviser.ranked(view, rng)
    best = ranked[0]
    same = same_move(best.move, move)
    rival = _rival(adviser, ranked, best) if same else move
    reason = adviser.reason(view, best, rival)
    if rival is None:
        return Appraisal(best.move, reason)
    if same:
        made, other, error = adviser.compared(view, move, rival, rng)
        return Appraisal(best.move, reason, 0.0, made.result - other.result, error, made, other)
    made, other, error = adviser.compared(view, move, best.move, rng)
    return Appraisal(best.move, reason, other.result - made.result, 0.0, error, made, other)


def _rival(adviser: Adviser, ranked: Sequence[Tried[Any]], one: Tried[Any]) -> Any | None:
    """The best of the ranked moves that is another choice; None if there is none."""
    mine = adviser.choice(one.move)
    return next((other.move for other in ranked if adviser.choice(other.move) != mine), None)


def measuring_levels(game: AnyGame) -> list[str]:
    """The levels that play deals to tell their worth, the weakest first: all but those that try out their moves."""
    return [level for level, agent in game.agents.items() if not isinstance(agent, Adviser)]


def scores_of_deal(game: AnyGame, seats: int, options: Options, key: bytes, rng: Random) -> list[int]:
    """By seat, the score that the strongest of the measuring agents makes there in the match with this key.

    Agents of random levels, the same each time, play the other seats. So the mean of several scores tells what the deal
    is worth to a seat, and to one more than to another. Every agent sees its own view alone.
    """
    levels = measuring_levels(game)
    others = [rng.choice(levels) for _ in range(seats)]
    return [
        _score(game, [*others[:seat], levels[-1], *others[seat + 1 :]], options, key, seat, rng)
        for seat in range(seats)
    ]


def _score(game: AnyGame, levels: list[str], options: Options, key: bytes, seat: int, rng: Random) -> int:
    """The seat's score once agents of these levels have played the match."""
    state = game.new(len(levels), options, key)
    while pending := game.pending(state):
        asked = pending[0].seat
        game.apply(state, asked, game.agents[levels[asked]].choose(game.view(state, asked), rng))
    outcome = game.outcome(state)
    assert outcome is not None
    return outcome.scores[seat]
