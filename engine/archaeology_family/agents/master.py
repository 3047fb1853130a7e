"""A player of the Archaeology family that tries a few moves in imagined worlds before it decides.

The moves are the Expert's, the Expert's under changed weights, and the Expert's without a trade. Each is played on
by a quickened Expert (`playouts`) for a few turns, in worlds that agree with all that the seat knows. The Expert's
move stands unless another is better beyond doubt.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Mapping, Sequence
from random import Random
from typing import Any, Final, Generic, NamedTuple, TypeVar

from engine.agents.advice import FEW, SURE, Adviser, Past, Reason, precise
from engine.agents.search import Compared, Enough, Outlook, Tried, best, compare, promising, search
from engine.archaeology_family.agents.expert import MARGIN, Expert
from engine.archaeology_family.agents.planner import best_kept, removed, trade_to
from engine.archaeology_family.agents.playouts import Playouts, best_trade
from engine.archaeology_family.agents.reasons import (
    WORSE,
    best_trade_now,
    hand_with,
    is_alone,
    is_vain,
    leaves_plan,
    news_of,
    reason_of,
    returned,
    storm_chance,
    whole_sets,
    worths,
)
from engine.archaeology_family.agents.worth import largest_set
from engine.archaeology_family.card_list import MAP
from engine.archaeology_family.moves import Discard, EndTurn, Sell, Steal, Trade
from engine.archaeology_family.state import ACT, DIG, STEAL, STORM, State, View

S = TypeVar("S", bound=State)
V = TypeVar("V", bound=View)

WEIGHT_STEP: Final = 3.0
"""The change of one treasure's weight, in dollars a card."""
WEIGHT_SPREAD: Final = 2.5
"""The standard deviation of such changes where all weights change at once."""
WORST: Final = 8.0
"""Dollars by which a trade may be worse, as the Expert sees it, than the best of those that are considered."""
MOVES: Final = 10
"""The most moves that are tried beside those that were screened."""
SCREENED: Final = 7
"""The most moves that are tried of those under changed weights."""


CENTS: Final = 0.5
"""A trade that gains less than this over the best move that is none is not advised (`Outlook.result`)."""
DEAR: Final = 0.25
"""A trade must gain this part of each dollar by which the hand then sells for less, besides: people see the dollars."""
OWN: Final = 0.2
"""The part of these dollars that should come back to the viewer in the end, and not be what others lose alone."""
DENIAL: Final = 3.0
"""If it does not, a trade must gain so many times as much."""

LIKELY: Final = 75
"""The chance of a Sandstorm until the next turn, in hundredths, with which every sale is tried."""
DEAR_SET: Final = 20
"""The price from which on the sale of a part of a set is tried, whatever the chance of a Sandstorm."""
TRIFLE: Final = 0.001
"""Dollars that a point of wasted trade value costs where hands bring the same."""

VAIN: Final = 3.0
"""A trade for which no set, chamber or sale speaks must certainly cost the best of the others as much."""
DECISIVE: Final = 10
"""The dollars from which on a sale or an exploration of which two moves change the chance may decide between them."""
BACK: Final = 2.0
"""A trade that gives cards taken from the market before must gain this besides: a plan is not left for noise."""


class Effort(NamedTuple):
    """How much is tried: changes of turn that are played in all, rounds of the table until a result is judged, and the
    standard errors of a gain for which the Expert's move is left. Before that the Expert's moves under
    `weightings` changes of the weights are found, and each is screened in so many `worlds`, for one round.
    """

    turns: int = 3600
    rounds: int = 2
    errors: float = 1.0
    weightings: int = 60
    worlds: int = 8


class Master(Adviser, Generic[S, V]):
    """Searches one move deep."""

    slow, as_good = True, 0.0
    effort = Effort()

    def __init__(self, expert: Expert, playouts: Playouts[S]) -> None:
        self._expert, self.playouts = expert, playouts

    def choose(self, view: V, rng: Random) -> Any:
        """A legal move for the viewer's pending decision."""
        return best(self.tried(view, rng), self.effort.errors).move

    def ranked(self, view: V, rng: Random, share: float = 1) -> list[Tried[Any]]:
        """The moves that `choose` has tried: its choice first, then the others by what they bring."""
        tried = self.tried(view, rng, share)
        chosen = best(tried, self.effort.errors)
        return sorted(tried, key=lambda one: (one is not chosen, -one.gain))

    def advised(self, view: V, ranked: Sequence[Tried[Any]], rng: Random, past: Past) -> Tried[Any]:
        """The first, unless it is a trade that is vain, gains little or leaves a plan that nothing has changed; then
        the next trade that is not vain, a sale, or the end of the turn. Whole sets are sold before a trade or the
        turn's end.
        """
        kept = [one for one in ranked if not leaves_plan(past, view, one.move, self._expert)]
        first = (kept or ranked)[0]
        rest = next((one for one in kept if not isinstance(one.move, Trade)), None)
        if view.phase == ACT and is_alone(view):  # the Expert's plans are exact
            move = self._expert.act(view)
            move = self._expert.act(view, trades=False) if self._unadvised(view, move, past) else move
            first = Tried(move, 0.0, 0.0, 0.0, 0)
        elif isinstance(first.move, Trade) and rest:
            argued = (one for one in kept[1:] if one is rest or not self._unadvised(view, one.move, past))
            first = self._worthwhile(view, first, rest, rng) or next(argued)
            first = self._worthwhile(view, first, rest, rng) or rest
        if isinstance(first.move, Trade | EndTurn) and not (_traded(view) or is_alone(view)):
            first = self._worth_more_now(view, first, rng, past)
        if isinstance(first.move, EndTurn) and (whole := whole_sets(view)):
            first = first._replace(move=max(whole, key=lambda sale: view.prices[sale.treasure][-1]))
        first = self._sold_in_time(view, first, rng)
        line = first.line or self.playouts.line(self.playouts.game.determinize(view, rng), first.move)
        return first._replace(move=line[0], line=line)

    def _worthwhile(self, view: V, one: Tried[Any], rest: Tried[Any], rng: Random) -> Tried[Any] | None:
        """The move, if it is a trade beside `rest`; None if it gains too little, or is vain and others lose little."""
        if one.beside or not isinstance(one.move, Trade):
            return one
        found = self.compared(view, (one.move, rest.move), rng, precise)
        sells, vain = worths(view, one.move.take, one.move.give), is_vain(view, one.move, self._expert)
        less = max(0, sells["now"] - sells["then"])
        needed = CENTS + _needed(found, less, OWN * less) + BACK * bool(returned(view, one.move.give))
        spite = found.one.lead - found.other.lead - _more(found)
        enough = not vain or spite >= max(VAIN + SURE * found.error, less, _more(found))
        return one._replace(beside=found) if enough and _lead(found) >= needed else None

    def _unadvised(self, view: V, move: Any, past: Past) -> bool:
        """Whether a move is a trade without a reason that people see, or leaves a plan for nothing."""
        if not isinstance(move, Trade):
            return False
        return leaves_plan(past, view, move, self._expert) or is_vain(view, move, self._expert)

    def _sold_in_time(self, view: V, first: Tried[Any], rng: Random) -> Tried[Any]:
        """The move, with the dearest sale after it or instead of the turn's end if that is certainly better."""
        for plan in () if first.line else _with_sale(view, first.move):
            found = self.compared(view, (plan, first.move), rng, _decided)
            # Without a dig to come, dollars in hand are better than as much that is hoped for.
            least = -CENTS if _digs_no_more(view) else max(SURE * found.error, CENTS)
            if _lead(found) >= least:
                first = first._replace(line=plan)
        return first

    def _worth_more_now(self, view: V, first: Tried[Any], rng: Random, past: Past) -> Tried[Any]:
        """The move, or the trade that brings more now unless that is certainly worse: by another payment, or of all."""
        for take in (first.move.take, ()) if isinstance(first.move, Trade) else ((),):
            move, other = first.move, best_trade_now(view, take)
            if other is None or self._unadvised(view, other, past):
                continue
            now = _brings(view, move) + (0 if isinstance(move, Trade) or not view.site else WORSE)
            if move == other or _brings(view, other) < now:
                continue
            for plan in ((other,), *_with_sale(view, other)):
                found = self.compared(view, (move, plan), rng, _decided)
                seen = _needed(found, _brings(view, other) - _brings(view, move), 0)
                if _lead(found) < max(SURE * found.error, CENTS, seen):
                    turned = Compared(found.other, found.one, found.error)
                    line = plan if len(plan) > 1 else ()
                    first = Tried(other, found.other.result, 0.0, found.error, 0, line, beside=turned)
                    break
                if not take:
                    first = first._replace(beside=first.beside or found)
        return first

    def expected(self, view: V, move: Any) -> Any | None:
        """The best trade of the menu, if the hand then sells for more; else the end of the turn, instead of a trade."""
        best = best_trade_now(view) if type(move) in (Trade, EndTurn) else None
        if (
            best
            and self.choice(best) != self.choice(move)
            and _brings(view, best) - _brings(view, move) > CENTS
        ):
            return best
        return EndTurn() if type(move) is Trade and not view.duty else None

    def news(self, before: V, made: Any, view: V, move: Any) -> Mapping[str, Any]:
        return news_of(before, made, view, move, self._expert)

    def is_choice(self, view: V) -> bool:
        return view.phase != STORM or sum(map(bool, view.own_hand)) > 1

    def tempts(self, view: V, move: Any) -> bool:
        """A trade has a purpose. A Map is sold only where it opens nothing, or a Sandstorm is near."""
        if isinstance(move, Trade):
            return not is_vain(view, move, self._expert)
        kept = view.site and any(view.chambers) and storm_chance(view) < LIKELY
        return not (kept and isinstance(move, Sell) and move.treasure == MAP)

    def choice(self, move: Any) -> Hashable:
        """Of a trade, the cards that are taken: a screen proposes the payment."""
        return ("trade", move.take) if isinstance(move, Trade) else (type(move).__name__, move)

    def reason(self, view: V, best: Tried[Any], rival: Any | None) -> Reason:
        """The purpose of the move, and the dangers to watch for."""
        other, trades = rival, isinstance(best.move, Trade)
        if isinstance(rival, Trade) and (best.line or best.beside is None):
            rival = None  # a hint is read without it
        code, facts = reason_of(view, best.line or (best.move,), rival, self._expert, tried=bool(best.line))
        quiet = code in ("grows-set", "waits") and not (facts["short"] or facts.get("maps"))
        denies = False
        if best.beside is not None:
            own = _more(best.beside)
            facts = {**facts, "more": round(own)}
            denies = trades and best.beside.one.lead - best.beside.other.lead >= own + max(own, 1)
        if best.line and other and other == facts.get("others") and facts["best"] - facts["now"] > WORSE:
            found = self.compared(view, (best.line, other), Random(view.moves), _decided)
            facts = {**facts, "less": round(_more(found))}
            quiet = denies = facts["less"] <= WORSE
        if (quiet or denies) and other is not None:
            facts = {**facts, **self._decisive(view, (best.line or best.move, other), own=quiet)}
            facts |= {"next": other.take} if best.line and isinstance(other, Trade) else {}
        return Reason(code, facts)

    def tried(self, view: V, rng: Random, share: float = 1) -> list[Tried[Any]]:
        """The prospects of each move that is worth a try (`Playouts.outlook_after`); the Expert's stands first.

        `share`: the part of the usual number of worlds.
        """
        moves = self.moves(view, rng)
        if len(moves) == 1:
            return [Tried(moves[0], 0.0, 0.0, 0.0, 0)]
        changes = self.effort.rounds * view.seats
        tries = round(share * self.effort.turns) // changes
        return search(moves, self._worlds(view, rng), self._result(changes), tries)

    def compared(self, view: V, moves: tuple[Any, Any], rng: Random, enough: Enough) -> Compared:
        """The outlooks after these two moves."""
        changes = self.effort.rounds * view.seats

        def outlook(world: S, move: Any) -> Outlook:
            return self.playouts.outlook_after(world, move, changes)

        worlds = self.effort.turns // changes // 2
        return compare(moves, self._worlds(view, rng), outlook, worlds, enough)

    def _decisive(self, view: V, moves: tuple[Any, Any], *, own: bool) -> Mapping[str, Any]:
        """The fact `deed`: the sale or exploration whose chances after two moves differ by most dollars, if it speaks
        for the first: its seat (None: the viewer's), treasure or chamber, cards (0: a chamber), and both chances in
        hundredths. `own`: it may be the viewer's.
        """
        changes, counts = self.effort.rounds * view.seats, (Counter[Any](), Counter[Any]())
        imagine, worlds = self._worlds(view, Random(view.moves)), self.effort.turns // changes // 4
        for world in [imagine() for _ in range(worlds)]:
            for move, count in zip(moves, counts, strict=True):
                count.update(self.playouts.deeds_after(world, move, changes))
        gains = {offer.move: offer.gain for offer in self._expert.offers(view)}

        def gain(deed: tuple[int, Any]) -> float:
            seat, move = deed
            dollars = view.prices[move.treasure][move.count - 1] if type(move) is Sell else gains.get(move, 0)
            dollars *= dollars >= DECISIVE  # small change follows from the moves themselves
            return dollars * (counts[0][deed] - counts[1][deed]) / worlds * (1 if seat == view.viewer else -1)

        deeds = sorted((each for each in counts[0] | counts[1] if own or each[0] != view.viewer), key=gain)
        if not deeds or gain(deeds[-1]) < max(1, -gain(deeds[0])):
            return {}
        seat, move = deeds[-1]
        chances = [min(99, max(1, round(100 * count[seat, move] / worlds))) for count in counts]
        told = None if seat == view.viewer else seat, move[0], move.count if type(move) is Sell else 0
        return {"deed": (*told, *chances)}

    def _worlds(self, view: V, rng: Random) -> Callable[[], S]:
        return lambda: self.playouts.game.determinize(view, rng)

    def _result(self, changes: int) -> Callable[[S, Any], float]:
        return lambda world, move: self.playouts.outlook_after(world, move, changes).result

    def moves(self, view: V, rng: Random) -> list[Any]:
        """The moves to try, without repetition, the Expert's first."""
        if view.phase == DIG:
            return [self._expert.choose(view, rng)]
        usual = self._expert.act(view, trades=False) if _traded(view) else self._expert.choose(view, rng)
        moves = [usual]
        world = self.playouts.game.determinize(view, rng)
        for move in self.others(view, world):
            if move not in moves and len(moves) < MOVES:
                moves.append(move)
        liked = [move for move in self.liked(view, world, rng) if move not in moves]
        result = self._result(view.seats)
        return moves + promising(liked, self._worlds(view, rng), result, self.effort.worlds, SCREENED)

    def others(self, view: V, world: S) -> Iterator[Any]:
        """Further moves to try, the most promising first. `world` agrees with the view."""
        if view.phase == STEAL:
            yield from map(Steal, view.victims)
        elif view.phase == ACT:
            yield from self._acts(view, world)

    def liked(self, view: V, world: S, rng: Random) -> list[Any]:
        """The trades, or the losses in a Sandstorm, of players who like or dislike some treasures more."""
        if view.phase == STORM:
            return self._losses(world, rng)
        if view.phase == ACT and not _traded(view):
            return self._trades(view, world, rng)
        return []

    def _acts(self, view: V, world: S) -> Iterator[Any]:
        hand, prices = world.hands[world.asked], view.prices
        yield self._expert.act(view, trades=False)
        if not view.duty:
            yield EndTurn()
        for kind, n in enumerate(hand):
            sale = Sell(kind, largest_set(prices[kind], max(n, 1)))
            dear = prices[kind][sale[1] - 1] >= DEAR_SET
            if n and (n >= len(prices[kind]) or view.dry or dear or storm_chance(view) >= LIKELY):
                yield sale
        for offer in self._expert.offers(view):
            if offer.maps <= hand[MAP]:
                yield offer.move

    def _weightings(self, counts: Sequence[int], rng: Random) -> Iterator[list[float]]:
        """Changes of the weights, in dollars a card: of each treasure within reach alone, then of all at random."""
        for kind, n in enumerate(counts):
            if n:
                for lean in (WEIGHT_STEP, -WEIGHT_STEP):
                    yield [lean * (kind == other) for other in range(len(counts))]
        for _ in range(self.effort.weightings):
            yield [rng.gauss(0, WEIGHT_SPREAD) for _ in counts]

    def _losses(self, world: S, rng: Random) -> list[Discard]:
        hand = world.hands[world.asked]
        kept = [values[: n + 1] for values, n in zip(self.playouts.ends(world).kept, hand, strict=True)]
        left = sum(hand) - sum(hand) // 2
        weighted = (_reweighted(kept, changes) for changes in self._weightings(hand, rng))
        found = dict.fromkeys(removed(hand, best_kept(each, hand, left)) for each in weighted)
        return [Discard(lost) for lost in found]

    def _trades(self, view: V, world: S, rng: Random) -> list[Trade]:
        """Trades, the one of least loss first.

        Once the seat has acted in this turn, each must raise what the Expert's end of the turn is worth by its margin,
        as the Expert's own trades do, so that a turn cannot go to and fro for ever.
        """
        hand, market, costs = world.hands[world.asked], world.market, self.playouts.game.trade
        worth = self._expert.turn_worth(view)
        within = [have + lie for have, lie in zip(hand, market, strict=True)]
        found: dict[Trade, float] = {}
        for changes in self._weightings(within, rng):
            _, holdings = best_trade(_reweighted(worth, changes), hand, market, costs)
            if move := trade_to(holdings, hand):
                found[move] = sum([values[n] for values, n in zip(worth, holdings, strict=True)])
        least = max(found.values(), default=0.0) - WORST
        if view.acted:
            least = max(least, MARGIN + sum([values[n] for values, n in zip(worth, hand, strict=True)]))
        return sorted([move for move in found if found[move] > least], key=lambda move: -found[move])


def _brings(view: View, move: Any) -> float:
    """The dollars that the hand brings after a trade or the end of the turn, less a trifle for what a trade wastes."""
    give, take = (move.give, move.take) if isinstance(move, Trade) else ((), ())
    return worths(view, take, give)["then"] - TRIFLE * (view.worth(give) - view.worth(take))


def _with_sale(view: View, move: Any) -> list[tuple[Any, ...]]:
    """A trade with the dearest sale of a part of a set after it, or this sale instead of the turn's end; none without
    a dear one that a Sandstorm may break.
    """
    late = _digs_no_more(view) and isinstance(move, EndTurn)
    if not (late or (view.sandstorms and isinstance(move, Trade | EndTurn))):
        return []
    hand = hand_with(view, move.take, move.give) if isinstance(move, Trade) else view.own_hand
    parts = [(kind, n) for kind, n in enumerate(hand) if 0 < n < len(view.prices[kind])]
    sales = [(view.prices[kind][n - 1], Sell(kind, n)) for kind, n in parts]
    price, sale = max(sales, default=(0, None))
    line = (move, sale) if isinstance(move, Trade) else (sale,)
    return [line] if price >= (1 if late else DEAR_SET) else []


def _digs_no_more(view: View) -> bool:
    """Whether the others dig up all that is left in the dig site."""
    return 0 < view.site < view.seats


def _lead(found: Compared) -> float:
    return found.one.result - found.other.result


def _needed(found: Compared, dollars: float, own: float) -> float:
    """The gain that makes up for dollars that the hand sells for less now, of which `own` should come back."""
    return DEAR * dollars * (1 if _more(found) >= own else DENIAL)


def _more(found: Compared) -> float:
    """The dollars that the viewer has more in the end by the first of two moves."""
    return found.one.own - found.other.own


def _decided(difference: float, error: float, share: float) -> bool:
    """Whether it is known which of two moves is better, or that they differ little (`search.Enough`)."""
    return precise(difference, error, share) or (share >= FEW and abs(difference) >= 2 * SURE * error)


def _traded(view: View) -> bool:
    """Whether the seat has traded in its turn, and neither sold nor explored since, while there is something to dig."""
    return view.phase == ACT and view.site > 0 and view.acted and not view.fruitful


def _reweighted(worth: Sequence[Sequence[float]], changes: Sequence[float]) -> list[Sequence[float]]:
    return [
        [value + more * n for n, value in enumerate(values)] if more else values
        for values, more in zip(worth, changes, strict=True)
    ]
