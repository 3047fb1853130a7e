"""A player of Artifacts, Inc. that tries the best lines of its turn in imagined worlds before it decides.

The lines are those that a wider search than the Expert's likes best. Each is followed by two rounds in which all play
on as quickened Experts do (`playouts`), and judged by the chance to win that the seat has once its turn is planned.
So it sees what others may do about a line, and what dice to come may make of it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from random import Random
from typing import Any, Final, NamedTuple, Protocol

from engine.agents.advice import Adviser, Past, Reason
from engine.agents.lines import lines
from engine.agents.search import Compared, Enough, Holding, Outlook, Tried, best, compare, search
from engine.artifacts_inc import moves as m
from engine.artifacts_inc.agents.expert import Expert, foreseen
from engine.artifacts_inc.agents.playouts import Playouts
from engine.artifacts_inc.agents.reasons import Brought, reason_of, scoring
from engine.artifacts_inc.agents.turn import Turn, side_of, sprints
from engine.artifacts_inc.choices import (
    BOUGHT,
    TURNS_HELD,
    decided,
    holdings,
    last_round,
    last_to_move,
    museum_points,
)
from engine.artifacts_inc.state import ARRANGE, GOAL, NEAR, OVER, State, View
from engine.artifacts_inc.turns import outcome
from engine.game import Event

Moves = tuple[m.Move, ...]
DIES: Final = 3
"""The number of different dice that are tried on a slot."""
AS_GOOD: Final = 1.25
"""The result by which a line may seem worse than the best and still be advised because it scores more this turn."""
TURNS: Final = 2
"""The further turns of a seat that are played in full where its outlook at a table is found."""
IMAGINED: Final = 16
"""The worlds that are played on to the next turn for what others, or the seat itself, buy until then."""
USUAL: Final = 0.6
"""The part of these in which they do so, if that is told."""
_PASS: Final[Tried[m.Move]] = Tried(m.PASS, 0.0, 0.0, 0.0, 0)
AS_SURELY: Final = 0.015
"""The chance to win that a line which ends the match ahead may cost in these worlds: no others' luck can undo it."""


class Rules(Protocol):
    """The questions of the master to the game."""

    def determinize(self, view: View, rng: Random) -> State: ...


class Effort(NamedTuple):
    """How much is looked at: positions followed and judged, which costs little beside the trying.

    Then how many lines are tried, by how much a line may seem worse than the best, how many results there are in all
    with two seats (with more, each takes longer, and there are fewer), and the standard errors of a gain for which the
    best line is left.
    """

    width: int = 200
    limit: int = 15000
    lines: int = 8
    margin: float = 0.5
    tries: int = 160
    errors: float = 1.0


class Master(Adviser):
    """Searches the turn's lines, then plays them on."""

    slow = True
    as_good = AS_GOOD
    estimates = True
    effort = Effort()

    def __init__(self, game: Rules, expert: Expert, playouts: Playouts) -> None:
        self._game, self._expert, self.playouts = game, expert, playouts

    def choose(self, view: View, rng: Random) -> m.Move:
        """The first move of the line that turns out best."""
        return self.moves(view, rng)[0]

    def moves(self, view: View, rng: Random) -> Sequence[m.Move]:
        """The moves of this line as far as they are decided by now; at least one.

        Simulations may play them one after the other without asking again.
        """
        return foreseen(view, self._chosen(view, self.tried(view, rng), rng).move)

    def ranked(self, view: View, rng: Random, share: float = 1) -> list[Tried[m.Move]]:
        """The moves with which the lines tried begin: that of the line that scores most of those about as good as its
        choice, then by what the best line of each brings.
        """
        tried = self.tried(view, rng, share)
        chosen = self._scoring_most(view, tried, self._chosen(view, tried, rng))
        firsts: dict[m.Move, Tried[m.Move]] = {}
        for one in sorted(tried, key=lambda one: (one is not chosen, -one.gain)):
            first, line = one.move[0], one.line or one.move
            firsts.setdefault(first, Tried(first, one.result, one.gain, one.error, one.worlds, line))
        return list(firsts.values())

    def advised(self, view: View, ranked: Sequence[Tried[m.Move]], rng: Random, past: Past) -> Tried[m.Move]:
        """Once the match is decided: what still scores, or the end of the turn."""
        return ranked[0] if not decided(view) or self._scored(view, ranked[0].line) else _PASS

    def is_choice(self, view: View) -> bool:
        """Whether there are dice to use: their cards are arranged for them well enough."""
        return view.phase != ARRANGE

    def reason(self, view: View, best: Tried[m.Move], rival: m.Move | None) -> Reason:
        """The gain of the move for the line that begins with it, and what worlds that are played on say of it."""
        line = best.line or (best.move,)
        code, facts = self._reason(view, line, rival, compared=best.beside is not None)
        found: dict[str, Any] = {"reputation": self._scored(view, line)} if code == "decided" else {}
        dearer = facts.get("dearer", ())
        cheaper = max(dearer[3:4], default=0) > 0 or (code == "later" and not facts["turn"])
        thrifty = facts and code not in ("rerolls", "plan") and not any(map(side_of, line))
        if cheaper or (thrifty and (code == "pays" or not facts.get("plan") or dearer)):
            bought = self._next_purchase(view, foreseen(view, line))
            instead = self._next_purchase(view, dearer[4:]) if cheaper and dearer else None
            if bought and bought[:1] != (instead or ())[:1]:
                side, scored = bought
                found["saves"] = (side, view.catalogue.cards[side // 2].dollars, scored)
        if (
            best.line
            and code not in ("rolls", "rerolls", "decided")
            and (last_round(view) or last_to_move(view))
        ):
            found |= self._stands(view, line)
        return Reason(code, {**facts, **found})

    def _stands(self, view: View, line: Moves) -> dict[str, Any]:
        """In the last round, the scores after the turn with museums; the place and the tie-break if it is over."""
        state, seat = self.playouts.after(self._game.determinize(view, Random(0)), line), view.active
        if over := outcome(state):
            return {
                "scores": over.scores,
                "place_won": over.ranks[seat],
                "tie": over.why,
                "broken": over.detail,
            }
        scores = [state.reputation[each] + museum_points(state, each) for each in range(view.seats)]
        return {"scores": scores} if last_round(view) else {}

    def _next_purchase(self, view: View, moves: Sequence[m.Move]) -> tuple[int, int] | None:
        """The side that the seat usually buys first in its next turn after these moves, and its least score then."""
        found = [each for state in self._next_turns(view, moves) for each in self._purchases(state)[:1]]
        usual = _usual([side for side, _scored in found])
        return min((each for each in found if each[0] == usual), default=None)

    def _purchases(self, state: State) -> list[tuple[int, int]]:
        """The sides that the seat buys in a turn, each with what it scores at once."""
        standing, moves = self.playouts.standing(state), self.playouts.plan(state).moves
        steps = Turn(standing, DIES).along(standing.begun(state), moves)
        return [
            (side, after.reputation - before.reputation)
            for made, before, after in steps
            if (side := side_of(made[-1]))
        ]

    def _next_turns(self, view: View, moves: Sequence[m.Move]) -> list[State]:
        """Worlds in which the seat's next turn begins once it has made these moves."""
        worlds = self._worlds(view, Random(0))
        found = [self.playouts.next_turn(worlds(), moves) for _ in range(IMAGINED)]
        return [state for state in found if state.phase != OVER]

    def _reason(
        self, view: View, moves: Moves, rival: m.Move | None = None, *, compared: bool = False
    ) -> Reason:
        standing = self.playouts.standing(view)
        return reason_of(view, standing, Turn(standing, DIES), moves, rival, compared)

    def finishing(self, view: View) -> Sequence[Brought]:
        """The deeds that take the seat to the goal in this turn: the fewest, then the cheapest; none without a line."""
        standing = self.playouts.standing(view)
        found = sprints(standing, standing.begun(view), 20, 1000)
        deeds = (m.Dive, m.Buy, m.TurnCard)
        paid = [(sum(isinstance(move, deeds) for move in line.moves), -line.end.dollars) for line in found]
        return (
            scoring(standing, view, Turn(standing, DIES), found[paid.index(min(paid))].moves) if paid else ()
        )

    def compared(self, view: View, moves: tuple[m.Move, m.Move], rng: Random, enough: Enough) -> Compared:
        """The outlooks after these two moves."""
        lines, outlook = ((moves[0],), (moves[1],)), self.playouts.outlook_after
        return compare(lines, self._worlds(view, rng), outlook, self._tries(view) // 2, enough)

    def next_moves(self, agent: Any, view: View, rng: Random) -> Sequence[m.Move]:
        return agent.moves(view, rng)

    def estimated(self, state: State, turns: int) -> Outlook | None:
        """A guess for equal players after a few turns, as a match lasts long."""
        return self.playouts.judged(state) if turns > TURNS else None

    def held(self, state: State, events: Sequence[Event]) -> Mapping[Holding, float]:
        """Beside the holdings: since when sides are held, in turns of the seat (`TURNS_HELD`)."""
        found, turns, since = holdings(state), Counter[int](), Counter[tuple[int, int]]()
        for event in events:
            if event.seat is not None:
                turns[event.seat] += event.kind == "rolled"
                if event.kind in ("bought", "turned_card"):
                    number = state.catalogue.numbers[event.facts["card"]]
                    since[event.seat, 2 * number + (event.kind == "turned_card")] = turns[event.seat]
        sides = [(seat, side) for kind, seat, side in found if kind == BOUGHT]
        return found | {(TURNS_HELD, seat, side): turns[seat] - since[seat, side] for seat, side in sides}

    def tried(self, view: View, rng: Random, share: float = 1) -> list[Tried[Moves]]:
        """The prospects of the lines that are worth a try, the best one by a search of the turn first; of a single line
        none. `share`: the part of the usual number of worlds.
        """
        found = self.lines(view, rng)
        if len(found) == 1:
            return [Tried(found[0], 0.0, 0.0, 0.0, 0)]

        def result(world: State, moves: Moves) -> float:
            return self.playouts.outlook_after(world, moves).result

        return search(found, self._worlds(view, rng), result, round(share * self._tries(view)))

    def lines(self, view: View, rng: Random) -> list[Moves]:
        """The best lines of the turn that end differently, the best first; each has a move."""
        if view.phase == ARRANGE:
            return [(m.Roll(),)]
        effort, standing = self.effort, self.playouts.standing(view)
        start = standing.begun(view)
        found, judge = lines(Turn(standing, DIES), start, effort.width, effort.limit), Turn(standing).judge
        found += [line._replace(worth=judge(line.end).worth) for line in sprints(standing, start)]
        found.sort(key=lambda line: line.worth, reverse=True)
        if again := self._expert.rolled_again(Turn(standing), start, found[0], rng):
            return [(again,)]
        ends: dict[object, Moves] = {}
        for line in found:
            if line.worth < found[0].worth - effort.margin or len(ends) == effort.lines:
                break
            ends.setdefault(line.end.kept, line.moves or (m.PASS,))
        last = next((line for line in found if line.end.reputation >= GOAL), None)
        if last and self._ends(view, last.moves):
            ends.setdefault(last.end.kept, last.moves)
        return list(ends.values())

    def _chosen(self, view: View, tried: Sequence[Tried[Moves]], rng: Random) -> Tried[Moves]:
        """The line that turns out best, or one that ends the match ahead if it wins about as surely."""
        chosen = best(tried, self.effort.errors)
        ending = [one for one in tried if one.worlds and self._ends(view, one.move)]
        if not ending or chosen in ending:
            return chosen
        last = max(ending, key=lambda one: one.gain)
        lines, outlook, tries = (last.move, chosen.move), self.playouts.outlook_after, self._tries(view) // 4
        found = compare(
            lines, self._worlds(view, rng), outlook, tries, lambda _gain, _error, share: share >= 1
        )
        return last if found.one.chance >= found.other.chance - AS_SURELY else chosen

    def _scoring_most(self, view: View, tried: Sequence[Tried[Moves]], chosen: Tried[Moves]) -> Tried[Moves]:
        """The line that scores most this turn of those about as good as the chosen one, unless that ends the match."""
        if not chosen.worlds or self._ends(view, chosen.move):
            return chosen
        near = [one for one in tried if one.gain >= chosen.gain - AS_GOOD]
        return max(
            [chosen, *sorted(near, key=lambda one: -one.gain)], key=lambda one: self._scored(view, one.move)
        )

    def _scored(self, view: View, line: Moves) -> int:
        """The reputation that a line of the turn brings."""
        standing = self.playouts.standing(view)
        return sum(deed[2] for deed in scoring(standing, view, Turn(standing, DIES), line))

    def _ends(self, view: View, moves: Moves) -> bool:
        """True if these moves begin the last round with the seat ahead."""
        if max(view.reputation) >= GOAL or view.reputation[view.active] < NEAR:
            return False
        return self._reason(view, moves).code == "ends-match"

    def _worlds(self, view: View, rng: Random) -> Callable[[], State]:
        return lambda: self._game.determinize(view, rng)

    def _tries(self, view: View) -> int:
        return 4 * self.effort.tries // view.seats**2


def _usual(found: Sequence[int]) -> int | None:
    """The finding in most of the worlds imagined; None without one."""
    return next((each for each, n in Counter(found).most_common(1) if n >= USUAL * IMAGINED), None)
