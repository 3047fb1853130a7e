"""A player of the Archaeology family that tries a few moves in imagined worlds before it decides.

The moves are the Veteran's, and what the Veteran would do if it cared more for one treasure, or did not trade. Each
is played on by a quickened Veteran (`playouts`) for a few turns, in worlds that agree with all that the seat knows.
The Veteran's move stands unless another is better beyond doubt.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from random import Random
from typing import Any, Final, Generic, NamedTuple, TypeVar

from engine.agents.advice import Reason
from engine.agents.search import Tried, best, search
from engine.archaeology_family.agents.museum import largest_set
from engine.archaeology_family.agents.planner import best_kept, removed, trade_to
from engine.archaeology_family.agents.playouts import Playouts, best_trade
from engine.archaeology_family.agents.reasons import reason_of
from engine.archaeology_family.agents.veteran import MARGIN, Veteran
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.moves import Discard, EndTurn, Sell, Steal, Trade
from engine.archaeology_family.state import ACT, DIG, STEAL, STORM, State, View

S = TypeVar("S", bound=State)
V = TypeVar("V", bound=View)

LEAN: Final = 3.0
"""Dollars more for each card of a treasure, in the plan of a player who leans towards it."""
MOVES: Final = 10
"""The most moves that are tried."""


class Effort(NamedTuple):
    """How much is tried: results in all, changes of turn until a result is judged, and the standard errors of a gain
    for which the Veteran's move is left.
    """

    tries: int = 600
    changes: int = 4
    errors: float = 1.0


class Master(Generic[S, V]):
    """Searches one move deep."""

    slow = True
    effort = Effort()

    def __init__(self, veteran: Veteran, playouts: Playouts[S]) -> None:
        self._veteran, self.playouts = veteran, playouts

    def choose(self, view: V, rng: Random) -> Any:
        """A legal move for the viewer's pending decision."""
        return best(self.tried(view, rng), self.effort.errors).move

    def ranked(self, view: V, rng: Random) -> list[Tried[Any]]:
        """The moves that `choose` has tried: its choice first, then the others by what they bring."""
        tried = self.tried(view, rng)
        chosen = best(tried, self.effort.errors)
        return sorted(tried, key=lambda one: (one is not chosen, -one.gain))

    def reason(self, view: V, move: Any) -> Reason:
        """Why the move may be good."""
        return reason_of(view, move)

    def tried(self, view: V, rng: Random) -> list[Tried[Any]]:
        """The prospects of each move that is worth a try (`Playouts.prospects`); the Veteran's stands first."""
        moves = self.moves(view, rng)
        return [Tried(moves[0], 0.0, 0.0, 0.0, 0)] if len(moves) == 1 else self.compared(view, moves, rng)

    def compared(self, view: V, moves: Sequence[Any], rng: Random) -> list[Tried[Any]]:
        """The prospects of each of these moves, the first of which is the one that the others are compared with."""

        def imagine() -> S:
            return self.playouts.game.determinize(view, rng)

        def result(world: S, move: Any) -> float:
            return self.playouts.result(world, move, self.effort.changes)

        return search(moves, imagine, result, self.effort.tries)

    def moves(self, view: V, rng: Random) -> list[Any]:
        """The moves to try, without repetition, the Veteran's first."""
        if view.phase == DIG:
            return [self._veteran.choose(view, rng)]
        traded = view.phase == ACT and view.acted and not view.fruitful
        usual = self._veteran.act(view, trades=False) if traded else self._veteran.choose(view, rng)
        moves = [usual]
        world = self.playouts.game.determinize(view, rng)
        for move in self.others(view, world):
            if move not in moves and len(moves) < MOVES:
                moves.append(move)
        return moves

    def others(self, view: V, world: S) -> Iterator[Any]:
        """Further moves to try, the most promising first. `world` agrees with the view."""
        if view.phase == STEAL:
            yield from map(Steal, view.victims)
        elif view.phase == STORM:
            yield from self._losses(world)
        elif view.phase == ACT:
            yield from self._acts(view, world)

    def _losses(self, world: S) -> Iterator[Discard]:
        """The losses in a Sandstorm if one treasure in hand were worth more."""
        hand = world.hands[world.asked]
        kept = self.playouts.ends(world).kept
        for kind, n in enumerate(hand):
            if n:
                leaning = [
                    [value + LEAN * count * (other == kind) for count, value in enumerate(values[: have + 1])]
                    for other, (values, have) in enumerate(zip(kept, hand, strict=True))
                ]
                yield Discard(removed(hand, best_kept(leaning, hand, sum(hand) - sum(hand) // 2)))

    def _acts(self, view: V, world: S) -> Iterator[Any]:
        hand, prices = world.hands[world.asked], view.prices
        yield self._veteran.act(view, trades=False)
        if not view.duty:
            yield EndTurn()
        for kind, n in enumerate(hand):
            if n >= len(prices[kind]) or (n and view.dry):
                yield Sell(kind, largest_set(prices[kind], n))
        for offer in self._veteran.offers(view):
            if offer.maps <= hand[MAP]:
                yield offer.move
        if not view.acted or view.fruitful:
            yield from self._trades(view, world)

    def _trades(self, view: V, world: S) -> Iterator[Trade]:
        """The best trade for each treasure within reach, if it were worth more; the one of least loss first.

        Once the seat has acted in this turn, each must raise what the Veteran's end of the turn is worth by its margin,
        as the Veteran's own trades do, so that a turn cannot go to and fro for ever.
        """
        hand, market, trade = world.hands[world.asked], world.market, self.playouts.game.trade
        worth = self._veteran.turn_worth(view)
        now = sum([values[n] for values, n in zip(worth, hand, strict=True)])
        found: list[tuple[float, Trade]] = []
        for kind, n in enumerate(hand):
            if n or market[kind]:
                leaning = list(worth)
                leaning[kind] = [value + LEAN * count for count, value in enumerate(worth[kind])]
                _, holdings = best_trade(leaning, hand, market, trade)
                if move := trade_to(holdings, hand):
                    total = sum(values[count] for values, count in zip(worth, holdings, strict=True))
                    if not view.acted or total > now + MARGIN:
                        found.append((total, move))
        found.sort(key=lambda one: -one[0])
        for _, move in found:
            yield move
