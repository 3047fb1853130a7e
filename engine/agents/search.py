"""Choosing between a few moves by playing each of them on in imagined worlds; moves are compared by a seat's outlook.

All moves are tried in the same worlds, so that the luck of a world weighs on all of them alike. The usual move, which
stands first, is compared with each of the others world by world. Sequential halving: after each round the worse half of
the others is given up, with all that are hopeless, and those left are tried in more worlds. The work is bounded by a
count of tries, so that a search repeats itself on any machine.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from math import inf, sqrt
from random import Random
from typing import Any, Final, Generic, NamedTuple, TypeVar

from engine.game import Outcome

M = TypeVar("M")
W = TypeVar("W")

OVERLOOKED: Final = 0.5
"""The probability with which a novice does not think of something that it could do."""


def thought_of(ways: Sequence[M], rng: Random) -> Sequence[M]:
    """The part of what can be done that a novice thinks of; all of it, if that would be nothing."""
    return [way for way in ways if rng.random() >= OVERLOOKED] or ways


HOPELESS: Final = 2.0
"""A move that brings less than the usual one by so many standard errors is given up after any round."""


class Tried(NamedTuple, Generic[M]):
    """A move with its mean result, its mean gain over the usual move, and this gain's standard error.

    `line` are the moves of a plan that begins with it, where the agent tries whole plans. `beside` has its outlook and
    that of a plain alternative, where these were compared.
    """

    move: M
    result: float
    gain: float
    error: float
    worlds: int
    line: tuple[Any, ...] = ()
    beside: Compared | None = None


def search(
    moves: Sequence[M], imagine: Callable[[], W], result: Callable[[W, M], float], tries: int
) -> list[Tried[M]]:
    """The results of each of the moves, in the order given; the first is the usual move.

    `result` is asked for about `tries` times in all, and at least once a move. It leaves the world as it was.
    """
    results: list[list[float]] = [[] for _ in moves]
    left = list(range(1, len(moves)))
    rounds = max(1, len(left).bit_length())
    for _ in range(rounds):
        for _ in range(max(1, tries // (rounds * (1 + len(left))))):
            world = imagine()
            for number in (0, *left):
                results[number].append(result(world, moves[number]))
        gains = {number: gain_over(results[number], results[0]) for number in left}
        left.sort(key=lambda number: -gains[number][0])
        left = [
            number
            for number in left[: (len(left) + 1) // 2]
            if gains[number][0] > -HOPELESS * gains[number][1]
        ]
        if not any(gains[number][1] for number in left):  # none is left, or nothing is in doubt
            break
    return [
        Tried(move, sum(mine) / len(mine), *gain_over(mine, results[0]), len(mine))
        for move, mine in zip(moves, results, strict=True)
    ]


def promising(
    moves: Sequence[M], imagine: Callable[[], W], result: Callable[[W, M], float], worlds: int, limit: int
) -> list[M]:
    """Those `limit` of the moves that bring most in the same few worlds, in the order given. `result` is as above."""
    if len(moves) <= limit:
        return list(moves)
    totals = [0.0] * len(moves)
    for _ in range(worlds):
        world = imagine()
        for number, move in enumerate(moves):
            totals[number] += result(world, move)
    first = sorted(range(len(moves)), key=lambda number: -totals[number])[:limit]
    return [moves[number] for number in sorted(first)]


def best(tried: Sequence[Tried[M]], errors: float) -> Tried[M]:
    """The move of the greatest gain, if it is above so many standard errors; else the usual move."""
    usual = tried[0]
    certain = [one for one in tried if one.worlds == usual.worlds and one.gain > errors * one.error]
    return max(certain, key=lambda one: one.gain, default=usual)


def gain_over(mine: Sequence[float], usual: Sequence[float]) -> tuple[float, float]:
    """The mean of the gains world by world, and its standard error."""
    gains = [one - other for one, other in zip(mine, usual, strict=False)]
    n = len(gains)
    mean = sum(gains) / n
    if n == 1:
        return mean, inf
    return mean, sqrt(sum([(gain - mean) ** 2 for gain in gains]) / (n - 1) / n)


VICTORY: Final = 40.0
"""The lead that a victory counts as, in the unit of the game's scores."""


Holding = tuple[str, int, int]
"""A kind of thing that a seat may hold at the end of a match, the seat, and which of them (`Adviser.held`)."""
BEST: Final = "best"
"""The kind of the holding of the best score of the others; its number is 0."""


class Outlook(NamedTuple):
    """The lead over the best of the others that a seat can expect, and `VICTORY` times its chance to win.

    `own` is the score from which the lead is counted; 0 in a game without scores. `held` is how much the seats hold at
    the end; empty where a match was not played on to it.
    """

    lead: float
    victory: float
    own: float = 0.0
    held: Mapping[Holding, float] = {}

    @classmethod
    def of(cls, outcome: Outcome, seat: int) -> Outlook:
        """That of a match which has ended."""
        victory = VICTORY / len(outcome.winners) if seat in outcome.winners else 0.0
        own, others = outcome.scores[seat], [*outcome.scores[:seat], *outcome.scores[seat + 1 :]]
        return cls(own - max(others), victory, own)

    @property
    def scores(self) -> tuple[int, int]:
        """The scores of the seat and of the best of the others."""
        return round(self.own), round(self.own - self.lead)

    def shifted(self, one: Outlook, other: Outlook) -> Outlook:
        """This outlook with what one of two others has more than the other."""
        lead, victory, own = (n + a - b for n, a, b in zip(self[:3], one[:3], other[:3], strict=True))
        return Outlook(lead, min(VICTORY, max(0.0, victory)), own)

    @property
    def result(self) -> float:
        """Both together, by which agents compare moves."""
        return self.lead + self.victory

    @property
    def chance(self) -> float:
        """The chance to win, from 0 to 1."""
        return self.victory / VICTORY


class Compared(NamedTuple):
    """The mean outlooks of two moves in the same worlds, and the standard error of the difference of their results."""

    one: Outlook
    other: Outlook
    error: float


Enough = Callable[[float, float, float], bool]
"""Whether a difference of results is known well enough, with this standard error after this part of the worlds."""
BATCH: Final = 16
"""Worlds after each of which a comparison may end."""


def compare(
    moves: tuple[M, M],
    imagine: Callable[[], W],
    outlook: Callable[[W, M], Outlook],
    worlds: int,
    enough: Enough,
) -> Compared:
    """Two moves, each tried in the same worlds: so many, or fewer if it is `enough` after a batch.

    `outlook` leaves a world as it was.
    """
    ones: list[Outlook] = []
    others: list[Outlook] = []
    for number in range(1, max(1, worlds) + 1):
        world = imagine()
        ones.append(outlook(world, moves[0]))
        others.append(outlook(world, moves[1]) if moves[1] is not moves[0] else ones[-1])
        if number % BATCH == 0 and enough(*_difference(ones, others), number / worlds):
            break
    return Compared(mean(ones), mean(others), _difference(ones, others)[1])


def _difference(ones: Sequence[Outlook], others: Sequence[Outlook]) -> tuple[float, float]:
    return gain_over([each.result for each in others], [each.result for each in ones])


def mean(outlooks: Sequence[Outlook]) -> Outlook:
    n, held = len(outlooks), Counter[Holding]()
    for each in outlooks:
        held.update(each.held)
    lead, victory, own = (sum(each) / n for each in zip(*(each[:3] for each in outlooks), strict=True))
    return Outlook(lead, victory, own, {key: more / n for key, more in held.items()})
